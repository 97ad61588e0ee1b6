// SPDX-License-Identifier: Apache-2.0
#include "analysis/guards/step_guard.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "analysis/stability.hpp"
#include "assembly/assemble.hpp"
#include "io/reader/reader.hpp"
#include "simulation/plan.hpp"

namespace chicane::step_guard_test {
namespace {

struct Trial {
  std::string model, step, scheme = "single-rate", method = "ab2", until = "5 s", ratio = "4",
                           manoeuvre = "";
};

// A stiff follower whose rate is bounded: an unstable step makes it chatter, and never fail.
constexpr const char* kFollower = R"yaml(
format: chicane/1
units: none
run: {step: 1 s, until: 20 s}
groups:
  slow: {states: {x: {der: "v"}}}
  fast: {states: {v: {der: "-1500*tanh(2*(v - sin(t) - 0.1*x))"}}}
)yaml";
constexpr double kFastest = 3000;  // [1/s] of it, on its path

std::optional<std::pair<std::shared_ptr<const ModelStructure>, RunPlan>> planned(const Trial& run) {
  Diagnostics diag;
  auto spec = run.model == "follower"
                  ? read_model("follower.yaml", diag, [](const std::string&) { return kFollower; })
                  : read_model(run.model, diag);
  if (!run.manoeuvre.empty()) spec = read_manoeuvre(run.manoeuvre, std::move(*spec), diag);
  spec->run.scheme = {run.scheme, {}};
  spec->run.method = {run.method, {}};
  spec->run.step = {run.step, {}};
  spec->run.until = {run.until, {}};
  if (run.scheme != "single-rate" && run.scheme != "prk") spec->run.ratio = {run.ratio, {}};
  const auto structure = compile_for_run(*spec, diag);
  auto plan = structure ? plan_run(*spec, *structure, diag) : std::nullopt;
  EXPECT_TRUE(plan) << diag.text();
  return std::pair{structure, *plan};
}

struct Judgement {
  std::vector<RunWarning> warnings;
  std::optional<RunAccount> account;
};

// What the guard says of a run, made as the program makes it.
Judgement judged(const std::shared_ptr<const ModelStructure>& structure, const RunPlan& plan) {
  Simulation s(structure, plan.plan);
  const auto guard = make_step_guard(s);
  for (std::int64_t k = 1; s.plan().step <= plan.until - s.state().clock.now(); ++k) {
    if (s.step(guard.get()) != Status::ok) break;
    if (k % 256 == 0) guard->between_frames(s);
  }
  guard->at_end(s);
  return {guard->take_findings(), guard->account()};
}
std::vector<RunWarning> found(const std::shared_ptr<const ModelStructure>& structure,
                              const RunPlan& plan) {
  return judged(structure, plan).warnings;
}

// The same of a model as text.
Judgement judged(const std::string& text, const char* step) {
  Diagnostics diag;
  auto spec = read_model("model.yaml", diag, [&](const std::string&) { return text; });
  spec->run.step = {step, {}};
  const auto structure = compile_for_run(*spec, diag);
  const auto plan = structure ? plan_run(*spec, *structure, diag) : std::nullopt;
  EXPECT_TRUE(plan) << diag.text();
  return judged(structure, *plan);
}

std::vector<RunWarning> found(const Trial& run) {
  const auto p = planned(run);
  return found(p->first, p->second);
}

TEST(StepGuard, FindsAnUnstableStepThatNeverFailsAndAStepThatHolds) {
  const double limit = real_limit(*find_method("ab2")) / kFastest;  // [s] 0.333 ms
  const auto w = found({"follower", "1 ms"});
  ASSERT_EQ(w.size(), 1U);
  EXPECT_EQ(w[0].signal, "v");
  EXPECT_EQ(w[0].part, "fast");
  EXPECT_NE(w[0].text.find("ab2 makes the mode at"), std::string::npos) << w[0].text;
  const auto at = w[0].text.find("a step of about ");
  ASSERT_NE(at, std::string::npos) << w[0].text;
  const double holds = std::stod(w[0].text.substr(at + 16));
  EXPECT_LT(holds, limit);
  EXPECT_GT(holds, limit / 4);
  EXPECT_TRUE(found({"follower", std::to_string(0.9 * limit) + " s"}).empty());
}

// What is judged is the frame, whatever makes it.
TEST(StepGuard, JudgesFramesOfEveryScheme) {
  for (const std::string scheme :
       {"multiframe", "pece-multirate", "pece-multirate-parallel", "prk"})
    for (const bool coarse : {false, true}) {
      const double h = (coarse ? 8.0 : 0.2) / kFastest * (scheme == "prk" ? 1 : 4);
      const auto w = found({"follower", std::to_string(h) + " s", scheme});
      EXPECT_EQ(w.size(), coarse ? 1U : 0U) << scheme << (w.empty() ? "" : w[0].text);
    }
}

// An oscillation that grows slowly is found long before it fails, and one that decays is left
// alone: the limit of ab2 is at 29.7 ms there.
TEST(StepGuard, FindsTheLimitOfALinearModel) {
  EXPECT_EQ(found({"pitch-control", "30.2 ms", "single-rate", "ab2", "10 s"}).size(), 1U);
  EXPECT_TRUE(found({"pitch-control", "25 ms", "single-rate", "ab2", "10 s"}).empty());
}

// The bristles of brakes that are not applied are nonsense at 2 ms, and nobody can tell: distance
// and time of a stop are those of a tenth of the step to 1e-5. In gear the driveline is unstable
// beyond 1.6 ms, and the way from standstill shows it.
TEST(StepGuard, LeavesAVehicleAloneWhoseResultsAreRight) {
  for (const char* manoeuvre : {"coast-down", "braking"})
    EXPECT_TRUE(found({"hmmwv", "2 ms", "single-rate", "ab2", "2 s", "4", manoeuvre}).empty());
  EXPECT_EQ(found({"hmmwv", "2.5 ms", "single-rate", "ab2", "2 s", "4", "acceleration"}).size(),
            1U);
}

// Stable and far too coarse: a slow oscillation with 20 frames a period, by a method of order 1.
TEST(StepGuard, WarnsOfAStableStepThatIsTooCoarse) {
  constexpr const char* kSwing = R"yaml(
format: chicane/1
units: none
run: {method: euler, step: 1 s, until: 100 s}
states:
  x: {der: "v", initial: 1}
  v: {der: "-x - 0.6*v + sin(t)"}
)yaml";
  const auto errors = [&](const char* step) { return judged(kSwing, step).warnings; };
  const auto coarse = errors("0.3 s");
  ASSERT_EQ(coarse.size(), 1U);
  EXPECT_NE(coarse[0].text.find("is coarse"), std::string::npos) << coarse[0].text;
  EXPECT_TRUE(errors("0.01 s").empty());
}

// A follower that chatters by less than a hundredth of its range: states alone cannot tell whether
// that matters. It does where the pull is measured, which goes to and fro between its limits
// instead of following its reference, at most 100 1/s^2; and not where the way is.
TEST(StepGuard, LetsMetricsDecideWhatSmallErrorsOfStatesAreWorth) {
  const auto measured = [&](const std::string& metric, const char* step) {
    const std::string text = R"yaml(
format: chicane/1
units: none
run: {method: ab2, step: 1 s, until: 6 s}
states:
  v: {der: "-1500*tanh(2*(v - 100*sin(t)))"}
metrics:
  measured: )yaml" + metric + "\n";
    return judged(text, step).warnings;
  };
  const std::string pull = "{max: abs(1500*tanh(2*(v - 100*sin(t)))), from: 1 s}";
  const auto w = measured(pull, "1 ms");
  ASSERT_EQ(w.size(), 1U);
  EXPECT_NE(w[0].text.find("metric 'measured' is"), std::string::npos) << w[0].text;
  EXPECT_EQ(w[0].signal, "v");
  EXPECT_TRUE(measured(pull, "0.2 ms").empty());
  EXPECT_TRUE(measured("{integral: abs(v)}", "1 ms").empty());
}

// The same with errors that can be seen, 1.5 of 10: an unstable follower whose mean is right all
// the same. What it does to the way is next to nothing, and that is said, not warned of; what it
// does to the pull is.
TEST(StepGuard, SaysWhatAnUnstableStepDoesNotDoToMetrics) {
  const auto measured = [](const std::string& metric) {
    return judged(R"yaml(
format: chicane/1
units: none
run: {method: ab2, step: 1 s, until: 7 s}
states:
  v: {der: "-1500*tanh(2*(v - 5*sin(t)))"}
  x: {der: "v"}
metrics:
  measured: )yaml" + metric +
                      "\n",
                  "1 ms");
  };
  const Judgement right = measured("{max: x}");
  EXPECT_TRUE(right.warnings.empty()) << right.warnings[0].text;
  ASSERT_TRUE(right.account);
  EXPECT_NE(right.account->words.find("does not resolve state 'v'"), std::string::npos)
      << right.account->words;
  const Judgement wrong = measured("{max: abs(1500*tanh(2*(v - 5*sin(t)))), from: 1 s}");
  ASSERT_EQ(wrong.warnings.size(), 1U);
  EXPECT_FALSE(wrong.account);
  for (const char* part : {"metric 'measured' is", "state 'v'", "makes the mode at", "holds"})
    EXPECT_NE(wrong.warnings[0].text.find(part), std::string::npos) << wrong.warnings[0].text;
}

// A run that somebody has changed on its way cannot be repeated from its start: then states decide.
TEST(StepGuard, WarnsOfAnUnstableStepInARunThatCannotBeRepeated) {
  Diagnostics diag;
  auto spec = read_model("model.yaml", diag, [](const std::string&) {
    return R"yaml(
format: chicane/1
units: none
run: {method: ab2, step: 1 ms, until: 7 s}
parameters: {size: 5}
states:
  v: {der: "-1500*tanh(2*(v - size*sin(t)))"}
  x: {der: "v"}
metrics:
  measured: {max: x}
)yaml";
  });
  const auto structure = compile_for_run(*spec, diag);
  ASSERT_TRUE(structure) << diag.text();
  const auto plan = plan_run(*spec, *structure, diag);
  for (const int change : {0, 1000, 5000}) {  // [frames]; 0: never
    Simulation s(structure, plan->plan);
    const auto guard = make_step_guard(s);
    for (int k = 1; k <= 7000; ++k) {
      if (k == change) s.set_parameter(ParameterIndex{0}, 5.5);
      ASSERT_EQ(s.step(guard.get()), Status::ok);
      if (k % 256 == 0) guard->between_frames(s);
    }
    guard->at_end(s);
    EXPECT_EQ(guard->take_findings().size(), change > 0 ? 1U : 0U) << change;
  }
}

// A state that stays where it is has hardly a range: what goes wrong by a part of that is nothing
// beside the state itself. The chatter is 1e-5 here, about 0 and about 1000.
TEST(StepGuard, HoldsErrorsAgainstTheSizeOfAStateToo) {
  const auto about = [](double level) {
    return judged(fmt::format(R"yaml(
format: chicane/1
units: none
run: {{method: ab2, step: 1 s, until: 3 s}}
states:
  v: {{der: "-0.015*tanh(2e5*(v - {0} - 1e-5*sin(t)))", initial: {0}}}
)yaml",
                              level),
                  "1 ms")
        .warnings.size();
  };
  EXPECT_EQ(about(0), 1U);
  EXPECT_EQ(about(1000), 0U);
}

// It looks on: the run is the same to the last bit, and so is what is found.
TEST(StepGuard, ChangesNothingAndRepeats) {
  const auto p = planned({"follower", "1 ms"});
  const auto last = [&](bool guarded) {
    Simulation s(p->first, p->second.plan);
    const auto guard = make_step_guard(s);
    for (int k = 0; k < 2500; ++k) {
      EXPECT_EQ(s.step(guarded ? guard.get() : nullptr), Status::ok);
      if (guarded) guard->between_frames(s);
    }
    std::string text;
    for (const RunWarning& w : guard->take_findings()) text += w.text;
    return std::pair{s.state(), text};
  };
  const auto first = last(true), second = last(true), alone = last(false);
  EXPECT_EQ(first.first, alone.first);
  EXPECT_EQ(first.second, second.second);
  EXPECT_FALSE(first.second.empty());
}

}  // namespace
}  // namespace chicane::step_guard_test
