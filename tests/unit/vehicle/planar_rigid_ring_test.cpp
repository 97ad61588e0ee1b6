// SPDX-License-Identifier: Apache-2.0
#include "vehicle/tire/planar_rigid_ring.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "math/dual.hpp"

namespace planar_rigid_ring_test {
namespace {

using namespace chicane;
using namespace chicane::planar_rigid_ring;

template <class T>
Params<T> params() {
  return {.m = 5.0,
          .I = 0.3,
          .R = 0.3,
          .K_x = 1.2e6,
          .C_x = 130.0,
          .K_y = 1.2e6,
          .C_y = 130.0,
          .K_theta = 2e4,
          .C_theta = 5.0,
          .K_res = 7.2e5,
          .C_res = 30.0,
          .y_0 = 0.3,
          .a = 0.06,
          .c_px = 6.2e7,
          .mu = 0.9,
          .c_rr = 0.005,
          .sigma_min = 0.004,
          .g = 9.81};
}

constexpr double kLoaded = 0.294;  // [m] ring height with a load of 4320 N

Contact<double> at_slip(double s) { return contact(params<double>(), kLoaded, 0.0, s, 0.0); }

// B6 and B7 as they are printed, with theta of B5.
TEST(Brush, IsThePrintedCurve) {
  const auto p = params<double>();
  const double F_N = at_slip(0).F_N;
  EXPECT_NEAR(F_N, 4320, 1e-9);
  const double theta = 2.0 / 3.0 * p.c_px * p.a * p.a / (p.mu * F_N);
  for (double s = -0.05; s <= 0.05; s += 0.0007) {
    const double z = theta * std::fabs(s), sign = s < 0 ? -1 : 1;
    const double printed =
        z <= 1 ? p.mu * F_N * (3 * z - 3 * z * z + z * z * z) * sign : p.mu * F_N * sign;
    EXPECT_NEAR(at_slip(s).F_road, printed, 1e-9) << s;
  }
}

// B12 and B13: the relaxation length is the slope of the force, down to the floor.
TEST(Brush, RelaxationLengthIsTheSlopeOfTheForce) {
  const auto p = params<Dual>();
  for (const double s : {-0.02, -0.01, 0.0, 1e-4, 0.005, 0.015, 0.02}) {
    const auto c = contact<Dual>(p, kLoaded, 0.0, Dual::variable(s, 0), 0.0);
    const double slope = c.F_road.b[0];
    EXPECT_NEAR(c.sigma.a, std::max(slope / (2 * 0.06 * 6.2e7), 0.004), 1e-12) << s;
  }
  EXPECT_DOUBLE_EQ(at_slip(0).sigma, 0.06);
  EXPECT_DOUBLE_EQ(at_slip(1).sigma, 0.004);
}

TEST(Brush, InTheAirThereIsNoForceAndNoNaN) {
  const auto p = params<Dual>();
  for (const double s : {-0.1, 0.0, 0.1}) {
    const auto c = contact<Dual>(p, Dual::variable(0.35, 0), 0.0, Dual::variable(s, 1), Dual(0.0));
    EXPECT_EQ(c.F_N.a, 0.0);
    EXPECT_EQ(c.F_road.a, 0.0);
    for (const Dual& v : {c.F_N, c.F_road, c.sigma})
      for (const double d : v.b) EXPECT_EQ(d, 0.0);
  }
}

// Forward and backward are alike: the mirror of a motion has the mirror of its rates.
TEST(Ring, DoesNotKnowForwardFromBackward) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> number(-1, 1);
  const auto p = params<double>();
  for (int trial = 0; trial < 200; ++trial) {
    const Pose<double> offset{0.001 * number(random), 0.003, 0.01 * number(random)};
    const Velocity<double> v{20 * number(random), 0.1 * number(random), 60 * number(random)};
    const Velocity<double> slide{number(random), number(random), number(random)};
    const double s = 0.03 * number(random);
    const auto rates_of = [&](double sign) {
      const auto hub = sidewall(p, {sign * offset.x, offset.y, sign * offset.theta},
                                {sign * slide.x, slide.y, sign * slide.theta});
      return rates(p, {sign * v.x, v.y, sign * v.theta}, sign * s, hub,
                   contact(p, kLoaded, v.y, sign * s, 0.0));
    };
    const auto there = rates_of(1), back = rates_of(-1);
    EXPECT_DOUBLE_EQ(there.v.x, -back.v.x);
    EXPECT_DOUBLE_EQ(there.v.y, back.v.y);
    EXPECT_DOUBLE_EQ(there.v.theta, -back.v.theta);
    EXPECT_DOUBLE_EQ(there.s, -back.s);
  }
}

// Energy of ring and springs grows by the work of hub, road and weight, less what the dampers take.
TEST(Ring, BalancesItsPower) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> number(-1, 1);
  const auto p = params<double>();
  for (int trial = 0; trial < 200; ++trial) {
    const Velocity<double> hub{20 * number(random), number(random), 60 * number(random)};
    const Velocity<double> v{hub.x + number(random), hub.y + number(random),
                             hub.theta + number(random)};
    const Velocity<double> slide{v.x - hub.x, v.y - hub.y, v.theta - hub.theta};
    const Pose<double> offset{0.001 * number(random), 0.004 * number(random),
                              0.01 * number(random)};
    const double s = 0.03 * number(random);
    const auto on_hub = sidewall(p, offset, slide);
    const auto road = contact(p, kLoaded, v.y, s, 0.0);
    const auto d = rates(p, v, s, on_hub, road);
    const double kinetic = p.m * (v.x * d.v.x + v.y * d.v.y) + p.I * v.theta * d.v.theta;
    const double springs = p.K_x * offset.x * slide.x + p.K_y * offset.y * slide.y +
                           p.K_theta * offset.theta * slide.theta;
    const double dampers = p.C_x * slide.x * slide.x + p.C_y * slide.y * slide.y +
                           p.C_theta * slide.theta * slide.theta;
    const double from_hub = -(on_hub.x * hub.x + on_hub.y * hub.y + on_hub.theta * hub.theta);
    const double from_road = road.F_road * (v.x + p.R * v.theta) + road.F_N * v.y +
                             p.c_rr * road.F_N * (v.x > 0 ? 1 : -1) * v.theta - p.m * p.g * v.y;
    // sums of powers up to some 1e5 W
    EXPECT_NEAR(kinetic + springs, from_hub + from_road - dampers, 1e-9 * 1e5);
  }
}

TEST(Slip, OfAFreelyRollingRingStaysZeroAndABrakedOneTurnsNegative) {
  const auto p = params<double>();
  const auto road = at_slip(0);
  const chicane::planar_rigid_ring::Wrench<double> none{0, 0, 0};
  EXPECT_EQ(rates(p, {15.0, 0.0, -50.0}, 0.0, none, road).s, 0.0);
  EXPECT_LT(rates(p, {15.0, 0.0, -45.0}, 0.0, none, road).s, 0.0);  // turns too slowly: braked
  EXPECT_LT(at_slip(-0.001).F_road, 0.0);
  EXPECT_LT(rates(p, {15.0, 0.0, -50.0}, 0.001, none, road).s, 0.0);  // and an old slip fades
}

}  // namespace
}  // namespace planar_rigid_ring_test
