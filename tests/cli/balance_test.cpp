// SPDX-License-Identifier: Apache-2.0

// A run whose energy does not balance says so, and a strict one fails.

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "testkit/program.hpp"

namespace balance_test {
namespace {

using testkit::Outcome;

Outcome run_pendulum(const std::string& out, const std::vector<std::string>& more) {
  std::vector<std::string> arguments{"run", "pendulum", "--json", "--out", out, "--until", "5s"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return testkit::run_program(CHICANE_BINARY, arguments);
}

TEST(BalanceInARun, IsAWarningWithTimeAndPart) {
  const testkit::TemporaryDirectory directory;
  const Outcome good = run_pendulum(directory.path() + "/good", {});
  ASSERT_EQ(good.code, 0) << good.err;
  const auto quiet = nlohmann::json::parse(good.out);
  EXPECT_TRUE(quiet.at("warnings").empty()) << good.out;
  // What was measured is said in any case.
  EXPECT_LT(quiet.at("balance").at("relative"), quiet.at("balance").at("allowed")) << good.out;
  EXPECT_GT(quiet.at("balance").at("relative"), 0.0) << good.out;
  EXPECT_NEAR(quiet.at("balance").at("in_play"), 4.9, 0.1) << good.out;

  const Outcome bad = run_pendulum(directory.path() + "/bad", {"--method", "euler"});
  ASSERT_EQ(bad.code, 0) << bad.err;
  const auto warnings = nlohmann::json::parse(bad.out).at("warnings");
  ASSERT_EQ(warnings.size(), 1u) << bad.out;
  EXPECT_EQ(warnings[0].at("signal"), "energy.total");
  EXPECT_EQ(warnings[0].at("part"), "mechanism");
  EXPECT_GT(warnings[0].at("time"), 0.0);
  EXPECT_NE(bad.err.find("the energy of the mechanism drifts"), std::string::npos) << bad.err;
}

// Nearly a rhombus: where its rods lie flat it turns from one branch to another, faster than a step
// sees.
constexpr const char* kNearRhombus = R"(
format: chicane/1
topology:
  bodies: [crank, coupler, rocker]
  joints:
    A: {type: revolute, connects: [ground, crank]}
    B: {type: revolute, connects: [crank, coupler]}
    C: {type: revolute, connects: [coupler, rocker]}
    D: {type: revolute, connects: [ground, rocker]}
parameters:
  l: {value: 1 m, description: of a rod}
  e: {value: 0.01 m, description: what the coupler is longer}
  J: {value: 0.0833 kg m^2, description: of a rod}
  bodies:
    crank: {mass: 1 kg, com: [0, 0, 0.5, m], inertia: {diagonal: [J, J, J]}}
    coupler: {mass: 1 kg, com: [0.5, 0, 1, m], inertia: {diagonal: [J, J, J]}}
    rocker: {mass: 1 kg, com: [1, 0, 0.5, m], inertia: {diagonal: [J, J, J]}}
  joints:
    A: {at: [0, 0, 0, m], axis: [0, 1, 0], initial_rate: 6 rad/s}
    B: {at: [0, 0, 1, m], axis: [0, 1, 0]}
    C: {at: [l+e, 0, l], axis: [0, 1, 0]}
    D: {at: [1, 0, 0, m], axis: [0, 1, 0]}
)";

TEST(BalanceInARun, StopsWhereALoopHasLostItsWay) {
  const testkit::TemporaryDirectory directory;
  const std::string file = directory.path() + "/rhombus.yaml";
  std::ofstream(file) << kNearRhombus;
  const auto run = [&](const char* longer) {
    return testkit::run_program(
        CHICANE_BINARY, {"run", file, "--out", directory.path() + "/out", "--method", "rk4",
                         "--step", "2ms", "--until", "5s", "--set", std::string("e=") + longer});
  };
  const Outcome good = run("0.05 m"), bad = run("1e-5 m");
  EXPECT_EQ(good.code, 0) << good.err;
  EXPECT_EQ(bad.code, 3) << bad.err;
  EXPECT_NE(bad.err.find("what comes after has nothing to do with it"), std::string::npos)
      << bad.err;
  EXPECT_NE(bad.err.find("Take a smaller step"), std::string::npos) << bad.err;
}

TEST(BalanceInARun, EndsAStrictRun) {
  const testkit::TemporaryDirectory directory;
  const Outcome o = run_pendulum(directory.path(), {"--method", "euler", "--strict"});
  EXPECT_EQ(o.code, 3) << o.err;
  EXPECT_NE(o.err.find("because of --strict"), std::string::npos) << o.err;
}

}  // namespace
}  // namespace balance_test
