// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdint>

#include "math/mul_add.hpp"

// N numbers side by side: a scalar for physics that the same formulas move for N parts, or N
// vehicles, at once. Every operation and function does to each lane what it would do to a double,
// to the bit: arithmetic and roots in wide registers, other functions one lane after the other.

namespace chicane {

// Registers, as the compiler has them.
template <int N>
struct LaneVectors;
template <>
struct LaneVectors<2> {
  using Real [[gnu::vector_size(16)]] = double;
  using Bits [[gnu::vector_size(16)]] = std::int64_t;
};
template <>
struct LaneVectors<4> {
  using Real [[gnu::vector_size(32)]] = double;
  using Bits [[gnu::vector_size(32)]] = std::int64_t;
};
template <>
struct LaneVectors<8> {
  using Real [[gnu::vector_size(64)]] = double;
  using Bits [[gnu::vector_size(64)]] = std::int64_t;
};

// One decision per lane.
template <int N>
class LaneMaskN {
 public:
  using Vector = typename LaneVectors<N>::Bits;

  [[gnu::always_inline]] LaneMaskN() : v{} {}
  [[gnu::always_inline]] explicit LaneMaskN(bool all) : v(Vector{} - std::int64_t{all}) {}
  [[gnu::always_inline]] explicit LaneMaskN(const Vector& bits) : v(bits) {}

  [[nodiscard]] bool operator[](int lane) const { return v[lane] != 0; }

  [[gnu::always_inline]] friend LaneMaskN operator!(const LaneMaskN& a) { return LaneMaskN(~a.v); }
  [[gnu::always_inline]] friend LaneMaskN operator&(const LaneMaskN& a, const LaneMaskN& b) {
    return LaneMaskN(a.v & b.v);
  }
  [[gnu::always_inline]] friend LaneMaskN operator|(const LaneMaskN& a, const LaneMaskN& b) {
    return LaneMaskN(a.v | b.v);
  }
  [[gnu::always_inline]] friend bool any(const LaneMaskN& m) {
    std::int64_t bits = 0;
    for (int i = 0; i < N; ++i) bits |= m.v[i];
    return bits != 0;
  }
  [[gnu::always_inline]] friend LaneMaskN select(const LaneMaskN& mask, const LaneMaskN& a,
                                                 const LaneMaskN& b) {
    return LaneMaskN((mask.v & a.v) | (~mask.v & b.v));
  }

  Vector v;
};

template <int N>
class LanesN {
 public:
  static constexpr int kCount = N;
  using Vector = typename LaneVectors<N>::Real;
  using Mask = LaneMaskN<N>;

  [[gnu::always_inline]] LanesN() : v{} {}
  [[gnu::always_inline]] LanesN(double x)  // NOLINT: constants are plain numbers
      : v(x - Vector{}) {}
  [[gnu::always_inline]] explicit LanesN(const Vector& x) : v(x) {}

  [[nodiscard]] double operator[](int lane) const { return v[lane]; }
  void set(int lane, double x) { v[lane] = x; }

  [[gnu::always_inline]] LanesN& operator+=(const LanesN& b) {
    v += b.v;
    return *this;
  }
  [[gnu::always_inline]] LanesN& operator-=(const LanesN& b) {
    v -= b.v;
    return *this;
  }
  [[gnu::always_inline]] LanesN& operator*=(const LanesN& b) {
    v *= b.v;
    return *this;
  }
  [[gnu::always_inline]] LanesN& operator/=(const LanesN& b) {
    v /= b.v;
    return *this;
  }
  [[gnu::always_inline]] friend LanesN operator+(const LanesN& a, const LanesN& b) {
    return LanesN(a.v + b.v);
  }
  [[gnu::always_inline]] friend LanesN operator-(const LanesN& a, const LanesN& b) {
    return LanesN(a.v - b.v);
  }
  [[gnu::always_inline]] friend LanesN operator*(const LanesN& a, const LanesN& b) {
    return LanesN(a.v * b.v);
  }
  [[gnu::always_inline]] friend LanesN operator/(const LanesN& a, const LanesN& b) {
    return LanesN(a.v / b.v);
  }
  [[gnu::always_inline]] friend LanesN operator-(const LanesN& a) { return LanesN(-a.v); }

  [[gnu::always_inline]] friend Mask operator<(const LanesN& a, const LanesN& b) {
    return Mask(a.v < b.v);
  }
  [[gnu::always_inline]] friend Mask operator>(const LanesN& a, const LanesN& b) {
    return Mask(a.v > b.v);
  }
  [[gnu::always_inline]] friend Mask operator<=(const LanesN& a, const LanesN& b) {
    return Mask(a.v <= b.v);
  }
  [[gnu::always_inline]] friend Mask operator>=(const LanesN& a, const LanesN& b) {
    return Mask(a.v >= b.v);
  }
  [[gnu::always_inline]] friend Mask operator==(const LanesN& a, const LanesN& b) {
    return Mask(a.v == b.v);
  }
  [[gnu::always_inline]] friend Mask operator!=(const LanesN& a, const LanesN& b) {
    return Mask(a.v != b.v);
  }
  [[gnu::always_inline]] friend LanesN select(const Mask& mask, const LanesN& a, const LanesN& b) {
    return LanesN(mask.v ? a.v : b.v);
  }

  // The values themselves: lanes carry nothing beside them.
  [[gnu::always_inline]] friend const LanesN& value_of(const LanesN& x) { return x; }
  [[gnu::always_inline]] friend LanesN chain(const LanesN& /*x*/, const LanesN& value,
                                             const LanesN& /*slope*/) {
    return value;
  }
  [[gnu::always_inline]] friend Mask is_finite(const LanesN& x) { return x - x >= 0.0; }

  // --- functions
  // ----------------------------------------------------------------------------------

  template <class F>
  [[gnu::always_inline]] friend LanesN lane_by_lane(const LanesN& x, F&& f) {
    LanesN y;
    for (int i = 0; i < N; ++i) y.v[i] = f(x.v[i]);
    return y;
  }
  template <class F>
  [[gnu::always_inline]] friend LanesN lane_by_lane(const LanesN& a, const LanesN& b, F&& f) {
    LanesN y;
    for (int i = 0; i < N; ++i) y.v[i] = f(a.v[i], b.v[i]);
    return y;
  }

  [[gnu::always_inline]] friend LanesN abs(const LanesN& x) {
    return LanesN(
        reinterpret_cast<Vector>(reinterpret_cast<typename Mask::Vector>(x.v) & INT64_MAX));
  }
  [[gnu::always_inline]] friend LanesN fabs(const LanesN& x) { return abs(x); }
  [[gnu::always_inline]] friend LanesN sqrt(const LanesN& x) {
    return lane_by_lane(x, [](double a) { return std::sqrt(a); });
  }
  [[gnu::always_inline]] friend LanesN mul_add(const LanesN& a, const LanesN& b, const LanesN& c) {
    LanesN y;
    for (int i = 0; i < N; ++i) y.v[i] = chicane::mul_add(a.v[i], b.v[i], c.v[i]);
    return y;
  }
  // As for double: without std::hypot's care for squares beyond all bounds.
  [[gnu::always_inline]] friend LanesN magnitude(const LanesN& x, const LanesN& y) {
    return sqrt(x * x + y * y);
  }

  friend LanesN sin(const LanesN& x) { return lane_by_lane(x, call<std::sin>); }
  friend LanesN cos(const LanesN& x) { return lane_by_lane(x, call<std::cos>); }
  friend LanesN tan(const LanesN& x) { return lane_by_lane(x, call<std::tan>); }
  friend LanesN asin(const LanesN& x) { return lane_by_lane(x, call<std::asin>); }
  friend LanesN acos(const LanesN& x) { return lane_by_lane(x, call<std::acos>); }
  friend LanesN atan(const LanesN& x) { return lane_by_lane(x, call<std::atan>); }
  friend LanesN sinh(const LanesN& x) { return lane_by_lane(x, call<std::sinh>); }
  friend LanesN cosh(const LanesN& x) { return lane_by_lane(x, call<std::cosh>); }
  friend LanesN tanh(const LanesN& x) { return lane_by_lane(x, call<std::tanh>); }
  friend LanesN exp(const LanesN& x) { return lane_by_lane(x, call<std::exp>); }
  friend LanesN log(const LanesN& x) { return lane_by_lane(x, call<std::log>); }
  friend LanesN log10(const LanesN& x) { return lane_by_lane(x, call<std::log10>); }
  friend LanesN cbrt(const LanesN& x) { return lane_by_lane(x, call<std::cbrt>); }
  friend LanesN floor(const LanesN& x) { return lane_by_lane(x, call<std::floor>); }
  friend LanesN ceil(const LanesN& x) { return lane_by_lane(x, call<std::ceil>); }
  friend LanesN round(const LanesN& x) { return lane_by_lane(x, call<std::round>); }
  friend LanesN atan2(const LanesN& y, const LanesN& x) {
    return lane_by_lane(y, x, call2<std::atan2>);
  }
  friend LanesN pow(const LanesN& x, const LanesN& p) {
    return lane_by_lane(x, p, call2<std::pow>);
  }
  friend LanesN hypot(const LanesN& x, const LanesN& y) {
    return lane_by_lane(x, y, call2<std::hypot>);
  }
  friend LanesN fmod(const LanesN& x, const LanesN& y) {
    return lane_by_lane(x, y, call2<std::fmod>);
  }

  Vector v;

 private:
  template <double (*f)(double)>
  static constexpr auto call = [](double x) { return f(x); };
  template <double (*f)(double, double)>
  static constexpr auto call2 = [](double x, double y) { return f(x, y); };
};

}  // namespace chicane
