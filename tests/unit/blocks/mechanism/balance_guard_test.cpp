// SPDX-License-Identifier: Apache-2.0
#include "blocks/mechanism/balance_guard.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "blocks/mechanism/power_balance.hpp"
#include "testkit/allocation_counter.hpp"
#include "testkit/models.hpp"
#include "testkit/recorder.hpp"

namespace balance_guard_test {
namespace {

using namespace chicane;
using testkit::compiled;
using testkit::compiled_builtin;
using testkit::plan;

struct Watched {
  Simulation s;
  std::unique_ptr<Guard> guard;

  Watched(std::shared_ptr<const ModelStructure> structure, const Plan& how)
      : s(std::move(structure), how), guard(make_balance_guard(s)) {}
  void advance(int frames) {
    for (int i = 0; i < frames; ++i) ASSERT_EQ(s.step(guard.get()), Status::ok) << s.time();
  }
  std::vector<RunWarning> end() {
    guard->at_end(s);
    return guard->take_findings();
  }
};

TEST(BalanceGuard, IsQuietWhereTheStepIsGood) {
  for (const auto& [model, step] : {std::pair{"pendulum", 1e-3},
                                    {"double-pendulum", 5e-4},
                                    {"four-bar", 2.5e-4},
                                    {"slider-crank", 2e-5},
                                    {"heavy-top", 5e-5},
                                    {"double-wishbone", 5e-4}}) {
    Watched w(compiled_builtin(model), plan("ab3", step));
    w.advance(4000);
    for (const RunWarning& found : w.end()) ADD_FAILURE() << model << ": " << found.text;
  }
}

TEST(BalanceGuard, SpeaksOfAStepThatLosesTheEnergy) {
  for (const auto& [method, step] : {std::pair{"euler", 1e-3}, {"ab3", 0.03}, {"rk4", 0.2}}) {
    Watched w(compiled_builtin("pendulum"), plan(method, step));
    w.advance(static_cast<int>(20.0 / step));
    const auto found = w.end();
    ASSERT_FALSE(found.empty()) << method;
    EXPECT_TRUE(found[0].time);
    EXPECT_NE(found[0].text.find("smaller step"), std::string::npos);
    EXPECT_EQ(found[0].signal, "energy.total");
  }
}

// Somebody pushes the bodies between two frames, so that loops stay closed and rates fit.
TEST(BalanceGuard, SpeaksOfEnergyThatComesFromNowhere) {
  for (const char* model : {"pendulum", "four-bar"}) {
    Watched w(compiled_builtin(model), plan("rk4", 1e-3));
    w.advance(700);
    std::vector<double> x = w.s.continuous();
    const double before = w.s.time();
    for (std::size_t i = x.size() / 2; i < x.size(); ++i) x[i] *= 1.005;  // rates
    w.s.set_continuous(x);
    w.advance(700);
    const auto found = w.end();
    ASSERT_EQ(found.size(), 1u) << model;
    ASSERT_TRUE(found[0].time);
    EXPECT_NEAR(*found[0].time, before, 0.017) << found[0].text;
    EXPECT_NE(found[0].text.find("jumps"), std::string::npos) << found[0].text;
  }
}

// A ball that bounces: the event takes energy away, and says so itself.
TEST(BalanceGuard, LetsEventsSetStates) {
  Watched w(compiled(R"(
format: chicane/1
parameters:
  bodies: {ball: {mass: 2 kg, com: [0, 0, 0, m]}}
  joints: {rail: {at: [0, 0, 0, m], axis: [0, 0, 1], initial: 1 m}}
topology:
  bodies: [ball]
  joints: {rail: {type: translational, connects: [ground, ball]}}
events:
  bounce:
    when: rail.displacement < 0 and rail.displacement_rate < 0
    repeat: each-time
    do: [{set: {rail.displacement_rate: -0.8*rail.displacement_rate}}]
)"),
            plan("rk4", 1e-3));
  w.advance(3000);
  EXPECT_GT(w.s.state().events[EventIndex{0}].fired, 3);
  for (const RunWarning& found : w.end()) ADD_FAILURE() << found.text;
}

// Power that comes in by commands and drives is part of the balance.
TEST(BalanceGuard, CountsCommandsAndDrives) {
  Watched w(compiled(R"(
format: chicane/1
parameters:
  w: {value: 3 rad/s}
  tau: {value: 3 N m}
  bodies:
    crank: {mass: 2 kg, com: [0.3, 0, 0, m], inertia: {diagonal: [0.1, 0.1, 0.1, kg m^2]}}
    arm: {mass: 1 kg, com: [0.9, 0, 0, m], inertia: {diagonal: [0.1, 0.1, 0.1, kg m^2]}}
  joints:
    motor: {at: [0, 0, 0, m], axis: [0, 1, 0], motion: [sin(w*t), w*cos(w*t), -w^2*sin(w*t)]}
    elbow: {at: [0.6, 0, 0, m], axis: [0, 1, 0]}
  forces:
    servo: {damping: 0.4 N m s/rad, command: tau*sin(w*t)}
    jet: {at: [1.2, 0, 0, m], force: [0, 0, 2, N], axes: body}
topology:
  bodies: [crank, arm]
  joints:
    motor: {type: revolute, connects: [ground, crank], driven: true}
    elbow: {type: revolute, connects: [crank, arm]}
  forces:
    servo: {type: rsda, joint: elbow}
    jet: {type: wrench, connects: [arm]}
)"),
            plan("rk4", 1e-3));
  w.advance(5000);
  for (const RunWarning& found : w.end()) ADD_FAILURE() << found.text;
}

// Springs of every kind, at joints, between points and at a cut: what they hold is counted.
const char* const kSprings = R"(
format: chicane/1
parameters:
  bodies:
    crank: {mass: 1 kg, com: [0, 0, 0.15, m], inertia: {diagonal: [0.01, 0.01, 0.01, kg m^2]}}
    coupler: {mass: 2 kg, com: [0.5, 0, 0.55, m], inertia: {diagonal: [0.2, 0.2, 0.2, kg m^2]}}
    rocker: {mass: 1.5 kg, com: [1.05, 0, 0.4, m], inertia: {diagonal: [0.1, 0.1, 0.1, kg m^2]}}
  joints:
    a: {at: [0, 0, 0, m], axis: [0, 1, 0], initial_rate: 2 rad/s}
    b: {at: [0, 0, 0.3, m], axis: [0, 1, 0]}
    c: {at: [1, 0, 0.8, m], axis: [0, 1, 0]}
    d: {at: [1.1, 0, 0, m], axis: [0, 1, 0]}
  forces:
    line: {points: [[0, 0, 1, m], [0.5, 0, 0.55, m]], stiffness: 60 N/m, free_length: 0.3 m, spring: {polynomial: [5 N/m, 0, 40 N/m^3]}DAMPER}
    coil: {stiffness: 3 N m/rad, rest: 20 deg}
    cut: {stiffness: 2 N m/rad}
    bush: {at: [1.1, 0, 0.1, m], axis: [0, 1, 0], second_axis: [1, 0, 0], stiffness: [200, 200, 200, N/m], rotational_stiffness: [1, 1, 1, N m/rad]}
    stop: {lower: -40 deg, upper: 40 deg, stiffness: 30 N m/rad}
    bump: {points: [[0.5, 0, 0.2, m], [0.5, 0, 0.55, m]], contact: 0.3 m, stiffness: 300 N/m}
    weight: {at: [0.2, 0, 0.4, m], force: [1, 0, -3, N], axes: ground}
topology:
  bodies: [crank, coupler, rocker]
  cut: [c]
  joints:
    a: {type: revolute, connects: [ground, crank]}
    b: {type: revolute, connects: [crank, coupler]}
    c: {type: revolute, connects: [coupler, rocker]}
    d: {type: revolute, connects: [ground, rocker]}
  forces:
    line: {type: tsda, connects: [ground, coupler]}
    coil: {type: rsda, joint: a}
    cut: {type: rsda, joint: c}
    bush: {type: bushing, connects: [ground, rocker]}
    stop: {type: joint-limit, joint: d}
    bump: {type: bump-stop, connects: [ground, coupler]}
    weight: {type: wrench, connects: [coupler]}
)";

double energy_of(Simulation& s) {
  testkit::Recorder r(s, {"energy.total"});
  s.observe_now(r);
  return r.values[0];
}

double figure(const Guard& guard, const char* name) {
  const std::optional<RunAccount> account = guard.account();
  for (const auto& [key, value] : account->figures)
    if (key == name) return value;
  return -1.0;
}

TEST(BalanceGuard, CountsWhatSpringsHold) {
  std::string text = kSprings;
  const std::size_t damper = text.find("DAMPER");
  Watched w(compiled(text.replace(damper, 6, "")), plan("rk4", 1e-4));
  w.advance(30000);
  for (const RunWarning& found : w.end()) ADD_FAILURE() << found.text;
  EXPECT_EQ(figure(*w.guard, "allowed"), PowerBalance::kClosed);
  EXPECT_LT(figure(*w.guard, "relative"), 1e-7);
  EXPECT_GT(figure(*w.guard, "in_play"), 2.0);

  text = kSprings;
  Watched damped(compiled(text.replace(damper, 6, ", damping: 1 N s/m")), plan("rk4", 1e-4));
  damped.advance(30000);
  for (const RunWarning& found : damped.end()) ADD_FAILURE() << found.text;
  EXPECT_EQ(figure(*damped.guard, "allowed"), PowerBalance::kMost);
}

// Errors of a step that is only a little too long are seen where nothing else changes the energy.
TEST(BalanceGuard, SeesAHundredThousandthOfAClosedAccount) {
  for (const auto& [step, faults] : {std::pair{4e-3, 0u}, {1e-2, 1u}}) {
    Watched w(compiled_builtin("double-pendulum"), plan("rk4", step));
    const double before = energy_of(w.s);
    w.advance(static_cast<int>(10.0 / step));
    ASSERT_EQ(w.end().size(), faults) << step;
    const double after = energy_of(w.s), in_play = figure(*w.guard, "in_play");
    EXPECT_EQ(std::fabs(after - before) > PowerBalance::kClosed * in_play, faults > 0);
    EXPECT_GE(1.000001 * figure(*w.guard, "error"), std::fabs(after - before));
  }
}

TEST(BalanceGuard, AllocatesNothingInAStep) {
  Watched w(compiled_builtin("four-bar"), plan("rk4", 1e-3));
  w.advance(10);
  const testkit::AllocationCounter counter;
  for (int i = 0; i < 1000; ++i) w.s.step(w.guard.get());
  EXPECT_EQ(counter.count(), 0);
}

TEST(BalanceGuard, IsOnlyForMechanisms) {
  Simulation s(compiled_builtin("quarter-car-a"), plan("rk4", 1e-3));
  EXPECT_FALSE(make_balance_guard(s));
}

}  // namespace
}  // namespace balance_guard_test
