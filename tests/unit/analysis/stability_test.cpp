// SPDX-License-Identifier: Apache-2.0

// Growth, limits and regions of methods: as runs have them, and as others have published them.

#include "analysis/stability.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "analysis/region.hpp"
#include "integrators/tableaus/pairs.hpp"
#include "testkit/models.hpp"

namespace stability_test {
namespace {

using namespace chicane;
using Complex = std::complex<double>;

class MethodStability : public testing::TestWithParam<std::string> {
 protected:
  const Method& method() const { return *find_method(GetParam()); }
};
std::vector<std::string> names() {
  const auto list = method_names();
  return {list.begin(), list.end()};
}
INSTANTIATE_TEST_SUITE_P(Methods, MethodStability, testing::ValuesIn(names()),
                         [](const auto& m) { return m.param; });

// A run of x' = lambda x with a step of 1, as two real equations. It begins small, so that it may
// grow.
std::vector<Complex> run_of(const std::string& method, Complex z, int steps) {
  const auto model = testkit::compiled(fmt::format(
      "format: chicane/1\nunits: none\nparameters: {{a: {:.17g}, b: {:.17g}}}\nstates:\n"
      "  x: {{der: a*x - b*y, initial: 1e-150}}\n  y: {{der: b*x + a*y, initial: 1e-150}}\n",
      z.real(), z.imag()));
  Simulation s(model, testkit::plan(method, 1.0));
  std::vector<Complex> x;
  for (int i = 0; i < steps; ++i) {
    EXPECT_EQ(s.step(), Status::ok);
    const auto& now = s.state().groups[GroupIndex{0}].x;
    x.emplace_back(now[0], now[1]);
  }
  return x;
}

// The largest |x| of a stretch: roots of equal size make |x| beat.
double largest(const std::vector<Complex>& x, std::size_t from, std::size_t count) {
  double most = 0;
  for (std::size_t i = from; i < from + count; ++i) most = std::max(most, std::abs(x[i]));
  return most;
}

TEST_P(MethodStability, GrowsInARunAsComputed) {
  for (const double zeta : {0.1, 0.7, 1.0})
    for (const double share : {0.3, 0.98, 1.02}) {  // of the limit: decay, and growth beyond it
      const Complex z = share * damping_limit(method(), zeta) * mode_direction(zeta);
      const double computed = growth(method(), z);
      EXPECT_EQ(computed > 1.0, share > 1.0) << "zeta " << zeta;
      // Long enough for roots of nearly equal size to part, too short to run out of numbers.
      const auto half =
          static_cast<std::size_t>(std::min(1400.0, 140.0 / std::fabs(std::log(computed))));
      const auto x = run_of(GetParam(), z, static_cast<int>(2 * half) + 50);
      const double seen = std::pow(largest(x, 2 * half, 50) / largest(x, half, 50),
                                   1.0 / static_cast<double>(half));
      // What is left of smaller roots and of beats is less than a half of x.
      EXPECT_NEAR(seen, computed, std::log(1.5) / static_cast<double>(half) * computed)
          << "zeta " << zeta << ", " << share << " of the limit";
      // and to rounding: every step is one of the recurrence
      const auto a = recurrence(method().k, z);
      for (std::size_t n = 20; n < 60; ++n) {
        Complex next = 0;
        for (std::size_t m = 0; m < a.size(); ++m) next += a[m] * x[n - m];
        EXPECT_LT(std::abs(next - x[n + 1]), 1e-13 * largest(x, n - 8, 9));
      }
    }
}

// Adams-Bashforth of orders 5 and 6: the real limit is 2 / sum |b|, where a root leaves by -1.
TEST(StabilityLimits, OfHighAdamsMethodsAreSmallAndNotZero) {
  Method ab5, ab6;
  ab5.k.old = 4;
  ab5.k.b[0] = 1901.0 / 720;
  ab5.k.e = {-2774.0 / 720, 2616.0 / 720, -1274.0 / 720, 251.0 / 720};
  ab6.k.old = 5;
  ab6.k.b[0] = 4277.0 / 1440;
  ab6.k.e = {-7923.0 / 1440, 9982.0 / 1440, -7298.0 / 1440, 2877.0 / 1440, -475.0 / 1440};
  EXPECT_NEAR(real_limit(ab5), 90.0 / 551, 1e-8);
  EXPECT_NEAR(real_limit(ab6), 5.0 / 57, 1e-8);
}

// A method whose polynomial has the coefficients 1, 1, 1/2, ..., beta_s: each stage from the one
// before it.
Method with_polynomial(const std::vector<double>& beta) {
  Method m;
  const std::size_t s = beta.size() - 1;
  m.k.stages = static_cast<int>(s);
  m.k.b[s - 1] = 1;
  for (std::size_t i = 1; i < s; ++i)
    m.k.c[s - i] = m.k.A[s - i][s - i - 1] = beta[i + 1] / beta[i];
  return m;
}

// |R(iy)|^2 - 1 = 2 (1/720 - beta_6) y^6 + ...: below 1e-9 up to y = 0.1 for both, and yet the one
// grows from the origin on, the other damps.
TEST(StabilityLimits, AreZeroOnlyWhereGrowthBeginsAtTheOrigin) {
  const auto sixth = [](double beta) {
    return with_polynomial({1, 1, 1.0 / 2, 1.0 / 6, 1.0 / 24, 1.0 / 120, beta});
  };
  EXPECT_EQ(imaginary_limit(sixth(1.0 / 2080)), 0.0);
  EXPECT_GT(imaginary_limit(sixth(1.0 / 640)), 0.8);
  EXPECT_GT(growth_limit(sixth(1.0 / 2080), {0, 1}, 1e-9), 0.1);
}

// The optimal polynomials touch 1 inside the interval: s stages reach s - 1 (s odd), sqrt 24 for
// six, sqrt 8 for four.
TEST(StabilityLimits, OfOptimalPolynomialsAreReachedAcrossTheirTouchingPoints) {
  EXPECT_NEAR(imaginary_limit(with_polynomial({1, 1, 1.0 / 2, 1.0 / 4})), 2.0, 1e-3);
  EXPECT_NEAR(imaginary_limit(with_polynomial({1, 1, 1.0 / 2, 3.0 / 16, 1.0 / 32, 1.0 / 128})), 4.0,
              1e-3);
  EXPECT_NEAR(
      imaginary_limit(with_polynomial({1, 1, 1.0 / 2, 1.0 / 6, 1.0 / 24, 1.0 / 180, 1.0 / 1080})),
      std::sqrt(24.0), 1e-3);
}

// Computed for the dual-rate PRK paper: rk2 beside the five-stage polynomial of its Table 5, to
// the three decimals they are given with.
TEST(DampingLimits, OfRk2AndTheFiveStagePolynomialAreTheKnownOnes) {
  struct Row {
    double zeta, rk2, five;
  };
  const Method five{.k = find_pair("prk25")->fast};
  for (const Row& row : {Row{0.01, 0.444, 4.017}, Row{0.05, 0.800, 4.040}, Row{0.08, 0.961, 4.014},
                         Row{0.10, 1.050, 3.976}, Row{0.2, 1.394, 3.516}, Row{0.5, 2.0, 3.148}}) {
    EXPECT_NEAR(damping_limit(*find_method("rk2"), row.zeta), row.rk2, 1e-3) << row.zeta;
    EXPECT_NEAR(damping_limit(five, row.zeta), row.five, 1e-3) << row.zeta;
  }
}

TEST(StabilityPolynomial, IsTheExponentialUpToTheOrder) {
  for (const MethodTable& t : method_tables()) {
    const auto p = stability_polynomial(*find_method(t.name));
    EXPECT_EQ(p.empty(), t.k.old > 0) << t.name;
    double factorial = 1;
    for (int k = 1; k <= t.order && !p.empty(); ++k)
      EXPECT_NEAR(p[static_cast<std::size_t>(k)], 1 / (factorial *= k), 1e-15) << t.name;
  }
}

TEST(StabilityPolynomial, OfThePairIsTheOptimalOneAndTheSlowPartIsRk2) {
  const auto fast = stability_polynomial(Method{.k = find_pair("prk25")->fast});
  const std::vector<double> table5{1, 1, 1.0 / 2, 3.0 / 16, 1.0 / 32, 1.0 / 128};
  ASSERT_EQ(fast.size(), table5.size());
  for (std::size_t k = 0; k < fast.size(); ++k) EXPECT_NEAR(fast[k], table5[k], 1e-14);
  EXPECT_EQ(stability_polynomial(Method{.k = find_pair("prk25")->slow}).size(), 3U);
}

TEST_P(MethodStability, HasARootOnTheUnitCircleAllAlongItsLocus) {
  for (const Curve& branch : boundary_locus(method(), 90)) {
    ASSERT_EQ(branch.size(), 91U);
    for (const Complex& z : branch) {
      double nearest = 1;
      for (const Complex& q : characteristic_roots(method(), z))
        nearest = std::min(nearest, std::fabs(std::abs(q) - 1));
      // rounding; multiple roots have its root of their multiplicity
      EXPECT_LT(nearest, 1e-4) << z;
    }
  }
}

TEST_P(MethodStability, HasClosedContoursOfItsLevelsThatMeetTheRealLimit) {
  const std::vector<double> levels{1.0, 0.8};
  const Window w = window_around(method());
  const int cells = 200;
  const double cell = (w.right - w.left) / cells;
  const auto contours = growth_contours(method(), levels, w, cells);
  ASSERT_EQ(contours.size(), 2U);
  ASSERT_FALSE(contours[0].empty());
  double left = 0;
  for (std::size_t i = 0; i < 2; ++i)
    for (const Curve& c : contours[i]) {
      EXPECT_EQ(c.front(), c.back());
      for (const Complex& z : c) {
        // across one cell the interpolation is off by less than the cell, growth changes by less
        // than ten times that
        EXPECT_NEAR(growth(method(), z), levels[i], 10 * cell) << z;
        if (i == 0 && std::fabs(z.imag()) < cell) left = std::min(left, z.real());
      }
    }
  EXPECT_NEAR(-left, real_limit(method()), cell);
}

}  // namespace
}  // namespace stability_test
