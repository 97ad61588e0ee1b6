// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vehicle/tire/contact.hpp"
#include "vehicle/tire/grip.hpp"
#include "vehicle/tire/vertical.hpp"

// From motion to forces, for every tire model: the patch slides on the ground and hangs on the rim
// by a spring and a damper in either direction. The deflections u are states.
//
//   F = c u + d u'                      what the patch hands to the rim
//   v_s + u' = -(v_T / f) F             how fast it slides, by the model's secant f
//
// Together, without division by a speed,
//   F = f (c u - d v_s) / (f + d v_T)   and   u' = (F - c u) / d
//
// Steady: F = f s. Rolling: relaxation length f/c. At standstill f/v_T is large and u' = -v_s: a
// spring. Sliding: f/v_T = F_S/|v_s|, which is Dahl's friction. Reverse: v_T has no sign. The patch
// takes power F^2 v_T/f >= 0, the damper d u'^2: whatever the secant, no energy is made.
//
// Sources: G. Rill, Road Vehicle Dynamics (2012), chapter 3 (first-order dynamics, the secant);
// P. van der Jagt, H. Pacejka, A. Savkoor, EAEC 1989 (deflection as the state at low speed);
// P. Dahl, Aerospace Corp. TOR-0158 (1968). Deviations: |v| is smoothed by v_0, and a force beyond
// the limit is returned to it, so that a sudden loss of load leaves none.
// Docs: docs/theory/tire.md.

namespace chicane::tire {

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
struct States {
  T u_x, u_y;  // [m] deflection of the patch against the rim
  T s_y;       // [-] lateral slip as the trail has seen it
};

// On the wheel, at the contact point; M_y about the spin axis, the others in the contact frame.
template <class T>
struct Forces {
  T F_x, F_y, F_z;  // [N]
  T M_x, M_y, M_z;  // [N m]
};

template <class T>
struct Sliding {
  T R_e;         // [m] effective rolling radius
  T v_sx, v_sy;  // [m/s] slip velocities
  T v_T;         // [m/s] reference speed
};

template <class M, class T>
Sliding<T> sliding(const Params<T>& p, const Contact<T>& c) {
  const T R_e = p.R_0 - (1.0 - p.lambda) * max(c.at.delta, 0.0);
  const T rolling = R_e * c.omega;
  const auto speed = [&](const T& v) { return sqrt(v * v + p.v_0 * p.v_0); };
  // A tread that rolls inclined bends its path towards the lean, whichever way it rolls.
  return {.R_e = R_e,
          .v_sx = c.v_x - rolling,
          .v_sy = c.v_y + p.camber_slip * c.at.sin_gamma * speed(rolling),
          .v_T = speed(M::kReference == Reference::rolling ? rolling : c.v_x)};
}

template <class T>
Load<T> patch_load(const Params<T>& p, const Contact<T>& c) {
  return {.F_z = load(p.vertical, c),
          .mu = c.at.hit.friction,
          .L = 2.0 * sqrt(p.R_0 * max(c.at.delta, 1e-12))};
}

// The rim's moments. The part with F_x makes its power F_x v_sx: the force does its work at the
// effective radius, though it acts at the distance r_S.
template <class T>
T overturning(const Params<T>& p, const Contact<T>& c, const T& F_z) {
  const T edge = 0.5 * p.w * F_z;  // the load cannot leave the width
  const T asked = p.w * p.w / 12.0 * stiffness(p.vertical, c.at.delta) * c.at.sin_gamma;
  return -p.overturning * sat(asked, -edge, edge);
}
template <class T>
T about_spin(const Params<T>& p, const Contact<T>& c, const T& R_e, const T& F_x, const T& F_z) {
  return -(R_e - c.at.r_S) * F_x - p.f_rr * F_z * p.R_0 * tanh(c.omega / p.omega_0);
}
// The trail lies behind the contact point, as seen in the direction of rolling.
template <class T, class M>
T aligning(const Params<T>& p, const M& model, const Contact<T>& c, const Load<T>& load,
           const T& s_y, const T& F_y) {
  return -trail(model, load, s_y) * tanh(c.omega / p.omega_0) * F_y;
}

template <class T, class M>
Forces<T> forces(const Params<T>& p, const M& model, const Contact<T>& c, const States<T>& x) {
  const Sliding<T> v = sliding<M>(p, c);
  const Load<T> load = patch_load(p, c);
  const Grip<T> g = combined(model, load, Slip<T>{-v.v_sx / v.v_T, -v.v_sy / v.v_T});
  const Planar<T> F =
      limited(g, {g.f_x * (p.c_x * x.u_x - p.d_x * v.v_sx) / (g.f_x + p.d_x * v.v_T),
                  g.f_y * (p.c_y * x.u_y - p.d_y * v.v_sy) / (g.f_y + p.d_y * v.v_T)});
  return {.F_x = F.x,
          .F_y = F.y,
          .F_z = load.F_z,
          .M_x = overturning(p, c, load.F_z),
          .M_y = about_spin(p, c, v.R_e, F.x, load.F_z),
          .M_z = aligning(p, model, c, load, x.s_y, F.y)};
}

// d/dt of the states, given the forces at them.
template <class M, class T>
States<T> rates(const Params<T>& p, const Contact<T>& c, const States<T>& x, const Forces<T>& F) {
  const Sliding<T> v = sliding<M>(p, c);
  return {.u_x = (F.F_x - p.c_x * x.u_x) / p.d_x,
          .u_y = (F.F_y - p.c_y * x.u_y) / p.d_y,
          .s_y = -(v.v_sy + v.v_T * x.s_y) / p.sigma};
}

// The states at which nothing changes while the wheel moves as it does.
template <class T, class M>
States<T> settled(const Params<T>& p, const M& model, const Contact<T>& c) {
  const Sliding<T> v = sliding<M>(p, c);
  const Slip<T> s{-v.v_sx / v.v_T, -v.v_sy / v.v_T};
  const Planar<T> F = steady(model, patch_load(p, c), s);
  return {F.x / p.c_x, F.y / p.c_y, s.y};
}

// The forces as the wheel body feels them, about the contact point, in the world.
template <class T>
Wrench<T> wrench(const Contact<T>& c, const Forces<T>& F) {
  return {.moment = F.M_x * c.at.R.x + F.M_y * c.e_spin + F.M_z * c.at.R.z,
          .force = c.at.R * Vec3<T>{F.F_x, F.F_y, F.F_z}};
}

// All that turns the wheel about its axis:  I omega' = T_drive + T_brake + spin_moment
template <class T>
T spin_moment(const Contact<T>& c, const Forces<T>& F) {
  return F.M_y - c.at.r_S * F.F_x + F.M_z * c.at.sin_gamma;
}

// Of the springs; the load's power is that of its spring and damper (vertical.hpp).
template <class T>
T elastic_energy(const Params<T>& p, const Contact<T>& c, const States<T>& x) {
  const Vertical<T>& z = p.vertical;
  const T delta = max(c.at.delta, 0.0), bottom = max(delta - z.delta_b, 0.0);
  return 0.5 * (p.c_x * x.u_x * x.u_x + p.c_y * x.u_y * x.u_y) +
         delta * delta * (z.c_1 / 2.0 + z.c_2 * delta / 3.0) + 0.5 * z.c_b * bottom * bottom;
}

}  // namespace chicane::tire
