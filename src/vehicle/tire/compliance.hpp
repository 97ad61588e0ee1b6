// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "math/table.hpp"
#include "vehicle/tire/relaxation.hpp"

// A suspension that gives way: steer and inclination by lateral force and aligning torque.
//
// Source: the paper on real-time recursive dynamics, sections 2 and 3.1 (compliance steer and
// camber as tables of measured data, used in the kinematics of the tire).
//
// The force turns the wheel and the turned wheel changes the force. The loop is cut where physics
// cuts it: the tables read the part of force and torque that is in the tire's states, c_y u_y,
// which the angles cannot change at once. Nothing is taken from the step before. Docs:
// docs/theory/tire.md.

namespace chicane::tire {

// Tables for a left wheel; a right one is its mirror image.
struct Compliance {
  Table1D steer_by_force, steer_by_torque;              // [rad] over [N], [N m]
  Table1D inclination_by_force, inclination_by_torque;  // ...
};

// Lateral force and aligning torque that the states hold, on the wheel.
template <class T>
struct Held {
  T F_y, M_z;  // [N], [N m]
};

// nominal: the contact of the wheel as the suspension alone would hold it
// mounted: see relaxation.hpp
template <class T, class M>
Held<T> held(const Params<T>& p, const M& law, const Contact<T>& nominal, const States<T>& x,
             double mounted = 1.0) {
  const Support<T> on = support(p, law, nominal);
  const Sliding<T> v = sliding(p, law, nominal, on.R_e);
  const Footprint<T> at = footprint(p, law, nominal, on.F_z, v, Slip<T>{T(0.0), x.s_y}, x, mounted);
  const auto r = responding(p, law, at, mounted);
  const Planar<T> F = limited(r.grip, {r.c_x * x.u_x, r.c_y * x.u_y});
  return {F.y, moments_of(p, law, at, r, F, mounted).z};
}

// side: +1 for a left wheel, -1 for a right one
template <class T>
WheelAngles<T> yielding(const Compliance& table, const Held<T>& held, double side) {
  const T F_y = side * held.F_y, M_z = side * held.M_z;
  return {side * (table.steer_by_force(F_y) + table.steer_by_torque(M_z)),
          side * (table.inclination_by_force(F_y) + table.inclination_by_torque(M_z))};
}

// The wheel turned by these angles; its spin goes along, its centre stays.
template <class T>
Wheel<T> yielded(const Wheel<T>& wheel, const Mat3<T>& R_WV, const WheelAngles<T>& by) {
  const Vec3<T> e_spin = turned(R_WV, wheel.e_spin, by);
  const T omega = dot(wheel.e_spin, wheel.V.angular);
  return {
      wheel.centre, e_spin, {wheel.V.angular + omega * (e_spin - wheel.e_spin), wheel.V.linear}};
}

}  // namespace chicane::tire
