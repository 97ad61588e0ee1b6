// SPDX-License-Identifier: Apache-2.0

// Laws of a frame of every multirate scheme: repeatable, quiet, free of hidden state, with events
// and memory of each group where they belong.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "io/checkpoint.hpp"
#include "simulation/plan.hpp"
#include "testkit/allocation_counter.hpp"
#include "testkit/models.hpp"

namespace multirate_test {
namespace {

using namespace chicane;
using testkit::planned;
using testkit::value_in;

constexpr GroupIndex kSlow{0}, kFast{1};

void advance(Simulation& s, int frames) {
  for (int i = 0; i < frames; ++i) ASSERT_EQ(s.step(), Status::ok) << "frame " << i;
}

struct Case {
  std::string name, run;
};
void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }

std::vector<Case> cases() {
  std::vector<Case> list;
  const auto add = [&](const std::string& name, const std::string& run) {
    for (const std::string history : {"keep", "restart"})
      list.push_back({name + "_" + history, run + ", step: 10 ms, ratio: 4, history: " + history});
  };
  const std::string multiframe = "scheme: multiframe, ";
  for (const char* method : {"euler", "ab2", "ab4", "am2", "am3", "am2p", "am4p", "rk2", "rk4"})
    add(std::string("multiframe_") + method, multiframe + "method: " + method);
  for (const char* interp : {"hold", "extrap1", "extrap2", "interp2", "interp3"})
    add(std::string("multiframe_") + interp, multiframe + "method: ab3, interp: " + interp);
  add("multiframe_interp2d",  // two signals are not states: their rates are not known
      multiframe + "method: ab3, interp: interp2d, interps: {pull: interp2, lowest: hold}");
  for (const char* interp : {"hold", "extrap1", "extrap2"})
    add(std::string("multiframe_fast_first_") + interp,
        multiframe + "method: am2, order: fast-first, interp: " + interp);
  add("multiframe_fast_first_ab3",
      multiframe + "method: ab3, order: fast-first, interp: extrap2, startup: build-up");
  add("multiframe_build_up", multiframe + "method: ab4, interp: interp3, startup: build-up");
  add("multiframe_own_methods", multiframe + "groups: {slow: {method: ab3}, fast: {method: rk4}}");
  add("pece", "scheme: pece-multirate");
  add("pece_interp3", "scheme: pece-multirate, interp: interp3, iterations: \"inner=2,outer=2\"");
  add("parallel_emulated", "scheme: pece-multirate-parallel, interp: interp2, threads: 1");
  add("parallel", "scheme: pece-multirate-parallel, threads: 2");
  add("prk25", "scheme: prk");
  add("euler13", "scheme: prk, tableau: euler13");
  return list;
}

class EveryScheme : public testing::TestWithParam<Case> {
 protected:
  [[nodiscard]] bool is_multiframe() const { return GetParam().name.starts_with("multiframe"); }
};
INSTANTIATE_TEST_SUITE_P(Multirate, EveryScheme, testing::ValuesIn(cases()),
                         [](const auto& c) { return c.param.name; });

// Until an event stops it.
int run_out(Simulation& s) {
  for (int i = 0; i < 1000; ++i) {
    const Status status = s.step();
    if (status == Status::interrupted) return i;
    EXPECT_EQ(status, Status::ok);
    if (status != Status::ok) break;
  }
  ADD_FAILURE() << "it did not stop";
  return 0;
}

TEST_P(EveryScheme, GoesOnBitForBitFromAStateSavedAndReadBackAnywhere) {
  const auto [model, plan] =
      planned(std::string(testkit::kTwoRates) + testkit::kRequests, GetParam().run);
  Simulation whole(model, plan), again(model, plan);
  std::vector<std::string> saved;
  Status status = Status::ok;
  for (int i = 0; status == Status::ok && i < 1000; ++i) {
    if (i < 4 || i % 13 == 0) saved.push_back(write_checkpoint(whole));
    status = whole.step();
  }
  ASSERT_EQ(status, Status::interrupted);
  ASSERT_NE(whole.stopped(), nullptr);
  EXPECT_EQ(*whole.stopped(), "enough");
  run_out(again);
  EXPECT_EQ(again.state(), whole.state());
  EXPECT_GT(value_in(whole, "hits"), 1.0) << "the test means little if events never act";
  EXPECT_GT(value_in(whole, "kicks"), 1.0);
  EXPECT_EQ(whole.plan().step, whole_picoseconds(5e-3));
  for (const std::string& text : saved) {
    Simulation second(model, plan);
    Diagnostics diag;
    const auto checkpoint = read_checkpoint(text, "test.json", second, diag);
    ASSERT_TRUE(checkpoint) << diag.text();
    second.restore(checkpoint->state, checkpoint->plan);
    const double from = second.time();
    run_out(second);
    EXPECT_EQ(second.state(), whole.state()) << "from " << from;
  }
}

TEST_P(EveryScheme, KeepsNothingInItsScratch) {
  const auto [model, plan] =
      planned(std::string(testkit::kTwoRates) + testkit::kRequests, GetParam().run);
  Simulation clean(model, plan), dirty(model, plan);
  for (int i = 0; i < 130; ++i) {
    dirty.poison(std::numeric_limits<double>::quiet_NaN());
    ASSERT_EQ(clean.step(), Status::ok);
    ASSERT_EQ(dirty.step(), Status::ok);
    ASSERT_EQ(dirty.state(), clean.state()) << "frame " << i;
  }
}

// A sink-like observer, as a run has one.
struct Rows final : Observer {
  const Simulation& s;
  double sum = 0;
  int full = 0, inside = 0;
  explicit Rows(const Simulation& of) : s(of) {}
  void observe(const Point& point) noexcept override {
    s.report(point);
    ++(point.kind == PointKind::full_step ? full : inside);
    sum += point.t + point.evals.back()->v.back();
  }
};

TEST_P(EveryScheme, StepsWithoutTouchingTheHeap) {
  const auto [model, plan] = planned(testkit::kTwoRates, GetParam().run);
  Simulation s(model, plan);
  Rows rows(s);
  const testkit::AllocationCounter heap;
  for (int i = 0; i < 1000; ++i) ASSERT_EQ(s.step(&rows), Status::ok);
  EXPECT_EQ(heap.count(), 0);
  EXPECT_EQ(rows.full, 1000);
  EXPECT_EQ(rows.inside, is_multiframe() ? 3000 : 0);
}

// Schemes that events may switch to are made ahead.
TEST_P(EveryScheme, ChangesMethodRatioAndStepWithoutTouchingTheHeap) {
  const auto [model, plan] =
      planned(std::string(testkit::kTwoRates) + testkit::kRequests, GetParam().run);
  Simulation s(model, plan);
  Rows rows(s);
  const testkit::AllocationCounter heap;
  Status status = Status::ok;
  while (status == Status::ok) status = s.step(&rows);
  EXPECT_EQ(heap.count(), 0);
  EXPECT_EQ(status, Status::interrupted);
  EXPECT_EQ(s.plan().step, whole_picoseconds(5e-3));
  if (is_multiframe()) {
    EXPECT_EQ(s.plan().groups[GroupIndex{1}].ratio, 5);
    EXPECT_EQ(s.plan().groups[GroupIndex{0}].method.name, "am2");
  }
}

TEST_P(EveryScheme, AdvancesMemoryOncePerStepOfItsOwnGroup) {
  const auto [model, plan] = planned(testkit::kTwoRates, GetParam().run);
  Simulation s(model, plan);
  advance(s, 100);
  EXPECT_EQ(value_in(s, "frames"), 100.0);
  EXPECT_EQ(value_in(s, "steps"), is_multiframe() ? 400.0 : 100.0);
}

// --- what is shown -------------------------------------------------------------------------------

struct Values final : Observer {
  const Simulation& s;
  std::vector<std::pair<std::string, double>> seen;
  explicit Values(const Simulation& of) : s(of) {}
  void observe(const Point& point) noexcept override {
    if (point.kind != PointKind::full_step) return;
    s.report(point);
    seen.clear();
    for (const SignalInfo& signal : s.structure().signals)
      seen.emplace_back(signal.name, point.value(signal));
  }
};

TEST_P(EveryScheme, ShowsAtAFrameWhatOneEvaluationOfAllBlocksGives) {
  const auto [model, plan] = planned(testkit::kTwoRates, GetParam().run);
  const auto [all, single] = planned(testkit::kTwoRates, "scheme: single-rate, step: 10 ms");
  Simulation s(model, plan);
  int compared = 0;
  for (int i = 0; i < 120; ++i) {
    Simulation merged(model, plan);
    merged.restore(s.state(), s.plan());
    merged.regroup(all, single);
    Values expected(merged), looked(s), shown(s);
    merged.observe_now(expected);
    s.observe_now(looked);
    const auto events = s.state().events;
    ASSERT_EQ(s.step(&shown), Status::ok);
    const auto expect_equal = [&](const Values& values, const char* how) {
      ASSERT_EQ(values.seen.size(), expected.seen.size());
      for (std::size_t k = 0; k < values.seen.size(); ++k) {
        ASSERT_EQ(values.seen[k].first, expected.seen[k].first);
        const double x = expected.seen[k].second;
        EXPECT_NEAR(values.seen[k].second, x, 1e-13 * std::max(1.0, std::fabs(x)))
            << values.seen[k].first << " " << how << " in frame " << i;
      }
    };
    expect_equal(looked, "looked at");
    if (!(s.state().events == events)) continue;  // what is shown has its events done
    expect_equal(shown, "shown");
    ++compared;
  }
  EXPECT_GT(compared, 80);
}

// --- the single-rate method as a yardstick -------------------------------------------------------

// At ratio 1 a multiframe with a single-pass method is the single-rate method, with all its events
// and memory: those of one group see what those of the other have done.
TEST(Multiframe, AtRatioOneIsTheSingleRateMethodWithEventsAndMemory) {
  for (const char* method : {"euler", "ab2", "ab3", "ab4"})
    for (const char* history : {"keep", "restart"})
      for (const char* startup : {"rk4", "build-up"}) {
        const std::string run = std::string("step: 5 ms, method: ") + method +
                                ", history: " + history + ", startup: " + startup;
        const auto [one, single] = planned(testkit::kTwoRates, "scheme: single-rate, " + run);
        const auto [two, multi] =
            planned(testkit::kTwoRates, "scheme: multiframe, ratio: 1, " + run);
        Simulation a(one, single), b(two, multi);
        for (int i = 0; i < 300; ++i) {
          advance(a, 1);
          advance(b, 1);
          ASSERT_EQ(b.continuous(), a.continuous()) << run << ", frame " << i;
          ASSERT_EQ(b.state().memory, a.state().memory) << run << ", frame " << i;
          ASSERT_EQ(b.state().events, a.state().events) << run << ", frame " << i;
        }
        EXPECT_GT(value_in(a, "hits"), 1.0);
        EXPECT_GT(value_in(a, "kicks"), 1.0);
      }
}

// Groups that exchange no signals still meet in events.
TEST(Multiframe, AtRatioOneIsTheSingleRateMethodForGroupsThatMeetOnlyInEvents) {
  const std::string text = R"yaml(
format: chicane/1
units: none
parameters: {a: 1, limit: 0.5}
groups:
  slow: {states: {x: {der: -a*x, initial: 1}}, memory: {last: {next: x}}}
  fast: {states: {y: {der: a - y*y, initial: 0.1}}, memory: {most: {next: "max(most, y)"}}}
events:
  up: {when: y > limit, group: fast, repeat: each-time, do: [{set: {x: 1.5}}]}
  down: {when: x < 1, group: slow, repeat: each-time, do: [{set: {y: 0.05}}]}
)yaml";
  for (const char* method : {"euler", "ab4"}) {
    const std::string run = std::string("step: 20 ms, method: ") + method;
    const auto [one, single] = planned(text, "scheme: single-rate, " + run);
    const auto [two, multi] = planned(text, "scheme: multiframe, ratio: 1, " + run);
    Simulation a(one, single), b(two, multi);
    for (int i = 0; i < 200; ++i) {
      advance(a, 1);
      advance(b, 1);
      ASSERT_EQ(b.continuous(), a.continuous()) << method << ", frame " << i;
      ASSERT_EQ(b.state().memory, a.state().memory) << method << ", frame " << i;
    }
    EXPECT_GT(a.state().events[EventIndex{0}].fired, 2);
    EXPECT_GT(a.state().events[EventIndex{1}].fired, 2);
  }
}

// One slow group and three that meet only in it, with memory and a slow event.
TEST(Multiframe, OfAModelGivesTheSameBitsOnAnyNumberOfThreads) {
  std::string text = R"yaml(
format: chicane/1
units: none
parameters: {k: 4}
groups:
  slow: {states: {x: {der: -k*x + a + b + c, initial: 1}}}
)yaml";
  for (const char* name : {"a", "b", "c"}) {
    const std::string g = name;
    text += "  group_" + g + ":\n    states: {" + g + ": {der: v_" + g + "}, v_" + g +
            ": {der: \"-900*(" + g + " - x) - 5*v_" + g + " + last_" + g +
            "\"}}\n    memory: {last_" + g + ": {next: \"0.5*last_" + g + " + " + g + "\"}}\n";
  }
  text +=
      "events: {e: {when: x < 0.5, repeat: each-time, do: [{set: {x: x + 0.3, k: k + 0.1}}]}}\n";
  const std::string run =
      "scheme: multiframe, method: ab3, interp: interp2, step: 5 ms, ratio: 4, threads: ";
  std::optional<State<double>> expected;
  for (const char* threads : {"1", "2", "3"}) {
    const auto [model, plan] = planned(text, run + threads);
    Simulation s(model, plan);
    advance(s, 2000);
    EXPECT_GT(s.state().events[EventIndex{0}].fired, 2);
    if (!expected) expected = s.state();
    EXPECT_EQ(s.state(), *expected) << threads;
  }
}

// --- when events act -----------------------------------------------------------------------------

// Fast steps of 2.5 ms, frames of 10 ms.
const std::string kClocks = R"yaml(
format: chicane/1
units: none
parameters: {b: 0}
groups:
  slow: {states: {x: {der: 0.01*y}}}
  fast: {states: {y: {der: 1 + 0*x}}, memory: {z: {next: z + 1, sample: 5 ms}}}
events:
)yaml";

double fired_at(const Simulation& s) { return seconds(s.state().events[EventIndex{0}].last); }

TEST(Events, OfAFastGroupActAtItsSteps) {
  for (const auto& [when, slow, fast] : {std::tuple{0.0009, 0.01, 0.0025},  // at the start
                                         {0.0101, 0.02, 0.0125},
                                         {0.0126, 0.02, 0.015},
                                         {0.0326, 0.04, 0.035},
                                         {0.04, 0.04, 0.04}})
    for (const char* method : {"euler", "ab2", "rk4"})
      for (const std::string group : {"slow", "fast"}) {
        const auto [model, plan] =
            planned(kClocks + "  e: {when: t >= " + std::to_string(when) + ", group: " + group +
                        ", do: [{set: {y: y + 10}}]}\n",
                    std::string("scheme: multiframe, step: 10 ms, ratio: 4, method: ") + method);
        Simulation s(model, plan);
        advance(s, 5);
        EXPECT_EQ(fired_at(s), group == "slow" ? slow : fast) << when << " " << method;
        EXPECT_NEAR(value_in(s, "y"), 10.05, 1e-13);
        EXPECT_EQ(value_in(s, "z"), 10.0) << "one value each 5 ms, two fast steps";
      }
}

TEST(Events, OfAFastGroupChangeStepRatioAndMethodAtTheNextFrame) {
  const std::string run = "scheme: multiframe, step: 10 ms, ratio: 4, method: ab2";
  const std::string when = "  e: {when: t >= 0.0126, group: fast, do: [{";
  const auto after = [&](const std::string& action, auto&& what) {
    const auto [model, plan] = planned(kClocks + when + action + "}]}\n", run);
    Simulation s(model, plan);
    advance(s, 2);
    EXPECT_EQ(fired_at(s), 0.015) << action;
    EXPECT_EQ(s.time(), 0.02) << action;  // the frame in which it acted had its old length
    advance(s, 1);
    what(s);
    EXPECT_EQ(s.state().groups[kFast].counts.extra, 1) << "once, not at each step until the end";
    EXPECT_NEAR(value_in(s, "y"), s.time(), 1e-15);
  };
  after("step: 5 ms", [](const Simulation& s) { EXPECT_EQ(s.time(), 0.025); });
  after("ratio: 8", [](const Simulation& s) {
    EXPECT_EQ(s.time(), 0.03);
    EXPECT_EQ(s.plan().groups[kFast].ratio, 8);
    EXPECT_EQ(s.plan().groups[kSlow].ratio, 1);
  });
  after("method: rk4", [](const Simulation& s) {
    for (const auto& g : s.plan().groups) EXPECT_EQ(g.method.name, "rk4");
  });
  const auto [model, plan] = planned(kClocks + when + "stop: enough}]}\n", run);
  Simulation s(model, plan);
  advance(s, 1);
  EXPECT_EQ(s.step(), Status::interrupted);
  ASSERT_NE(s.stopped(), nullptr);
  EXPECT_EQ(*s.stopped(), "enough");
  EXPECT_EQ(fired_at(s), 0.015);
  EXPECT_EQ(s.time(), 0.02);
}

TEST(Events, ActAtFramesInSchemesThatStepAllGroupsTogether) {
  for (const char* scheme : {"pece-multirate", "pece-multirate-parallel", "prk"}) {
    std::string text = kClocks;
    text.replace(text.find("sample: 5 ms"), 12, "sample: 20 ms");
    const auto [model, plan] =
        planned(text + "  e: {when: t >= 0.0326, group: fast, do: [{set: {y: y + 10}}]}\n",
                std::string("step: 10 ms, ratio: 4, scheme: ") + scheme);
    Simulation s(model, plan);
    advance(s, 8);
    EXPECT_EQ(fired_at(s), 0.04) << scheme;
    EXPECT_NEAR(value_in(s, "y"), 10.08, 1e-13) << scheme;
    EXPECT_EQ(value_in(s, "z"), 4.0) << scheme;
  }
}

// What an event sets counts from its instant on, whether or not it also asks for a new plan.
TEST(Events, SetStatesAlikeWithAndWithoutANewPlan) {
  for (const char* scheme :
       {"single-rate", "multiframe", "pece-multirate", "pece-multirate-parallel", "prk"})
    for (const char* history : {"keep", "restart"}) {
      const auto final = [&](const std::string& more) {
        const auto [model, plan] =
            planned(std::string(testkit::kKnownSolutionInTwo) +
                        "events: {e: {when: t >= 0.2, do: [{set: {x: x + 0.5, y: y + 0.5}}" + more +
                        "]}}\n",
                    std::string("step: 10 ms, ratio: 4, method: ab3, scheme: ") + scheme +
                        ", history: " + history);
        Simulation s(model, plan);
        advance(s, 40);
        return s.continuous();
      };
      EXPECT_EQ(final(", {method: ab3}"), final("")) << scheme << ", " << history;
    }
}

// The jump comes with the third fast step, within the first frame, where the histories begin.
TEST(Events, WithRestartKeepNoRateFromBeforeAJumpNotEvenFromTheStart) {
  const std::string text = R"yaml(
format: chicane/1
units: none
parameters: {t_jump: 0}
groups:
  slow: {states: {x: {der: -x, initial: 1}}}
  fast: {states: {y: {der: -y + 0*x, initial: 1}}}
events: {jump: {when: t >= t_jump, group: fast, do: [{set: {y: y + 1}}]}}
)yaml";
  const auto order = [&](const std::string& history) {
    const auto error = [&](int frames) {
      const double h = 1.0 / frames, jump = 2 * h / 4;
      std::string own = text;
      own.replace(own.find("t_jump: 0"), 9, "t_jump: " + std::to_string(jump - 0.1 * h));
      const auto [model, plan] =
          planned(own, "scheme: multiframe, groups: {fast: {method: ab4}}, ratio: 4, step: " +
                           std::to_string(h) + " s, history: " + history);
      Simulation s(model, plan);
      advance(s, frames);
      EXPECT_EQ(s.state().events[EventIndex{0}].fired, 1);
      return std::fabs(value_in(s, "y") - std::exp(-1.0) - std::exp(-(1.0 - jump)));
    };
    return std::log2(error(32) / error(64));
  };
  EXPECT_NEAR(order("restart"), 4.0, 0.3);
  EXPECT_LT(order("keep"), 2.5);  // so the test can tell
}

TEST(Failure, OfAFrameIsNotHiddenByWhatItsEventsAskFor) {
  for (const std::string action : {"{stop: enough}", "{step: 5 ms}", "{ratio: 2}"}) {
    const auto [model, plan] = planned(R"yaml(
format: chicane/1
units: none
groups:
  slow: {states: {x: {der: 0.01*y}}}
  fast: {states: {y: {der: "1 + 0*x", limit: 0.018}}, memory: {z: {next: z + 1}}}
events: {e: {when: t >= 0.0101, group: fast, do: [)yaml" +
                                           action + "]}}\n",
                                       "scheme: multiframe, step: 10 ms, ratio: 4");
    Simulation s(model, plan);
    advance(s, 1);
    EXPECT_EQ(s.step(), Status::diverged) << action;
    EXPECT_EQ(s.failure(Status::diverged).state, "y");
    EXPECT_EQ(s.time(), 0.01) << action;
    EXPECT_NEAR(value_in(s, "y"), 0.01, 1e-15) << action;
  }
}

}  // namespace
}  // namespace multirate_test
