// SPDX-License-Identifier: Apache-2.0

// Energy changes by the power of what acts, to rounding: its derivative along the motion is taken
// with dual numbers. Random mechanisms with loops, drives, commands and every force element.

#include "multibody/dynamics/power.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "multibody/closure/gaps.hpp"
#include "multibody/dynamics/mass_matrix.hpp"
#include "testkit/mechanisms.hpp"

namespace power_test {
namespace {

using namespace chicane;
using namespace chicane::multibody;
using testkit::Random;

const std::string& any_body(const Description& d, Random& random) {
  return d.bodies[static_cast<std::size_t>(random.whole(0, static_cast<int>(d.bodies.size()) - 1))]
      .name;
}

std::array<Vec3<double>, 2> points(Random& random) {
  return {random.vector(1.0), random.vector(1.0) + Vec3<double>{3.0, 0.0, 0.0}};
}

// Each between bodies, and on every joint that can have one.
void add_forces(Description& d, Random& random) {
  const auto two = [&]() -> std::array<std::string, 2> {
    return {std::string(kGround), any_body(d, random)};
  };
  TsdaDescription tsda{.connects = two(),
                       .points = points(random),
                       .stiffness = 90.0,
                       .damping = 4.0,
                       .free_length = 0.8,
                       .force = 7.0,
                       .spring = Curve({3.0, 5.0}),
                       .damper = Curve({0.5, 0.1})};
  d.forces.push_back({"tsda", tsda, "1"});
  d.forces.push_back(
      {"stop", BumpStopDescription{two(), points(random), 6.0, false, {80.0, 0.1, {}}}});
  BushingDescription bushing{.connects = two(), .at = random.vector(0.3)};
  for (std::size_t i = 0; i < 6; ++i) bushing.stiffness[i][i] = 20.0, bushing.damping[i][i] = 2.0;
  d.forces.push_back({"bushing", bushing});
  LeafSpringDescription leaf{bushing, {40.0, 1.0, -30.0}, {5.0, 0.01}};
  leaf.bushing.connects = two();
  d.forces.push_back({"leaf", leaf});
  if (d.bodies.size() > 2)
    d.forces.push_back(
        {"bar", AntiRollBarDescription{{d.bodies[0].name, d.bodies[1].name, d.bodies[2].name},
                                       points(random),
                                       {0, 0, 1},
                                       25.0,
                                       3.0}});
  d.forces.push_back({"push", WrenchDescription{any_body(d, random), random.vector(1.0),
                                                random.vector(9.0), random.vector(9.0)}});
  d.forces.push_back({"jet", WrenchDescription{any_body(d, random), random.vector(1.0),
                                               random.vector(9.0), random.vector(9.0), true}});
  d.forces.push_back({"told",
                      WrenchDescription{any_body(d, random), random.vector(1.0), random.vector(9.0),
                                        random.vector(9.0)},
                      "1"});
  for (const JointDescription& j : d.joints) {
    if (j.driven || (j.kind != JointKind::revolute && j.kind != JointKind::cylindrical)) continue;
    d.forces.push_back({j.name + "_spring",
                        JointSpringDescription{j.name, 12.0, 2.0, 0.1, 3.0, Curve({1.0, 0.0, 9.0})},
                        "1"});
  }
}

// Joints that are driven or carry friction and limits, as far as the description allows it.
std::shared_ptr<const Mechanism> random_mechanism(unsigned seed) {
  Random random(seed);
  Description d = testkit::random_tree(random, random.whole(2, 7), seed % 5 == 0);
  if (seed % 2 == 0) testkit::add_random_loops(d, random, random.whole(1, 2));
  if (seed % 3 == 0)
    for (JointDescription& j : d.joints)
      if (j.kind == JointKind::revolute || j.kind == JointKind::translational) {
        j.driven = true;
        break;
      }
  add_forces(d, random);
  Diagnostics diag;
  return compile(d, diag);
}

struct Moved {
  testkit::Evaluation<double> e;
  std::vector<double> command, z, zdot;

  explicit Moved(std::shared_ptr<const Mechanism> m, Random& random)
      : e(std::move(m)),
        command(e.m->commands.size()),
        z(e.m->force_states.size()),
        zdot(z.size()) {
    for (double& v : e.v) v += random.number(-1.0, 1.0);
    for (double& c : command) c = random.number(-5.0, 5.0);
    for (double& f : z) f = random.number(-0.9, 0.9);
    for (auto& d : e.drives)
      d = {random.number(-0.1, 0.1), random.number(-1, 1), random.number(-1, 1)};
  }
  Status operator()() {
    if (const Status s = e.kinematics(); s != Status::ok) return s;
    apply_forces<double>(*e.m, e.ws, {command, z});
    const Status s = accelerations<double>(*e.m, e.choice, e.ws, e.vdot);
    coordinate_rates<double>(*e.m, e.q, e.v, e.qdot);
    force_rates<double>(*e.m, e.ws, z, zdot);
    return s;
  }
};

// Each number with its derivative in time as its first direction.
Dual going(double x, double dx) {
  Dual d(x);
  d.b[0] = dx;
  return d;
}
std::vector<Dual> going(const std::vector<double>& x, const std::vector<double>& dx) {
  std::vector<Dual> list;
  for (std::size_t i = 0; i < x.size(); ++i) list.push_back(going(x[i], dx[i]));
  return list;
}

TEST(Power, IsTheRateOfTheEnergy) {
  int loops = 0, drives = 0, seen = 0;
  for (unsigned seed = 1; seed <= 60; ++seed) {
    const auto m = random_mechanism(seed);
    if (!m) continue;
    Random random(seed + 1000);
    Moved now(m, random);
    if (now() != Status::ok) continue;
    ++seen;
    loops += m->clusters.empty() ? 0 : 1;
    drives += m->drives.empty() ? 0 : 1;

    testkit::Evaluation<Dual> next(m);
    next.q = going(now.e.q, now.e.qdot);
    next.v = going(now.e.v, now.e.vdot);
    for (std::size_t i = 0; i < next.drives.size(); ++i) {
      const Drive<double>& d = now.e.drives[i];
      next.drives[i] = {going(d.q, d.v), going(d.v, d.a), Dual(d.a)};
    }
    const std::vector<Dual> z = going(now.z, now.zdot);
    ASSERT_EQ(next.kinematics(), Status::ok) << seed;

    const double applied = applied_power(*m, now.e.ws), drive = drive_power(*m, now.e.ws);
    const MotionEnergy<Dual> E = motion_energy(*m, next.ws);
    const double rate = E.kinetic.b[0] + E.potential.b[0];
    const double size = std::fabs(applied) + std::fabs(drive) + std::fabs(E.kinetic.b[0]) +
                        std::fabs(E.potential.b[0]) + 1.0;
    EXPECT_NEAR(rate, applied + drive, 1e-8 * size) << seed;
    EXPECT_NEAR(E.kinetic.a, kinetic_energy(*m, now.e.ws), 1e-12 * (1.0 + E.kinetic.a)) << seed;

    const double outside = outside_power<double>(*m, outside_elements(*m), now.e.ws,
                                                 {now.command, now.z}),
                 lost = dissipated_power<double>(*m, now.e.ws, now.z);
    const Dual total = kinetic_energy(*m, next.ws) + potential_energy<Dual>(*m, next.ws, z);
    EXPECT_NEAR(total.b[0], outside + drive - lost, 1e-8 * (size + std::fabs(outside) + lost))
        << seed;
  }
  EXPECT_GT(seen, 45);
  EXPECT_GT(loops, 12);
  EXPECT_GT(drives, 8);
}

// What a gap opens by is the derivative of the gap.
TEST(LoopGaps, RatesAreTheDerivativesOfThePositions) {
  int seen = 0;
  for (unsigned seed = 1; seed <= 40; ++seed) {
    Random random(seed);
    Description d = testkit::random_tree(random, random.whole(3, 7), false);
    testkit::add_random_loops(d, random, 1);
    Diagnostics diag;
    const auto m = compile(d, diag);
    if (!m || m->clusters.empty()) continue;
    testkit::Evaluation<double> e(m);
    ASSERT_EQ(e(), Status::ok);
    const LoopGaps closed = worst_gaps(*m, e.ws);
    if (!closed.open.valid()) continue;  // loops that hold nothing
    ++seen;
    EXPECT_LT(closed.position, 1e-9) << seed;
    EXPECT_LT(closed.rate, 1e-8) << seed;

    // Links torn off their joints: each where its velocity takes it in a moment.
    constexpr double h = 1e-6;
    for (LinkMotion<double>& link : e.ws.motion) link.V = {random.vector(1.0), random.vector(1.0)};
    e.ws.motion[0].V = {};
    const LoopGaps before = worst_gaps(*m, e.ws);
    for (LinkMotion<double>& link : e.ws.motion) {
      link.p += h * link.V.linear;
      for (Vec3<double>* axis : {&link.R.x, &link.R.y, &link.R.z})
        *axis += h * cross(link.V.angular, *axis);
    }
    EXPECT_NEAR(worst_gaps(*m, e.ws).position, h * before.rate, 1e-4 * h * (1 + before.rate))
        << seed;
  }
  EXPECT_GT(seen, 20);
}

}  // namespace
}  // namespace power_test
