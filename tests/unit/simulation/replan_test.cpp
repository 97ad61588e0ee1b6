// SPDX-License-Identifier: Apache-2.0

// Plans: what order they promise, and that a change of plan in the middle of a run costs none of
// it.

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "assembly/assemble.hpp"
#include "io/reader/reader.hpp"
#include "simulation/plan.hpp"
#include "testkit/models.hpp"
#include "testkit/scheme_cases.hpp"

namespace replan_test {
namespace {

using namespace chicane;
using testkit::kKnownSolutionInTwo;
using testkit::planned;

std::string interp_name(Interpolator kind) { return std::string(info_of(kind).name); }

TEST(PlanOrder, IsWhatTheTestsOfOrderObserve) {
  for (const auto& c : testkit::multiframe_cases()) {
    const bool fast_first = c.order == FrameOrder::fast_first;
    const auto [model, plan] =
        planned(kKnownSolutionInTwo,
                "scheme: multiframe, ratio: 10, groups: {slow: {method: " + c.slow +
                    "}, fast: {method: " + c.fast + "}}, interp: " + interp_name(c.interp) +
                    (fast_first ? ", order: fast-first" : ""));
    const PlanOrder o = order_of(plan, *model);
    EXPECT_EQ(o.order, c.expected) << c.name;
    const int own = std::min(find_method(c.slow)->order, find_method(c.fast)->order);
    EXPECT_EQ(o.loss.empty(), c.expected == own) << c.name << ": " << o.loss;
  }
  for (const auto& c : testkit::pece_cases()) {
    const auto [model, plan] =
        planned(kKnownSolutionInTwo,
                std::string("scheme: pece-multirate") + (c.parallel ? "-parallel" : "") +
                    ", ratio: 10, interp: " + interp_name(c.interp) + ", iterations: \"inner=" +
                    std::to_string(c.inner) + ",outer=" + std::to_string(c.outer) + "\"");
    EXPECT_EQ(order_of(plan, *model).order, c.expected) << c.name;
    EXPECT_EQ(order_of(plan, *model).loss.empty(), c.expected == 4) << c.name;
  }
  for (const TableauPair& pair : tableau_pairs()) {
    const auto [model, plan] = planned(kKnownSolutionInTwo, "scheme: prk, tableau: " + pair.name);
    EXPECT_EQ(order_of(plan, *model).order, pair.order);
  }
}

TEST(PlanOrder, NamesWhatHoldsItDown) {
  const auto loss = [](const std::string& run) {
    const auto [model, plan] = planned(kKnownSolutionInTwo, run);
    return order_of(plan, *model).loss;
  };
  EXPECT_EQ(loss("scheme: multiframe, method: ab3, interp: interp1"),
            "interp1 of 'x' has 2 points");
  EXPECT_EQ(loss("scheme: multiframe, method: ab2, interp: hold"), "hold of 'x' has 1 point");
  EXPECT_EQ(loss("scheme: multiframe, method: rk4, interp: interp3"),
            "rk4 of group slow has stages inside its step, where 'y' of the faster group fast is "
            "only extrapolated linearly");
  EXPECT_EQ(loss("scheme: pece-multirate-parallel, interp: interp3"),
            "the two-track algorithm predicts with fast signals of the frame before");
}

// --- changes in the middle of a run --------------------------------------------------------------

using Change = std::function<void(Simulation&)>;

Change to(const std::string& run) {
  return [run](Simulation& s) {
    const std::int64_t step = s.plan().step;
    Plan plan = planned(kKnownSolutionInTwo, run).plan;
    plan.step = step;
    s.replan(plan);
  };
}
Change step_times(int by, int over) {
  return [=](Simulation& s) {
    Plan plan = s.plan();
    plan.step = plan.step * by / over;
    s.replan(plan);
  };
}

// The slope of the error at 2 s; the changes are spread evenly over the run.
double observed(const std::string& run, const std::vector<Change>& changes, int frames) {
  std::array<double, 2> error;
  for (std::size_t i = 0; i < 2; ++i) {
    auto [model, plan] = planned(kKnownSolutionInTwo, run);
    const double h = 2.0 / (frames << i);
    plan.step = whole_picoseconds(h).value();
    Simulation s(model, plan);
    std::size_t done = 0;
    const double part = 2.0 / static_cast<double>(changes.size() + 1);
    while (s.time() < 2.0 - 1e-9) {
      if (done < changes.size() && s.time() > part * static_cast<double>(done + 1) - 1e-9)
        changes[done++](s);
      const Status status = s.step();
      EXPECT_EQ(status, Status::ok);
      if (status != Status::ok) break;
    }
    EXPECT_EQ(done, changes.size());
    const auto exact = testkit::known_solution(s.time());
    const auto x = s.continuous();
    error[i] = std::hypot(x[0] - exact[0], x[1] - exact[1]);
  }
  return std::log2(error[0] / error[1]);
}

TEST(Replan, OfStepRatioMethodAndInterpolatorKeepsTheOrder) {
  const std::string fourth = "scheme: multiframe, method: ab4, interp: interp3, ratio: 2";
  const std::string third = "scheme: multiframe, method: ab3, interp: interp3, ratio: 2";
  struct Case {
    const char* name;
    std::string run;
    std::vector<Change> changes;
    double expected;
    int frames;
  };
  const std::vector<Case> cases = {
      {"step", fourth, {step_times(1, 2), step_times(4, 1), step_times(1, 2)}, 4, 320},
      {"ratio",
       fourth,
       {to("scheme: multiframe, method: ab4, interp: interp3, ratio: 6"),
        to("scheme: multiframe, method: ab4, interp: interp3, ratio: 3")},
       4,
       240},
      {"method",
       fourth,
       {to("scheme: multiframe, method: ab4, interp: interp3, ratio: 2, groups: {fast: {method: "
           "rk4}}"),
        to(fourth)},
       4,
       240},
      {"method of another order", third, {to(fourth), to(third)}, 3, 240},
      {"interpolator",
       third,
       {to("scheme: multiframe, method: ab3, interp: interp2, ratio: 2"),
        to("scheme: multiframe, method: ab3, interp: interp2d, ratio: 2"),
        to("scheme: multiframe, method: ab3, interp: extrap2, ratio: 2"), to(third)},
       3,
       320},
      {"order of the frame",
       "scheme: multiframe, method: am2, interp: extrap1, ratio: 2",
       {to("scheme: multiframe, method: am2, interp: extrap1, ratio: 2, order: fast-first"),
        to("scheme: multiframe, method: am2, interp: extrap1, ratio: 2")},
       2,
       640},
      {"pece and back",
       fourth,
       {to("scheme: pece-multirate, interp: interp3, ratio: 2"), to(fourth)},
       4,
       240},
      {"scheme",
       "scheme: multiframe, method: ab2, ratio: 2",
       {to("scheme: prk"), to("scheme: pece-multirate, ratio: 3"),
        to("scheme: pece-multirate-parallel, ratio: 2"),
        to("scheme: multiframe, method: ab2, ratio: 2")},
       2,
       640},
  };
  for (const Case& c : cases) {
    EXPECT_NEAR(observed(c.run, c.changes, c.frames), c.expected, 0.2) << c.name;
  }
}

TEST(Replan, ToTheSamePlanChangesNoBit) {
  for (const char* run :
       {"scheme: multiframe, method: ab4, interp: interp3, ratio: 4", "scheme: pece-multirate",
        "scheme: multiframe, method: am3, order: fast-first, interp: extrap2", "scheme: prk"}) {
    const auto [model, plan] = planned(testkit::kTwoRates, std::string(run) + ", step: 10 ms");
    Simulation straight(model, plan), again(model, plan);
    for (int i = 0; i < 60; ++i) {
      ASSERT_EQ(straight.step(), Status::ok);
      ASSERT_EQ(again.step(), Status::ok);
      again.replan(Plan(again.plan()));
    }
    EXPECT_EQ(again.state(), straight.state()) << run;
  }
}

// --- blocks in other groups ----------------------------------------------------------------------

// The problem with a third state z = 1 + sin(t)/2, in a block of its own.
const char* const kThreeBlocks = R"yaml(
format: chicane/1
units: none
groups:
  slow:
    blocks:
      bx: {states: {x: {der: "-2*t*x^2 + 0.3*(y - exp(sin(t)))", initial: 1}}}
      bz: {states: {z: {der: "0.5*cos(t) - (z*x - (1 + 0.5*sin(t))/(1 + t^2))", initial: 1}}}
  fast:
    blocks:
      by: {states: {y: {der: "y*cos(t)*x*(1 + t^2) + 0.2*(z - 1 - 0.5*sin(t))", initial: 1}}}
)yaml";

// With block bz in a group.
testkit::Planned with_z_in(const std::string& group, const std::string& run) {
  Diagnostics diag;
  auto spec =
      read_model_text(std::string(kThreeBlocks) + "run: {" + run + "}\n", "test.yaml", diag);
  EXPECT_TRUE(spec) << diag.text();
  for (BlockSpec& b : spec->blocks)
    if (b.name == "bz") b.group = group;
  testkit::Planned out{compile_for_run(*spec, diag), {}};
  EXPECT_NE(out.structure, nullptr) << diag.text();
  out.plan = plan_run(*spec, *out.structure, diag)->plan;
  return out;
}

TEST(Regroup, MovesABlockInTheMiddleWithoutAJumpOrLossOfOrder) {
  const std::string run = "scheme: multiframe, method: ab4, interp: interp3, ratio: 3, step: ";
  const auto value = [](const Simulation& s, const char* name) {
    return testkit::value_in(s, name);
  };
  std::array<std::array<double, 3>, 2> error;
  for (std::size_t i = 0; i < 2; ++i) {
    const int frames = 200 << i;
    const std::string step = std::to_string(2.0 / frames) + " s";
    const auto slow = with_z_in("slow", run + step);
    const auto fast = with_z_in("fast", run + step);
    const auto one = with_z_in("fast", "scheme: single-rate, method: rk4, step: " + step);
    Simulation s(slow.structure, slow.plan);
    const auto part = [&] {
      for (int k = 0; k < frames / 4; ++k) ASSERT_EQ(s.step(), Status::ok);
    };
    const auto move = [&](const testkit::Planned& p) {
      const double t = s.time();
      const std::array before{value(s, "x"), value(s, "y"), value(s, "z")};
      s.regroup(p.structure, p.plan);
      EXPECT_EQ((std::array{value(s, "x"), value(s, "y"), value(s, "z")}), before);
      EXPECT_EQ(s.time(), t);
    };
    part();
    move(fast);
    EXPECT_EQ(s.state().groups[GroupIndex{1}].x.size(), 2U);
    part();
    move(one);
    part();
    move(slow);
    part();
    EXPECT_DOUBLE_EQ(s.time(), 2.0);
    const auto exact = testkit::known_solution(2.0);
    error[i] = {std::fabs(value(s, "x") - exact[0]), std::fabs(value(s, "y") - exact[1]),
                std::fabs(value(s, "z") - 1 - 0.5 * std::sin(2.0))};
  }
  for (std::size_t k = 0; k < 3; ++k)
    EXPECT_NEAR(std::log2(error[0][k] / error[1][k]), 4.0, 0.25) << k;
}

// Whatever is refused: the run is the one it would have been.
TEST(Simulation, IsAsItWasAfterARefusal) {
  const auto two = planned(testkit::kTwoRates, "scheme: multiframe, step: 10 ms, ratio: 4");
  const auto one = planned(testkit::kTwoRates, "scheme: single-rate, step: 10 ms");
  Simulation s(two.structure, two.plan), undisturbed(two.structure, two.plan);
  const auto advance_both = [&] {
    for (int i = 0; i < 7; ++i) {
      ASSERT_EQ(s.step(), Status::ok);
      ASSERT_EQ(undisturbed.step(), Status::ok);
    }
  };
  advance_both();
  const auto refuses = [&](const char* what, auto&& change) {
    EXPECT_THROW(change(), UsageError) << what;
    EXPECT_EQ(s.state(), undisturbed.state()) << what;
    EXPECT_EQ(s.plan().step, undisturbed.plan().step) << what;
    advance_both();
    EXPECT_EQ(s.state(), undisturbed.state()) << what;
  };
  const auto changed = [&](auto&& edit) {
    Plan plan = s.plan();
    edit(plan);
    return plan;
  };
  refuses("an odd step", [&] { s.replan(changed([](Plan& p) { p.step = 3; })); });
  refuses("no step", [&] { s.replan(changed([](Plan& p) { p.step = 0; })); });
  refuses("no ratio",
          [&] { s.replan(changed([](Plan& p) { p.groups[GroupIndex{1}].ratio = 0; })); });
  refuses("another scheme's groups", [&] { s.replan(one.plan); });
  refuses("groups of another scheme", [&] { s.regroup(one.structure, two.plan); });
  refuses("a state of other groups",
          [&] { s.restore(Simulation(one.structure, one.plan).state(), s.plan()); });
  refuses("a state under another step",
          [&] { s.restore(s.state(), changed([](Plan& p) { p.step *= 2; })); });
  refuses("a parameter that is no number", [&] { s.set_parameter(ParameterIndex{0}, NAN); });
}

// Halves of a step that an event sets need not be whole picoseconds.
TEST(Simulation, RefinedPlansTakeStepsOfEventsThatHaveNoHalf) {
  const std::string text =
      "format: chicane/1\nstates: {x: {der: \"-x/1[s]\", initial: 1}}\n"
      "events: {odd: {when: \"t >= 10[ms]\", do: [{step: 1000000001 ps}]}}\n";
  const auto [model, plan] = planned(text, "method: rk4, step: 2 ms");
  const Plan half = refined(plan, 2);
  Plan whole = half;
  whole.step_divisor = 1;
  Simulation coarse(model, whole), fine(model, half);
  for (int i = 0; i < 20; ++i) {
    ASSERT_EQ(coarse.step(), Status::ok);
    ASSERT_EQ(fine.step(), Status::ok);
    ASSERT_EQ(fine.step(), Status::ok);
    ASSERT_EQ(coarse.state().clock.now(), fine.state().clock.now()) << i;
  }
  EXPECT_NEAR(seconds(coarse.plan().step), 1e-3, 1e-11);
}

TEST(Regroup, RefusesAStructureOfAnotherModel) {
  const auto two = planned(kKnownSolutionInTwo, "scheme: multiframe, step: 10 ms");
  const auto other = planned(testkit::kTwoRates, "scheme: multiframe, step: 10 ms");
  Simulation s(two.structure, two.plan);
  EXPECT_THROW(s.regroup(other.structure, other.plan), std::exception);
  EXPECT_EQ(s.step(), Status::ok);  // and is as it was
}

TEST(Regroup, CarriesParametersMemoryAndEventsOver) {
  const auto two = planned(testkit::kTwoRates, "scheme: multiframe, step: 10 ms, ratio: 4");
  const auto one = planned(testkit::kTwoRates, "scheme: single-rate, step: 10 ms");
  Simulation s(two.structure, two.plan);
  for (int i = 0; i < 60; ++i) ASSERT_EQ(s.step(), Status::ok);
  const State<double> before = s.state();
  s.regroup(one.structure, one.plan);
  EXPECT_EQ(s.state().memory, before.memory);
  EXPECT_EQ(s.state().events, before.events);
  EXPECT_EQ(s.state().clock, before.clock);
  EXPECT_EQ(testkit::value_in(s, "gain"), 0.9);
  EXPECT_GT(testkit::value_in(s, "hits"), 0.0);
  for (int i = 0; i < 60; ++i) ASSERT_EQ(s.step(), Status::ok);
  EXPECT_EQ(testkit::value_in(s, "steps"), 300.0);  // 60 frames of four steps, then 60 steps
}

}  // namespace
}  // namespace replan_test
