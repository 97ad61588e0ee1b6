#include "multibody/closure/project.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "multibody/dynamics/mass_matrix.hpp"
#include "testkit/allocation_counter.hpp"
#include "testkit/mechanisms.hpp"
#include "testkit/vehicle.hpp"

namespace chicane::multibody {
namespace {

using testkit::energy;
using testkit::Evaluation;
using testkit::loop_error;
using testkit::Random;

Projection project(Evaluation<double>& e) {
  return multibody::project(*e.m, e.choice, e.q, e.v, e.drives, e.ws);
}

Status advance(Evaluation<double>& e, double h) {
  if (const Status s = testkit::rk4(e, h); s != Status::ok) return s;
  return project(e).status;
}

TEST(Project, BringsEverythingBackAndThenLeavesItAlone) {
  for (const Loops form : {Loops::embedded, Loops::multipliers}) {
    Description d = testkit::vehicle::description();
    d.loops = form;
    Evaluation<double> e(testkit::compiled(d));
    e.drives[0] = {0.01, 0.2, 0.0};
    Random random(31);
    for (double& q : e.q) q += random.number(-1e-3, 1e-3);  // quaternions and loops
    for (double& v : e.v) v += random.number(-1, 1);
    const Projection first = project(e);
    ASSERT_EQ(first.status, Status::ok);
    EXPECT_TRUE(first.changed);
    EXPECT_GT(first.iterations, 0);
    EXPECT_LT(loop_error(e), 2 * kLoopTolerance);
    EXPECT_NEAR(e.q[0] * e.q[0] + e.q[1] * e.q[1] + e.q[2] * e.q[2] + e.q[3] * e.q[3], 1, 1e-14);
    // Another formulation sees positions closed and rates consistent.
    auto states = testkit::body_states(*e.m, e.ws);
    auto& chassis = states.at("chassis");
    const Vec3<double> r = chassis.X.R * d.bodies[0].com;
    chassis = {{chassis.X.R, chassis.X.p + r}, at_point(chassis.V, r)};
    const auto other = testkit::cartesian_accelerations(d, states, {{"rack", {0.01, 0.2, 0.0}}});
    EXPECT_LT(other.position_error, 1e-9);
    EXPECT_LT(other.rate_error, 1e-9);

    const std::vector<double> q = e.q, v = e.v;
    testkit::spoil(e.ws);
    const testkit::AllocationCounter heap;
    const Projection second = project(e);
    EXPECT_EQ(heap.count(), 0);
    EXPECT_FALSE(second.changed);
    EXPECT_EQ(second.iterations, 0);
    EXPECT_EQ(e.q, q);
    for (std::size_t i = 0; i < v.size(); ++i) EXPECT_NEAR(e.v[i], v[i], 1e-13) << i;
  }
}

TEST(Project, ChoosesOtherCoordinatesBeforeTheOldOnesFail) {
  // The crank turns and the rocker swings: led by the rocker, it would stop at the first dead
  // centre.
  Description d = testkit::four_bar();
  d.gravity = {};
  Evaluation<double> e(testkit::compiled(d));
  const auto rate = [&](const char* joint) {
    const auto& names = e.m->v_names;
    return static_cast<int>(std::find(names.begin(), names.end(), joint) - names.begin());
  };
  const int rocker = rate("d"), crank = rate("a");
  e.choice[0].independent = {rocker};
  e.choice[0].dependent.clear();
  for (int k = 0; k < 3; ++k)
    if (k != rocker) e.choice[0].dependent.push_back(k);
  ASSERT_EQ(e.kinematics(), Status::ok);
  const double before = energy(e);
  int chosen = 0;
  for (int k = 0; k < 5000; ++k) {
    ASSERT_EQ(testkit::rk4(e, 1e-3), Status::ok) << k;
    const Projection p = project(e);
    ASSERT_EQ(p.status, Status::ok) << k;
    chosen += p.chosen ? 1 : 0;
  }
  EXPECT_GT(std::fabs(e.q[static_cast<std::size_t>(crank)]), 2 * 3.15);  // round and round
  EXPECT_GT(chosen, 0);
  EXPECT_EQ(e.ws.multiplier_evaluations, 0);      // no position of it is singular
  EXPECT_NEAR(energy(e), before, 1e-8 * before);  // rk4: some (4 rad/s 1 ms)^4 over 5 s
}

TEST(Project, SaysThatALoopCannotClose) {
  // The rocker, far from where any coupler could reach it.
  Evaluation<double> e(testkit::compiled(testkit::four_bar()));
  for (double& q : e.q) q += 2.0;
  EXPECT_NE(project(e).status, Status::ok);
}

// Twice a turn all rods lie in one line: the loops lose as many rows as there are windows. The
// benchmark asks for an error of energy below 0.1 J; `joule` is what rounding, magnified there,
// leaves.
void expect_passage(int n, Loops form, double h, double joule) {
  Evaluation<double> e(testkit::compiled(testkit::windows(n, form)));
  EXPECT_EQ(e.m->freedoms, 1);
  ASSERT_EQ(e.kinematics(), Status::ok);
  const double before = energy(e);
  double drift = 0.0, open = 0.0, tilt = 0.0;
  for (int k = 0; k * h < 10.0; ++k) {  // 5 turns, 10 singular positions
    ASSERT_EQ(advance(e, h), Status::ok) << k;
    drift = std::max(drift, std::fabs(energy(e) - before));
    open = std::max(open, loop_error(e));
    for (int b = 0; b < n; ++b)
      tilt = std::max(tilt, std::fabs(pose(*e.m, BodyIndex{n + 1 + b}, e.ws).R.x.y));
  }
  EXPECT_LT(e.q[0], -5 * 2 * 3.1415);  // it went round
  EXPECT_LT(drift, joule);
  EXPECT_LT(open, 1e-9);
  EXPECT_LT(tilt, 1e-6);  // the beams stay level: no window folded
  // At 1 ms some evaluation of every passage comes near enough; so does none of well posed loops.
  if (form == Loops::embedded && h <= 1e-3) {
    EXPECT_GE(e.ws.multiplier_evaluations, 10);
  }
}
TEST(Project, TwoWindowsGoThroughSingularPositions) {
  expect_passage(2, Loops::embedded, 1e-3, 1e-4);
  expect_passage(2, Loops::multipliers, 1e-3, 1e-4);
}
TEST(Project, FortyWindowsGoThroughSingularPositions) {
  expect_passage(40, Loops::embedded, 10e-3, 1e-3);
}

TEST(Project, BricardMovesWithOneFreedomAndNamesTheRedundantJoint) {
  for (const Loops form : {Loops::embedded, Loops::multipliers}) {
    Description d = testkit::bricard();
    d.loops = form;
    Evaluation<double> e(testkit::compiled(d));
    EXPECT_EQ(e.m->topology.freedoms(), 0);
    EXPECT_EQ(e.m->freedoms, 1);
    ASSERT_EQ(e.m->redundant.size(), 1u);
    const JointIndex cut = e.m->topology.cuts[0].joint;
    EXPECT_EQ(e.m->redundant[0].joint, e.m->joint_names[static_cast<std::size_t>(cut.value)]);
    ASSERT_EQ(e.kinematics(), Status::ok);
    const double before = energy(e);
    double moving = 0.0, drift = 0.0, open = 0.0;
    for (int k = 0; k < 20000; ++k) {  // 10 s
      ASSERT_EQ(advance(e, 0.5e-3), Status::ok) << k;
      moving = std::max(moving, kinetic_energy(*e.m, e.ws));
      drift = std::max(drift, std::fabs(energy(e) - before));
      open = std::max(open, loop_error(e));
    }
    EXPECT_GT(moving, 1.0);
    EXPECT_LT(drift, 1e-8 * 5 * 9.81);  // of five rods 1 m high; rk4 leaves a third of that
    EXPECT_LT(open, 1e-9);
  }
}

}  // namespace
}  // namespace chicane::multibody
