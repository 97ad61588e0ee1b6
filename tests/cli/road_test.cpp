// SPDX-License-Identifier: Apache-2.0

// chicane road, and vehicles on roads from files, as users meet them.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <sstream>
#include <string>
#include <vector>

#include "testkit/cli.hpp"
#include "testkit/crg.hpp"

namespace road_test {
namespace {

using Json = nlohmann::json;

testkit::CrgMaker bend() {
  testkit::CrgMaker m;
  m.rows = 161;
  m.right = -6.0;
  m.across = 1.0;
  m.sections = 13;
  m.z = [](double u, double v) { return 0.005 * std::sin(0.4 * u) + 0.002 * std::cos(v); };
  m.phi = [](double u) { return 0.01 * u; };
  m.banking = [](double) { return 0.03; };
  return m;
}

class Road : public testkit::CliTest {
 protected:
  void SetUp() override {
    testkit::CliTest::SetUp();
    dir_.write("bend.crg", bend().write("KRBI"));
  }
  void refused(const std::vector<std::string>& arguments, const std::string& part) const {
    const auto outcome = chicane(arguments);
    EXPECT_EQ(outcome.code, 1) << outcome.out;
    EXPECT_NE(outcome.err.find(part), std::string::npos) << outcome.err;
  }
  std::vector<std::vector<double>> rows_of(const std::string& csv) const {
    std::vector<std::vector<double>> rows;
    std::istringstream in(csv);
    std::string line;
    std::getline(in, line);
    EXPECT_EQ(line, "u,v,x,y,z,phi,curv");
    while (std::getline(in, line)) {
      rows.emplace_back();
      std::istringstream cells(line);
      for (std::string cell; std::getline(cells, cell, ',');)
        rows.back().push_back(std::stod(cell));
    }
    return rows;
  }
};

TEST_F(Road, IsSummedUpAndDrawn) {
  const Json j = json({"road", "bend.crg", "--plot", "--out", "pictures"});
  EXPECT_EQ(j.at("status"), "ok");
  EXPECT_EQ(j.at("cross_sections"), 161);
  EXPECT_EQ(j.at("v").at("count"), 13);
  // The heading of a section is that of the way to it: the first way is 0.5 m long, the last ends
  // at 80 m, with 0.01 rad/m.
  EXPECT_NEAR(j.at("end").at("phi").get<double>() - j.at("begin").at("phi").get<double>(), 0.795,
              1e-6);
  EXPECT_FALSE(dir_.read("pictures/manifest.json").empty());
}

TEST_F(Road, PointsGoThereAndBack) {
  dir_.write("uv.csv", "u,v\n3.1,0.4\n40.25,-5.5\n79.9,6\n");
  const auto there = chicane({"road", "bend.crg", "--points", "uv.csv"});
  ASSERT_EQ(there.code, 0) << there.err;
  const auto rows = rows_of(there.out);
  ASSERT_EQ(rows.size(), 3U);
  std::string xy = "x,y\n";
  for (const auto& r : rows) xy += fmt::format("{},{}\n", r[2], r[3]);
  dir_.write("xy.csv", xy);
  EXPECT_EQ(json({"road", "bend.crg", "--points", "xy.csv", "--out", "back.csv"}).at("points"), 3);
  const auto back = rows_of(dir_.read("back.csv"));
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t k = 0; k < 7; ++k) EXPECT_NEAR(back[i][k], rows[i][k], 1e-9);
}

TEST_F(Road, VehiclesSettleAndDriveOnIt) {
  dir_.write(
      "car.yaml",
      "format: chicane/1\nbase: hmmwv\nvehicle:\n  terrain: {type: crg, file: bend.crg, begin: "
      "10 m, offset: -1 m, friction: 0.8}\n");
  const auto run = chicane({"run", "car.yaml", "--until", "0.2s", "--out", "a"});
  ASSERT_EQ(run.code, 0) << run.err << run.out;
  // An echo has all of it, but for the road, which must be the same.
  EXPECT_EQ(chicane({"run", "a/echo.yaml", "--until", "0.2s", "--out", "b"}).code, 0);
  EXPECT_EQ(dir_.read("a/results.csv"), dir_.read("b/results.csv"));
  auto other = bend();
  other.rows = 171;
  dir_.write("bend.crg", other.write("KRBI"));
  refused({"run", "a/echo.yaml", "--until", "0.2s", "--out", "c"}, "it has changed");
  dir_.write("short.crg", bend().write("KRBI").substr(0, 5000));
  refused({"check", "car.yaml", "--set", "terrain.file=short.crg"}, "cut off");
  EXPECT_EQ(chicane({"check", "car.yaml", "--set", "terrain.file=bend.crg"}).code, 0);
  refused({"check", "car.yaml", "--set", "terrain.begin=500 m"}, "not on the road");
}

TEST_F(Road, RandomRoadsHaveASeed) {
  dir_.write("car.yaml",
             "format: chicane/1\nbase: hmmwv\nvehicle:\n  terrain: {type: iso8608, class: B}\n");
  const auto run = [&](const std::string& seed, const std::string& out) {
    EXPECT_EQ(chicane({"run", "car.yaml", "--until", "0.1s", "--out", out, "--set",
                       "terrain.seed=" + seed})
                  .code,
              0);
    return dir_.read(out + "/results.csv");
  };
  const std::string first = run("3", "a");
  EXPECT_EQ(first, run("3", "b"));
  EXPECT_NE(first, run("4", "c"));
  refused({"check", "car.yaml", "--set", "terrain.seed=1.5"}, "whole number");
  refused({"check", "car.yaml", "--set", "terrain.roughness=1e-4 m^3"}, "not both");
}

TEST_F(Road, WhatIsNoneIsRefused) {
  refused({"road", "nothing.crg"}, "nothing.crg: there is no road file that can be read");
  dir_.write("cut.crg", bend().write("KRBI").substr(0, 3000));
  refused({"road", "cut.crg"}, "the file is cut off, or its header wrong");
  dir_.write("car.yaml", "format: chicane/1\nbase: hmmwv\nvehicle: {terrain: {type: crg}}\n");
  refused({"check", "car.yaml"}, "'file' is missing");
}

}  // namespace
}  // namespace road_test
