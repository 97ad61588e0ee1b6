// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <vector>

#include "unit/vehicle/integrate.hpp"
#include "vehicle/powertrain/powertrain.hpp"

// Powertrain of a HMMWV, figures as read from Project Chrono's model of it (BSD-3): speeds in rpm,
// ratios as output over input speed.

namespace chicane::hmmwv {

using namespace chicane::powertrain;
using testing_vehicle::made;

constexpr double kRpm = M_PI / 30;

inline CurveData in_rpm(CurveData curve) {
  for (double& x : curve.x) x *= kRpm;
  return curve;
}

inline EngineMap engine() {
  return made(
      EngineMap::above(in_rpm({{-100, 800,  900,  1000, 1100, 1200, 1300, 1400, 1500, 1600,
                                1700, 1800, 1900, 2000, 2100, 2200, 2300, 2400, 2500, 2700},
                               {300, 382, 490, 579, 650, 706, 746, 774, 789, 793,
                                788, 774, 754, 728, 697, 664, 628, 593, 558, -400}}),
                       in_rpm({{-50, 0, 50, 1000, 2000, 3000}, {30, 0, -30, -50, -70, -90}})));
}

// The other engine of the same model: curves at full and at no throttle.
inline EngineMap simple_engine() {
  return made(EngineMap::between(
      {{-10.472, 83.776, 104.72, 125.664, 146.608, 167.552, 188.496, 209.44, 230.383, 251.327,
        282.743},
       {406.7, 517.9, 926.0, 1216.2, 1300.2, 1300.2, 1227.0, 1136.2, 1041.3, -271.2, -800}},
      {{-10.472, 83.776, 104.72, 125.664, 146.608, 167.552, 188.496, 209.44, 230.383, 251.327,
        282.743},
       {0, -20, -20, -30, -30, -30, -40, -50, -70, -100, -800}}));
}

inline ConverterMap torque_converter() {
  return made(ConverterMap::make({{0, 0.25, 0.5, 0.75, 0.9, 1.0}, {15, 15, 15, 16, 18, 35}},
                                 {{0, 0.25, 0.5, 0.75, 1.0}, {2.0, 1.8, 1.5, 1.15, 1.0}}));
}

inline Gearbox gearbox() {
  return made(Gearbox::make({0.2, 0.4, 0.8}, -0.1, RatioMeaning::output_over_input));
}

inline ShiftBand band(double down_rpm, double up_rpm) {
  return {{{0}, {down_rpm * kRpm}}, {{0}, {up_rpm * kRpm}}};
}

inline ShiftMap shift_map(const Gearbox& of) {
  return made(ShiftMap::make(of, std::vector<ShiftBand>(3, band(1200, 2500))));
}

inline Maps automatic() { return {engine(), torque_converter(), gearbox(), shift_map(gearbox())}; }

inline Maps manual() { return {engine(), std::nullopt, gearbox(), std::nullopt}; }

// Open differentials, final drive 5:1, equal shares; inertias of the source. What it does not have
// is chosen: clutches that carry twice the engine's torque and bend by a few hundredths of a
// radian.
template <class T = double>
Params<T> params() {
  const bristle::Params<T> plates{.s = 0.02, .zeta_e = 0.8, .tau = 0.004, .t_r = 0.005};
  const bristle::Params<T> shaft{.s = 0.1, .zeta_e = 0.9, .tau = 0.01, .t_r = 0.005};
  const DifferentialParams<T> open{
      .ratio = 5.0, .share = 0.5, .c = 0.0, .T_0 = 0.0, .kappa = 0.0, .friction = plates};
  auto center = open;
  center.ratio = 1.0;
  return {.J_e = 1.1,
          .idle = {.omega = 800 * kRpm, .c = 20.0},
          .band = 0.02,
          .omega_lock = 1800 * kRpm,
          .omega_unlock = 1400 * kRpm,
          .gear_lock = 2.0,
          .T_clutch = 1600.0,
          .t_clutch = 0.1,
          .clutch = plates,
          .J_t = 0.8,
          .T_gear = 3000.0,
          .t_shift = 0.5,
          .t_rest = 0.0,
          .cut = 0.0,
          .eta = 0.96,
          .P_0 = 200.0,
          .gear = shaft,
          .center = center,
          .front = open,
          .rear = open};
}

template <class T = double>
Memory<T> in_gear(double gear, double locked = 0) {
  return {{T(gear), T(gear), T(-1e9)}, T(locked)};
}

}  // namespace chicane::hmmwv
