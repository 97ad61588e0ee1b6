// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vehicle/tire/relaxation.hpp"

// Spatial rigid-ring tire: the tread band is a rigid ring with six freedoms against the rim, held
// by sidewalls; between ring and ground a residual spring carries the load and a patch slips by one
// of the laws (law.hpp, relaxation.hpp).
//
// Source: P. Zegelaar, The Dynamic Response of Tyres to Brake Torque Variations and Road
// Unevennesses (Delft 1998), in plane; J. Maurice, Short Wavelength and Dynamic Tyre Behaviour
// under Lateral and Combined Slip Conditions (Delft 2000), out of plane; H. Pacejka, Tire and
// Vehicle Dynamics, chapter 9.
//
// Everything here is in the axes of the carrier: x ahead, y along the spin axis e_H, z up.
// Positions of the ring are relative to it, velocities inertial: no acceleration of the carrier is
// needed. The rim turns with Omega, absolute, about e_H:  w_rim = (w_Hx, Omega, w_Hz).
//
//   f = -K u - D (v - v_H - w_rim x u)                    on the ring, at its centre
//   M = -k_t e_H x e (e . e_H) - (k_w theta + d_w theta') n - d_t (w - w_rim) across n
//   theta' = n . (w - w_rim)      n = (e + e_H) / (1 + e . e_H)
//
// Rim and carrier feel the opposite at the same point. Sidewalls turn with the rim, and so do their
// dampers. Springs give back what they took, exactly, however large u and the tilt of the axis e:
// theta is the twist that is left when the axis has been tilted along the shortest way.
//
// Deviations: turns are not small quantities; the residual springs are those that leave the whole
// tire as stiff as its data say (Besselink et al., Vehicle System Dynamics 48 (2010) S1, 337); the
// patch of relaxation.hpp in place of a contact body with mass.
// Docs: docs/theory/rigid_ring.md.

namespace chicane::tire {

template <class T>
struct RingParams {
  T m, I_p, I_d;  // [kg], [kg m^2] of the ring; about its axis and across it
  T k_r, d_r;     // [N/m], [N s/m] sidewalls: any way in the plane of the ring
  T k_y, d_y;     // ... along the axis
  T k_t, d_t;     // [N m/rad], [N m s/rad] tilt of the axis: camber and yaw
  T k_w, d_w;     // ... wind-up about it
};

// Or their rates.
template <class T>
struct RingStates {
  Vec3<T> u;         // [m] of its centre against that of the rim
  T camber, yaw, w;  // [rad] e_z and -e_x of its axis; wind-up
  Vec3<T> v, omega;  // [m/s], [rad/s] inertial
};

// The carrier as the ring sees it.
template <class T>
struct Rim {
  Vec3<T> v, omega;  // [m/s], [rad/s] of the carrier, at the centre of the rim
  T spin;            // [rad/s] of the rim about its axis, absolute
};

template <class T>
Vec3<T> ring_axis(const RingStates<T>& x) {
  return {-x.yaw, sqrt(max(1.0 - x.yaw * x.yaw - x.camber * x.camber, 0.01)), x.camber};
}

// --- sidewalls -----------------------------------------------------------------------------------

// Where the rim touches through the tire: a stop in the plane of the ring, from as far on as the
// sidewalls have yielded when the tire as a whole has by delta_b.
template <class T>
struct Stop {
  T way, k;  // [m], [N/m]
};
template <class T>
Stop<T> rim_stop(const Params<T>& p, const RingParams<T>& ring) {
  const Vertical<T>& z = p.vertical;
  return {z.delta_b * (z.c_1 + z.c_2 * z.delta_b) / ring.k_r, z.c_b};
}

template <class T>
struct Sidewalls {
  Vec3<T> f, M;  // [N], [N m] on the ring, at its centre
  T windup;      // [rad/s] theta'
  T taken;       // [W] by the dampers
};

template <class T>
Sidewalls<T> sidewalls(const RingParams<T>& p, const Stop<T>& stop, const RingStates<T>& x,
                       const Rim<T>& rim) {
  const Vec3<T> w_rim{rim.omega.x, rim.spin, rim.omega.z};
  const Vec3<T> slide = x.v - rim.v - cross(w_rim, x.u);
  const Vec3<T> damped{p.d_r * slide.x, p.d_y * slide.y, p.d_r * slide.z};
  const T way = sqrt(x.u.x * x.u.x + x.u.z * x.u.z);
  const auto stopped = way > stop.way;
  const T k =
      p.k_r + select(stopped, stop.k * (way - stop.way) / select(stopped, way, T(1.0)), T(0.0));
  const Vec3<T> e = ring_axis(x), turning = x.omega - w_rim;
  const T s = 1.0 / (1.0 + e.y);
  const Vec3<T> n{s * e.x, T(1.0), s * e.z};  // (e + e_H) / (1 + e . e_H)
  const T windup = dot(n, turning);
  const Vec3<T> across = turning - (windup / dot(n, n)) * n;
  const T twist = p.k_w * x.w + p.d_w * windup, tilt = p.k_t * e.y;
  return {.f = {-(k * x.u.x + damped.x), -(p.k_y * x.u.y + damped.y), -(k * x.u.z + damped.z)},
          .M = Vec3<T>{-tilt * e.z, T(0.0), tilt * e.x} - twist * n - p.d_t * across,
          .windup = windup,
          .taken = dot(damped, slide) + p.d_w * windup * windup + p.d_t * dot(across, across)};
}

// --- contact -------------------------------------------------------------------------------------

// How far the whole tire would be pressed where its ring is by delta: the residual spring is what
// is left of the curve f(delta) when the sidewalls, k_r, have yielded,
//   delta_t = delta + f(delta_t) / k_r,   f = s (c_1 delta + c_2 delta^2)
// counted from where a tire that has grown with its spin begins.
template <class T>
T whole_deflection(const Vertical<T>& p, const VerticalScale<T>& scale, const T& k_r,
                   const T& delta) {
  constexpr double kSoftest = 0.05;  // of k_r: what is left for the residual spring, at least
  const T pressed = delta + scale.growth;
  const T free = max(k_r - scale.factor * p.c_1, kSoftest * k_r);
  const T root = sqrt(max(free * free - 4.0 * scale.factor * p.c_2 * k_r * pressed,
                          (kSoftest * k_r) * (kSoftest * k_r)));
  return 2.0 * k_r * pressed / (free + root) - scale.growth;
}

// The ring as what touches the ground; R, point: axes and place of the carrier.
template <class T>
Wheel<T> ring_wheel(const RingStates<T>& x, const Mat3<T>& R, const Vec3<T>& point) {
  return {.centre = point + R * x.u,
          .e_spin = R * ring_axis(x),
          .V = {.angular = R * x.omega, .linear = R * x.v}};
}

template <class T>
Give<T> give_of(const RingParams<T>& p) {
  return {.along = 1.0 / p.k_r, .turn = 1.0 / p.k_w, .across = 1.0 / p.k_y, .tilt = 1.0 / p.k_t};
}

// Forces of the ground on the ring and rates of the patch; c: the contact of the ring itself.
template <class T, class M>
Evaluation<T> ring_contact(const Params<T>& p, const M& law, const RingParams<T>& ring,
                           Contact<T> c, const States<T>& patch, double mounted = 1.0) {
  Params<T> residual = p;
  residual.vertical.c_b = T(0.0);  // that is the rim's, see Stop
  const Give<T> give = give_of(ring);
  c.at.delta = whole_deflection(p.vertical, vertical_scale(p, law, c), ring.k_r, c.at.delta);
  return evaluate(residual, law, c, patch, mounted, &give);
}

// --- motion --------------------------------------------------------------------------------------

// With I_p about e and I_d across it, and all rates those that the carrier sees:
//   L = I_d w + (I_p - I_d) (w . e) e       L' + w_H x L = M
// on: of the ground, about the centre of the ring; g: gravity
template <class T>
RingStates<T> ring_rates(const RingParams<T>& p, const RingStates<T>& x, const Rim<T>& rim,
                         const Sidewalls<T>& walls, const Wrench<T>& on, const Vec3<T>& g) {
  const Vec3<T> e = ring_axis(x), e_rate = cross(x.omega - rim.omega, e);
  const T more = p.I_p - p.I_d, spin = dot(x.omega, e);
  const Vec3<T> L = p.I_d * x.omega + more * spin * e;
  const Vec3<T> N =
      walls.M + on.moment - cross(rim.omega, L) - more * (dot(x.omega, e_rate) * e + spin * e_rate);
  return {.u = x.v - rim.v - cross(rim.omega, x.u),
          .camber = e_rate.z,
          .yaw = -e_rate.x,
          .w = walls.windup,
          .v = (1.0 / p.m) * (walls.f + on.force) + g - cross(rim.omega, x.v),
          .omega = (1.0 / p.I_d) * (N - (more / p.I_p) * dot(N, e) * e)};
}

// What the tire does to its rim, about the centre of the rim: the part about e_H turns the rim.
template <class T>
Wrench<T> on_rim(const Sidewalls<T>& walls, const RingStates<T>& x) {
  return {.moment = -walls.M - cross(x.u, walls.f), .force = -walls.f};
}

// --- energy --------------------------------------------------------------------------------------

template <class T>
T kinetic_energy(const RingParams<T>& p, const RingStates<T>& x) {
  const T spin = dot(x.omega, ring_axis(x));
  return 0.5 *
         (p.m * dot(x.v, x.v) + p.I_d * dot(x.omega, x.omega) + (p.I_p - p.I_d) * spin * spin);
}

// Of the sidewalls.
template <class T>
T elastic_energy(const RingParams<T>& p, const Stop<T>& stop, const RingStates<T>& x) {
  const T in_plane = x.u.x * x.u.x + x.u.z * x.u.z;
  const T beyond = max(sqrt(in_plane) - stop.way, 0.0);
  return 0.5 *
         (p.k_r * in_plane + p.k_y * x.u.y * x.u.y + p.k_t * (x.camber * x.camber + x.yaw * x.yaw) +
          p.k_w * x.w * x.w + stop.k * beyond * beyond);
}

// Of the springs between ring and ground; c: the contact of the ring itself.
template <class T, class M>
T residual_energy(const Params<T>& p, const M& law, const RingParams<T>& ring, Contact<T> c,
                  const States<T>& x) {
  Params<T> whole = p;
  whole.vertical.c_b = T(0.0);
  const T delta = whole_deflection(p.vertical, {T(1.0), T(0.0)}, ring.k_r, c.at.delta);
  const T yielded = max(delta, 0.0) - max(c.at.delta, 0.0);  // of the sidewalls
  c.at.delta = delta;
  const T R_e = support(whole, law, c).R_e;
  const Give<T> give = give_of(ring);
  whole.c_x = stiffer(p.c_x, give.along + R_e * R_e * give.turn);
  whole.c_y = stiffer(p.c_y, give.across + c.at.r_S * c.at.r_S * give.tilt);
  return elastic_energy(whole, c, x) - 0.5 * ring.k_r * yielded * yielded;
}

}  // namespace chicane::tire
