// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <numbers>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "math/curve.hpp"
#include "math/scalar.hpp"
#include "math/table.hpp"
#include "vehicle/friction/bristle.hpp"

// Steering: wheel angle or torque of the driver in, displacement of the rack out, and back the
// torque that the driver feels.
//
//   steering wheel J, c -- torsion bar k_b, c_b -- pinion, ratio i(x) -- rack m, c_r -- tie rods F
//        theta, omega                              + power assist        x, v
//
// Source: the RTRD paper asks for rack displacement and velocity, from a model or from outside, and
// gives the force on the rack back for the driver's torque; the column model is the usual one.
// Positive angles and displacements turn the car to the left. Docs: docs/theory/steering.md.

namespace chicane::steering {

struct AssistData {
  std::vector<double> torque, speed;  // [N m] of the torsion bar, from 0 on; [m/s]
  std::vector<double> assist;         // [N m] at the pinion: one row of speeds for each torque
};

class Maps {
 public:
  // ratio: pinion angle over rack displacement [rad/m], over the displacement [m]; positive.
  // assist: 0 at no torque, never falling with the torque; the other direction is its mirror.
  static std::variant<Maps, std::string> make(const CurveData& ratio, const AssistData& assist);

  template <class T>
  T ratio(const T& x) const {
    return ratio_(x);
  }
  // Angle of the pinion: the ratio, summed up from the centre.
  template <class T>
  T pinion(const T& x) const {
    const double at = value_of(x);
    return chain(x, ratio_.integral(at) - ratio_.integral(0.0), ratio_(at));
  }
  template <class T>
  T assist(const T& torque, const T& speed) const {
    const T size = assist_(T(abs(torque)), T(abs(speed)));
    return select(torque < 0.0, -size, size);
  }

 private:
  Maps(Table1D ratio, Table2D assist) : ratio_(std::move(ratio)), assist_(std::move(assist)) {}

  Table1D ratio_;
  Table2D assist_;
};

template <class T>
struct Params {
  T J, c;                       // [kg m^2], [N m s/rad] steering wheel and column
  T k_b, c_b;                   // [N m/rad], [N m s/rad] torsion bar
  T c_r, F_r;                   // [N s/m], [N] damping and dry friction of the rack
  T x_max, k_stop;              // [m], [N/m] end stops
  bristle::Params<T> friction;  // [m]
};

template <class T>
struct Column {
  T theta, omega;  // [rad], [rad/s] of the steering wheel
};

template <class T>
struct Rack {
  T x, v;  // [m], [m/s] to the left
};

// Torque of the torsion bar, against the steering wheel and on the pinion.
template <class T>
T bar_torque(const Maps& maps, const Params<T>& p, const Column<T>& wheel, const Rack<T>& rack) {
  const T twist = wheel.theta - maps.pinion(rack.x);
  return p.k_b * twist + p.c_b * (wheel.omega - maps.ratio(rack.x) * rack.v);
}

// What the driver feels at a steering wheel that is turned at a given angle and speed.
template <class T>
T hand_torque(const Params<T>& p, const T& T_bar, const T& omega) {
  return T_bar + p.c * omega;
}

// domega/dt of a steering wheel that is turned by a torque of the driver.
template <class T>
T column_acceleration(const Params<T>& p, const T& T_driver, const T& T_bar, const T& omega) {
  return (T_driver - hand_torque(p, T_bar, omega)) / p.J;
}

// Acceleration of something that is moved and follows its command: critically damped, frequency
// [Hz]. The command may jump, place and speed do not.
template <class T>
T following(const T& frequency, const T& command, const T& x, const T& v) {
  const T w = 2.0 * std::numbers::pi * frequency;
  return w * (w * (command - x) - 2.0 * v);
}

template <class T>
struct Turning {
  T angle, rate, acceleration;  // [rad], [rad/s], [rad/s^2] to the left
};

// The left wheel of an axle whose mean angle is known; with -a the right one. a is the distance of
// the kingpins over twice the wheel base: then both wheels, and one on the middle line with the
// mean angle, turn about one point on the line of the rear axle (Ackermann).
//   tan(left) = s / (1 - a s)      s = tan(mean)
template <class T>
Turning<T> turned(const Turning<T>& mean, const T& a) {
  const T s = tan(mean.angle), c = 1.0 - a * s;
  const T N = 1.0 + s * s, D = c * c + s * s, slope = N / D;
  const T bend = 2.0 * N * (s * D - (s - a * c) * N) / (D * D);  // of the slope
  return {atan(s / c), slope * mean.rate, slope * mean.acceleration + bend * mean.rate * mean.rate};
}

// Force [N] on the rack, to the left, of everything but the tie rods: pinion with assist, friction,
// stops.
template <class T>
T rack_force(const Maps& maps, const Params<T>& p, const Rack<T>& rack, const T& zeta,
             const T& T_bar, const T& speed) {
  const T T_pinion = T_bar + maps.assist(T_bar, speed);
  const T friction = p.F_r * bristle::force(p.friction, zeta, rack.v) + p.c_r * rack.v;
  const T stop = p.k_stop * deadband(rack.x, -p.x_max, p.x_max);
  return maps.ratio(rack.x) * T_pinion - friction - stop;
}

// Torque at a steering wheel whose rack is moved from outside: bar and assist together carry the
// load -F / i(x) of the tie rods, T + assist(T) = load. Assist never falls with T, so there is one
// T, found by halving in a fixed number of steps; the last step, Newton's, has the derivatives.
template <class T>
T torque_of_load(const Maps& maps, const T& load, const T& speed) {
  const double target = value_of(load), v = value_of(speed);
  double low = min(target, 0.0), high = max(target, 0.0);
  for (int k = 0; k < 60; ++k) {
    const double mid = 0.5 * (low + high);
    (mid + maps.assist(mid, v) < target ? low : high) = mid;
  }
  const double root = 0.5 * (low + high), h = 1e-6 * (1.0 + abs(root));
  const double slope = 1.0 + (maps.assist(root + h, v) - maps.assist(root - h, v)) / (2.0 * h);
  return root + (load - root - maps.assist(T(root), speed)) / slope;
}

template <class T>
T torque_of_rack_force(const Maps& maps, const T& x, const T& F, const T& speed) {
  return torque_of_load(maps, T(-F / maps.ratio(x)), speed);
}

}  // namespace chicane::steering
