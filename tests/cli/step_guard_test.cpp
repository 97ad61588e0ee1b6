// SPDX-License-Identifier: Apache-2.0

// What a run says of its own step.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "testkit/cli.hpp"

namespace step_guard_test {
namespace {

using Json = nlohmann::json;

class StepGuardCli : public testkit::CliTest {
 protected:
  // A stiff follower whose rate is bounded: an unstable step makes it chatter, and never fail.
  void SetUp() override {
    testkit::CliTest::SetUp();
    dir_.write("follower.yaml", R"yaml(
format: chicane/1
units: none
run: {method: ab2, step: 0.25 ms, until: 3 s, every: 100}
groups:
  slow: {states: {x: {der: "v"}}}
  fast: {states: {v: {der: "-1500*tanh(2*(v - sin(t) - 0.1*x))"}}}
)yaml");
  }
};

TEST_F(StepGuardCli, AnUnstableStepIsAWarningWithTimeSignalAndRemedy) {
  const auto good = chicane({"run", "follower.yaml", "--json", "--out", "good"});
  ASSERT_EQ(good.code, 0);
  EXPECT_TRUE(Json::parse(good.out).at("warnings").empty()) << good.out;

  const auto bad = chicane({"run", "follower.yaml", "--step", "1ms", "--json", "--out", "bad"});
  ASSERT_EQ(bad.code, 0);  // it ended, and looks like a result
  const Json warnings = Json::parse(bad.out).at("warnings");
  ASSERT_EQ(warnings.size(), 1U) << bad.out;
  EXPECT_EQ(warnings[0].at("signal"), "v");
  EXPECT_EQ(warnings[0].at("part"), "fast");
  EXPECT_LT(warnings[0].at("time").get<double>(), 3.0);
  const auto text = warnings[0].at("text").get<std::string>();
  for (const char* part : {"group fast", "ab2 makes the mode at", "holds"})
    EXPECT_NE(text.find(part), std::string::npos) << part << " in " << text;
}

TEST_F(StepGuardCli, AStrictRunStopsThere) {
  const auto strict =
      chicane({"run", "follower.yaml", "--step", "1ms", "--strict", "--quiet", "--out", "strict"});
  EXPECT_NE(strict.code, 0);
  EXPECT_NE(strict.err.find("because of --strict"), std::string::npos) << strict.err;
  EXPECT_EQ(
      chicane({"run", "follower.yaml", "--strict", "--quiet", "--out", "strict-and-good"}).code, 0);
}

}  // namespace
}  // namespace step_guard_test
