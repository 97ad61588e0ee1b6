#pragma once

#include <cstdint>
#include <numeric>

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

constexpr double to_double(Rational r) { return r.value(); }
constexpr double to_double(double r) { return r; }

}  // namespace chicane
