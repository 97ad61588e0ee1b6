// SPDX-License-Identifier: Apache-2.0

// Multirate schemes as users meet them: runs, counts, files that repeat, and words for wrong use.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>

#include "integrators/tableaus/pairs.hpp"
#include "testkit/cli.hpp"
#include "testkit/models.hpp"

namespace multirate_test {
namespace {

using Json = nlohmann::json;
namespace fs = std::filesystem;

using CliMultirate = testkit::CliTest;

// What a scheme evaluates per frame once it has started, with a ratio of 4, and how many frames its
// start takes.
struct Scheme {
  std::string name;
  int slow, fast, start;
};
const Scheme kSchemes[] = {{"multiframe", 1, 4, 1},
                           {"pece-multirate", 2, 8, 3},
                           {"pece-multirate-parallel", 3, 16, 3},
                           {"prk", 2, 5, 0}};

TEST_F(CliMultirate, RunsEverySchemeAndCountsItsEvaluationsByGroup) {
  for (const auto& [model, until, frames] :
       {std::tuple{"two-scale", "0.3", 30}, {"planar-vehicle", "0.02", 50}})
    for (const Scheme& s : kSchemes) {
      const Json j = json({"run", model, "--scheme", s.name, "--method", "ab2", "--until", until,
                           "--ratio", "4", "--out", "r"});
      EXPECT_EQ(j.at("status"), "ok");
      EXPECT_EQ(j.at("scheme"), s.name);
      EXPECT_EQ(j.at("frames"), frames) << model;
      const int counted = frames - s.start;
      EXPECT_EQ(j.at("evaluations").at("slow"), s.slow * counted) << model << " " << s.name;
      EXPECT_EQ(j.at("evaluations").at("fast"), s.fast * counted) << model << " " << s.name;
      // Runge-Kutta steps of both groups at the fast step; those of pece evaluate f_0 besides
      const int startup = 2 * 4 * 4 * s.start + (s.start > 1 ? 2 : 0);
      EXPECT_EQ(j.at("startup_evaluations"), startup) << model << " " << s.name;
      EXPECT_EQ(j.at("order"), 2);
      EXPECT_EQ(j.at("ratios").at("slow"), 1);
      for (const char* key : {"method", "step", "end_time", "final", "metrics", "ratios", "cost",
                              "extra_evaluations", "warnings", "out"})
        EXPECT_TRUE(j.contains(key)) << key;
    }
}

TEST_F(CliMultirate, TakesMethodsRatiosAndInterpolatorsByName) {
  const Json j =
      json({"run", "two-scale", "--scheme", "multiframe", "--method", "slow=ab2", "--method",
            "fast=rk4", "--ratio", "fast=5", "--interp", "x3=extrap1", "--until", "0.3"});
  EXPECT_EQ(j.at("method"), (Json{{"slow", "ab2"}, {"fast", "rk4"}}));
  EXPECT_EQ(j.at("ratios"), (Json{{"slow", 1}, {"fast", 5}}));
  EXPECT_EQ(j.at("evaluations"), (Json{{"slow", 29}, {"fast", 29 * 5 * 4}}));
}

struct Run {
  std::string name;
  std::vector<std::string> options;
};
void PrintTo(const Run& r, std::ostream* out) { *out << r.name; }

class CliEveryScheme : public CliMultirate, public testing::WithParamInterface<Run> {};
INSTANTIATE_TEST_SUITE_P(
    Schemes, CliEveryScheme,
    testing::Values(Run{"multiframe", {"--scheme", "multiframe"}},
                    Run{"own_methods",
                        {"--scheme", "multiframe", "--method", "slow=ab3", "--method", "fast=rk4",
                         "--ratio", "fast=2", "--interp", "interp3", "--interp", "v=extrap1"}},
                    Run{"fast_first",
                        {"--scheme", "multiframe", "--order", "fast-first", "--interp", "extrap2",
                         "--method", "am3", "--startup", "build-up", "--history", "restart"}},
                    Run{"pece",
                        {"--scheme", "pece-multirate", "--interp", "interp3", "--iterations",
                         "inner=2,outer=2"}},
                    Run{"parallel", {"--scheme", "pece-multirate-parallel"}},
                    Run{"parallel_on_one",
                        {"--scheme", "pece-multirate-parallel", "--threads", "1"}},
                    Run{"prk", {"--scheme", "prk"}},
                    Run{"tableau_file", {"--scheme", "prk", "--tableau", "t.yaml"}}),
    [](const auto& c) { return c.param.name; });

// A pair as a file of the user's own; `order` is what it claims.
std::string tableau_file(const chicane::TableauPair& pair, int order) {
  std::string text = "format: chicane/1\nname: mine\norder: " + std::to_string(order) + "\n";
  for (const auto& [name, k] : {std::pair{"slow", &pair.slow}, std::pair{"fast", &pair.fast}}) {
    text += std::string(name) + ":\n  A:\n";
    const auto n = static_cast<std::size_t>(k->stages);
    for (std::size_t i = 0; i < n; ++i) {
      text += "    - [";
      for (std::size_t j = 0; j < i; ++j) text += fmt::format("{}{}", j ? ", " : "", k->A[i][j]);
      text += "]\n";
    }
    text += "  b: [";
    for (std::size_t j = 0; j < n; ++j) text += fmt::format("{}{}", j ? ", " : "", k->b[j]);
    text += "]\n";
  }
  return text;
}

TEST_P(CliEveryScheme, RunEchoAndResumeAreBitwiseEqual) {
  dir_.write("model.yaml", std::string(testkit::kTwoRates) + testkit::kRequests);
  dir_.write("t.yaml", tableau_file(*chicane::find_pair("prk25"), 2));
  std::vector<std::string> run{"run", "model.yaml", "--step", "10ms",   "--ratio",
                               "4",   "--until",    "1.2",    "--quiet"};
  run.insert(run.end(), GetParam().options.begin(), GetParam().options.end());
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), run.begin(), run.end());
    return more;
  };
  const auto first = chicane(with({"--out", "a", "--checkpoint", "0.54"}));
  ASSERT_EQ(first.code, 0) << first.err;
  ASSERT_EQ(chicane(with({"--out", "again"})).code, 0);
  EXPECT_EQ(dir_.read("a/results.csv"), dir_.read("again/results.csv"));
  EXPECT_EQ(dir_.read("a/results.h5"), dir_.read("again/results.h5"));

  const auto echo = chicane({"run", "a/echo.yaml", "--out", "echo", "--quiet"});
  ASSERT_EQ(echo.code, 0) << echo.err;
  EXPECT_EQ(dir_.read("a/results.csv"), dir_.read("echo/results.csv"));

  const auto resumed = chicane(with({"--out", "rest", "--resume", "a/checkpoint.json"}));
  ASSERT_EQ(resumed.code, 0) << resumed.err;
  const std::string rest = rows_from("a/results.csv", 0.54);
  ASSERT_GT(rest.size(), 1000U);
  EXPECT_EQ(rows_from("rest/results.csv", 0.0), rest);
}

TEST_F(CliMultirate, APlanarVehicleRunsItsEchoAndItsRestBitForBit) {
  for (const Scheme& s : kSchemes) {
    const std::vector<std::string> run{"run",     "planar-vehicle", "--scheme", s.name,
                                       "--until", "0.04",           "--quiet"};
    const auto with = [&](std::vector<std::string> more) {
      more.insert(more.begin(), run.begin(), run.end());
      return more;
    };
    ASSERT_EQ(chicane(with({"--out", "a", "--checkpoint", "0.02"})).code, 0) << s.name;
    ASSERT_EQ(chicane({"run", "a/echo.yaml", "--out", "echo", "--quiet"}).code, 0) << s.name;
    EXPECT_EQ(dir_.read("a/results.csv"), dir_.read("echo/results.csv")) << s.name;
    ASSERT_EQ(chicane(with({"--out", "rest", "--resume", "a/checkpoint.json"})).code, 0) << s.name;
    EXPECT_EQ(rows_from("rest/results.csv", 0.0), rows_from("a/results.csv", 0.02)) << s.name;
  }
}

TEST_F(CliMultirate, ThreadsOfTheParallelSchemeChangeNoByte) {
  for (const char* threads : {"1", "2"})
    ASSERT_EQ(chicane({"run", "planar-vehicle", "--scheme", "pece-multirate-parallel", "--threads",
                       threads, "--until", "0.1", "--out", threads, "--quiet"})
                  .code,
              0);
  EXPECT_EQ(dir_.read("1/results.csv"), dir_.read("2/results.csv"));
}

TEST_F(CliMultirate, EveryZeroWritesTheStepsOfTheFastGroupInOrder) {
  ASSERT_EQ(chicane({"run", "two-scale", "--scheme", "multiframe", "--ratio", "4", "--until", "0.1",
                     "--every", "0", "--out", "r", "--quiet"})
                .code,
            0);
  std::istringstream in(rows_from("r/results.csv", 0));
  std::vector<double> t;
  std::vector<std::string> slow;  // x3 and x4, which keep their value within a frame
  for (std::string line; std::getline(in, line);) {
    t.push_back(std::stod(line));
    const std::size_t first = line.find(',') + 1, second = line.find(',', first) + 1;
    slow.push_back(line.substr(first, line.find(',', second) - first));
  }
  ASSERT_EQ(t.size(), 41U);
  EXPECT_EQ(std::adjacent_find(t.begin(), t.end(), std::greater_equal<>()), t.end());
  for (std::size_t i = 0; i < t.size(); ++i) {
    EXPECT_NEAR(t[i], 0.0025 * static_cast<double>(i), 1e-12);
    EXPECT_EQ(slow[i], slow[i - i % 4]) << t[i];
  }
}

TEST_F(CliMultirate, ATableauFileWithTheNumbersOfPrk25GivesItsResults) {
  dir_.write("t.yaml", tableau_file(*chicane::find_pair("prk25"), 2));
  const std::vector<std::string> run{"run",     "two-scale", "--scheme", "prk",
                                     "--until", "1",         "--quiet"};
  for (const char* tableau : {"prk25", "t.yaml"}) {
    auto arguments = run;
    arguments.insert(arguments.end(), {"--tableau", tableau, "--out", std::string("r_") + tableau});
    const auto outcome = chicane(arguments);
    ASSERT_EQ(outcome.code, 0) << outcome.err;
  }
  EXPECT_EQ(dir_.read("r_prk25/results.csv"), dir_.read("r_t.yaml/results.csv"));
}

// --- wrong use -----------------------------------------------------------------------------------

TEST_F(CliMultirate, WrongUseIsRefusedInWordsThatNameTheOption) {
  dir_.write("two.yaml", testkit::kTwoRates);
  dir_.write("three.yaml", R"yaml(
format: chicane/1
units: none
groups:
  slow: {states: {x: {der: y}}}
  mid: {states: {y: {der: -x + z}}}
  fast: {states: {z: {der: -z + y}}}
)yaml");
  chicane::TableauPair printed = *chicane::find_pair("prk25");  // as printed: two wrong entries
  printed.fast.A[2][1] = 0.18207389;
  printed.fast.A[3][1] = 0.50337891;
  dir_.write("printed.yaml", tableau_file(printed, 2));

  struct Case {
    std::vector<std::string> options;
    std::string expected;
  };
  const Case cases[] = {
      {{"two-scale", "--scheme", "multifram"}, "--scheme: 'multifram' is not one of"},
      {{"two-scale", "--scheme", "multifram"}, "did you mean 'multiframe'?"},
      {{"two-scale", "--scheme", "multiframe", "--interp", "interp4"},
       "--interp: there is no interpolator 'interp4'"},
      {{"two-scale", "--scheme", "prk", "--tableau", "prk26"},
       "--tableau: there is no tableau 'prk26'"},
      {{"two-scale", "--scheme", "multiframe", "--method", "quick=ab3"},
       "--method: there is no group 'quick'"},
      {{"two-scale", "--scheme", "multiframe", "--ratio", "quick=3"},
       "--ratio: there is no group 'quick'"},
      {{"two-scale", "--scheme", "multiframe", "--method", "fast=ab9"},
       "--method: there is no method 'ab9'"},
      {{"two-scale", "--scheme", "multiframe", "--ratio", "slow=2"},
       "--ratio: group 'slow' is the slowest"},
      {{"two-scale", "--scheme", "multiframe", "--ratio", "0"},
       "--ratio: a whole number from 1 to 1000000"},
      {{"three.yaml", "--scheme", "multiframe", "--ratio", "mid=2", "--ratio", "fast=3"},
       "--ratio: ratios are nested: that of group 'fast', 3, must be a multiple of that of 'mid', "
       "2"},
      {{"three.yaml", "--scheme", "pece-multirate"},
       "--scheme: scheme pece-multirate advances two"},
      {{"quarter-car-a", "--scheme", "pece-multirate"},
       "--scheme: scheme pece-multirate needs a slow and a fast group; this model has one"},
      {{"two.yaml", "--scheme", "multiframe", "--step", "10ms", "--interp", "interp2d"},
       "--interp: interp2d needs the rate of 'pull', which is not a state"},
      {{"two-scale", "--scheme", "multiframe", "--interp", "x9=hold"},
       "--interp: 'x9' is not a signal between groups"},
      {{"two-scale", "--scheme", "multiframe", "--order", "fast-first", "--interp", "interp1"},
       "--order: interp1 of 'x3' needs the slow group to be ahead"},
      {{"two-scale", "--scheme", "multiframe", "--order", "sideways"},
       "--order: 'sideways' is not one of slow-first, fast-first"},
      {{"two-scale", "--scheme", "pece-multirate", "--interp", "hold"},
       "--interp: scheme pece-multirate interpolates up to its prediction"},
      {{"two-scale", "--scheme", "pece-multirate", "--iterations", "inner"},
       "--iterations: 'inner' is not of the form inner=1,outer=2"},
      {{"two-scale", "--scheme", "multiframe", "--threads", "0"},
       "--threads: a number of threads is a whole number from 1 to 64"},
      {{"two-scale", "--scheme", "multiframe", "--group", "quick=slow"},
       "--group: quick: there is no block 'quick'"},
      {{"two-scale", "--scheme", "prk", "--tableau", "printed.yaml"},
       "printed.yaml:3: order: these coefficients have order 1, not 2"},
  };
  for (const Case& c : cases) {
    std::vector<std::string> arguments{"run"};
    arguments.insert(arguments.end(), c.options.begin(), c.options.end());
    const auto outcome = chicane(arguments);
    EXPECT_EQ(outcome.code, 1) << c.expected;
    EXPECT_NE(outcome.err.find(c.expected), std::string::npos)
        << "wanted: " << c.expected << "\ngot: " << outcome.err;
    EXPECT_FALSE(fs::exists(dir_.path() + "/runs")) << "nothing is begun";
  }
}

TEST_F(CliMultirate, CheckWarnsOfAnOrderThatIsLostAndSaysWhy) {
  const auto lost = chicane({"check", "two-scale", "--scheme", "multiframe", "--method", "ab3"});
  EXPECT_EQ(lost.code, 0);
  EXPECT_NE(lost.err.find("warning: this run has order 2, not 3: interp1 of 'x3' has 2 points"),
            std::string::npos)
      << lost.err;
  for (const std::vector<std::string>& kept :
       {std::vector<std::string>{"--method", "ab2"}, {"--method", "ab3", "--interp", "interp2"}}) {
    std::vector<std::string> arguments{"check", "two-scale", "--scheme", "multiframe"};
    arguments.insert(arguments.end(), kept.begin(), kept.end());
    EXPECT_EQ(chicane(arguments).err, "");
  }
}

TEST_F(CliMultirate, ACheckpointOfAnotherSchemeIsRefusedByName) {
  ASSERT_EQ(chicane({"run", "two-scale", "--scheme", "prk", "--until", "0.3", "--checkpoint", "0.1",
                     "--out", "a", "--quiet"})
                .code,
            0);
  const auto outcome = chicane({"run", "two-scale", "--scheme", "multiframe", "--until", "0.3",
                                "--resume", "a/checkpoint.json", "--out", "b"});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_NE(outcome.err.find("it was saved under scheme prk; add --scheme prk"), std::string::npos)
      << outcome.err;
}

// --- sampled memory ---

// Both groups sample: the fast one twice in a frame of 10 ms. `crossing`: the fast group reads the
// memory of the slow one.
std::string sampled_in_both(bool crossing) {
  return fmt::format(R"(
format: chicane/1
units: none
run: {{scheme: multiframe, method: ab2, step: 10 ms, ratio: 4, until: 2 s}}
groups:
  slow:
    states:
      x: {{der: v}}
      v: {{der: -4*x - 0.4*v + 0.5*y{}, initial: 1}}
    memory: {{a: {{next: -0.8*v, sample: 200 ms}}}}
  fast:
    states: {{y: {{der: 5*(x - y) + b{}}}}}
    memory: {{b: {{next: -0.5*y + 0.3*x, sample: 5 ms}}}}
)",
                     crossing ? "" : " + a", crossing ? " + a" : "");
}

TEST_F(CliMultirate, EveryCommandTakesAFileThatSamplesWithinItsFrame) {
  dir_.write("sampled.yaml", sampled_in_both(false));
  for (const char* command :
       {"run", "check", "limit", "describe", "linearize", "bench", "compare"}) {
    const auto o = chicane({command, "sampled.yaml", "--json"});
    EXPECT_EQ(o.code, 0) << command << ": " << o.err;
  }
  const auto advice = chicane({"advise", "sampled.yaml", "--json"});
  EXPECT_NE(advice.code, 1) << advice.err;  // it may know nothing better, but takes the file
  const auto quiet = chicane({"run", "sampled.yaml", "--quiet"});
  EXPECT_NE(quiet.err.find("order 1, not 2"), std::string::npos) << quiet.err;
  EXPECT_EQ(chicane({"linearize", "sampled.yaml", "--at", "0.3 s", "--method", "rk4"}).code, 0);
}

// What is said beside what is seen: samples are jumps, which old derivatives and interpolated
// signals do not know of.
TEST_F(CliMultirate, SaysTheOrderThatSampledMemoryLeaves) {
  struct Case {
    bool crossing;
    std::vector<std::string> options;
    int order;
  };
  const Case cases[] = {{false, {"--scheme", "single-rate", "--method", "ab2"}, 1},
                        {false, {"--scheme", "single-rate", "--method", "rk2"}, 2},
                        {false, {"--method", "ab2"}, 1},
                        {false, {"--method", "ab2", "--history", "restart"}, 1},
                        {false, {"--method", "rk2"}, 2},
                        {true, {"--method", "rk2"}, 1},
                        {true, {"--scheme", "prk"}, 2},
                        {false, {"--scheme", "pece-multirate", "--interp", "interp3"}, 1}};
  for (const Case& c : cases) {
    std::string text = sampled_in_both(c.crossing);
    text.replace(text.find("sample: 5 ms"), 12, "sample: 40 ms");
    dir_.write("m.yaml", text);
    const auto run = [&](const std::vector<std::string>& options, const char* step) {
      std::vector<std::string> all{"run", "m.yaml", "--quiet", "--out", "r", "--step", step};
      all.insert(all.end(), options.begin(), options.end());
      return json(all);
    };
    const Json exact = run({"--scheme", "single-rate", "--method", "rk4"}, "0.5 ms");
    const auto error = [&](const Json& j) {
      double worst = 0;
      for (const char* name : {"x", "v", "y"})
        worst = std::max(worst, std::fabs(j.at("final").at(name).get<double>() -
                                          exact.at("final").at(name).get<double>()));
      return worst;
    };
    const Json coarse = run(c.options, "5 ms"), fine = run(c.options, "2.5 ms");
    const std::string what = fmt::format("{} {}", fmt::join(c.options, " "), c.crossing);
    EXPECT_EQ(fine.at("order"), c.order) << what;
    EXPECT_NEAR(std::log2(error(coarse) / error(fine)), c.order, 0.35) << what;
    EXPECT_EQ(fine.at("warnings").dump().find("this run has order 1") != std::string::npos,
              c.order == 1)
        << what << fine.at("warnings");
  }
}

}  // namespace
}  // namespace multirate_test
