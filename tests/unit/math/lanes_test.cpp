// SPDX-License-Identifier: Apache-2.0
#include "math/lanes.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "math/vec3.hpp"

namespace chicane::lanes_test {
namespace {

static_assert(Scalar<Lanes<2>> && Scalar<Lanes<4>> && Scalar<Lanes<8>>);

constexpr double kNumbers[] = {0.3, -1.7, 2e9, 1e-9, 0.0, -0.0, -7.5, 0.99};

template <int N>
Lanes<N> some(int shift) {
  Lanes<N> x;
  for (int i = 0; i < N; ++i) x.set(i, kNumbers[(i + shift) % 8]);
  return x;
}

// The same number, NaN and the sign of 0 included.
bool same(double a, double b) {
  return std::isnan(a) ? std::isnan(b) : a == b && std::signbit(a) == std::signbit(b);
}

template <int N, class F>
void expect_lane_by_lane_of(const char* name, const F& f) {
  for (int a = 0; a < 8; ++a)
    for (int b = 0; b < 8; ++b) {
      const Lanes<N> x = some<N>(a), y = some<N>(b), z = some<N>(a + 2 * b + 1);
      const Lanes<N> all = f(x, y, z);
      for (int i = 0; i < N; ++i)
        EXPECT_TRUE(same(all[i], f(x[i], y[i], z[i])))
            << name << "(" << x[i] << ", " << y[i] << ", " << z[i] << "), " << N
            << " lanes: " << all[i] << " for " << f(x[i], y[i], z[i]);
    }
}
template <class F>
void expect_lane_by_lane(const char* name, const F& f) {
  expect_lane_by_lane_of<2>(name, f);
  expect_lane_by_lane_of<4>(name, f);
  expect_lane_by_lane_of<8>(name, f);
}

#define EVERY_LANE(formula)                                  \
  expect_lane_by_lane(#formula, [](auto x, auto y, auto z) { \
    (void)y, (void)z;                                        \
    return formula;                                          \
  })

TEST(Lanes, DoToEachWhatIsDoneToADouble) {
  EVERY_LANE(x + y - z);
  EVERY_LANE(-x * y / z);
  EVERY_LANE(2.0 * x + y * 0.1 - 1.0 / z);
  EVERY_LANE(mul_add(x, y, z));
  EVERY_LANE((x += y, x -= z, x *= y, x /= z, x));
  EVERY_LANE(decltype(x)(-0.0));
}

TEST(Lanes, HaveEveryFunctionOfTheLanguage) {
  EVERY_LANE(sqrt(x));
  EVERY_LANE(cbrt(x));
  EVERY_LANE(abs(x) + fabs(y));
  EVERY_LANE(sin(x) * cos(y) + tan(z));
  EVERY_LANE(asin(x) + acos(y));
  EVERY_LANE(atan(x) - atan2(y, z));
  EVERY_LANE(sinh(x * 1e-9) + cosh(y * 1e-9) + tanh(z));
  EVERY_LANE(exp(x * 1e-9) + log(y) - log10(z));
  EVERY_LANE(pow(x, y));
  EVERY_LANE(pow(x, 2.0));
  EVERY_LANE(hypot(x, y) - magnitude(y, z));
  EVERY_LANE(floor(x) + ceil(y) + round(z));
  EVERY_LANE(fmod(x, y));
  EVERY_LANE(min(x, y) + max(y, z));
  EVERY_LANE(min(x, 0.5) - max(0.25, y));
  EVERY_LANE(sat(x, -1.0, z));
  EVERY_LANE(deadband(x, -0.5, 0.5));
  EVERY_LANE(sign(x) + sign(y * z));
  EVERY_LANE(norm(cross(Vec3<decltype(x)>{x, y, z}, Vec3<decltype(x)>{z, x, y})));
  EVERY_LANE(chain(x, y, z));
}

TEST(Lanes, DecideEachForThemselves) {
  EVERY_LANE(select(x < y, x, z));
  EVERY_LANE(select(x <= y, x, z));
  EVERY_LANE(select(x > y, x, z));
  EVERY_LANE(select(x >= y, x, z));
  EVERY_LANE(select(x == y, x, z));
  EVERY_LANE(select(x != y, x, z));
  EVERY_LANE(select(!(x < y), x, z));
  EVERY_LANE(select((x < y) & (y < z), x, z));
  EVERY_LANE(select((x < y) | (y < z), x, z));
  const Lanes<4> x = some<4>(0), y = some<4>(1);
  EXPECT_TRUE(any(x > y));
  EXPECT_FALSE(all(x > y));
  EXPECT_TRUE(all(x <= 2e9));
  EXPECT_FALSE(any(!(x > y)) && any(x > 3e9));
  EXPECT_TRUE((x > y)[0]);
  EXPECT_FALSE((x > y)[1]);
  const auto m = select(x > y, x > 0.0, y > 0.0);
  for (int i = 0; i < 4; ++i) EXPECT_EQ(m[i], x[i] > y[i] ? x[i] > 0.0 : y[i] > 0.0);
  EXPECT_TRUE(any(LaneMask<4>(true)));
  EXPECT_FALSE(any(LaneMask<4>(false)));
  for (const double bad : {std::numeric_limits<double>::infinity(), std::nan("")})
    for (int i = 0; i < 4; ++i) {
      Lanes<4> z = x;
      z.set(i, bad);
      const auto finite = is_finite(z);
      for (int k = 0; k < 4; ++k) EXPECT_EQ(finite[k], k != i);
    }
}

TEST(Lanes, AreGatheredAndScattered) {
  for (const int n : {1, 3, 4, 6, 8, 27}) {
    std::array<std::vector<double>, 4> from, to;
    for (int lane = 0; lane < 4; ++lane) {
      for (int i = 0; i < n; ++i) from[lane].push_back(100 * lane + i);
      to[lane].assign(static_cast<std::size_t>(n) + 1, -1.0);
    }
    std::vector<Lanes4> all(static_cast<std::size_t>(n));
    gather({from[0].data(), from[1].data(), from[2].data(), from[3].data()}, all.data(), n);
    for (int i = 0; i < n; ++i)
      for (int lane = 0; lane < 4; ++lane)
        ASSERT_EQ(all[static_cast<std::size_t>(i)][lane], 100 * lane + i);
    scatter(all.data(), {to[0].data(), to[1].data(), to[2].data(), to[3].data()}, n);
    for (int lane = 0; lane < 4; ++lane) {
      EXPECT_EQ(to[lane].back(), -1.0) << "wrote too far";
      to[lane].pop_back();
      EXPECT_EQ(to[lane], from[lane]);
    }
  }
}

}  // namespace
}  // namespace chicane::lanes_test
