// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <random>

#include "assembly/parts/parts.hpp"
#include "testkit/block_rig.hpp"
#include "testkit/part_file.hpp"

namespace driver_test {
namespace {

using namespace chicane;
using namespace testkit;

BlockKindPtr driver_of_any_car(Keys& keys) { return driver_part(keys); }
BlockKindPtr read(const std::string& text) { return part_of(text, driver_of_any_car); }

const std::string kOpenLoop = R"(
steering: {type: schedule, angle: {x: [1, 2, s], y: [0, 90, deg]}}
speed: {type: schedule, accelerator: 0.3, brake: {x: [2, 3, s], y: [0, 1]}, wheel_torque: 50 N m}
gear: {x: [0, 4, s], y: [1, 2]}
clutch: {x: [4, 5, s], y: [1, 0]}
hand_brake: 0.1
)";
const std::string kPoint = R"(
steering: {type: path, double_lane_change: {car_width: 1.8 m}, preview_time: 0.45 s,
           wheel_base: 2.7 m, understeer: 0.002 rad s^2/m, steering_ratio: 16, lag: 50 ms,
           ahead: -1.5 m}
speed: {type: control, speed: 18 m/s}
)";
const std::string kOptimal = R"(
steering: {type: path, follower: optimal-preview, double_lane_change: {car_width: 1.8 m},
           mass: 1500 kg, yaw_inertia: 2500 kg m^2, front_axle: 1.2 m, rear_axle: 1.5 m,
           front_cornering: 90 kN/rad, rear_cornering: 110 kN/rad, steering_ratio: 16, lag: 50 ms}
speed: {type: control, output: torque, speed: {x: [0, 5, s], y: [18, 20, m/s]}, gain: 2000 N s,
        integral_gain: 500 N, lowest: -5 kN m, highest: 3 kN m}
)";

// Somebody who shifts a gearbox of five gears.
ManualGearbox five_gears() {
  using powertrain::Gearbox;
  return {.gearbox = std::get<Gearbox>(Gearbox::make({3.45, 1.95, 1.36, 1.03, 0.82}, -3.2)),
          .idle = 89.0,
          .strongest = 628.0,
          .engine_inertia = 0.15,
          .engine_torque = 145.0,
          .clutch_torque = 250.0,
          .shift_time = 0.3,
          .gear = 1.0,
          .coupled = false};
}
BlockKindPtr shifting(const std::string& text) {
  const auto manual = five_gears();
  return part_of(text, [&](Keys& keys) { return driver_part(keys, 5, &manual); });
}

void on_the_track(BlockRig<double>& rig, std::mt19937& random) {
  std::uniform_real_distribution<double> number(-1, 1);
  rig.t = 3 + 2 * number(random);
  for (double& x : rig.x) x = 0.5 * number(random);
  const double s = 100 + 30 * number(random);
  for (double& z : rig.z) z = s + 4 * number(random);
  rig.u = {s,
           2 + 2 * number(random),
           0.2 * number(random),
           18 + 4 * number(random),
           number(random),
           0.3 * number(random)};
  // some that steer and accelerate as hard as they may
  if (number(random) > 0.5) rig.u[2] += 3 * number(random), rig.u[3] += 30 * number(random);
}

TEST(DriverPart, KeepsTheLawsOfBlocks) {
  for (const std::string& text : {std::string("{}"), kOpenLoop, kPoint, kOptimal}) {
    SCOPED_TRACE(text);
    const auto part = read(text);
    expect_is_described(*part);
    expect_everything_matters(*part, on_the_track);
    expect_reads_what_it_names(*part, on_the_track);
    expect_does_not_allocate(*part, on_the_track);
    expect_dual_slopes(*part, on_the_track, 1e-3);
  }
}

TEST(DriverPart, KeepsTheLawsOfBlocksWhileShifting) {
  const auto anywhere = [](BlockRig<double>& rig, std::mt19937& random) {
    std::uniform_real_distribution<double> share(0, 1);
    on_the_track(rig, random);
    rig.u.resize(rig.info.inputs.size());
    const std::size_t foot = rig.info.memory.front().name == "foot" ? 1 : 0;
    rig.state("clutch_foot") = share(random) > 0.5 ? 0.97 : share(random);
    const double gear = 1 + std::floor(5 * share(random));
    const double phase = std::floor(5 * share(random));
    const std::array<double, 5> z{gear, 1 + std::floor(5 * share(random)), phase,
                                  rig.t - share(random), std::floor(2 * share(random))};
    std::copy(z.begin(), z.end(), rig.z.begin() + static_cast<std::ptrdiff_t>(foot));
    const double ratio = five_gears().gearbox.ratio(gear), disc = 400 * share(random);
    rig.input("omega_t") = disc;
    rig.input("prop_speed") = disc / ratio;
    rig.input("omega_e") = share(random) > 0.5 ? disc + share(random) * 8 - 4 : 500 * share(random);
    rig.input("engine_running") = share(random) > 0.2 ? 1 : 0.48;
  };
  for (const std::string& text :
       {std::string("gear: drive\nspeed: {type: schedule, accelerator: 0.3}"),
        std::string("gear: drive\nspeed: {type: control, speed: 10 m/s}"),
        "gear: drive" + kPoint}) {
    SCOPED_TRACE(text);
    const auto part = shifting(text);
    expect_is_described(*part);
    expect_everything_matters(*part, anywhere);
    expect_reads_what_it_names(*part, anywhere);
    expect_does_not_allocate(*part, anywhere);
    expect_dual_slopes(*part, anywhere, 1e-3);
  }
}

// `drive` is the lever of an automatic gearbox, a gear of a manual one says itself; what the
// shifting driver does by himself nobody else can.
TEST(DriverPart, DrivesInAnyGearbox) {
  BlockRig<double> automatic(*read("gear: drive"));
  automatic.run();
  EXPECT_EQ(automatic.output("gear"), 1);
  EXPECT_TRUE(automatic.x.empty());
  BlockRig<double> third(*shifting("gear: 3"));
  third.run();
  EXPECT_EQ(third.output("gear"), 3);
  const auto manual = five_gears();
  const auto fault = [&](const std::string& text, int line, const std::string& words) {
    expect_fault(text, line, words, [&](Keys& keys) { return driver_part(keys, 5, &manual); });
  };
  fault("gear: drive\nclutch: 0.5", 2, "'clutch' is the driver's own");
  fault("gear: 2\nshifting: {rest: 1 s}", 2, "is of a driver with 'gear: drive'");
  fault("gear: drive\nshifting: {up: 3000 rpm}", 2, "both, 'up' and 'down', or neither");
  fault("gear: drive\nshifting: {up: 3000 rpm, down: 2500 rpm}", 2, "widen the band");
  fault("gear: drive\nshifting: {foot_time: 0 s}", 2, "must be more than 0");
  fault("gear: drive\nshifting: {foot: 1 s}", 2, "has no 'foot'");
  fault("gear: dirve", 1, "dirve");
}

// Who wants to stand holds the brake: no integral moves the car.
TEST(DriverPart, HoldsTheBrakeWhereItWantsToStand) {
  BlockRig<double> rig(*read("speed: {type: control, speed: 0 m/s}"));
  rig.state("integral") = 0.4;
  rig.run();
  EXPECT_EQ(rig.output("accelerator"), 0);
  EXPECT_GT(rig.output("brake"), 0.2);
  rig.parameter("speed.speed") = 5.0;
  rig.run();
  EXPECT_GT(rig.output("accelerator"), 0.5);
  EXPECT_EQ(rig.output("brake"), 0);
}

TEST(DriverPart, FollowsItsSchedules) {
  BlockRig<double> rig(*read(kOpenLoop));
  const auto at = [&](double t, const char* name) {
    rig.t = t;
    rig.run();
    return rig.output(name);
  };
  EXPECT_EQ(at(0.5, "steering_angle"), 0);
  EXPECT_NEAR(at(1.5, "steering_angle"), M_PI / 4, 1e-12);
  EXPECT_EQ(at(1, "accelerator"), 0.3);
  EXPECT_EQ(at(2.5, "brake"), 0.5);
  EXPECT_EQ(at(0, "wheel_torque"), 50);
  EXPECT_EQ(at(3.999, "gear"), 1);  // gears are held, not passed through
  EXPECT_EQ(at(4, "gear"), 2);
  EXPECT_EQ(at(4.5, "clutch"), 0.5);
  EXPECT_EQ(at(7, "hand_brake"), 0.1);
}

// Says nothing: drives straight on in first gear.
TEST(DriverPart, OfNoWordsDoesNothing) {
  BlockRig<double> rig(*read("{}"));
  rig.run();
  for (const auto& port : rig.info.outputs)
    EXPECT_EQ(rig.output(port.name), port.name == "gear" ? 1 : 0) << port.name;
  EXPECT_TRUE(rig.x.empty());
}

// A car that rolls where its front wheels point and has the speed it is asked for. The origin is in
// the middle, the rear axle 1.5 m behind.
struct Car {
  double x, y, yaw, v;
};

struct Drive {
  double largest_offset = 0, last_speed = 0, largest_jump = 0;
};

Drive drive(const std::string& text, double until, double h) {
  BlockRig<double> rig(*read(text));
  Car car{0, 0, 0, 18};
  const double ahead = 1.5, base = 2.7;
  Drive out;
  double last = 0;
  for (double t = 0; t < until; t += h) {
    const double r = car.v * std::tan(rig.x[0] / 16) / base;
    rig.t = t;
    rig.u = {car.x, car.y, car.yaw, car.v, ahead * r, r};
    rig.run();
    out.largest_offset = std::fmax(out.largest_offset, std::fabs(rig.output("path_offset")));
    out.largest_jump = std::fmax(out.largest_jump, std::fabs(rig.output("steering_angle") - last));
    last = rig.output("steering_angle");
    for (std::size_t i = 0; i < rig.x.size(); ++i) rig.x[i] += h * rig.dx[i];
    rig.z = rig.z_next;
    const double force = 6 * (rig.output("accelerator") - rig.output("brake")) +
                         rig.output("wheel_torque") / (0.3 * 1500);
    car.x += h * (car.v * std::cos(car.yaw) - ahead * r * std::sin(car.yaw));
    car.y += h * (car.v * std::sin(car.yaw) + ahead * r * std::cos(car.yaw));
    car.yaw += h * r;
    car.v += h * force;
  }
  out.last_speed = car.v;
  return out;
}

// 0.2 m is what the followers keep on this track by themselves; the wheel turns without jumps.
TEST(DriverPart, GoesThroughTheDoubleLaneChange) {
  const auto point = drive(kPoint, 12, 1e-3);
  EXPECT_LT(point.largest_offset, 0.2);
  EXPECT_GT(point.largest_offset, 0.02);  // it does see the lanes
  EXPECT_LT(point.largest_jump, 0.005);   // 5 rad/s in a step of 1 ms
  EXPECT_NEAR(point.last_speed, 18, 0.05);
  const auto optimal = drive(kOptimal, 12, 1e-3);
  EXPECT_LT(optimal.largest_offset, 0.5);  // its model is not the car
  EXPECT_NEAR(optimal.last_speed, 20, 0.05);
}

// The foot is memory: what a driver does depends on nothing else that was evaluated in between.
TEST(DriverPart, RemembersItsFootOnly) {
  BlockRig<double> one(*read(kPoint)), other(*read(kPoint));
  std::mt19937 random(2);
  on_the_track(one, random);
  other.t = one.t, other.x = one.x, other.z = one.z;
  other.u = {0, 0, 0, 1, 0, 0};
  other.run();
  other.u = one.u;
  one.run(), other.run();
  EXPECT_EQ(one.results(), other.results());
}

TEST(DriverPart, SaysWhereTheFaultIs) {
  const auto fault = [](const std::string& text, int line, const std::string& words) {
    expect_fault(text, line, words, driver_of_any_car);
  };
  fault("steering: {type: schedul}", 1, "did you mean 'schedule'?");
  fault("steering: {type: schedule}", 1, "'angle' is missing");
  fault("steering:\n  type: schedule\n  angle: {x: [0, 0, s], y: [1, 2, rad]}", 3, "x[1]");
  fault("steering:\n  type: schedule\n  angle: {x: [0, 1, m], y: [1, 2, rad]}", 3, "is a length");
  fault("steering: {type: path, wheel_base: 3 m, steering_ratio: 16}", 1, "'double_lane_change'");
  fault(
      "steering:\n  type: path\n  wheel_base: 3 m\n  steering_ratio: 16\n"
      "  path: {x: [0, 0, 1, m], y: [0, 0, 1, m]}",
      5, "point [1] is where [0] is");
  fault("gear: 1.5", 1, "gears are -1, 0, 1 and up");
  fault("clutch: {x: [0, 1, s], y: [0, 2]}", 1, "it goes from 0 to 1");
  fault("speed: {type: control}", 1, "'speed' is missing");
  fault("speed: {type: control, speed: 20 m/s, lowest: 2}", 1, "must be below 'highest'");
  fault("speed: {type: control, speed: 20 m/s, lag: 2 s}", 1, "has no 'lag'");
  expect_fault("clutch: 0\ngear: {x: [0, 1, s], y: [1, 7]}", 2,
               "cannot be 7: gears are -1, 0, 1 to 6",
               [](Keys& keys) { return driver_part(keys, 6); });
}

}  // namespace
}  // namespace driver_test
