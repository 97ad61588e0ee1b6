// SPDX-License-Identifier: Apache-2.0

// One judgement for check and run: what run refuses, check refuses, in the same words; results that
// are no numbers are faults; an answer comes on every path.

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "io/builtin_models.hpp"
#include "testkit/cli.hpp"

namespace check_test {
namespace {

using Json = nlohmann::json;
using Words = std::vector<std::string>;

class Check : public testkit::CliTest {
 protected:
  [[nodiscard]] testkit::Outcome command(const std::string& name, Words arguments) const {
    arguments.insert(arguments.begin(), name);
    arguments.emplace_back("--json");
    return chicane(arguments);
  }
  // Of check and of run, whose results go nowhere else.
  void expect_agreement(const Words& arguments, int code, const std::string& says) const {
    SCOPED_TRACE(testing::PrintToString(arguments));
    const auto check = command("check", arguments), run = command("run", arguments);
    EXPECT_EQ(check.code, code) << check.err;
    EXPECT_EQ(run.code, code) << run.err;
    const Json a = Json::parse(check.out, nullptr, false), b = Json::parse(run.out, nullptr, false);
    ASSERT_TRUE(a.is_object() && b.is_object()) << check.out << run.out;
    if (code == 3) {  // run says besides where its results are
      const std::string first = a.at("status");
      EXPECT_EQ(b.at("status").get<std::string>().substr(0, first.size()), first);
      EXPECT_NE(first.find(says), std::string::npos) << first;
    } else {
      EXPECT_EQ(a.at("errors"), b.at("errors"));
      EXPECT_NE(a.dump().find(says), std::string::npos) << a.dump();
    }
  }
  // Warnings of a file that is good otherwise.
  [[nodiscard]] Json warnings(const std::string& text) const {
    dir_.write("model.yaml", text);
    return json({"check", "model.yaml"}).at("warnings");
  }
  static bool has(const Json& warnings, const std::string& text, int line) {
    for (const Json& w : warnings)
      if (w.at("text").get<std::string>().find(text) != std::string::npos)
        return w.at("file") == "model.yaml" && w.at("line") == line;
    return false;
  }
  // A shell can close what the program writes to.
  [[nodiscard]] testkit::Outcome shell(const std::string& line) const {
    return testkit::run_program("/bin/sh", {"-c", std::string(CHICANE_BINARY) + " " + line},
                                dir_.path());
  }
};

constexpr const char* kDecay =
    "format: chicane/1\nrun: {step: 10 ms, until: 1 s}\nstates: {x: {der: \"-x/1[s]\", initial: "
    "1}}\n";

TEST_F(Check, RefusesWhatRunRefusesInTheSameWords) {
  expect_agreement({"pendulum", "--step", "5km"}, 1, "a step is a time");
  expect_agreement({"hmmwv", "--step", "0.5ps"}, 1, "finer than that");
  expect_agreement({"two-scale", "--until", "1us"}, 1, "the run has no frame");
  expect_agreement({"two-scale", "--ratio", "0"}, 1, "from 1 to 1000000 is needed");
  expect_agreement({"two-scale", "--tableau", "none"}, 1, "there is no tableau");
  expect_agreement({"two-scale", "--every", "-1"}, 1, "from 0 on is needed");
  expect_agreement({"two-scale", "--checkpoint", "1e5s"}, 1, "after the end of the run");
  expect_agreement({"two-scale", "--output", "nothing"}, 1, "no signal is called");
  expect_agreement({"two-scale", "--resume", "nowhere.json"}, 1, "there is no such checkpoint");
  expect_agreement({"four-bar", "--method", "none"}, 1, "there is no method");
  expect_agreement({"two-scale", "--step", ""}, 2, "--step: an empty value");
  expect_agreement({"two-scale", "--stepp", "1ms"}, 2, "--stepp");
  expect_agreement({}, 2, "model");
  expect_agreement({"nothing"}, 1, "there is no model 'nothing'");
}

TEST_F(Check, SeesAStepThatFails) {
  dir_.write("model.yaml",
             "format: chicane/1\nstates: {x: {der: \"x*x/1[s]\", initial: 3, limit: 4}}\n");
  expect_agreement({"model.yaml"}, 3,
                   "state 'x' of block 'main' (group main) went beyond its limit");
  const Json check = Json::parse(command("check", {"model.yaml"}).out);
  EXPECT_GT(check.at("judged").at("until"), 0.05);
  EXPECT_LT(check.at("judged").at("until"), 0.1);  // 1/3 - 1/4
  EXPECT_EQ(check.at("judged").at("of"), 10.0);
}

TEST_F(Check, StandsWildNumbers) {
  for (const char* value : {"z2=1e300", "w1=1e200 1/s"}) {
    const auto check = command("check", {"two-scale", "--set", value, "--until", "30ms"});
    const auto run = command("run", {"two-scale", "--set", value, "--until", "30ms"});
    EXPECT_TRUE(check.code == 1 || check.code == 3) << check.code;
    EXPECT_EQ(check.code, run.code);
    EXPECT_NE(check.err.find("'x"), std::string::npos) << check.err;  // it names a state
  }
}

TEST_F(Check, AResultThatIsNoNumberIsAFaultWithItsTime) {
  dir_.write("output.yaml", std::string(kDecay) + "outputs: {y: '1/floor(1.505 - t/1[s])'}\n");
  expect_agreement({"output.yaml"}, 3, "'y' is infinite at t = 0.51 s");
  const auto run = command("run", {"output.yaml", "--out", "out"});
  EXPECT_NE(dir_.read("out/manifest.json").find("'y' is infinite"), std::string::npos);
  EXPECT_NE(run.err.find("write if(condition, formula, value until then)"), std::string::npos);

  dir_.write("metric.yaml", std::string(kDecay) + "metrics: {m: {mean: 'sqrt(0.505 - t/1[s])'}}\n");
  expect_agreement({"metric.yaml"}, 3, "what metric 'm' watches is not a number at t = 0.51 s");
  dir_.write("event.yaml",
             std::string(kDecay) +
                 "events: {e: {when: 'sqrt(0.505 - t/1[s]) > 2', do: [{stop: never}]}}\n");
  expect_agreement({"event.yaml"}, 3, "what event 'e' compares is not a number at t = 0.51 s");
  dir_.write("terminal.yaml", std::string(kDecay) + "terminal: {z: 1/(x - x)}\n");
  expect_agreement({"terminal.yaml"}, 3, "terminal 'z' is ");
  // at the start it is a fault of the file
  dir_.write("start.yaml", std::string(kDecay) + "outputs: {y: '1[s]/t'}\n");
  expect_agreement({"start.yaml"}, 1, "'y' is infinite at the start");
}

TEST_F(Check, WhatIsUndefinedOnPurposeCanBeSaid) {
  dir_.write("model.yaml",
             std::string(kDecay) +
                 "outputs: {y: 'if(t > 0[s], 1[s]/t, 0)'}\n"
                 "metrics: {m: {mean: 'sqrt(0.505 - t/1[s])', until: 0.4 s},"
                 " never: {crosses: x, level: 7}}\n"
                 "events:\n"
                 "  guarded: {when: 't > 1[s] and x/(t - t) > 0[1/s]', do: [{stop: no}]}\n"
                 "  certain: {when: 't > 0.805[s] and (x > 0 or 0*x/(t - t) > 1[1/s])', do: "
                 "[{stop: yes}]}\n");
  const Json run = json({"run", "model.yaml"});
  EXPECT_EQ(run.at("stopped"), "yes");
  EXPECT_NEAR(run.at("end_time").get<double>(), 0.81, 1e-9);
  EXPECT_TRUE(run.at("metrics").at("m").is_number());
  EXPECT_TRUE(run.at("metrics").at("never").is_null());
  EXPECT_EQ(json({"check", "model.yaml"}).at("status"), "ok");
}

TEST_F(Check, NamesOptionsThatTheSchemeDoesNotUse) {
  const Words unused{"--ratio", "5", "--interp", "hold", "--order", "fast-first"};
  for (const char* name : {"check", "run"}) {
    Words arguments{name, "two-scale", "--until", "1"};
    arguments.insert(arguments.end(), unused.begin(), unused.end());
    const Json found = json(arguments).at("warnings");
    for (const char* option : {"--ratio", "--interp", "--order"})
      EXPECT_NE(found.dump().find(std::string(option) + " is not used by scheme single-rate"),
                std::string::npos)
          << found;
  }
  EXPECT_TRUE(json({"check", "two-scale", "--scheme", "multiframe", "--ratio", "5", "--interp",
                    "interp2", "--method", "ab2", "--until", "1"})
                  .at("warnings")
                  .empty());
}

TEST_F(Check, JudgesTheStepWhereTheRunGets) {
  const std::string model =
      "format: chicane/1\n"
      "run: {method: ab2, step: 10 ms, until: 2 s}\n"
      "parameters: {k: 1 1/s}\n"
      "states: {x: {der: -k*x, initial: 1}}\n"
      "events: {shift: {when: 't >= 1[s]', do: [{set: {k: 105 1/s}}]}}\n";
  const Json found = warnings(model);  // 105 1/s with 10 ms: beyond 1 of ab2
  ASSERT_FALSE(found.empty());
  EXPECT_NE(found[0].at("text").get<std::string>().find("outside the stability region"),
            std::string::npos);
  EXPECT_GE(found[0].at("time"), 1.0);
}

TEST_F(Check, WarnsOfNumbersThatAreMostlySlips) {
  const std::string model =
      "format: chicane/1\n"
      "topology:\n"
      "  bodies: [arm, tip]\n"
      "  joints:\n"
      "    pin: {type: revolute, connects: [ground, arm]}\n"
      "    hold: {type: weld, connects: [arm, tip]}\n"
      "  forces:\n"
      "    spring: {type: rsda, joint: pin}\n"
      "parameters:\n"
      "  bodies:\n"
      "    arm: {mass: 1 kg, com: [1, 0, 0, m], inertia: {diagonal: [2e7, 2e7, 2e7, kg m^2]}}\n"
      "    tip: {mass: 1e-12 kg, com: [1, 0, 0, m]}\n"
      "  joints:\n"
      "    pin: {at: [0, 0, 0, m], axis: [0, 1, 0]}\n"
      "  forces:\n"
      "    spring: {stiffness: -3 N m/rad, damping: -1 N m s/rad}\n"
      "run: {until: 20 ms}\n";
  const Json found = warnings(model);
  EXPECT_TRUE(has(found, "the mass of body 'tip' is 1e-12 kg: is its unit right?", 12)) << found;
  EXPECT_TRUE(has(found, "the inertia of body 'arm'", 11)) << found;
  EXPECT_TRUE(has(found, "the stiffness of force 'spring' is negative", 16)) << found;
  EXPECT_TRUE(has(found, "the damping of force 'spring' is negative", 16)) << found;
}

TEST_F(Check, WarnsOfABodyWithoutMassOnce) {
  int said = 0;
  const Json found = json({"check", "hmmwv", "--set", "chassis.mass=0 kg", "--until", "5ms"});
  for (const Json& w : found.at("warnings"))
    if (w.value("key", "") == "vehicle.chassis.mass") {
      ++said;
      EXPECT_EQ(w.at("text"), "body 'chassis' has moments of inertia but no mass: give it one");
    }
  EXPECT_EQ(said, 1);
}

TEST_F(Check, WarnsOfPointsThatAreFarAway) {
  const Json found = warnings(R"(format: chicane/1
run: {until: 10 ms}
topology:
  bodies: [rod]
  joints:
    hinge: {type: revolute, connects: [ground, rod]}
  forces:
    spring: {type: tsda, connects: [ground, rod]}
parameters:
  bodies:
    rod: {mass: 1 kg, com: [0.5, 0, 0, m], inertia: {diagonal: [0, 0.1, 0.1, kg m^2]}}
  joints:
    hinge: {at: [0, 0, 0, m], axis: [0, 1, 0]}
  forces:
    spring: {points: [[0, 2e6, 0, m], [1, 0, 0, m]], stiffness: 1 N/m}
)");
  EXPECT_TRUE(has(found, "this point is 2e+06 m from the origin: is its unit right?", 15)) << found;
}

TEST_F(Check, WarnsOfParametersThatNothingUses) {
  const Json found = warnings(
      "format: chicane/1\nparameters:\n  rate: 1 1/s\n  idle: 3 kg\n"
      "states: {x: {der: -rate*x, initial: 1}}\nrun: {until: 10 ms}\n");
  ASSERT_EQ(found.size(), 1U) << found;
  EXPECT_TRUE(has(found, "nothing uses the parameter 'idle'", 4)) << found;
}

TEST_F(Check, BuiltInModelsGiveNoWarning) {
  for (const chicane::BuiltinModel& m : chicane::builtin_models()) {
    const auto o = command("check", {std::string(m.name), "--until", "20ms"});
    EXPECT_EQ(o.code, 0) << m.name << o.err;
    EXPECT_EQ(o.err, "") << m.name;
  }
}

TEST_F(Check, JsonAnswersWhateverHappens) {
  dir_.write("file", "");
  const auto expect_answer = [](const testkit::Outcome& o, int code, const std::string& says) {
    EXPECT_EQ(o.code, code) << o.err;
    const Json answer = Json::parse(o.out, nullptr, false);
    ASSERT_TRUE(answer.is_object()) << o.out;
    EXPECT_NE(answer.at("status"), "ok");
    EXPECT_NE(answer.at("errors").at(0).at("message").get<std::string>().find(says),
              std::string::npos)
        << o.out;
  };
  expect_answer(command("run", {"two-scale", "--out", "file/below"}), 1, "cannot be made");
  expect_answer(
      command("compare", {"two-scale", "--until", "1", "--steps", "50ms", "--out", "file/below"}),
      1, "cannot be made");
  expect_answer(command("topology", {"pendulum", "--svg", "nowhere/graph.svg"}), 3, "cannot write");
  for (const char* name : {"run", "check", "limit", "bench", "linearize", "compare", "advise",
                           "describe", "topology", "stability", "list", "tire"}) {
    expect_answer(command(name, {}), 2, "required");
    expect_answer(command(name, {"nothing", "--nonsense"}), 2, "");
    if (std::string(name) != "list") expect_answer(command(name, {"nothing"}), 1, "there is no");
  }
  expect_answer(command("design", {}), 2, "");
  expect_answer(command("nonsense", {}), 2, "");
}

TEST_F(Check, StreamsMayBeClosed) {
  for (const std::string how : {"2>&-", "0<&- 2>&-"}) {
    EXPECT_EQ(shell("run two-scale --until 1 --out good " + how).code, 0) << how;
    EXPECT_EQ(shell("check two-scale --step 5km " + how).code, 1) << how;
    EXPECT_EQ(shell("run " + how).code, 2) << how;
  }
  const std::string good = dir_.read("good/results.csv");
  EXPECT_EQ(good.substr(0, 4), "time");
  // stdout closed, full, or left by its reader: what was asked for has not arrived
  EXPECT_EQ(shell("run two-scale --until 1 --out again >&-").code, 3);
  EXPECT_EQ(dir_.read("again/results.csv"), good);
  EXPECT_EQ(shell("run two-scale --until 1 --quiet --out quiet >&-").code, 0);
  EXPECT_EQ(dir_.read("quiet/results.csv"), good);
  EXPECT_EQ(shell("check two-scale --json >&- 2>&-").code, 3);
  EXPECT_EQ(shell("list models >&-").code, 3);
  EXPECT_EQ(shell("--help >&-").code, 3);
  if (access("/dev/full", W_OK) == 0) {
    EXPECT_EQ(shell("list methods >/dev/full").code, 3);
    EXPECT_EQ(shell("check two-scale --step 5km --json >/dev/full 2>/dev/full").code, 1);
    EXPECT_EQ(shell("run two-scale --until 1 --out full --json >/dev/full").code, 3);
  }
  const auto pipe = shell("describe hmmwv --json 2>err.txt | true; cat err.txt");
  EXPECT_EQ(pipe.out.find("terminate"), std::string::npos);
}

}  // namespace
}  // namespace check_test
