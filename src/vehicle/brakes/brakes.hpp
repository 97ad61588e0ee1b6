// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <variant>

#include "math/curve.hpp"
#include "math/scalar.hpp"
#include "math/table.hpp"
#include "vehicle/friction/bristle.hpp"
#include "vehicle/per_wheel.hpp"

// Brakes: pedal or line pressure and hand brake in, torques on four wheels out.
//
// Source: the brake model of the RTRD paper, torque over pedal or line pressure, linear or not, for
// front and rear. Ours: lag of the lines, proportioning, hand brake, and dry friction that holds a
// wheel at standstill. Docs: docs/theory/brakes.md.

namespace chicane::brakes {

// Brakes of one of any number of axles: torque proportional to the pressure, which is here that of
// the full pedal times 0 to 1.
template <class T>
struct AxleParams {
  T torque;  // [N m] of each brake at full pressure
  T t_line;  // [s] in which the pressure follows
  T hand;    // [N m] of the hand brake, pulled fully
};

template <class T>
T capacity(const AxleParams<T>& p, const T& pressure, const T& hand) {
  return p.torque * max(pressure, 0.0) + hand * p.hand;
}

// None of the curves may fall or be negative.
struct MapData {
  CurveData pressure;                   // [Pa] of the front line over the pedal
  CurveData proportioning;              // [Pa] of the rear line over that of the front line
  CurveData torque_front, torque_rear;  // [N m] of one wheel over the pressure of its line
};

struct Maps {
  static std::variant<Maps, std::string> make(const MapData& data);

  Table1D pressure, proportioning, torque_front, torque_rear;
};

template <class T>
struct Params {
  T gain_front, gain_rear;      // [-] torque over that of the curves
  T t_line;                     // [s] in which the pressure follows
  PerWheel<T> hand;             // [N m] of the hand brake, pulled fully
  bristle::Params<T> friction;  // [rad] between pad and disc
};

template <class T>
struct Pressures {
  T front, rear;  // [Pa]
};

template <class T>
struct State {
  Pressures<T> p;    // of the lines
  PerWheel<T> zeta;  // bend between pad and disc
};

template <class T>
struct In {
  Pressures<T> demand;  // of the master cylinder, or given
  T hand;               // hand brake, 0 to 1
  PerWheel<T> omega;    // [rad/s]
};

template <class T>
struct Out {
  PerWheel<T> torque;    // [N m] on the wheels
  PerWheel<T> capacity;  // [N m] what each brake can hold
};

template <class T>
struct Evaluation {
  State<T> rates;
  Out<T> out;
};

template <class T>
Pressures<T> demand_of_pedal(const Maps& maps, const T& pedal) {
  const T front = maps.pressure(pedal);
  return {front, maps.proportioning(front)};
}

// What the brakes can hold: the service brake and the hand brake press on the same disc.
template <class T>
PerWheel<T> capacity(const Maps& maps, const Params<T>& p, const Pressures<T>& line,
                     const T& hand) {
  const T front = p.gain_front * maps.torque_front(line.front),
          rear = p.gain_rear * maps.torque_rear(line.rear);
  const T h = sat(hand, 0.0, 1.0);
  return {front + h * p.hand.fl, front + h * p.hand.fr, rear + h * p.hand.rl, rear + h * p.hand.rr};
}

template <class T>
Evaluation<T> evaluate(const Maps& maps, const Params<T>& p, const State<T>& x, const In<T>& in) {
  const PerWheel<T> F = capacity(maps, p, x.p, in.hand);
  const auto torque = [&](const T& F_wheel, const T& zeta, const T& omega) {
    return T(-F_wheel * bristle::force(p.friction, zeta, omega));
  };
  const auto rate = [&](const T& zeta, const T& omega) {
    return bristle::rate(p.friction, zeta, omega);
  };
  const PerWheel<T>&z = x.zeta, &w = in.omega;
  return {
      .rates = {.p = {(in.demand.front - x.p.front) / p.t_line,
                      (in.demand.rear - x.p.rear) / p.t_line},
                .zeta = {rate(z.fl, w.fl), rate(z.fr, w.fr), rate(z.rl, w.rl), rate(z.rr, w.rr)}},
      .out = {.torque = {torque(F.fl, z.fl, w.fl), torque(F.fr, z.fr, w.fr),
                         torque(F.rl, z.rl, w.rl), torque(F.rr, z.rr, w.rr)},
              .capacity = F}};
}

}  // namespace chicane::brakes
