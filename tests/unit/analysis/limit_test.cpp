// SPDX-License-Identifier: Apache-2.0
#include "analysis/limit.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "assembly/assemble.hpp"
#include "io/reader/reader.hpp"
#include "simulation/plan.hpp"

namespace limit_test {
namespace {

using namespace chicane;

struct Choice {
  std::string scheme = "single-rate", method = "ab2", ratio = "1", interp = "interp1";
};

Limit limit_of(std::optional<Spec> spec, const Choice& choice, LimitSettings settings = {}) {
  Diagnostics diag;
  spec->run.scheme = {choice.scheme, {}};
  spec->run.method = {choice.method, {}};
  spec->run.ratio = {choice.ratio, {}};
  spec->run.interp = {choice.interp, {}};
  const auto structure = compile_for_run(*spec, diag);
  const auto plan = structure ? plan_run(*spec, *structure, diag) : std::nullopt;
  EXPECT_TRUE(plan) << diag.text();
  return find_limit(structure, plan->plan, settings);
}

Limit builtin(const std::string& name, const Choice& choice) {
  Diagnostics diag;
  return limit_of(read_model(name, diag), choice);
}

Limit of_text(const std::string& text, const Choice& choice, LimitSettings settings = {}) {
  Diagnostics diag;
  auto spec = read_model_text("format: chicane/1\nunits: none\n" + text, "test.yaml", diag);
  EXPECT_TRUE(spec) << diag.text();
  return limit_of(std::move(spec), choice, settings);
}

constexpr double kLambda = 100;             // of the small models below
constexpr double kRk4 = 2.785293563405282;  // real limit: 1 - y + y^2/2 - y^3/6 + y^4/24 = 1

// --- the figures of the papers ---

TEST(LimitOfQuarterCars, IsThePublishedOneAndThePredictedOne) {
  for (const auto& [model, published] :
       {std::pair{"quarter-car-a", 0.1021}, {"quarter-car-b", 0.01031}}) {
    const Limit l = builtin(model, {.method = "rk2"});
    EXPECT_EQ(l.outcome, Limit::Outcome::found);
    EXPECT_NEAR(l.stable, published, 0.01 * published) << model;
    ASSERT_TRUE(l.predicted);
    EXPECT_NEAR(*l.predicted, l.stable, 0.01 * l.stable) << model;
    EXPECT_LE(l.unstable - l.stable, 1e-3 * l.stable);
  }
}

// Fast ring tires: where a single rate is limited by the ring, the dual-rate pair goes four times
// as far.
TEST(LimitOfRingTires, IsFourTimesAsLargeWithTheDualRatePair) {
  struct Row {
    const char* model;
    double rk2, prk25;
  };
  for (const auto& [model, rk2, prk25] :
       {Row{"quarter-car-c", 0.00102, 0.00401}, Row{"planar-vehicle", 0.000509, 0.002036}}) {
    const Limit one = builtin(model, {.method = "rk2"}), two = builtin(model, {.scheme = "prk"});
    EXPECT_NEAR(one.stable, rk2, 0.015 * rk2) << model;
    EXPECT_NEAR(two.stable, prk25, 0.015 * prk25) << model;
    EXPECT_EQ(one.group, "fast");
    EXPECT_EQ(two.group, "fast");
  }
}

// Unequal abscissae of the pair see spurious offsets between ring and hub where both positions are
// inertial.
TEST(LimitOfRingTires, IsLostWithInertialRingPositions) {
  EXPECT_LT(builtin("planar-vehicle-inertial", {.scheme = "prk"}).stable, 0.0016);
}

TEST(LimitOfPitchControl, FollowsTheMarginalStepsOfTheRatios) {
  const double marginal[] = {.0297, .0587, .0876, .1156, .1448, .1666, .1735};
  for (int n = 1; n <= 7; ++n) {
    const Limit l = builtin("pitch-control", {.scheme = "multiframe", .ratio = std::to_string(n)});
    EXPECT_NEAR(l.stable, marginal[n - 1], 0.015 * marginal[n - 1]) << "ratio " << n;
    EXPECT_EQ(l.group, n <= 5 ? "fast" : "slow") << "ratio " << n;
    EXPECT_NEAR(l.predicted.value(), l.stable, 0.01 * l.stable) << "ratio " << n;
  }
}

TEST(LimitOfPitchControl, NamesTheModeThatGrows) {
  const Limit single = builtin("pitch-control", {});
  EXPECT_EQ(single.group, "fast");
  EXPECT_TRUE(single.state == "des" || single.state == "dedot") << single.state;
  EXPECT_NEAR(std::abs(*single.eigenvalue), std::hypot(15.92, 26.37), 0.02);
  EXPECT_NEAR(*single.seen, 9.10, 0.05);  // the angle of the root, as the paper has it

  const Limit seven = builtin("pitch-control", {.scheme = "multiframe", .ratio = "7"});
  EXPECT_TRUE(seven.state == "q" || seven.state == "alpha" || seven.state == "theta");
  EXPECT_NEAR(std::abs(*seven.eigenvalue), std::hypot(1.274, 4.674), 0.01);
  EXPECT_NEAR(2 * std::numbers::pi * *seven.seen, 6.7, 0.1);
}

TEST(LimitOfPitchControl, IsLargestWithInterp1AndSmallestWithHold) {
  const auto with = [](const char* interp) {
    return builtin("pitch-control", {.scheme = "multiframe", .ratio = "7", .interp = interp})
        .stable;
  };
  const double best = with("interp1"), worst = with("hold");
  EXPECT_NEAR(worst, 0.126, 0.015 * 0.126);
  for (const char* interp : {"extrap1", "extrap2", "interp2", "interp2d"}) {
    const double step = with(interp);
    EXPECT_LT(step, best) << interp;
    EXPECT_GT(step, worst) << interp;
  }
}

TEST(LimitOfTwoScale, IsThatOfTheFastGroupForEveryRatio) {
  for (int n = 1; n <= 7; ++n) {
    const Limit l = builtin("two-scale", {.scheme = "multiframe", .ratio = std::to_string(n)});
    EXPECT_NEAR(l.stable, 0.0238 * n, 0.01 * 0.0238 * n) << "ratio " << n;
    EXPECT_EQ(l.group, "fast") << "ratio " << n;
  }
}

TEST(LimitOfEveryScheme, IsFoundAndNamesAGroup) {
  for (const char* scheme : {"prk", "pece-multirate", "pece-multirate-parallel"}) {
    const Limit l = builtin("two-scale", {.scheme = scheme, .ratio = "4"});
    EXPECT_EQ(l.outcome, Limit::Outcome::found) << scheme;
    EXPECT_GT(l.stable, 0.05) << scheme;
    EXPECT_FALSE(l.group.empty()) << scheme;
  }
}

// --- what counts as stable ---

TEST(Limit, OfRelaxationIsTheRealLimitOfItsMethod) {
  const char* model = "states: {x: {der: -100*x, initial: 1}}\n";
  for (const auto& [method, y] : {std::pair{"euler", 2.0}, {"ab2", 1.0}, {"rk4", kRk4}}) {
    const Limit l = of_text(model, {.method = method});
    EXPECT_NEAR(l.stable * kLambda, y, 2e-3 * y) << method;
    EXPECT_EQ(l.state, "x");
  }
}

// At rest nothing moves, and there is no size to disturb a state by.
TEST(Limit, OfAModelAtRestIsThatOfTheModelInMotion) {
  const std::string model = "states:\n  x: {der: v, initial: START}\n  v: {der: -1e6*x - 200*v}\n";
  std::string at_rest = model, moving = model;
  at_rest.replace(at_rest.find("START"), 5, "0");
  moving.replace(moving.find("START"), 5, "0.001");
  const Limit a = of_text(at_rest, {.method = "rk2"}), b = of_text(moving, {.method = "rk2"});
  EXPECT_NEAR(a.stable, *a.predicted, 0.01 * a.stable);
  EXPECT_NEAR(a.stable, b.stable, 2e-3 * a.stable);
}

// The feedback saturates: above the limit the state goes round in a cycle and never runs away.
TEST(Limit, CountsASaturatedCycleAsUnstable) {
  const Limit l =
      of_text("states: {x: {der: \"-max(-1, min(1, 100*x))\", initial: 0}}\n", {.method = "rk4"});
  EXPECT_EQ(l.outcome, Limit::Outcome::found);
  EXPECT_NEAR(l.stable * kLambda, kRk4, 0.01 * kRk4);
}

// A damping that grows with the speed turns what the step makes grow into a cycle of its own.
TEST(Limit, CountsACycleOfTheStepAsUnstable) {
  const Limit l =
      of_text("states:\n  x: {der: v, initial: 1e-3}\n  v: {der: \"-1e4*x - 20*v - 40*v^3\"}\n",
              {.method = "rk2"});
  EXPECT_EQ(l.outcome, Limit::Outcome::found);
  EXPECT_NEAR(l.stable, *l.predicted, 0.05 * l.stable);  // damping depends on how far it swings
}

// The distance grows with the error in speed, but nothing reads it, nor what only it reads.
TEST(Limit, LeavesOutPositionsThatNothingDependsOn) {
  const Limit l = of_text(
      "states:\n"
      "  v: {der: 0, initial: 20}\n"
      "  distance: {der: v}\n"
      "  sum: {der: distance}\n"
      "  x: {der: -100*x, initial: 1}\n",
      {.method = "rk4"});
  EXPECT_EQ(l.outcome, Limit::Outcome::found);
  EXPECT_NEAR(l.stable * kLambda, kRk4, 0.01 * kRk4);
  EXPECT_EQ(l.state, "x");
}

// Here something reads the distance, but its drift is the model's own.
TEST(Limit, DoesNotBlameTheStepForADriftOfTheModel) {
  const Limit l = of_text(
      "states:\n"
      "  s: {der: v}\n"
      "  v: {der: 0, initial: 20}\n"
      "  z: {der: w}\n"
      "  w: {der: \"-900*(z - 0.01*sin(s)) - 6*w\"}\n",
      {.method = "rk2"});
  EXPECT_NEAR(l.stable, *l.predicted, 0.01 * l.stable);
  EXPECT_TRUE(l.state == "z" || l.state == "w") << l.state;
  ASSERT_TRUE(l.eigenvalue);  // though s and v have a double eigenvalue with one eigenvector
  EXPECT_NEAR(std::abs(*l.eigenvalue), 30, 1e-9);
}

// What grows by itself is excused, but it does not excuse others: the oscillator, which ab2 makes
// grow faintly, would hide behind it up to a step a fifth larger.
TEST(Limit, ExcusesOnlyTheStateThatGrowsByItself) {
  const std::string oscillator = "states:\n  p: {der: q, initial: 1}\n  q: {der: -1e4*p - 1*q}\n";
  const Limit alone = of_text(oscillator, {}),
              beside = of_text(oscillator + "  g: {der: 0.4*g, initial: 1}\n", {});
  EXPECT_EQ(beside.outcome, Limit::Outcome::found);
  EXPECT_NEAR(beside.stable, alone.stable, 0.02 * alone.stable);  // growth is faint just above it
  EXPECT_TRUE(beside.state == "p" || beside.state == "q") << beside.state;
}

TEST(Limit, CallsANeutralModeStable) {
  // An undamped oscillation beside a relaxation: rk4 holds it up to 2 sqrt(2) / w.
  const Limit l = of_text(
      "states:\n  p: {der: q, initial: 1}\n  q: {der: -100*p}\n  x: {der: -100*x, initial: 1}\n",
      {.method = "rk4"});
  EXPECT_NEAR(l.stable * kLambda, kRk4, 0.01 * kRk4);
  EXPECT_EQ(l.state, "x");
}

// Two equal masses, disturbed alike, would never show the mode in which they swing against each
// other.
TEST(Limit, SeesModesThatASymmetricDisturbanceDoesNot) {
  const Limit l = of_text(
      "states:\n"
      "  a: {der: \"-a - 100*(a - b)\", initial: 1}\n"
      "  b: {der: \"-b - 100*(b - a)\", initial: 1}\n",
      {.method = "euler"});
  EXPECT_NEAR(l.stable, 2.0 / 201, 0.01 * 2.0 / 201);
}

// The fast mode is only there after the spring has been met.
TEST(Limit, IsThatOfTheSettledModel) {
  const char* model = "states: {x: {der: \"if(t < 1, -x, -100*(x - 1))\", initial: 0.5}}\n";
  const Limit settled = of_text(model, {.method = "euler"}, {.settle = 2});
  EXPECT_NEAR(settled.stable, 0.02, 1e-4);
  EXPECT_NEAR(*settled.predicted, 0.02, 1e-4);
}

TEST(Limit, SaysWhenThereIsNone) {
  EXPECT_EQ(of_text("states: {x: {der: 1}}\n", {}).outcome, Limit::Outcome::stable_throughout);
  const Limit l = of_text("states: {x: {der: 5*x, initial: 1}}\n", {});
  EXPECT_EQ(l.outcome, Limit::Outcome::never_stable);
}

TEST(Limit, DoesNotDependOnTheStepOfTheRun) {
  Diagnostics diag;
  auto spec = read_model("pitch-control", diag);
  spec->run.step = {"1 ms", {}};
  const double fine = limit_of(spec, {}).stable;
  spec->run.step = {"0.2 s", {}};
  EXPECT_NEAR(limit_of(spec, {}).stable, fine, 2e-3 * fine);
}

}  // namespace
}  // namespace limit_test
