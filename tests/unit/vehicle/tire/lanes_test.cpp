// SPDX-License-Identifier: Apache-2.0

// Tires in lanes: wheels with different parameters and motions in one evaluation, each with the
// bits of the wheel evaluated alone.

#include "math/lanes.hpp"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <random>

#include "testkit/tires.hpp"
#include "testkit/wide_tire.hpp"

namespace lanes_test {
namespace {

using namespace chicane;
using namespace chicane::tire;

constexpr int N = 4;
using L = Lanes<N>;

// All that a struct of scalars holds, each lane a little different.
template <template <class> class S>
std::array<S<double>, N> copies(const S<double>& one) {
  std::array<S<double>, N> all;
  for (int lane = 0; lane < N; ++lane) {
    auto numbers = std::bit_cast<std::array<double, sizeof(S<double>) / sizeof(double)>>(one);
    for (double& x : numbers) x *= 1.0 + 0.01 * lane;
    all[lane] = std::bit_cast<S<double>>(numbers);
  }
  return all;
}
template <template <class> class S>
S<L> together(const std::array<S<double>, N>& all) {
  constexpr std::size_t n = sizeof(S<double>) / sizeof(double);
  std::array<L, n> lanes;
  for (int lane = 0; lane < N; ++lane) {
    const auto numbers = std::bit_cast<std::array<double, n>>(all[lane]);
    for (std::size_t i = 0; i < n; ++i) lanes[i].set(lane, numbers[i]);
  }
  return std::bit_cast<S<L>>(lanes);
}

template <template <class> class M>
void expect_wheels_in_lanes(const char* name, const M<double>& model) {
  std::mt19937 engine{3};
  const auto random = [&](double lo, double hi) {
    return std::uniform_real_distribution<double>(lo, hi)(engine);
  };
  const auto models = copies(model);
  const auto p = copies(testkit::tire_params<double>());
  const auto all_models = together(models);
  const auto all_p = together(p);
  for (int k = 0; k < 500; ++k) {
    std::array<Wheel<double>, N> wheels;
    std::array<States<double>, N> x;
    for (int i = 0; i < N; ++i) {
      const double g = random(-0.1, 0.1), v = k % 5 == 0 ? 1e-3 : 20;
      wheels[i] = testkit::rolling_wheel(random(-0.01, 0.05), random(-v, v), random(-v, v) / 4,
                                         random(-2 * v, 2 * v));
      wheels[i].e_spin = {0, std::cos(g), std::sin(g)};
      x[i] = {random(-.02, .02), random(-.02, .02), random(-.3, .3), random(-1, 1)};
    }
    const terrain::Flat<L> road{.height = 0.0, .cover = {L(0.8), 0}};
    const auto together_x = together(x);
    const auto w = together(wheels);
    const auto all = evaluate(all_p, all_models, testkit::on(road, w), together_x);
    for (int i = 0; i < N; ++i) {
      const terrain::Flat<double> ground{.height = 0, .cover = {0.8, 0}};
      const auto one = evaluate(p[i], models[i], testkit::on(ground, wheels[i]), x[i]);
      EXPECT_EQ(all.F.F_x[i], one.F.F_x) << name;
      EXPECT_EQ(all.F.F_y[i], one.F.F_y) << name;
      EXPECT_EQ(all.F.F_z[i], one.F.F_z) << name;
      EXPECT_EQ(all.F.M_x[i], one.F.M_x) << name;
      EXPECT_EQ(all.F.M_y[i], one.F.M_y) << name;
      EXPECT_EQ(all.F.M_z[i], one.F.M_z) << name;
      EXPECT_EQ(all.rates.u_y[i], one.rates.u_y) << name;
      EXPECT_EQ(all.rates.s_y[i], one.rates.s_y) << name;
      EXPECT_EQ(all.rates.turn[i], one.rates.turn) << name;
    }
  }
}

TEST(TireLanes, AreWheelsAlone) {
  expect_wheels_in_lanes<Linear>("linear", testkit::linear<double>());
  expect_wheels_in_lanes<Fiala>("fiala", testkit::fiala<double>());
  expect_wheels_in_lanes<Tmeasy>("tmeasy", testkit::tmeasy<double>());
  expect_wheels_in_lanes<testkit::WideTire>("wide", testkit::WideTire<double>{});
}

}  // namespace
}  // namespace lanes_test
