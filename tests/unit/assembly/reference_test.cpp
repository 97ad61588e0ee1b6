// SPDX-License-Identifier: Apache-2.0

// The reference page has every parameter of every part.

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "assembly/parts/parts.hpp"
#include "testkit/part_file.hpp"
#include "unit/assembly/parts/hmmwv_parts.hpp"

namespace reference_test {
namespace {

using namespace chicane;
using namespace testkit;

TEST(VehicleParts, AllParametersAreInTheReference) {
  std::ifstream file(CHICANE_SOURCE_DIR "/docs/reference/vehicle-parts.md");
  const std::string page{std::istreambuf_iterator<char>(file), {}};
  ASSERT_FALSE(page.empty());
  const auto point =
      "steering: {type: path, double_lane_change: {car_width: 2 m}, wheel_base: 3 m, "
      "steering_ratio: 16}\nspeed: {type: control, speed: 20 m/s}";
  const auto optimal =
      "steering: {type: path, follower: optimal-preview, double_lane_change: {car_width: 2 m}, "
      "mass: 1 kg, yaw_inertia: 1 kg m^2, front_axle: 1 m, rear_axle: 1 m, front_cornering: 1 N, "
      "rear_cornering: 1 N, steering_ratio: 16}";
  const auto curves =
      "torque_front: {x: [0, Pa], y: [0, N m]}\ntorque_rear: {x: [0, Pa], y: [0, N m]}";
  const auto driver = [](Keys& keys) { return driver_part(keys); };
  for (const BlockKindPtr& part :
       {part_of(testkit::hmmwv::kPowertrain, powertrain_part).kind,
        part_of("type: wheel-torque", powertrain_part).kind,
        part_of(testkit::hmmwv::kBrakes, brakes_part),
        part_of(std::string("type: pressure\n") + curves, brakes_part),
        part_of("type: rack\nratio: 125 rad/m", steering_part).kind,
        part_of("type: power-assist\nratio: 125 rad/m\ntravel: 8 cm", steering_part).kind,
        part_of("type: simple\narea: 2 m^2\nC_x: 0.3", aerodynamics_part), part_of(point, driver),
        part_of(optimal, driver)}) {
    const BlockInfo info = part->info();
    EXPECT_FALSE(info.parameters.empty());
    for (const NativeParameter& p : info.parameters) {
      const std::string key = "`" + p.name.substr(p.name.rfind('.') + 1) + "`";
      EXPECT_NE(page.find(key), std::string::npos) << info.description << ": " << p.name;
    }
  }
}

}  // namespace
}  // namespace reference_test
