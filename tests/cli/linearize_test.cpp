// SPDX-License-Identifier: Apache-2.0

// The command that linearises, as its users meet it.

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <set>

#include "testkit/cli.hpp"

namespace linearize_test {
namespace {

using Json = nlohmann::json;
class Linearize : public testkit::CliTest {
 protected:
  [[nodiscard]] bool exists(const std::string& file) const {
    return std::filesystem::exists(std::filesystem::path(dir_.path()) / file);
  }
};

// Inputs, outputs, three groups, memory and an event; nothing here is built in.
const char* const kThree = R"(
format: chicane/1
run: {method: rk4, step: 1 ms, until: 2 s}
parameters: {k: 400 N/m, m: 1 kg, c: 2 N s/m, T: 0.5 s}
inputs: {F: {value: 3 N}, F_2: {value: 0 N}}
groups:
  one:
    states:
      x: {der: v, unit: m}
      v: {der: (F + F_2 - k*x - c*v)/m, unit: m/s}
  two:
    states: {lag: {der: (x - lag)/T, unit: m}}
  three:
    states: {way: {der: lag, unit: m s}}
    memory: {n: {next: n + 1}}
events:
  weaker: {when: "t >= 1[s]", do: [{set: {k: 100 N/m}}]}
outputs: {a: {value: der(v), unit: m/s^2}}
)";

double largest(const Json& eigenvalues) {
  double most = 0;
  for (const Json& v : eigenvalues)
    most = std::max(most, std::hypot(v.at(0).get<double>(), v.at(1).get<double>()));
  return most;
}

TEST_F(Linearize, GivesThePublishedEigenvaluesOfPitchControl) {
  const Json j = json({"linearize", "pitch-control"});
  EXPECT_EQ(j.at("states").size(), 5U);
  ASSERT_EQ(j.at("eigenvalues").size(), 5U);
  EXPECT_NEAR(j.at("eigenvalues").at(0).at(0).get<double>(), -15.92, 0.005);
  EXPECT_NEAR(j.at("eigenvalues").at(0).at(1).get<double>(), 26.37, 0.005);
  EXPECT_NEAR(j.at("eigenvalues").at(2).at(0).get<double>(), -1.274, 0.0005);
  EXPECT_NEAR(j.at("eigenvalues").at(2).at(1).get<double>(), 4.674, 0.0005);
  EXPECT_EQ(j.at("groups").at("slow").at("eigenvalues").size(), 3U);
  EXPECT_EQ(j.at("outputs"), Json({"theta_deg", "des_deg"}));
}

TEST_F(Linearize, GivesMatricesAndBlocksOfAnyModel) {
  dir_.write("three.yaml", kThree);
  const Json j = json({"linearize", "three.yaml"});
  EXPECT_EQ(j.at("states"), Json({"x", "v", "lag", "way"}));
  EXPECT_EQ(j.at("units"), Json({"m", "m/s", "m", "m s"}));
  EXPECT_EQ(j.at("inputs"), Json({"F", "F_2"}));
  EXPECT_EQ(j.at("outputs"), Json({"a"}));
  EXPECT_EQ(j.at("A"), Json({{0, 1, 0, 0}, {-400, -2, 0, 0}, {2, 0, -2, 0}, {0, 0, 1, 0}}));
  EXPECT_EQ(j.at("B"), Json({{0, 0}, {1, 1}, {0, 0}, {0, 0}}));
  EXPECT_EQ(j.at("C"), Json({{-400, -2, 0, 0}}));
  EXPECT_EQ(j.at("D"), Json({{1, 1}}));
  EXPECT_EQ(j.at("blocks").at("two").at("one"), Json({{2, 0}}));
  EXPECT_EQ(j.at("blocks").at("one").at("three"), Json({Json({0}), Json({0})}));
  ASSERT_EQ(j.at("modes").size(), 3U);
  const Json& mode = j.at("modes").at(0);
  EXPECT_NEAR(mode.at("frequency_hz").get<double>(), 20 / (2 * M_PI), 1e-12);
  EXPECT_NEAR(mode.at("damping").get<double>(), 0.05, 1e-12);
  EXPECT_NEAR(mode.at("participation").at("groups").at("one").get<double>(), 1, 1e-12);
  std::set<std::string> behind;
  for (const Json& p : mode.at("parameters")) {
    if (std::fabs(p.at("on_frequency").get<double>()) > 0.4) behind.insert(p.at("name"));
  }
  EXPECT_EQ(behind, (std::set<std::string>{"k", "m"}));
}

TEST_F(Linearize, TakesParametersInputsAndGroupsFromTheCommandLine) {
  dir_.write("three.yaml", kThree);
  const Json j = json({"linearize", "three.yaml", "--set", "k=900 N/m", "--set", "F=0 N", "--group",
                       "two=one", "--output", "lag"});
  EXPECT_EQ(j.at("A").at(1).at(0), -900);
  EXPECT_EQ(j.at("outputs"), Json({"lag"}));
  EXPECT_EQ(j.at("groups").at("one").at("eigenvalues").size(), 3U);
  EXPECT_FALSE(j.at("groups").contains("two"));
}

// The event at 1 s changes a parameter; at 1.0005 s, between two steps, it has acted.
TEST_F(Linearize, LooksAtTheModelWhereARunHasBroughtIt) {
  dir_.write("three.yaml", kThree);
  const Json before = json({"linearize", "three.yaml", "--at", "0.5 s"});
  EXPECT_EQ(before.at("time"), 0.5);
  EXPECT_EQ(before.at("A").at(1).at(0), -400);
  const Json after = json({"linearize", "three.yaml", "--at", "1.0005"});
  EXPECT_EQ(after.at("time"), 1.0005);
  EXPECT_EQ(after.at("A").at(1).at(0), -100);
}

TEST_F(Linearize, FollowsEigenvaluesAlongARun) {
  dir_.write("three.yaml", kThree);
  const Json j = json({"linearize", "three.yaml", "--along", "--every", "0.5s", "--method", "rk4"});
  ASSERT_EQ(j.at("along").size(), 5U);
  for (const Json& row : j.at("along")) {
    const double omega = row.at("time") > 1.0 ? 10 : 20;
    EXPECT_NEAR(largest(row.at("eigenvalues")), omega, 1e-9) << row.at("time");
    EXPECT_NEAR(largest(row.at("groups").at("one").at("eigenvalues")), omega, 1e-9);
  }
}

TEST_F(Linearize, TrimsAndSaysWhatItFreed) {
  const Json j = json({"linearize", "planar-vehicle", "--trim", "--hold", "chassis.vx=72 km/h",
                       "--free", "T_f", "--free", "T_r"});
  const Json& trim = j.at("trim");
  EXPECT_TRUE(trim.at("found"));
  EXPECT_LT(trim.at("residual"), 1e-10);
  EXPECT_EQ(trim.at("states").at("chassis.vx"), 20.0);
  EXPECT_NEAR(trim.at("freed").at("T_f").get<double>() + trim.at("freed").at("T_r").get<double>(),
              -43.164, 1e-6);
  EXPECT_NEAR(trim.at("drift").at("chassis.x").get<double>(), 20, 1e-9);
}

TEST_F(Linearize, SaysWhyThereIsNoTrim) {
  const auto outcome = chicane({"linearize", "planar-vehicle", "--trim", "--json"});
  EXPECT_EQ(outcome.code, 3);
  const Json j = Json::parse(outcome.out);
  EXPECT_FALSE(j.at("trim").at("found"));
  EXPECT_NE(outcome.err.find("--free T_f, --free T_r"), std::string::npos) << outcome.err;
}

TEST_F(Linearize, RefusesWhatMakesNoSense) {
  const std::pair<std::vector<std::string>, const char*> cases[] = {
      {{"--hold", "x1=1"}, "--hold: it belongs to --trim"},
      {{"--trim", "--hold", "x9=1"}, "there is no state 'x9'"},
      {{"--trim", "--hold", "x2=1 m"}, "'1 m' is a length, but x2 is"},
      {{"--trim", "--hold", "x2"}, "write --hold STATE=VALUE"},
      {{"--trim", "--free", "kk"}, "there is no input or parameter 'kk'"},
      {{"--every", "1s"}, "--every: it belongs to --along"},
      {{"--at", "3 m"}, "a time is needed"},
      {{"--at", "-1"}, "too short"},
      {{"--along", "--at", "20", "--until", "10"}, "after the end of the run"},
      {{"--method", "rk9"}, "there is no method 'rk9'"}};
  for (const auto& [options, message] : cases) {
    std::vector<std::string> arguments{"linearize", "two-scale"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    const auto outcome = chicane(arguments);
    EXPECT_EQ(outcome.code, 1) << message;
    EXPECT_NE(outcome.err.find(message), std::string::npos) << outcome.err;
  }
}

TEST_F(Linearize, SaysWhereThereIsNoDerivative) {
  dir_.write("root.yaml",
             "format: chicane/1\nunits: none\nstates: {x: {der: -sqrt(x)}, y: {der: x}}\n");
  const auto outcome = chicane({"linearize", "root.yaml"});
  EXPECT_EQ(outcome.code, 3);
  EXPECT_NE(outcome.err.find("the rate of 'x' has no finite derivative by 'x'"), std::string::npos);
}

TEST_F(Linearize, WorksWithNoStateWithOneAndWithEqualOnes) {
  dir_.write("none.yaml",
             "format: chicane/1\nunits: none\ninputs: {u: 3}\noutputs: {y: {value: 2*u}}\n");
  const Json none = json({"linearize", "none.yaml", "--trim"});
  EXPECT_EQ(none.at("eigenvalues"), Json::array());
  EXPECT_EQ(none.at("D"), Json({Json({2})}));
  dir_.write("one.yaml", "format: chicane/1\nunits: none\nstates: {x: {der: -3*x}}\n");
  EXPECT_EQ(json({"linearize", "one.yaml"}).at("eigenvalues"), Json({Json({-3, 0})}));
  dir_.write("equal.yaml",
             "format: chicane/1\nunits: none\nstates: {x: {der: -3*x}, y: {der: x - 3*y}}\n");
  const Json equal = json({"linearize", "equal.yaml", "--out", "here"});
  EXPECT_EQ(equal.at("eigenvalues"), Json({{-3, 0}, {-3, 0}}));
  EXPECT_TRUE(exists("here/linearize.json"));
}

TEST_F(Linearize, DrawsPictures) {
  const auto outcome =
      chicane({"linearize", "two-scale", "--along", "--until", "0.2s", "--plot", "--out", "here"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  for (const char* name : {"eigenvalues", "magnitude", "real-part"})
    for (const char* ending : {".png", ".svg"})
      EXPECT_TRUE(exists(std::string("here/") + name + ending));
}

// --- what other commands say with it ---

TEST_F(Linearize, LendsItsModesToCheckLimitAndFailedRuns) {
  const auto checked = chicane({"check", "two-scale", "--step", "40ms", "--json"});
  EXPECT_EQ(checked.code, 3);  // the run goes beyond its limits
  const Json check = Json::parse(checked.out);
  EXPECT_NEAR(check.at("mode").at("frequency_hz").get<double>(), 5.569, 0.001);
  EXPECT_EQ(check.at("mode").at("parameters").at(0).at("name"), "w1");

  const Json limit = json({"limit", "quarter-car-c", "--method", "rk2"});
  EXPECT_EQ(limit.at("block"), "fast");
  EXPECT_EQ(limit.at("parameters").at(0).at("name"), "m_R");  // the ring, and its springs
  EXPECT_EQ(limit.at("parameters").at(1).at("name"), "K_y");

  const auto failed =
      chicane({"run", "quarter-car-c", "--step", "2ms", "--method", "rk2", "--json"});
  EXPECT_EQ(failed.code, 3);
  EXPECT_EQ(Json::parse(failed.out).at("culprit").at("group"), "fast");
  EXPECT_NE(failed.err.find("behind it m_R (-0.47), K_y (0.33)"), std::string::npos) << failed.err;
}

}  // namespace
}  // namespace linearize_test
