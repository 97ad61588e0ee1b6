// SPDX-License-Identifier: Apache-2.0
#include "vehicle/friction/bristle.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "unit/vehicle/integrate.hpp"

namespace bristle_test {
namespace {

using namespace chicane;
using namespace chicane::bristle;
using namespace chicane::testing_vehicle;

template <class T = double>
Params<T> params() {
  return {.s = 0.01, .zeta_e = 0.8, .tau = 0.005, .t_r = 0.002};
}

constexpr double F = 1000, J = 2;  // [N m], [kg m^2]

struct Wheel {
  double phi, omega, zeta;
};

template <class Load>
auto wheel_under(const Params<double>& p, Load load) {
  return [p, load](double t, const Wheel& x) {
    return Wheel{x.omega, (load(t) - F * force(p, x.zeta, x.omega)) / J, rate(p, x.zeta, x.omega)};
  };
}

double shaken(double t) { return F * (0.6 + 0.1 * std::sin(40 * M_PI * t)); }

// A minute under a load that shakes, below the elastic share: not a hair's breadth. With bristles
// that slide from the first bend on, the same load walks away.
TEST(Bristle, HoldsAShakenLoadWithoutCreeping) {
  const auto creep = [](const Params<double>& p) {
    const auto early = run(Wheel{}, 2, 0.001, wheel_under(p, shaken));
    const auto late = run(early, 60, 0.001, wheel_under(p, shaken));  // 1200 whole cycles
    return late.phi - early.phi;
  };
  auto sliding = params();
  sliding.zeta_e = 0.0;
  EXPECT_NEAR(creep(params()), 0, 1e-12);
  EXPECT_GT(creep(sliding), 0.01);
}

TEST(Bristle, LetsGoAboveItsLimit) {
  const auto x = run(Wheel{}, 1, 0.001, wheel_under(params(), [](double) { return 1.05 * F; }));
  // the first hundredth of a radian aside, 5 % of F is left to accelerate
  EXPECT_NEAR(x.omega, 0.05 * F / J, 0.02 * 0.05 * F / J + 1.0);
  const auto held = run(Wheel{}, 1, 0.001, wheel_under(params(), [](double) { return 0.95 * F; }));
  EXPECT_NEAR(held.omega, 0, 1e-9);
}

// A wheel that is only braked stops. What the bristle has stored turns it back; it cannot bend the
// other way by more than it was bent.
TEST(Bristle, DoesNotTurnAWheelByItself) {
  const auto law = wheel_under(params(), [](double) { return 0.0; });
  Wheel x{0, 40, 0};
  double furthest = 0, back = 0;
  for (int n = 0; n < 4000; ++n) {
    x = rk4_step(x, n * 5e-4, 5e-4, law);
    furthest = std::max(furthest, x.phi);
    back = std::max(back, furthest - x.phi);
  }
  EXPECT_LT(back, 2 * params().s);
  EXPECT_NEAR(furthest, 0.5 * J * 40 * 40 / F, 0.02);  // all energy is gone over F; bend 0.01 rad
  EXPECT_NEAR(x.omega, 0, 1e-9);
}

// Power into the friction is stored in the bristle, F s zeta^2/2, or lost, never won.
TEST(Bristle, Dissipates) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> number(-1, 1);
  const auto p = params();
  for (int trial = 0; trial < 10000; ++trial) {
    const double zeta = number(random), v = std::pow(10, 2 * number(random)) * number(random);
    const double lost = force(p, zeta, v) * v - p.s * zeta * rate(p, zeta, v);
    EXPECT_GE(lost, -1e-12 * std::fabs(v)) << zeta << " " << v;
    EXPECT_LE(std::fabs(force(p, zeta, v)), 1);
  }
}

TEST(Bristle, DoesNotKnowLeftFromRight) {
  const auto p = params();
  for (const double zeta : {-1.0, -0.9, -0.3, 0.0, 0.5, 0.85})
    for (const double v : {-3.0, -0.01, 0.0, 0.2, 50.0}) {
      EXPECT_EQ(rate(p, zeta, v), -rate(p, -zeta, -v));
      EXPECT_EQ(force(p, zeta, v), -force(p, -zeta, -v));
    }
}

// A sliding bristle is no stiffer than 1/t_r, so that a step of that size is stable at any speed.
TEST(Bristle, IsNotStiffAtSpeed) {
  const auto p = params<Dual>();
  for (const double v : {1.0, 10.0, 100.0, 1000.0}) {
    const Dual d = rate(p, Dual::variable(1.0, 0), Dual(v));
    EXPECT_NEAR(d.a, 0, 1e-12);
    EXPECT_GT(-d.b[0], 0);
    EXPECT_LE(-d.b[0], 1 / 0.002);
  }
}

TEST(Bristle, DualSlopesAreDifferences) {
  for (const double zeta : {-0.95, -0.4, 0.3, 0.9})
    for (const double v : {-0.3, 0.05, 2.0})
      expect_dual_slopes(std::array{zeta, v}, 1e-6, 1e-5, [](const auto& x) {
        using T = std::decay_t<decltype(x[0])>;
        return std::array{rate(params<T>(), x[0], x[1]), force(params<T>(), x[0], x[1])};
      });
}

}  // namespace
}  // namespace bristle_test
