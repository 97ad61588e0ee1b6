// SPDX-License-Identifier: Apache-2.0
#include "blocks/mechanism/power_balance.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "testkit/mechanisms.hpp"

namespace power_balance_test {
namespace {

using chicane::PowerBalance;
using Finding = PowerBalance::Finding;

// A run of n frames whose kinetic energy and power are given.
struct Account {
  PowerBalance balance;
  std::vector<Finding> found;

  explicit Account(double most = PowerBalance::kMost) : balance(1e-9, most) {}

  void go(double from, double h, int n, const std::function<double(double)>& energy,
          const std::function<double(double)>& power) {
    for (int i = 0, next = 0; i <= n; ++i) {
      if (i < next) continue;
      const double t = from + i * h;
      balance.add({.t = t, .kinetic = energy(t), .power = power(t)});
      next = i + balance.stride();
    }
  }
  void finish() {
    balance.finish();
    while (const auto f = balance.take()) found.push_back(*f);
  }
};

double swing(double t) { return 5.0 - 4.0 * std::cos(7.0 * t); }
double swing_power(double t) { return 28.0 * std::sin(7.0 * t); }

TEST(PowerBalance, IsExactWhereTheEnergyIs) {
  Account run;
  run.go(0.0, 1e-3, 20000, swing, swing_power);
  run.finish();
  EXPECT_TRUE(run.found.empty());
  EXPECT_LT(std::fabs(run.balance.error()), 0.1 * PowerBalance::kMost * run.balance.in_play());
  EXPECT_LT(std::fabs(run.balance.error()), run.balance.unsure());
  EXPECT_LT(run.balance.unsure(), PowerBalance::kMost * run.balance.in_play());
}

// Closed accounts that have lost a hundredth, or a thousandth at once, are not to be gone on with.
TEST(PowerBalance, KnowsWhenAllIsLost) {
  const auto loss = [](double most, double drifted, double jumped) {
    Account run(most);
    run.go(
        0.0, 1e-3, 4000, [&](double t) { return 1.0 - drifted * t / 4 - (t > 2 ? jumped : 0.0); },
        [](double) { return 0.0; });
    run.finish();
    return run.balance.loss();
  };
  EXPECT_FALSE(loss(PowerBalance::kClosed, 0.0, 0.0));
  EXPECT_FALSE(loss(PowerBalance::kClosed, 0.9e-2, 0.0));
  EXPECT_TRUE(loss(PowerBalance::kClosed, 1.2e-2, 0.0));
  EXPECT_FALSE(loss(PowerBalance::kClosed, 0.0, 0.9e-3));
  const auto jump = loss(PowerBalance::kClosed, 0.0, 1.2e-3);
  ASSERT_TRUE(jump);
  EXPECT_TRUE(jump->jump);
  EXPECT_NEAR(jump->time, 2.0, 0.1);
  EXPECT_NEAR(jump->amount, -1.2e-3, 1e-6);
  EXPECT_FALSE(loss(PowerBalance::kMost, 0.1, 0.1));  // an integral is not to be trusted so far
}

TEST(PowerBalance, LooksSeldomWhereNothingHappens) {
  Account run;
  run.go(
      0.0, 1e-3, 20000, [](double) { return 3.0; }, [](double) { return 0.0; });
  run.finish();
  EXPECT_TRUE(run.found.empty());
  EXPECT_GE(run.balance.stride(), 8);
}

// A power that jumps anywhere between two frames cannot be integrated, and is not blamed.
TEST(PowerBalance, KnowsWhereItsIntegralIsNotToBeTrusted) {
  testkit::Random random(4);
  for (int k = 0; k < 50; ++k) {
    Account run;
    const double at = random.number(0.2, 0.8), high = random.number(-400.0, 400.0);
    run.go(
        0.0, 0.01, 100, [&](double t) { return 100.0 + (t < at ? 0.0 : high * (t - at)); },
        [&](double t) { return t < at ? 0.0 : high; });
    run.finish();
    EXPECT_LE(std::fabs(run.balance.error()), run.balance.unsure() + 1e-12) << at;
    EXPECT_TRUE(run.found.empty()) << at;
  }
}

TEST(PowerBalance, FindsAJumpAndItsTime) {
  for (const double jump : {0.1, -0.3, 4.0}) {
    Account run;
    const double at = 7.1234;
    run.go(
        0.0, 1e-3, 20000, [&](double t) { return swing(t) + (t < at ? 0.0 : jump); }, swing_power);
    run.finish();
    ASSERT_EQ(run.found.size(), 1u) << jump;
    EXPECT_EQ(run.found[0].kind, Finding::Kind::jump);
    EXPECT_LE(run.found[0].from, at);
    EXPECT_GE(run.found[0].until, at);
    EXPECT_LT(run.found[0].until - run.found[0].from, 0.05);
    EXPECT_NEAR(run.found[0].amount, jump, 1e-3);
  }
}

TEST(PowerBalance, FindsADriftAndSinceWhen) {
  Account slow, fast;
  const auto drifting = [](double rate) {
    return [rate](double t) { return swing(t) * (1.0 + rate * t); };
  };
  slow.go(0.0, 1e-3, 20000, drifting(2e-4), swing_power);  // 4e-3 in all
  slow.finish();
  ASSERT_EQ(slow.found.size(), 1u);
  EXPECT_EQ(slow.found[0].kind, Finding::Kind::drift);
  EXPECT_GT(slow.found[0].from, 2.0);
  EXPECT_LT(slow.found[0].from, 8.0);
  EXPECT_GT(slow.found[0].until, 15.0);  // the worst is near the end
  EXPECT_NEAR(slow.found[0].amount, 4e-3 * 9.0, 1e-2);
  // A tenth of what is allowed is not worth a word, and much is said before the end.
  Account none;
  none.go(0.0, 1e-3, 20000, drifting(4e-6), swing_power);
  none.finish();
  EXPECT_TRUE(none.found.empty());
  fast.go(0.0, 1e-3, 20000, drifting(0.01), swing_power);
  EXPECT_TRUE(fast.balance.take());
}

// Where nothing gives or takes energy it has to stay what it is, to a hundredth of what is allowed
// otherwise.
TEST(PowerBalance, IsStricterWhereTheAccountIsClosed) {
  const auto none = [](double) { return 0.0; };
  for (const auto& [rate, faults] : {std::pair{4e-7, 0u}, {1e-6, 1u}}) {  // 8e-6, 2e-5 in all
    Account run(PowerBalance::kClosed);
    run.go(
        0.0, 1e-3, 20000, [rate = rate](double t) { return 5.0 * (1.0 + rate * t); }, none);
    run.finish();
    ASSERT_EQ(run.found.size(), faults) << rate;
    EXPECT_NEAR(run.balance.worst(), 5.0 * rate * 20.0, 1e-6);
    EXPECT_NEAR(run.balance.worst_time(), 20.0, 0.02);
  }
  Account jump(PowerBalance::kClosed);
  jump.go(
      0.0, 1e-3, 20000, [](double t) { return t < 12.3 ? 5.0 : 5.01; }, none);
  jump.finish();
  ASSERT_EQ(jump.found.size(), 1u);
  EXPECT_EQ(jump.found[0].kind, Finding::Kind::jump);
  EXPECT_NEAR(jump.balance.worst(), 0.01, 1e-9);
}

// An error near a singular position may be gone after a few frames, whichever these are.
TEST(PowerBalance, SeesInAClosedAccountWhatComesAndGoes) {
  for (int first = 12300; first < 12316; ++first) {
    Account run(PowerBalance::kClosed);
    run.go(
        0.0, 1e-3, 20000,
        [first](double t) { return std::fabs(t - 1e-3 * (first + 1)) < 1.1e-3 ? 5.0001 : 5.0; },
        [](double) { return 0.0; });
    run.finish();
    ASSERT_EQ(run.found.size(), 1u) << first;
    EXPECT_NEAR(run.balance.worst_time(), 1e-3 * (first + 1), 1.1e-3);
  }
}

// Rounding of positions is no fault of a method: neither far up nor nearly at rest.
TEST(PowerBalance, DoesNotCountRounding) {
  testkit::Random random(6);
  PowerBalance far(1e-9, PowerBalance::kClosed), rest(1e-3, PowerBalance::kClosed);
  for (int i = 0; i < 20000; ++i) {
    const double t = 1e-3 * i, noise = random.number(-1.0, 1.0);
    far.add({.t = t, .kinetic = 1e-4, .potential = 1e6 * (1.0 + 2e-16 * noise)});
    rest.add({.t = t, .kinetic = 1e-9, .potential = 3e-7 * noise});
  }
  for (PowerBalance* b : {&far, &rest}) {
    b->finish();
    EXPECT_FALSE(b->take());
  }
}

TEST(PowerBalance, DoesNotCompareAcrossAnInterruption) {
  Account run;
  run.go(0.0, 1e-3, 5000, swing, swing_power);
  run.balance.interrupt();
  run.go(
      5.001, 1e-3, 5000, [](double t) { return 0.25 * swing(t); },
      [](double t) { return 0.25 * swing_power(t); });
  run.finish();
  EXPECT_TRUE(run.found.empty());
}

}  // namespace
}  // namespace power_balance_test
