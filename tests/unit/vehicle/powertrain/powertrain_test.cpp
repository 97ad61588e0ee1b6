// SPDX-License-Identifier: Apache-2.0
#include "vehicle/powertrain/powertrain.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "unit/vehicle/powertrain/hmmwv.hpp"

namespace powertrain_test {
namespace {

using namespace chicane;
using namespace chicane::powertrain;
using namespace chicane::testing_vehicle;
using hmmwv::kRpm;

In<double> at_speed(double omega, double accelerator = 0, double command = 1) {
  return {.t = 0,
          .accelerator = accelerator,
          .clutch = 0,
          .command = command,
          .omega = {omega, omega, omega, omega}};
}

Params<double> limited_slip() {
  auto p = hmmwv::params();
  for (auto* d : {&p.center, &p.front, &p.rear}) d->c = 3, d->kappa = 0.1, d->T_0 = 100;
  p.center.share = 0.4;
  return p;
}

// What the engine gives goes to the wheels, into heat and bent bristles, and into the inertias.
TEST(Powertrain, BalancesItsPower) {
  const auto p = limited_slip();
  std::mt19937 random(17);
  std::uniform_real_distribution<double> number(-1, 1);
  for (const Maps& maps : {hmmwv::automatic(), hmmwv::manual()})
    for (int trial = 0; trial < 500; ++trial) {
      const auto n = [&](double scale) { return scale * number(random); };
      const State<double> x{130 + n(120), n(250), 0.5 + n(0.5), n(1), n(1), n(1), n(1), n(1)};
      auto in = at_speed(n(50), 0.5 + n(0.5));
      in.omega.fl += n(5), in.omega.rr += n(5);
      auto z = hmmwv::in_gear(std::floor(1.5 + n(2.5)));
      z.gear.started = n(1);  // some in the midst of a shift
      const auto [dx, out] = evaluate(maps, p, x, z, in);
      const auto& w = in.omega;
      const double to_wheels =
          out.torque.fl * w.fl + out.torque.fr * w.fr + out.torque.rl * w.rl + out.torque.rr * w.rr;
      double lost = 0;
      for (const double loss : flat(out.losses)) lost += loss;
      const double stored = p.J_e * x.omega_e * dx.omega_e + p.J_t * x.omega_t * dx.omega_t;
      // sums of powers up to some 1e6 W
      EXPECT_NEAR(out.T_engine * x.omega_e, to_wheels + lost + stored, 1e-9 * 1e6);
      EXPECT_GE(out.losses.converter, -1e-9);
      EXPECT_GE(out.losses.mesh, -1e-9);
    }
}

// Brakes on, full throttle: the engine speeds up to where the pump takes all it has.
TEST(Powertrain, StallsWhereThePumpTakesTheEnginesTorque) {
  const auto maps = hmmwv::automatic();
  const auto p = hmmwv::params();
  const auto z = hmmwv::in_gear(1);
  const auto in = at_speed(0, 1);
  const auto x = run(State<double>{80, 0, 0, 0, 0, 0, 0, 0}, 10, 5e-4,
                     [&](double, const auto& s) { return evaluate(maps, p, s, z, in).rates; });
  double low = 100, high = 280;  // engine torque less (omega/15)^2 changes its sign once between
  for (int k = 0; k < 60; ++k) {
    const double mid = 0.5 * (low + high);
    (hmmwv::engine()(mid, 1.0) > mid * mid / 225 ? low : high) = mid;
  }
  EXPECT_NEAR(x.omega_e, low, 1e-6);
  EXPECT_NEAR(x.omega_t, 0, 1e-6);
  // stall torque: doubled by the converter, 5 by the gear, 5 by the final drive, on four wheels
  const double each = 2 * low * low / 225 * 5 * 5 / 4;
  const auto out = evaluate(maps, p, x, z, in).out;
  for (const double torque : flat(out.torque)) EXPECT_NEAR(torque, each, 1e-3);
}

TEST(Powertrain, LockUpRemovesTheSlip) {
  const auto maps = hmmwv::automatic();
  const auto p = hmmwv::params();
  const double omega = 200 / 2.5 / 5;  // of wheels that turn the turbine at 200 rad/s
  const auto in = at_speed(omega, 0.6);
  const auto slip = [&](double locked) {
    const auto x =
        run(State<double>{210, 200, 0, 0, 0, 0, 0, 0}, 10, 5e-4, [&](double, const auto& s) {
          return evaluate(maps, p, s, hmmwv::in_gear(2, locked), in).rates;
        });
    EXPECT_NEAR(x.omega_t, 200, 1e-6);
    return x.omega_e - x.omega_t;
  };
  EXPECT_GT(slip(0), 5);
  EXPECT_NEAR(slip(1), 0, 1e-9);
}

TEST(Powertrain, LocksUpWithHysteresis) {
  const auto maps = hmmwv::automatic();
  const auto p = hmmwv::params();
  const auto locked = [&](double rpm, double was, double gear) {
    const State<double> x{200, rpm * kRpm, 0, 0, 0, 0, 0, 0};
    return next(maps, p, x, hmmwv::in_gear(gear, was), at_speed(rpm * kRpm / 2.5 / 5, 0.5)).locked;
  };
  EXPECT_EQ(locked(1900, 0, 2), 1);
  EXPECT_EQ(locked(1600, 0, 2), 0);
  EXPECT_EQ(locked(1600, 1, 2), 1);
  EXPECT_EQ(locked(1300, 1, 2), 0);
  EXPECT_EQ(locked(1900, 1, 1), 0);
}

TEST(Powertrain, ClutchPedalCutsTheEngineOff) {
  const auto maps = hmmwv::manual();
  const auto p = hmmwv::params();
  auto in = at_speed(16, 0.5);
  in.clutch = 1;
  const auto x =
      run(State<double>{200, 200, 1, 0.2, 0.2, 0, 0, 0}, 3, 5e-4,
          [&](double, const auto& s) { return evaluate(maps, p, s, hmmwv::in_gear(2), in).rates; });
  EXPECT_NEAR(evaluate(maps, p, x, hmmwv::in_gear(2), in).out.torque.fl, 0, 1e-6);
  EXPECT_GT(x.omega_e, 250);  // the engine runs up to its limit
  EXPECT_NEAR(x.omega_t, 200, 1e-6);
}

TEST(Powertrain, ReverseTurnsTheTorqueAround) {
  const auto maps = hmmwv::automatic();
  const auto p = hmmwv::params();
  const auto in = at_speed(0, 0.5, -1);
  const auto x = run(State<double>{80, 0, 0, 0, 0, 0, 0, 0}, 5, 5e-4, [&](double, const auto& s) {
    return evaluate(maps, p, s, hmmwv::in_gear(-1), in).rates;
  });
  EXPECT_LT(evaluate(maps, p, x, hmmwv::in_gear(-1), in).out.torque.rl, -100);
}

// In the midst of a shift the engine is without load. At full throttle it races, unless that is
// cut.
TEST(Powertrain, SparesTheEngineWhileShifting) {
  const auto maps = hmmwv::manual();
  const auto gain = [&](double cut) {
    auto p = hmmwv::params();
    p.cut = cut;
    const auto rates = [&](const Memory<double>& z) {
      return [&, z](double t, const State<double>& s) {
        auto in = at_speed(200 / 5.0 / 5.0, 1);  // 200 rad/s in first gear
        in.t = t;
        return evaluate(maps, p, s, z, in).rates;
      };
    };
    auto x = run(State<double>{200, 200, 1, 0, 0, 0, 0, 0}, 5, 5e-4, rates(hmmwv::in_gear(1)));
    const double before = x.omega_e;
    double fastest = before;
    for (int n = 0; n < 1000; ++n) {
      x = rk4_step(x, n * 5e-4, 5e-4, rates({{2, 1, 0}, 0}));  // from first to second at t = 0
      fastest = std::max(fastest, x.omega_e);
    }
    return fastest - before;
  };
  EXPECT_GT(gain(0), 10);
  EXPECT_LT(gain(1), 1);
}

// Shafts at three speeds, as parts of wheels that turn alike: the same energy.
TEST(Powertrain, GivesTheInertiaOfItsShaftsToTheWheels) {
  auto p = hmmwv::params();
  p.center.share = 0.3;
  const ShaftInertias<double> J{0.5, 1.1, 0.9};
  const double omega = 7, prop = prop_speed(p, {omega, omega, omega, omega});
  double energy = 0;
  for (const double J_wheel : flat(wheel_inertias(p, J))) energy += 0.5 * J_wheel * omega * omega;
  EXPECT_NEAR(prop, 5 * omega, 1e-12);
  EXPECT_NEAR(energy, 0.5 * (J.prop + J.front + J.rear) * prop * prop, 1e-9);
}

// A car of 2573 kg on wheels of 0.47 m, from rest at full throttle: gears go up one by one, once,
// and its energy is what came through the wheels.
TEST(Powertrain, AcceleratesACarThroughItsGears) {
  struct Car {
    State<double> x;
    double v, work;
  };
  const auto maps = hmmwv::automatic();
  const auto p = hmmwv::params();
  const double m = 2573, R = 0.47, h = 5e-4;
  auto z = hmmwv::in_gear(1);
  Car car{{80, 0, 0, 0, 0, 0, 0, 0}, 0, 0};
  std::vector<double> gears{1};
  for (int n = 0; n < 80000; ++n) {
    const auto in_at = [&](double t, double v) {
      auto in = at_speed(v / R, 1);
      in.t = t;
      return in;
    };
    car = rk4_step(car, n * h, h, [&](double t, const Car& c) {
      const auto [dx, out] = evaluate(maps, p, c.x, z, in_at(t, c.v));
      double force = 0;
      for (const double torque : flat(out.torque)) force += torque / R;
      return Car{dx, force / m, force * c.v};
    });
    z = next(maps, p, car.x, z, in_at((n + 1) * h, car.v));
    if (z.gear.gear != gears.back()) gears.push_back(z.gear.gear);
    ASSERT_LT(car.x.omega_e, 2700 * kRpm);
  }
  EXPECT_EQ(gears, (std::vector<double>{1, 2, 3}));
  EXPECT_NEAR(car.work, 0.5 * m * car.v * car.v, 1e-6 * car.work);
  // without drag, up to where the engine has no torque left: it falls from 478 to -484 N m between
  // 2500 and 2700 rpm
  const double top = (2500 + 200 * 478.0 / (478 + 484)) * kRpm;
  EXPECT_NEAR(car.v, top / 1.25 / 5 * R, 1e-3);
}

TEST(Powertrain, DualSlopesAreDifferences) {
  const auto maps = hmmwv::automatic();
  const std::array<double, 13> at{180, 120, 0.4, 0.5, 0.3, 0.2, -0.4, 0.95, 0.7, 11, 12, 9, 10};
  expect_dual_slopes(at, 1e-5, 1e-5, [&](const auto& a) {
    using T = std::decay_t<decltype(a[0])>;
    auto p = hmmwv::params<T>();
    for (auto* d : {&p.center, &p.front, &p.rear}) d->c = 3.0, d->kappa = 0.1, d->T_0 = 100.0;
    const State<T> x{a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7]};
    const In<T> in{T(0.0), a[8], T(0.0), T(1.0), {a[9], a[10], a[11], a[12]}};
    const auto [dx, out] = evaluate<T>(maps, p, x, hmmwv::in_gear<T>(2), in);
    return std::array{dx.omega_e, dx.omega_t,    dx.closed,     dx.zeta_c,
                      dx.zeta_g,  dx.zeta_front, out.torque.fl, out.torque.rr};
  });
}

}  // namespace
}  // namespace powertrain_test
