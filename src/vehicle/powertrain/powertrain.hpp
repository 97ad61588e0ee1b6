// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "math/scalar.hpp"
#include "vehicle/friction/bristle.hpp"
#include "vehicle/per_wheel.hpp"
#include "vehicle/powertrain/differential.hpp"
#include "vehicle/powertrain/engine.hpp"
#include "vehicle/powertrain/gearbox.hpp"
#include "vehicle/powertrain/torque_converter.hpp"

// Powertrain: accelerator, gear lever and wheel speeds in, wheel torques out.
//
//   engine J_e --+-- converter --+-- J_t -- gear (friction, twist) -- centre --+-- front -- fl, fr
//     omega_e    +-- clutch -----+ omega_t     ratio i                         +-- rear --- rl, rr
//
// Source: the chain of the RTRD paper on real-time recursive dynamics (its power train model:
// accelerator, engine, torque converter or clutch, transmission, differential); the equations are
// the usual ones.
//
// Wheel speeds come from outside, so that the gear cannot tie J_t rigidly to them: it does so by
// dry friction that bends before it slides. The bend is the twist of the driveline, the sliding is
// the gear being changed. Inertias behind the gear belong to the wheels:
// `wheel_inertias`.
// Docs: docs/theory/powertrain.md.

namespace chicane::powertrain {

struct Maps {
  EngineMap engine;
  std::optional<ConverterMap> converter;  // none: the clutch alone
  Gearbox gearbox;
  std::optional<ShiftMap> shift;  // none: manual
};

template <class T>
struct Params {
  // engine
  T J_e;  // [kg m^2] with pump
  IdleParams<T> idle;
  StallParams<T> stall;
  // converter
  T band;                      // [-] slip below which its torque fades
  T omega_lock, omega_unlock;  // [rad/s] of the turbine: lock-up closes, opens
  T gear_lock;                 // lowest gear with lock-up
  // clutch, or lock-up clutch
  T T_clutch;                 // [N m] what it can carry
  T t_clutch;                 // [s] in which it follows its command
  bristle::Params<T> clutch;  // [rad]
  // gearbox
  T J_t;                    // [kg m^2] turbine or clutch disc, gears
  T T_gear;                 // [N m] at the input, what an engaged gear can carry
  T t_shift;                // [s] that a shift takes
  T t_rest;                 // [s] from the beginning of a shift to that of the next, at least
  T cut;                    // [-] share of the accelerator taken away in the midst of a shift
  T eta;                    // [-] efficiency of the gears
  T P_0;                    // [W] power at which half of their loss is reached
  T synchroniser = T(0.0);  // [-] share of T_gear that brings a gear to speed; 0: all of it
  bristle::Params<T> gear;  // [rad] on the input side
  // differentials
  DifferentialParams<T> center;       // first output: front
  DifferentialParams<T> front, rear;  // first output: left
};

template <class T>
struct State {
  T omega_e, omega_t;                    // [rad/s]
  T closed;                              // clutch: 0 open, 1 closed
  T zeta_c, zeta_g;                      // bend in clutch and gear
  T zeta_center, zeta_front, zeta_rear;  // ... in the differentials
};

template <class T>
struct Memory {
  GearMemory<T> gear;
  T locked;            // lock-up: 0 or 1
  T running = T(1.0);  // engine: 0 or 1
};

template <class T>
struct In {
  T t;                 // [s]
  T accelerator;       // 0 to 1
  T clutch;            // pedal, 1 is pressed; not looked at with a converter
  T command;           // of the gear, see GearIn
  PerWheel<T> omega;   // [rad/s], positive rolling forward
  T starter = T(0.0);  // 1: it turns the engine
};

template <class T>
struct Losses {  // [W]
  T converter, clutch, gear, mesh, center, front, rear;
};

template <class T>
struct Out {
  PerWheel<T> torque;   // [N m] on the wheels
  T T_engine;           // [N m]
  T T_pump, T_turbine;  // [N m] of the converter
  T T_clutch;           // [N m] through the clutch
  T T_gear;             // [N m] into the gear
  T T_prop;             // [N m] into the centre differential
  T omega_prop;         // [rad/s] of the gearbox output, as the wheels turn it
  T gear, ratio;        // [-] of the gear in mesh
  Losses<T> losses;
};

template <class T>
struct Evaluation {
  State<T> rates;
  Out<T> out;
};

// Speed that the wheels give to the gearbox output.
template <class T>
T prop_speed(const Params<T>& p, const PerWheel<T>& omega) {
  return input_speed(p.center, input_speed(p.front, omega.fl, omega.fr),
                     input_speed(p.rear, omega.rl, omega.rr));
}

// What comes out of gears with an efficiency: less than goes in by (1 - eta) P^2 / (|P| + P_0),
// whichever way the power P flows.
template <class T>
T after_losses(const T& eta, const T& P_0, const T& torque, const T& omega) {
  const T P = torque * omega;
  return torque * (1.0 - (1.0 - eta) * P / (abs(P) + P_0));
}

template <class T>
Evaluation<T> evaluate(const Maps& maps, const Params<T>& p, const State<T>& x, const Memory<T>& z,
                       const In<T>& in) {
  // speeds, from the wheels up
  const PerWheel<T>& w = in.omega;
  const T omega_front = input_speed(p.front, w.fl, w.fr),
          omega_rear = input_speed(p.rear, w.rl, w.rr);
  const T omega_prop = input_speed(p.center, omega_front, omega_rear);
  const auto [in_mesh, i, engaged, settled] =
      mesh(maps.gearbox, p.t_shift, p.synchroniser, z.gear, in.t);
  const T slip_c = x.omega_e - x.omega_t, slip_g = x.omega_t - i * omega_prop;

  // torques, from the engine down
  const T throttle = in.accelerator * (1.0 - p.cut * (1.0 - settled));
  const T T_running = engine_torque(maps.engine, p.idle, x.omega_e, throttle);
  const T T_engine = select(z.running > 0.5, T_running, drag_torque(maps.engine, x.omega_e)) +
                     starter_torque(p.stall, p.idle, x.omega_e, in.starter);
  const auto [T_pump, T_turbine] = maps.converter
                                       ? converter(*maps.converter, p.band, x.omega_e, x.omega_t)
                                       : ConverterTorques<T>{T(0.0), T(0.0)};
  const T T_clutch = x.closed * p.T_clutch * bristle::force(p.clutch, x.zeta_c, slip_c);
  const T T_gear = engaged * p.T_gear * bristle::force(p.gear, x.zeta_g, slip_g);
  const T T_prop = after_losses(p.eta, p.P_0, T(i * T_gear), omega_prop);
  const auto center = differential(p.center, T_prop, x.zeta_center, omega_front, omega_rear);
  const auto front = differential(p.front, center.T_1, x.zeta_front, w.fl, w.fr);
  const auto rear = differential(p.rear, center.T_2, x.zeta_rear, w.rl, w.rr);

  const T command = maps.converter ? z.locked : 1.0 - sat(in.clutch, 0.0, 1.0);
  return {.rates = {.omega_e = (T_engine - T_pump - T_clutch) / p.J_e,
                    .omega_t = (T_turbine + T_clutch - T_gear) / p.J_t,
                    .closed = (command - x.closed) / p.t_clutch,
                    .zeta_c = bristle::rate(p.clutch, x.zeta_c, slip_c),
                    .zeta_g = bristle::rate(p.gear, x.zeta_g, slip_g),
                    .zeta_center = bristle::rate(p.center.friction, x.zeta_center,
                                                 T(omega_front - omega_rear)),
                    .zeta_front = bristle::rate(p.front.friction, x.zeta_front, T(w.fl - w.fr)),
                    .zeta_rear = bristle::rate(p.rear.friction, x.zeta_rear, T(w.rl - w.rr))},
          .out = {.torque = {front.T_1, front.T_2, rear.T_1, rear.T_2},
                  .T_engine = T_engine,
                  .T_pump = T_pump,
                  .T_turbine = T_turbine,
                  .T_clutch = T_clutch,
                  .T_gear = T_gear,
                  .T_prop = T_prop,
                  .omega_prop = omega_prop,
                  .gear = in_mesh,
                  .ratio = i,
                  .losses = {.converter = T_pump * x.omega_e - T_turbine * x.omega_t,
                             .clutch = T_clutch * slip_c,
                             .gear = T_gear * slip_g,
                             .mesh = (i * T_gear - T_prop) * omega_prop,
                             .center = center.loss,
                             .front = front.loss,
                             .rear = rear.loss}}};
}

// Memory from the next instant on. The lock-up clutch closes above omega_lock, opens below
// omega_unlock, in low gears and while a gear is being changed.
template <class T>
Memory<T> next(const Maps& maps, const Params<T>& p, const State<T>& x, const Memory<T>& z,
               const In<T>& in) {
  const auto gear =
      next_gear(maps.gearbox, maps.shift ? &*maps.shift : nullptr, T(max(p.t_shift, p.t_rest)),
                z.gear, GearIn<T>{in.t, prop_speed(p, in.omega), in.accelerator, in.command});
  const T wanted = select(x.omega_t > p.omega_lock, T(1.0),
                          select(x.omega_t < p.omega_unlock, T(0.0), z.locked));
  const T may = select(in.t - gear.started < p.t_shift, T(0.0),
                       select(gear.gear < p.gear_lock, T(0.0), T(1.0)));
  return {gear, wanted * may, next_running(p.stall, p.idle, z.running, x.omega_e, in.starter)};
}

template <class T>
struct ShaftInertias {
  T prop, front, rear;  // [kg m^2] at the inputs of the three differentials
};

// What shafts and differentials behind the gear add to the inertias of the wheels.
template <class T>
PerWheel<T> wheel_inertias(const Params<T>& p, const ShaftInertias<T>& J) {
  const auto axles = reflected_inertia(p.center, J.prop);
  const auto front = reflected_inertia(p.front, T(J.front + axles.J_1));
  const auto rear = reflected_inertia(p.rear, T(J.rear + axles.J_2));
  return {front.J_1, front.J_2, rear.J_1, rear.J_2};
}

}  // namespace chicane::powertrain
