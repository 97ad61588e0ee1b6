#pragma once

#include <memory>

#include "system/block.hpp"
#include "system/data/fields.hpp"
#include "vehicle/per_wheel.hpp"

// The parts of a vehicle as blocks. Each is made from its section of the file; what is wrong there
// goes to the diagnostics of its keys, and then there is no kind.

namespace chicane {

using Part = std::shared_ptr<const BlockKind>;

// Type engine:        in   accelerator, clutch, gear, speed_fl ... speed_rr [rad/s]
//                     out  torque_fl ... torque_rr [N m] on the wheels, engine_speed [rad/s],
//                          engine_torque, gear_in_mesh, ratio, ...
// Type wheel-torque:  in   wheel_torque [N m]
//                     out  torque_fl ... torque_rr
struct PowertrainPart {
  Part kind;
  PerWheel<double> inertia{};  // [kg m^2] that its shafts add to the wheels
  int gears = 0;               // forward; 0: it has no gearbox
};
PowertrainPart powertrain_part(Keys& keys);
// Starts with wheels that turn at `spin` [rad/s], in the gear that its shift map then chooses.
PowertrainPart rolling_powertrain_part(Keys& keys, double spin);

// in   pedal (or pressure_front, pressure_rear [Pa]), hand, speed_fl ... speed_rr [rad/s]
// out  torque_fl ... torque_rr [N m] on the wheels
Part brakes_part(Keys& keys);

// A rack that is moved:        in   angle [rad] of the steering wheel (or rack_command [m],
//                                   rack_command_rate), rack_force [N] of the tie rods on the
//                                   rack; speed [m/s] if it has power assist
//                              signals  rack [m], rack_rate, rack_acceleration, hand_torque [N m]
// A rack that moves by itself: in   angle, or torque [N m] of the driver; rack [m], rack_rate,
//                                   speed [m/s]
//                              out  rack_force [N] on the rack, hand_torque, wheel_angle [rad]
struct SteeringPart {
  Part kind;
  bool driven = true;      // the rack is moved: its motion is prescribed
  bool by_torque = false;  // the driver gives a torque, not an angle
  double rack_mass = 0;    // [kg] that pinion and motor add to a rack that moves by itself
};
SteeringPart steering_part(Keys& keys);

// in   axes of the body x_x x_y x_z y_x y_y y_z, its velocity v_x v_y v_z omega_x omega_y omega_z,
//      wind_x wind_y wind_z [m/s]; all in the world
// out  F_x F_y F_z M_x M_y M_z in the world, about the origin of the body; pressure [Pa], sideslip
Part aerodynamics_part(Keys& keys);

// in   x, y, yaw, speed, side_speed, yaw_rate of the chassis
// out  steering_angle [rad], accelerator, brake, hand_brake, clutch, gear, wheel_torque [N m],
//      path_offset [m]
// A gear beyond `gears` is a fault; 0: nobody knows them.
Part driver_part(Keys& keys, int gears = 0);

}  // namespace chicane
