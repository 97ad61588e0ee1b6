// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "assembly/parts/ground.hpp"
#include "assembly/parts/parts.hpp"

namespace chicane {

// A wheel with its tire as a block: what spins, and what touches the ground.
//
//   states   spin [rad/s], absolute about its axis; of the tire the deflections of its patch and
//            the slip that its trail has seen
//   in       the poses `hub` and `chassis`, see MountDescription; of the chassis the turning rate
//            is read, with a compliance also the axes; drive_torque, brake_torque [N m]
//   out      F_x ... M_z on the hub, about its point, without the brake's; a_x ... a_z, the spin
//            axis e about which brake and shaft turn the wheel; all in world axes
//            brake_speed, drive_speed [rad/s]: the spin against hub and chassis
//            forces, moments, slips as people read them
//
// The hub carries the wheel's mass and its inertia across the axis; the spin is its own:
//   I spin' = T_drive + T_brake + m_e      m_e: what the tire does about the axis e
//   M = m - m_e e - I_w spin (omega x e)      on the hub; the last part is gyroscopic
// Torques of brake and shaft act back on hub and chassis, by -T e. That is wired outside, so that
// no output of a wheel needs them at the same instant and they may be in a faster group.
//
// An axis that was interpolated from one time to another is brought back to length 1.
struct WheelDescription {
  double spin_inertia = 0.0;   // [kg m^2]
  double shaft_inertia = 0.0;  // ... of what turns with it
  double side = 1.0;           // 1 left, -1 right
  double spin = 0.0;           // [rad/s] at the start
  double dual = 0.0;           // [m] between the middles of two tires on one rim; 0: one tire
  double speed = 0.0;          // [m/s] of travel at the start
  double gravity = 0.0;        // [m/s^2] downwards
};

// What of a wheel is the ring of its tire, and moves by itself.
struct RingInertia {
  double mass = 0.0, spin = 0.0, cross = 0.0;  // [kg], [kg m^2] about the axis and across it
};

// A tire, as read from its section.
class TireKind {
 public:
  virtual ~TireKind() = default;
  [[nodiscard]] virtual BlockKindPtr wheel(const Ground<double>& ground,
                                           const WheelDescription& description) const = 0;
  [[nodiscard]] virtual bool compliant() const = 0;  // turns under load, and reads the chassis
  [[nodiscard]] virtual RingInertia ring() const { return {}; }  // nothing: it has none
  // Rolling radius of a wheel that stands on the ground with its hub there [m].
  [[nodiscard]] virtual double rolling_radius(const Ground<double>& ground,
                                              const Vec3<double>& hub) const = 0;
};

// `compliance`: of the suspension, may be null.
std::shared_ptr<const TireKind> read_tire(Keys& tire, Keys* compliance);

}  // namespace chicane
