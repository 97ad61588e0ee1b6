// SPDX-License-Identifier: Apache-2.0
#include "vehicle/terrain/iso8608.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <numbers>
#include <stdexcept>
#include <vector>

#include "vehicle/terrain/crg.hpp"

namespace iso8608_test {
namespace {

using namespace chicane;
using namespace chicane::terrain;
using Complex = std::complex<double>;

CrgRoad road_of(const Iso8608& iso) {
  Diagnostics diag;
  auto road = CrgRoad::make(make_iso8608(iso), {.by = CrgPlace::By::file}, diag);
  if (!road) throw std::runtime_error(diag.text());
  return std::move(*road);
}

// Fourier coefficient of a track of the road, as it is evaluated, at k periods over its length.
Complex coefficient(const CrgRoad& road, double v, int k) {
  const auto n = static_cast<int>(road.nodes()) - 1;
  Complex sum = 0.0;
  for (int j = 0; j < n; ++j) {
    const double u = road.u_first() + road.u_step() * j;
    sum += road.height(Uv<double>{u, v}).z * std::polar(1.0, -2.0 * std::numbers::pi * k * j / n);
  }
  return sum / static_cast<double>(n);
}

TEST(Iso8608, HasTheSpectrumOfItsClassOverTwoDecades) {
  for (const char road_class : {'A', 'C', 'E'}) {
    const Iso8608 iso{.roughness = iso_roughness(road_class), .length = 409.6, .seed = 3};
    const CrgRoad road = road_of(iso);
    // On the line of a section the density is exact, from 0.0244 to 2.81 cycles/m.
    for (const int k : {10, 23, 41, 100, 230, 410, 700, 1150}) {
      const double n = k / iso.length;
      const double density = 2.0 * std::norm(coefficient(road, road.v()[7], k)) * iso.length;
      EXPECT_NEAR(density / (iso.roughness * std::pow(n / 0.1, -2.0)), 1.0, 1e-9) << n;
    }
    // Between sections, waves across are held down by straight lines: still within the class, whose
    // limits are half and double.
    double sum = 0.0;
    const double v = 0.5 * (road.v()[7] + road.v()[8]);
    for (int k = 300; k < 310; ++k)
      sum += 2.0 * std::norm(coefficient(road, v, k)) * iso.length /
             (iso.roughness * std::pow(k / iso.length / 0.1, -2.0));
    EXPECT_GT(0.1 * sum, 0.5);
    EXPECT_LT(0.1 * sum, 1.01);
  }
}

TEST(Iso8608, TracksAreAsCoherentAsStated) {
  const Iso8608 iso{.length = 409.6, .spread = 0.45, .seed = 11};
  const CrgRoad road = road_of(iso);
  const double right = road.v()[12], left = road.v()[19];  // 1.4 m apart
  for (const int first : {12, 60, 200}) {
    double together = 0.0, of_left = 0.0, of_right = 0.0, stated = 0.0;
    const int count = first;  // an octave
    for (int k = first; k < first + count; ++k) {
      const Complex a = coefficient(road, left, k), b = coefficient(road, right, k);
      const double n = k / iso.length, weight = 1.0 / std::norm(b);
      together += weight * (a * std::conj(b)).real();
      of_left += weight * std::norm(a), of_right += weight * std::norm(b);
      const double x = std::numbers::pi * iso.spread * n * (left - right);
      stated += std::exp(-2.0 * x * x) / count;
    }
    // The mean of `count` random waves: three of its standard deviations, at most 1 / sqrt(2
    // count).
    const double found = together / std::sqrt(of_left * of_right);
    EXPECT_NEAR(found, stated, 3.0 / std::sqrt(2.0 * count)) << first;
    if (first == 12) {
      EXPECT_GT(found, 0.9);
    }
  }
  const CrgRoad same = road_of({.spread = 0.0});
  EXPECT_EQ(same.height(Uv<double>{3.3, -1.0}).z, same.height(Uv<double>{3.3, 1.0}).z);
}

TEST(Iso8608, SeedsGiveRoadsAndRoadsRepeat) {
  const CrgFile a = make_iso8608({.seed = 5}), b = make_iso8608({.seed = 5});
  const CrgFile c = make_iso8608({.seed = 6});
  EXPECT_EQ(a.z, b.z);
  EXPECT_NE(a.z, c.z);
  const CrgRoad road = road_of({.seed = 5});
  for (const double u : {0.01, 17.3, 800.0})
    EXPECT_NEAR(road.height(Uv<double>{u, 0.4}).z, road.height(Uv<double>{u + 2 * 819.2, 0.4}).z,
                1e-11);
}

TEST(Iso8608, ClassesAreFourTimesAsRoughEach) {
  EXPECT_DOUBLE_EQ(iso_roughness('A'), 16e-6);
  EXPECT_DOUBLE_EQ(iso_roughness('B'), 64e-6);
  EXPECT_DOUBLE_EQ(iso_roughness('H'), 262144e-6);
}

}  // namespace
}  // namespace iso8608_test
