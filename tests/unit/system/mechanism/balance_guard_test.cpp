#include "system/mechanism/balance_guard.hpp"

#include <gtest/gtest.h>

#include "testkit/allocation_counter.hpp"
#include "testkit/models.hpp"

namespace {

using namespace chicane;
using testkit::compiled;
using testkit::compiled_builtin;
using testkit::plan;

struct Watched {
  Simulation s;
  std::unique_ptr<Guard> guard;

  Watched(std::shared_ptr<const Structure> structure, const Plan& how)
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
                                    {"four-bar", 5e-4},
                                    {"slider-crank", 2e-5},
                                    {"heavy-top", 1e-4},
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
    for (std::size_t i = x.size() / 2; i < x.size(); ++i) x[i] *= 1.05;  // rates
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
