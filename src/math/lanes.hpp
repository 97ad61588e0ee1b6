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

// Four numbers side by side in one register: a scalar for physics that the same formulas move for
// four parts at once. Every operation does to each lane what it would do to a double, to the bit.

namespace chicane {

// One decision per lane.
class LaneMask {
 public:
  using Vector [[gnu::vector_size(32)]] = std::int64_t;

  LaneMask() : v{} {}
  explicit LaneMask(bool all)
      : v{-std::int64_t{all}, -std::int64_t{all}, -std::int64_t{all}, -std::int64_t{all}} {}
  [[gnu::always_inline]] explicit LaneMask(const Vector& bits) : v(bits) {}

  [[gnu::always_inline]] friend LaneMask operator!(const LaneMask& a) { return LaneMask(~a.v); }
  [[gnu::always_inline]] friend bool any(const LaneMask& m) {
    return (m.v[0] | m.v[1] | m.v[2] | m.v[3]) != 0;
  }

  Vector v;
};

constexpr bool any(bool mask) { return mask; }
[[gnu::always_inline]] inline bool all(const auto& mask) { return !any(!mask); }

class Lanes {
 public:
  static constexpr int kCount = 4;
  using Vector [[gnu::vector_size(32)]] = double;

  [[gnu::always_inline]] Lanes() : v{} {}
  [[gnu::always_inline]] Lanes(double x) : v{x, x, x, x} {}  // NOLINT: constants are plain numbers
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

  [[gnu::always_inline]] friend LaneMask operator<(const Lanes& a, const Lanes& b) {
    return LaneMask(a.v < b.v);
  }
  [[gnu::always_inline]] friend LaneMask operator>(const Lanes& a, const Lanes& b) {
    return LaneMask(a.v > b.v);
  }
  [[gnu::always_inline]] friend LaneMask operator<=(const Lanes& a, const Lanes& b) {
    return LaneMask(a.v <= b.v);
  }
  [[gnu::always_inline]] friend LaneMask operator>=(const Lanes& a, const Lanes& b) {
    return LaneMask(a.v >= b.v);
  }

  // The values themselves: lanes carry nothing beside them.
  [[gnu::always_inline]] friend const Lanes& value_of(const Lanes& x) { return x; }

  Vector v;
};

[[gnu::always_inline]] inline Lanes select(const LaneMask& mask, const Lanes& a, const Lanes& b) {
  return Lanes(mask.v ? a.v : b.v);
}
[[gnu::always_inline]] inline LaneMask select(const LaneMask& mask, const LaneMask& a,
                                              const LaneMask& b) {
  return LaneMask(mask.v ? a.v : b.v);
}

template <class F>
[[gnu::always_inline]] inline Lanes lane_by_lane(const Lanes& x, F&& f) {
  return Lanes(Lanes::Vector{f(x.v[0]), f(x.v[1]), f(x.v[2]), f(x.v[3])});
}

[[gnu::always_inline]] inline Lanes abs(const Lanes& x) {
  return Lanes(
      reinterpret_cast<Lanes::Vector>(reinterpret_cast<LaneMask::Vector>(x.v) & INT64_MAX));
}
inline Lanes sin(const Lanes& x) {
  return lane_by_lane(x, [](double a) { return std::sin(a); });
}
inline Lanes cos(const Lanes& x) {
  return lane_by_lane(x, [](double a) { return std::cos(a); });
}
inline Lanes round(const Lanes& x) {
  return lane_by_lane(x, [](double a) { return std::round(a); });
}
inline Lanes atan2(const Lanes& y, const Lanes& x) {
  return Lanes(Lanes::Vector{std::atan2(y[0], x[0]), std::atan2(y[1], x[1]), std::atan2(y[2], x[2]),
                             std::atan2(y[3], x[3])});
}
[[gnu::always_inline]] inline LaneMask is_finite(const Lanes& x) { return x - x >= 0.0; }

[[gnu::always_inline]] inline Lanes sqrt(const Lanes& x) {
#ifdef __AVX__
  return Lanes(Lanes::Vector(_mm256_sqrt_pd(__m256d(x.v))));
#else
  return lane_by_lane(x, [](double a) { return std::sqrt(a); });
#endif
}

[[gnu::always_inline]] inline Lanes mul_add(const Lanes& a, const Lanes& b, const Lanes& c) {
#ifdef __FMA__
  return Lanes(Lanes::Vector(_mm256_fmadd_pd(__m256d(a.v), __m256d(b.v), __m256d(c.v))));
#else
  return a * b + c;
#endif
}

// Rows become columns.
[[gnu::always_inline]] inline void transpose(Lanes::Vector& a, Lanes::Vector& b, Lanes::Vector& c,
                                             Lanes::Vector& d) {
  const Lanes::Vector ab_even = __builtin_shufflevector(a, b, 0, 4, 2, 6),
                      ab_odd = __builtin_shufflevector(a, b, 1, 5, 3, 7),
                      cd_even = __builtin_shufflevector(c, d, 0, 4, 2, 6),
                      cd_odd = __builtin_shufflevector(c, d, 1, 5, 3, 7);
  a = __builtin_shufflevector(ab_even, cd_even, 0, 1, 4, 5);
  b = __builtin_shufflevector(ab_odd, cd_odd, 0, 1, 4, 5);
  c = __builtin_shufflevector(ab_even, cd_even, 2, 3, 6, 7);
  d = __builtin_shufflevector(ab_odd, cd_odd, 2, 3, 6, 7);
}

// to[i] gets from[lane][i] in its lanes, for n numbers.
inline void gather(const std::array<const double*, Lanes::kCount>& from, Lanes* to, int n) {
  int i = 0;
  for (; i + 4 <= n; i += 4) {
    Lanes::Vector row[4];
    for (int lane = 0; lane < 4; ++lane) std::memcpy(&row[lane], from[lane] + i, sizeof row[lane]);
    transpose(row[0], row[1], row[2], row[3]);
    for (int k = 0; k < 4; ++k) to[i + k].v = row[k];
  }
  for (; i < n; ++i) to[i].v = Lanes::Vector{from[0][i], from[1][i], from[2][i], from[3][i]};
}
// The way back. Two lanes may have the same place.
inline void scatter(const Lanes* from, const std::array<double*, Lanes::kCount>& to, int n) {
  int i = 0;
  for (; i + 4 <= n; i += 4) {
    Lanes::Vector row[4];
    for (int k = 0; k < 4; ++k) row[k] = from[i + k].v;
    transpose(row[0], row[1], row[2], row[3]);
    for (int lane = 0; lane < 4; ++lane) std::memcpy(to[lane] + i, &row[lane], sizeof row[lane]);
  }
  for (; i < n; ++i) {
    const Lanes x = from[i];
    for (int lane = 0; lane < 4; ++lane) to[lane][i] = x[lane];
  }
}

}  // namespace chicane
