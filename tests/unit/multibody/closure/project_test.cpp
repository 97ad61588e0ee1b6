// SPDX-License-Identifier: Apache-2.0
#include "multibody/closure/project.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "multibody/dynamics/mass_matrix.hpp"
#include "testkit/allocation_counter.hpp"
#include "testkit/mechanisms.hpp"
#include "testkit/vehicle.hpp"

namespace chicane::multibody::project_test {
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
  EXPECT_EQ(e.ws.multiplier_evaluations + e.ws.bridged_evaluations, 0);  // none is singular
  EXPECT_NEAR(energy(e), before, 1e-8 * before);  // rk4: some (4 rad/s 1 ms)^4 over 5 s
}

TEST(Project, SaysThatALoopCannotClose) {
  // The rocker, far from where any coupler could reach it.
  Evaluation<double> e(testkit::compiled(testkit::four_bar()));
  for (double& q : e.q) q += 2.0;
  EXPECT_NE(project(e).status, Status::ok);
}

// The windows as what they are while none folds: one pendulum, with n + 1 posts that turn and n
// beams that go with them. Its angle after some time.
double angle_of_pendulum(int n, double time) {
  const double inertia = (n + 1) / 3.0 + n, k = 9.81 * ((n + 1) / 2.0 + n) / inertia;
  double q = 0.0, v = -1.0;
  const int steps = static_cast<int>(std::lround(time / 1e-4));
  const double h = time / steps;
  const auto a = [k](double angle) { return k * std::sin(angle); };
  for (int i = 0; i < steps; ++i) {
    const double k1 = v, l1 = a(q), k2 = v + h / 2 * l1, l2 = a(q + h / 2 * k1),
                 k3 = v + h / 2 * l2, l3 = a(q + h / 2 * k2), k4 = v + h * l3, l4 = a(q + h * k3);
    q += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
    v += h / 6 * (l1 + 2 * l2 + 2 * l3 + l4);
  }
  return q;
}

// Twice a turn all rods lie in one line: the loops lose as many rows as there are windows. The
// benchmark asks for an error of energy below 0.1 J; `joule` is what the method leaves and
// rounding, magnified there.
void expect_passage(int n, Loops form, double h, double until, double joule, double angle) {
  Evaluation<double> e(testkit::compiled(testkit::windows(n, form)));
  EXPECT_EQ(e.m->freedoms, 1);
  ASSERT_EQ(e.kinematics(), Status::ok);
  const double before = energy(e);
  const int steps = static_cast<int>(std::lround(until / h));
  double drift = 0.0, open = 0.0, tilt = 0.0;
  for (int k = 0; k < steps; ++k) {
    ASSERT_EQ(advance(e, h), Status::ok) << k;
    drift = std::max(drift, std::fabs(energy(e) - before));
    open = std::max(open, loop_error(e));
    for (int b = 0; b < n; ++b)
      tilt = std::max(tilt, std::fabs(pose(*e.m, BodyIndex{n + 1 + b}, e.ws).R.x.y));
  }
  EXPECT_LT(e.q[0], -2 * 3.1415 * std::floor(until / 2.5));  // it went round
  EXPECT_LT(drift, joule);
  EXPECT_LT(open, 1e-9);
  EXPECT_LT(tilt, 1e-6);  // the beams stay level: no window folded
  EXPECT_NEAR(e.q[0], angle_of_pendulum(n, until), angle);
  if (form == Loops::embedded) {
    EXPECT_EQ(e.ws.multiplier_evaluations, 0);
    // At 1 ms some evaluation of every passage comes near enough.
    if (h <= 1e-3) {
      EXPECT_GE(e.ws.bridged_evaluations, static_cast<long>(until));
    }
  }
}
TEST(Project, TwoWindowsGoThroughSingularPositions) {
  expect_passage(2, Loops::embedded, 1e-3, 10.0, 1e-7, 1e-7);
  expect_passage(2, Loops::multipliers, 1e-3, 10.0, 1e-4, 1e-3);
}
TEST(Project, TenWindowsGoThroughSingularPositionsAtAnyStep) {
  for (const double h : {2e-3, 1e-3, 0.5e-3})
    expect_passage(10, Loops::embedded, h, 2.0, 1e-5, 1e-6);
}
TEST(Project, FortyWindowsGoThroughSingularPositions) {
  expect_passage(40, Loops::embedded, 10e-3, 10.0, 1e-3, 1e-3);
}

// A start in the very position, where the rates alone say which way it goes.
TEST(Project, EvaluatesInASingularPosition) {
  Evaluation<double> e(testkit::compiled(testkit::windows(3, Loops::embedded)));
  const double turn = -std::acos(0.0);
  for (std::size_t k = 0; k < e.q.size(); ++k) {
    e.q[k] = turn * e.m->v[k] / e.m->v[0];  // all turn together: posts one way, beams against it
    e.v[k] = -4.0 * e.m->v[k] / e.m->v[0];
  }
  ASSERT_EQ(e(), Status::ok);
  EXPECT_EQ(e.ws.bridged_evaluations, 1);
  const double k = 9.81 * (4 / 2.0 + 3) / (4 / 3.0 + 3);  // the pendulum's k sin(turn)
  for (std::size_t i = 0; i < e.q.size(); ++i)
    EXPECT_NEAR(e.vdot[i], -k * e.m->v[i] / e.m->v[0], 1e-8 * k) << e.m->v_names[i];
}

// --- loops of one or two rows -------------------------------------------------------------------

// A crank and a piston, joined by a rod without mass; the piston turns back twice in a turn.
Description crank_and_piston() {
  Description d;
  d.gravity = {0, 0, -9.81};
  d.bodies.push_back({"crank", 5.0, {0, 0, 0.1}, {0.3, 0.4, 0.3, 0, 0, 0}});
  d.bodies.push_back({"piston", 0.5, {0.4, 0, 0}, {5e-4, 4e-4, 4e-4, 0, 0, 0}});
  d.joints.push_back({.name = "main",
                      .kind = JointKind::revolute,
                      .connects = {"ground", "crank"},
                      .axis = {0, 1, 0},
                      .initial_rate = {10.0}});
  d.joints.push_back({.name = "bore",
                      .kind = JointKind::translational,
                      .connects = {"ground", "piston"},
                      .at = {0.4, 0, 0},
                      .axis = {1, 0, 0}});
  d.joints.push_back({.name = "rod",
                      .kind = JointKind::spherical_spherical,
                      .connects = {"crank", "piston"},
                      .at = {0, 0, 0.3},
                      .second_at = {0.4, 0, 0}});
  return d;
}

// A body that is held by nothing but a link with a ball and a hinge.
Description body_on_a_link() {
  Description d;
  d.gravity = {0, 0, -9.81};
  d.bodies.push_back({"body", 2.0, {0.3, 0.1, 0.2}, {0.05, 0.04, 0.06, 0, 0, 0}});
  d.joints.push_back({.name = "nothing", .kind = JointKind::free, .connects = {"ground", "body"}});
  d.joints.push_back({.name = "link",
                      .kind = JointKind::spherical_revolute,
                      .connects = {"body", "ground"},
                      .at = {0.4, 0.3, 0},
                      .second_at = {0.8, 0.6, 0.3},
                      .axis = {0, 1, 0.5}});
  return d;
}

double largest_drift(Evaluation<double>& e, double h, double until, int& chosen) {
  EXPECT_EQ(e.kinematics(), Status::ok);
  const double before = energy(e);
  double drift = 0.0, kinetic = 0.0;
  for (int k = 0; k * h < until; ++k) {
    if (testkit::rk4(e, h) != Status::ok) return 1e300;
    const Projection p = project(e);
    if (p.status != Status::ok) return 1e300;
    chosen += p.chosen ? 1 : 0;
    kinetic = std::max(kinetic, kinetic_energy(*e.m, e.ws));
    drift = std::max(drift, std::fabs(energy(e) - before));
  }
  return drift / kinetic;
}

TEST(Project, RodsGoThroughDeadCentres) {
  Evaluation<double> e(testkit::compiled(crank_and_piston()));
  ASSERT_EQ(e.choice[0].rows.size(), 1u);
  std::swap(e.choice[0].independent, e.choice[0].dependent);  // the piston leads at first
  int chosen = 0;
  EXPECT_LT(largest_drift(e, 0.5e-3, 2.0, chosen), 1e-7);
  EXPECT_GT(chosen, 0);
  EXPECT_GT(std::max(std::fabs(e.q[0]), std::fabs(e.q[1])), 2 * 3.15);  // round and round
}

TEST(Project, LinksOfTwoRowsKeepTheirEnergy) {
  Evaluation<double> e(testkit::compiled(body_on_a_link()));
  const double rates[] = {1.0, 3.0, -2.0, 0.0, 0.0, 0.0};  // what the link leaves of them
  std::copy(std::begin(rates), std::end(rates), e.v.begin());
  ASSERT_EQ(project(e).status, Status::ok);
  int chosen = 0;
  EXPECT_LT(largest_drift(e, 1e-3, 5.0, chosen), 1e-6);
  EXPECT_GT(chosen, 0);
}

// --- branches that nearly meet ------------------------------------------------------------------

// Three rods on a base of 1 m, nearly a rhombus: when they lie flat the branch of the parallelogram
// and that of the kite come near each other, and the motion turns from one into the other.
Description near_rhombus(double longer) {
  const double angle = 1.2, coupler = 1.0 + longer;
  const Vec3<double> B{std::cos(angle), 0, std::sin(angle)}, D{1, 0, 0}, BD = D - B;
  const double d = norm(BD), along = (coupler * coupler - 1.0 + d * d) / (2 * d),
               aside = std::sqrt(coupler * coupler - along * along);
  const Vec3<double> u = (1.0 / d) * BD, C = B + along * u + aside * Vec3<double>{-u.z, 0, u.x};
  Description m;
  m.gravity = {0, 0, -9.81};
  const auto rod = [&](const char* name, const Vec3<double>& p, const Vec3<double>& q) {
    const double J = dot(q - p, q - p) / 12;
    m.bodies.push_back({name, 1.0, 0.5 * (p + q), {J, J, J, 0, 0, 0}});
  };
  const auto hinge = [&](const char* name, const char* a, const char* b, const Vec3<double>& p) {
    m.joints.push_back({.name = name,
                        .kind = JointKind::revolute,
                        .connects = {a, b},
                        .at = p,
                        .axis = {0, 1, 0}});
  };
  rod("crank", {0, 0, 0}, B), rod("coupler", B, C), rod("rocker", C, D);
  hinge("A", "ground", "crank", {0, 0, 0});
  m.joints.back().initial_rate = {-6.0};
  hinge("B", "crank", "coupler", B), hinge("C", "coupler", "rocker", C);
  hinge("D", "ground", "rocker", D);
  return m;
}

struct Passage {
  double drift = 0.0;  // of the energy, over the largest kinetic
  int held = 0;        // steps
  bool ended = false;
};

// As a block does: what is found at the start of a step holds from the next one on.
Passage pass(Evaluation<double>& e, double h, double until) {
  Passage result;
  double before = 0.0, kinetic = 0.0;
  const int steps = static_cast<int>(std::lround(until / h));
  for (int k = 0; k <= steps; ++k) {
    Choice next = e.choice;
    if (multibody::project(*e.m, next, e.q, e.v, e.drives, e.ws, h).status != Status::ok)
      return result;
    if (k == 0) before = energy(e);
    kinetic = std::max(kinetic, kinetic_energy(*e.m, e.ws));
    result.drift = std::max(result.drift, std::fabs(energy(e) - before) / kinetic);
    if (e() != Status::ok) return result;
    hold_where_fast(*e.m, next, e.ws, h);
    result.held += e.choice[0].held ? 1 : 0;
    if (k == steps) break;
    if (testkit::rk4(e, h) != Status::ok) return result;
    e.choice = next;
  }
  result.ended = true;
  return result;
}

// The turn's radius is about the root of the excess: 0.05 and 0.03 rad, of which a step of 1 ms is
// a tenth and a fifth. Led by a coordinate these lose 1e-4 and 1e-3.
TEST(Project, HoldsLoopsWhereTheirBranchesNearlyMeet) {
  const auto lost = [](double longer, double h) {
    Evaluation<double> e(testkit::compiled(near_rhombus(longer)));
    const Passage p = pass(e, h, 5.0);
    EXPECT_TRUE(p.ended);
    EXPECT_GT(p.held, 0);
    EXPECT_LT(p.held * h, 2.5);              // and lets them go
    EXPECT_EQ(e.ws.bridged_evaluations, 0);  // over a turn there is no bridge
    EXPECT_LT(loop_error(e), kLoopTolerance);
    return p.drift;
  };
  const double at_1ms = lost(0.003, 1e-3);
  EXPECT_LT(at_1ms, 2e-5);
  EXPECT_LT(lost(0.003, 0.5e-3), at_1ms / 10);  // rk4: 16 times, and 32 for energy
  EXPECT_LT(lost(0.001, 1e-3), 2e-4);
}

// Where the gap is too small for a step to see, the evaluations in it are of one branch or the
// other, but not of a bridge from one to the other.
TEST(Project, CrossesNoBridgeWhereBranchesTurnAway) {
  long multipliers = 0;
  for (const double longer : {1e-4, 5e-5, 2e-5, 1e-5}) {
    Evaluation<double> e(testkit::compiled(near_rhombus(longer)));
    for (int k = 0; k < 2000 && advance(e, 1e-3) == Status::ok; ++k) {
    }
    EXPECT_EQ(e.ws.bridged_evaluations, 0) << longer;
    multipliers += e.ws.multiplier_evaluations;
  }
  EXPECT_GT(multipliers, 0);
}

// It is the step that decides; where that is not known nothing is held.
TEST(Project, HoldsNothingThatTurnsSlowlyBesideTheStep) {
  Evaluation<double> fine(testkit::compiled(near_rhombus(0.1)));
  EXPECT_EQ(pass(fine, 0.1e-3, 0.5).held, 0);
  Evaluation<double> e(testkit::compiled(near_rhombus(0.1)));
  Choice next = e.choice;
  ASSERT_EQ(e(), Status::ok);
  EXPECT_FALSE(hold_where_fast(*e.m, next, e.ws, 0.0));
  EXPECT_TRUE(hold_where_fast(*e.m, next, e.ws, 1.0));
  EXPECT_TRUE(next[0].held);
}

// Held or led, accelerations are the same.
TEST(Project, HeldLoopsMoveAsOthers) {
  Evaluation<double> led(testkit::compiled(near_rhombus(0.1))), held(led.m);
  held.choice[0].held = true;
  ASSERT_EQ(led(), Status::ok);
  ASSERT_EQ(held(), Status::ok);
  EXPECT_EQ(held.ws.multiplier_evaluations, 1);
  EXPECT_NEAR(held.ws.loops[0].conditioning, led.ws.loops[0].conditioning, 1e-12);
  for (std::size_t i = 0; i < led.vdot.size(); ++i)
    EXPECT_NEAR(held.vdot[i], led.vdot[i], 1e-10 * std::fabs(led.vdot[0]));
}

// What the loops do not allow of the rates they take away with an impulse of theirs, which does no
// work on the motion that is left.
TEST(Project, TakesRatesAwayAsAnImpulseOfTheLoopsWould) {
  for (Description d : {testkit::four_bar(), testkit::bricard(), body_on_a_link()}) {
    d.loops = Loops::multipliers;
    Evaluation<double> e(testkit::compiled(d));
    Random random(8);
    for (double& v : e.v) v += random.number(-1, 1);
    const std::vector<double> given = e.v;
    ASSERT_EQ(project(e).status, Status::ok);
    const std::size_t n = e.v.size();
    std::vector<double> M(n * n);
    mass_matrix<double>(*e.m, e.ws, M);
    double work = 0.0, energy = 0.0, taken = 0.0;
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) {
        const double mass = M[i * n + j];
        work += e.v[i] * mass * (e.v[j] - given[j]);
        energy += given[i] * mass * given[j];
        taken += (e.v[i] - given[i]) * mass * (e.v[j] - given[j]);
      }
    EXPECT_GT(taken, 1e-2 * energy);
    EXPECT_LT(std::fabs(work), 1e-12 * energy);
  }
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
}  // namespace chicane::multibody::project_test
