// A run whose energy does not balance says so, and a strict one fails.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "testkit/program.hpp"

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

TEST(BalanceInARun, EndsAStrictRun) {
  const testkit::TemporaryDirectory directory;
  const Outcome o = run_pendulum(directory.path(), {"--method", "euler", "--strict"});
  EXPECT_EQ(o.code, 3) << o.err;
  EXPECT_NE(o.err.find("because of --strict"), std::string::npos) << o.err;
}

}  // namespace
