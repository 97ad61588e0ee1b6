// SPDX-License-Identifier: Apache-2.0
#include "analysis/advise.hpp"

#include <gtest/gtest.h>

#include <ctime>

#include "assembly/assemble.hpp"
#include "io/reader/reader.hpp"
#include "simulation/plan.hpp"

namespace chicane::advise_test {
namespace {

double cpu_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

// A slow group that is dear, and a fast one that is cheap and small in what it does.
constexpr const char* kDear = R"(
format: chicane/1
units: none
run: {step: 1 ms, until: 4 s, signals: [x, q]}
groups:
  slow:
    auxiliaries:
      a: sin(x)*cos(x) + sin(2*x)*cos(3*x) + sin(4*x)*cos(5*x) + exp(-x^2) + sin(6*x)*cos(7*x)
      b: sin(a)*cos(a) + sin(2*a)*cos(3*a) + sin(4*a)*cos(5*a) + exp(-a^2) + sin(6*a)*cos(7*a)
      c: sin(b)*cos(b) + sin(2*b)*cos(3*b) + sin(4*b)*cos(5*b) + exp(-b^2) + sin(6*b)*cos(7*b)
      d: sin(c)*cos(c) + sin(2*c)*cos(3*c) + sin(4*c)*cos(5*c) + exp(-c^2) + sin(6*c)*cos(7*c)
    states:
      x: {der: v, initial: 1}
      v: {der: -x - 0.2*v + 0.001*d + 0.01*q}
  fast:
    states:
      q: {der: r, initial: 0.5}
      r: {der: -1e4*(q - x) - 20*r}
)";

Advice advice_for(const Spec& spec, double accuracy, std::vector<std::string> signals,
                  std::int64_t until = 4 * kAtomsPerSecond) {
  AdviceRequest request{accuracy, std::move(signals), until, {}};
  return advise(spec, request, cpu_seconds);
}

Spec read(const std::string& text) {
  Diagnostics diag;
  auto spec = read_model_text(text, "test.yaml", diag);
  EXPECT_TRUE(spec) << diag.text();
  return *spec;
}

// Measured anew, apart from the search.
double error_of(const Spec& spec, const Candidate& candidate,
                const std::vector<std::string>& signals, std::int64_t until = 4 * kAtomsPerSecond) {
  Diagnostics diag;
  Spec own = applied(spec, candidate);
  const auto structure = compile_for_run(own, diag);
  const auto plan = plan_run(own, *structure, diag);
  EXPECT_TRUE(plan) << diag.text();
  const PlanQuality q = Comparison(own, signals, until, cpu_seconds).quality(plan->plan);
  EXPECT_TRUE(q.stable);
  return q.error;
}

// A way as it comes out of timing.
Candidate timed(const std::string& scheme, double step, double frame_us) {
  Candidate candidate;
  candidate.scheme = scheme;
  candidate.step = step;
  candidate.cost_us = frame_us / step;
  candidate.accurate = true;
  return candidate;
}

TEST(Advice, MeetsTheAccuracyThatWasAskedFor) {
  Diagnostics diag;
  const Spec spec = *read_model("pitch-control", diag);
  for (const double accuracy : {1e-2, 1e-4}) {
    const Advice a = advice_for(spec, accuracy, {"des", "theta"});
    ASSERT_TRUE(a.found);
    EXPECT_LE(error_of(spec, a.proposal, {"des", "theta"}), accuracy);
    ASSERT_TRUE(a.single_rate && a.gain);
    EXPECT_LE(a.proposal.cost_us, a.single_rate->cost_us);
    EXPECT_GE(*a.gain, 1.0);
    // Nearly as large a step as there is: twice as large is not accurate, or not stable.
    Candidate larger = a.proposal;
    larger.step *= 2.5;
    Spec own = applied(spec, larger);
    const auto structure = compile_for_run(own, diag);
    const PlanQuality q = Comparison(own, {"des", "theta"}, 4 * kAtomsPerSecond, cpu_seconds)
                              .quality(plan_run(own, *structure, diag)->plan);
    EXPECT_TRUE(!q.stable || q.error > accuracy) << q.error;
  }
}

// Every signal of the run section, of what is proposed and of what it is compared with.
class AdviceFor : public testing::TestWithParam<std::pair<const char*, int>> {};

TEST_P(AdviceFor, MeetsTheAccuracyForAllSignals) {
  const auto [model, tenths] = GetParam();
  const std::int64_t until = tenths * kAtomsPerSecond / 10;
  Diagnostics diag;
  Spec spec = *read_model(model, diag);
  Spec own = spec;
  own.run.scheme = {"single-rate", {}};
  const auto structure = compile_for_run(own, diag);
  const auto run = plan_run(own, *structure, diag);
  std::vector<std::string> signals;
  for (const SignalIndex i : run->signals) signals.push_back(structure->signals[i].name);
  const Advice a = advice_for(spec, 1e-3, signals, until);
  ASSERT_TRUE(a.found && a.single_rate && a.multirate);
  for (const Candidate& candidate : {a.proposal, *a.single_rate, *a.multirate})
    EXPECT_LE(error_of(spec, candidate, signals, until), 1e-3) << candidate.scheme;
}

INSTANTIATE_TEST_SUITE_P(BuiltIn, AdviceFor,
                         testing::Values(std::pair{"two-scale", 40}, std::pair{"pitch-control", 40},
                                         std::pair{"planar-spacecraft", 10},
                                         std::pair{"planar-vehicle", 5}));

TEST(Choice, HasNoSingleRateAndNoGainWhereOnlySeveralRatesAreAccurate) {
  Candidate poor = timed("single-rate", 0.1, 1);
  poor.accurate = false;
  const Advice a = choose({timed("multiframe", 0.1, 5), poor}, {});
  ASSERT_TRUE(a.found);
  EXPECT_EQ(a.proposal.scheme, "multiframe");
  EXPECT_FALSE(a.single_rate);
  EXPECT_FALSE(a.gain);
}

TEST(Choice, IsNoneWhereNothingIsAccurate) {
  Candidate poor = timed("single-rate", 0.1, 1);
  poor.accurate = false;
  EXPECT_FALSE(choose({poor}, {}).found);
}

TEST(Choice, IsOfOneRateUnlessSeveralAreClearlyCheaper) {
  EXPECT_FALSE(
      choose({timed("prk", 0.1, 0.97), timed("single-rate", 0.1, 1)}, {}).proposal.multirate());
  const Advice a = choose({timed("prk", 0.1, 0.8), timed("single-rate", 0.1, 1)}, {});
  EXPECT_TRUE(a.proposal.multirate());
  EXPECT_DOUBLE_EQ(*a.gain, 1.25);
}

// Long frames are cheap by the second and too long for a loop that has little time for each.
TEST(Choice, ChangesWhereOnlyShortFramesFitTheBudget) {
  const std::vector<Candidate> tried{timed("prk", 0.1, 8), timed("single-rate", 0.1, 10),
                                     timed("single-rate", 0.01, 2)};
  EXPECT_EQ(choose(tried, {}).proposal.scheme, "prk");
  EXPECT_EQ(choose(tried, 8.0).proposal.scheme, "prk");
  const Advice a = choose(tried, 5.0);
  EXPECT_EQ(a.proposal.step, 0.01);
  EXPECT_TRUE(a.in_budget);
}

TEST(Choice, IsTheSameAndSaysSoWhereNoFrameFitsTheBudget) {
  const std::vector<Candidate> tried{timed("prk", 0.1, 8), timed("single-rate", 0.01, 2)};
  const Advice a = choose(tried, 1.0);
  EXPECT_EQ(a.proposal.scheme, "prk");
  EXPECT_FALSE(a.in_budget);
}

TEST(Advice, ProposesSeveralRatesWhereTheSlowGroupIsDear) {
  const Spec spec = read(kDear);
  const Advice a = advice_for(spec, 1e-3, {"x", "q"});
  ASSERT_TRUE(a.found);
  EXPECT_TRUE(a.proposal.multirate());
  EXPECT_GT(a.gain.value(), 1.5);  // what the bar of the command is; costs are some ten times apart
  EXPECT_LE(error_of(spec, a.proposal, {"x", "q"}), 1e-3);
  ASSERT_EQ(a.groups.size(), 2u);
  EXPECT_EQ(a.groups[1].name, "fast");
  EXPECT_NEAR(a.groups[1].speed, 100, 1);
  EXPECT_GT(a.groups[0].evaluation_us, a.groups[1].evaluation_us);
  // Why it pays: a frame evaluates the slow group less often than the fast one.
  ASSERT_EQ(a.proposal.evaluations.size(), 2u);
  EXPECT_LT(a.proposal.evaluations[0].count, a.proposal.evaluations[1].count);
  EXPECT_GT(a.proposal.evaluation_us(), 0);
}

// The file puts all blocks together: the adviser parts them by their eigenvalues.
TEST(Advice, FindsThePartitionByItself) {
  Spec spec = read(kDear);
  for (BlockSpec& b : spec.blocks) b.group = "all";
  const Advice a = advice_for(spec, 1e-3, {"x", "q"});
  ASSERT_TRUE(a.found && a.multirate);
  const Moves expected{{"slow", "slow"}, {"fast", "fast"}};
  EXPECT_EQ(a.multirate->moved, expected);
  EXPECT_LE(error_of(spec, *a.multirate, {"x", "q"}), 1e-3);
}

TEST(Advice, HasOneRateOnlyForASingleBlock) {
  const Advice a =
      advice_for(read("format: chicane/1\nunits: none\nrun: {until: 4 s}\n"
                      "states:\n  x: {der: v, initial: 1}\n  v: {der: \"-100*x - 2*v\"}\n"),
                 1e-3, {"x"});
  ASSERT_TRUE(a.found);
  EXPECT_FALSE(a.proposal.multirate());
  EXPECT_FALSE(a.multirate);
  EXPECT_TRUE(a.groups.empty());
}

// For a linear model theory is nearly exact where the error is that of the roots.
TEST(LinearForecast, PredictsTheErrorOfALinearModel) {
  Diagnostics diag;
  const Spec spec = *read_model("two-scale", diag);
  const std::vector<std::string> signals{"x1", "x3"};
  const LinearForecast forecast(spec, signals, 10 * kAtomsPerSecond);
  for (const char* method : {"ab2", "am3", "rk4"}) {
    const std::vector<GroupMethod> parts{forecast.everything(*find_method(method))};
    Candidate candidate;
    candidate.scheme = "single-rate";
    candidate.method = method;
    candidate.step = 0.005;
    Spec own = applied(spec, candidate);
    const auto structure = compile_for_run(own, diag);
    const PlanQuality q = Comparison(own, signals, 10 * kAtomsPerSecond, cpu_seconds)
                              .quality(plan_run(own, *structure, diag)->plan);
    const double predicted = forecast.error(candidate.step, parts, std::nullopt);
    EXPECT_GT(predicted, q.error / 3) << method;  // a sum of modes at their worst, each at its time
    EXPECT_LT(predicted, q.error * 3) << method;
  }
}

// Momentum and spin are conserved: what rounding leaves of them must not count.
TEST(LinearForecast, LeavesOutSignalsAtRestAsMeasuringDoes) {
  Diagnostics diag;
  const Spec spec = *read_model("planar-spacecraft", diag);
  const std::vector<std::string> signals{"panels.theta_R", "momentum_x", "spin"};
  const std::int64_t until = kAtomsPerSecond;
  const LinearForecast forecast(spec, signals, until);
  Candidate candidate;
  candidate.scheme = "single-rate";
  candidate.method = "rk4";
  candidate.step = 1e-3;
  const double measured = error_of(spec, candidate, signals, until);
  const double predicted =
      forecast.error(candidate.step, {forecast.everything(*find_method("rk4"))}, std::nullopt);
  EXPECT_GT(predicted, measured / 3);  // as for the linear model
  EXPECT_LT(predicted, measured * 3);
}

TEST(LinearForecast, GivesNoStepBeyondStabilityOrAccuracy) {
  Diagnostics diag;
  const Spec spec = *read_model("pitch-control", diag);
  const LinearForecast forecast(spec, {"des"}, 5 * kAtomsPerSecond);
  const std::vector<GroupMethod> parts{forecast.everything(*find_method("ab2"))};
  EXPECT_LT(forecast.step(1.0, parts, std::nullopt), 0.0297);
  const double fine = forecast.step(1e-6, parts, std::nullopt);
  EXPECT_LE(forecast.error(fine, parts, std::nullopt), 1.01e-6);
}

}  // namespace
}  // namespace chicane::advise_test
