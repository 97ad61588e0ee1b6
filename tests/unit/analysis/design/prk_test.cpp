// SPDX-License-Identifier: Apache-2.0

// Designed pairs: conditions written out by hand, limits, orders observed in runs.

#include "analysis/design/prk.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "core/diagnostics.hpp"
#include "testkit/schemes.hpp"

namespace prk_test {
namespace {

using namespace chicane;
using namespace testkit;

double dot(const Coefficients<double>& k, const std::array<double, kMaxStages>& F) {
  double sum = 0;
  for (std::size_t i = 0; i < kMaxStages; ++i) sum += k.b[i] * F[i];
  return sum;
}

std::array<double, kMaxStages> times(const Coefficients<double>& k,
                                     const std::array<double, kMaxStages>& F) {
  std::array<double, kMaxStages> product{};
  for (std::size_t i = 0; i < kMaxStages; ++i)
    for (std::size_t j = 0; j < i; ++j) product[i] += k.A[i][j] * F[j];
  return product;
}

std::array<double, kMaxStages> both(std::array<double, kMaxStages> a,
                                    const std::array<double, kMaxStages>& b) {
  for (std::size_t i = 0; i < kMaxStages; ++i) a[i] *= b[i];
  return a;
}

// The largest miss of the 2 + 4 + 14 conditions of order 3, or of those of a lower order.
double worst_condition(const TableauPair& p, int order) {
  std::array<double, kMaxStages> one{};
  one.fill(1);
  double worst = 0;
  const auto want = [&worst](double phi, double exact) {
    worst = std::max(worst, std::fabs(phi - exact));
  };
  const std::array<const Coefficients<double>*, 2> k{&p.slow, &p.fast};
  for (const auto* root : k) {
    want(dot(*root, one), 1);
    for (const auto* a : k) {
      const auto c = times(*a, one);
      if (order >= 2) want(dot(*root, c), 1.0 / 2);
      for (const auto* other : k) {
        if (order < 3) continue;
        want(dot(*root, both(c, times(*other, one))), 1.0 / 3);
        want(dot(*root, times(*other, c)), 1.0 / 6);
      }
    }
  }
  return worst;
}

void expect_sound(const PrkTask& task, double limit) {
  SCOPED_TRACE(testing::Message() << task.slow << "-" << task.fast << " order " << task.order
                                  << (task.consistent ? " consistent" : ""));
  const PrkDesign d = design_prk(task);
  constexpr double kRounding = 1e-14;  // sums of some ten numbers of order one
  EXPECT_LT(worst_condition(d.pair, task.order), kRounding);
  EXPECT_LT(d.residual, kRounding);
  EXPECT_EQ(verified_order(d.pair, kRounding), task.order);
  EXPECT_TRUE(fault_of(d.pair).empty());
  // b A^{k-1} 1
  std::array<double, kMaxStages> F{};
  F.fill(1);
  for (std::size_t n = 1; n < d.polynomial.beta.size(); ++n) {
    EXPECT_NEAR(dot(d.pair.fast, F), d.polynomial.beta[n], kRounding);
    F = times(d.pair.fast, F);
  }
  const double reached = task.axis == StabilityAxis::real ? d.real_limit : d.imaginary_limit;
  EXPECT_NEAR(reached, limit, 1e-6 * limit);
  const auto used = used_columns(d.pair.slow);
  EXPECT_EQ(std::count(used.begin(), used.end(), true), task.slow);
  EXPECT_EQ(d.pair.fast.stages, task.fast);
  if (task.consistent) {
    EXPECT_TRUE(is_consistent(d.pair));
  }
  for (const auto* tableau : {&d.pair.slow, &d.pair.fast})
    for (const auto& row : tableau->A)
      for (const double a : row) EXPECT_LT(std::fabs(a), 3);
}

TEST(DesignPrk, MeetsAllConditionsOfOrderTwo) {
  expect_sound({.slow = 2, .fast = 3}, 2);
  expect_sound({.slow = 2, .fast = 4, .consistent = true}, std::sqrt(8.0));
  expect_sound({.slow = 2, .fast = 5}, 4);
  expect_sound({.slow = 2, .fast = 5, .consistent = true}, 4);
  expect_sound({.slow = 3, .fast = 5}, 4);
  expect_sound({.slow = 2, .fast = 6, .consistent = true}, std::sqrt(24.0));
}

TEST(DesignPrk, MeetsAllConditionsOfOtherOrders) {
  expect_sound({.slow = 1, .fast = 3, .order = 1}, 2);
  expect_sound({.slow = 1, .fast = 4, .order = 1, .axis = StabilityAxis::real}, 32);
  expect_sound({.slow = 3, .fast = 4, .order = 3}, std::sqrt(8.0));
  expect_sound({.slow = 3, .fast = 6, .order = 3, .consistent = true}, std::sqrt(24.0));
}

TEST(DesignPrk, MeetsAllConditionsOnTheRealAxis) {
  expect_sound(
      {.slow = 2, .fast = 3, .axis = StabilityAxis::real},
      real_limit(design_prk({.slow = 2, .fast = 3, .axis = StabilityAxis::real, .consistent = true})
                     .pair.fast));
  expect_sound({.slow = 2, .fast = 4, .axis = StabilityAxis::real, .consistent = true}, 12.0467662);
}

// All bicoloured trees of order 4 are asked of it by verified_order.
TEST(DesignPrk, FindsAPairOfOrderFour) {
  const PrkDesign d = design_prk({.slow = 5, .fast = 7, .order = 4, .consistent = true});
  EXPECT_EQ(verified_order(d.pair, 1e-13), 4);
  EXPECT_LT(worst_condition(d.pair, 3), 1e-14);
}

TEST(DesignPrk, GivesTheSamePairAgain) {
  const PrkTask task{.slow = 2, .fast = 4};
  const PrkDesign a = design_prk(task), b = design_prk(task);
  EXPECT_EQ(a.pair.fast.A, b.pair.fast.A);
  EXPECT_EQ(a.pair.slow.A, b.pair.slow.A);
}

TEST(DesignPrk, HasItsOrderOnKpr) {
  for (const PrkTask& task :
       {PrkTask{.slow = 2, .fast = 4}, PrkTask{.slow = 3, .fast = 4, .order = 3}}) {
    const PrkDesign d = design_prk(task);
    Errors e[2];
    for (int i = 0; i < 2; ++i) {
      const int n = 6400 << i;
      PrkOf<Kpr> run(Kpr(), 1.0 / n, d.pair);
      for (int k = 0; k < n; ++k) ASSERT_EQ(run.step(), Status::ok);
      e[i] = errors_at(run.system, 1.0, run.s);
    }
    EXPECT_NEAR(std::log2(e[0].slow / e[1].slow), task.order, 0.1);
    EXPECT_NEAR(std::log2(e[0].fast / e[1].fast), task.order, 0.1);
  }
}

TEST(DesignPrk, RefusesWhatMakesNoSense) {
  EXPECT_THROW(design_prk({.slow = 1, .fast = 5}), UsageError);
  EXPECT_THROW(design_prk({.slow = 4, .fast = 3}), UsageError);
  EXPECT_THROW(design_prk({.slow = 2, .fast = 17}), UsageError);
  EXPECT_THROW(design_prk({.slow = 2, .fast = 5, .order = 5}), UsageError);
}

// The built-in pairs keep what the designer gave them. Limits are those of theory, or of the search
// where there is none.
TEST(BuiltInPairs, HaveTheirLimitsAndAbscissae) {
  const std::map<std::string, double> limits = {{"prk25", 4},
                                                {"prk23c", 2},
                                                {"prk25c", 4},
                                                {"prk26c", std::sqrt(24.0)},
                                                {"prk27", 6},
                                                {"prk27c", 6},
                                                {"prk34c", std::sqrt(8.0)},
                                                {"prk35c", 3.9132825},
                                                {"prk36c", std::sqrt(24.0)},
                                                {"prk37c", 5.9454458},
                                                {"prk57c", 5.6856810},
                                                {"euler13", 0}};
  for (const TableauPair& p : tableau_pairs()) {
    EXPECT_LT(order_residual(p), 1e-14) << p.name;
    EXPECT_EQ(is_consistent(p), p.name.ends_with("c") || p.name == "euler13") << p.name;
    EXPECT_NEAR(imaginary_limit(p.fast), limits.at(p.name), 1e-6) << p.name;
  }
}

}  // namespace
}  // namespace prk_test
