// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <random>

#include "assembly/parts/parts.hpp"
#include "testkit/block_rig.hpp"
#include "testkit/part_file.hpp"
#include "unit/assembly/parts/hmmwv_parts.hpp"

namespace brakes_test {
namespace {

using namespace chicane;
using namespace testkit;

BlockKindPtr read(const std::string& text) { return part_of(text, brakes_part); }

const std::string kSimple =
    std::string(testkit::hmmwv::kBrakes) + "hand_rl: 1 kN m\nhand_rr: 1 kN m\n";
const std::string kPedal = R"(
type: pedal
pressure: {x: [0, 0.1, 1], y: [0, 2, 100, bar]}
proportioning: {x: [0, 40, 100, bar], y: [0, 40, 60, bar]}
torque_front: {x: [0, 1, 100, bar], y: [0, 0, 2500, N m]}
torque_rear: {x: [0, 1, 100, bar], y: [0, 0, 1500, N m]}
hand_rl: 500 N m
)";
const std::string kPressure = R"(
type: pressure
torque_front: {x: [0, 1, 100, bar], y: [0, 0, 2500, N m]}
torque_rear: {x: [0, 1, 100, bar], y: [0, 0, 1500, N m]}
hand_rl: 500 N m
)";

testkit::Point anywhere(double most) {
  return [most](BlockRig<double>& rig, std::mt19937& random) {
    std::uniform_real_distribution<double> number(0, 1);
    for (std::size_t i = 0; i < rig.x.size(); ++i)
      rig.x[i] = i < 2 ? most * number(random) : 2 * number(random) - 1;
    for (std::size_t i = 0; i < rig.u.size(); ++i)
      rig.u[i] = rig.info.inputs[i].unit == "Pa"  ? most * number(random)
                 : rig.info.inputs[i].unit == "-" ? number(random)
                                                  : 20 * number(random) - 10;
  };
}

TEST(BrakesPart, KeepsTheLawsOfBlocks) {
  const auto check = [](const std::string& text, double most) {
    SCOPED_TRACE(text);
    const auto part = read(text);
    expect_is_described(*part);
    expect_everything_matters(*part, anywhere(most));
    expect_reads_what_it_names(*part, anywhere(most));
    expect_does_not_allocate(*part, anywhere(most));
    // second derivatives of the friction's law, over differences of 1e-6
    expect_dual_slopes(*part, anywhere(most), 2e-3);
  };
  check(kSimple, 1.0);
  check(kPedal, 80e5);
  check(kPressure, 80e5);
}

// A wheel that turns on: the brake has its full torque, front and rear, against the motion.
TEST(BrakesPart, HoldsWhatTheFileSays) {
  BlockRig<double> rig(*read(kSimple));
  rig.state("line_front") = 1, rig.state("line_rear") = 0.5;
  for (const char* wheel : {"fl", "fr", "rl", "rr"}) {
    rig.input(std::string("speed_") + wheel) = 30;
    rig.state(std::string("zeta_") + wheel) = 1;
  }
  rig.run();
  EXPECT_DOUBLE_EQ(rig.output("torque_fl"), -4000);
  EXPECT_DOUBLE_EQ(rig.output("torque_rr"), -2000);
  rig.input("hand") = 1;
  rig.run();
  EXPECT_DOUBLE_EQ(rig.output("torque_fr"), -4000);
  EXPECT_DOUBLE_EQ(rig.output("torque_rl"), -3000);
}

// Full pedal: the lines settle where the curves say, the rear one below the front one.
TEST(BrakesPart, LinesFollowThePedal) {
  BlockRig<double> rig(*read(kPedal));
  rig.input("pedal") = 1;
  rig.state("line_front") = 100e5, rig.state("line_rear") = 60e5;
  rig.run();
  EXPECT_NEAR(rig.dx[0], 0, 1e-6);
  EXPECT_NEAR(rig.dx[1], 0, 1e-6);
  rig.input("pedal") = 0;
  rig.run();
  EXPECT_NEAR(rig.dx[0], -100e5 / 0.05, 1e-3);  // 50 ms where the file says nothing
}

// Without a proportioning valve both lines have the same pressure.
TEST(BrakesPart, NeedsNoProportioning) {
  const auto at = kPedal.find("proportioning"), end = kPedal.find("torque_front");
  BlockRig<double> rig(*read(std::string(kPedal).erase(at, end - at)));
  for (const double pedal : {0.05, 0.4, 1.0}) {
    rig.input("pedal") = pedal;
    rig.run();
    EXPECT_GT(rig.dx[0], 0);
    EXPECT_DOUBLE_EQ(rig.dx[0], rig.dx[1]);
  }
}

TEST(BrakesPart, SaysWhereTheFaultIs) {
  expect_fault("type: simpel\n", 1, "did you mean 'simple'?", brakes_part);
  expect_fault("type: simple\ntorque_front: 4 kN m\n", 1, "'torque_rear' is missing", brakes_part);
  expect_fault("type: simple\ntorque_front: -1 N m\ntorque_rear: 1 N m", 2, "must be 0 or more",
               brakes_part);
  expect_fault("type: simple\ntorque_front: 1 N m\ntorque_rear: 1 N m\npressure: 3", 4,
               "has no 'pressure'", brakes_part);
  expect_fault("type: simple\ntorque_front: 1 N m\ntorque_rear: 1 N m\nfriction: {elastic: 1}", 4,
               "from 0 to below 1", brakes_part);
  expect_fault(
      "type: pressure\ntorque_front: {x: [0, 1, bar], y: [5, 0, N m]}\n"
      "torque_rear: {x: [0, 1, bar], y: [0, 5, N m]}",
      1, "front brake torque: y[1] = 0 is less than", brakes_part);
}

}  // namespace
}  // namespace brakes_test
