// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "unit/vehicle/powertrain/hmmwv.hpp"

namespace parts_test {
namespace {

using namespace chicane;
using namespace chicane::powertrain;
using namespace chicane::testing_vehicle;
using hmmwv::kRpm;

// --- engine ---------------------------------------------------------------------------------

TEST(EngineMap, HasTheTorqueOfItsDataSheet) {
  const auto engine = hmmwv::engine();
  EXPECT_NEAR(engine(1600 * kRpm, 1.0), 793 - 62, 1e-9);  // losses: 50 and 70 N m at 1000, 2000 rpm
  EXPECT_NEAR(engine(1600 * kRpm, 0.5), 0.5 * 793 - 62, 1e-9);
  const auto simple = hmmwv::simple_engine();
  EXPECT_NEAR(simple(167.552, 1.0), 1300.2, 1e-9);
  EXPECT_NEAR(simple(167.552, 0.0), -30, 1e-9);
  EXPECT_NEAR(simple(167.552, 0.25), 0.25 * 1300.2 - 0.75 * 30, 1e-9);
}

TEST(EngineMap, OverTwoVariablesIsItsTable) {
  const EngineMap map(made(Table2D::make({0, 300}, {0, 0.5, 1}, {-10, 200, 250, -40, 150, 240})));
  EXPECT_NEAR(map(150.0, 0.5), 175, 1e-9);
  EXPECT_NEAR(map(300.0, 2.0), 240, 1e-9);  // no more than full throttle
}

TEST(EngineMap, RefusesBadCurvesByName) {
  expect_refused(EngineMap::between({{0, 1, 1}, {1, 2, 3}}, {{0}, {0}}), "full load torque: x[2]");
  expect_refused(EngineMap::above({{0}, {1}}, {{0, 1}, {1}}), "losses: y has 1");
}

// Left alone, the engine comes to its idle speed from both sides.
TEST(Idle, IsWhereAnEngineWithoutLoadStays) {
  const auto map = hmmwv::engine();
  const IdleParams<double> idle{800 * kRpm, 20};
  for (const double start : {500.0, 2400.0}) {
    const auto omega = run(start * kRpm, 60, 0.002, [&](double, double w) {
      return engine_torque(map, idle, w, 0.0) / 1.1;
    });
    EXPECT_NEAR(omega, 800 * kRpm, 1e-6);
  }
}

// --- torque converter -----------------------------------------------------------------------

// Held by more than it can give, an engine stops: it takes energy and gives none, and stays where
// it is. The starter wakes it; so do wheels that turn it faster than it idles. One whose stall
// speed is 0 never stops.
TEST(Stall, EndsAtTheStarter) {
  const EngineMap map = hmmwv::engine();
  const IdleParams<double> idle{.omega = 800 * kRpm, .c = 20.0};
  const StallParams<double> stall{.omega = 400 * kRpm, .T_starter = 190.0};
  double omega = 800 * kRpm, running = 1;
  const double h = 1e-3, J = 1.1;
  const auto step = [&](double load, double starter, const StallParams<double>& s) {
    const double own =
        running > 0.5 ? engine_torque(map, idle, omega, 0.0) : drag_torque(map, omega);
    const double torque = own + starter_torque(s, idle, omega, starter);
    if (running < 0.5) {
      EXPECT_LE(own * omega, 0.0);
    }
    running = next_running(s, idle, running, omega, starter);
    omega += h * (torque - load * std::tanh(omega / 2.0)) / J;
  };
  for (int k = 0; k < 3000; ++k) step(600, 0, stall);
  EXPECT_EQ(running, 0);
  EXPECT_NEAR(omega, 0, 0.01);
  for (int k = 0; k < 2000; ++k) step(0, 1, stall);
  for (int k = 0; k < 3000; ++k) step(0, 0, stall);
  EXPECT_EQ(running, 1);
  EXPECT_NEAR(omega, idle.omega, 0.1);
  running = 0, omega = 1.1 * idle.omega;
  step(0, 0, stall);
  EXPECT_EQ(running, 1);
  for (int k = 0; k < 3000; ++k) step(200, 0, {.omega = 0, .T_starter = 190.0});
  EXPECT_EQ(running, 1);
}

TEST(Converter, AtStallMultipliesTheTorque) {
  const auto at = converter(hmmwv::torque_converter(), 0.02, 150.0, 0.0);
  EXPECT_NEAR(at.pump, 100, 1e-9);  // (150/15)^2
  EXPECT_NEAR(at.turbine, 200, 1e-9);
}

TEST(Converter, NeverGivesPower) {
  const auto map = hmmwv::torque_converter();
  std::mt19937 random(11);
  std::uniform_real_distribution<double> speed(-300, 300);
  for (int trial = 0; trial < 20000; ++trial) {
    const double w_p = speed(random), w_t = speed(random);
    const auto at = converter(map, 0.02, w_p, w_t);
    EXPECT_GE(at.pump * w_p - at.turbine * w_t, -1e-9) << w_p << " " << w_t;
  }
}

TEST(Converter, CarriesNothingAtEqualSpeedsAndBrakesOnTheOverrun) {
  const auto map = hmmwv::torque_converter();
  EXPECT_EQ(converter(map, 0.02, 200.0, 200.0).pump, 0);
  EXPECT_EQ(converter(map, 0.02, 0.0, 0.0).turbine, 0);
  double last = converter(map, 0.02, 200.0, 190.0).turbine;
  for (double w_t = 190.01; w_t < 210; w_t += 0.01) {  // no jump where the torque turns
    const double turbine = converter(map, 0.02, 200.0, w_t).turbine;
    EXPECT_NEAR(turbine, last, 0.25) << w_t;
    last = turbine;
  }
  const auto over = converter(map, 0.02, 150.0, 200.0);
  EXPECT_LT(over.pump, 0);
  EXPECT_EQ(over.pump, over.turbine);
}

TEST(Converter, RefusesWhatCannotBe) {
  const CurveData K{{0, 1}, {15, 35}}, TR{{0, 1}, {2, 1}};
  expect_refused(ConverterMap::make({{0, 1}, {15, 0}}, TR), "capacity factor: y[1]");
  expect_refused(ConverterMap::make(K, {{0, 0.8, 1}, {2, 1.5, 1}}), "more than 1");
  expect_refused(ConverterMap::make(K, {{0, 0.5}, {2, 1.4}}), "end the curve at (1, 1)");
}

TEST(Converter, DualSlopesAreDifferences) {
  const auto map = hmmwv::torque_converter();
  for (const double w_t : {-20.0, 60.0, 196.5, 203.0, 290.0})
    expect_dual_slopes(std::array{200.0, w_t}, 1e-5, 1e-5, [&](const auto& w) {
      using T = std::decay_t<decltype(w[0])>;
      const auto at = converter<T>(map, T(0.02), w[0], w[1]);
      return std::array{at.pump, at.turbine};
    });
}

// --- gearbox --------------------------------------------------------------------------------

TEST(Gearbox, HasItsRatios) {
  const auto box = hmmwv::gearbox();
  EXPECT_EQ(box.gears(), 3u);
  EXPECT_DOUBLE_EQ(box.ratio(1.0), 5);
  EXPECT_DOUBLE_EQ(box.ratio(3.0), 1.25);
  EXPECT_DOUBLE_EQ(box.ratio(-1.0), -10);
  EXPECT_EQ(box.ratio(0.0), 0);
}

TEST(Gearbox, RefusesWhatCannotBe) {
  expect_refused(Gearbox::make({}, -3), "no forward ratio");
  expect_refused(Gearbox::make({3, 0}, -3), "forward ratio [1]");
  expect_refused(Gearbox::make({3, 4}, -3), "not higher geared");
  expect_refused(Gearbox::make({3}, 3), "reverse");
}

// The six-speed map of the same source, with other bands.
TEST(ShiftMap, TakesTheBandsOfADataSheet) {
  const auto box = made(Gearbox::make({0.1708, 0.2791, 0.4218, 0.6223, 1.0173, 1.5361}, -0.2,
                                      RatioMeaning::output_over_input));
  using hmmwv::band;
  made(ShiftMap::make(box, {band(1000, 2226), band(1000, 2225), band(1000, 2210), band(1000, 2226),
                            band(1000, 2225), band(1000, 2700)}));
}

TEST(ShiftMap, RefusesToHunt) {
  const auto box = hmmwv::gearbox();  // each step halves the speed of the input
  expect_refused(ShiftMap::make(box, std::vector(3, hmmwv::band(1200, 2300))), "widen the band");
  expect_refused(ShiftMap::make(box, std::vector(2, hmmwv::band(1200, 2500))), "2 bands");
}

// Whatever the speed and the pedal, if they stay the gear comes to rest, by shifts in one
// direction.
TEST(ShiftMap, NeverHuntsAtConstantConditions) {
  const auto box = hmmwv::gearbox();
  const ShiftBand band{{{0, 1}, {90, 140}}, {{0, 0.3, 1}, {190, 240, 290}}};
  const auto map = made(ShiftMap::make(box, {band, band, band}));
  std::mt19937 random(2);
  std::uniform_real_distribution<double> number(0, 1);
  for (int trial = 0; trial < 500; ++trial) {
    const double omega = 300 * number(random), pedal = number(random);
    GearMemory<double> z{std::floor(1 + 2.999 * number(random)), 0, -1e9};
    int ups = 0, downs = 0;
    for (int n = 0; n < 1000; ++n) {
      const double before = z.gear;
      z = next_gear(box, &map, 0.3, z, {0.01 * n, omega, pedal, 1.0});
      ups += z.gear > before, downs += z.gear < before;
    }
    EXPECT_TRUE(ups == 0 || downs == 0) << omega << " " << pedal;
    EXPECT_LE(ups + downs, 2);
    EXPECT_EQ(next_gear(box, &map, 0.3, z, {20.0, omega, pedal, 1.0}).gear, z.gear);
  }
}

// Between the two lines of a step the gear is the one the car came with.
TEST(ShiftMap, RemembersWhereItCameFrom) {
  const auto box = hmmwv::gearbox();
  const auto map = hmmwv::shift_map(box);
  const double omega = 2450 * kRpm / 5;  // 2450 rpm in first, 1225 rpm in second gear
  for (const double gear : {1.0, 2.0}) {
    const GearMemory<double> z{gear, gear, -1e9};
    EXPECT_EQ(next_gear(box, &map, 0.5, z, {0.0, omega, 0.5, 1.0}).gear, gear);
  }
}

TEST(Shift, TakesItsTimeAndHandsTheTorqueOver) {
  const auto box = hmmwv::gearbox();
  GearMemory<double> z{1, 1, -1e9};
  z = next_gear<double>(box, nullptr, 0.5, z, {10.0, 0.0, 0.0, 2.0});
  EXPECT_EQ(z.gear, 2);
  // asked for third at once: not before second is in
  EXPECT_EQ(next_gear<double>(box, nullptr, 0.5, z, {10.4, 0.0, 0.0, 3.0}).gear, 2);
  EXPECT_EQ(next_gear<double>(box, nullptr, 0.5, z, {10.6, 0.0, 0.0, 3.0}).gear, 3);
  EXPECT_EQ(mesh(box, 0.5, 0.0, z, 10.0).engaged, 1);
  EXPECT_EQ(mesh(box, 0.5, 0.0, z, 10.1).ratio, 5);
  EXPECT_NEAR(mesh(box, 0.5, 0.0, z, 10.25).engaged, 0, 1e-12);
  EXPECT_EQ(mesh(box, 0.5, 0.0, z, 10.3).ratio, 2.5);
  EXPECT_EQ(mesh(box, 0.5, 0.0, z, 10.5).engaged, 1);
  const auto neutral = next_gear<double>(box, nullptr, 0.5, z, {11.0, 0.0, 0.0, 0.0});
  EXPECT_EQ(mesh(box, 0.5, 0.0, neutral, 12.0).engaged, 0);
  // a lever that is nearly there is there: what slower groups say is interpolated
  for (const double lever : {1.6, 2.0 - 1e-12, 2.0 + 1e-12, 2.4})
    EXPECT_EQ(next_gear<double>(box, nullptr, 0.5, {2, 2, 0}, {10.0, 0.0, 0.0, lever}).gear, 2);
  // A synchroniser is at work between the quarters of the second half, the teeth come last.
  EXPECT_EQ(mesh(box, 0.5, 0.1, z, 10.1).engaged, mesh(box, 0.5, 0.0, z, 10.1).engaged);
  for (const double t : {10.32, 10.4, 10.43})
    EXPECT_NEAR(mesh(box, 0.5, 0.1, z, t).engaged, 0.1, 1e-12);
  EXPECT_EQ(mesh(box, 0.5, 0.1, z, 10.5).engaged, 1);
}

// --- differential ---------------------------------------------------------------------------

// Two wheels, one on ice: it has a hundredth of the other's drag.
struct Wheels {
  double w_1, w_2, zeta;
};
Wheels on_split_ground(const DifferentialParams<double>& p, double T_in, double until) {
  return run(Wheels{20, 20, 0}, until, 5e-4, [&](double, const Wheels& x) {
    const auto d = differential(p, T_in, x.zeta, x.w_1, x.w_2);
    return Wheels{(d.T_1 - 0.5 * x.w_1) / 3, (d.T_2 - 50 * x.w_2) / 3,
                  bristle::rate(p.friction, x.zeta, x.w_1 - x.w_2)};
  });
}

DifferentialParams<double> axle() {
  return {.ratio = 4,
          .share = 0.5,
          .c = 0,
          .T_0 = 0,
          .kappa = 0,
          .friction = {.s = 0.02, .zeta_e = 0.8, .tau = 0.004, .t_r = 0.002}};
}

TEST(Differential, OpenSplitsTheTorqueAndNotTheSpeed) {
  const auto d = differential(axle(), 100.0, 0.7, 30.0, 10.0);
  EXPECT_DOUBLE_EQ(d.T_1, 200);
  EXPECT_DOUBLE_EQ(d.T_2, 200);
  EXPECT_EQ(d.loss, 0);
  EXPECT_DOUBLE_EQ(input_speed(axle(), 30.0, 10.0), 80);
}

TEST(Differential, LockedEqualisesTheSpeeds) {
  auto p = axle();
  p.T_0 = 5000;
  const auto x = on_split_ground(p, 200, 10);
  EXPECT_NEAR(x.w_1, x.w_2, 1e-9);
  EXPECT_NEAR(x.w_1, 800 / 50.5, 1e-3);  // both drags together take up 4 x 200 N m
}

TEST(Differential, LimitedSlipIsInBetween) {
  const auto difference = [](double c, double kappa) {
    auto p = axle();
    p.c = c, p.kappa = kappa;
    const auto x = on_split_ground(p, 200, 60);
    return x.w_1 - x.w_2;
  };
  const double open = difference(0, 0);
  EXPECT_GT(open, 700);  // 400 N m at 0.5 and 50 N m s/rad
  for (const double c : {0.5, 5.0, 50.0}) {
    EXPECT_LT(difference(c, 0), open);
    EXPECT_GT(difference(c, 0), 0.1);
  }
  EXPECT_GT(difference(0.5, 0), difference(5, 0));
  EXPECT_LT(difference(0, 0.3), open);
  EXPECT_GT(difference(0, 0.3), 0.1);
  EXPECT_NEAR(difference(0, 0.495), 0, 1e-6);  // enough to hold: (50 - 0.5)/(2 x 50.5) = 0.4901
}

// With kappa the slower wheel gets up to (1/2 + kappa)/(1/2 - kappa) times the torque of the other.
TEST(Differential, BiasesTheTorqueByItsRatio) {
  auto p = axle();
  p.kappa = 0.25;
  for (const double T_in : {50.0, 300.0, -300.0}) {
    const auto d = differential(p, T_in, 1.0, 40.0, 20.0);  // sliding, first wheel faster
    EXPECT_NEAR(d.T_2 / d.T_1, T_in > 0 ? 3 : 1.0 / 3, 1e-12);
  }
}

TEST(Differential, GivesWhatItTakesLessItsLoss) {
  auto p = axle();
  p.c = 7, p.kappa = 0.2, p.T_0 = 40;
  std::mt19937 random(4);
  std::uniform_real_distribution<double> number(-1, 1);
  for (const double share : {0.0, 0.4, 1.0})
    for (int trial = 0; trial < 300; ++trial) {
      p.share = share;
      const double T_in = 500 * number(random), w_1 = 90 * number(random),
                   w_2 = 90 * number(random), zeta = number(random);
      const auto d = differential(p, T_in, zeta, w_1, w_2);
      EXPECT_NEAR(T_in * input_speed(p, w_1, w_2), d.T_1 * w_1 + d.T_2 * w_2 + d.loss, 1e-9);
    }
}

}  // namespace
}  // namespace parts_test
