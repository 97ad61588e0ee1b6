// SPDX-License-Identifier: Apache-2.0

// Gain and phase errors of interpolators: Table 1 of R. M. Howe's paper, and runs of the scheme.

#include "analysis/interpolator_error.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "analysis/dynamic_error.hpp"
#include "testkit/models.hpp"

namespace interpolator_error_test {
namespace {

using namespace chicane;
using Complex = std::complex<double>;

TEST(InterpolatorErrors, AreThePrintedOnesOfTable1) {
  struct Row {
    Interpolator kind;
    bool gain;
    int power;
    std::array<double, 5> printed;  // N = 2, 3, 4, 5, infinity
  };
  using enum Interpolator;
  for (const Row& row : {Row{hold, false, 1, {-.2500, -.3333, -.3750, -.4000, -.5000}},
                         Row{extrap1, true, 2, {.1875, .2593, .2969, .3200, .4167}},
                         Row{interp1, true, 2, {-.0625, -.0741, -.0781, -.0800, -.0833}},
                         Row{extrap2, false, 3, {.1563, .2222, .2578, .2800, .3750}},
                         Row{interp2, false, 3, {-.0313, -.0370, -.0391, -.0400, -.0417}},
                         Row{interp2d, false, 3, {-.0104, -.0123, -.0130, -.0133, -.0139}}}) {
    const InterpolatorTerm term = interpolator_term(row.kind);
    EXPECT_EQ(term.gain, row.gain);
    EXPECT_EQ(term.power, row.power);
    constexpr double kDigits = 0.5e-4 * (1 + 1e-9);  // four decimals
    for (int N = 2; N <= 5; ++N)
      EXPECT_NEAR(term.coefficient(N).value(), row.printed[static_cast<std::size_t>(N - 2)],
                  kDigits)
          << info_of(row.kind).name << ", N = " << N;
    EXPECT_NEAR(term.limit().value(), row.printed[4], kDigits) << info_of(row.kind).name;
  }
}

TEST(InterpolatorErrors, AreExactFractionsForAnyRatio) {
  for (std::int64_t N = 1; N <= 40; ++N) {
    const auto of = [&](Interpolator kind) {
      return interpolator_term(kind).coefficient(static_cast<int>(N));
    };
    EXPECT_EQ(of(Interpolator::hold), Rational(-(N - 1), 2 * N));
    EXPECT_EQ(of(Interpolator::extrap1), Rational((N - 1) * (5 * N - 1), 12 * N * N));
    EXPECT_EQ(of(Interpolator::interp1), Rational(-(N * N - 1), 12 * N * N));
    EXPECT_EQ(of(Interpolator::extrap2), Rational((N - 1) * (3 * N - 1), 8 * N * N));
    EXPECT_EQ(of(Interpolator::interp2), Rational(-(N * N - 1), 24 * N * N));
    EXPECT_EQ(of(Interpolator::interp2d), Rational(-(N * N - 1), 72 * N * N));
    EXPECT_EQ(of(Interpolator::interp3),
              Rational((N * N - 1) * (19 * N * N - 1), 720 * N * N * N * N));
  }
}

TEST(InterpolatorErrors, ApproachTheirLeadingTerm) {
  constexpr double kTheta = 0.02;
  for (const InterpolatorInfo& i : kInterpolators)
    for (const int N : {2, 5, 16}) {
      const InterpolatorTerm term = interpolator_term(i.kind);
      const GainPhase e = gain_phase(interpolator_error(i.kind, N, kTheta));
      const double formula = term.coefficient(N).value() * std::pow(kTheta, term.power);
      // the next term is theta^2 of it, with a coefficient below ten
      EXPECT_NEAR(term.gain ? e.gain : e.phase, formula, 10 * kTheta * kTheta * std::fabs(formula))
          << i.name << ", N = " << N;
    }
}

// What the fast group sees of a slow sine, projected on it.
struct Seen final : Observer {
  const SignalInfo* signal = nullptr;
  double omega = 0, from = 0, until = 0;
  Complex sum = 0;
  int count = 0;
  void observe(const Point& point) noexcept override {
    if (point.t < from || point.t >= until) return;
    sum += point.value(*signal) * std::polar(1.0, -omega * point.t);
    ++count;
  }
};

TEST(InterpolatorErrors, AreThoseOfARun) {
  constexpr int kPeriod = 24, kRatio = 4;  // frames; fast steps in a frame
  const double T = 0.25, theta = 2 * std::numbers::pi / kPeriod, omega = theta / T;
  const std::string model =
      "format: chicane/1\nunits: none\nparameters: {w: " + fmt::format("{:.17g}", omega) +
      "}\ngroups:\n  slow: {states: {r: {der: w*cos(w*t)}}}\n"
      "  fast: {auxiliaries: {seen: r + 0*x}, states: {x: {der: seen}}}\n";
  for (const InterpolatorInfo& i : kInterpolators) {
    // rk5 makes the slow sine to 1e-9
    const auto p = testkit::planned(
        model,
        "scheme: multiframe, method: euler, groups: {slow: {method: rk5}}, step: 250 ms, "
        "ratio: 4, interp: " +
            std::string(i.name));
    Simulation s(p.structure, p.plan);
    Seen seen;
    for (const SignalInfo& signal : p.structure->signals)
      if (signal.name == "seen") seen.signal = &signal;
    ASSERT_NE(seen.signal, nullptr);
    seen.omega = omega;
    seen.from = T * kPeriod - 1e-9;
    seen.until = 2 * T * kPeriod - 1e-9;
    for (int n = 0; n < 2 * kPeriod; ++n) ASSERT_EQ(s.step(&seen), Status::ok);
    ASSERT_EQ(seen.count, kPeriod * kRatio);
    const Complex measured = seen.sum * (2.0 / seen.count) * Complex(0, 1);
    EXPECT_LT(std::abs(measured - 1.0 - interpolator_error(i.kind, kRatio, theta)), 1e-8) << i.name;
  }
}

}  // namespace
}  // namespace interpolator_error_test
