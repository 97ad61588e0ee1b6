// SPDX-License-Identifier: Apache-2.0

// chicane topology, as a user and a script see it.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "testkit/program.hpp"

namespace topology_test {
namespace {

using testkit::Outcome;
namespace fs = std::filesystem;

Outcome chicane(const std::vector<std::string>& arguments) {
  return testkit::run_program(CHICANE_BINARY, arguments);
}

TEST(TopologyCommand, GivesTheKeysThatScriptsRelyOn) {
  const Outcome o = chicane({"topology", "double-wishbone", "--json"});
  ASSERT_EQ(o.code, 0) << o.err;
  const auto j = nlohmann::json::parse(o.out);
  for (const char* key :
       {"bodies", "joints", "chains", "loops", "coordinates", "constraints", "freedoms"})
    EXPECT_TRUE(j.at(key).is_number_integer()) << key;
  EXPECT_EQ(j.at("bodies"), 4);
  EXPECT_EQ(j.at("joints"), 6);
  EXPECT_EQ(j.at("loops"), 2);
  EXPECT_EQ(j.at("coordinates"), 5);
  EXPECT_EQ(j.at("constraints"), 4);
  EXPECT_EQ(j.at("freedoms"), 1);  // the rack is driven
  EXPECT_EQ(j.at("cut_joints").size(), 2U);
  EXPECT_TRUE(j.at("redundant").empty());
}

TEST(TopologyCommand, NamesRedundantConstraints) {
  const Outcome o = chicane({"topology", "bricard"});
  ASSERT_EQ(o.code, 0) << o.err;
  EXPECT_NE(o.out.find("0 by counting (Gruebler), 1 by rank"), std::string::npos) << o.out;
  EXPECT_NE(o.out.find("redundant constraints: P"), std::string::npos) << o.out;
}

TEST(TopologyCommand, DrawsEveryBodyAndJoint) {
  const testkit::TemporaryDirectory directory;
  const fs::path file = fs::path(directory.path()) / "graph.svg";
  const Outcome o = chicane({"topology", "andrews-squeezer", "--svg", file.string()});
  ASSERT_EQ(o.code, 0) << o.err;
  std::ifstream in(file);
  const std::string svg{std::istreambuf_iterator<char>(in), {}};
  for (const char* name : {">ground<", ">K1<", ">K7<", ">O (revolute)<", ">E3 (revolute)<"})
    EXPECT_NE(svg.find(name), std::string::npos) << name;
  EXPECT_NE(svg.find("stroke-dasharray"), std::string::npos);
}

TEST(TopologyCommand, RefusesWhatHasNoMechanism) {
  const Outcome o = chicane({"topology", "two-scale", "--json"});
  EXPECT_EQ(o.code, 1);
  EXPECT_NE(o.err.find("this model has no mechanism"), std::string::npos) << o.err;
  EXPECT_TRUE(nlohmann::json::parse(o.out).contains("errors"));
}

TEST(MechanismCommands, CheckAndDescribeWork) {
  EXPECT_EQ(chicane({"check", "pendulum"}).code, 0);
  const Outcome described = chicane({"describe", "pendulum", "--json"});
  ASSERT_EQ(described.code, 0);
  const nlohmann::json pendulum = nlohmann::json::parse(described.out);
  EXPECT_EQ(pendulum.at("bodies")[0].at("mass"), 1.0);
  EXPECT_EQ(pendulum.at("signals")[0].at("name"), "hinge.angle");
  EXPECT_EQ(chicane({"describe", "double-wishbone"}).code, 0);
}

// Every number of a vehicle's parts is listed, with what it is, as it will be in the run.
TEST(VehicleCommands, DescribeListsTheParametersOfParts) {
  const Outcome o =
      chicane({"describe", "hmmwv", "--set", "wheel.fl.rolling_resistance=0.2", "--json"});
  ASSERT_EQ(o.code, 0) << o.err;
  int found = 0;
  const nlohmann::json described = nlohmann::json::parse(o.out);
  for (const nlohmann::json& p : described.at("parameters")) {
    EXPECT_FALSE(p.at("description").get<std::string>().empty()) << p;
    const std::string name = p.at("name");
    if (name != "wheel.fl.rolling_resistance" && name != "wheel.fr.rolling_resistance") continue;
    EXPECT_EQ(p.at("value"), name == "wheel.fl.rolling_resistance" ? 0.2 : 0.015);
    ++found;
  }
  EXPECT_EQ(found, 2);
  const Outcome text = chicane({"describe", "hmmwv", "--all"});
  EXPECT_NE(text.out.find("brakes.line_time "), std::string::npos);
}

TEST(VehicleCommands, DescribeIsShortAndFinds) {
  const Outcome brief = chicane({"describe", "hmmwv"});
  ASSERT_EQ(brief.code, 0) << brief.err;
  EXPECT_LT(std::count(brief.out.begin(), brief.out.end(), '\n'), 60);
  EXPECT_NE(brief.out.find("--find TEXT"), std::string::npos);
  const Outcome found = chicane({"describe", "hmmwv", "--find", "MASS"});
  ASSERT_EQ(found.code, 0) << found.err;
  for (const char* name :
       {"chassis.mass", "axles.front.wheel.mass", "steering.body.mass", "driver_mass"})
    EXPECT_NE(found.out.find(name), std::string::npos) << name;
  EXPECT_EQ(found.out.find("terrain.friction"), std::string::npos);
  EXPECT_NE(chicane({"describe", "hmmwv", "--find", "friction"}).out.find("terrain.friction"),
            std::string::npos);
  EXPECT_EQ(chicane({"describe", "hmmwv", "--find", "xyzzy"}).code, 1);
}

// The mass that a driver believes in is called so: nobody sets it for that of the vehicle.
TEST(VehicleCommands, SetOfTheMassSaysWhichOnesThereAre) {
  const Outcome o = chicane({"describe", "hmmwv", "--set", "mass=5000kg"});
  EXPECT_EQ(o.code, 1);
  for (const char* name : {"driver_mass", "chassis.mass"})
    EXPECT_NE(o.err.find(name), std::string::npos) << o.err;
}

TEST(VehicleCommands, TopologyIsOfTheVehicleInItsManoeuvre) {
  const Outcome o = chicane({"topology", "hmmwv", "--manoeuvre", "braking", "--json"});
  ASSERT_EQ(o.code, 0) << o.err;
  EXPECT_EQ(nlohmann::json::parse(o.out).at("bodies"), 14);
}

// Driven joints, formulas, tables, loops: what is written is what was run.
TEST(MechanismCommands, ARunAndItsEchoGiveTheSameBytes) {
  const testkit::TemporaryDirectory directory;
  const fs::path here = directory.path();
  for (const char* model : {"double-wishbone", "slider-crank", "heavy-top"}) {
    const fs::path first = here / model, second = here / (std::string(model) + "-again");
    const Outcome run =
        chicane({"run", model, "--until", "20ms", "--out", first.string(), "--json"});
    ASSERT_EQ(run.code, 0) << run.err;
    const auto report = nlohmann::json::parse(run.out);
    EXPECT_EQ(report.at("status"), "ok");
    if (std::string(model) != "heavy-top") {
      EXPECT_GT(report.at("counts").at("Newton iterations"), 0);
    }
    const Outcome echo = chicane({"run", (first / "echo.yaml").string(), "--out", second.string()});
    ASSERT_EQ(echo.code, 0) << echo.err;
    const auto bytes = [](const fs::path& file) {
      std::ifstream in(file, std::ios::binary);
      return std::string(std::istreambuf_iterator<char>(in), {});
    };
    EXPECT_FALSE(bytes(first / "results.csv").empty());
    EXPECT_EQ(bytes(first / "results.csv"), bytes(second / "results.csv")) << model;
  }
}

TEST(MechanismCommands, LoopsAndBallsAreTrimmed) {
  for (const char* model : {"double-wishbone", "slider-crank", "four-bar", "heavy-top"}) {
    const Outcome o = chicane({"linearize", model, "--trim", "--json"});
    EXPECT_EQ(o.code, 0) << model << o.err;
    if (o.code == 0) {
      EXPECT_TRUE(nlohmann::json::parse(o.out).at("trim").at("found"));
    }
  }
}

TEST(MechanismCommands, DescribeShowsWhatIsAskedOfTheStartAndWhatIsUsed) {
  const Outcome o = chicane({"describe", "four-bar", "--json"});
  ASSERT_EQ(o.code, 0) << o.err;
  const auto start = nlohmann::json::parse(o.out).at("start");
  EXPECT_EQ(start[0].at("joint"), "A");
  EXPECT_EQ(start[0].at("rates").at("asked")[0], 10.0);
  EXPECT_NEAR(start[0].at("rates").at("used")[0], 10.0, 1e-12);
  EXPECT_TRUE(start[1].at("rates").at("asked").is_null());
}

// Whatever a built-in file gives, it starts with.
TEST(MechanismCommands, EveryBuiltInFileStartsWhereItSays) {
  int asked = 0;
  for (const char* model :
       {"andrews-squeezer", "bricard", "double-pendulum", "double-wishbone", "flyball-governor",
        "four-bar", "heavy-top", "n-four-bar", "pendulum", "slider-crank", "hmmwv"}) {
    std::vector<std::string> arguments{"describe", model, "--json"};
    if (model == std::string_view("hmmwv"))
      arguments.insert(arguments.end(), {"--set", "start.state=dropped"});
    const Outcome o = chicane(arguments);
    ASSERT_EQ(o.code, 0) << o.err;
    const auto answer = nlohmann::json::parse(o.out);
    for (const auto& joint : answer.at("start"))
      for (const char* part : {"coordinates", "rates"}) {
        const auto& values = joint.at(part);
        if (values.at("asked").is_null()) continue;
        for (std::size_t i = 0; i < values.at("asked").size(); ++i, ++asked)
          EXPECT_NEAR(values.at("used")[i], values.at("asked")[i].get<double>(), 1e-12)
              << model << joint;
      }
  }
  EXPECT_GT(asked, 80);
}

// A vehicle that settles does not start with the joints of its file: describe does not say so.
TEST(MechanismCommands, ASettledVehicleIsNotSaidToStartWithTheJointsOfItsFile) {
  const Outcome o = chicane({"describe", "hmmwv", "--json"});
  ASSERT_EQ(o.code, 0) << o.err;
  const auto answer = nlohmann::json::parse(o.out);
  EXPECT_TRUE(answer.at("settled"));
  EXPECT_TRUE(answer.at("start").empty());
  for (const auto& signal : answer.at("signals"))
    if (signal.at("name") == "lower_arm_fl.angle") {
      EXPECT_GT(std::abs(signal.at("initial").get<double>() + 0.218), 1e-3);
    }
}

TEST(MechanismCommands, AMechanismAtTheEndOfItsWaySaysWhichLoop) {
  const testkit::TemporaryDirectory directory;
  const fs::path file = fs::path(directory.path()) / "reach.yaml";
  std::ofstream(file) << R"(format: chicane/1
run: {method: rk4, step: 1 ms, until: 2 s}
topology:
  bodies: [arm, rod]
  joints:
    drive: {type: translational, connects: [ground, arm], driven: true}
    elbow: {type: revolute, connects: [arm, rod]}
    post: {type: spherical-translational, connects: [rod, ground]}
parameters:
  bodies:
    arm: {mass: 1 kg, com: [0, 0, 0, m], inertia: {diagonal: [1, 1, 1, kg m^2]}}
    rod: {mass: 1 kg, com: [0.3, 0, 0.4, m], inertia: {diagonal: [1, 1, 1, kg m^2]}}
  joints:
    drive: {at: [0, 0, 0, m], axis: [0, 0, -1], motion: ["1[m/s]*t", "1[m/s]", 0]}
    elbow: {at: [0, 0, 0, m], axis: [0, 1, 0]}
    post: {at: [0.6, 0, 0.8, m], axis: [1, 0, 0]}
)";
  const Outcome run =
      chicane({"run", file.string(), "--out", (fs::path(directory.path()) / "results").string()});
  EXPECT_EQ(run.code, 3) << run.out;
  EXPECT_NE(run.err.find("the loop through joint 'post'"), std::string::npos) << run.err;
}

}  // namespace
}  // namespace topology_test
