// SPDX-License-Identifier: Apache-2.0

// chicane rig, as a user and a script see it.

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "testkit/program.hpp"

namespace rig_command_test {
namespace {

using testkit::Outcome;
namespace fs = std::filesystem;

Outcome chicane(const std::vector<std::string>& arguments) {
  return testkit::run_program(CHICANE_BINARY, arguments);
}

// Wheels carry the weight, which is that of the vehicle; sides of a symmetric vehicle are alike.
TEST(RigCommand, CarriesTheVehicle) {
  const Outcome o = chicane({"rig", "hmmwv", "--points", "5", "--travel", "40mm", "--json"});
  ASSERT_EQ(o.code, 0) << o.err;
  const auto j = nlohmann::json::parse(o.out);
  double load = 0.0;
  for (const char* axle : {"front", "rear"}) {
    const auto& a = j.at("axles").at(axle);
    for (const char* side : {"left", "right"}) load += a.at(side).at("load").get<double>();
    for (const char* column : {"toe", "camber", "load", "rate", "spring_ratio", "caster"})
      EXPECT_NEAR(a.at("left").at(column).get<double>(), a.at("right").at(column).get<double>(),
                  1e-6 * std::fabs(a.at("left").at(column).get<double>()) + 1e-9)
          << column;
  }
  EXPECT_NEAR(load, 9.81 * j.at("mass").get<double>(), 0.1);
  ASSERT_EQ(j.at("sweeps").at("bounce").size(), 5U);
  EXPECT_NEAR(j.at("sweeps").at("bounce")[4].at("front").at("left").at("travel").get<double>(),
              0.04, 1e-9);
  EXPECT_EQ(j.at("units").at("rate"), "N/m");
  EXPECT_TRUE(j.at("axles").at("rear").at("steering_ratio").is_null());
  EXPECT_NEAR(j.at("axles").at("front").at("steering_ratio").get<double>(), 16.3, 0.1);
}

TEST(RigCommand, WritesTablesAndPictures) {
  const testkit::TemporaryDirectory directory;
  const fs::path out = fs::path(directory.path()) / "rig";
  const Outcome o = chicane({"rig", "hmmwv", "--points", "3", "--out", out.string()});
  ASSERT_EQ(o.code, 0) << o.err;
  for (const char* name : {"bounce", "roll", "steer"}) {
    std::ifstream in(out / (std::string(name) + ".csv"));
    std::string names, units, row;
    ASSERT_TRUE(std::getline(in, names) && std::getline(in, units)) << name;
    EXPECT_NE(names.find("front.left.camber"), std::string::npos);
    int rows = 0;
    while (std::getline(in, row)) ++rows;
    EXPECT_EQ(rows, 3);
  }
  EXPECT_NE(o.out.find("roll_centre_height"), std::string::npos);
}

TEST(RigCommand, RefusesWhatCannotBeMeasured) {
  const struct {
    std::vector<std::string> arguments;
    std::string says;
  } cases[] = {
      {{"rig", "two-scale"}, "this model has no vehicle"},
      {{"rig", "hmmwv", "--travel", "3kg"}, "a length is needed"},
      {{"rig", "hmmwv", "--travel", "-10mm"}, "no range of a suspension"},
      {{"rig", "hmmwv", "--points", "4"}, "not an odd number"},
      {{"rig", "passenger-car", "--set", "axles.front.suspension.spring.preload=60kN"},
       "do not carry the vehicle's weight"},
  };
  for (const auto& c : cases) {
    const Outcome o = chicane(c.arguments);
    EXPECT_EQ(o.code, 1) << o.out;
    EXPECT_NE(o.err.find(c.says), std::string::npos) << o.err;
  }
}

}  // namespace
}  // namespace rig_command_test
