// SPDX-License-Identifier: Apache-2.0

// Interpolators are exact for polynomials of their degree, and beyond it have the errors in gain
// and phase of Table 1 of R. M. Howe's paper on multiple frame rates.

#include "integrators/multirate/interpolator.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <functional>

namespace interpolator_test {
namespace {

using namespace chicane;

std::vector<double> points_between() {
  std::vector<double> list;
  for (int i = 0; i <= 16; ++i) list.push_back(i / 16.0);
  return list;
}

TEST(Interpolators, HaveWeightsThatSumToOne) {
  for (const InterpolatorInfo& i : kInterpolators)
    for (const double a : points_between()) {
      const Weights w = weights(i.kind, a);
      EXPECT_NEAR(w.next + w.now + w.back1 + w.back2, 1.0, 1e-15) << i.name << " at " << a;
    }
}

TEST(Interpolators, ReproducePolynomialsOfTheirDegreeAndNoMore) {
  for (const InterpolatorInfo& i : kInterpolators) {
    const auto error = [&](int degree, double a) {  // of t^degree, one step being 1
      const auto r = [&](double t) { return std::pow(t, degree); };
      const double rate = degree == 1 ? 1.0 : 0.0;
      const Weights w = weights(i.kind, a);
      return w.next * r(1) + w.now * r(0) + w.back1 * r(-1) + w.back2 * r(-2) + w.rate * rate -
             r(a);
    };
    for (const double a : points_between())
      for (int degree = 0; degree < i.points; ++degree)
        EXPECT_NEAR(error(degree, a), 0.0, 4e-15) << i.name << ", degree " << degree << " at " << a;
    EXPECT_GT(std::fabs(error(i.points, 0.5)), 0.1 / 8) << i.name;
  }
}

TEST(Interpolators, UseOnlyTheSamplesTheyName) {
  for (const InterpolatorInfo& i : kInterpolators) {
    const Weights w = weights(i.kind, 0.3);
    EXPECT_EQ(w.next != 0, i.ahead) << i.name;
    EXPECT_EQ(w.back1 != 0, i.back > 0) << i.name;
    EXPECT_EQ(w.back2 != 0, i.back > 1) << i.name;
    EXPECT_EQ(w.rate != 0, i.rate) << i.name;
  }
}

// The coefficient of w^m in (interpolated e^jwt) / e^jwt at t = alpha, one step being 1.
std::complex<double> error_term(const Weights& w, double alpha, int m) {
  const auto power = [](double x, int n) { return n == 0 ? 1.0 : std::pow(x, n); };
  const double samples = w.next * power(1 - alpha, m) + w.now * power(-alpha, m) +
                         w.back1 * power(-1 - alpha, m) + w.back2 * power(-2 - alpha, m);
  const double rate = m > 0 ? w.rate * power(-alpha, m - 1) * m : 0.0;
  return (samples + rate) / std::tgamma(m + 1) * std::pow(std::complex<double>(0, 1), m);
}

TEST(Interpolators, HaveTheGainAndPhaseErrorsOfTable1) {
  struct Row {
    Interpolator kind;
    bool gain;                           // else phase
    std::function<double(double)> mean;  // over alpha = k/N, k = 0 ... N-1
  };
  using enum Interpolator;
  const Row rows[] = {
      {hold, false, [](double N) { return -(N - 1) / (2 * N); }},
      {extrap1, true, [](double N) { return (N - 1) * (5 * N - 1) / (12 * N * N); }},
      {interp1, true, [](double N) { return -(N * N - 1) / (12 * N * N); }},
      {extrap2, false, [](double N) { return (N - 1) * (3 * N - 1) / (8 * N * N); }},
      {interp2, false, [](double N) { return -(N * N - 1) / (24 * N * N); }},
      {interp2d, false, [](double N) { return -(N * N - 1) / (72 * N * N); }},
      // The cubic is not in the table: the mean of -(alpha-1) alpha (alpha+1) (alpha+2) / 24.
      {interp3, true,
       [](double N) { return (N * N - 1) * (19 * N * N - 1) / (720 * N * N * N * N); }},
  };
  EXPECT_EQ(std::size(rows), kInterpolators.size());
  for (const Row& row : rows) {
    const int points = info_of(row.kind).points;
    for (int N = 1; N <= 12; ++N) {
      std::complex<double> mean = 0;
      for (int k = 0; k < N; ++k) {
        const double alpha = static_cast<double>(k) / N;
        const Weights w = weights(row.kind, alpha);
        for (int m = 1; m < points; ++m)  // what comes before is no error
          EXPECT_NEAR(std::abs(error_term(w, alpha, m)), 0.0, 1e-12);
        mean += error_term(w, alpha, points) / static_cast<double>(N);
      }
      EXPECT_NEAR(row.gain ? mean.real() : mean.imag(), row.mean(N), 1e-12)
          << info_of(row.kind).name << ", N = " << N;
      EXPECT_NEAR(row.gain ? mean.imag() : mean.real(), 0.0, 1e-12);
    }
  }
}

TEST(Interpolators, AreFoundByName) {
  for (const InterpolatorInfo& i : kInterpolators)
    EXPECT_EQ(find_interpolator(i.name)->kind, i.kind);
  EXPECT_EQ(find_interpolator("interp4"), nullptr);
  EXPECT_EQ(interpolator_names().size(), kInterpolators.size());
}

}  // namespace
}  // namespace interpolator_test
