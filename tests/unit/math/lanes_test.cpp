// SPDX-License-Identifier: Apache-2.0
#include "math/lanes.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "math/vec3.hpp"

namespace chicane::lanes_test {
namespace {

static_assert(Scalar<Lanes>);

constexpr double kInf = std::numeric_limits<double>::infinity();

Lanes of(double a, double b, double c, double d) { return Lanes(Lanes::Vector{a, b, c, d}); }

// f does to each lane what it does to a double, to the bit.
template <class F>
void expect_lane_by_lane(const char* name, const F& f) {
  const Lanes x = of(0.3, -1.7, 2e9, 1e-9), y = of(-0.1, 3.3, 0.7, -2e8), z = of(5.5, 0.1, -1, 3);
  const Lanes all = f(x, y, z);
  for (int lane = 0; lane < Lanes::kCount; ++lane)
    EXPECT_EQ(all[lane], f(x[lane], y[lane], z[lane])) << name << ", lane " << lane;
}

TEST(Lanes, DoToEachWhatIsDoneToADouble) {
  expect_lane_by_lane("sum", [](auto x, auto y, auto z) { return x + y - z; });
  expect_lane_by_lane("product", [](auto x, auto y, auto z) { return -x * y / z; });
  expect_lane_by_lane("mul_add", [](auto x, auto y, auto z) { return mul_add(x, y, z); });
  expect_lane_by_lane("constants", [](auto x, auto y, auto) { return 2.0 * x + y * 0.1; });
  expect_lane_by_lane("sqrt", [](auto x, auto, auto) { return sqrt(x * x + 1.0); });
  expect_lane_by_lane("abs", [](auto x, auto y, auto) { return abs(x * y); });
  expect_lane_by_lane("min", [](auto x, auto y, auto z) { return min(max(x, y), z); });
  expect_lane_by_lane("round", [](auto x, auto y, auto) { return round(x * y); });
  expect_lane_by_lane("sin", [](auto x, auto y, auto) { return sin(x) * cos(y); });
  expect_lane_by_lane("atan2", [](auto x, auto y, auto) { return atan2(x, y); });
  expect_lane_by_lane("norm", [](auto x, auto y, auto z) {
    return norm(cross(Vec3<decltype(x)>{x, y, z}, Vec3<decltype(x)>{z, x, y}));
  });
}

TEST(Lanes, DecideEachForThemselves) {
  const Lanes x = of(1, 2, 3, 4), y = of(4, 3, 2, 1);
  const Lanes larger = select(x > y, x, -y);
  EXPECT_EQ(larger[0], -4.0);
  EXPECT_EQ(larger[1], -3.0);
  EXPECT_EQ(larger[2], 3.0);
  EXPECT_EQ(larger[3], 4.0);
  EXPECT_TRUE(any(x > y));
  EXPECT_FALSE(all(x > y));
  EXPECT_TRUE(all(x <= 4.0));
  EXPECT_FALSE(any(x > 4.0));
  EXPECT_TRUE(all(select(x > y, x >= 3.0, y >= 3.0)));
  const double bad[] = {kInf, -kInf, std::nan("")};
  for (const double b : bad)
    for (int lane = 0; lane < Lanes::kCount; ++lane) {
      Lanes z = x;
      z.set(lane, b);
      EXPECT_FALSE(all(is_finite(z)));
      EXPECT_TRUE(any(is_finite(z)));
    }
}

TEST(Lanes, AreGatheredAndScattered) {
  for (const int n : {1, 3, 4, 6, 8, 27}) {
    std::array<std::vector<double>, 4> from, to;
    for (int lane = 0; lane < 4; ++lane) {
      for (int i = 0; i < n; ++i) from[lane].push_back(100 * lane + i);
      to[lane].assign(static_cast<std::size_t>(n) + 1, -1.0);
    }
    std::vector<Lanes> all(static_cast<std::size_t>(n));
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
