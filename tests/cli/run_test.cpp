// SPDX-License-Identifier: Apache-2.0

// The program as its users meet it: files, JSON, exit codes, and runs that repeat bit for bit.

#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>

#include "assembly/parts/registry.hpp"
#include "blocks/registry.hpp"
#include "integrators/method.hpp"
#include "io/builtin_models.hpp"
#include "testkit/cli.hpp"
#include "testkit/models.hpp"

namespace run_test {
namespace {

using Json = nlohmann::json;
namespace fs = std::filesystem;

class Cli : public testkit::CliTest {};

class CliEveryMethod : public Cli, public testing::WithParamInterface<std::string> {};
std::vector<std::string> names() {
  const auto list = chicane::method_names();
  std::vector<std::string> all{list.begin(), list.end()};
  all.emplace_back("file");       // a method of the user's own
  all.emplace_back("reference");  // not a method, but a scheme must repeat, too
  return all;
}
INSTANTIATE_TEST_SUITE_P(Methods, CliEveryMethod, testing::ValuesIn(names()),
                         [](const auto& m) { return m.param; });

TEST_P(CliEveryMethod, RunEchoAndResumeAreBitwiseEqual) {
  dir_.write("model.yaml", testkit::kEverything);
  dir_.write(
      "kutta3.yaml",
      "format: chicane/1\nname: kutta3\norder: 3\nA: [[], [1/2], [-1, 2]]\nb: [1/6, 2/3, 1/6]\n");
  std::vector<std::string> run{"run", "model.yaml", "--step", "1ms", "--until", "0.7", "--quiet"};
  if (GetParam() == "reference")
    run.insert(run.end(), {"--scheme", "reference"});
  else
    run.insert(run.end(), {"--method", GetParam() == "file" ? "kutta3.yaml" : GetParam()});
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), run.begin(), run.end());
    return more;
  };
  ASSERT_EQ(chicane(with({"--out", "a", "--checkpoint", "0.337"})).code, 0);
  ASSERT_EQ(chicane(with({"--out", "again"})).code, 0);
  EXPECT_EQ(dir_.read("a/results.csv"), dir_.read("again/results.csv"));
  EXPECT_EQ(dir_.read("a/results.h5"), dir_.read("again/results.h5"));

  ASSERT_EQ(chicane({"run", "a/echo.yaml", "--out", "echo", "--quiet"}).code, 0);
  EXPECT_EQ(dir_.read("a/results.csv"), dir_.read("echo/results.csv"));

  ASSERT_EQ(chicane(with({"--out", "rest", "--resume", "a/checkpoint.json"})).code, 0);
  const std::string rest = rows_from("a/results.csv", 0.337);
  ASSERT_FALSE(rest.empty());
  EXPECT_EQ(rows_from("rest/results.csv", 0.0), rest);

  // the echo of a resumed run repeats it, from its own directory alone
  fs::rename(dir_.path() + "/rest", dir_.path() + "/moved");
  ASSERT_EQ(chicane({"run", "moved/echo.yaml", "--out", "rest2", "--quiet"}).code, 0);
  EXPECT_EQ(dir_.read("moved/results.csv"), dir_.read("rest2/results.csv"));
}

TEST_F(Cli, RunGivesTheKeysThatScriptsRelyOn) {
  const Json j = json({"run", "two-scale", "--out", "r"});
  EXPECT_EQ(j.at("status"), "ok");
  EXPECT_EQ(j.at("model"), "two-scale");
  EXPECT_EQ(j.at("scheme"), "single-rate");
  EXPECT_EQ(j.at("end_time"), 10.0);
  EXPECT_EQ(j.at("frames"), 1000);
  EXPECT_NEAR(j.at("final").at("x3").get<double>(), 0.9578, 1e-3);
  EXPECT_EQ(j.at("evaluations").at("fast"), 999);
  EXPECT_EQ(j.at("evaluations").at("slow"), 999);
  EXPECT_EQ(j.at("startup_evaluations"), 4);
  for (const char* key : {"frame_us", "speedup", "wall_speedup"})
    EXPECT_GT(j.at("cost").at(key), 0.0) << key;
  EXPECT_TRUE(j.at("metrics").is_object());
  EXPECT_EQ(j.at("out"), "r");
  for (const char* file : {"echo.yaml", "log.txt", "manifest.json", "results.csv", "results.h5"})
    EXPECT_TRUE(fs::exists(dir_.path() + "/r/" + file)) << file;
}

TEST_F(Cli, ResultsHoldNamesUnitsAndNothingThatChanges) {
  json({"run", "quarter-car-a", "--until", "0.01", "--out", "r", "--output", "z", "--output",
        "F_*"});
  EXPECT_EQ(dir_.read("r/results.csv"), "time,z,F_s\ns,mm,N\n0,0,0\n0.005,0,0\n0.01,0,0\n");
}

TEST_F(Cli, RunsAreNumberedAndKept) {
  json({"run", "quarter-car-a", "--until", "0.1"});
  const Json second = json({"run", "quarter-car-a", "--until", "0.1"});
  EXPECT_EQ(second.at("out"), "runs/quarter-car-a-002");
  EXPECT_TRUE(fs::exists(dir_.path() + "/runs/quarter-car-a-001/results.csv"));
}

TEST_F(Cli, UntilEndsWithTheLastWholeFrameBeforeIt) {
  EXPECT_EQ(json({"run", "two-scale", "--step", "30ms", "--until", "1s"}).at("end_time"), 0.99);
  EXPECT_EQ(json({"run", "two-scale", "--step", "100ms", "--until", "0.3"}).at("frames"), 3);
}

TEST_F(Cli, EveryDecimatesAndZeroShowsHalfSteps) {
  const auto times = [&](const std::string& every) {
    json({"run", "quarter-car-a", "--method", "am2", "--step", "10ms", "--until", "0.06", "--every",
          every, "--startup", "build-up", "--out", "r" + every, "--output", "z"});
    std::vector<double> t;
    std::istringstream in(rows_from("r" + every + "/results.csv", 0));
    for (std::string line; std::getline(in, line);) t.push_back(std::stod(line));
    return t;
  };
  EXPECT_EQ(times("2"), (std::vector<double>{0, 0.02, 0.04, 0.06}));
  EXPECT_EQ(times("0"), (std::vector<double>{0, 0.005, 0.01, 0.015, 0.02, 0.025, 0.03, 0.035, 0.04,
                                             0.045, 0.05, 0.055, 0.06}));
}

TEST_F(Cli, SetChangesParametersAndTheEchoKeepsThem) {
  const Json j = json({"run", "quarter-car-a", "--set", "h_step=20 mm", "--set", "m=350 kg",
                       "--out", "r", "--until", "5"});
  EXPECT_NEAR(j.at("final").at("z").get<double>(), 20, 0.1);
  EXPECT_NE(dir_.read("r/echo.yaml").find("350 kg"), std::string::npos);
  EXPECT_EQ(chicane({"run", "quarter-car-a", "--set", "m=350 mm"}).code, 1);
}

TEST_F(Cli, CheckStepSaysToHowManyDigitsHalfTheStepAgrees) {
  const Json coarse =
      json({"run", "quarter-car-b", "--step", "1ms", "--check-step", "--set", "t_step=0 s"});
  const Json fine =
      json({"run", "quarter-car-b", "--step", "0.1ms", "--check-step", "--set", "t_step=0 s"});
  const double gain = fine.at("check_step").at("digits").get<double>() -
                      coarse.at("check_step").at("digits").get<double>();
  EXPECT_NEAR(gain, 2.0, 0.2);  // a second-order method gains two digits with a tenth of the step
}

TEST_F(Cli, AnUnstableRunFailsWithADiagnosisAndKeepsItsOutputs) {
  const auto outcome = chicane({"run", "quarter-car-b", "--step", "20ms", "--out", "r"});
  EXPECT_EQ(outcome.code, 3);
  for (const char* part : {"state 'v_u'", "block 'fast'", "group fast",
                           "t = ", "outside the stability region of rk2", "Try --step"})
    EXPECT_NE(outcome.err.find(part), std::string::npos) << part << "\n" << outcome.err;
  EXPECT_GT(rows_from("r/results.csv", 0.1).size(), 1000U);
  const auto as_json = chicane({"run", "quarter-car-b", "--step", "20ms", "--out", "r", "--json"});
  EXPECT_EQ(as_json.code, 3);
  EXPECT_NE(Json::parse(as_json.out).at("status"), "ok");
  EXPECT_EQ(chicane({"run", "quarter-car-b", "--step", "9ms", "--out", "r"}).code, 0);
}

TEST_F(Cli, CheckWarnsOfAnUnstableStepAndNamesTheMode) {
  const auto good = chicane({"check", "pitch-control"});
  EXPECT_EQ(good.code, 0);
  EXPECT_EQ(good.err, "");
  const auto bad = chicane({"check", "pitch-control", "--step", "31ms"});
  EXPECT_EQ(bad.code, 0);
  EXPECT_NE(bad.err.find("warning"), std::string::npos);
  EXPECT_NE(bad.err.find("group fast"), std::string::npos) << bad.err;
}

TEST_F(Cli, IsSilentOnAPipeButForItsSummary) {
  const auto outcome = chicane({"run", "pitch-control", "--out", "r"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.err, "");
  EXPECT_EQ(outcome.out.find('\r'), std::string::npos);
  EXPECT_NE(outcome.out.find("speed-up"), std::string::npos);
}

TEST_F(Cli, EventsStopARunAndTerminalCalculationsAreItsMetrics) {
  dir_.write("m.yaml", R"yaml(
format: chicane/1
states: {x: {der: "2[m/s]", unit: m}}
memory: {peak: {next: "max(peak, x)", unit: m}}
events: {far: {when: "x >= 1[m]", do: [{stop: far enough}]}}
terminal: {reached: {value: x, unit: cm}}
)yaml");
  const Json j = json({"run", "m.yaml", "--step", "10ms", "--until", "9"});
  EXPECT_EQ(j.at("status"), "ok");
  EXPECT_EQ(j.at("stopped"), "far enough");
  EXPECT_NEAR(j.at("metrics").at("reached").get<double>(), 100, 1e-9);
  EXPECT_EQ(j.at("end_time"), 0.5);
}

TEST_F(Cli, PlotsToPngAndSvg) {
  json({"run", "two-scale", "--plot", "--out", "r"});
  EXPECT_EQ(dir_.read("r/plot.png").substr(1, 3), "PNG");
  EXPECT_NE(dir_.read("r/plot.svg").find("x3"), std::string::npos);
}

// Blocks written in C++ are in the echo with all they were given.
TEST_F(Cli, TheEchoOfAModelWithNativeBlocksRepeatsItBitForBit) {
  for (const char* model : {"planar-vehicle", "planar-vehicle-inertial", "planar-spacecraft"}) {
    std::vector<std::string> run{"run", model, "--until", "0.2", "--out", "a", "--quiet"};
    if (std::string_view(model).starts_with("planar-vehicle"))
      run.insert(run.end(), {"--set", "tire_f.mu=0.8", "--set", "tire_r.vy=-0.1 m/s"});
    ASSERT_EQ(chicane(run).code, 0) << model;
    ASSERT_EQ(chicane({"run", "a/echo.yaml", "--out", "b", "--quiet"}).code, 0) << model;
    EXPECT_EQ(dir_.read("a/results.csv"), dir_.read("b/results.csv")) << model;
    for (const char* out : {"a", "b"}) fs::remove_all(fs::path(dir_.path()) / out);
  }
}

TEST_F(Cli, ListsDescribesAndExplainsItself) {
  const Json methods = json({"list", "methods"});
  EXPECT_EQ(methods.at("methods").size(), chicane::method_names().size());
  EXPECT_EQ(json({"list", "models"}).at("models").size(), chicane::builtin_models().size());
  std::size_t types = 0;
  for (const chicane::PartSection* s : chicane::part_registry().sections())
    types += s->types().size();
  EXPECT_EQ(json({"list", "parts"}).at("parts").size(), types);
  EXPECT_EQ(json({"list", "blocks"}).at("blocks").size(), chicane::block_registry().names().size());
  const Json d = json({"describe", "two-scale"});
  EXPECT_EQ(d.at("wiring").size(), 2U);
  EXPECT_EQ(chicane({"describe", "pitch-control"}).code, 0);
  EXPECT_EQ(chicane({"--help"}).code, 0);
  EXPECT_EQ(chicane({"--version"}).code, 0);
  EXPECT_EQ(chicane({}).code, 2);
  EXPECT_EQ(chicane({"run"}).code, 2);
  EXPECT_EQ(chicane({"run", "two-scale", "--stpe", "1ms"}).code, 2);
  EXPECT_EQ(chicane({"run", "two-scael"}).code, 1);
}

TEST_F(Cli, RealTimeTakesAsLongAsItSimulates) {
  const Json j = json({"run", "two-scale", "--realtime", "--until", "0.3", "--out", "r"});
  EXPECT_LE(j.at("cost").at("wall_speedup").get<double>(), 1.01);
}

// The figures of the ADSIM paper's fourth-order example, in a run: steady x3 = 0.9007 (k2 k1 r /
// ...).
TEST_F(Cli, TwoScaleSettlesAtItsKnownValue) {
  const Json j = json({"run", "two-scale", "--until", "60", "--out", "r"});
  const double steady = 1000.0 / (35.0 * 35.0 * 0.3 * 0.3 + 1000.0);
  EXPECT_NEAR(j.at("final").at("x3").get<double>(), steady, 1e-6);
  EXPECT_NEAR(steady, 0.9007, 5e-5);
}

}  // namespace
}  // namespace run_test
