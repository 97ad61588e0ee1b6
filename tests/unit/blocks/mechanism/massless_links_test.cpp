// SPDX-License-Identifier: Apache-2.0

// Bodies that only massless links hold, beside other descriptions of the same.

#include <gtest/gtest.h>

#include <cmath>

#include "testkit/models.hpp"
#include "testkit/recorder.hpp"

namespace massless_links_test {
namespace {

using namespace chicane;
using testkit::compiled;
using testkit::plan;
using testkit::seen;

std::string pendulum(const std::string& joints, const std::string& places) {
  return R"(
format: chicane/1
topology:
  loops: multipliers
  bodies: [bob]
  joints:
)" + joints +
         R"(
parameters:
  bodies:
    bob: {mass: 2 kg, com: [0.6, 0, -0.8, m], inertia: {diagonal: [0.1, 0.2, 0.15, kg m^2]}}
  joints:
)" + places;
}

// With a rod at its centre of mass a body is a spherical pendulum, and turns as it likes: in
// polar coordinates on the sphere of length l, in the plane, l a'' = -g sin a.
TEST(MasslessLinks, ARodAtTheCentreIsAPendulum) {
  Simulation s(compiled(pendulum("    rod: {type: spherical-spherical, connects: [ground, bob]}\n",
                                 "    rod: {at: [0, 0, 0], second_at: [0.6, 0, -0.8, m]}\n")),
               plan("rk4", 1e-3));
  double a = std::atan2(0.6, 0.8), w = 0.0;
  const double h = 1e-3, g = 9.80665;
  for (int i = 0; i < 900; ++i) {
    ASSERT_EQ(s.step(), Status::ok);
    const auto f = [&](double angle) { return -g * std::sin(angle); };
    const double k1 = f(a), k2 = f(a + h / 2 * w), k3 = f(a + h / 2 * w + h * h / 4 * k1),
                 k4 = f(a + h * w + h * h / 2 * k2);
    a += h * w + h * h / 6 * (k1 + k2 + k3);
    w += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
  }
  EXPECT_NEAR(seen(s, "bob.x"), std::sin(a), 1e-9);
  EXPECT_NEAR(seen(s, "bob.z"), -std::cos(a), 1e-9);
  EXPECT_NEAR(seen(s, "bob.y"), 0.0, 1e-12);
  EXPECT_NEAR(seen(s, "bob.omega_y"), 0.0, 1e-12);
}

// Three rods that meet in a point are a ball there.
TEST(MasslessLinks, ThreeRodsToOnePointAreABall) {
  const std::string rod = "{type: spherical-spherical, connects: [ground, bob]}\n";
  Simulation rods(compiled(pendulum("    a: " + rod + "    b: " + rod + "    c: " + rod,
                                    R"(
    a: {at: [1, 0, 0, m], second_at: [0, 0, 0]}
    b: {at: [0, 1, 0, m], second_at: [0, 0, 0]}
    c: {at: [0, 0, 1, m], second_at: [0, 0, 0]}
)")),
                  plan("rk4", 1e-3)),
      ball(compiled(pendulum("    tip: {type: spherical, connects: [ground, bob]}\n",
                             "    tip: {at: [0, 0, 0]}\n")),
           plan("rk4", 1e-3));
  for (int i = 0; i < 500; ++i) {
    ASSERT_EQ(rods.step(), Status::ok);
    ASSERT_EQ(ball.step(), Status::ok);
  }
  for (const char* name : {"bob.x", "bob.y", "bob.z", "bob.v_x", "bob.v_z", "bob.omega_x",
                           "bob.omega_y", "bob.omega_z", "bob.q_w", "bob.q_y"})
    EXPECT_NEAR(seen(rods, name), seen(ball, name), 1e-8) << name;
}

// Their coordinates have names of their own, apart from those of the body's place.
TEST(MasslessLinks, ABodyOnThemHasCoordinates) {
  Simulation s(compiled(pendulum("    rod: {type: spherical-spherical, connects: [ground, bob]}\n",
                                 "    rod: {at: [0, 0, 0], second_at: [0.6, 0, -0.8, m]}\n")),
               plan("rk4", 1e-3));
  EXPECT_EQ(testkit::value_in(s, "bob.free.x"), 0.0);
  EXPECT_NEAR(seen(s, "bob.x"), 0.6, 1e-15);
}

// A free joint beside them gives the body its start, though it is the one that is cut.
TEST(MasslessLinks, AFreeJointBesideThemGivesTheStart) {
  Simulation s(compiled(pendulum(R"(
    rod: {type: spherical-spherical, connects: [ground, bob]}
    float: {type: free, connects: [ground, bob]}
)",
                                 R"(
    rod: {at: [0, 0, 0], second_at: [0.6, 0, -0.8, m]}
    float: {initial_rate: [0, 0, 3 rad/s, 0, 2 m/s, 0]}
)")),
               plan("rk4", 1e-3));
  EXPECT_NEAR(seen(s, "bob.omega_z"), 3.0, 1e-14);
  EXPECT_NEAR(seen(s, "bob.v_y"), 2.0 + 3.0 * 0.6, 1e-14);  // of the point at the origin 2 m/s
}

}  // namespace
}  // namespace massless_links_test
