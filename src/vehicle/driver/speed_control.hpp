// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "math/scalar.hpp"
#include "vehicle/per_wheel.hpp"

// Speed control: proportional and integral, its output limited, the integral kept from winding up
// by what the limits cut off (back-calculation: Astrom and Hagglund, PID Controllers, 2nd ed. 1995,
// section 3.5).
//
//   w = k_p (b v_set - v) + integral        u = sat(w, low, high)
//   integral' = k_i (v_set - v) + (u - w) / t_t
//
// The output is either a pedal position, -1 full brake to 1 full throttle, or the sum of torques on
// the wheels: the cruise control of a car without a powertrain. Docs: docs/theory/driver.md.

namespace chicane::driver {

template <class T>
struct SpeedParams {
  T k_p, k_i;   // [s/m], [1/m] for pedals; [N s], [N] for torques
  T b;          // [-] share of the wanted speed that the proportional part sees, 0 to 1
  T low, high;  // limits of the output
  T t_t;        // [s] in which the integral follows the limits
};

template <class T>
struct SpeedOut {
  T u;
  T integral_rate;
};

template <class T>
SpeedOut<T> speed_control(const SpeedParams<T>& p, const T& integral, const T& v_set, const T& v) {
  const T w = p.k_p * (p.b * v_set - v) + integral;
  const T u = sat(w, p.low, p.high);
  return {u, p.k_i * (v_set - v) + (u - w) / p.t_t};
}

template <class T>
struct Pedals {
  T accelerator, brake;  // 0 to 1
};

template <class T>
Pedals<T> pedals(const T& u) {
  return {max(u, 0.0), max(-u, 0.0)};
}

// Whoever wants to stand and nearly does holds the brake, and no integral moves him on.
template <class T>
Pedals<T> standing(const Pedals<T>& feet, const T& v_set, const T& v) {
  constexpr double kNearly = 0.3, kHeld = 0.3;  // [m/s], [-] of the pedal
  const T slow = 1.0 - sat(T(abs(v) / kNearly), 0.0, 1.0);
  const T stands = slow * (1.0 - sat(T(abs(v_set) / kNearly), 0.0, 1.0));
  return {feet.accelerator * (1.0 - stands), max(feet.brake, T(kHeld * stands))};
}

// Torque u on the wheels, a share of it to the front axle, halves to the sides.
template <class T>
PerWheel<T> wheel_torques(const T& u, const T& front) {
  const T f = 0.5 * front * u, r = 0.5 * (1.0 - front) * u;
  return {f, f, r, r};
}

}  // namespace chicane::driver
