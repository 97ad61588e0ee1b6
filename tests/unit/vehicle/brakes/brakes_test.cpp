// SPDX-License-Identifier: Apache-2.0
#include "vehicle/brakes/brakes.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "unit/vehicle/integrate.hpp"

namespace brakes_test {
namespace {

using namespace chicane;
using namespace chicane::brakes;
using namespace chicane::testing_vehicle;

// 10 MPa at full pedal; the rear line is cut back above 3 MPa; pads touch at 0.1 MPa; 4000 and
// 3000 N m at full pressure.
MapData data() {
  return {.pressure = {{0, 1}, {0, 1e7}},
          .proportioning = {{0, 3e6, 1e7}, {0, 3e6, 5e6}},
          .torque_front = {{1e5, 1e7}, {0, 4000}},
          .torque_rear = {{1e5, 1e7}, {0, 3000}}};
}

template <class T = double>
Params<T> params() {
  return {.gain_front = 1.0,
          .gain_rear = 1.0,
          .t_line = 0.05,
          .hand = {T(0.0), T(0.0), T(1500.0), T(1500.0)},
          .friction = {.s = 0.01, .zeta_e = 0.8, .tau = 0.005, .t_r = 0.002}};
}

Maps maps() { return made(Maps::make(data())); }

TEST(Brakes, FollowTheirTables) {
  const auto m = maps();
  const auto p = demand_of_pedal(m, 0.5);
  EXPECT_DOUBLE_EQ(p.front, 5e6);
  EXPECT_NEAR(p.rear, 3e6 + 2e6 * 2 / 7, 1e-6);  // 2 MPa of the 7 in which the rear gains 2
  const auto F = capacity(m, params(), {1e7, 1e7}, 0.0);
  EXPECT_EQ(F, (PerWheel<double>{4000, 4000, 3000, 3000}));
  EXPECT_EQ(capacity(m, params(), {5e4, 0}, 0.0).fl, 0);  // the pads do not touch yet
  EXPECT_EQ(capacity(m, params(), {0, 0}, 1.0), (PerWheel<double>{0, 0, 1500, 1500}));
}

TEST(Brakes, LinesLagBehindThePedal) {
  const In<double> in{.demand = {1e7, 5e6}, .hand = 0, .omega = {}};
  const auto x = run(State<double>{}, 0.05, 1e-4, [&](double, const State<double>& s) {
    return evaluate(maps(), params(), s, in).rates;
  });
  EXPECT_NEAR(x.p.front, 1e7 * (1 - std::exp(-1)), 1);
  EXPECT_NEAR(x.p.rear, 5e6 * (1 - std::exp(-1)), 1);
}

// A car on wheels that do not slip on the road.
struct Car {
  State<double> brakes;
  double x, v;
};
struct Drive {
  double pedal = 0, hand = 0, force = 0;  // force: along the road, without the brakes'
};

Car driven(const Car& start, double until, const Drive& drive) {
  const Maps m = maps();
  const auto p = params();
  const double mass = 1500, R = 0.3;
  return run(start, until, 1e-3, [&](double, const Car& c) {
    const double w = c.v / R;
    const auto [dx, out] =
        evaluate(m, p, c.brakes, {demand_of_pedal(m, drive.pedal), drive.hand, {w, w, w, w}});
    double torque = 0;
    for (const double t : flat(out.torque)) torque += t;
    return Car{dx, c.v, (drive.force + torque / R) / mass};
  });
}

double slope(double share) { return share * 1500 * 9.81; }

// Parked: a minute on a slope of 20 % with the hand brake, whose limit is 10 kN.
TEST(Brakes, HoldACarOnASlopeWithoutCreeping) {
  const auto first = driven({}, 10, {.hand = 1, .force = -slope(0.2)});
  const auto later = driven(first, 60, {.hand = 1, .force = -slope(0.2)});
  EXPECT_LT(std::fabs(first.x), 0.01 * 0.3);  // less than the bristles' way
  EXPECT_NEAR(later.x, first.x, 1e-12);
  EXPECT_NEAR(later.v, 0, 1e-12);
}

TEST(Brakes, LetGoAboveTheirLimitAndWhenReleased) {
  const double limit = 2 * 1500 / 0.3;
  const auto slides = driven({}, 2, {.hand = 1, .force = -limit - 1500});
  EXPECT_NEAR(slides.v, -2.0, 0.2);  // 1 m/s^2 once it slides; before, 8 m/s^2 over 3 mm
  const auto parked = driven({}, 10, {.hand = 1, .force = -slope(0.2)});
  const auto rolls = driven(parked, 1, {.force = -slope(0.2)});
  EXPECT_NEAR(rolls.v, -0.2 * 9.81, 1e-9);
}

// Full braking from 30 m/s to a stop, and there it stays.
TEST(Brakes, StopACarAndDoNotPushItBack) {
  const double force = 2 * (4000 + 3000 * 4.9 / 9.9) / 0.3;
  const auto stopped = driven({{}, 0, 30}, 4, {.pedal = 1});
  // the lag of the lines costs its time at full speed
  EXPECT_NEAR(stopped.x, 30 * 30 / (2 * force / 1500) + 30 * 0.05, 0.1);
  EXPECT_NEAR(stopped.v, 0, 1e-9);
  EXPECT_NEAR(driven(stopped, 10, {.pedal = 1}).x, stopped.x, 1e-9);
}

TEST(Brakes, TakePowerOrStoreIt) {
  const Maps m = maps();
  const auto p = params();
  std::mt19937 random(9);
  std::uniform_real_distribution<double> number(-1, 1);
  for (int trial = 0; trial < 2000; ++trial) {
    const auto n = [&] { return number(random); };
    const State<double> x{{5e6 * (1 + n()), 5e6 * (1 + n())}, {n(), n(), n(), n()}};
    const In<double> in{{0, 0}, 0, {60 * n(), n(), 0.01 * n(), 60 * n()}};
    const auto [dx, out] = evaluate(m, p, x, in);
    const auto torque = flat(out.torque), F = flat(out.capacity), w = flat(in.omega),
               z = flat(x.zeta), dz = flat(dx.zeta);
    for (std::size_t i = 0; i < 4; ++i) {
      EXPECT_LE(torque[i] * w[i] + F[i] * p.friction.s * z[i] * dz[i], 1e-9);
      EXPECT_LE(std::fabs(torque[i]), F[i]);
    }
  }
}

TEST(Brakes, RefuseBadTables) {
  auto falling = data();
  falling.torque_front.y = {4000, 0};
  expect_refused(Maps::make(falling), "front brake torque: y[1]");
  auto negative = data();
  negative.pressure.y = {-1, 1e7};
  expect_refused(Maps::make(negative), "brake pressure over pedal: y[0]");
  auto disordered = data();
  disordered.torque_rear.x = {1e7, 1e5};
  expect_refused(Maps::make(disordered), "rear brake torque: x[1]");
}

TEST(Brakes, DualSlopesAreDifferences) {
  const Maps m = maps();
  const std::array<double, 6> at{0.4, 0.3, 0.5, -0.9, 2.0, -3.0};
  expect_dual_slopes(at, 1e-6, 1e-5, [&](const auto& a) {
    using T = std::decay_t<decltype(a[0])>;
    const State<T> x{{a[0] * 1e7, a[1] * 1e7}, {a[2], a[3], a[2], a[3]}};
    const auto [dx, out] = evaluate<T>(
        m, params<T>(), x, {demand_of_pedal(m, a[0]), T(0.5), {a[4], a[5], a[4], a[5]}});
    return std::array{dx.p.rear, dx.zeta.fl, dx.zeta.rr, out.torque.fl, out.torque.rr};
  });
}

}  // namespace
}  // namespace brakes_test
