// SPDX-License-Identifier: Apache-2.0

// Order and evaluation counts of every multirate scheme, slow and fast errors both, on two problems
// with known solutions.

#include <gtest/gtest.h>

#include "testkit/scheme_cases.hpp"
#include "testkit/schemes.hpp"

namespace multirate_order_test {
namespace {

using namespace chicane;
using namespace testkit;

struct Orders {
  double slow = 0, fast = 0;
};

// The slope of the errors between n and 2 n frames. `drive(step)` makes a driven scheme.
template <class Drive>
Orders observed(Drive&& drive, double until, int frames) {
  Errors e[2];
  for (int i = 0; i < 2; ++i) {
    const int n = frames << i;
    auto d = drive(until / n);
    for (int k = 0; k < n; ++k)
      if (d.step() != Status::ok) return {};
    e[i] = errors_at(d.system, until, d.s);
  }
  return {std::log2(e[0].slow / e[1].slow), std::log2(e[0].fast / e[1].fast)};
}

class EveryMultiframe : public testing::TestWithParam<MultiframeCase> {};

INSTANTIATE_TEST_SUITE_P(Multirate, EveryMultiframe, testing::ValuesIn(multiframe_cases()),
                         [](const auto& c) { return c.param.name; });

template <class System>
MultiframePlan plan_of(const MultiframeCase& c, const System& system, int ratio) {
  MultiframePlan plan = multiframe_plan(system, ratio, c.slow, c.fast, c.interp);
  plan.order = c.order;
  return plan;
}

TEST_P(EveryMultiframe, HasItsOrderOnANonlinearCoupledProblem) {
  for (const auto signals : {NonlinearCoupled::Signals::states, NonlinearCoupled::Signals::mixed}) {
    const MultiframeCase& c = GetParam();
    if (c.interp == Interpolator::interp2d && signals == NonlinearCoupled::Signals::mixed) continue;
    NonlinearCoupled system{.w = c.w, .signals = signals};
    const Orders o = observed(
        [&](double h) { return MultiframeOf<NonlinearCoupled>(system, h, plan_of(c, system, 10)); },
        2.0, c.frames);
    EXPECT_NEAR(o.slow, c.expected, 0.1);
    EXPECT_NEAR(o.fast, c.expected, 0.1);
  }
}

TEST_P(EveryMultiframe, HasItsOrderOnKpr) {
  const MultiframeCase& c = GetParam();
  // Faster, errors of the slow signals are not seen beside those of the fast; slower, those of
  // order four drown in rounding.
  const bool fine = c.expected == 4;
  const Kpr system{.W = fine ? 20.0 : 5.0};
  const Orders o = observed(
      [&](double h) { return MultiframeOf<Kpr>(system, h, plan_of(c, system, fine ? 4 : 10)); },
      2.0, fine ? 2 * c.frames : c.frames);
  EXPECT_NEAR(o.slow, c.expected, 0.1);
  EXPECT_NEAR(o.fast, c.expected, 0.1);
}

class EveryPece : public testing::TestWithParam<PeceCase> {};

INSTANTIATE_TEST_SUITE_P(Multirate, EveryPece, testing::ValuesIn(pece_cases()),
                         [](const auto& c) { return c.param.name; });

template <class System>
PecePlan plan_of(const PeceCase& c, const System& system, int ratio) {
  return {.ratio = ratio,
          .inner = c.inner,
          .outer = c.outer,
          .interps = std::vector(system.sources(kFast).size(), c.interp),
          .parallel = c.parallel,
          .threads = 1};
}

TEST_P(EveryPece, HasItsOrderOnANonlinearCoupledProblem) {
  const NonlinearCoupled system{.w = 3};
  const Orders o = observed(
      [&](double h) {
        return PeceOf<NonlinearCoupled>(system, h, plan_of(GetParam(), system, 10));
      },
      2.0, 800);
  EXPECT_NEAR(o.slow, GetParam().expected, 0.1);
  EXPECT_NEAR(o.fast, GetParam().expected, 0.1);
}

TEST_P(EveryPece, HasItsOrderOnKpr) {
  const bool fine = GetParam().expected == 4;
  const Kpr system{.W = fine ? 20.0 : 5.0};
  const Orders o = observed(
      [&](double h) { return PeceOf<Kpr>(system, h, plan_of(GetParam(), system, fine ? 4 : 10)); },
      2.0, 800);
  EXPECT_NEAR(o.slow, GetParam().expected, 0.1);
  EXPECT_NEAR(o.fast, GetParam().expected, 0.1);
}

TEST(Prk, HasItsOrderOnANonlinearCoupledProblemAndOnKpr) {
  for (const TableauPair& pair : tableau_pairs()) {
    const NonlinearCoupled system;
    // enough for the errors to fall as they do in the limit, few enough not to drown in rounding
    const int frames = std::array{6400, 3200, 3200, 400}[static_cast<std::size_t>(pair.order - 1)];
    const Orders a =
        observed([&](double h) { return PrkOf<NonlinearCoupled>(system, h, pair); }, 2.0, frames);
    EXPECT_NEAR(a.slow, pair.order, 0.1) << pair.name;
    EXPECT_NEAR(a.fast, pair.order, 0.1) << pair.name;
    const Orders b =
        observed([&](double h) { return PrkOf<Kpr>(Kpr(), h, pair); }, 1.0, 4 * frames);
    EXPECT_NEAR(b.slow, pair.order, 0.1) << pair.name;
    EXPECT_NEAR(b.fast, pair.order, 0.1) << pair.name;
  }
}

// The fast tableau as printed has one entry twice and lost another: it is only of order 1.
TEST(Prk, TheUnrepairedPrintOfTable6IsOfOrderOne) {
  TableauPair printed = *find_pair("prk25");
  printed.fast.A[2][1] = 0.18207389;
  printed.fast.A[3][1] = 0.50337891;
  for (std::size_t i = 0; i < 5; ++i) {
    printed.fast.c[i] = 0;
    for (std::size_t j = 0; j < i; ++j) printed.fast.c[i] += printed.fast.A[i][j];
  }
  EXPECT_EQ(verified_order(printed), 1);
  const Orders o = observed(
      [&](double h) { return PrkOf<NonlinearCoupled>(NonlinearCoupled(), h, printed); }, 2.0, 3200);
  EXPECT_NEAR(o.fast, 1, 0.1);
}

TEST(Prk, PairsHaveTheOrderTheyClaimToRounding) {
  for (const TableauPair& pair : tableau_pairs())
    EXPECT_EQ(verified_order(pair, 1e-14), pair.order) << pair.name;
}

// --- evaluations ---

TEST(Multiframe, EvaluatesOnceSlowAndNTimesFast) {
  for (const int ratio : {1, 2, 7}) {
    const Kpr system;
    MultiframeOf<Kpr> d(system, 1e-3, multiframe_plan(system, ratio));
    for (int i = 0; i < 101; ++i) ASSERT_EQ(d.step(), Status::ok);
    EXPECT_EQ(d.s[kSlow].counts.steps, 100);
    EXPECT_EQ(d.s[kFast].counts.steps, 100 * ratio);
    EXPECT_EQ(d.s[kSlow].counts.startup, 4 * ratio);  // one frame, at the fast step
    EXPECT_EQ(d.s[kFast].counts.startup, 4 * ratio);
    EXPECT_EQ(d.s[kSlow].counts.extra, 0);
  }
}

// Counts what the scheme really asks for, whatever it says.
struct Counted : Kpr {
  int* calls;
  void derivative(GroupIndex g, const Eval& at, std::span<const double> u,
                  std::span<double> dx) const noexcept {
    ++calls[g.value];
    Kpr::derivative(g, at, u, dx);
  }
};

template <class Driver>
std::array<int, 2> calls_in_a_frame(Driver& d, int* calls) {
  for (int i = 0; i < 8; ++i) d.step();  // past the start
  calls[0] = calls[1] = 0;
  d.step();
  return {calls[0], calls[1]};
}

TEST(Schemes, AskForAsManyDerivativesAsTheySay) {
  int calls[2];
  const Counted system{{}, calls};
  using Two = std::array<int, 2>;
  MultiframeOf<Counted> ab(system, 1e-3, multiframe_plan(system, 5));
  EXPECT_EQ(calls_in_a_frame(ab, calls), (Two{1, 5}));
  MultiframeOf<Counted> half(system, 1e-3, multiframe_plan(system, 5, "am2", "rk4"));
  EXPECT_EQ(calls_in_a_frame(half, calls), (Two{2, 20}));
  PeceCase c{"", false, Interpolator::interp1, 1, 1, 0};
  // whoever looks on costs an evaluation more; nobody does here
  const auto unseen = [&](auto& d) {
    for (int i = 0; i < 8; ++i) d.scheme.step(d.system, d.clock, d.s, Nobody{});
    calls[0] = calls[1] = 0;
    d.scheme.step(d.system, d.clock, d.s, Nobody{});
    return Two{calls[0], calls[1]};
  };
  PeceOf<Counted> serial(system, 1e-3, plan_of(c, system, 5));
  EXPECT_EQ(unseen(serial), (Two{2, 10}));
  c.inner = 2;
  PeceOf<Counted> inner(system, 1e-3, plan_of(c, system, 5));
  EXPECT_EQ(unseen(inner), (Two{2, 15}));
  c = {"", true, Interpolator::interp1, 1, 1, 0};
  PeceOf<Counted> parallel(system, 1e-3, plan_of(c, system, 5));
  EXPECT_EQ(unseen(parallel), (Two{3, 20}));
  PrkOf<Counted> prk(system, 1e-3, *find_pair("prk25"));
  EXPECT_EQ(unseen(prk), (Two{2, 5}));
}

}  // namespace
}  // namespace multirate_order_test
