// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "spatial/spatial.hpp"
#include "vehicle/terrain/disc.hpp"

// How a wheel moves against the ground.
//
// Axes of ISO 8855: x forward, y left, z up. The spin axis points to the left, so that a wheel that
// rolls forward has omega > 0. All of it belongs to one instant: pose, velocity and contact frame.
// Docs: docs/theory/tire.md.

namespace chicane::tire {

// The wheel as a body, its spin included: omega is absolute.
template <class T>
struct Wheel {
  Vec3<T> centre;  // [m]
  Vec3<T> e_spin;  // unit, to the left
  Motion<T> V;     // of the body, at its centre, in the world
};

template <class T>
struct Contact {
  terrain::DiscContact<T> at;
  Vec3<T> e_spin;
  T omega;       // [rad/s] absolute spin
  T v_x, v_y;    // [m/s] of the contact point without spin over the ground, in its plane
  T delta_rate;  // [m/s]
  T turning;     // [rad/s] of the wheel about the ground's normal, without its spin
};

// The point at the ground moves with the wheel but does not spin. On any ground
//   v_z = -cos(gamma) delta'
// because the contact point stays on the ground and the normal has no longitudinal part. Where the
// ground moves, all speeds are against it.
template <class T>
Contact<T> contact(const Wheel<T>& wheel, const terrain::DiscContact<T>& at) {
  const T omega = dot(wheel.e_spin, wheel.V.angular);
  const Vec3<T> turning = wheel.V.angular - omega * wheel.e_spin;
  const Vec3<T> v = cross_add(turning, at.p - wheel.centre, wheel.V.linear) - at.hit.velocity;
  return {.at = at,
          .e_spin = wheel.e_spin,
          .omega = omega,
          .v_x = dot(at.R.x, v),
          .v_y = dot(at.R.y, v),
          .delta_rate = -dot(at.R.z, v) / at.cos_gamma,
          .turning = dot(at.R.z, turning)};
}

// Directions of a wheel in its vehicle, with the signs of ISO 8855.
template <class T>
struct WheelAngles {
  T steer;        // [rad] about the vehicle's z axis; positive turns left
  T inclination;  // [rad] positive: the top leans to the right
};
template <class T>
WheelAngles<T> wheel_angles(const Mat3<T>& R_WV, const Vec3<T>& e_spin) {
  const Vec3<T> e = transposed_times(R_WV, e_spin);
  return {atan2(-e.x, e.y), asin(sat(e.z, -1.0, 1.0))};
}

// The same as seen from the vehicle's middle. side: +1 for a left wheel, -1 for a right one.
template <class T>
T toe_in(const WheelAngles<T>& angles, double side) {
  return -side * angles.steer;
}
// Positive if the top leans outward.
template <class T>
T camber(const WheelAngles<T>& angles, double side) {
  return -side * angles.inclination;
}

// The spin axis turned further: first inclined about the vehicle's x axis, then steered about z.
template <class T>
Vec3<T> turned(const Mat3<T>& R_WV, const Vec3<T>& e_spin, const WheelAngles<T>& by) {
  const Vec3<T> e = transposed_times(R_WV, e_spin);
  const T c = cos(by.inclination), s = sin(by.inclination);
  const Vec3<T> inclined{e.x, c * e.y - s * e.z, s * e.y + c * e.z};
  const T cz = cos(by.steer), sz = sin(by.steer);
  return R_WV *
         Vec3<T>{cz * inclined.x - sz * inclined.y, sz * inclined.x + cz * inclined.y, inclined.z};
}

}  // namespace chicane::tire
