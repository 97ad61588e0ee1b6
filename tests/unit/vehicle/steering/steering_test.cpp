// SPDX-License-Identifier: Apache-2.0
#include "vehicle/steering/steering.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "unit/vehicle/integrate.hpp"

namespace steering_test {
namespace {

using namespace chicane;
using namespace chicane::steering;
using namespace chicane::testing_vehicle;

// More direct towards the ends; assist that fades with speed.
CurveData ratio() { return {{-0.08, -0.03, 0, 0.03, 0.08}, {100, 120, 125, 120, 100}}; }
AssistData assist() {
  return {.torque = {0, 1, 3, 6},
          .speed = {0, 20, 50},
          .assist = {0, 0, 0,    //
                     2, 1, 0.5,  //
                     20, 10, 4,  //
                     60, 30, 12}};
}
AssistData no_assist() { return {{0}, {0}, {0}}; }

Maps maps() { return made(Maps::make(ratio(), assist())); }

template <class T = double>
Params<T> params() {
  return {.J = 0.04,
          .c = 0.1,
          .k_b = 120.0,
          .c_b = 0.4,
          .c_r = 3000.0,
          .F_r = 0.0,
          .x_max = 0.08,
          .k_stop = 1e6,
          .friction = {.s = 1e-4, .zeta_e = 0.8, .tau = 0.002, .t_r = 0.002}};
}

struct State {
  Column<double> wheel;
  Rack<double> rack;
  double zeta;
};

// The tie rods pull back like a spring.
constexpr double kTieRods = 60e3;  // [N/m]

// The mass of the rack has the motor of the assist in it, by the square of its gear.
constexpr double kMass = 150;  // [kg]

template <class T>
Rack<T> rack_rates(const Maps& m, const Params<T>& p, const Rack<T>& rack, const T& zeta,
                   const T& T_bar, const T& F, const T& speed) {
  return {rack.v, (rack_force(m, p, rack, zeta, T_bar, speed) + F) / kMass};
}

// Steering wheel turned by a torque.
auto turned_by(const Maps& m, const Params<double>& p, double torque, double speed) {
  return [&m, p, torque, speed](double, const State& x) {
    const double T_bar = bar_torque(m, p, x.wheel, x.rack);
    const auto d = rack_rates(m, p, x.rack, x.zeta, T_bar, -kTieRods * x.rack.x, speed);
    return State{{x.wheel.omega, column_acceleration(p, torque, T_bar, x.wheel.omega)},
                 d,
                 bristle::rate(p.friction, x.zeta, x.rack.v)};
  };
}

// Steering wheel held at an angle.
auto held_at(const Maps& m, const Params<double>& p, double theta, double speed) {
  return [&m, p, theta, speed](double, const State& x) {
    const double T_bar = bar_torque(m, p, {theta, 0.0}, x.rack);
    const auto d = rack_rates(m, p, x.rack, x.zeta, T_bar, -kTieRods * x.rack.x, speed);
    return State{{0, 0}, d, bristle::rate(p.friction, x.zeta, x.rack.v)};
  };
}

// The angle of the pinion is the ratio, summed up: 0 to 30 mm in the mean 122.5 rad/m.
TEST(Steering, SumsItsRatioUp) {
  const auto m = maps();
  EXPECT_NEAR(m.pinion(0.03), 0.03 * 122.5, 1e-12);
  EXPECT_NEAR(m.pinion(-0.08), -(0.03 * 122.5 + 0.05 * 110), 1e-12);
  const Dual angle = m.pinion(Dual::variable(0.05, 0));
  EXPECT_NEAR(angle.b[0], m.ratio(0.05), 1e-12);
}

// At rest the torques of hand and assist carry the tie rods, and the driver feels his own torque.
TEST(Steering, BalancesItsForcesAtRest) {
  const auto m = maps();
  for (const double torque : {-4.0, 0.5, 3.0}) {
    const auto x = run(State{}, 30, 5e-4, turned_by(m, params(), torque, 20));
    const double T_bar = bar_torque(m, params(), x.wheel, x.rack);
    EXPECT_NEAR(T_bar, torque, 1e-9);
    EXPECT_NEAR((torque + m.assist(torque, 20.0)) * m.ratio(x.rack.x), kTieRods * x.rack.x, 1e-6);
  }
}

TEST(Steering, AssistLightensTheWheelAndLessSoAtSpeed) {
  const auto with = maps();
  const auto without = made(Maps::make(ratio(), no_assist()));
  const auto felt = [](const Maps& m, double speed) {
    const auto x = run(State{}, 5, 5e-4, held_at(m, params(), 1.0, speed));
    return hand_torque(params(), bar_torque(m, params(), {1.0, 0.0}, x.rack), 0.0);
  };
  EXPECT_LT(felt(with, 0), felt(with, 20));
  EXPECT_LT(felt(with, 20), felt(with, 50));
  EXPECT_LT(felt(with, 50), felt(without, 0));
}

TEST(Steering, DoesNotKnowLeftFromRight) {
  const auto m = maps();
  auto p = params();
  p.F_r = 200;
  const auto left = run(State{}, 0.5, 5e-4, turned_by(m, p, 5, 10));
  const auto right = run(State{}, 0.5, 5e-4, turned_by(m, p, -5, 10));
  const auto a = flat(left), b = flat(right);
  // rounding of the summed ratio, the only part that counts from one side
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], -b[i], 1e-10);
}

// Without assist and tie rods, energy goes into the dampers only.
TEST(Steering, BalancesItsPower) {
  const auto m = made(Maps::make(ratio(), no_assist()));
  const auto p = params();
  std::mt19937 random(8);
  std::uniform_real_distribution<double> number(-1, 1);
  for (int trial = 0; trial < 300; ++trial) {
    const auto n = [&](double scale) { return scale * number(random); };
    const Column<double> wheel{n(9), n(10)};
    const Rack<double> rack{n(0.07), n(0.3)};
    const double T_driver = n(10), F = n(5000);
    const double T_bar = bar_torque(m, p, wheel, rack);
    const double domega = column_acceleration(p, T_driver, T_bar, wheel.omega);
    const auto d = rack_rates(m, p, rack, 0.0, T_bar, F, 15.0);
    const double slip = wheel.omega - m.ratio(rack.x) * rack.v;
    const double twist = wheel.theta - m.pinion(rack.x);
    const double stored = p.J * wheel.omega * domega + kMass * rack.v * d.v + p.k_b * twist * slip;
    const double lost =
        p.c * wheel.omega * wheel.omega + p.c_b * slip * slip + p.c_r * rack.v * rack.v;
    EXPECT_NEAR(T_driver * wheel.omega + F * rack.v, stored + lost, 1e-9 * 1e5);
  }
}

// A step of the command is followed by 1 - (1 + w t) exp(-w t): the exact answer of two equal
// roots.
TEST(Steering, FollowsACommandWithCriticalDamping) {
  const double f = 3.0, w = 2 * M_PI * f, until = 0.2;
  const auto x = run(Rack<double>{0, 0}, until, 1e-3, [&](double, const Rack<double>& r) {
    return Rack<double>{r.v, following(f, 0.05, r.x, r.v)};
  });
  // error of rk4 at w h = 0.02: (w h)^4/120 is 1e-9
  EXPECT_NEAR(x.x, 0.05 * (1 - (1 + w * until) * std::exp(-w * until)), 1e-9);
}

// The rack stops at its ends, whatever the driver does.
TEST(Steering, HasEndStops) {
  const auto m = maps();
  const auto x = run(State{}, 10, 2e-4, turned_by(m, params(), 40, 0));
  EXPECT_GT(x.rack.x, 0.07);
  EXPECT_LT(x.rack.x, 0.08 + 0.02);
}

// Friction holds the rack where a light pull cannot move it.
TEST(Steering, FrictionHoldsTheRack) {
  const auto m = made(Maps::make(ratio(), no_assist()));
  auto p = params();
  p.F_r = 300;
  const auto x = run(State{}, 20, 5e-4, turned_by(m, p, 1.5, 0));  // 190 N at the rack
  EXPECT_NEAR(x.rack.v, 0, 1e-9);
  EXPECT_LT(x.rack.x, 1e-4);
}

// A rack moved from outside: torque and assist carry the tie rods, as they do in the model above.
TEST(Steering, GivesTheTorqueOfAPrescribedRack) {
  const auto m = maps();
  for (const double F : {-6000.0, -500.0, 0.0, 40.0, 2500.0})
    for (const double speed : {0.0, 13.0, 60.0}) {
      const double T = torque_of_rack_force(m, 0.02, F, speed);
      EXPECT_NEAR((T + m.assist(T, speed)) * m.ratio(0.02), -F, 1e-6);
      EXPECT_NEAR(T, -torque_of_rack_force(m, -0.02, -F, speed), 1e-12);
    }
}

TEST(Steering, RefusesBadTables) {
  expect_refused(Maps::make({{0, 1}, {100, -1}}, assist()), "steering ratio: y[1]");
  auto late = assist();
  late.torque[0] = 0.5;
  expect_refused(Maps::make(ratio(), late), "begin at 0");
  auto falling = assist();
  falling.assist[7] = 0.1;
  expect_refused(Maps::make(ratio(), falling), "falls from 1 to 3 N m at speed 20");
  auto pulling = assist();
  pulling.assist[0] = 1;
  expect_refused(Maps::make(ratio(), pulling), "0 without torque");
  auto shorter = assist();
  shorter.assist.pop_back();
  expect_refused(Maps::make(ratio(), shorter), "power assist: ");
}

TEST(Steering, DualSlopesAreDifferences) {
  const auto m = maps();
  const std::array<double, 6> at{2.0, 1.0, 0.015, 0.1, -900.0, 14.0};
  expect_dual_slopes(at, 1e-6, 1e-5, [&](const auto& a) {
    using T = std::decay_t<decltype(a[0])>;
    const T T_bar = bar_torque<T>(m, params<T>(), {a[0], a[1]}, {a[2], a[3]});
    const auto d = rack_rates<T>(m, params<T>(), {a[2], a[3]}, T(0.5), T_bar, a[4], a[5]);
    return std::array{T_bar, d.v, torque_of_rack_force(m, a[2], a[4], a[5])};
  });
}

}  // namespace
}  // namespace steering_test
