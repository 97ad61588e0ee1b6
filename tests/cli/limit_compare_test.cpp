// SPDX-License-Identifier: Apache-2.0

// The commands that judge steps and schemes, as scripts meet them.

#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "testkit/program.hpp"

namespace limit_compare_test {
namespace {

using Json = nlohmann::json;
namespace fs = std::filesystem;

class Judging : public testing::Test {
 protected:
  testkit::Outcome chicane(const std::vector<std::string>& arguments) const {
    return testkit::run_program(CHICANE_BINARY, arguments, dir_.path());
  }
  Json json(std::vector<std::string> arguments) const {
    arguments.emplace_back("--json");
    const auto outcome = chicane(arguments);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return Json::parse(outcome.out);
  }
  testkit::TemporaryDirectory dir_;
};

using Limit = Judging;
using Compare = Judging;

// --- limit ---

TEST_F(Limit, GivesTheStepFoundBesideThePredictedOne) {
  const Json j = json({"limit", "quarter-car-a"});
  EXPECT_NEAR(j.at("max_stable_step").get<double>(), 0.1021, 0.001);
  EXPECT_NEAR(j.at("predicted_step").get<double>(), 0.1021, 0.001);
  EXPECT_EQ(j.at("model"), "quarter-car-a");
  EXPECT_EQ(j.at("scheme"), "single-rate");
  EXPECT_EQ(j.at("group"), "main");
  EXPECT_TRUE(j.at("state") == "z" || j.at("state") == "v");
  EXPECT_EQ(j.at("bracket").at(0), j.at("max_stable_step"));
  EXPECT_GT(j.at("bracket").at(1), j.at("bracket").at(0));
}

TEST_F(Limit, TakesTheOptionsOfARun) {
  const Json j = json({"limit", "pitch-control", "--scheme", "multiframe", "--ratio", "7",
                       "--interp", "hold", "--startup", "build-up"});
  EXPECT_NEAR(j.at("max_stable_step").get<double>(), 0.126, 0.002);
  EXPECT_NEAR(j.at("predicted_step").get<double>(), 0.1264, 0.001);
  EXPECT_EQ(j.at("group"), "slow");
  // Twice the stiffness: the step is the less.
  const Json stiff = json({"limit", "quarter-car-a", "--set", "k=100 kN/m"});
  EXPECT_LT(stiff.at("max_stable_step"), 0.1);
}

// The same frame, as `check` sees it without running the model for long.
TEST_F(Limit, IsWhereCheckBeginsToWarnOfAFrame) {
  const auto warnings = [&](const char* step) {
    return json(
               {"check", "pitch-control", "--scheme", "multiframe", "--ratio", "7", "--step", step})
        .at("warnings")
        .dump();
  };
  EXPECT_EQ(warnings("0.17s").find("unstable"), std::string::npos) << warnings("0.17s");
  const std::string beyond = warnings("0.18s");
  EXPECT_NE(beyond.find("unstable with multiframe"), std::string::npos) << beyond;
  EXPECT_NE(beyond.find("about 0.1735 s"), std::string::npos) << beyond;
}

// The jet's published steps: 0.02968 s at ratio 1, limited by the actuator. At ratio 7 the airframe
// limits, and a step as large as the paper's fails at a frame that is stable about the trim.
TEST_F(Limit, OfTheBusinessJetIsThatOfItsActuatorThenOfItsAirframe) {
  const auto limit = [&](const char* ratio) {
    return json({"limit", "business-jet", "--set", "theta_step=0 rad", "--scheme", "multiframe",
                 "--ratio", ratio});
  };
  const Json one = limit("1"), seven = limit("7");
  EXPECT_NEAR(one.at("max_stable_step").get<double>(), 0.02968, 0.005 * 0.02968);
  EXPECT_EQ(one.at("group"), "fast");
  EXPECT_NEAR(seven.at("max_stable_step").get<double>(), 0.1744, 0.001);
  EXPECT_EQ(seven.at("group"), "slow");
  const auto run = [&](const char* step) {
    return chicane({"run", "business-jet", "--scheme", "multiframe", "--ratio", "7", "--step",
                    "172 ms", "--until", "30 s", "--quiet", "--out", step, "--set",
                    std::string("theta_step=") + step + " rad"})
        .code;
  };
  EXPECT_EQ(run("0.01"), 0);
  EXPECT_NE(run("0.15"), 0);
}

TEST_F(Limit, SaysSoWhenEveryStepIsStable) {
  dir_.write("ramp.yaml", "format: chicane/1\nstates: {x: {der: \"1[1/s]\"}}\n");
  const Json j = json({"limit", "ramp.yaml"});
  EXPECT_TRUE(j.at("max_stable_step").is_null());
  EXPECT_NE(j.at("verdict").get<std::string>().find("stable up to"), std::string::npos);
}

TEST_F(Limit, FailsWhenNoStepIsStable) {
  dir_.write("bomb.yaml", "format: chicane/1\nstates: {x: {der: \"5[1/s]*x\", initial: 1}}\n");
  const auto outcome = chicane({"limit", "bomb.yaml"});
  EXPECT_EQ(outcome.code, 3);
  EXPECT_NE(outcome.err.find("the model grows by itself"), std::string::npos) << outcome.err;
}

TEST_F(Limit, SettlesForTheTimeOfTheFileOrTheOption) {
  const std::string model =
      "states: {x: {der: \"if(t < 1[s], -x*1[1/s], -100[1/s]*x)\", initial: 1}}\n";
  dir_.write("late.yaml",
             "format: chicane/1\nrun: {method: euler, step: 1 ms, settle: 2 s}\n" + model);
  EXPECT_NEAR(json({"limit", "late.yaml"}).at("max_stable_step").get<double>(), 0.02, 1e-4);
  dir_.write("plain.yaml", "format: chicane/1\nrun: {method: euler, step: 1 ms}\n" + model);
  const Json j = json({"limit", "plain.yaml", "--settle", "2s"});
  EXPECT_NEAR(j.at("max_stable_step").get<double>(), 0.02, 1e-4);
}

TEST_F(Limit, RefusesWhatHasNoStep) {
  const auto reference = chicane({"limit", "two-scale", "--scheme", "reference"});
  EXPECT_EQ(reference.code, 1);
  EXPECT_NE(reference.err.find("chooses its own steps"), std::string::npos) << reference.err;
  EXPECT_EQ(chicane({"limit", "two-scale", "--settle", "2 m"}).code, 1);
  EXPECT_EQ(chicane({"limit", "no-such-model"}).code, 1);
  EXPECT_EQ(chicane({"limit"}).code, 2);
}

// --- compare ---

TEST_F(Compare, HasTheAgreedKeysInEveryRow) {
  const Json j = json({"compare", "two-scale", "--until", "2s"});
  std::vector<std::string> schemes;
  for (const Json& row : j.at("rows")) {
    for (const char* key : {"scheme", "method", "step", "ratio", "interp", "error", "mean_error",
                            "mean_abs_error", "cost_us", "speedup", "stable", "stable_step"})
      EXPECT_TRUE(row.contains(key)) << key;
    EXPECT_TRUE(row.at("stable").get<bool>());
    EXPECT_GT(row.at("error"), 0);
    EXPECT_GT(row.at("cost_us"), 0);
    EXPECT_TRUE(row.at("stable_step").is_null());
    schemes.push_back(row.at("scheme"));
  }
  for (const char* scheme : {"single-rate", "multiframe", "prk", "pece-multirate"})
    EXPECT_NE(std::find(schemes.begin(), schemes.end(), scheme), schemes.end()) << scheme;
}

TEST_F(Compare, MeasuresTheGridThatWasAskedFor) {
  const Json j = json({"compare", "two-scale", "--schemes", "single-rate,multiframe", "--methods",
                       "ab2", "--methods", "rk2", "--ratios", "1,4", "--interps", "interp1,hold",
                       "--steps", "5ms,10ms", "--signals", "x1,x3", "--until", "1s"});
  // two methods, two steps: 4 rows of single-rate, and times two ratios and two interpolators
  EXPECT_EQ(j.at("rows").size(), 4U + 16U);
  for (const Json& row : j.at("rows")) {
    EXPECT_EQ(row.at("mean_abs_error").size(), 2U);
    EXPECT_EQ(row.at("mean_error"), row.at("mean_abs_error").at("x1"));
    EXPECT_EQ(row.at("interp").is_null(), row.at("scheme") == "single-rate");
  }
  EXPECT_EQ(j.at("signals").at(1).at("name"), "x3");
}

TEST_F(Compare, HasNoErrorForUnstableRows) {
  const Json j = json({"compare", "pitch-control", "--schemes", "single-rate", "--methods", "ab2",
                       "--steps", "10ms,60ms"});
  for (const Json& row : j.at("rows")) {
    const bool stable = row.at("step") < 0.0297;
    EXPECT_EQ(row.at("stable"), stable);
    EXPECT_EQ(row.at("error").is_null(), !stable);
  }
}

TEST_F(Compare, FindsStableStepsWhenAsked) {
  const Json j = json({"compare", "pitch-control", "--schemes", "single-rate", "--methods", "ab2",
                       "--steps", "10ms,29.9ms", "--limits"});
  for (const Json& row : j.at("rows")) {
    EXPECT_NEAR(row.at("stable_step").get<double>(), 0.0297, 0.0003);
    EXPECT_EQ(row.at("stable"), row.at("step") < 0.0297);  // even where it grows only slowly
  }
}

TEST_F(Compare, ComparesOneGroupWithSingleRateOnly) {
  const Json j = json({"compare", "quarter-car-a"});
  EXPECT_FALSE(j.at("rows").empty());
  for (const Json& row : j.at("rows")) EXPECT_EQ(row.at("scheme"), "single-rate");
}

TEST_F(Compare, RefusesValuesThatAreGoodForNoRow) {
  const std::pair<std::vector<std::string>, std::string> cases[] = {
      {{"two-scale", "--schemes", "multifram"}, "did you mean 'multiframe'"},
      {{"two-scale", "--methods", "ab2,ab9"}, "there is no method 'ab9'"},
      {{"two-scale", "--interps", "interp1,linear"}, "there is no interpolator 'linear'"},
      {{"two-scale", "--ratios", "0"}, "a whole number from 1 to 1000000"},
      {{"two-scale", "--steps", "5 m"}, "is a time"},
      {{"two-scale", "--signals", "y*"}, "no signal is called 'y*'"},
      {{"quarter-car-a", "--schemes", "prk"}, "needs a slow and a fast group"},
      {{"two-scale", "--schemes", "reference"}, "compared with the reference already"}};
  for (const auto& [arguments, fault] : cases) {
    std::vector<std::string> all{"compare"};
    all.insert(all.end(), arguments.begin(), arguments.end());
    const auto outcome = chicane(all);
    EXPECT_EQ(outcome.code, 1) << arguments.back();
    EXPECT_NE(outcome.err.find(fault), std::string::npos) << outcome.err;
  }
}

TEST_F(Compare, DrawsErrorOverCost) {
  const Json j = json({"compare", "two-scale", "--until", "1s", "--plot", "--out", "grid"});
  EXPECT_EQ(j.at("out"), "grid");
  for (const char* name : {"compare.png", "compare.svg", "compare.json"})
    EXPECT_GT(fs::file_size(fs::path(dir_.path()) / "grid" / name), 0U) << name;
  EXPECT_NE(dir_.read("grid/compare.svg").find("multiframe ab2"), std::string::npos);
}

TEST_F(Compare, PrintsATableSortedByCost) {
  const auto outcome = chicane({"compare", "two-scale", "--until", "1s"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_NE(outcome.out.find("speed-up"), std::string::npos) << outcome.out;
  EXPECT_FALSE(fs::exists(fs::path(dir_.path()) / "runs"));  // nothing was asked to be written
}

}  // namespace
}  // namespace limit_compare_test
