// SPDX-License-Identifier: Apache-2.0

// A vehicle starts settled: what its wheels carry at the first frame is what they carry from then
// on.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "assembly/assemble.hpp"
#include "io/reader/reader.hpp"
#include "simulation/plan.hpp"
#include "simulation/simulation.hpp"
#include "testkit/recorder.hpp"

namespace settle_test {
namespace {

using namespace chicane;

constexpr std::array kWheels{"fl", "fr", "rl", "rr"};
constexpr double kSteady = 0.005;  // [-] of a load: what counts as constant
const std::string kHatchback = CHICANE_SOURCE_DIR "/tests/testkit/hatchback.yaml";

using Settings = std::vector<std::pair<std::string, std::string>>;

// Holds a speed, or what else `driver` says.
std::string holding(const std::string& start, const std::string& driver,
                    const std::string& more = "") {
  return fmt::format(
      "format: chicane/1\nparameters:\n  v: {{value: 12 m/s}}\nvehicle:\n  start: {}\n  driver: "
      "{}\n{}",
      start, driver, more);
}
const std::string kHold = holding("{speed: v}", "{gear: 1, speed: {type: control, speed: v}}");

Spec vehicle(const std::string& model, const std::string& manoeuvre, const Settings& set = {}) {
  Diagnostics diag;
  auto spec = read_model(model, diag);
  if (spec && manoeuvre.find('\n') != std::string::npos)
    spec = read_manoeuvre("manoeuvre.yaml", std::move(*spec), diag,
                          [&](const std::string&) { return std::optional(manoeuvre); });
  else if (spec && !manoeuvre.empty())
    spec = read_manoeuvre(manoeuvre, std::move(*spec), diag);
  EXPECT_TRUE(spec) << diag.text();
  for (const auto& [name, value] : set)
    override_value(*spec, name, {value, {"test", 0, name}}, diag);
  EXPECT_TRUE(diag.ok()) << diag.text();
  return *spec;
}

std::shared_ptr<const ModelStructure> compiled(const Spec& spec, Diagnostics& diag,
                                               SchemeKind scheme = SchemeKind::single_rate) {
  return compile(spec, partition_for(scheme, spec), diag);
}

// Loads of the wheels at the start, and how far they ever are from it, over the largest of them.
struct Loads {
  std::array<double, 4> first{};
  double worst = 0;
  double speed = 0;  // at the end [m/s]
  [[nodiscard]] double sum() const { return std::accumulate(first.begin(), first.end(), 0.0); }
};

Loads loads_of(Spec spec, double until, const std::string& step = "0.5 ms") {
  Diagnostics diag;
  spec.run.scheme = {"single-rate", {}};
  spec.run.method = {"ab2", {}};
  spec.run.step = {step, {}};
  const auto structure = compiled(spec, diag);
  EXPECT_TRUE(structure) << diag.text();
  EXPECT_TRUE(diag.all().empty()) << diag.text();
  if (!structure) return {};
  Simulation s(structure, plan_run(spec, *structure, diag)->plan);
  std::vector<std::string> names;
  for (const char* w : kWheels) names.push_back(fmt::format("wheel.{}.load", w));
  names.emplace_back("chassis.speed");
  testkit::Recorder reader(s, names);
  s.observe_now(reader);
  Loads loads;
  std::copy_n(reader.values.begin(), 4, loads.first.begin());
  const double most = *std::max_element(loads.first.begin(), loads.first.end());
  while (s.time() < until - 1e-9) {
    EXPECT_EQ(s.step(&reader), Status::ok) << s.time();
    for (std::size_t i = 0; i < 4; ++i)
      loads.worst = std::max(loads.worst, std::fabs(reader.values[i] - loads.first[i]) / most);
  }
  loads.speed = reader.values[4];
  return loads;
}

constexpr double kMass = 2573.138, kGravity = 9.81;  // [kg], [m/s^2] of the HMMWV

// --- at constant speed ---------------------------------------------------------------------------

TEST(Settle, LoadsAreConstantAtEverySpeed) {
  for (const double v : {0.5, 3.0, 10.0, 15.0, 19.0}) {
    const Loads l = loads_of(vehicle("hmmwv", kHold, {{"v", fmt::format("{} m/s", v)}}), 0.4);
    EXPECT_LT(l.worst, kSteady) << v;
    EXPECT_NEAR(l.sum(), kMass * kGravity, 1e-6 * kMass * kGravity) << v;
    EXPECT_NEAR(l.speed, v, 1e-3 * v);
  }
}

// Faster than its engine can turn, in neutral: it slows down, and all that rolls with it.
// The lock-up clutch is open but for rounding: its bristle bends as it likes and carries nothing.
TEST(Settle, AnOpenClutchIsNotInTheWay) {
  for (const char* v : {"2 m/s", "20 m/s", "23 m/s", "26 m/s"}) {
    Diagnostics diag;
    const Spec spec = vehicle("hatchback-automatic", "constant-speed", {{"speed", v}});
    compiled(spec, diag);
    EXPECT_TRUE(diag.all().empty()) << v << diag.text();
    EXPECT_LT(loads_of(spec, 0.5).worst, 1e-9) << v;
  }
}

TEST(Settle, LoadsAreConstantWhileItCoasts) {
  const Loads l = loads_of(vehicle("hmmwv", "coast-down", {{"speed", "30 m/s"}}), 0.4);
  EXPECT_LT(l.worst, kSteady);
  EXPECT_NEAR(l.sum(), kMass * kGravity, 1e-6 * kMass * kGravity);
  EXPECT_LT(l.speed, 29.96);
}

TEST(Settle, LoadsAreConstantWithOtherParameters) {
  for (const Settings& set : {Settings{{"vehicle.chassis.mass", "3500 kg"}},
                              Settings{{"vehicle.chassis.mass", "900 kg"}}}) {
    const Loads l = loads_of(vehicle("hmmwv", kHold, set), 0.4);
    EXPECT_LT(l.worst, kSteady) << set.front().second;
  }
}

TEST(Settle, LoadsAreConstantOnASlope) {
  for (const char* road :
       {"{along: 0.1, type: slope}", "{along: -0.15, type: slope}", "{across: 0.1, type: slope}"}) {
    const std::string driver = "{gear: 1, speed: {type: control, speed: v}}";
    Spec spec =
        vehicle("hmmwv", holding("{speed: v}", driver, fmt::format("  terrain: {}\n", road)));
    EXPECT_LT(loads_of(spec, 0.4).worst, kSteady) << road;
  }
}

TEST(Settle, LoadsAreConstantInASteadyTurn) {
  const Loads l =
      loads_of(vehicle("hmmwv", holding("{speed: v}",
                                        "{gear: 1, speed: {type: control, speed: v}, steering: "
                                        "{type: schedule, angle: 1 rad}}")),
               1.0);
  EXPECT_LT(l.worst, kSteady);
  EXPECT_GT(l.first[1] - l.first[0], 500.0);  // to the left: the right wheels carry more
}

// --- along a path --------------------------------------------------------------------------------

// A road that slopes across: whoever keeps to his path on it steers a little uphill, is turned a
// little uphill, and sees himself a little beside the path.
TEST(Settle, ADriverKeepsHisPathOnABankedRoad) {
  for (const double v : {5.0, 19.0}) {
    const auto banked = [&](const std::string& model, const char* road, const std::string& step) {
      const Spec spec =
          vehicle(model, fmt::format("format: chicane/1\nvehicle:\n  terrain: {}\n", road));
      Diagnostics diag;
      auto driven = read_manoeuvre("double-lane-change", spec, diag);
      EXPECT_TRUE(driven) << diag.text();
      override_value(*driven, "speed", {fmt::format("{} m/s", v), {"test", 0, "speed"}}, diag);
      return loads_of(*driven, 0.4, step).worst;
    };
    EXPECT_LT(banked("hmmwv", "{type: slope, across: 0.05}", "0.5 ms"), kSteady) << v;
    EXPECT_LT(banked("hmmwv", "{type: slope, across: -0.1, along: -0.03}", "0.5 ms"), kSteady) << v;
    EXPECT_LT(banked(kHatchback, "{type: slope, across: 0.05}", "0.1 ms"), kSteady) << v;
  }
}

// A circle of 60 m radius that begins 20 m behind the vehicle, driven at 12 m/s.
std::string on_a_circle(const std::string& follower) {
  std::string x, y;
  for (int k = 0; k < 30; ++k) {
    const double a = (3.0 * k - 20.0) / 60.0;
    x += fmt::format("{:.9f}, ", 60.0 * std::sin(a));
    y += fmt::format("{:.9f}, ", 60.0 * (1.0 - std::cos(a)));
  }
  return holding(
      "{speed: v}",
      fmt::format("{{gear: drive, speed: {{type: control, speed: v}}, steering: {{type: path, "
                  "steering_ratio: driver_steering_ratio, {}, path: {{x: [{}m], y: [{}m]}}}}}}",
                  follower, x, y));
}
const std::string kPoint =
    "follower: preview-point, wheel_base: driver_wheel_base, understeer: 0.002 rad s^2/m";
const std::string kOptimal =
    "follower: optimal-preview, ahead: driver_com_ahead, mass: driver_mass, yaw_inertia: "
    "driver_yaw_inertia, front_axle: driver_com_to_front, rear_axle: driver_wheel_base - "
    "driver_com_to_front, front_cornering: driver_front_cornering, rear_cornering: "
    "driver_rear_cornering";

TEST(Settle, ADriverKeepsAPathThatIsACircle) {
  for (const std::string& follower : {kPoint, kOptimal}) {
    const Loads l = loads_of(vehicle("hmmwv", on_a_circle(follower)), 0.8);
    EXPECT_LT(l.worst, kSteady) << follower;
    EXPECT_NEAR(l.speed, 12.0, 1e-2);
    // m v^2/R h over the track: about 1000 N a side at a height of 0.6 m and a track of 1.8 m
    EXPECT_GT(l.first[1] - l.first[0] + l.first[3] - l.first[2], 2000.0);
  }
}

// Too slippery for the bank: he slides off his path, whatever he does.
TEST(Settle, APathThatCannotBeKeptIsSaid) {
  const Spec spec = vehicle("hmmwv",
                            "format: chicane/1\nvehicle:\n  terrain: {type: slope, across: 0.3, "
                            "friction: 0.2}\n");
  Diagnostics diag;
  auto driven = read_manoeuvre("double-lane-change", spec, diag);
  ASSERT_TRUE(driven && compiled(*driven, diag)) << diag.text();
  EXPECT_NE(diag.text().find("no steady motion along the path"), std::string::npos) << diag.text();
}

// Until something is done, a second after the start at the earliest.
TEST(Settle, EveryManoeuvreBeginsSteady) {
  for (const char* manoeuvre : {"acceleration", "braking", "coast-down", "double-lane-change",
                                "parked-on-a-slope", "step-steer"})
    EXPECT_LT(loads_of(vehicle("hmmwv", manoeuvre), 0.4).worst, kSteady) << manoeuvre;
}

// A manual gearbox in gear has to fit the speed; in neutral any speed will do.
TEST(Settle, ASecondVehicleBeginsSteady) {
  for (const char* manoeuvre : {"braking", "coast-down", "parked-on-a-slope"})
    EXPECT_LT(loads_of(vehicle(kHatchback, manoeuvre), 0.2, "0.25 ms").worst, kSteady) << manoeuvre;
  const std::string third = holding("{speed: v}", "{gear: 3, speed: {type: control, speed: v}}");
  const Loads l = loads_of(vehicle(kHatchback, third), 0.2, "0.1 ms");
  EXPECT_LT(l.worst, kSteady);
  EXPECT_NEAR(l.speed, 12.0, 1e-3);
}

// --- what is solved for --------------------------------------------------------------------------

// The start is the same whatever advances it: groups and schemes come later.
TEST(Settle, TheStartDoesNotDependOnTheScheme) {
  const Spec spec = vehicle("hmmwv", "double-lane-change");
  Diagnostics diag;
  const auto one = compiled(spec, diag), two = compiled(spec, diag, SchemeKind::multiframe);
  ASSERT_TRUE(one && two) << diag.text();
  EXPECT_EQ(one->start->states, two->start->states);
  EXPECT_EQ(one->start->memory, two->start->memory);
}

TEST(Settle, DroppedVehiclesFall) {
  Spec spec = vehicle("hmmwv",
                      holding("{speed: v, state: dropped, position: [0, 0, 0.8, m]}", "{gear: 0}"));
  const Loads l = loads_of(spec, 0.3);
  EXPECT_EQ(l.sum(), 0.0);
}

TEST(Settle, WhatDoesNotBalanceIsNamed) {
  Spec spec = vehicle("hmmwv", kHold, {{"vehicle.gravity", "-9.81 m/s^2"}});
  Diagnostics diag;
  EXPECT_FALSE(compiled(spec, diag));
  EXPECT_NE(diag.text().find("finds no rest at the start"), std::string::npos) << diag.text();
  EXPECT_NE(diag.text().find("state: dropped"), std::string::npos) << diag.text();
}

TEST(Settle, AStartSpeedThatCannotBeHeldIsSaid) {
  Spec spec = vehicle(
      "hmmwv", holding("{speed: 25 m/s}", "{gear: 1, speed: {type: control, speed: 25 m/s}}"));
  Diagnostics diag;
  ASSERT_TRUE(compiled(spec, diag)) << diag.text();
  EXPECT_NE(diag.text().find("cannot hold the start speed of 25 m/s"), std::string::npos)
      << diag.text();
}

}  // namespace
}  // namespace settle_test
