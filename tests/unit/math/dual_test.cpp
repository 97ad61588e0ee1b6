// SPDX-License-Identifier: Apache-2.0
#include "math/dual.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace chicane::dual_test {
namespace {

constexpr double kEps = std::numeric_limits<double>::epsilon();
constexpr double kInf = std::numeric_limits<double>::infinity();

Dual var(double x, std::size_t direction = 0) { return Dual::variable(x, direction); }

// f' by central differences.  The best step is about eps^(1/3), the error about eps^(2/3).
template <class F>
double difference(const F& f, double x) {
  const double h = std::cbrt(kEps) * std::max(1.0, std::fabs(x));
  return (f(x + h) - f(x - h)) / (2 * h);
}

template <class F>
void expect_derivative(const char* name, const F& f, const std::vector<double>& points) {
  for (const double x : points) {
    const Dual y = f(var(x, 3));
    EXPECT_EQ(y.a, f(x)) << name << " at " << x;
    const double slope = difference(f, x);
    EXPECT_NEAR(y.b[3], slope, 1e-8 * std::max(1.0, std::fabs(slope))) << name << " at " << x;
    EXPECT_EQ(y.b[0], 0.0) << name << ": a direction leaked";
  }
}

#define EXPECT_DERIVATIVE(expression, ...) \
  expect_derivative(#expression, [](const auto& x) { return expression; }, {__VA_ARGS__})

TEST(Dual, DerivesEveryElementaryFunction) {
  EXPECT_DERIVATIVE(sin(x), -2.0, 0.0, 0.7, 3.0);
  EXPECT_DERIVATIVE(cos(x), -2.0, 0.0, 0.7, 3.0);
  EXPECT_DERIVATIVE(tan(x), -1.2, 0.0, 0.7);
  EXPECT_DERIVATIVE(asin(x), -0.9, 0.0, 0.5);
  EXPECT_DERIVATIVE(acos(x), -0.9, 0.0, 0.5);
  EXPECT_DERIVATIVE(atan(x), -5.0, 0.0, 0.5);
  EXPECT_DERIVATIVE(sinh(x), -2.0, 0.0, 1.5);
  EXPECT_DERIVATIVE(cosh(x), -2.0, 0.0, 1.5);
  EXPECT_DERIVATIVE(tanh(x), -2.0, 0.0, 1.5);
  EXPECT_DERIVATIVE(exp(x), -2.0, 0.0, 1.5);
  EXPECT_DERIVATIVE(log(x), 0.2, 1.0, 30.0);
  EXPECT_DERIVATIVE(log10(x), 0.2, 1.0, 30.0);
  EXPECT_DERIVATIVE(sqrt(x), 0.2, 1.0, 30.0);
  EXPECT_DERIVATIVE(cbrt(x), -8.0, 0.2, 30.0);
  EXPECT_DERIVATIVE(fabs(x), -2.0, 0.3);
  EXPECT_DERIVATIVE(abs(x), -2.0, 0.3);
  EXPECT_DERIVATIVE(floor(x), -1.5, 0.3);
  EXPECT_DERIVATIVE(ceil(x), -1.5, 0.3);
  EXPECT_DERIVATIVE(round(x), -1.7, 0.3);
}

TEST(Dual, DerivesPowersAndFunctionsOfTwoVariables) {
  EXPECT_DERIVATIVE(pow(x, 2.5), 0.3, 2.0);
  EXPECT_DERIVATIVE(pow(x, 3), -2.0, 0.0, 2.0);
  EXPECT_DERIVATIVE(pow(x, -2.0), -2.0, 1.5);
  EXPECT_DERIVATIVE(pow(2.0, x), -1.0, 0.0, 3.0);
  EXPECT_DERIVATIVE(pow(x, x), 0.5, 2.0);
  EXPECT_DERIVATIVE(atan2(x, 2.0), -3.0, 0.0, 1.0);
  EXPECT_DERIVATIVE(atan2(-0.5, x), -3.0, 1.0);
  EXPECT_DERIVATIVE(atan2(x * x, x - 4.0), -3.0, 1.0);
  EXPECT_DERIVATIVE(hypot(x, 1.0 + 0.0 * x), -3.0, 0.0, 1.0);
  EXPECT_DERIVATIVE(fmod(x, 1.5), -4.0, 0.4, 7.0);
  EXPECT_DERIVATIVE(fmod(7.3, x), -2.0, 1.6);
  EXPECT_DERIVATIVE(min(x, 1.0), 0.5, 1.5);
  EXPECT_DERIVATIVE(max(x, x * x), 0.5, 1.5);
  EXPECT_DERIVATIVE(sat(x, -1.0, 1.0), -2.0, 0.5, 1.5);
  EXPECT_DERIVATIVE(deadband(x, -1.0, 1.0), -2.0, 0.5, 1.5);
}

TEST(Dual, DerivesArithmetic) {
  EXPECT_DERIVATIVE(+x, 0.5);
  EXPECT_DERIVATIVE(-x, 0.5);
  EXPECT_DERIVATIVE((1.0 - x) * (x - 2.0) + (3.0 + x) * 2.0, -1.0, 0.5);
  EXPECT_DERIVATIVE(1.0 / x + x / 3.0 + (x + 1.0) / (x * x + 1.0), -1.5, 0.5);
  EXPECT_DERIVATIVE(2 * x - 1, 0.5);
}

TEST(Dual, CompoundOperatorsEqualThePlainOnes) {
  const Dual x(1.7, {0.3, -2.0}), y(-0.6, {1.0, 0.0, 4.0});
  const auto expect_same = [](const Dual& p, const Dual& q) {
    EXPECT_EQ(p.a, q.a);
    EXPECT_EQ(p.b, q.b);
  };
  Dual z = x;
  expect_same(z += y, x + y);
  expect_same(z -= y, x + y - y);
  z = x;
  expect_same(z *= y, x * y);
  z = x;
  expect_same(z /= y, x / y);
  z = x;
  expect_same(z *= z, x * x);  // the operand may be the target
  z = x;
  z /= z;
  EXPECT_EQ(z.a, 1.0);
  EXPECT_EQ(z.b[1], 0.0);
}

TEST(Dual, KeepsTheProductQuotientAndChainRules) {
  const Dual u(1.3, {1.0, -0.5}), v(0.4, {0.25, 2.0});
  const Dual product = u * v, quotient = u / v, chained = sin(exp(u));
  for (std::size_t i = 0; i < 3; ++i) {
    const double du = u.b[i], dv = v.b[i];
    EXPECT_NEAR(product.b[i], du * v.a + u.a * dv, 4 * kEps);
    EXPECT_NEAR(quotient.b[i], (du * v.a - u.a * dv) / (v.a * v.a), 64 * kEps);
    EXPECT_NEAR(chained.b[i], std::cos(std::exp(u.a)) * std::exp(u.a) * du, 16 * kEps);
  }
}

TEST(Dual, KeepsIdentitiesToRounding) {
  for (const double a : {-1.4, 0.1, 0.9}) {
    const Dual x = var(a);
    EXPECT_NEAR((sin(x) * sin(x) + cos(x) * cos(x)).b[0], 0.0, 4 * kEps);
    EXPECT_NEAR((cosh(x) * cosh(x) - sinh(x) * sinh(x)).b[0], 0.0, 64 * kEps);
    EXPECT_NEAR((tan(x) - sin(x) / cos(x)).b[0], 0.0, 256 * kEps);
    EXPECT_NEAR(log(exp(x)).b[0], 1.0, 4 * kEps);
    EXPECT_NEAR((asin(x / 2) + acos(x / 2)).b[0], 0.0, 4 * kEps);
    EXPECT_NEAR(sqrt(x * x).b[0], std::copysign(1.0, a), 4 * kEps);
    EXPECT_NEAR(pow(cbrt(x), 3).b[0], 1.0, 8 * kEps);
    EXPECT_NEAR((hypot(x, x * x) - sqrt(x * x + x * x * x * x)).b[0], 0.0, 16 * kEps);
    EXPECT_NEAR((atan2(sin(x), cos(x))).b[0], 1.0, 8 * kEps);
  }
}

TEST(Dual, CarriesDirectionsIndependently) {
  const Dual x = var(2.0, 0), y = var(3.0, 1), z = var(5.0, 7);
  const Dual f = x * y + pow(z, 2.0) / x;
  EXPECT_EQ(f.b[0], 3.0 - 25.0 / 4.0);
  EXPECT_EQ(f.b[1], 2.0);
  EXPECT_EQ(f.b[7], 10.0 / 2.0);
  EXPECT_EQ(f.b[4], 0.0);
}

TEST(Dual, ComparesByValueWithDualsAndNumbers) {
  const Dual x(1.0, {5.0}), y(1.0, {-5.0}), z(2.0);
  EXPECT_TRUE(x == y && x == 1.0 && 1.0 == x && x != z && 2.0 != x);
  EXPECT_TRUE(x < z && x < 2.0 && 0.0 < x && z > x && z > 1 && 3 > z);
  EXPECT_TRUE(x <= y && x >= y && x <= 1.0 && 1.0 >= x);
  const Dual nan(std::nan(""));
  EXPECT_FALSE(nan == nan || nan < x || nan > x || nan <= x || nan >= x);
}

TEST(Dual, ArithmeticWorksAtCompileTime) {
  constexpr Dual x = Dual::variable(3.0, 2);
  constexpr Dual y = (x * x - 1.0) / 2.0;
  static_assert(y.a == 4.0 && y.b[2] == 3.0 && y.b[0] == 0.0);
  static_assert(select(x > 1.0, x, 0.0) == 3.0);
  static_assert(max(x, 4.0) == 4.0);
}

TEST(Dual, InfiniteSlopesReachOnlyLiveDirections) {
  const Dual zero = var(0.0, 1);
  for (const Dual& f : {sqrt(zero), cbrt(zero), pow(zero, 0.5), log(zero)}) {
    EXPECT_EQ(f.b[1], kInf);
    EXPECT_EQ(f.b[0], 0.0);
  }
  EXPECT_EQ(asin(var(1.0, 1)).b[0], 0.0);
  EXPECT_TRUE(is_finite(sqrt(Dual(0.0))));
  EXPECT_FALSE(is_finite(sqrt(zero)));
}

TEST(Dual, PowersBehaveAtTheirEdges) {
  EXPECT_EQ(pow(var(0.0), 0.0).a, 1.0);
  EXPECT_EQ(pow(var(0.0), 0.0).b[0], 0.0);
  EXPECT_EQ(pow(var(0.0), 1.0).b[0], 1.0);
  EXPECT_EQ(pow(var(0.0), 2.0).b[0], 0.0);
  EXPECT_EQ(pow(var(-2.0), 3.0).b[0], 12.0);
  EXPECT_EQ(pow(var(-2.0), Dual(3.0)).b[0], 12.0);  // a constant, though a Dual
  EXPECT_EQ(pow(var(0.0), Dual(2.0)).b[0], 0.0);
  EXPECT_EQ(pow(Dual(0.0), var(2.0)).b[0], 0.0);  // 0^p is 0 for all p > 0
  EXPECT_EQ(pow(var(5.0), Dual(0.0)).b[0], 0.0);
  EXPECT_TRUE(std::isnan(pow(Dual(-2.0), var(3.0)).b[0]));  // only defined at integers
}

TEST(Dual, TwoVariableFunctionsBehaveAtTheOrigin) {
  EXPECT_TRUE(is_finite(hypot(var(0.0, 0), var(0.0, 1))));
  EXPECT_TRUE(is_finite(atan2(Dual(0.0), Dual(0.0))));
  EXPECT_TRUE(std::isnan(atan2(var(0.0), Dual(0.0)).b[0]));
  EXPECT_TRUE(is_finite(atan2(var(1e-200, 0), Dual(1e-200))));  // squares would underflow
}

}  // namespace
}  // namespace chicane::dual_test
