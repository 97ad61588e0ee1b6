// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "math/scalar.hpp"

// Planar rigid-ring tire: the tread band is a rigid ring, tied to the hub by sidewall springs and
// to the road by a residual spring and a brush that slips.
//
// Source: the dual-rate Runge-Kutta paper, appendix B, equations B1 to B13 (after Zegelaar and
// Pacejka). x is forward, y up, angles counter-clockwise: a wheel that rolls forward has omega < 0,
// and rolls freely at v_x + R omega = 0.
//
// Deviations: F_N is not negative (a wheel may leave the ground); B11 is read as
//   sigma s' = -(v_x + R omega) - |v_x| s                 (a driven wheel has s > 0)
// since the printed sign and bars give growth; sigma has the floor sigma_min, because B12 gives 0
// in full sliding. Docs: docs/theory/planar_rigid_ring.md.

namespace chicane::planar_rigid_ring {

template <class T>
struct Params {
  T m, I, R;           // [kg], [kg m^2], [m] ring: mass, inertia, radius
  T K_x, C_x;          // [N/m], [N s/m] sidewall, along x
  T K_y, C_y;          // ... along y
  T K_theta, C_theta;  // [N m/rad], [N m s/rad] sidewall, torsion
  T K_res, C_res;      // [N/m], [N s/m] residual spring between ring and road
  T y_0;               // [m] height of the ring's centre above the road, residual spring relaxed
  T a, c_px, mu;       // [m], [N/m^2], [-] static relaxation length, tread stiffness, friction
  T c_rr;              // [m] rolling resistance: torque over load
  T sigma_min;         // [m] floor of the relaxation length
  T g;                 // [m/s^2]
};

// Of a rigid body in the plane: the ring's, or the hub's.
template <class T>
struct Pose {
  T x, y, theta;  // [m], [m], [rad]
};
template <class T>
struct Velocity {
  T x, y, theta;  // [m/s], [m/s], [rad/s]
};
template <class T>
struct Wrench {
  T x, y, theta;  // [N], [N], [N m]
};

// What the sidewall does to the hub; the ring feels the opposite. B1 to B3 without what is not
// tire.
//   offset, slide: of the ring relative to the hub
template <class T>
Wrench<T> sidewall(const Params<T>& p, const Pose<T>& offset, const Velocity<T>& slide) {
  return {p.K_x * offset.x + p.C_x * slide.x,  //
          p.K_y * offset.y + p.C_y * slide.y,  //
          p.K_theta * offset.theta + p.C_theta * slide.theta};
}

// What the road does to the ring.
template <class T>
struct Contact {
  T F_N;     // [N] load, upward
  T F_road;  // [N] along x
  T sigma;   // [m] relaxation length
};

// B4 to B7, B12, B13. With z = (2/3) c_px a^2 |s| / (mu F_N), at most 1, the brush gives
//   F_road = 2 c_px a^2 s (1 - z + z^2/3)      dF_road/ds = 2 c_px a^2 (1 - z)^2 = 2 a c_px sigma
// which is B6 without its absolute values, and B7 from z = 1 on.
template <class T>
Contact<T> contact(const Params<T>& p, const T& y_R, const T& v_y, const T& s, const T& y_road) {
  const T spring = -p.K_res * (y_R - y_road - p.y_0) - p.C_res * v_y;
  const T F_N = select(spring > 0.0, spring, T(0.0));
  const T limit = p.mu * F_N;
  const T asked = (2.0 / 3.0) * p.c_px * p.a * p.a * abs(s);
  const auto adheres = asked < limit;
  const T z = select(adheres, asked / select(adheres, limit, T(1.0)), T(1.0));
  const T brush = 2.0 * p.c_px * p.a * p.a * s * (1.0 - z + z * z / 3.0);
  const T F_road = select(adheres, brush, select(s < 0.0, -limit, limit));
  const T sigma = p.a * (1.0 - z) * (1.0 - z);
  return {F_N, F_road, max(sigma, p.sigma_min)};
}

// Accelerations of the ring and the rate of slip: B8 to B11.
//   v: of the ring, inertial;  hub: wrench of the sidewall on the hub
template <class T>
struct Rates {
  Velocity<T> v;  // [m/s^2], [rad/s^2]
  T s;            // [1/s]
};
template <class T>
Rates<T> rates(const Params<T>& p, const Velocity<T>& v, const T& s, const Wrench<T>& hub,
               const Contact<T>& road) {
  const T rolling = p.c_rr * road.F_N * sign(v.x);
  return {.v = {(road.F_road - hub.x) / p.m,  //
                (road.F_N - hub.y) / p.m - p.g, (p.R * road.F_road + rolling - hub.theta) / p.I},
          .s = -(v.x + p.R * v.theta + abs(v.x) * s) / road.sigma};
}

}  // namespace chicane::planar_rigid_ring
