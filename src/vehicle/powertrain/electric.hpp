// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "math/curve.hpp"
#include "math/scalar.hpp"
#include "math/table.hpp"
#include "vehicle/per_wheel.hpp"
#include "vehicle/powertrain/powertrain.hpp"

// Electric drive: accelerator, brake pedal, direction and wheel speeds in, wheel torques out.
//
//   battery --+-- motor -- reduction -- differential -- two wheels      one or two axles
//   U_0, R    +-- motor -- reduction -- one wheel                       in-wheel: two of an axle
//
//   motor        |T| <= T_max(|w| U_n / U): the corner of field weakening moves with the voltage
//                electrical power P = T w / eta driving, T w eta regenerating, eta(|w|, |T|)
//   battery      U_0 I = P + R I^2        U = U_0 - R I        dq/dt = -I / Q
//   limits       what the battery can give or take scales all torques alike, and with them P: so
//                the balance of powers closes whatever binds
//   regeneration a share of what the brake pedal asks for, and what a lifted foot asks for, against
//                the motion; it fades out towards standstill. The brakes are told how much of the
//                pedal is done already.
//
// The equations are the usual ones of an equivalent circuit with maps. Docs:
// docs/theory/electric-drive.md.

namespace chicane::electric {

struct MotorData {
  CurveData torque;                 // [N m] greatest over speed [rad/s], from 0 on
  std::vector<double> speed, load;  // [rad/s], [N m] of the efficiency
  std::vector<double> efficiency;   // [-] at (speed[i], load[j]): efficiency[i * loads + j]
};

// Greatest torque and efficiency of a motor; all of them are even in speed and torque.
struct MotorMap {
  static std::variant<MotorMap, std::string> make(const MotorData& data);

  Table1D torque;
  Table2D efficiency;
};

struct BatteryData {
  CurveData voltage, resistance;  // [V], [ohm] over the charge, 0 to 1
};

struct BatteryMap {
  static std::variant<BatteryMap, std::string> make(const BatteryData& data);

  Table1D voltage, resistance;
};

// A motor on two wheels of an axle by a differential, or on one wheel.
struct Place {
  std::size_t motor;   // which of the maps
  std::size_t wheel;   // the first that it turns: 0 fl, 1 fr, 2 rl, 3 rr
  std::size_t wheels;  // 2: an axle, 1: in the wheel
};

struct Maps {
  BatteryMap battery;
  std::vector<MotorMap> motors;
  std::vector<Place> places;
};

inline constexpr std::size_t kMostMotors = 4;

// Of what turns one axle.
template <class T>
struct AxleParams {
  T ratio;  // [-] motor over wheel speed
  T eta;    // [-] efficiency of the reduction
  T P_0;    // [W] power at which half of its loss is reached
  T time;   // [s] in which the torque follows
};

template <class T>
struct Params {
  // battery
  T Q;                      // [A s]
  T empty, full;            // [-] charge below, above which it gives, takes nothing
  T band;                   // [-] over which that comes in
  T P_discharge, P_charge;  // [W] greatest at its terminals
  T U_n;                    // [V] of the motors' curves
  T P_auxiliary;            // [W] that is always taken
  // regeneration
  T coast;     // [-] share of the greatest torque, without a foot
  T blend;     // [-] share of the pedal that the motors may take
  T T_brakes;  // [N m] of all brakes together at full pedal
  T fade;      // [rad/s] speed of the wheels below which it fades
  std::array<AxleParams<T>, 2> axles;
};

template <class T>
struct State {
  T charge;                             // [-] 0 to 1
  std::array<T, kMostMotors> torque{};  // [N m] of the motors, before the battery's limits
};

template <class T>
struct In {
  T accelerator, brake;    // pedals, 0 to 1
  T gear;                  // -1 back, 0 none, 1 and up forward
  std::array<T, 4> omega;  // [rad/s] of the wheels
};

template <class T>
struct Out {
  std::array<T, 4> torque;             // [N m] on the wheels
  T blended;                           // [-] of the brake pedal: what the motors do of it
  T voltage, current, power;           // [V], [A], [W] at the terminals
  T chemical;                          // [W] U_0 I
  T heat;                              // [W] R I^2
  T motor_loss, gear_loss, auxiliary;  // [W]
  T motor_power;                       // [W] mechanical, of all motors
  T empty, full;                       // [-] 1: it gives, takes nothing any more
};

template <class T>
struct Evaluation {
  State<T> rates;
  Out<T> out;
};

template <class T>
struct Cell {
  T current, voltage;
};

// What the battery can give at most is U_0^2 / 4R, at half the voltage; nobody asks for that much.
inline constexpr double kUsable = 0.9;
// [-] Of its power: it comes to its bounds ever more slowly, and never reaches them.
inline constexpr double kNothing = 0.01;

template <class T>
Cell<T> discharge(const T& U_0, const T& R, const T& P) {
  const T root = sqrt(max(U_0 * U_0 - 4.0 * R * P, 0.0));
  return {2.0 * P / (U_0 + root), 0.5 * (U_0 + root)};
}

// Speed of a motor.
template <class T>
T motor_speed(const Place& place, const T& ratio, const std::array<T, 4>& omega) {
  const T& w = omega[place.wheel];
  return ratio * (place.wheels == 1 ? w : T(0.5 * (w + omega[place.wheel + 1])));
}

template <class T>
Evaluation<T> evaluate(const Maps& maps, const Params<T>& p, const State<T>& x, const In<T>& in) {
  Evaluation<T> e{};
  Out<T>& out = e.out;
  const T U_0 = maps.battery.voltage(x.charge), R = maps.battery.resistance(x.charge);
  const T gives = sat(T((x.charge - p.empty) / p.band), 0.0, 1.0),
          takes = sat(T((p.full - x.charge) / p.band), 0.0, 1.0);
  out.empty = select(gives > kNothing, T(0.0), T(1.0));
  out.full = select(takes > kNothing, T(0.0), T(1.0));

  // What the motors would do, by their states.
  const std::size_t n = maps.places.size();
  std::array<T, kMostMotors> omega{}, P_mech{}, P_loss{};
  T wanted(0.0);
  for (std::size_t k = 0; k < n; ++k) {
    const Place& place = maps.places[k];
    omega[k] = motor_speed(place, p.axles[place.wheel / 2].ratio, in.omega);
    P_mech[k] = x.torque[k] * omega[k];
    const T eta = maps.motors[place.motor].efficiency(T(abs(omega[k])), T(abs(x.torque[k])));
    P_loss[k] = abs(P_mech[k]) * (1.0 - eta) * select(P_mech[k] > 0.0, T(1.0 / eta), T(1.0));
    wanted = wanted + P_mech[k] + P_loss[k];
  }
  out.auxiliary = p.P_auxiliary * gives;
  const T most = max(gives * min(p.P_discharge, T(kUsable * 0.25 * U_0 * U_0 / R)) - out.auxiliary,
                     0.0),
          least = takes * p.P_charge + out.auxiliary;
  const T share = select(wanted > most, T(most / max(wanted, 1e-9)),
                         select(-wanted > least, T(least / max(-wanted, 1e-9)), T(1.0)));

  // What they do.
  out.power = out.auxiliary + share * wanted;
  const Cell<T> cell = discharge(U_0, R, out.power);
  out.current = cell.current;
  out.voltage = cell.voltage;
  out.chemical = U_0 * cell.current;
  out.heat = R * cell.current * cell.current;
  e.rates.charge = -cell.current / p.Q;

  // What is asked of them.
  const T direction = sat(round(in.gear), -1.0, 1.0);
  const T pedal = sat(in.accelerator, 0.0, 1.0), brake = sat(in.brake, 0.0, 1.0);
  T mean(0.0);
  for (const T& w : in.omega) mean = mean + 0.25 * w;
  const T against = -sat(T(mean / p.fade), -1.0, 1.0);  // fades out towards standstill
  std::array<T, kMostMotors> limit{};
  T reach(0.0);  // [N m] on the wheels
  for (std::size_t k = 0; k < n; ++k) {
    const Place& place = maps.places[k];
    const T corner = abs(omega[k]) * p.U_n / max(cell.voltage, T(0.1 * p.U_n));
    limit[k] = max(maps.motors[place.motor].torque(corner), 0.0);
    reach = reach + limit[k] * p.axles[place.wheel / 2].ratio;
  }
  const T asked = p.blend * brake * p.T_brakes;
  const T braking = min(T(asked / max(reach, 1e-9)), 1.0);
  const T lifted = select(direction == 0.0, T(0.0), T(p.coast * (1.0 - pedal)));
  const T back = max(braking, lifted);  // [-] of the limits
  T done(0.0);
  for (std::size_t k = 0; k < n; ++k) {
    const Place& place = maps.places[k];
    const AxleParams<T>& a = p.axles[place.wheel / 2];
    const T command = limit[k] * sat(T(direction * pedal + against * back), -1.0, 1.0);
    e.rates.torque[k] = (command - x.torque[k]) / a.time;
    const T motor = share * x.torque[k];
    const T shaft =
        powertrain::after_losses(a.eta, a.P_0, T(a.ratio * motor), T(omega[k] / a.ratio));
    out.gear_loss = out.gear_loss + motor * omega[k] - shaft * omega[k] / a.ratio;
    out.motor_power = out.motor_power + motor * omega[k];
    out.motor_loss = out.motor_loss + share * P_loss[k];
    for (std::size_t w = place.wheel; w < place.wheel + place.wheels; ++w)
      out.torque[w] = out.torque[w] + shaft / static_cast<double>(place.wheels);
    done = done - shaft * select(mean < 0.0, T(-1.0), T(1.0));
  }
  out.blended =
      sat(T(done / max(p.T_brakes, 1e-9)), 0.0, 1.0) * select(brake > 0.0, T(1.0), T(0.0));
  out.blended = sat(T(done / max(p.T_brakes, 1e-9)), 0.0, 1.0);
  out.blended = min(out.blended, brake);
  return e;
}

}  // namespace chicane::electric
