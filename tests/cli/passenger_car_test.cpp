// SPDX-License-Identifier: Apache-2.0

// The passenger car of the RTRD paper: what it is made of, and its benchmark.

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "testkit/program.hpp"

namespace passenger_car_test {
namespace {

nlohmann::json answer(std::vector<std::string> arguments) {
  arguments.emplace_back("--json");
  const testkit::Outcome o = testkit::run_program(CHICANE_BINARY, arguments);
  EXPECT_EQ(o.code, 0) << o.err;
  return nlohmann::json::parse(o.out);
}

// Section 7.1: 15 bodies. Tree joints less cut ones: 20 joints, 5 of them cut, each a ball. Six
// freedoms of the chassis and one of each wheel; rack and spin are not counted.
TEST(PassengerCar, HasTheBodiesJointsAndFreedomsOfItsLayout) {
  const auto j = answer({"topology", "passenger-car"});
  EXPECT_EQ(j.at("bodies"), 15);
  EXPECT_EQ(j.at("joints"), 20);
  EXPECT_EQ(j.at("loops"), 5);
  EXPECT_EQ(j.at("constraints"), 15);
  EXPECT_EQ(j.at("freedoms"), 10);
  EXPECT_EQ(j.at("gruebler"), 10);
  EXPECT_TRUE(j.at("redundant").empty());
  EXPECT_EQ(j.at("clusters").size(), 3U);  // two struts, and the rear axle with its bar
}

nlohmann::json driven(const std::string& out, std::vector<std::string> more) {
  std::vector<std::string> arguments{"run", "passenger-car", "--manoeuvre", "rack-step", "--out",
                                     out,   "--every",       "1000"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return answer(arguments);
}

double last(const nlohmann::json& j, const char* signal) {
  return j.at("final").at(signal).get<double>();
}

// It starts as it goes on until the rack moves. The track bar makes it drift a little to the right,
// which is part of that.
TEST(PassengerCar, StartsSettled) {
  const testkit::TemporaryDirectory a, b;
  const auto first = driven(a.path(), {"--until", "10ms"}),
             later = driven(b.path(), {"--until", "1s"});
  for (const char* rate : {"chassis.roll_rate", "chassis.pitch_rate"})
    EXPECT_NEAR(last(later, rate), 0.0, 1e-10) << rate;
  for (const char* signal : {"chassis.yaw_rate", "chassis.z", "chassis.roll", "chassis.pitch",
                             "chassis.sideslip", "chassis.ground_speed"})
    EXPECT_NEAR(last(later, signal), last(first, signal), 1e-10) << signal;
  EXPECT_NEAR(last(later, "chassis.yaw_rate"), 0.0, 1e-3);
  EXPECT_NEAR(last(later, "chassis.ground_speed"), 26.8224, 1e-6);
}

// 60 mph and 5 mm of rack: a circle; ab2 at 0.5 ms and the reference agree far within 2 %.
TEST(PassengerCar, GoesRoundACircle) {
  const testkit::TemporaryDirectory a, b, c;
  const auto plain = driven(a.path(), {}),
             reference = driven(b.path(), {"--until", "10s", "--scheme", "reference"}),
             short_run = driven(c.path(), {"--until", "10s"});
  const auto& m = plain.at("metrics");
  EXPECT_LT(m.at("out_of_round").get<double>(), 1e-3);
  EXPECT_GT(m.at("steady_radius").get<double>(), 100.0);
  EXPECT_LT(m.at("steady_radius").get<double>(), 300.0);
  EXPECT_NEAR(m.at("steady_speed").get<double>(), 96.56, 0.2);  // [km/h] the cruise control
  const double yaw = last(reference, "chassis.yaw_rate"),
               radius = last(reference, "chassis.ground_speed") / yaw;
  EXPECT_NEAR(last(short_run, "chassis.yaw_rate") / yaw, 1.0, 1e-5);
  EXPECT_NEAR(
      last(short_run, "chassis.ground_speed") / last(short_run, "chassis.yaw_rate") / radius, 1.0,
      1e-5);
}

// The track bar makes left and right turns differ, a little.
TEST(PassengerCar, IsNotTheSameLeftAndRight) {
  const testkit::TemporaryDirectory a, b;
  const auto left = driven(a.path(), {"--until", "12s"}),
             right = driven(b.path(), {"--until", "12s", "--set", "rack=-5mm"});
  const double l = last(left, "chassis.yaw_rate"), r = -last(right, "chassis.yaw_rate");
  EXPECT_GT(std::fabs(l / r - 1.0), 1e-3);
  EXPECT_LT(std::fabs(l / r - 1.0), 0.03);
}

TEST(PassengerCar, RunsEveryManoeuvre) {
  for (const char* manoeuvre : {"acceleration", "braking", "coast-down", "double-lane-change",
                                "parked-on-a-slope", "step-steer"}) {
    const testkit::TemporaryDirectory out;
    const auto j = answer({"run", "passenger-car", "--manoeuvre", manoeuvre, "--out", out.path()});
    EXPECT_EQ(j.at("status"), "ok") << manoeuvre;
    EXPECT_TRUE(j.at("warnings").empty()) << manoeuvre << j.at("warnings").dump();
  }
}

}  // namespace
}  // namespace passenger_car_test
