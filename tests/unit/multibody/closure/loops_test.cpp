// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "multibody/closure/assemble.hpp"
#include "multibody/closure/choose.hpp"
#include "multibody/closure/project.hpp"
#include "multibody/dynamics/mass_matrix.hpp"
#include "testkit/allocation_counter.hpp"
#include "testkit/mechanisms.hpp"
#include "testkit/vehicle.hpp"

namespace chicane::multibody::loops_test {
namespace {

using testkit::energy;
using testkit::Evaluation;
using testkit::loop_error;
using testkit::Random;

Status advance(Evaluation<double>& e, double h) {
  if (const Status s = testkit::rk4(e, h); s != Status::ok) return s;
  return project(*e.m, e.choice, e.q, e.v, e.drives, e.ws).status;
}

TEST(Loops, MultipliersAndEmbeddingGiveTheSameAccelerations) {
  Random random(11);
  int compared = 0;
  for (int trial = 0; trial < 300; ++trial) {
    Description d = testkit::random_tree(random, random.whole(2, 8), trial % 3 == 0);
    testkit::add_random_loops(d, random, random.whole(1, 3));
    Diagnostics diag;
    const auto m = compile(d, diag);
    if (!m || m->freedoms == 0 || m->clusters.empty()) continue;
    Evaluation<double> embedded(m);
    ASSERT_EQ(embedded(), Status::ok);
    if (embedded.ws.conditioning < 1e-2) continue;
    d.loops = Loops::multipliers;
    Evaluation<double> multipliers(testkit::compiled(d));
    multipliers.q = embedded.q;
    multipliers.v = embedded.v;
    ASSERT_EQ(multipliers(), Status::ok);
    double size = 1.0;
    for (const double a : embedded.vdot) size = std::max(size, std::fabs(a));
    for (std::size_t i = 0; i < embedded.vdot.size(); ++i)
      EXPECT_NEAR(multipliers.vdot[i], embedded.vdot[i], 1e-9 * size) << trial << " " << i;
    ++compared;
  }
  EXPECT_GT(compared, 75);
}

TEST(Loops, VehicleAgreesWithCartesianCoordinates) {
  const Description d = testkit::vehicle::description();
  Evaluation<double> e(testkit::compiled(d));
  EXPECT_EQ(e.m->freedoms, 10);
  EXPECT_TRUE(e.m->redundant.empty());
  Random random(12);
  for (int trial = 0; trial < 20; ++trial) {
    e.drives[0] = {random.number(-0.02, 0.02), random.number(-0.1, 0.1), random.number(-1, 1)};
    for (double& v : e.v) v = random.number(-1, 1);
    for (std::size_t k = 0; k < e.m->clusters.size(); ++k)
      for (const int i : e.choice[k].independent)  // plain coordinates: hinges of the arms
        for (const Link& link : e.m->links)
          if (link.v == e.m->clusters[k].v + i && link.nv == 1)
            e.q[static_cast<std::size_t>(link.q)] = random.number(-0.1, 0.1);
    ASSERT_EQ(e(), Status::ok);
    const auto other = testkit::cartesian_accelerations(
        [&] {
          Description about_com = d;  // the other formulation looks at centres of mass
          about_com.bodies[0].reference.reset();
          return about_com;
        }(),
        [&] {
          auto states = testkit::body_states(*e.m, e.ws);
          auto& chassis = states.at("chassis");
          const Vec3<double> r = chassis.X.R * d.bodies[0].com;
          chassis = {{chassis.X.R, chassis.X.p + r}, at_point(chassis.V, r)};
          return states;
        }(),
        {{"rack", {e.drives[0].q, e.drives[0].v, e.drives[0].a}}});
    EXPECT_LT(other.position_error, 1e-9);
    EXPECT_LT(other.rate_error, 1e-9);
    EXPECT_EQ(other.freedoms, 10);
    for (std::size_t b = 1; b < d.bodies.size(); ++b) {
      const Motion<double> ours = acceleration(*e.m, BodyIndex{static_cast<int>(b)}, e.ws);
      const Motion<double>& theirs = other.A.at(d.bodies[b].name);
      const double size = 1.0 + norm(theirs.linear) + norm(theirs.angular);
      EXPECT_LT(norm(ours.linear - theirs.linear), 1e-9 * size) << d.bodies[b].name;
      EXPECT_LT(norm(ours.angular - theirs.angular), 1e-9 * size) << d.bodies[b].name;
    }
  }
}

TEST(Loops, FourBarKeepsItsEnergyAndStaysClosedOverManyTurns) {
  Evaluation<double> e(testkit::compiled(testkit::four_bar()));
  EXPECT_EQ(e.m->freedoms, 1);
  EXPECT_EQ(e.m->redundant.size(), 3u);  // a planar loop: five rows of which two count
  for (const RedundantRow& r : e.m->redundant) EXPECT_EQ(r.joint, "c");
  ASSERT_EQ(e.kinematics(), Status::ok);
  const double before = energy(e);
  double drift = 0.0, open = 0.0;
  for (int k = 0; k < 10000; ++k) {  // 5 s; rk4 at 0.5 ms loses some 1e-10 in that time
    ASSERT_EQ(advance(e, 0.5e-3), Status::ok) << k;
    drift = std::max(drift, std::fabs(energy(e) - before));
    open = std::max(open, loop_error(e));
  }
  EXPECT_LT(drift / std::fabs(before), 1e-8);
  EXPECT_LT(open, 1e-9);
}

// Seven bodies, six hinges' worth of loops, a spring and a constant torque: Andrews' squeezer.
// Geometry and solution: Hairer and Wanner, Solving Ordinary Differential Equations II, section
// VII.7, and the Test Set for IVP Solvers (reference at t = 0.03 s).
struct Squeezer {
  double xa = -0.06934, ya = -0.00227, xb = -0.03635, yb = 0.03273, xc = 0.014, yc = 0.072;
  double d = 0.028, da = 0.0115, e = 0.02, ea = 0.01421, rr = 0.007, ra = 0.00092, ss = 0.035;
  double sa = 0.01874, sb = 0.01043, sc = 0.018, sd = 0.02, ta = 0.02308, tb = 0.00916;
  double u = 0.04, ua = 0.01228, ub = 0.00449, zf = 0.02, zt = 0.04, fa = 0.01421;
  double beta = -0.0617138900142764496, theta = 0.0, gamma = 0.455279819163070380;
  double phi = 0.222668390165885885, delta = 0.487364979543842550;
  double omega = -0.222668390165885885, epsilon = 1.23054744454982119;

  [[nodiscard]] Description description() const {
    Description m;
    m.gravity = {};
    const auto along = [](double x, double y, double l, double angle) {
      return Vec3<double>{x + l * std::cos(angle), y + l * std::sin(angle), 0.0};
    };
    const double half_pi = std::acos(0.0);
    const Vec3<double> O{}, A{xa, ya, 0}, B{xb, yb, 0}, C{xc, yc, 0};
    const Vec3<double> E = along(0, 0, rr, beta), P = along(E.x, E.y, -d, beta + theta);
    const Vec3<double> F = along(xa, ya, zt, delta), G = along(xa, ya, u, epsilon - half_pi);
    const auto body = [&](const char* name, double mass, double I, const Vec3<double>& com) {
      m.bodies.push_back({name, mass, com, {I, I, I, 0, 0, 0}});
    };
    body("K1", 0.04325, 2.194e-6, along(0, 0, ra, beta));
    body("K2", 0.00365, 4.410e-7, along(E.x, E.y, -da, beta + theta));
    const Vec3<double> S3 = along(xb, yb, sa, gamma - half_pi);
    body("K3", 0.02373, 5.255e-6, along(S3.x, S3.y, sb, gamma));
    body("K4", 0.00706, 5.667e-7, along(F.x, F.y, e - ea, phi + delta - half_pi));
    const Vec3<double> S5 = along(xa, ya, ta, delta);
    body("K5", 0.07050, 1.169e-5, along(S5.x, S5.y, tb, delta + half_pi));
    body("K6", 0.00706, 5.667e-7, along(G.x, G.y, zf - fa, omega + epsilon));
    const Vec3<double> S7 = along(xa, ya, ua, epsilon - half_pi);
    body("K7", 0.05498, 1.912e-5, along(S7.x, S7.y, -ub, epsilon));
    const auto hinge = [&](const char* name, const char* a, const char* b, const Vec3<double>& at) {
      m.joints.push_back({.name = name, .kind = JointKind::revolute, .connects = {a, b}, .at = at});
    };
    hinge("crank", "ground", "K1", O);
    hinge("O2", "K1", "K2", E);
    hinge("B", "ground", "K3", B);
    hinge("A5", "ground", "K5", A);
    hinge("O4", "K5", "K4", F);
    hinge("A7", "ground", "K7", A);
    hinge("O6", "K7", "K6", G);
    hinge("P2", "K3", "K2", P);
    hinge("P4", "K3", "K4", P);
    hinge("P6", "K3", "K6", P);
    const Vec3<double> D0 = along(xb, yb, sc, gamma - half_pi), D = along(D0.x, D0.y, sd, gamma);
    m.forces.push_back({"spring", TsdaDescription{.connects = {"ground", "K3"},
                                                  .points = {C, D},
                                                  .stiffness = 4530,
                                                  .free_length = 0.07785}});
    m.forces.push_back({"motor", JointSpringDescription{.joint = "crank", .force = 0.033}});
    return m;
  }
};

TEST(Loops, SqueezerReachesThePublishedPosition) {
  const Squeezer squeezer;
  Evaluation<double> e(testkit::compiled(squeezer.description()));
  EXPECT_EQ(e.m->freedoms, 1);
  const double h = 2e-6;
  for (int k = 0; k < 15000; ++k) ASSERT_EQ(advance(e, h), Status::ok) << k;
  const auto angle = [&](const char* joint) {
    for (std::size_t i = 0; i < e.m->q_names.size(); ++i)
      if (e.m->q_names[i] == joint) return e.q[i];
    return std::nan("");
  };
  EXPECT_NEAR(squeezer.beta + angle("crank"), 0.1581077119629904e2, 1e-6);
  EXPECT_NEAR(squeezer.theta + angle("O2"), -0.1575637105984298e2, 1e-6);
  EXPECT_NEAR(squeezer.gamma + angle("B"), 0.4082224013073101e-1, 1e-6);
  EXPECT_NEAR(squeezer.delta + angle("A5"), 0.5244099658805304, 1e-6);
  EXPECT_NEAR(squeezer.phi + angle("O4"), -0.5347301163226948, 1e-6);
  EXPECT_NEAR(squeezer.epsilon + angle("A7"), 0.1048080741042263e1, 1e-6);
  EXPECT_NEAR(squeezer.omega + angle("O6"), 0.5347301163226948, 1e-6);
}

TEST(Loops, DualJacobianIsThatOfDifferences) {
  const auto m = testkit::compiled(testkit::vehicle::description());
  Evaluation<double> e(m);
  Random random(13);
  for (double& v : e.v) v = random.number(-0.5, 0.5);
  ASSERT_EQ(e(), Status::ok);
  const std::vector<double> q = e.q, v = e.v;
  const auto check = [&](std::vector<double> Evaluation<double>::*x,
                         std::vector<Dual> Evaluation<Dual>::*dx, std::size_t i) {
    Evaluation<Dual> dual(m);
    dual.q.assign(q.begin(), q.end());
    dual.v.assign(v.begin(), v.end());
    (dual.*dx)[i] = Dual::variable(value_of((dual.*dx)[i]), 0);
    ASSERT_EQ(dual(), Status::ok);
    const double h = 1e-5;  // errors h^2 = 1e-10 and eps/h = 1e-11, times the size of things
    std::vector<double> slope(v.size(), 0.0);
    for (const double side : {1.0, -1.0}) {
      e.q = q;
      e.v = v;
      (e.*x)[i] += side * h;
      ASSERT_EQ(e(), Status::ok);
      for (std::size_t k = 0; k < slope.size(); ++k) slope[k] += side * e.vdot[k] / (2 * h);
    }
    for (std::size_t k = 0; k < slope.size(); ++k)
      EXPECT_NEAR(dual.vdot[k].b[0], slope[k], 1e-6 * std::max(100.0, std::fabs(slope[k])))
          << i << " " << k;
  };
  for (std::size_t i = 0; i < 6; ++i) check(&Evaluation<double>::v, &Evaluation<Dual>::v, i);
  for (std::size_t i = 4; i < 7; ++i) check(&Evaluation<double>::q, &Evaluation<Dual>::q, i);
  for (std::size_t k = 0; k < m->clusters.size(); ++k)
    for (const int local : m->choice[k].independent)
      for (const Link& link : m->links) {
        if (link.v != m->clusters[k].v + local || link.nv != 1) continue;
        check(&Evaluation<double>::v, &Evaluation<Dual>::v, static_cast<std::size_t>(link.v));
        check(&Evaluation<double>::q, &Evaluation<Dual>::q, static_cast<std::size_t>(link.q));
      }
}

TEST(Loops, EvaluationIsQuietAndLeavesNothingBehind) {
  for (const Loops form : {Loops::embedded, Loops::multipliers}) {
    Description d = testkit::vehicle::description();
    d.loops = form;
    Evaluation<double> e(testkit::compiled(d));
    e.v[3] = 15.0;
    e.drives[0] = {0.01, 0.02, 0.03};
    ASSERT_EQ(assemble(*e.m, e.q, e.drives, e.ws), true);
    project_rates(*e.m, e.v, e.drives, e.ws);
    ASSERT_EQ(e(), Status::ok);
    const std::vector<double> first = e.vdot, q = e.q, v = e.v;
    testkit::spoil(e.ws);
    const testkit::AllocationCounter heap;
    ASSERT_EQ(e(), Status::ok);
    if (form == Loops::embedded) choose(*e.m, e.ws, e.choice);
    EXPECT_EQ(heap.count(), 0);
    EXPECT_EQ(e.vdot, first);  // to the bit
    EXPECT_EQ(e.q, q);         // within tolerance: untouched
    EXPECT_EQ(e.ws.iterations, 0);
  }
}

TEST(Loops, ANewChoiceOfCoordinatesChangesNothing) {
  Evaluation<double> e(testkit::compiled(testkit::four_bar()));
  ASSERT_EQ(e(), Status::ok);
  const std::vector<double> before = e.vdot;
  for (int k = 0; k < 3; ++k) {  // each of the three angles may lead
    ClusterChoice& c = e.choice[0];
    c.independent = {k};
    c.dependent = {(k + 1) % 3, (k + 2) % 3};
    ASSERT_EQ(e(), Status::ok);
    for (std::size_t i = 0; i < before.size(); ++i)
      EXPECT_NEAR(e.vdot[i], before[i], 1e-10 * (1 + std::fabs(before[i])));
  }
}

// A crank from ground to the coupler holds the mechanism where it is.
TEST(Loops, MayHoldAMechanismWhereItIs) {
  Description d = testkit::four_bar();
  d.joints[0].initial_rate.clear();
  d.joints.push_back({.name = "prop",
                      .kind = JointKind::spherical_revolute,
                      .connects = {"coupler", "ground"},
                      .at = {0.5, 0, 0.55},
                      .second_at = {0.5, 0, 0.2},
                      .axis = {0, 1, 0}});
  Diagnostics diag;
  const auto held = compile(d, diag);
  ASSERT_TRUE(held) << diag.text();
  EXPECT_EQ(held->freedoms, 0);
  d.joints[0].initial = {2.0};
  EXPECT_FALSE(compile(d, diag));
  EXPECT_NE(diag.text().find("joint 'a' cannot start with initial 2: its loop comes as near as "),
            std::string::npos)
      << diag.text();
  d.joints[0].initial.clear();
  d.joints[0].initial_rate = {1.0};
  EXPECT_FALSE(compile(d, diag));
  EXPECT_NE(diag.text().find("joint 'a' cannot start with initial_rate 1"), std::string::npos);
}

// Cut joints of all kinds, every other mechanism with rods and massless links alone: energy stays,
// and bodies go where multipliers take them, which know no independent coordinates.
TEST(Loops, RandomMechanismsGoWhereMultipliersTakeThem) {
  constexpr double kStep = 0.5e-3, kUntil = 0.5;
  int compared = 0, chosen = 0;
  for (unsigned seed = 0; seed < 30; ++seed) {
    Random random(4000 + seed);
    Description d = testkit::random_tree(random, random.whole(3, 12), seed % 4 == 0);
    testkit::add_random_loops(d, random, random.whole(1, 4), seed % 2 == 0);
    Diagnostics diag;
    const auto m = compile(d, diag);
    if (!m || m->freedoms == 0 || m->clusters.empty()) continue;
    d.loops = Loops::multipliers;
    Evaluation<double> ours(m), other(testkit::compiled(d));
    ASSERT_EQ(ours.kinematics(), Status::ok);
    const double before = energy(ours);
    double drift = 0.0, kinetic = 1.0;
    for (int k = 0; k * kStep < kUntil; ++k) {
      ASSERT_EQ(testkit::rk4(ours, kStep), Status::ok) << seed;
      const Projection p = project(*ours.m, ours.choice, ours.q, ours.v, ours.drives, ours.ws);
      ASSERT_EQ(p.status, Status::ok) << seed;
      chosen += p.chosen ? 1 : 0;
      ASSERT_EQ(advance(other, kStep), Status::ok) << seed;
      kinetic = std::max(kinetic, kinetic_energy(*m, ours.ws));
      drift = std::max(drift, std::fabs(energy(ours) - before));
    }
    EXPECT_LT(drift, 1e-5 * kinetic) << seed;
    for (int b = 0; b < static_cast<int>(m->bodies.size()); ++b)
      EXPECT_LT(norm(pose(*m, BodyIndex{b}, ours.ws).p - pose(*other.m, BodyIndex{b}, other.ws).p),
                1e-4)
          << seed;
    ++compared;
  }
  EXPECT_GT(compared, 20);
  EXPECT_GT(chosen, 5);
}

}  // namespace
}  // namespace chicane::multibody::loops_test
