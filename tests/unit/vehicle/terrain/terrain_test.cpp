// SPDX-License-Identifier: Apache-2.0
#include "vehicle/terrain/terrain.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include "math/dual.hpp"
#include "testkit/random.hpp"
#include "vehicle/terrain/disc.hpp"

namespace terrain_test {
namespace {

using namespace chicane;
using namespace chicane::terrain;

template <class T>
SumOfSines<T> waves() {
  return {.waves = {{0.05, 0.9, 0.2, 0.3}, {0.02, -0.4, 1.1, 1.0}, {0.004, 3.0, 2.0, -0.5}},
          .cover = {T(0.8), 3}};
}
template <class T>
Bump<T> bump() {
  return {.d_0 = 2.0, .l = 4.0, .h = 0.15, .psi = 0.4, .cover = {}};
}
template <class T>
Plane<T> plane() {
  return {.z = {T(0.2), T(0.1), T(-0.05)}, .cover = {}};
}

// Calls what(ground of doubles, the same ground of duals).
template <class F>
void for_every_ground(F&& what) {
  what(Flat<double>{0.3, {}}, Flat<Dual>{0.3, {}});
  what(plane<double>(), plane<Dual>());
  what(waves<double>(), waves<Dual>());
  what(bump<double>(), bump<Dual>());
}

// n is perpendicular to both tangents (1, 0, dz/dx), (0, 1, dz/dy), which the height gives.
TEST(Terrain, NormalIsThatOfTheHeight) {
  testkit::Random random{7};
  for_every_ground([&](const auto& ground, const auto& dual) {
    for (int i = 0; i < 100; ++i) {
      const double x = random(-10, 10), y = random(-10, 10);
      const auto z = dual.query(Dual::variable(x, 0), Dual::variable(y, 1), {}).height;
      const auto hit = ground.query(x, y, {});
      EXPECT_NEAR(norm(hit.normal), 1, 1e-15);
      EXPECT_GT(hit.normal.z, 0);
      EXPECT_NEAR(hit.normal.x + hit.normal.z * z.b[0], 0, 1e-15);
      EXPECT_NEAR(hit.normal.y + hit.normal.z * z.b[1], 0, 1e-15);
      EXPECT_EQ(hit.height, z.a);
    }
  });
}

TEST(Terrain, AnswersWithItsCoverAndForgetsThePreviousHit) {
  const auto ground = waves<double>();
  const Hit<double> wrong{99, {1, 0, 0}, -1, -1};
  const auto a = ground.query(1.0, 2.0, {}), b = ground.query(1.0, 2.0, wrong);
  EXPECT_EQ(a.height, b.height);
  EXPECT_EQ(a.normal, b.normal);
  EXPECT_EQ(b.friction, 0.8);
  EXPECT_EQ(b.surface, 3);

  const std::array<Vec3<double>, 2> points{{{1, 2, 0}, {3, 4, 0}}};
  std::array<Hit<double>, 2> hits{};
  query<double>(ground, points, hits);
  EXPECT_EQ(hits[0].height, a.height);
  EXPECT_EQ(hits[1].height, ground.query(3.0, 4.0, {}).height);
}

TEST(Bump, IsAsHighAsItSaysInItsMiddleAndFlatAtItsEnds) {
  const auto b = bump<double>();
  const auto at = [&](double d) { return b.query(d * std::cos(0.4), d * std::sin(0.4), {}); };
  EXPECT_NEAR(at(4).height, 0.15, 1e-15);
  for (const double d : {-3.0, 2.0, 6.0, 9.0}) {
    EXPECT_NEAR(at(d).height, 0, 1e-15) << d;
    EXPECT_NEAR(at(d).normal.z, 1, 1e-15) << d;
  }
  // steepest at a quarter: pi h / l
  EXPECT_NEAR(std::hypot(at(3).normal.x, at(3).normal.y) / at(3).normal.z,
              std::numbers::pi * 0.15 / 4, 1e-14);
}

Vec3<double> unit(const Vec3<double>& a) { return (1 / norm(a)) * a; }

constexpr double kR = 0.47;

TEST(Disc, HasAnOrthonormalFrameAndTouchesWhereItSays) {
  testkit::Random random{7};
  for_every_ground([&](const auto& ground, const auto& /*dual*/) {
    for (int i = 0; i < 100; ++i) {
      const Vec3<double> centre{random(-5, 8), random(-3, 5), random(0.3, 1.0)};
      const Vec3<double> e_spin = unit({random(-1, 1), 1, random(-0.2, 0.2)});
      const auto c = touch(ground, centre, e_spin, kR, {});
      const auto& R = c.R;
      for (const Vec3<double>& e : {R.x, R.y, R.z}) EXPECT_NEAR(norm(e), 1, 1e-14);
      EXPECT_NEAR(dot(R.x, R.y), 0, 1e-15);
      EXPECT_NEAR(dot(R.y, R.z), 0, 1e-15);
      EXPECT_NEAR(dot(R.x, R.z), 0, 1e-15);
      EXPECT_NEAR(dot(cross(R.x, R.y), R.z), 1, 1e-14);
      EXPECT_NEAR(dot(R.x, e_spin), 0, 1e-14);
      EXPECT_GT(dot(R.y, e_spin), 0);
      // the point is in the disc, as far from the centre as it says
      EXPECT_NEAR(dot(c.p - centre, e_spin), 0, 1e-14);
      EXPECT_NEAR(norm(c.p - centre), std::fabs(c.r_S), 1e-14);
      EXPECT_NEAR(c.delta + c.r_S, kR, 1e-15);
      EXPECT_NEAR(c.sin_gamma * c.sin_gamma + c.cos_gamma * c.cos_gamma, 1, 1e-14);
    }
  });
}

// Upright on flat ground, and a disc across the slope: plain geometry.
TEST(Disc, DeflectsByWhatReachesIntoThePlane) {
  const auto flat = touch(Flat<double>{0.1, {}}, {3.0, 2.0, 0.55}, {0.0, 1.0, 0.0}, kR, {});
  EXPECT_NEAR(flat.delta, kR - 0.45, 1e-15);
  EXPECT_NEAR(flat.p.z, 0.1, 1e-15);

  // uphill on a slope of 30 degrees, the centre at a perpendicular distance of 0.45
  const double a = std::numbers::pi / 6;
  const Plane<double> slope{.z = {0, std::tan(a), 0}, .cover = {}};
  const Vec3<double> n{-std::sin(a), 0, std::cos(a)};
  const auto hill = touch(slope, 0.45 * n, {0.0, 1.0, 0.0}, kR, {});
  EXPECT_NEAR(hill.delta, kR - 0.45, 1e-15);
  EXPECT_NEAR(norm(hill.p), 0, 1e-15);
  EXPECT_NEAR(hill.R.x.z, std::sin(a), 1e-15);

  // inclined by gamma: the distance within the disc is h / cos(gamma)
  const double g = 0.2;
  const auto leaning =
      touch(Flat<double>{}, {0.0, 0.0, 0.45}, {0.0, std::cos(g), std::sin(g)}, kR, {});
  EXPECT_NEAR(leaning.r_S, 0.45 / std::cos(g), 1e-15);
  EXPECT_NEAR(leaning.sin_gamma, std::sin(g), 1e-15);
  // the foot of a disc that leans to the right is on the left
  EXPECT_NEAR(leaning.p.y, 0.45 * std::tan(g), 1e-15);
}

// The ground is asked again until the point lies on it: the fourth answer is off by the curvature
// times R_0 to the fourth power. Curvature of the long bump: 2 pi^2 h / l^2 = 0.19/m.
TEST(Disc, FindsItsPointOnABump) {
  const auto ground = bump<double>();
  for (double x = 1.0; x < 7.0; x += 0.05) {
    const double z = ground.query(x, 0.0, {}).height + 0.45;
    const auto c = touch(ground, {x, 0.0, z}, {0.0, 1.0, 0.0}, kR, {});
    const auto there = ground.query(c.p.x, c.p.y, {});
    EXPECT_NEAR(c.p.z, there.height, 1e-5) << x;
    EXPECT_NEAR(norm(c.R.z - there.normal), 0, 2e-4) << x;
  }
}

// As a disc comes to the edge of a bump, the contact point runs ahead of the centre, the deflection
// stays continuous, and beyond the edge it is that of flat ground.
TEST(Disc, RollsOverTheEdgeOfABumpWithoutAJump) {
  const Bump<double> ground{.d_0 = 1.0, .l = 2.0, .h = 0.1, .psi = 0, .cover = {}};
  double last = kR - 0.45;
  for (double x = 0.0; x < 2.0; x += 0.001) {
    const auto c = touch(ground, {x, 0.0, 0.45}, {0.0, 1.0, 0.0}, kR, {});
    EXPECT_LT(std::fabs(c.delta - last), 0.001 * 0.5);  // slope of the bump is below 0.16
    last = c.delta;
    if (x < 0.9) {
      EXPECT_NEAR(c.delta, kR - 0.45, 1e-15);
    }
    if (x > 1.1 && x < 1.9) {
      EXPECT_GT(c.p.x, x);
    }
  }
}

TEST(Disc, ThatLiesFlatOrFliesGivesNumbers) {
  for (const Vec3<double>& axis : {Vec3<double>{0, 0, 1}, Vec3<double>{0, 1e-5, 1}}) {
    const auto c = touch(Flat<Dual>{}, {Dual(0), Dual(0), Dual::variable(0.2, 0)},
                         cast<Dual>(unit(axis)), Dual(kR), {});
    EXPECT_TRUE(is_finite(c.delta) && is_finite(c.p.x) && is_finite(c.R.x.x));
    EXPECT_LT(c.delta.a, 0);  // no contact
  }
  EXPECT_NEAR(touch(Flat<double>{}, {0.0, 0.0, 3.0}, {0.0, 1.0, 0.0}, kR, {}).delta, kR - 3, 1e-15);
}

}  // namespace
}  // namespace terrain_test
