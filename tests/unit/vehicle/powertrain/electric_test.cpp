// SPDX-License-Identifier: Apache-2.0

// Laws of the electric drive: the balance of powers, limits that are kept, directions.

#include "vehicle/powertrain/electric.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "math/dual.hpp"

namespace electric_test {
namespace {

using namespace chicane;
using namespace chicane::electric;

// A motor on the front axle and one in each rear wheel.
Maps maps() {
  const auto motor = MotorMap::make({{{0, 400, 1200}, {200, 200, 60}},
                                     {0, 300, 1000},
                                     {0, 100, 200},
                                     {0.5, 0.6, 0.6, 0.7, 0.9, 0.88, 0.7, 0.94, 0.93}});
  const auto battery = BatteryMap::make({{{0, 0.5, 1}, {300, 350, 400}}, {{0, 1}, {0.15, 0.1}}});
  return {std::get<BatteryMap>(battery),
          {std::get<MotorMap>(motor), std::get<MotorMap>(motor)},
          {{0, 0, 2}, {1, 2, 1}, {1, 3, 1}}};
}

Params<double> params() {
  return {.Q = 4e5,
          .empty = 0.05,
          .full = 0.95,
          .band = 0.02,
          .P_discharge = 120e3,
          .P_charge = 50e3,
          .U_n = 350,
          .P_auxiliary = 300,
          .coast = 0.1,
          .blend = 0.7,
          .T_brakes = 4000,
          .fade = 5,
          .axles = {{{9.0, 0.97, 200.0, 0.02}, {1.0, 1.0, 200.0, 0.02}}}};
}

In<double> rolling(double omega, double accelerator, double brake, double gear) {
  return {accelerator, brake, gear, {omega, omega, omega, omega}};
}

double wheel_power(const Out<double>& out, const In<double>& in) {
  double sum = 0.0;
  for (std::size_t w = 0; w < 4; ++w) sum += out.torque[w] * in.omega[w];
  return sum;
}

// What leaves the cells is work on the wheels or a loss that is named, whatever binds.
TEST(Electric, PowersBalance) {
  const Maps m = maps();
  const Params<double> p = params();
  std::mt19937 random(3);
  std::uniform_real_distribution<double> unit(0.0, 1.0);
  int limited = 0;
  for (int k = 0; k < 20000; ++k) {
    State<double> x{unit(random)};
    for (double& torque : x.torque) torque = 400.0 * (unit(random) - 0.5);
    In<double> in = rolling(240.0 * (unit(random) - 0.5), unit(random), unit(random), 1.0);
    for (double& w : in.omega) w += 10.0 * (unit(random) - 0.5);
    const Out<double> out = evaluate(m, p, x, in).out;
    const double spent = out.heat + out.auxiliary + out.motor_loss + out.gear_loss;
    const double scale = std::fabs(out.chemical) + spent + 1.0;
    ASSERT_NEAR(out.chemical, spent + wheel_power(out, in), 1e-9 * scale);
    ASSERT_NEAR(out.power, out.voltage * out.current, 1e-9 * scale);
    ASSERT_GE(out.motor_loss, 0.0);
    ASSERT_GE(out.gear_loss, -1e-9 * scale);
    // limits of the battery; nothing is given below empty, nothing taken above full
    ASSERT_LE(out.power, p.P_discharge * (1 + 1e-12));
    ASSERT_GE(out.power, -p.P_charge * (1 + 1e-12));
    if (x.charge <= p.empty) {
      ASSERT_LE(out.current, 1e-9);
    }
    if (x.charge >= p.full) {
      ASSERT_GE(out.current, -1e-9);
    }
    limited +=
        std::fabs(out.power - p.P_discharge) < 1.0 || std::fabs(out.power + p.P_charge) < 1.0;
  }
  EXPECT_GT(limited, 100);  // the limits were tried
}

// The pedal is done once: what the motors do of it is what acts on the wheels, and no more than
// their share; it acts against the motion, either way, and not at standstill.
TEST(Electric, RegenerationIsWhatActsOnTheWheels) {
  const Maps m = maps();
  Params<double> p = params();
  p.coast = 0.0;
  for (const double omega : {-60.0, -3.0, -0.1, 0.0, 0.1, 3.0, 60.0})
    for (const double brake : {0.0, 0.2, 1.0}) {
      const In<double> in = rolling(omega, 0.0, brake, omega < 0.0 ? -1.0 : 1.0);
      State<double> x{0.6};
      for (int k = 0; k < 2000; ++k) {  // until the motors follow
        const auto rates = evaluate(m, p, x, in).rates;
        for (std::size_t i = 0; i < 4; ++i) x.torque[i] += 1e-3 * rates.torque[i];
      }
      const Out<double> out = evaluate(m, p, x, in).out;
      double torque = 0.0;
      for (const double T : out.torque) torque += T;
      EXPECT_LE(torque * omega, 0.0);
      EXPECT_LE(out.blended, 1.05 * p.blend * brake);  // losses of the reduction brake, too
      EXPECT_NEAR(out.blended * p.T_brakes, std::fabs(torque), 1e-6 * (1.0 + std::fabs(torque)))
          << omega << " " << brake;
      if (omega == 0.0) {
        EXPECT_EQ(torque, 0.0);
      }
      if (std::fabs(omega) == 60.0 && brake == 0.2) {
        EXPECT_GT(std::fabs(torque), 100.0);
      }
    }
}

// Forward and back are mirror images; neutral gives nothing.
TEST(Electric, GoesBack) {
  const Maps m = maps();
  const Params<double> p = params();
  const State<double> x{0.6};
  for (const double omega : {0.0, 2.0, 30.0}) {
    const auto ahead = evaluate(m, p, x, rolling(omega, 0.7, 0.0, 1.0)).rates,
               back = evaluate(m, p, x, rolling(-omega, 0.7, 0.0, -1.0)).rates,
               none = evaluate(m, p, x, rolling(omega, 0.7, 0.0, 0.0)).rates;
    EXPECT_GT(ahead.torque[0], 0.0);
    EXPECT_DOUBLE_EQ(ahead.torque[0], -back.torque[0]);
    EXPECT_EQ(none.torque[0], 0.0);
  }
}

// The charge comes to its bounds and does not leave them.
TEST(Electric, ChargeIsBounded) {
  const Maps m = maps();
  Params<double> p = params();
  p.Q = 2000.0;  // a small one
  for (const double torque : {150.0, -150.0}) {
    State<double> x{0.5};
    x.torque = {torque, torque, torque, torque};
    double end = 0.0;
    for (int k = 0; k < 200000; ++k) {
      const auto e = evaluate(m, p, x, rolling(60.0, 0.0, 0.0, 1.0));
      x.charge += 1e-3 * e.rates.charge;
      ASSERT_GE(x.charge, p.empty);
      ASSERT_LE(x.charge, p.full);
      end = torque > 0.0 ? e.out.empty : e.out.full;
    }
    EXPECT_EQ(end, 1.0);
  }
}

TEST(Electric, FaultsOfMaps) {
  EXPECT_TRUE(std::holds_alternative<std::string>(
      MotorMap::make({{{0, 1}, {1, 1}}, {0, 1}, {0, 1}, {0.5, 0.5, 0.5, 1.1}})));
  EXPECT_TRUE(std::holds_alternative<std::string>(
      MotorMap::make({{{0, 1}, {1, -1}}, {0, 1}, {0, 1}, {0.5, 0.5, 0.5, 0.5}})));
  EXPECT_TRUE(std::holds_alternative<std::string>(
      BatteryMap::make({{{0, 1}, {300, 400}}, {{0, 1}, {0.1, 0.0}}})));
}

}  // namespace
}  // namespace electric_test
