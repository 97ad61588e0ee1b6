// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "multibody/dynamics/mass_matrix.hpp"
#include "testkit/mechanisms.hpp"

namespace chicane::multibody::motion_test {
namespace {

using testkit::energy;
using testkit::Evaluation;
using testkit::Random;

TEST(Motion, TreesOfEveryJointKeepEnergyAndFloatingOnesMomentum) {
  Random random(21);
  for (int trial = 0; trial < 20; ++trial) {
    Description d = testkit::random_tree(random, 5, true);
    d.gravity = {};
    Evaluation<double> e(testkit::compiled(d));
    ASSERT_EQ(e.kinematics(), Status::ok);
    const double before = energy(e);
    const Wrench<double> p = momentum(*e.m, e.ws);
    for (int k = 0; k < 1000; ++k) ASSERT_EQ(testkit::rk4(e, 1e-3), Status::ok);
    ASSERT_EQ(e.kinematics(), Status::ok);
    EXPECT_NEAR(energy(e), before, 1e-8 * before) << trial;
    const Wrench<double> after = momentum(*e.m, e.ws);
    const double size = norm(p.force) + norm(p.moment);
    EXPECT_LT(norm(after.force - p.force), 1e-8 * size) << trial;
    EXPECT_LT(norm(after.moment - p.moment), 1e-8 * size) << trial;
  }
}

TEST(Motion, SimplePendulumIsThatOfTheBenchmark) {
  // IFToMM benchmark A01: a mass of 1 kg on 1 m, from the horizontal; x and y every half second.
  Description d;
  d.gravity = {0, -9.81, 0};
  d.bodies.push_back({"mass", 1.0, {-1, 0, 0}, {}});
  d.joints.push_back(
      {.name = "pivot", .kind = JointKind::revolute, .connects = {"ground", "mass"}});
  Evaluation<double> e(testkit::compiled(d));
  constexpr double kPublished[10][2] = {{-3.91049e-1, -9.20370e-1}, {9.86292e-1, -1.65011e-1},
                                        {8.84132e-1, -4.67237e-1},  {-7.93566e-1, -6.08484e-1},
                                        {-9.96334e-1, -8.55439e-2}, {1.76652e-1, -9.84273e-1},
                                        {9.99914e-1, -1.31420e-2},  {5.77564e-1, -8.16346e-1},
                                        {-9.63293e-1, -2.68452e-1}, {-9.42305e-1, -3.34754e-1}};
  for (const auto& point : kPublished) {
    for (int k = 0; k < 500; ++k) ASSERT_EQ(testkit::rk4(e, 1e-3), Status::ok);
    ASSERT_EQ(e.kinematics(), Status::ok);
    const Vec3<double> p = pose(*e.m, BodyIndex{0}, e.ws).p;
    EXPECT_NEAR(p.x, point[0], 1e-6);  // six digits are published
    EXPECT_NEAR(p.y, point[1], 1e-6);
  }
}

TEST(Motion, HeavyTopPrecessesSteadily) {
  // A symmetric top leans at angle a and turns about the vertical at W without nodding, if
  //   C W w3 - A W^2 cos a = m g l,    w3 its turning about its own axis, A and C about the tip.
  const double m = 2.0, l = 0.3, g = 9.81, C = 0.02, A = 0.05 + m * l * l, a = 0.6, W = 4.0;
  const double w3 = (m * g * l + A * W * W * std::cos(a)) / (C * W);
  Description d;
  d.gravity = {0, 0, -g};
  const Mat3<double> lean = rotation(from_rotation_vector({0, a, 0}));
  d.bodies.push_back({"top", m, l * lean.z, rotated(lean, Sym3<double>{0.05, 0.05, C, 0, 0, 0})});
  // The axis turns about z at W, and the body about the axis by what is missing.
  const Vec3<double> omega = Vec3<double>{0, 0, W} + (w3 - W * std::cos(a)) * lean.z;
  d.joints.push_back({.name = "tip",
                      .kind = JointKind::spherical,
                      .connects = {"ground", "top"},
                      .initial_rate = {omega.x, omega.y, omega.z}});
  Evaluation<double> e(testkit::compiled(d));
  for (int k = 1; k <= 10000; ++k) {
    ASSERT_EQ(testkit::rk4(e, 1e-4), Status::ok);
    if (k % 500 != 0) continue;
    ASSERT_EQ(e.kinematics(), Status::ok);
    const double t = 1e-4 * k;
    const Vec3<double> p = pose(*e.m, BodyIndex{0}, e.ws).p;
    EXPECT_NEAR(p.x, l * std::sin(a) * std::cos(W * t), 1e-8);  // rk4: (w3 h)^4, some 1e-8
    EXPECT_NEAR(p.y, l * std::sin(a) * std::sin(W * t), 1e-8);
    EXPECT_NEAR(p.z, l * std::cos(a), 1e-8);
  }
}

TEST(Motion, QuaternionRatesAreThoseOfTheAngularVelocity) {
  Random random(22);
  Description d = testkit::random_tree(random, 6, true);
  for (JointDescription& j : d.joints) {
    j.kind = JointKind::spherical;
    j.initial = {0.1, 0.2, -0.3};
    j.initial_rate = {1, -0.5, 0.7};
  }
  Evaluation<double> e(testkit::compiled(d));
  ASSERT_EQ(e(), Status::ok);
  // The pose a little later, from qdot, differs by the velocity.
  const double h = 1e-6;
  std::vector<Transform<double>> before;
  std::vector<Motion<double>> V;
  for (int b = 0; b < 6; ++b) {
    before.push_back(pose(*e.m, BodyIndex{b}, e.ws));
    V.push_back(velocity(*e.m, BodyIndex{b}, e.ws));
  }
  for (std::size_t i = 0; i < e.q.size(); ++i) e.q[i] += h * e.qdot[i];
  ASSERT_EQ(e.kinematics(), Status::ok);
  for (int b = 0; b < 6; ++b) {
    const auto k = static_cast<std::size_t>(b);
    const Transform<double> after = pose(*e.m, BodyIndex{b}, e.ws);
    EXPECT_LT(norm((1 / h) * (after.p - before[k].p) - V[k].linear), 1e-4);
    EXPECT_LT(norm((1 / h) * (after.R.x - before[k].R.x) - cross(V[k].angular, before[k].R.x)),
              1e-4);
  }
}

TEST(Compile, SaysWhatIsWrongAndWhere) {
  const auto text = [](const auto& spoil) {
    Description d;
    d.bodies.push_back({"crank", 1.0, {}, {1, 1, 1, 0, 0, 0}});
    d.bodies.push_back({"arm", 1.0, {1, 0, 0}, {1, 1, 1, 0, 0, 0}});
    d.joints.push_back(
        {.name = "pivot", .kind = JointKind::revolute, .connects = {"ground", "crank"}});
    d.joints.push_back(
        {.name = "elbow", .kind = JointKind::revolute, .connects = {"crank", "arm"}});
    spoil(d);
    Diagnostics diag;
    EXPECT_EQ(compile(d, diag), nullptr);
    return diag.text();
  };
  const auto expect = [&](const auto& spoil, const char* words) {
    const std::string said = text(spoil);
    EXPECT_NE(said.find(words), std::string::npos) << said;
  };
  expect([](Description& d) { d.joints[1].connects[0] = "crnak"; },
         "there is no body 'crnak' (did you mean 'crank'?)");
  expect([](Description& d) { d.bodies[1].name = "ground"; }, "'ground' is always there");
  expect([](Description& d) { d.bodies[0].mass = -1; }, "cannot be negative");
  expect([](Description& d) { d.bodies[0].inertia.xx = 3; },
         "no body can have the inertia of 'crank'");
  expect([](Description& d) { d.joints[0].axis = {}; },
         "the axis of joint 'pivot' has no direction");
  expect([](Description& d) { d.joints[0].initial = {1, 2}; }, "has 1 coordinates, not 2");
  expect([](Description& d) { d.joints[1].kind = JointKind::screw; }, "needs a pitch");
  expect([](Description& d) { d.joints[1].kind = JointKind::spherical, d.joints[1].driven = true; },
         "is driven, but a spherical joint has 3 freedoms");
  expect([](Description& d) { d.joints.pop_back(); }, "no joint connects body 'arm'");
  expect([](Description& d) { d.cut = {"elbw"}; },
         "there is no joint 'elbw' (did you mean 'elbow'?)");
  expect(
      [](Description& d) {
        d.forces.push_back({"s", JointSpringDescription{.joint = "elbo"}});
      },
      "there is no joint 'elbo' (did you mean 'elbow'?)");
}

}  // namespace
}  // namespace chicane::multibody::motion_test
