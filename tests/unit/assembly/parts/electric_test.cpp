// SPDX-License-Identifier: Apache-2.0

// The electric hatchback beside those with engines.

#include <gtest/gtest.h>

#include <cmath>
#include <memory>

#include "testkit/drive.hpp"
#include "testkit/part_file.hpp"

namespace electric_car_test {
namespace {

using namespace chicane;

using testkit::built_in, testkit::Drive;

TEST(ElectricCar, AcceleratesAndBrakesLikeTheOthers) {
  for (const char* car : {"hatchback", "hatchback-automatic", "hatchback-electric"}) {
    Drive d(built_in(car, "acceleration"));
    while (d.time() < 20.0) ASSERT_TRUE(d.step()) << car << " at " << d.time();
    EXPECT_GT(d["chassis.speed"], 25.0) << car;
  }
}

// Energy over a stop from 80 km/h: what comes back is less than the car had, and the brakes have
// less to do than without the motors.
TEST(ElectricCar, GetsEnergyBackFromBraking) {
  const auto stop = [](const std::string& blend) {
    Drive d(built_in("hatchback-electric", "braking",
                     {{"pedal", "0.25"},
                      {"vehicle.powertrain.regeneration.blend", blend},
                      {"vehicle.driver.gear", "1"}}));
    const double before = d["powertrain.charge"];
    double dissipated = 0.0;
    while (d.time() < 14.0) {
      EXPECT_TRUE(d.step());
      for (const char* w : {"fl", "fr", "rl", "rr"}) {
        const auto v =
            d.read({std::string("brakes.torque_") + w, std::string("wheel.") + w + ".spin"});
        dissipated -= 0.5e-3 * v[0] * v[1];
      }
    }
    EXPECT_NEAR(d["chassis.ground_speed"], 0.0, 0.02);
    return std::pair{(d["powertrain.charge"] - before) * 114 * 3600 * 368, dissipated};
  };
  const auto [back, brakes] = stop("0.7");
  const auto [little, all] = stop("0");
  const double had = 0.5 * 1400 * std::pow(80 / 3.6, 2);  // [J]
  EXPECT_GT(back, 0.3 * had);
  EXPECT_LT(back, 0.9 * had);
  EXPECT_LT(little, 0.5 * back);
  EXPECT_LT(brakes, 0.6 * all);
}

TEST(ElectricCar, AnEmptyBatteryEndsTheRun) {
  Drive d(built_in("hatchback-electric", "step-steer",
                   {{"angle", "0 rad"},
                    {"vehicle.powertrain.battery.capacity", "0.2 A h"},
                    {"vehicle.powertrain.battery.charge", "0.1"}}));
  while (d.time() < 60.0 && d.step()) EXPECT_GE(d["powertrain.charge"], 0.05);
  ASSERT_TRUE(d.simulation().stopped());
  EXPECT_NE(d.simulation().stopped()->find("the battery is empty"), std::string::npos);
}

}  // namespace
}  // namespace electric_car_test
