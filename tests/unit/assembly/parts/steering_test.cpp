// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <random>

#include "assembly/parts/parts.hpp"
#include "testkit/block_rig.hpp"
#include "testkit/part_file.hpp"

namespace steering_test {
namespace {

using namespace chicane;
using namespace testkit;

SteeringPart read(const std::string& text) { return part_of(text, steering_part); }

const std::string kAssist =
    "assist: {x: [0, 1, 3, 6, N m], y: [0, 20, 50, m/s],\n"
    "         z: [[0, 0, 0], [2, 1, 0.5], [20, 10, 4], [60, 30, 12], N m]}\n";
const std::string kRack = "type: rack\nratio: 125 rad/m\ntravel: 50 mm\n";
const std::string kCurve =
    "type: rack\nrack: {x: [-500, -200, 200, 500, deg], y: [-80, -30, 30, 80, mm]}\n"
    "travel: 60 mm\n";
const std::string kSignal = "type: rack-signal\nratio: 125 rad/m\ntravel: 50 mm\n";
const std::string kFree =
    "type: power-assist\n"
    "ratio: {x: [-80, 0, 80, mm], y: [100, 125, 100, rad/m]}\n"
    "travel: 60 mm\nrack_friction: 200 N\nrack_mass: 140 kg\n" +
    kAssist;

void anywhere(BlockRig<double>& rig, std::mt19937& random) {
  std::uniform_real_distribution<double> number(-1, 1);
  const auto pick = [&](const auto& list, std::vector<double>& values) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      const std::string& unit = list[i].unit;
      const double range = unit == "m"       ? 0.08
                           : unit == "rad"   ? 8
                           : unit == "N"     ? 4000
                           : unit == "m/s"   ? (list[i].name == "speed" ? 40 : 0.3)
                           : unit == "rad/s" ? 5
                                             : 1;
      values[i] = range * number(random);
    }
  };
  pick(rig.info.states, rig.x);
  pick(rig.info.inputs, rig.u);
}

TEST(SteeringPart, KeepsTheLawsOfBlocks) {
  for (const std::string& text :
       {kRack, kRack + kAssist, kCurve, kSignal, kSignal + kAssist, kFree, kFree + "by: torque"}) {
    SCOPED_TRACE(text);
    const auto part = read(text).kind;
    expect_is_described(*part);
    expect_everything_matters(*part, anywhere);
    expect_reads_what_it_names(*part, anywhere);
    expect_does_not_allocate(*part, anywhere);
    // second derivatives of the friction's law, over differences of 1e-6
    expect_dual_slopes(*part, anywhere, 2e-3);
  }
}

TEST(SteeringPart, SaysHowTheRackMoves) {
  EXPECT_TRUE(read(kRack).driven);
  EXPECT_TRUE(read(kSignal).driven);
  EXPECT_FALSE(read(kFree).driven);
  EXPECT_FALSE(read(kFree).by_torque);
  EXPECT_TRUE(read(kFree + "by: torque").by_torque);
  EXPECT_EQ(read(kFree).rack_mass, 140);
}

// However the wheel is turned, the rack keeps between its stops, and whoever wants more feels them.
TEST(SteeringPart, RacksStopAtTheirTravel) {
  std::mt19937 random(9);
  std::uniform_real_distribution<double> number(-1, 1);
  for (const auto& [text, travel] : {std::pair{kRack, 0.05}, {kCurve, 0.06}}) {
    BlockRig<double> rig(*read(text).kind);
    double farthest = 0;
    for (int n = 0; n < 20000; ++n) {
      if (n % 200 == 0) rig.input("angle") = 1000 * number(random);
      rig.run();
      for (std::size_t i = 0; i < 2; ++i) rig.x[i] += 1e-4 * rig.dx[i];
      farthest = std::fmax(farthest, std::fabs(rig.x[0]));
    }
    EXPECT_LE(farthest, travel * (1 + 1e-9));
    EXPECT_GT(farthest, 0.9 * travel);
    rig.input("angle") = 12.0, rig.input("rack_force") = 0;
    rig.run();
    const double felt = rig.output("hand_torque");
    EXPECT_GT(felt, 100.0);
    rig.input("angle") = -12.0;
    rig.run();
    EXPECT_NEAR(rig.output("hand_torque"), -felt, 1e-9 * felt);
    rig.input("angle") = 1.0;
    rig.run();
    EXPECT_NEAR(rig.output("hand_torque"), 0, 1e-9);
  }
  BlockRig<double> given(*read(kSignal).kind);
  given.input("rack_command") = 0.2, given.input("rack_command_rate") = 1.0;
  given.run();
  EXPECT_EQ(given.output("rack"), 0.05);
  EXPECT_EQ(given.output("rack_rate"), 0);
  EXPECT_NEAR(given.output("hand_torque"), 1e6 * 0.15 / 125, 1e-6);
  EXPECT_NEAR(read("type: rack\nratio: 125 rad/m").kind->info().parameters[2].value, 0.1, 1e-15);
}

// Turned by a jump, the rack gets where the ratio says, its acceleration is the rate of its speed,
// and its speed has no jump.
TEST(SteeringPart, RackFollowsTheWheel) {
  for (const auto& [text, angle, where] :
       {std::tuple{kRack, 2.5, 0.02}, {kCurve, 350 * M_PI / 180, 0.055}}) {
    BlockRig<double> rig(*read(text).kind);
    rig.input("angle") = angle;
    const double h = 1e-4;
    for (int n = 0; n < 5000; ++n) {
      rig.run();
      EXPECT_EQ(rig.output("rack_acceleration"), rig.dx[1]);
      for (std::size_t i = 0; i < 2; ++i) rig.x[i] += h * rig.dx[i];
      EXPECT_LE(rig.state("rack"), where * (1 + 1e-9));  // no overshoot
    }
    EXPECT_NEAR(rig.state("rack"), where, 1e-9);
  }
}

// Power that the tie rods put into the rack comes out at the steering wheel, at constant ratio and
// on every piece of a curve.
TEST(SteeringPart, HandFeelsTheTieRodsByVirtualWork) {
  const auto felt = [](const std::string& text, double angle) {
    BlockRig<double> rig(*read(text).kind);
    rig.input("angle") = angle;
    rig.input("rack_force") = -1000;
    rig.run();
    return rig.output("hand_torque");
  };
  EXPECT_NEAR(felt(kRack, 1), 1000.0 / 125, 1e-9);
  const double deg = M_PI / 180;
  EXPECT_NEAR(felt(kCurve, 100 * deg), 1000 * 0.060 / (400 * deg), 1e-9);
  EXPECT_NEAR(felt(kCurve, 300 * deg), 1000 * 0.050 / (300 * deg), 1e-9);
  EXPECT_LT(felt(kRack + kAssist, 1), 0.5 * felt(kRack, 1));
}

TEST(SteeringPart, SignalGoesThrough) {
  BlockRig<double> rig(*read(kSignal).kind);
  rig.input("rack_command") = 0.02, rig.input("rack_command_rate") = 0.1;
  rig.run();
  EXPECT_EQ(rig.output("rack"), 0.02);
  EXPECT_EQ(rig.output("rack_rate"), 0.1);
  EXPECT_EQ(rig.output("rack_acceleration"), 0);
}

// A rack of 150 kg on a spring, the wheel turned to 1 rad: at rest the pinion carries the spring,
// the hand the torsion bar, and the wheel is where the driver wants it.
TEST(SteeringPart, FreeRackComesToRest) {
  BlockRig<double> rig(*read(kFree).kind);
  rig.input("angle") = 1, rig.input("speed") = 20;
  const double m = 150, k = 60e3, h = 2e-4;
  double x = 0, v = 0;
  for (int n = 0; n < 50000; ++n) {
    rig.input("rack") = x, rig.input("rack_rate") = v;
    rig.run();
    for (std::size_t i = 0; i < rig.x.size(); ++i) rig.x[i] += h * rig.dx[i];
    v += h * (rig.output("rack_force") - k * x) / m;
    x += h * v;
  }
  EXPECT_NEAR(rig.output("wheel_angle"), 1, 1e-6);
  EXPECT_NEAR(rig.output("rack_force"), k * x, 1e-3);
  EXPECT_GT(x, 0.001);
  EXPECT_NEAR(v, 0, 1e-9);
  // 120 N m/rad by the twist; the ratio falls from 125 by 312.5 for each metre of the rack
  EXPECT_NEAR(rig.output("hand_torque"), 120 * (1 - (125 * x - 312.5 * x * x / 2)), 1e-4);
}

TEST(SteeringPart, SaysWhereTheFaultIs) {
  expect_fault("type: rak\n", 1, "did you mean 'rack'?", steering_part);
  expect_fault("type: rack\n", 1, "'ratio' is missing", steering_part);
  expect_fault("type: rack\nratio: 0 rad/m", 2, "must be more than 0", steering_part);
  expect_fault("type: rack\nratio: 5 rad", 2, "has no unit", steering_part);
  expect_fault("type: rack\nrack: {x: [0, 1, rad], y: [0.1, 0, m]}", 2, "must rise", steering_part);
  expect_fault(
      "type: rack\nratio: 125 rad/m\nassist: {x: [0, 1, N m], y: [0, m/s], z: [[0], [-1], N m]}", 1,
      "power assist: falls", steering_part);
  expect_fault(
      "type: rack\nratio: 125 rad/m\nassist: {x: [0, 1, N m], y: [0, m/s], z: [[0, 1], N m]}", 3,
      "1 number and a unit", steering_part);
  expect_fault("type: power-assist\nratio: 125 rad/m\nby: hand\ntravel: 8 cm", 3, "angle, torque",
               steering_part);
  expect_fault("type: power-assist\nratio: -125 rad/m\ntravel: 8 cm", 1, "steering ratio: y[0]",
               steering_part);
}

}  // namespace
}  // namespace steering_test
