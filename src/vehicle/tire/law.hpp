// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>

#include "vehicle/tire/contact.hpp"
#include "vehicle/tire/grip.hpp"
#include "vehicle/tire/vertical.hpp"

// What a law of tire forces is: from contact to forces, moments, radius and relaxation.
//
//   M::kReference                                        the speed its slips are divided by
//   Support<T>  support(Params, M, Contact)              load and effective radius
//   Response<T> response(Params, M, Footprint)           forces over slip, also at no slip
//   Moments<T>  moments(Params, M, Footprint, Planar F)  three moments, given both forces
//   VerticalScale<T> vertical_scale(Params, M, Contact)  what support makes of the curve of load
//
// A law whose moments need again what its response has found returns a type derived from Response,
// which `moments` then takes before F.
//
// They are found by the types of their arguments, at compile time: no call in an evaluation is
// virtual. `support` and `vertical_scale` have defaults, below. A law that is odd in its slips and
// symmetric has less to say: secants and a trail, see secant.hpp.
//
// A law sees a tire mounted as it was measured. One on the other side of the vehicle is its mirror
// image, which relaxation.hpp makes of it. Docs: docs/theory/tire.md.

namespace chicane::tire {

// What every tire has, whatever its law.
template <class T>
struct Params {
  T R_0, w;  // [m] unloaded radius, width
  T lambda;  // [-] weight of R_0 in the effective radius; about 2/3
  Vertical<T> vertical;
  T c_x, d_x;     // [N/m], [N s/m] patch to rim, longitudinal; both > 0
  T c_y, d_y;     // ... lateral
  T sigma;        // [m] way over which the trail follows the slip
  T camber_slip;  // [-] lateral slip a rolling wheel behaves as if it had, per inclination
  T f_rr;         // [-] rolling resistance: moment over load and R_0
  T omega_0;      // [rad/s] spin over which moments of rolling change their sign
  T v_0;          // [m/s] floor of the reference speed: v_0 times slip is the creep at standstill
  T overturning = T(1.0);  // [-] share of the overturning moment
};

template <class T>
struct Support {
  T F_z;  // [N]
  T R_e;  // [m] effective rolling radius
};

// The patch as a law sees it.
template <class T>
struct Footprint {
  Load<T> load;  // with friction and length
  Slip<T> slip;  // s = -v_s / v_T
  T trail_slip;  // [-] lateral slip as the moments have seen it
  T turn_slip;   // [1/m] -(turning rate about the normal) / v_T, as the moments have seen it
  T sin_gamma;   // [-] inclination
  T deflection;  // [m] negative in the air
  T pressure;    // [Pa] of the law that has one, else 0
  T v_x;         // [m/s] travel, forward
  T v_T;         // [m/s] reference speed, > 0
  T omega;       // [rad/s] spin, absolute
};

// The steady force is  F = at_no_slip + f s,  the relaxation length f / c.
template <class T>
struct Response {
  Grip<T> grip;          // f >= 0, and what no force exceeds
  Planar<T> at_no_slip;  // [N] ply steer, conicity, camber thrust
  T c_x, c_y;            // [N/m] patch to rim, > 0
  T sigma;               // [m] way over which the moments follow their slips
  // The way over which the turn slip follows, and where a wheel that turns on the spot begins to
  // slip; both > 0.
  T sigma_turn = T(1.0), turn_limit = T(1.0);  // [m], [1/m]
};

template <class T>
struct Moments {
  T x;  // [N m] overturning, about the longitudinal axis
  T y;  // ... rolling resistance, about the spin axis
  T z;  // ... aligning, about the normal
};

template <class T>
struct Lengths {
  T x, y;  // [m]
};
template <class T>
Lengths<T> relaxation_lengths(const Response<T>& r) {
  return {r.grip.f_x / r.c_x, r.grip.f_y / r.c_y};
}
template <class T>
Planar<T> steady(const Response<T>& r, const Slip<T>& s) {
  return {r.at_no_slip.x + r.grip.f_x * s.x, r.at_no_slip.y + r.grip.f_y * s.y};
}

// Limits that leave the law its steady force.
template <class T>
Grip<T> leaving(const Grip<T>& g, const Planar<T>& F) {
  const T k = allowed(g, F);
  const T wider = 1.0 / select(k > 0.0, k, T(1.0));
  return {g.f_x, g.f_y, wider * g.limit_x, wider * g.limit_y};
}

// The secant of a force from its value without this slip: for laws that give forces. At no slip and
// where the curve would fall below it, the slope; the force at no slip then makes up for it.
template <class T>
struct Chord {
  T f, F_0;
};
template <class T>
Chord<T> chord(const T& F, const T& F_0, const T& s, const T& slope) {
  const auto slips = abs(s) > 1e-6;
  const T across = (F - F_0) / select(slips, s, T(1.0));
  const T f = select(slips, max(across, 0.0), slope);
  return {f, F - f * s};
}

// The moment of a load that moves to the side as the wheel inclines.
template <class T>
T overturning_of(const Params<T>& p, const Footprint<T>& at) {
  const T edge = 0.5 * p.w * at.load.F_z;  // the load cannot leave the width
  const T asked = p.w * p.w / 12.0 * stiffness(p.vertical, at.deflection) * at.sin_gamma;
  return -p.overturning * sat(asked, -edge, edge);
}

struct NoLaw {};  // for what does not depend on any

// What a law makes of the curve of the load: so many times as stiff, and the tire so much larger.
template <class T>
struct VerticalScale {
  T factor, growth;  // [-], [m]
};
template <class T, class M>
VerticalScale<T> vertical_scale(const Params<T>& /*p*/, const M& /*law*/, const Contact<T>& /*c*/) {
  return {T(1.0), T(0.0)};
}

// The spring of the parameters, and a radius between unloaded and loaded.
template <class T, class M>
Support<T> support(const Params<T>& p, const M& /*law*/, const Contact<T>& c) {
  return {.F_z = load(p.vertical, c), .R_e = p.R_0 - (1.0 - p.lambda) * max(c.at.delta, 0.0)};
}

}  // namespace chicane::tire
