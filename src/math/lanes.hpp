// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>

#ifdef __AVX__
#include <immintrin.h>
#endif

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
class LaneMask {
 public:
  using Vector = typename LaneVectors<N>::Bits;

  [[gnu::always_inline]] LaneMask() : v{} {}
  [[gnu::always_inline]] explicit LaneMask(bool all) : v(Vector{} - std::int64_t{all}) {}
  [[gnu::always_inline]] explicit LaneMask(const Vector& bits) : v(bits) {}

  [[nodiscard]] bool operator[](int lane) const { return v[lane] != 0; }

  [[gnu::always_inline]] friend LaneMask operator!(const LaneMask& a) { return LaneMask(~a.v); }
  [[gnu::always_inline]] friend LaneMask operator&(const LaneMask& a, const LaneMask& b) {
    return LaneMask(a.v & b.v);
  }
  [[gnu::always_inline]] friend LaneMask operator|(const LaneMask& a, const LaneMask& b) {
    return LaneMask(a.v | b.v);
  }
  [[gnu::always_inline]] friend bool any(const LaneMask& m) {
    std::int64_t bits = 0;
    for (int i = 0; i < N; ++i) bits |= m.v[i];
    return bits != 0;
  }
  [[gnu::always_inline]] friend LaneMask select(const LaneMask& mask, const LaneMask& a,
                                                const LaneMask& b) {
    return LaneMask(mask.v ? a.v : b.v);
  }

  Vector v;
};

constexpr bool any(bool mask) { return mask; }
[[gnu::always_inline]] inline bool all(const auto& mask) { return !any(!mask); }

template <int N>
class Lanes {
 public:
  static constexpr int kCount = N;
  using Vector = typename LaneVectors<N>::Real;
  using Mask = LaneMask<N>;

  [[gnu::always_inline]] Lanes() : v{} {}
  [[gnu::always_inline]] Lanes(double x)  // NOLINT: constants are plain numbers
      : v(x - Vector{}) {}
  [[gnu::always_inline]] explicit Lanes(const Vector& x) : v(x) {}

  [[nodiscard]] double operator[](int lane) const { return v[lane]; }
  void set(int lane, double x) { v[lane] = x; }

  [[gnu::always_inline]] Lanes& operator+=(const Lanes& b) {
    v += b.v;
    return *this;
  }
  [[gnu::always_inline]] Lanes& operator-=(const Lanes& b) {
    v -= b.v;
    return *this;
  }
  [[gnu::always_inline]] Lanes& operator*=(const Lanes& b) {
    v *= b.v;
    return *this;
  }
  [[gnu::always_inline]] Lanes& operator/=(const Lanes& b) {
    v /= b.v;
    return *this;
  }
  [[gnu::always_inline]] friend Lanes operator+(const Lanes& a, const Lanes& b) {
    return Lanes(a.v + b.v);
  }
  [[gnu::always_inline]] friend Lanes operator-(const Lanes& a, const Lanes& b) {
    return Lanes(a.v - b.v);
  }
  [[gnu::always_inline]] friend Lanes operator*(const Lanes& a, const Lanes& b) {
    return Lanes(a.v * b.v);
  }
  [[gnu::always_inline]] friend Lanes operator/(const Lanes& a, const Lanes& b) {
    return Lanes(a.v / b.v);
  }
  [[gnu::always_inline]] friend Lanes operator-(const Lanes& a) { return Lanes(-a.v); }

  [[gnu::always_inline]] friend Mask operator<(const Lanes& a, const Lanes& b) {
    return Mask(a.v < b.v);
  }
  [[gnu::always_inline]] friend Mask operator>(const Lanes& a, const Lanes& b) {
    return Mask(a.v > b.v);
  }
  [[gnu::always_inline]] friend Mask operator<=(const Lanes& a, const Lanes& b) {
    return Mask(a.v <= b.v);
  }
  [[gnu::always_inline]] friend Mask operator>=(const Lanes& a, const Lanes& b) {
    return Mask(a.v >= b.v);
  }
  [[gnu::always_inline]] friend Mask operator==(const Lanes& a, const Lanes& b) {
    return Mask(a.v == b.v);
  }
  [[gnu::always_inline]] friend Mask operator!=(const Lanes& a, const Lanes& b) {
    return Mask(a.v != b.v);
  }
  [[gnu::always_inline]] friend Lanes select(const Mask& mask, const Lanes& a, const Lanes& b) {
    return Lanes(mask.v ? a.v : b.v);
  }

  // The values themselves: lanes carry nothing beside them.
  [[gnu::always_inline]] friend const Lanes& value_of(const Lanes& x) { return x; }
  [[gnu::always_inline]] friend Lanes chain(const Lanes& /*x*/, const Lanes& value,
                                            const Lanes& /*slope*/) {
    return value;
  }
  [[gnu::always_inline]] friend Mask is_finite(const Lanes& x) { return x - x >= 0.0; }

  // --- functions -------------------------------------------------------------------------------

  template <class F>
  [[gnu::always_inline]] friend Lanes lane_by_lane(const Lanes& x, F&& f) {
    Lanes y;
    for (int i = 0; i < N; ++i) y.v[i] = f(x.v[i]);
    return y;
  }
  template <class F>
  [[gnu::always_inline]] friend Lanes lane_by_lane(const Lanes& a, const Lanes& b, F&& f) {
    Lanes y;
    for (int i = 0; i < N; ++i) y.v[i] = f(a.v[i], b.v[i]);
    return y;
  }

  [[gnu::always_inline]] friend Lanes abs(const Lanes& x) {
    return Lanes(
        reinterpret_cast<Vector>(reinterpret_cast<typename Mask::Vector>(x.v) & INT64_MAX));
  }
  [[gnu::always_inline]] friend Lanes fabs(const Lanes& x) { return abs(x); }
  [[gnu::always_inline]] friend Lanes sqrt(const Lanes& x) {
#ifdef __AVX__
    if constexpr (N == 4) return Lanes(Vector(_mm256_sqrt_pd(__m256d(x.v))));
#endif
    return lane_by_lane(x, [](double a) { return std::sqrt(a); });
  }
  [[gnu::always_inline]] friend Lanes mul_add(const Lanes& a, const Lanes& b, const Lanes& c) {
#ifdef __FMA__
    if constexpr (N == 4)
      return Lanes(Vector(_mm256_fmadd_pd(__m256d(a.v), __m256d(b.v), __m256d(c.v))));
#endif
    Lanes y;
    for (int i = 0; i < N; ++i) y.v[i] = chicane::mul_add(a.v[i], b.v[i], c.v[i]);
    return y;
  }
  // As for double: without std::hypot's care for squares beyond all bounds.
  [[gnu::always_inline]] friend Lanes magnitude(const Lanes& x, const Lanes& y) {
    return sqrt(x * x + y * y);
  }

  friend Lanes sin(const Lanes& x) { return lane_by_lane(x, call<std::sin>); }
  friend Lanes cos(const Lanes& x) { return lane_by_lane(x, call<std::cos>); }
  friend Lanes tan(const Lanes& x) { return lane_by_lane(x, call<std::tan>); }
  friend Lanes asin(const Lanes& x) { return lane_by_lane(x, call<std::asin>); }
  friend Lanes acos(const Lanes& x) { return lane_by_lane(x, call<std::acos>); }
  friend Lanes atan(const Lanes& x) { return lane_by_lane(x, call<std::atan>); }
  friend Lanes sinh(const Lanes& x) { return lane_by_lane(x, call<std::sinh>); }
  friend Lanes cosh(const Lanes& x) { return lane_by_lane(x, call<std::cosh>); }
  friend Lanes tanh(const Lanes& x) { return lane_by_lane(x, call<std::tanh>); }
  friend Lanes exp(const Lanes& x) { return lane_by_lane(x, call<std::exp>); }
  friend Lanes log(const Lanes& x) { return lane_by_lane(x, call<std::log>); }
  friend Lanes log10(const Lanes& x) { return lane_by_lane(x, call<std::log10>); }
  friend Lanes cbrt(const Lanes& x) { return lane_by_lane(x, call<std::cbrt>); }
  friend Lanes floor(const Lanes& x) { return lane_by_lane(x, call<std::floor>); }
  friend Lanes ceil(const Lanes& x) { return lane_by_lane(x, call<std::ceil>); }
  friend Lanes round(const Lanes& x) { return lane_by_lane(x, call<std::round>); }
  friend Lanes atan2(const Lanes& y, const Lanes& x) {
    return lane_by_lane(y, x, call2<std::atan2>);
  }
  friend Lanes pow(const Lanes& x, const Lanes& p) { return lane_by_lane(x, p, call2<std::pow>); }
  friend Lanes hypot(const Lanes& x, const Lanes& y) {
    return lane_by_lane(x, y, call2<std::hypot>);
  }
  friend Lanes fmod(const Lanes& x, const Lanes& y) { return lane_by_lane(x, y, call2<std::fmod>); }

  Vector v;

 private:
  template <double (*f)(double)>
  static constexpr auto call = [](double x) { return f(x); };
  template <double (*f)(double, double)>
  static constexpr auto call2 = [](double x, double y) { return f(x, y); };
};

using Lanes4 = Lanes<4>;
using LaneMask4 = LaneMask<4>;

// Rows become columns.
[[gnu::always_inline]] inline void transpose(Lanes4::Vector& a, Lanes4::Vector& b,
                                             Lanes4::Vector& c, Lanes4::Vector& d) {
  const Lanes4::Vector ab_even = __builtin_shufflevector(a, b, 0, 4, 2, 6),
                       ab_odd = __builtin_shufflevector(a, b, 1, 5, 3, 7),
                       cd_even = __builtin_shufflevector(c, d, 0, 4, 2, 6),
                       cd_odd = __builtin_shufflevector(c, d, 1, 5, 3, 7);
  a = __builtin_shufflevector(ab_even, cd_even, 0, 1, 4, 5);
  b = __builtin_shufflevector(ab_odd, cd_odd, 0, 1, 4, 5);
  c = __builtin_shufflevector(ab_even, cd_even, 2, 3, 6, 7);
  d = __builtin_shufflevector(ab_odd, cd_odd, 2, 3, 6, 7);
}

// to[i] gets from[lane][i] in its lanes, for n numbers.
inline void gather(const std::array<const double*, Lanes4::kCount>& from, Lanes4* to, int n) {
  int i = 0;
  for (; i + 4 <= n; i += 4) {
    Lanes4::Vector row[4];
    for (int lane = 0; lane < 4; ++lane) std::memcpy(&row[lane], from[lane] + i, sizeof row[lane]);
    transpose(row[0], row[1], row[2], row[3]);
    for (int k = 0; k < 4; ++k) to[i + k].v = row[k];
  }
  for (; i < n; ++i) to[i].v = Lanes4::Vector{from[0][i], from[1][i], from[2][i], from[3][i]};
}
// The way back. Two lanes may have the same place.
inline void scatter(const Lanes4* from, const std::array<double*, Lanes4::kCount>& to, int n) {
  int i = 0;
  for (; i + 4 <= n; i += 4) {
    Lanes4::Vector row[4];
    for (int k = 0; k < 4; ++k) row[k] = from[i + k].v;
    transpose(row[0], row[1], row[2], row[3]);
    for (int lane = 0; lane < 4; ++lane) std::memcpy(to[lane] + i, &row[lane], sizeof row[lane]);
  }
  for (; i < n; ++i) {
    const Lanes4 x = from[i];
    for (int lane = 0; lane < 4; ++lane) to[lane][i] = x[lane];
  }
}

}  // namespace chicane
