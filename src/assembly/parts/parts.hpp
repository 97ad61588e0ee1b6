// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>

#include "language/block.hpp"
#include "language/sections/fields.hpp"
#include "vehicle/per_wheel.hpp"
#include "vehicle/powertrain/gearbox.hpp"

// The parts of a vehicle as blocks. Each is made from its section of the file; what is wrong there
// goes to the diagnostics of its keys, and then there is no kind.

namespace chicane {

// Type engine:        in   accelerator, clutch, gear, speed_fl ... speed_rr [rad/s], starter
//                     out  torque_fl ... torque_rr [N m] on the wheels, engine_speed [rad/s],
//                          engine_torque, gear_in_mesh, ratio, engine_running, ...
// Type wheel-torque:  in   wheel_torque [N m]
//                     out  torque_fl ... torque_rr
// What somebody who shifts knows of his gearbox.
struct ManualGearbox {
  powertrain::Gearbox gearbox;
  double idle, strongest;               // [rad/s] of the engine: idling, and at its largest power
  double engine_inertia;                // [kg m^2]
  double engine_torque, clutch_torque;  // [N m] that one gives at most and the other carries
  double shift_time;                    // [s]
  double gear;                          // at the start
  bool coupled;                         // ... with a clutch that is closed
};
struct PowertrainPart {
  BlockKindPtr kind;
  PerWheel<double> inertia{};  // [kg m^2] that its shafts add to the wheels
  std::array<std::string, 4> wheels{"fl", "fr", "rl", "rr"};  // ... which are these
  int gears = 0;                                              // forward; 0: it has no gearbox
  std::optional<ManualGearbox> manual{};
};
PowertrainPart powertrain_part(Keys& keys);

// How it starts: with wheels that turn, in the gear that its shift map then chooses, or in the
// driver's.
struct RollingStart {
  double spin = 0;      // [rad/s]
  bool drives = false;  // the driver shifts by himself
  double gear = 0;      // otherwise: where his lever is
  double clutch = 0;    // ... and his pedal, 1 is pressed
};
PowertrainPart rolling_powertrain_part(Keys& keys, const RollingStart& start);
// What the section of a driver says of it; faults are not told, for the driver's reader will.
RollingStart rolling_start(const DataSpec* driver, const Spec& spec, double spin);

// in   pedal (or pressure_front, pressure_rear [Pa]), hand, speed_fl ... speed_rr [rad/s]
// out  torque_fl ... torque_rr [N m] on the wheels
BlockKindPtr brakes_part(Keys& keys);

// A rack that is moved:        in   angle [rad] of the steering wheel (or rack_command [m],
//                                   rack_command_rate), rack_force [N] of the tie rods on the
//                                   rack; speed [m/s] if it has power assist
//                              signals  rack [m], rack_rate, rack_acceleration, hand_torque [N m]
// A rack that moves by itself: in   angle, or torque [N m] of the driver; rack [m], rack_rate,
//                                   speed [m/s]
//                              out  rack_force [N] on the rack, hand_torque, wheel_angle [rad]
// No rack:                     in   angle of the steering wheel
//                              out  left, right [rad] of the kingpins, left_rate, right_rate,
//                                   left_acceleration, right_acceleration
struct SteeringPart {
  BlockKindPtr kind;
  bool driven = true;      // the rack is moved: its motion is prescribed
  bool by_torque = false;  // the driver gives a torque, not an angle
  double rack_mass = 0;    // [kg] that pinion and motor add to a rack that moves by itself
};
SteeringPart steering_part(Keys& keys);

// in   the pose `body`; wind_x wind_y wind_z [m/s] in the world
// out  F_x F_y F_z M_x M_y M_z in the world, about the origin of the body; pressure [Pa], sideslip
BlockKindPtr aerodynamics_part(Keys& keys);

// in   x, y, yaw, speed, side_speed, yaw_rate of the chassis; if he shifts, omega_e, omega_t,
//      prop_speed and engine_running of the powertrain
// out  steering_angle [rad], accelerator, brake, hand_brake, clutch, gear, starter,
//      wheel_torque [N m], path_offset [m]
// A gear beyond `gears` is a fault; 0: nobody knows them. `manual`: the gearbox that he shifts if
// he is told to drive; without one it is enough to put the lever there.
BlockKindPtr driver_part(Keys& keys, int gears = 0, const ManualGearbox* manual = nullptr);

}  // namespace chicane
