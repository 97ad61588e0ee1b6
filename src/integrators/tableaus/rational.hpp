// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdint>
#include <numeric>
#include <optional>
#include <string>
#include <utility>

namespace chicane {

// An exact fraction in lowest terms: the coefficients of the built-in methods are data of this
// type, so that their order conditions can be checked without rounding. 64 bits are ample for that
// (the tests run under the overflow sanitizer).
class Rational {
 public:
  constexpr Rational() = default;
  constexpr Rational(std::int64_t n) : num_(n) {}  // NOLINT: whole numbers are fractions
  constexpr Rational(std::int64_t n, std::int64_t d) {
    const std::int64_t g = std::gcd(n, d) * (d < 0 ? -1 : 1);
    num_ = n / g;
    den_ = d / g;
  }
  [[nodiscard]] constexpr std::int64_t num() const { return num_; }
  [[nodiscard]] constexpr std::int64_t den() const { return den_; }
  [[nodiscard]] constexpr double value() const {
    return static_cast<double>(num_) / static_cast<double>(den_);
  }

  friend constexpr Rational operator+(Rational a, Rational b) {
    const std::int64_t g = std::gcd(a.den_, b.den_);
    return {a.num_ * (b.den_ / g) + b.num_ * (a.den_ / g), a.den_ / g * b.den_};
  }
  friend constexpr Rational operator-(Rational a) { return {-a.num_, a.den_}; }
  friend constexpr Rational operator-(Rational a, Rational b) { return a + -b; }
  friend constexpr Rational operator*(Rational a, Rational b) {
    const Rational x(a.num_, b.den_), y(b.num_, a.den_);  // cancel first, so that little overflows
    return {x.num_ * y.num_, x.den_ * y.den_};
  }
  friend constexpr Rational operator/(Rational a, Rational b) {
    return a * Rational(b.den_, b.num_);
  }
  friend constexpr bool operator==(Rational a, Rational b) = default;

 private:
  std::int64_t num_ = 0, den_ = 1;
};

inline std::string to_string(Rational r) {
  const std::string n = std::to_string(r.num());
  return r.den() == 1 ? n : n + "/" + std::to_string(r.den());
}

constexpr double to_double(Rational r) { return r.value(); }
constexpr double to_double(double r) { return r; }

// The fraction with a denominator of at most five digits that v is, to rounding; by continued
// fractions. A number that is none is taken for one in fewer than one of a thousand cases.
inline std::optional<Rational> as_fraction(double v) {
  constexpr double kMostDenominator = 1e5, kRounding = 1e-13;
  if (!(std::fabs(v) < 1e9)) return std::nullopt;
  double n0 = 1, d0 = 0, n1 = std::floor(v), d1 = 1, rest = v - n1;
  while (std::fabs(v - n1 / d1) > kRounding) {
    const double a = std::floor(1 / rest);
    rest = 1 / rest - a;
    n0 = std::exchange(n1, a * n1 + n0);
    d0 = std::exchange(d1, a * d1 + d0);
    if (!(d1 <= kMostDenominator)) return std::nullopt;
  }
  return Rational(static_cast<std::int64_t>(n1), static_cast<std::int64_t>(d1));
}

}  // namespace chicane
