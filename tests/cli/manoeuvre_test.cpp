// SPDX-License-Identifier: Apache-2.0

// Manoeuvres and metrics as users meet them.

#include <gtest/gtest.h>

#include "io/builtin_models.hpp"
#include "io/reader/reader.hpp"
#include "testkit/cli.hpp"

namespace manoeuvre_test {
namespace {

using Json = nlohmann::json;

class Manoeuvre : public testkit::CliTest {
 protected:
  void SetUp() override {
    dir_.write("step.yaml", R"yaml(
format: chicane/1
description: Step of the command.
run: {step: 5 ms, until: 9 s}
parameters: {t_0: {value: 1 s, description: when the command steps}, kf: 0.5}
equations: {drives: {r: "if(t >= t_0, 1, 0)"}}
metrics:
  peak: {max: x3, description: of the plant}
  begin: {crosses: r, level: 0.5}
  there: {crosses: x3, level: 0.5*peak}
  never: {crosses: x3, level: 2*peak}
  effort: {rms: x1, unit: "%"}
terminal: {delay: there - begin, no_delay: never - begin}
)yaml");
  }
};

TEST_F(Manoeuvre, IsLaidOverAModelAndIsInItsEcho) {
  const Json a = json({"run", "two-scale", "--manoeuvre", "step.yaml", "--out", "a"});
  EXPECT_EQ(a.at("model"), "two-scale+step");
  EXPECT_EQ(a.at("end_time"), 9);
  EXPECT_EQ(a.at("step"), 0.005);
  EXPECT_GT(a.at("metrics").at("delay"), 0);
  const Json b = json({"run", "a/echo.yaml", "--out", "b"});
  EXPECT_EQ(dir_.read("a/results.csv"), dir_.read("b/results.csv"));
  EXPECT_EQ(a.at("metrics"), b.at("metrics"));
  EXPECT_EQ(Json::parse(dir_.read("a/manifest.json")).at("metrics"), a.at("metrics"));
  EXPECT_EQ(json({"run", "two-scale", "--maneuver", "step.yaml", "--out", "c"}).at("metrics"),
            a.at("metrics"));
}

TEST_F(Manoeuvre, HasParametersOfItsOwnThatCanBeSet) {
  const Json m =
      json({"run", "two-scale", "--manoeuvre", "step.yaml", "--set", "t_0=2 s", "--out", "a"})
          .at("metrics");
  EXPECT_NEAR(m.at("begin"), 1.9975, 1e-12);  // between the frames beside the step
}

// Whatever is written: metrics see every frame.
TEST_F(Manoeuvre, HasTheSameMetricsWhateverIsWritten) {
  const auto metrics = [&](const std::vector<std::string>& more) {
    std::vector<std::string> run{"run", "two-scale", "--manoeuvre", "step.yaml", "--out", "a"};
    run.insert(run.end(), more.begin(), more.end());
    return json(run).at("metrics");
  };
  const Json all = metrics({});
  EXPECT_EQ(metrics({"--every", "7"}), all);
  EXPECT_EQ(metrics({"--every", "0"}), all);
  EXPECT_EQ(metrics({"--output", "x4"}), all);
  const Json multiframe = metrics({"--scheme", "multiframe"});
  EXPECT_EQ(metrics({"--scheme", "multiframe", "--every", "7"}), multiframe);
  EXPECT_NEAR(multiframe.at("peak"), all.at("peak"), 1e-3);  // another scheme of order 2
}

TEST_F(Manoeuvre, WritesADashAndNullForWhatNeverHappened) {
  const std::vector<std::string> run{"run", "two-scale", "--manoeuvre", "step.yaml", "--out", "a"};
  const Json m = json(run).at("metrics");
  EXPECT_TRUE(m.at("never").is_null());
  EXPECT_TRUE(m.at("no_delay").is_null());
  const std::string text = chicane(run).out;
  EXPECT_NE(text.find("  never = - s\n"), std::string::npos) << text;
  EXPECT_NE(text.find("  no_delay = - s\n"), std::string::npos) << text;
  EXPECT_EQ(text.find("nan"), std::string::npos) << text;
}

// A resumed run knows what it has seen.
TEST_F(Manoeuvre, CountsFromWhereARunIsResumed) {
  const std::vector<std::string> run{"run", "two-scale", "--manoeuvre", "step.yaml"};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), run.begin(), run.end());
    return json(more).at("metrics");
  };
  dir_.write("integral.yaml",
             "format: chicane/1\nbase: two-scale\nmetrics: {elapsed: {integral: r}}\n");
  with({"--checkpoint", "2.5", "--out", "a"});
  const Json rest = with({"--resume", "a/checkpoint.json", "--out", "b"});
  EXPECT_TRUE(rest.at("begin").is_null());  // it was before
  EXPECT_FALSE(rest.at("peak").is_null());
  EXPECT_EQ(json({"run", "b/echo.yaml", "--out", "c"}).at("metrics"), rest);

  json({"run", "integral.yaml", "--checkpoint", "2.5", "--out", "d"});
  EXPECT_NEAR(json({"run", "integral.yaml", "--resume", "d/checkpoint.json", "--out", "e"})
                  .at("metrics")
                  .at("elapsed"),
              7.5, 1e-12);
}

TEST_F(Manoeuvre, IsForEveryCommandThatReadsAModel) {
  for (const std::vector<std::string>& command : std::vector<std::vector<std::string>>{
           {"check"},
           {"describe"},
           {"linearize"},
           {"limit"},
           {"compare", "--until", "1", "--methods", "ab2", "--schemes", "single-rate"},
           {"advise", "--until", "3", "--accuracy", "1e-2"}}) {
    std::vector<std::string> all = command;
    all.insert(all.begin() + 1, {"two-scale", "--manoeuvre", "step.yaml"});
    EXPECT_EQ(json(all).at("model"), "two-scale+step") << command[0];
  }
  const Json d = json({"describe", "two-scale", "--manoeuvre", "step.yaml"});
  EXPECT_EQ(d.at("metrics").size(), 5U);
  EXPECT_EQ(d.at("metrics")[4].at("unit"), "%");
}

TEST_F(Manoeuvre, IsLaidOverAMechanism) {
  dir_.write("swing.yaml", R"yaml(
format: chicane/1
run: {until: 2 s}
parameters: {level: 0.5 rad}
metrics: {passes: {crosses: hinge.angle, level: level}}
)yaml");
  const Json m = json({"run", "pendulum", "--manoeuvre", "swing.yaml", "--out", "a"}).at("metrics");
  EXPECT_GT(m.at("passes"), 0);
  EXPECT_EQ(chicane({"check", "pendulum", "--manoeuvre", "swing.yaml"}).code, 0);
}

// A new parameter is not wrong, but one that nothing uses was meant to be another.
TEST_F(Manoeuvre, WarnsOfAParameterThatNothingUses) {
  const std::string misspelt = R"yaml(
format: chicane/1
parameters: {t_0: 1 s, kff: 0.5}
equations: {drives: {r: "if(t >= t_0, 1, 0)"}}
)yaml";
  dir_.write("misspelt.yaml", misspelt);
  const Json found = json({"check", "two-scale", "--manoeuvre", "misspelt.yaml"}).at("warnings");
  ASSERT_EQ(found.size(), 1) << found;
  EXPECT_EQ(found.at(0).at("file"), "misspelt.yaml");
  EXPECT_EQ(found.at(0).at("line"), 3);
  const std::string words = found.at(0).at("text");
  EXPECT_NE(words.find("'kff' (did you mean 'kf'?)"), std::string::npos) << words;
  EXPECT_TRUE(json({"check", "two-scale", "--manoeuvre", "step.yaml"}).at("warnings").empty());
  const auto run = chicane({"run", "two-scale", "--manoeuvre", "misspelt.yaml", "--until", "1s"});
  EXPECT_EQ(run.code, 0);
  EXPECT_NE(run.err.find("'kff'"), std::string::npos) << run.err;
}

TEST_F(Manoeuvre, ThatIsNoneIsRefused) {
  const auto words = [&](const std::string& model, const std::string& manoeuvre) {
    const auto outcome = chicane({"run", model, "--manoeuvre", manoeuvre});
    EXPECT_EQ(outcome.code, 1);
    EXPECT_EQ(outcome.out, "");
    return outcome.err;
  };
  EXPECT_NE(words("two-scale", "kpr").find("'kpr' is a model, not a manoeuvre"), std::string::npos);
  EXPECT_NE(words("two-scale", "nowhere.yaml").find("chicane list manoeuvres"), std::string::npos);
  const auto model = chicane({"run", "step.yaml"});
  EXPECT_EQ(model.code, 1);
  EXPECT_NE(model.err.find("step.yaml:"), std::string::npos) << model.err;
  EXPECT_NE(model.err.find("--manoeuvre"), std::string::npos) << model.err;
}

TEST_F(Manoeuvre, IsListedAndNoModel) {
  const Json list = json({"list", "manoeuvres"}).at("manoeuvres");
  EXPECT_EQ(list.size(), chicane::builtin_manoeuvres().size());
  EXPECT_EQ(this->chicane({"list", "manoeuvres"}).code, 0);
  for (const Json& m : list) {
    EXPECT_FALSE(m.at("description").get<std::string>().empty()) << m;
    const auto outcome = this->chicane({"run", m.at("name")});
    EXPECT_EQ(outcome.code, 1);
    EXPECT_NE(outcome.err.find("is a manoeuvre: name a model"), std::string::npos) << outcome.err;
  }
}

}  // namespace
}  // namespace manoeuvre_test
