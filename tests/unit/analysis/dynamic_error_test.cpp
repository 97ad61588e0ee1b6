// SPDX-License-Identifier: Apache-2.0

// Errors of roots and responses: formulas, exact values and runs agree, and so do published
// numbers.

#include "analysis/dynamic_error.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <numbers>

#include "analysis/stability.hpp"
#include "integrators/tableaus/rational.hpp"
#include "testkit/models.hpp"

namespace dynamic_error_test {
namespace {

using namespace chicane;
using Complex = std::complex<double>;

class MethodErrors : public testing::TestWithParam<std::string> {
 protected:
  const Method& method() const { return *find_method(GetParam()); }
};
std::vector<std::string> names() {
  const auto list = method_names();
  return {list.begin(), list.end()};
}
INSTANTIATE_TEST_SUITE_P(Methods, MethodErrors, testing::ValuesIn(names()),
                         [](const auto& m) { return m.param; });

// R. M. Howe's formulas for Adams methods (error constants of Adams-Bashforth; of Adams-Moulton, as
// the predictor's error is of higher order), and 1/q! - 1/(q+1)! ... of Runge-Kutta methods whose
// polynomial is the exponential's up to its degree: -1/(q+1)!.
TEST(RootError, HasTheKnownCoefficients) {
  const std::map<std::string, Rational> known{
      {"euler", {-1, 2}}, {"ab2", {-5, 12}},   {"ab3", {-3, 8}},    {"ab4", {-251, 720}},
      {"am2p", {1, 12}},  {"am3p", {1, 24}},   {"am4p", {19, 720}}, {"rk2", {-1, 6}},
      {"heun2", {-1, 6}}, {"rtrk3", {-1, 24}}, {"rk4", {-1, 120}}};
  for (const auto& [name, coefficient] : known) {
    const auto term = DynamicError(*find_method(name)).root_term();
    EXPECT_EQ(term.power, find_method(name)->order) << name;
    EXPECT_EQ(as_fraction(term.coefficient.real()), coefficient) << name;
    EXPECT_EQ(term.coefficient.imag(), 0.0) << name;
  }
}

TEST_P(MethodErrors, HasAFormulaWithinOnePercentAtSmallSteps) {
  const DynamicError e(method());
  for (const double zeta : {0.0, 0.3, 0.7, 1.0}) {
    const Complex z = 1e-3 * mode_direction(zeta);
    EXPECT_LT(std::abs(e.root(z) / e.asymptotic_root(z) - 1.0), 0.01) << zeta;
    for (const double theta : {0.5e-3, 1e-3}) {
      const Complex exact = e.response(z, theta), formula = e.asymptotic_response(z, theta);
      if (Complex(0.0, theta) != z) {  // resonance
        EXPECT_LT(std::abs(exact / formula - 1.0), 0.01) << zeta;
      }
    }
  }
}

// e^{lambda* h} must be a root of the recurrence, whether the series or the roots were used.
TEST_P(MethodErrors, HasItsEquivalentRootAmongTheCharacteristicRoots) {
  const DynamicError e(method());
  for (const double size : {0.01, 0.05, 0.1, 0.2, 0.4})
    for (const double zeta : {0.0, 0.5}) {
      const Complex z = size * mode_direction(zeta), q = std::exp(z * (1.0 + e.root(z)));
      double nearest = 1;
      for (const Complex& root : characteristic_roots(method(), z))
        nearest = std::min(nearest, std::abs(root - q));
      EXPECT_LT(nearest, 1e-12) << z;  // rounding of the roots
    }
}

// Steps of a run of x' = lambda x: the principal root rules once the others have died out.
TEST_P(MethodErrors, HasTheRootOfARun) {
  const auto model = testkit::compiled(
      "format: chicane/1\nunits: none\nstates:\n"
      "  x: {der: -0.75*x - y, initial: 1}\n  y: {der: x - 0.75*y}\n");
  Simulation s(model, testkit::plan(GetParam(), 0.125));
  const auto now = [&] {
    const auto& x = s.state().groups[GroupIndex{0}].x;
    return Complex(x[0], x[1]);
  };
  for (int i = 0; i < 200; ++i) ASSERT_EQ(s.step(), Status::ok);
  const Complex before = now();
  ASSERT_EQ(s.step(), Status::ok);
  const Complex z = 0.125 * Complex(-0.75, 1.0);
  EXPECT_LT(std::abs(std::log(now() / before) - z * (1.0 + DynamicError(method()).root(z))), 1e-13);
}

// The pitch loop of R. M. Howe's paper: ab2, lambda = -15.92 + 26.37i and -1.274 + 4.674i.
TEST(ModeError, IsThatOfThePitchLoop) {
  const DynamicError ab2(*find_method("ab2"));
  const auto formula = [&](Complex lambda, double h) {
    return asymptotic_mode_error(-lambda.real() / std::abs(lambda),
                                 ab2.asymptotic_root(lambda * h));
  };
  const Complex actuator(-15.92, 26.37), airframe(-1.274, 4.674);
  EXPECT_NEAR(formula(actuator, 0.01).frequency, -0.002707, 0.5e-6);  // printed -0.00273
  EXPECT_NEAR(formula(actuator, 0.01).damping, 0.02995, 0.5e-5);
  EXPECT_NEAR(formula(airframe, 0.01).frequency, 0.000707, 0.5e-6);
  EXPECT_NEAR(formula(airframe, 0.01).damping, 0.000479, 0.5e-6);
  EXPECT_NEAR(formula(actuator, 0.002).frequency, -0.000108, 0.5e-6);
  EXPECT_NEAR(formula(actuator, 0.002).damping, 0.001198, 0.5e-6);
  // The formula has the wrong sign at this step; the exact value has not.
  const double zeta = 15.92 / std::abs(actuator);
  EXPECT_NEAR(mode_error(zeta, ab2.root(actuator * 0.01)).frequency, 0.00141, 0.5e-5);
}

// (5/12)(1 - 4 zeta^2)(w h)^2 and (5/6) zeta (1 - zeta^2)(w h)^2 of the paper, and the frequency
// and damping of the equivalent root by their definitions.
TEST(ModeError, HasTheFormulasOfAb2AndFollowsTheDefinitions) {
  const DynamicError ab2(*find_method("ab2"));
  for (const double zeta : {0.0, 0.1, 0.5, 0.9}) {
    const Complex z = 0.1 * mode_direction(zeta);
    const ModeError formula = asymptotic_mode_error(zeta, ab2.asymptotic_root(z));
    EXPECT_NEAR(formula.frequency, 5.0 / 12 * (1 - 4 * zeta * zeta) * 0.01, 1e-15);
    EXPECT_NEAR(formula.damping, 5.0 / 6 * zeta * (1 - zeta * zeta) * 0.01, 1e-15);
    const Complex equivalent = z * (1.0 + ab2.root(z));
    const ModeError exact = mode_error(zeta, ab2.root(z));
    EXPECT_NEAR(exact.frequency, equivalent.imag() / z.imag() - 1, 1e-13);
    EXPECT_NEAR(exact.damping, -equivalent.real() / std::abs(equivalent) - zeta, 1e-13);
  }
}

// --- runs driven by a sine ----------------------------------------------------------------------

constexpr int kPeriod = 30;  // steps
constexpr double kStep = 0.2, kTheta = 2 * std::numbers::pi / kPeriod, kOmega = kTheta / kStep;

// x* / x of a run, by projection on the sine once everything else has died out.
Complex measured_response(const std::string& method, const std::string& states, Complex G) {
  const auto model = testkit::compiled("format: chicane/1\nunits: none\nparameters: {w: " +
                                       fmt::format("{:.17g}", kOmega) + "}\nstates:\n" + states);
  Simulation s(model, testkit::plan(method, kStep));
  for (int i = 0; i < 40 * kPeriod; ++i) EXPECT_EQ(s.step(), Status::ok);
  Complex sum = 0;
  for (int n = 0; n < kPeriod; ++n) {
    sum += s.state().groups[GroupIndex{0}].x[0] * std::polar(1.0, -kTheta * n);
    EXPECT_EQ(s.step(), Status::ok);
  }
  return sum * (2.0 / kPeriod) * Complex(0, 1) / G;  // sin = (e^iwt - e^-iwt) / 2i
}

// Everything that decays has done so, and rounding grows with the 1200 steps.
constexpr double kMeasured = 1e-11;

TEST_P(MethodErrors, HasTheIntegratorOfARun) {
  const Complex measured =
      measured_response(GetParam(), "  x: {der: sin(w*t)}\n", 1.0 / Complex(0, kOmega));
  EXPECT_LT(std::abs(measured - 1.0 - DynamicError(method()).response(0.0, kTheta)), kMeasured);
}

TEST_P(MethodErrors, HasTheFirstOrderResponseOfARun) {
  const Complex measured =
      measured_response(GetParam(), "  x: {der: sin(w*t) - x}\n", 1.0 / Complex(1, kOmega));
  const Complex error = DynamicError(method()).response(-kStep, kTheta);
  EXPECT_LT(std::abs(measured - 1.0 - error), kMeasured);
  const GainPhase e = gain_phase(error);
  EXPECT_NEAR(std::abs(measured) - 1, e.gain, kMeasured);
  EXPECT_NEAR(std::arg(measured), e.phase, kMeasured);
}

TEST_P(MethodErrors, HasTheSecondOrderResponseOfARun) {
  const double zeta = 0.4;
  const Complex s(0, kOmega);
  const Complex measured =
      measured_response(GetParam(), "  x: {der: v}\n  v: {der: sin(w*t) - x - 0.8*v}\n",
                        1.0 / (s * s + 2 * zeta * s + 1.0));
  EXPECT_LT(std::abs(measured - 1.0 - DynamicError(method()).mode_response(zeta, kStep, kTheta)),
            kMeasured);
}

// --- series -------------------------------------------------------------------------------------

TEST(PowerSeries, OfTheExponentialAndItsLogarithmAreTheKnownOnes) {
  const auto t = Series<double>::linear(1.0);
  const Series<double> e = exp(t), back = log(e), quotient = (e - Series<double>(1.0)) / t;
  double factorial = 1;
  for (std::size_t k = 0; k < Series<double>::kDegree; ++k) {
    EXPECT_NEAR(e[k] * factorial, 1.0, 1e-14);
    EXPECT_NEAR(back[k], k == 1 ? 1.0 : 0.0, 1e-15);
    factorial *= static_cast<double>(k + 1);
    EXPECT_NEAR(quotient[k] * factorial, 1.0, 1e-14);
  }
}

TEST(Fractions, AreFoundWhereANumberIsOne) {
  EXPECT_EQ(as_fraction(-5.0 / 12), Rational(-5, 12));
  EXPECT_EQ(as_fraction(3.0), Rational(3));
  EXPECT_EQ(as_fraction(59.0 / 2880), Rational(59, 2880));
  EXPECT_EQ(as_fraction(std::numbers::pi), std::nullopt);
  EXPECT_EQ(as_fraction(std::sqrt(2.0)), std::nullopt);
}

}  // namespace
}  // namespace dynamic_error_test
