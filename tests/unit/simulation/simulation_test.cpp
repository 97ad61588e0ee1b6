// SPDX-License-Identifier: Apache-2.0

// Laws of a step: repeatable, quiet, free of hidden state, with events and memory as documented.

#include "simulation/simulation.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "io/checkpoint.hpp"
#include "testkit/allocation_counter.hpp"
#include "testkit/models.hpp"

namespace simulation_test {
namespace {

using namespace chicane;
using testkit::compiled;
using testkit::plan;

double value(const Simulation& s, const std::string& name) {
  for (const StateInfo& x : s.structure().states)
    if (x.name == name) return s.state().groups[GroupIndex{0}].x[static_cast<std::size_t>(x.place)];
  for (int i = 0; i < s.structure().memory.size(); ++i)
    if (s.structure().memory[MemoryIndex{i}].name == name)
      return s.state().memory[MemoryIndex{i}].value;
  for (const ParameterInfo& p : s.structure().parameters)
    if (p.name == name) return s.state().constants[p.slot];
  ADD_FAILURE() << "no " << name;
  return 0;
}

void advance(Simulation& s, int steps) {
  for (int i = 0; i < steps; ++i) ASSERT_EQ(s.step(), Status::ok);
}

class EveryMethod : public testing::TestWithParam<std::string> {};
std::vector<std::string> names() {
  const auto list = method_names();
  return {list.begin(), list.end()};
}
INSTANTIATE_TEST_SUITE_P(Methods, EveryMethod, testing::ValuesIn(names()),
                         [](const auto& m) { return m.param; });

TEST_P(EveryMethod, RepeatsARunBitForBit) {
  const auto model = compiled(testkit::kEverything);
  Simulation a(model, plan(GetParam(), 1e-3)), b(model, plan(GetParam(), 1e-3));
  advance(a, 700);
  advance(b, 700);
  EXPECT_EQ(a.state(), b.state());
  EXPECT_GT(value(a, "count"), 1.0) << "the test means little if the event never fires";
}

TEST_P(EveryMethod, GoesOnBitForBitFromAStateSavedAndReadBack) {
  const auto model = compiled(testkit::kEverything);
  Simulation whole(model, plan(GetParam(), 1e-3));
  advance(whole, 337);
  const std::string saved = write_checkpoint(whole);
  advance(whole, 363);

  Simulation second(model, plan(GetParam(), 1e-3));
  Diagnostics diag;
  const auto checkpoint = read_checkpoint(saved, "test.json", second, diag);
  ASSERT_TRUE(checkpoint) << diag.text();
  second.restore(checkpoint->state, checkpoint->plan);
  advance(second, 363);
  EXPECT_EQ(second.state(), whole.state());
}

TEST_P(EveryMethod, KeepsNothingInItsScratch) {
  const auto model = compiled(testkit::kEverything);
  Simulation clean(model, plan(GetParam(), 1e-3)), dirty(model, plan(GetParam(), 1e-3));
  for (int i = 0; i < 400; ++i) {
    dirty.poison(std::numeric_limits<double>::quiet_NaN());
    ASSERT_EQ(clean.step(), Status::ok);
    ASSERT_EQ(dirty.step(), Status::ok);
  }
  EXPECT_EQ(dirty.state(), clean.state());
}

// A sink-like observer, as a run has one.
struct Rows final : Observer {
  const Simulation& s;
  double sum = 0;
  explicit Rows(const Simulation& of) : s(of) {}
  void observe(const Point& point) noexcept override {
    s.report(point);
    sum += point.t + point.evals.front()->v.back();
  }
};

TEST_P(EveryMethod, StepsWithoutTouchingTheHeap) {
  Simulation s(compiled(testkit::kEverything), plan(GetParam(), 1e-3));
  Rows rows(s);
  const testkit::AllocationCounter heap;
  for (int i = 0; i < 1000; ++i) ASSERT_EQ(s.step(&rows), Status::ok);
  EXPECT_EQ(heap.count(), 0);
}

TEST(AllocationCounter, SeesAnAllocation) {
  const testkit::AllocationCounter heap;
  const auto p = std::make_unique<int>(1);
  EXPECT_EQ(heap.count(), *p);
}

TEST_P(EveryMethod, AdvancesMemoryOncePerFullStepWhateverItsStages) {
  Simulation s(compiled(testkit::kEverything), plan(GetParam(), 1e-3));
  advance(s, 100);
  EXPECT_EQ(value(s, "steps"), 100.0);
  const Counts& c = s.state().groups[GroupIndex{0}].counts;
  EXPECT_EQ(value(s, "evaluations"),
            static_cast<double>(c.steps + c.startup));  // every one but repeats
}

TEST(Memory, TakesItsNextValueAtTheEndOfTheStepAndStagesSeeItConstant) {
  // x' = z, z+ = z + 1 from 0: over step k the rate is k, for a method with four stages, too.
  for (const char* method : {"euler", "rk4"}) {
    Simulation s(
        compiled(
            "format: chicane/1\nunits: none\nstates: {x: {der: z}}\nmemory: {z: {next: z + 1}}\n"),
        plan(method, 1.0));
    advance(s, 4);
    EXPECT_EQ(value(s, "x"), 0.0 + 1.0 + 2.0 + 3.0) << method;
  }
}

TEST(Memory, OfADifferenceEquationHoldsFromSampleToSample) {
  // z[k+1] = 2 z[k], sampled every 30 ms; steps of 10 ms
  Simulation s(compiled("format: chicane/1\nstates: {x: {der: \"0[1/s]\"}}\n"
                        "memory: {z: {next: 2*z, initial: 1, sample: 30 ms}}\n"),
               plan("ab2", 0.01));
  std::vector<double> seen;
  for (int i = 0; i < 7; ++i) {
    seen.push_back(value(s, "z"));
    advance(s, 1);
  }
  EXPECT_EQ(seen, (std::vector<double>{1, 1, 1, 2, 2, 2, 4}));
}

TEST(FullStepBlocks, AreEvaluatedAtFullStepsAndHeldInBetween) {
  // u = t held over the step: x' = u gives the left Riemann sum even with rk4
  const std::string text = R"yaml(
format: chicane/1
units: none
groups:
  plant: {states: {x: {der: u}}}
  control: {apply: full-step, auxiliaries: {u: t}}
)yaml";
  Simulation s(compiled(text), plan("rk4", 0.5));
  advance(s, 4);
  EXPECT_DOUBLE_EQ(value(s, "x"), 0.5 * (0.0 + 0.5 + 1.0 + 1.5));
}

// --- events --------------------------------------------------------------------------------------

const std::string kRamp =
    "format: chicane/1\nunits: none\nparameters: {a: 1, b: 0}\nstates: {x: {der: a}}\nevents:\n";

TEST(Events, ActAtTheFirstFullStepAtWhichTheyHoldAndOnce) {
  Simulation s(compiled(kRamp + "  e: {when: t >= 0.25, do: [{set: {x: 10, b: b + 1}}]}\n"),
               plan("rk4", 0.1));
  advance(s, 3);
  EXPECT_NEAR(value(s, "x"), 0.3, 1e-15);  // 0.3 is the first full step after 0.25, not yet begun
  advance(s, 1);
  EXPECT_NEAR(value(s, "x"), 10.1, 1e-14);
  advance(s, 5);
  EXPECT_EQ(value(s, "b"), 1.0);
}

TEST(Events, RepeatEachTimeTheConditionBecomesTrueOrAtEveryStepIfAskedTo) {
  const auto count = [](const std::string& repeat) {
    Simulation s(compiled(kRamp + "  e: {when: sin(x) > 0, repeat: " + repeat +
                          ", do: [{set: {b: b + 1}}]}\n"),
                 plan("euler", 0.25));
    advance(s, 61);  // tests at x = 0, 0.25, ..., 15: sin is positive from 0, 2 pi and 4 pi on
    return value(s, "b");
  };
  EXPECT_EQ(count("once"), 1.0);
  EXPECT_EQ(count("each-time"), 3.0);
  EXPECT_EQ(count("every-step"), 34.0);  // of the 61 points, those with sin(x) > 0
}

TEST(Events, SetEverythingFromTheValuesOfTheMoment) {
  Simulation s(compiled(kRamp + "  e: {when: x >= 2, do: [{set: {a: b, b: a + 4}}]}\n"),
               plan("euler", 1.0));
  advance(s, 3);
  EXPECT_EQ(value(s, "a"), 0.0);
  EXPECT_EQ(value(s, "b"), 5.0);
}

TEST(Events, ThatAreEnabledWaitForTheNextFullStep) {
  const std::string text =
      kRamp +
      "  first: {when: t >= 1, do: [{enable: second}]}\n"
      "  second: {when: t >= 0, enabled: false, do: [{set: {b: t}}, {disable: third}]}\n"
      "  third: {when: t >= 3, do: [{set: {b: 100}}]}\n";
  Simulation s(compiled(text), plan("euler", 1.0));
  advance(s, 5);
  EXPECT_EQ(value(s, "b"), 2.0);  // enabled at 1, acts at 2, and has put out the third
}

TEST(Events, ChangeTheStepAtOnceWithTimeStillExact) {
  Simulation s(compiled(kRamp + "  e: {when: t >= 0.3, do: [{step: 0.7 s}]}\n"
                                "  f: {when: t >= 2, do: [{step: 0.1 s}]}\n"),
               plan("ab2", 0.1));
  advance(s, 3);
  EXPECT_EQ(s.time(), 0.3);
  advance(s, 3);
  EXPECT_EQ(s.time(), 2.4);
  advance(s, 1);
  EXPECT_EQ(s.time(), 2.5);
  EXPECT_NEAR(value(s, "x"), 2.5, 1e-14);
}

TEST(Events, ChangeTheMethodWithoutLosingOrder) {
  // from rk4 to am4 in the middle: a restart of its history keeps order four
  std::string text = testkit::kKnownSolution;
  text += "events: {e: {when: t >= 1, do: [{method: am4}]}}\n";
  const auto model = compiled(text);
  const auto error = [&](int steps) {
    const auto x = testkit::final_state(model, plan("rk4", 2.0 / steps), steps);
    return std::fabs(x[1] - testkit::known_solution(2.0)[1]);
  };
  EXPECT_NEAR(std::log2(error(128) / error(256)), 4.0, 0.15);
}

TEST(Events, StopARunBeforeTheStepIsTaken) {
  Simulation s(compiled(kRamp + "  e: {when: x >= 2, do: [{stop: far enough}]}\n"),
               plan("euler", 1.0));
  advance(s, 2);
  EXPECT_EQ(s.step(), Status::interrupted);
  ASSERT_NE(s.stopped(), nullptr);
  EXPECT_EQ(*s.stopped(), "far enough");
  EXPECT_EQ(s.time(), 2.0);
}

TEST(Events, SwitchWritingOffAndOn) {
  Simulation s(
      compiled(
          kRamp +
          "  off: {when: t >= 2, do: [{write: off}]}\n  on: {when: t >= 4, do: [{write: on}]}\n"),
      plan("euler", 1.0));
  advance(s, 3);
  EXPECT_FALSE(s.state().writing);
  advance(s, 2);
  EXPECT_TRUE(s.state().writing);
}

// A state is set in the middle of a smooth run; with old derivatives kept, the step after it uses
// rates from before the jump, and the error is of first order in h. A restart keeps the order.
TEST(HistoryPolicy, RestartKeepsTheOrderAcrossAJumpAndKeepDoesNot) {
  const auto model = compiled(
      "format: chicane/1\nunits: none\nstates: {x: {der: -x, initial: 1}}\n"
      "events: {jump: {when: t >= 1, do: [{set: {x: x + 1}}]}}\n");
  const double exact = std::exp(-2.0) + std::exp(-1.0);
  const auto order = [&](HistoryPolicy policy) {
    const auto error = [&](int steps) {
      Plan p = plan("ab3", 2.0 / steps);
      p.history = policy;
      return std::fabs(testkit::final_state(model, p, steps)[0] - exact);
    };
    return std::log2(error(256) / error(512));
  };
  EXPECT_NEAR(order(HistoryPolicy::restart), 3.0, 0.1);
  EXPECT_NEAR(order(HistoryPolicy::keep), 1.0, 0.1);
}

// --- when numbers go wrong -----------------------------------------------------------------------

TEST(Failure, NamesTheStateThatRanAwayAndKeepsTheLastGoodFrame) {
  const std::string text = R"yaml(
format: chicane/1
units: none
groups:
  calm: {states: {y: {der: -y, initial: 1}}}
  wild: {states: {x: {der: x^2, initial: 1}}}
)yaml";
  Simulation s(compiled(text), plan("rk4", 0.01));
  Status status = Status::ok;
  while (status == Status::ok && s.time() < 3) status = s.step();
  ASSERT_TRUE(status == Status::diverged || status == Status::not_finite);
  const Failure f = s.failure(status);
  EXPECT_EQ(f.state, "x");
  EXPECT_EQ(f.block, "wild");
  EXPECT_EQ(f.group, "wild");
  EXPECT_EQ(f.time, s.time());
  for (const double x : s.state().groups[GroupIndex{0}].x) EXPECT_TRUE(std::isfinite(x));
}

TEST(Failure, IsReportedForAnUndefinedRate) {
  Simulation s(compiled("format: chicane/1\nunits: none\nstates: {x: {der: sqrt(0.35 - t)}}\n"),
               plan("euler", 0.1));
  advance(s, 4);
  EXPECT_EQ(s.step(), Status::not_finite);
  EXPECT_EQ(s.failure(Status::not_finite).state, "x");
}

TEST(Limit, OfAStateStopsTheRun) {
  Simulation s(
      compiled("format: chicane/1\nstates: {x: {der: \"1[m/s]\", unit: m, limit: 250 cm}}\n"),
      plan("euler", 1.0));
  advance(s, 2);
  EXPECT_EQ(s.step(), Status::diverged);
  EXPECT_EQ(s.time(), 2.0);
}

// --- the reference -------------------------------------------------------------------------------

TEST(Reference, SolvesTheKnownProblemToItsTolerance) {
  Plan p = plan("ab2", 0.1);
  p.scheme = SchemeKind::reference;
  const auto x = testkit::final_state(compiled(testkit::kKnownSolution), p, 20);
  const auto exact = testkit::known_solution(2.0);
  EXPECT_NEAR(x[0], exact[0], 1e-11);
  EXPECT_NEAR(x[1], exact[1], 1e-11);
}

TEST(Reference, GoesOnBitForBitFromASavedState) {
  const auto model = compiled(testkit::kEverything);
  Plan p = plan("ab2", 5e-3);
  p.scheme = SchemeKind::reference;
  Simulation whole(model, p), second(model, p);
  advance(whole, 40);
  second.restore(whole.state(), whole.plan());
  advance(whole, 40);
  advance(second, 40);
  EXPECT_EQ(second.state(), whole.state());
}

}  // namespace
}  // namespace simulation_test
