// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>

#include "math/scalar.hpp"

namespace chicane {

// A value and its derivative along N directions at once: forward automatic differentiation.
// Griewank and Walther, Evaluating Derivatives (2nd ed., 2008), section 3.1 (vector forward mode).
//
//   x = a + b.e,  e_i e_j = 0      =>      f(x) = f(a) + f'(a) b.e
//
// Comparisons look at the value alone.  A direction that is zero stays zero through every
// elementary function, even where its slope is infinite: sqrt(0) does not poison the directions
// that never reached it.  At a kink the slope is one of the one-sided ones.
template <int N>
struct DualN {
  static_assert(N > 0);
  static constexpr std::size_t kDirections = N;        // as a size
  using Directions = std::array<double, kDirections>;  // one derivative for each

  double a = 0.0;  // the value
  Directions b{};  // its derivatives

  constexpr DualN() = default;
  // A constant, or a value with its derivatives.
  constexpr DualN(double value) : a(value) {}  // NOLINT(google-explicit-constructor): a constant
  constexpr DualN(double value, const Directions& directions) : a(value), b(directions) {}

  // An independent variable: unit derivative along its own direction.
  static constexpr DualN variable(double value, std::size_t direction) {
    DualN x(value);
    x.b[direction] = 1.0;
    return x;
  }

  // --- arithmetic ---------------------------------------------------------------------------
  // With each other and with plain numbers, which are constants.

  constexpr DualN& operator+=(const DualN& y) {
    a += y.a;
    for (std::size_t i = 0; i < kDirections; ++i) b[i] += y.b[i];
    return *this;
  }
  constexpr DualN& operator-=(const DualN& y) {
    a -= y.a;
    for (std::size_t i = 0; i < kDirections; ++i) b[i] -= y.b[i];
    return *this;
  }
  constexpr DualN& operator*=(const DualN& y) {
    for (std::size_t i = 0; i < kDirections; ++i) b[i] = b[i] * y.a + a * y.b[i];
    a *= y.a;
    return *this;
  }
  constexpr DualN& operator/=(const DualN& y) {
    a /= y.a;  // (u/v)' = (u' - (u/v) v') / v
    for (std::size_t i = 0; i < kDirections; ++i) b[i] = (b[i] - a * y.b[i]) / y.a;
    return *this;
  }
  constexpr DualN& operator+=(double y) {
    a += y;
    return *this;
  }
  constexpr DualN& operator-=(double y) {
    a -= y;
    return *this;
  }
  constexpr DualN& operator*=(double y) {
    a *= y;
    for (double& d : b) d *= y;
    return *this;
  }
  constexpr DualN& operator/=(double y) {
    a /= y;
    for (double& d : b) d /= y;
    return *this;
  }

  friend constexpr DualN operator+(const DualN& x) { return x; }
  friend constexpr DualN operator-(DualN x) {
    x.a = -x.a;
    for (double& d : x.b) d = -d;
    return x;
  }
  friend constexpr DualN operator+(DualN x, const DualN& y) { return x += y; }
  friend constexpr DualN operator+(DualN x, double y) { return x += y; }
  friend constexpr DualN operator+(double x, DualN y) { return y += x; }
  friend constexpr DualN operator-(DualN x, const DualN& y) { return x -= y; }
  friend constexpr DualN operator-(DualN x, double y) { return x -= y; }
  friend constexpr DualN operator-(double x, const DualN& y) { return -y += x; }
  friend constexpr DualN operator*(DualN x, const DualN& y) { return x *= y; }
  friend constexpr DualN operator*(DualN x, double y) { return x *= y; }
  friend constexpr DualN operator*(double x, DualN y) { return y *= x; }
  friend constexpr DualN operator/(DualN x, const DualN& y) { return x /= y; }
  friend constexpr DualN operator/(DualN x, double y) { return x /= y; }
  friend constexpr DualN operator/(double x, const DualN& y) { return DualN(x) /= y; }

  friend constexpr bool operator==(const DualN& x, const DualN& y) { return x.a == y.a; }
  friend constexpr bool operator<(const DualN& x, const DualN& y) { return x.a < y.a; }
  friend constexpr bool operator>(const DualN& x, const DualN& y) { return x.a > y.a; }
  friend constexpr bool operator<=(const DualN& x, const DualN& y) { return x.a <= y.a; }
  friend constexpr bool operator>=(const DualN& x, const DualN& y) { return x.a >= y.a; }

  // --- the chain rule -----------------------------------------------------------------------

  // The value alone.
  friend constexpr double value_of(const DualN& x) { return x.a; }

  // Value and all derivatives.
  friend bool is_finite(const DualN& x) {
    return std::isfinite(x.a) &&
           std::all_of(x.b.begin(), x.b.end(), [](double d) { return std::isfinite(d); });
  }

  // f(x), given f and f' at x.a.
  friend constexpr DualN chain(const DualN& x, double value, double slope) {
    DualN f(value);
    for (std::size_t i = 0; i < kDirections; ++i) f.b[i] = along(slope, x.b[i]);
    return f;
  }

  // f(x, y), given f and its partial derivatives at (x.a, y.a).
  friend constexpr DualN chain(const DualN& x, const DualN& y, double value, double slope_x,
                               double slope_y) {
    DualN f(value);
    for (std::size_t i = 0; i < kDirections; ++i) {
      f.b[i] = along(slope_x, x.b[i]) + along(slope_y, y.b[i]);
    }
    return f;
  }

  // --- elementary functions -----------------------------------------------------------------
  // Those of the standard library, each with its derivative.

  friend DualN sin(const DualN& x) { return chain(x, std::sin(x.a), std::cos(x.a)); }
  friend DualN cos(const DualN& x) { return chain(x, std::cos(x.a), -std::sin(x.a)); }
  friend DualN tan(const DualN& x) {
    const double t = std::tan(x.a);
    return chain(x, t, 1.0 + t * t);
  }
  friend DualN asin(const DualN& x) {
    // (1 - a)(1 + a) keeps the digits that 1 - a^2 loses near the ends.
    return chain(x, std::asin(x.a), 1.0 / std::sqrt((1.0 - x.a) * (1.0 + x.a)));
  }
  friend DualN acos(const DualN& x) {
    return chain(x, std::acos(x.a), -1.0 / std::sqrt((1.0 - x.a) * (1.0 + x.a)));
  }
  friend DualN atan(const DualN& x) { return chain(x, std::atan(x.a), 1.0 / (1.0 + x.a * x.a)); }
  friend DualN sinh(const DualN& x) { return chain(x, std::sinh(x.a), std::cosh(x.a)); }
  friend DualN cosh(const DualN& x) { return chain(x, std::cosh(x.a), std::sinh(x.a)); }
  friend DualN tanh(const DualN& x) {
    const double t = std::tanh(x.a);
    return chain(x, t, (1.0 - t) * (1.0 + t));
  }
  friend DualN exp(const DualN& x) {
    const double e = std::exp(x.a);
    return chain(x, e, e);
  }
  friend DualN log(const DualN& x) { return chain(x, std::log(x.a), 1.0 / x.a); }
  friend DualN log10(const DualN& x) {
    return chain(x, std::log10(x.a), std::numbers::log10e / x.a);
  }
  friend DualN sqrt(const DualN& x) {
    const double r = std::sqrt(x.a);
    return chain(x, r, 0.5 / r);
  }
  friend DualN cbrt(const DualN& x) {
    const double r = std::cbrt(x.a);
    return chain(x, r, 1.0 / (3.0 * r * r));
  }

  // x^p.  x^0 is the constant 1, also at x = 0, where p x^(p-1) would be 0 * infinity.
  friend DualN pow(const DualN& x, double p) {
    return chain(x, std::pow(x.a, p), p == 0.0 ? 0.0 : p * std::pow(x.a, p - 1.0));
  }
  // A negative base is fine as long as the exponent is a constant integer.
  friend DualN pow(const DualN& x, const DualN& p) {
    const double value = std::pow(x.a, p.a);
    const double slope_x = p.a == 0.0 ? 0.0 : p.a * std::pow(x.a, p.a - 1.0);
    const double slope_p = x.a == 0.0 && p.a > 0.0 ? 0.0 : value * std::log(x.a);
    return chain(x, p, value, slope_x, slope_p);
  }

  // At the origin an angle has no derivative: directions that are not zero become NaN.
  friend DualN atan2(const DualN& y, const DualN& x) {
    const double r = std::hypot(x.a, y.a);
    return chain(y, x, std::atan2(y.a, x.a), x.a / r / r, -y.a / r / r);
  }
  // At the origin, the tip of a cone, the slope is taken as 0.
  friend DualN hypot(const DualN& x, const DualN& y) {
    const double r = std::hypot(x.a, y.a);
    return r == 0.0 ? DualN(r) : chain(x, y, r, x.a / r, y.a / r);
  }

  friend DualN fabs(const DualN& x) { return x.a < 0.0 ? -x : x; }

  // Between its jumps each of these is constant or, fmod, linear: x - y trunc(x/y).
  friend DualN floor(const DualN& x) { return DualN(std::floor(x.a)); }
  friend DualN ceil(const DualN& x) { return DualN(std::ceil(x.a)); }
  friend DualN round(const DualN& x) { return DualN(std::round(x.a)); }
  friend DualN fmod(const DualN& x, const DualN& y) {
    const double value = std::fmod(x.a, y.a);
    return chain(x, y, value, 1.0, -std::round((x.a - value) / y.a));
  }

 private:
  static constexpr double along(double slope, double direction) {
    return direction == 0.0 ? 0.0 : slope * direction;
  }
};

// Eight directions fill one cache line, or one AVX-512 register.
using Dual = DualN<8>;

static_assert(Scalar<double> && Scalar<Dual>);

}  // namespace chicane
