// SPDX-License-Identifier: Apache-2.0

// Inputs from CSV files: a run follows them, says where they end, and its echo needs no file.

#include <gtest/gtest.h>

#include <filesystem>

#include "testkit/cli.hpp"

namespace inputs_test {
namespace {

using Json = nlohmann::json;

// A mass of 1 kg, pushed.
constexpr const char* kPushed = R"yaml(format: chicane/1
run: {step: 10 ms, until: 1 s, method: rk4}
parameters: {m: 1 kg}
inputs:
  F: {value: 1 N, description: what pushes it}
  drag: 0 N s/m
states:
  v: {der: (F - drag*v)/m, unit: m/s}
)yaml";

class Inputs : public testkit::CliTest {
 protected:
  void SetUp() override {
    dir_.write("m.yaml", kPushed);
    dir_.write("ramp.csv", "time [s], F [kN]\n0, 0\n1, 0.01\n");
    dir_.write("steps.csv", "time,F\ns,N\n0,2\n0.5,6\n1,0\n");
  }
  double end_of(const std::vector<std::string>& arguments) {
    return json(arguments).at("final").at("v");
  }
  void expect_refused(const std::vector<std::string>& arguments, const std::string& why) const {
    const auto outcome = chicane(arguments);
    EXPECT_EQ(outcome.code, 1) << outcome.out;
    EXPECT_NE(outcome.err.find(why), std::string::npos) << why << "\nis not in\n" << outcome.err;
  }
};

// The integral of a ramp by a method that is exact for it, and of steps by one that is for these.
TEST_F(Inputs, AreJoinedByStraightLinesOrHeld) {
  EXPECT_NEAR(end_of({"run", "m.yaml"}), 1.0, 1e-14);
  EXPECT_NEAR(end_of({"run", "m.yaml", "--inputs", "ramp.csv"}), 5.0, 1e-13);
  const std::vector<std::string> run{"run", "m.yaml", "--method", "euler", "--inputs", "steps.csv"};
  auto held = run;
  held.emplace_back("--hold-inputs");
  EXPECT_NEAR(end_of(held), 0.5 * 2 + 0.5 * 6, 1e-13);
  EXPECT_NEAR(end_of(run), 0.5 * 4 + 0.5 * 3 + 0.005 * 2, 1e-13);  // trapezia, and Euler's error
}

TEST_F(Inputs, StandInAModelFileInABaseAndInAManoeuvre) {
  const std::string in_model = std::string(kPushed).replace(
      std::string(kPushed).find("{value: 1 N,"), 12, "{file: f.csv, column: push, ");
  dir_.write("a.yaml", in_model);
  dir_.write("f.csv", "t [ms], other, push [N]\n0, word, 0\n1000, word, 10\n");
  EXPECT_NEAR(end_of({"run", "a.yaml"}), 5.0, 1e-13);
  dir_.write("b.yaml",
             "format: chicane/1\nbase: m.yaml\ninputs: {F: {file: steps.csv, interpolation: "
             "hold}}\nrun: {method: euler}\n");
  EXPECT_NEAR(end_of({"run", "b.yaml"}), 4.0, 1e-13);
  dir_.write("man.yaml", "format: chicane/1\ninputs: {F: {file: ramp.csv}}\n");
  EXPECT_NEAR(end_of({"run", "m.yaml", "--manoeuvre", "man.yaml"}), 5.0, 1e-13);
}

TEST_F(Inputs, AreHeldByTheEchoWhichRepeatsTheRunWithoutTheFile) {
  for (const char* how : {"--plot", "--hold-inputs"}) {
    json({"run", "m.yaml", "--inputs", "ramp.csv", "--out", "a", how});
    std::filesystem::rename(dir_.path() + "/ramp.csv", dir_.path() + "/gone");
    json({"run", "a/echo.yaml", "--out", "b"});
    EXPECT_EQ(dir_.read("a/results.csv"), dir_.read("b/results.csv"));
    EXPECT_GT(dir_.read("b/results.csv").size(), 1000U);
    EXPECT_EQ(dir_.read("a/echo.yaml").find("ramp.csv"), std::string::npos);
    std::filesystem::rename(dir_.path() + "/gone", dir_.path() + "/ramp.csv");
  }
}

// A signal of one run drives the input of another.
TEST_F(Inputs, MayBeTheResultsOfARun) {
  dir_.write("source.yaml",
             "format: chicane/1\nrun: {step: 10 ms, until: 1 s, method: rk4, signals: [F]}\n"
             "outputs: {F: {value: '10[N]*t/1[s]', unit: N}}\n");
  json({"run", "source.yaml", "--out", "s"});
  EXPECT_NEAR(end_of({"run", "m.yaml", "--inputs", "s/results.csv"}), 5.0, 1e-13);
}

TEST_F(Inputs, ThatEndBeforeTheRunOrBeginAfterItAreWarnedOf) {
  const auto warnings = [&](const std::vector<std::string>& arguments) {
    std::string all;
    const Json result = json(arguments);
    for (const Json& w : result.at("warnings")) all += w.dump() + "\n";
    return all;
  };
  EXPECT_EQ(warnings({"run", "m.yaml", "--inputs", "ramp.csv"}), "");
  EXPECT_NE(warnings({"run", "m.yaml", "--inputs", "ramp.csv", "--until", "2s"})
                .find("the rows of input 'F' end at t = 1 s"),
            std::string::npos);
  dir_.write("late.csv", "time [s], F [N]\n0.5, 0\n1, 1\n");
  EXPECT_NE(warnings({"run", "m.yaml", "--inputs", "late.csv"}).find("begin at t = 0.5 s"),
            std::string::npos);
}

TEST_F(Inputs, ThatAreWrongAreRefusedWithFileLineAndColumn) {
  const std::vector<std::string> run{"run", "m.yaml", "--inputs", "x.csv"};
  for (const auto& [text, why] : std::vector<std::pair<std::string, std::string>>{
           {"time [s], f [N]\n0, 1\n", "x.csv:1: column 2 (f): there is no input 'f' to drive"},
           {"time [s], F [m]\n0, 1\n", "x.csv:1: column 2 (F): this column is a length, but"},
           {"F [N], time [s]\n0, 1\n", "x.csv:1: column 1 (F): the first column must have the"},
           {"time [s], F\n0, 1\n", "x.csv:1: column 2 (F): the unit is missing"},
           {"time [s], F [N]\n0, 1\n0, 2\n", "x.csv:3: column 1 (time): the same number"},
           {"time [s], F [N]\n0, 1\n-1, 2\n", "x.csv:3: column 1 (time): a smaller number"},
           {"time [s], F [N]\n0, nan\n", "x.csv:2: column 2 (F): a finite number"},
           {"time [s], F [N], F [N]\n0, 1, 1\n", "'F' is no input any more"},
           {"time [s]\n0\n", "x.csv:1: a column of times and one for each input"},
           {std::string("\x7f"
                        "ELF\x02\x01\0\0",
                        8),
            "x.csv:1: "}}) {
    dir_.write("x.csv", text);
    expect_refused(run, why);
  }
  expect_refused({"run", "m.yaml", "--inputs", "none.csv"}, "cannot read the file 'none.csv'");
  expect_refused({"run", "m.yaml", "--inputs", "m.yaml"}, "its name must end in .csv");
  expect_refused({"run", "m.yaml", "--inputs", "ramp.csv", "--set", "F=2N"}, "F");
  expect_refused({"run", "m.yaml", "--hold-inputs"}, "add --inputs FILE");
  dir_.write("c.yaml", "format: chicane/1\nbase: m.yaml\ninputs: {G: {file: ramp.csv}}\n");
  expect_refused({"run", "c.yaml"}, "ramp.csv' has no column 'G'");
}

TEST_F(Inputs, ThatAreTooLargeAreRefusedAtOnce) {
  std::string big = "time [s], F [N]\n";
  big.append(100'000'000, '1');
  dir_.write("big.csv", big);
  expect_refused({"run", "m.yaml", "--inputs", "big.csv"}, "big.csv:1: this file is too large");
}

}  // namespace
}  // namespace inputs_test
