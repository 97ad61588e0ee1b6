// SPDX-License-Identifier: Apache-2.0
// Vehicles whose tires have a rigid ring.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <memory>
#include <numbers>

#include "testkit/drive.hpp"

namespace ring_test {
namespace {

using namespace chicane;

constexpr double kMass = 2573.138, kGravity = 9.81;  // [kg], [m/s^2]
using testkit::built_in, testkit::Drive, testkit::of_wheels, testkit::Settings;

double sum(const std::vector<double>& v, std::size_t first = 0) {
  return v[first] + v[first + 1] + v[first + 2] + v[first + 3];
}

// It starts settled: the rings rest where they carry the vehicle, which weighs what it does without
// them and stands as high, but for what the rings' weight spares the sidewalls.
TEST(RingVehicle, StandsAsItDoesWithoutRings) {
  Drive with(built_in("hmmwv-rigid-ring", "", {{"vehicle.start.speed", "0 m/s"}}), "rk4", "1 ms");
  Drive without(built_in("hmmwv"), "rk4", "1 ms");
  EXPECT_NEAR(sum(with.read(of_wheels("load"))), kMass * kGravity, 1e-6);
  EXPECT_NEAR(with["chassis.z"], without["chassis.z"], 2e-4);
  const double before = with["wheel.fl.ring_z"];
  EXPECT_NEAR(before, (with["wheel.fl.load"] - 29.3 * kGravity) / 3.6e6, 1e-5);
  with.until(0.5);
  EXPECT_NEAR(with["wheel.fl.ring_z"], before, 1e-9);
  EXPECT_NEAR(with["chassis.ground_speed"], 0.0, 1e-9);
}

// In a steady turn, too: side speed, rings and slips stay what they are.
TEST(RingVehicle, StartsInASteadyStateAtSpeed) {
  Drive d(built_in("hmmwv-rigid-ring", "step-steer", {{"speed", "20 m/s"}, {"t_steer", "5 s"}}),
          "rk4", "1 ms");
  const auto signals = of_wheels("ring_v_x");
  const auto before = d.read(signals);
  d.until(0.5);
  const auto after = d.read(signals);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(after[i], before[i], 1e-5);
  EXPECT_NEAR(before[0], 20.0, 0.05);
}

// What chassis, suspensions and rims lose is what tires and dampers take; rings hold a part of it.
TEST(RingVehicle, PowerIsBalanced) {
  Spec spec = built_in("hmmwv-rigid-ring", "coast-down",
                       {{"speed", "15 m/s"}, {"vehicle.start.position", "[0, 0, 0.60, m]"}});
  spec.vehicle->find("start")->entries.push_back(
      {"state", DataSpec{.kind = DataSpec::Kind::text, .text = {"dropped", {}}}});
  std::erase_if(spec.vehicle->entries, [](const auto& e) { return e.first == "powertrain"; });
  std::erase_if(spec.blocks, [](const BlockSpec& b) { return b.name == "powertrain"; });
  constexpr double kStep = 0.25e-3;
  Drive d(spec, "rk4", "0.25 ms");
  std::vector<std::string> signals = of_wheels("tire_power");
  for (const char* more : {"tire_energy", "spin_energy"})
    for (const std::string& s : of_wheels(more)) signals.push_back(s);
  signals.emplace_back("energy.total");
  signals.emplace_back("power.dissipated");
  testkit::Recorder reader(d.simulation(), signals);
  const auto look = [&] {
    d.simulation().observe_now(reader);
    return reader.values;
  };
  const auto start = look();
  auto before = start;
  double taken = 0.0, damped = 0.0;
  for (int i = 0; i < 4000; ++i) {
    ASSERT_EQ(d.simulation().step(), Status::ok);
    const auto now = look();
    taken += 0.5 * kStep * (sum(before) + sum(now));
    damped += 0.5 * kStep * (before[13] + now[13]);
    before = now;
  }
  const double lost = start[12] + sum(start, 8) - before[12] - sum(before, 8);
  EXPECT_NEAR(lost, taken + damped, 1e-5 * (0.5 * kMass * 15 * 15));
  EXPECT_GT(damped, 10.0);
  // tires dissipate: they hold no more than they were given
  EXPECT_GT(taken, sum(before, 4) - sum(start, 4));
}

TEST(RingVehicle, TurnsRightAsItTurnsLeft) {
  const auto turned = [](const std::string& angle) {
    Drive d(built_in("hmmwv-rigid-ring", "step-steer",
                     {{"speed", "20 m/s"}, {"t_steer", "0.1 s"}, {"angle", angle}}),
            "", "2 ms", "prk");
    d.until(1.0);
    return d.read({"chassis.y", "chassis.yaw_rate", "wheel.fl.load", "wheel.fr.load",
                   "wheel.fl.ring_y", "wheel.fr.ring_y"});
  };
  const auto left = turned("0.8 rad"), right = turned("-0.8 rad");
  EXPECT_GT(std::fabs(left[0]), 0.5);
  EXPECT_NEAR(left[0], -right[0], 1e-9);
  EXPECT_NEAR(left[1], -right[1], 1e-9);
  EXPECT_NEAR(left[2], right[3], 1e-6);
  EXPECT_NEAR(left[4], -right[5], 1e-9);
}

// Rings in a fast group, the rest in a slow one, by a pair whose stages see the two at different
// instants: of second order still.
TEST(RingVehicle, KeepsTheOrderOfAPartitionedPair) {
  const Settings set{{"speed", "20 m/s"}, {"t_steer", "0.05 s"}, {"angle", "0.8 rad"}};
  const std::vector<std::string> signals{"chassis.y", "chassis.yaw_rate", "wheel.fl.ring_y"};
  const auto path = [&](const char* scheme, const char* method, const char* step) {
    Drive d(built_in("hmmwv-rigid-ring", "step-steer", set), method, step, scheme);
    std::vector<double> all;
    for (int i = 1; i <= 8; ++i) {
      d.until(0.08 * i);
      for (const double v : d.read(signals)) all.push_back(v);
    }
    return all;
  };
  const auto exact = path("single-rate", "rk4", "0.125 ms");
  const auto error = [&](const char* step, std::size_t signal) {
    const auto found = path("prk", "", step);
    double total = 0.0;
    for (std::size_t i = signal; i < exact.size(); i += signals.size())
      total += std::fabs(found[i] - exact[i]);
    return total;
  };
  for (std::size_t i = 0; i < signals.size(); ++i)
    EXPECT_NEAR(std::log2(error("1 ms", i) / error("0.5 ms", i)), 2.0, 0.35) << signals[i];
}

// Upper arms that are links, their mass at the balls and on the chassis: four bodies less, the same
// weight, and nearly the same motion.
TEST(RingVehicle, DrivesOnTenBodiesAsOnFourteen) {
  const auto turned = [](const char* vehicle) {
    Drive d(built_in(vehicle, "step-steer",
                     {{"speed", "20 m/s"}, {"t_steer", "0.1 s"}, {"angle", "0.8 rad"}}),
            "", "2 ms", "prk");
    EXPECT_NEAR(sum(d.read(of_wheels("load"))), kMass * kGravity, 1e-6 * kMass * kGravity);
    d.until(1.0);
    return d.read({"chassis.y", "chassis.yaw_rate", "chassis.roll", "wheel.fl.load"});
  };
  const auto fourteen = turned("hmmwv-rigid-ring"), ten = turned("hmmwv-rigid-ring-10");
  for (std::size_t i = 0; i < ten.size(); ++i)
    EXPECT_NEAR(ten[i], fourteen[i], 0.01 * std::fabs(fourteen[i])) << i;
}

}  // namespace
}  // namespace ring_test
