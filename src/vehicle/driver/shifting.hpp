// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "math/scalar.hpp"
#include "vehicle/powertrain/gearbox.hpp"

// A driver with a manual gearbox: which gear, and how the feet go together while it is changed.
//
//   drive ---> press ---> lever ---> release ---> drive        a gear is changed
//                           |  ^
//                           v  |
//                          launch ---> drive                   setting off, or crawling
//
// Nothing is known of the road or of the car's mass: he goes by the engine's speed, that of the
// clutch disc and that of the gearbox output. Feet are states and follow with a lag; phase and gear
// are memory. Docs: docs/theory/driver.md.

namespace chicane::driver {

// Phases are numbers of the memory, which may come from anywhere: what is none of them is `drive`.
inline constexpr double kDrive = 0.0, kPress = 1.0, kLever = 2.0, kRelease = 3.0, kLaunch = 4.0;

template <class T>
struct ShiftingParams {
  T idle;     // [rad/s] idle speed of the engine
  T bite;     // [rad/s] setting off: speed of the engine at which the clutch begins to carry
  T band;     // [rad/s] ... and how much more closes it fully
  T grip;     // [-] share of the clutch that carries the largest torque of the engine
  T least;    // [-] share at which a clutch that slips is held, at least
  T slip;     // [rad/s] slip of the clutch over which the accelerator comes back
  T blip;     // [s/rad] accelerator over what the engine is too slow
  T t_foot;   // [s] in which the feet follow
  T t_lever;  // [s] that the gearbox takes for a shift
  T t_rest;   // [s] from the end of a shift to the next one, at least
};

// What he hears and sees.
template <class T>
struct Gauges {
  T omega_e;    // [rad/s] engine
  T omega_in;   // [rad/s] clutch disc
  T omega_out;  // [rad/s] gearbox output
  T running;    // 1: the engine runs
};

template <class T>
struct Feet {
  T accelerator, clutch;  // 0 to 1
};

// Where the feet are to be, if the car asks for `accelerator`.
//
// While a gear is changed the engine is brought to the speed it will have. A clutch that slips
// carries what the engine would give, so that the wheels feel no more than they will afterwards,
// and the accelerator comes back as the slip goes. Setting off, the clutch follows the engine's
// speed: it cannot be stalled, and settles where both torques are equal.
template <class T>
Feet<T> wanted_feet(const powertrain::Gearbox& gearbox, const ShiftingParams<T>& p, double phase,
                    double gear, const Gauges<T>& at, const T& accelerator) {
  const T slip = at.omega_e - at.omega_in;
  const T too_slow = gearbox.ratio(gear) * at.omega_out - at.omega_e;
  const T matching = sat(T(p.blip * too_slow), 0.0, 1.0);
  if (phase == kPress) return {T(0.0), T(1.0)};
  if (phase == kLever) return {select(at.omega_in > p.idle, matching, T(0.0)), T(1.0)};
  if (phase == kRelease) {
    const T back = accelerator * (1.0 - sat(T(slip / p.slip), 0.0, 1.0)) + p.blip * max(-slip, 0.0);
    const T carries = select(slip > 0.0, p.grip * accelerator, T(0.0));
    return {sat(back, 0.0, 1.0), 1.0 - sat(max(carries, p.least), 0.0, 1.0)};
  }
  if (phase == kLaunch)
    return {accelerator, 1.0 - sat(T((at.omega_e - p.bite) / p.band), 0.0, 1.0)};
  return {accelerator, T(0.0)};
}

struct ShiftingMemory {
  double gear;      // of the lever
  double target;    // which it is to be, as long as the clutch goes down
  double phase;     // see above
  double since;     // [s] when the phase began
  double starting;  // 1: he turns the starter
};

struct ShiftingIn {
  double t;
  Gauges<double> at;
  double accelerator, brake;  // what the car asks for
  double clutch;              // where the foot is
};

// Memory from the next instant on.
inline ShiftingMemory next_shift(const powertrain::Gearbox& gearbox,
                                 const powertrain::ShiftMap& map, const ShiftingParams<double>& p,
                                 const ShiftingMemory& z, const ShiftingIn& in) {
  constexpr double kStalls = 0.95, kGoes = 1.05;    // of the idle speed, in gear
  constexpr double kPressed = 0.95, kAsked = 0.01;  // of the pedals
  constexpr double kLocked = 3.0;                   // [rad/s] slip of a clutch that holds
  // Down by as many gears as it takes; up one by one, and never while braking.
  double choice = z.gear;
  for (std::size_t k = 0; k < gearbox.gears(); ++k) {
    const double next = map.next(gearbox, choice, in.at.omega_out, in.accelerator);
    if (next > choice && (next > z.gear + 1.0 || in.brake > 0.0)) break;
    choice = next;
  }
  const double in_gear = gearbox.ratio(z.gear) * in.at.omega_out, slip = in.at.omega_e - in_gear;
  const bool runs = in.at.running > 0.5, locked = abs(slip) < kLocked && in_gear > kGoes * p.idle;
  const bool asked = in.accelerator > kAsked;
  const auto go = [&](double phase) {
    const bool stays = phase == z.phase;
    return ShiftingMemory{z.gear, stays ? z.target : choice, phase, stays ? z.since : in.t,
                          runs ? 0.0 : 1.0};
  };
  if (!runs) return go(kLever);
  if (z.phase == kPress) {
    if (in.clutch < kPressed) return go(kPress);
    return {z.target, z.target, kLever, in.t, 0.0};
  }
  if (z.phase == kLever) {
    if (choice != z.gear) return {choice, choice, kLever, in.t, 0.0};
    if (in.t - z.since < p.t_lever) return go(kLever);
    if (in_gear > kGoes * p.idle) return go(kRelease);
    return go(asked && in.brake == 0.0 ? kLaunch : kLever);
  }
  if (z.phase == kRelease) {
    if (in_gear < kStalls * p.idle) return go(kLever);
    return go(locked ? kDrive : kRelease);
  }
  if (z.phase == kLaunch) {
    if (!asked && in_gear < kGoes * p.idle) return go(kLever);
    return go(locked ? kDrive : kLaunch);
  }
  const bool rested = in.t - z.since > p.t_rest;
  return go(in_gear < kStalls * p.idle || (rested && choice != z.gear) ? kPress : kDrive);
}

// Speeds of the engine at which somebody shifts of whom nothing is known: up between 35 % of the
// way from idling to the speed of the largest power, without accelerator, and that speed, with all
// of it. Down at 80 % of where the shift up leads without accelerator, so that no two positions of
// it can hunt.
inline std::vector<powertrain::ShiftBand> usual_shifts(const powertrain::Gearbox& gearbox,
                                                       double idle, double strongest) {
  std::vector<powertrain::ShiftBand> bands;
  const double lazy = idle + 0.35 * (strongest - idle);
  for (std::size_t k = 0; k < gearbox.gears(); ++k) {
    const auto gear = static_cast<double>(k + 1);
    const double step = k == 0 ? 1.0 : gearbox.ratio(gear) / gearbox.ratio(gear - 1.0);
    bands.push_back({{{0.0}, {0.8 * step * lazy}}, {{0.0, 1.0}, {lazy, strongest}}});
  }
  return bands;
}

// The gear in which a car of this speed is driven without accelerator.
inline double gear_for(const powertrain::Gearbox& gearbox, const powertrain::ShiftMap& map,
                       double omega_out) {
  double gear = 1.0;
  for (std::size_t k = 1; k < gearbox.gears(); ++k) gear = map.next(gearbox, gear, omega_out, 0.3);
  return gear;
}

}  // namespace chicane::driver
