// SPDX-License-Identifier: Apache-2.0

// Optimal stability polynomials beside what is known of them.

#include "analysis/design/polynomial.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>

#include "core/diagnostics.hpp"

namespace polynomial_test {
namespace {

using namespace chicane;

constexpr double kLimit = 1e-9;  // the search ends at rounding; the limit is a simple root

StabilityPolynomial imaginary(int stages, int order, double damping = 0) {
  return optimal_polynomial({stages, order, StabilityAxis::imaginary, damping});
}
StabilityPolynomial real(int stages, int order, double damping = 0) {
  return optimal_polynomial({stages, order, StabilityAxis::real, damping});
}

double growth(const StabilityPolynomial& p, std::complex<double> z) {
  std::complex<double> R = 0;
  for (std::size_t k = p.beta.size(); k-- > 0;) R = R * z + p.beta[k];
  return std::abs(R);
}

// The largest growth on the way to the limit, at points that are none of the search's.
double largest_growth(const StabilityPolynomial& p, std::complex<double> direction, double from = 0,
                      double to = 1) {
  double most = 0;
  for (int i = 0; i <= 5000; ++i)
    most = std::max(most, growth(p, p.limit * (from + (to - from) * i / 5000.0) * direction));
  return most;
}

constexpr std::complex<double> kI{0, 1};

void expect_taylor(const StabilityPolynomial& p, int order) {
  double factorial = 1;
  for (int k = 0; k <= order; ++k) {
    if (k > 0) factorial *= k;
    EXPECT_DOUBLE_EQ(p.beta[static_cast<std::size_t>(k)], 1 / factorial);
  }
}

// Order 2, s = 2m + 1: R = T_m(1 + z^2/2m^2) + (z/m)(1 + z^2/4m^2) U_{m-1}(1 + z^2/2m^2), limit
// s - 1 (the dual-rate PRK paper, after van der Houwen and Kinnmark and Gray). On the imaginary
// axis T and U are cosines and sines.
TEST(OptimalPolynomial, OfOrderTwoWithOddStagesIsTheChebyshevFormula) {
  for (const int m : {1, 2, 3}) {
    const StabilityPolynomial p = imaginary(2 * m + 1, 2);
    EXPECT_NEAR(p.limit, 2 * m, kLimit);
    expect_taylor(p, 2);
    for (int i = 1; i < 40; ++i) {
      const double y = 2.0 * m * i / 40, theta = std::acos(1 - y * y / (2 * m * m));
      const std::complex<double> R =
          std::cos(m * theta) +
          kI * (y / m) * (1 - y * y / (4 * m * m)) * std::sin(m * theta) / std::sin(theta);
      std::complex<double> ours = 0;
      for (std::size_t k = p.beta.size(); k-- > 0;) ours = ours * (kI * y) + p.beta[k];
      // Coefficients are flat where the limit is not: about the root of the rounding of the search.
      EXPECT_LT(std::abs(ours - R), 1e-9) << m << " at " << y;
    }
  }
  const StabilityPolynomial p = imaginary(5, 2);  // Table 5 of the paper
  EXPECT_NEAR(p.beta[3], 3.0 / 16, 1e-12);
  EXPECT_NEAR(p.beta[4], 1.0 / 32, 1e-12);
  EXPECT_NEAR(p.beta[5], 1.0 / 128, 1e-12);
}

// Even stages: sqrt((s - 1)^2 - 1). With 4 it is the classical method's polynomial; with 6,
// |R|^2 - 1 = y^6 (y^2 - 24)(y^2 - 15)^2 / 1166400.
TEST(OptimalPolynomial, OfOrderTwoWithEvenStages) {
  EXPECT_NEAR(imaginary(4, 2).limit, std::sqrt(8.0), kLimit);
  const StabilityPolynomial six = imaginary(6, 2);
  EXPECT_NEAR(six.limit, std::sqrt(24.0), kLimit);
  EXPECT_NEAR(six.beta[3], 1.0 / 6, 1e-9);
  EXPECT_NEAR(six.beta[4], 1.0 / 24, 1e-9);
  EXPECT_NEAR(six.beta[5], 1.0 / 180, 1e-9);
  EXPECT_NEAR(six.beta[6], 1.0 / 1080, 1e-9);
}

// Order 1 reaches s - 1 with any number of stages (Kinnmark and Gray, One step integration methods
// with maximum stability regions, 1984).
TEST(OptimalPolynomial, OfOrderOneReachesStagesLessOne) {
  for (const int s : {2, 3, 4, 5, 6}) EXPECT_NEAR(imaginary(s, 1).limit, s - 1, kLimit) << s;
}

// Kinnmark and Gray, One step integration methods of third-fourth order accuracy with large
// hyperbolic stability limits, 1984: sqrt((s - 1)^2 - 1), for order 3 with odd s and order 4 with
// even s. With order 3 a little more is possible; beyond that, 3.92 is known not to be for s = 5.
TEST(OptimalPolynomial, OfOrdersThreeAndFourReachThePublishedLimits) {
  EXPECT_NEAR(imaginary(4, 4).limit, std::sqrt(8.0), kLimit);
  EXPECT_NEAR(imaginary(6, 4).limit, std::sqrt(24.0), kLimit);
  EXPECT_NEAR(imaginary(3, 3).limit, std::sqrt(3.0), kLimit);
  for (const int s : {5, 7}) {
    const StabilityPolynomial p = imaginary(s, 3);
    expect_taylor(p, 3);
    EXPECT_GT(p.limit, std::sqrt((s - 1.0) * (s - 1.0) - 1)) << s;
    EXPECT_LT(p.limit, s - 1);
    EXPECT_LE(largest_growth(p, kI), 1 + 1e-13) << s;  // rounding of the sum
    EXPECT_GT(growth(p, 1.0001 * p.limit * kI), 1);
  }
  EXPECT_GT(imaginary(5, 3).limit, 3.91);
  EXPECT_LT(imaginary(5, 3).limit, 3.92);
}

// Without freedom the polynomial is Taylor's, and two stages of order 2 leave the axis at once.
TEST(OptimalPolynomial, WithAsManyStagesAsOrderHasNoChoice) {
  EXPECT_EQ(imaginary(2, 2).limit, 0);
  EXPECT_EQ(imaginary(1, 1).limit, 0);
  EXPECT_NEAR(real(4, 4).limit, 2.785293563, 1e-8);  // rk4
}

// Order 1: 2 s^2, Chebyshev's polynomials. Order 2: 6.26 and 12.05 for 3 and 4 stages, 0.82 s^2 for
// many (van der Houwen; Hairer and Wanner, Solving ODEs II, IV.2).
TEST(OptimalPolynomial, OnTheRealAxisAgreesWithKnownLimits) {
  for (const int s : {1, 2, 3, 4, 5, 6}) EXPECT_NEAR(real(s, 1).limit, 2 * s * s, 1e-8) << s;
  const StabilityPolynomial three = real(3, 1);  // T_3(1 + z/9)
  EXPECT_NEAR(three.beta[2], 4.0 / 27, 1e-12);
  EXPECT_NEAR(three.beta[3], 4.0 / 729, 1e-12);
  EXPECT_NEAR(real(2, 2).limit, 2, kLimit);
  EXPECT_NEAR(real(3, 2).limit, 6.26, 0.005);
  EXPECT_NEAR(real(4, 2).limit, 12.05, 0.005);
  const StabilityPolynomial seven = real(7, 2);
  EXPECT_GT(seven.limit / 49, real(4, 2).limit / 16);
  EXPECT_LT(seven.limit / 49, 0.8219);
  EXPECT_LE(largest_growth(seven, -1), 1 + 1e-9);  // terms of 1e5 cancel
}

TEST(OptimalPolynomial, DampingHoldsWhatItPromises) {
  constexpr double kEps = 0.05;
  const StabilityPolynomial r = real(4, 2, kEps);
  EXPECT_LE(largest_growth(r, -1, 1.0 / r.limit), 1 - kEps + 1e-12);
  EXPECT_LT(r.limit, real(4, 2).limit);
  EXPECT_GT(r.limit, 0.9 * real(4, 2).limit);
  const StabilityPolynomial i = imaginary(5, 2, kEps);
  EXPECT_LE(largest_growth(i, kI, 2.0 / i.limit), 1 - kEps + 1e-12);  // from (s - 1)/2 on
  EXPECT_LE(largest_growth(i, kI), 1 + 1e-12);
  EXPECT_LT(i.limit, 4);
  EXPECT_GT(i.limit, 3);
}

TEST(OptimalPolynomial, RefusesWhatMakesNoSense) {
  EXPECT_THROW(imaginary(2, 3), UsageError);
  EXPECT_THROW(imaginary(5, 0), UsageError);
  EXPECT_THROW(imaginary(5, 5), UsageError);
  EXPECT_THROW(imaginary(17, 2), UsageError);
  EXPECT_THROW(imaginary(5, 2, -0.1), UsageError);
  EXPECT_THROW(imaginary(5, 2, 0.9), UsageError);
}

}  // namespace
}  // namespace polynomial_test
