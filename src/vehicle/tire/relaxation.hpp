// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vehicle/tire/secant.hpp"

// From motion to forces, for every tire model: the patch slides on the ground and hangs on the rim
// by a spring and a damper in either direction. The deflections u are states.
//
//   F = c u + d u'                      what the patch hands to the rim
//   v_s + u' = -(v_T / f) (F - F_0)     how fast it slides, by the law's secant f from the force
//                                       F_0 that it has without slip (law.hpp)
// Together, without division by a speed,
//   F = (f (c u - d v_s) + d v_T F_0) / (f + d v_T)   and   u' = (F - c u) / d
//
// Steady: F = F_0 + f s. Rolling: relaxation length f/c. At standstill f/v_T is large and u' =
// -v_s: a spring. Sliding: f/v_T = F_S/|v_s|, which is Dahl's friction. Reverse: v_T has no sign.
// The patch takes power F (F - F_0) v_T/f, the damper d u'^2: without F_0, whatever the secant, no
// energy is made.
//
// Sources: G. Rill, Road Vehicle Dynamics (2012), chapter 3 (first-order dynamics, the secant);
// P. van der Jagt, H. Pacejka, A. Savkoor, EAEC 1989 (deflection as the state at low speed);
// P. Dahl, Aerospace Corp. TOR-0158 (1968). Deviations: |v| is smoothed by v_0, and a force beyond
// the limit is returned to it, so that a sudden loss of load leaves none.
// Docs: docs/theory/tire.md.

namespace chicane::tire {

template <class T>
struct States {
  T u_x, u_y;  // [m] deflection of the patch against the rim
  T s_y;       // [-] lateral slip as the moments have seen it
  T turn{};    // [1/m] turn slip as they have seen it
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

template <class T, class M>
Sliding<T> sliding(const Params<T>& p, const M& /*law*/, const Contact<T>& c, const T& R_e) {
  const T rolling = R_e * c.omega;
  const auto speed = [&](const T& v) { return sqrt(v * v + p.v_0 * p.v_0); };
  Sliding<T> v{.R_e = R_e,
               .v_sx = c.v_x - rolling,
               .v_sy = c.v_y,
               .v_T = speed(M::kReference == Reference::rolling ? rolling : c.v_x)};
  // A tread that rolls inclined bends its path towards the lean, whichever way it rolls.
  if constexpr (SecantLaw<M, T>) v.v_sy += p.camber_slip * c.at.sin_gamma * speed(rolling);
  return v;
}
template <class T, class M>
Sliding<T> sliding(const Params<T>& p, const M& law, const Contact<T>& c) {
  return sliding(p, law, c, support(p, law, c).R_e);
}

template <class T>
Slip<T> slip_of(const Sliding<T>& v) {
  return {-v.v_sx / v.v_T, -v.v_sy / v.v_T};
}

// A law has no sides or is told of a wheel as if it were on its own side.
//   mounted: +1 as measured, -1 as its mirror image
template <class T, class M>
Footprint<T> footprint(const Params<T>& p, const M& law, const Contact<T>& c, const T& F_z,
                       const Sliding<T>& v, const Slip<T>& s, const States<T>& x, double mounted) {
  Footprint<T> at{.load = {.F_z = F_z,
                           .mu = c.at.hit.friction,
                           .L = 2.0 * sqrt(p.R_0 * max(c.at.delta, 1e-12))},
                  .slip = s,
                  .trail_slip = x.s_y,
                  .turn_slip = x.turn,
                  .sin_gamma = c.at.sin_gamma,
                  .deflection = c.at.delta,
                  .pressure = T(0.0),
                  .v_x = c.v_x,
                  .v_T = v.v_T,
                  .omega = c.omega};
  if constexpr (requires { law.pressure; }) at.pressure = law.pressure;
  if constexpr (!SecantLaw<M, T>) {
    at.slip.y = mounted * at.slip.y;
    at.trail_slip = mounted * at.trail_slip;
    at.turn_slip = mounted * at.turn_slip;
    at.sin_gamma = mounted * at.sin_gamma;
  }
  return at;
}

// What a law says of a footprint, on the side where the wheel is.
template <class T, class M>
auto responding(const Params<T>& p, const M& law, const Footprint<T>& at, double mounted) {
  auto r = response(p, law, at);
  if constexpr (!SecantLaw<M, T>) {
    r.grip = leaving(r.grip, steady(r, at.slip));
    r.at_no_slip.y = mounted * r.at_no_slip.y;
  }
  return r;
}
template <class T, class M>
Moments<T> moments_of(const Params<T>& p, const M& law, const Footprint<T>& at, const auto& r,
                      const Planar<T>& F, double mounted) {
  if constexpr (SecantLaw<M, T>) {
    return moments(p, law, at, r, F);
  } else {
    const Planar<T> seen{F.x, mounted * F.y};
    const Moments<T> m = [&] {
      if constexpr (requires { moments(p, law, at, r, seen); })
        return moments(p, law, at, r, seen);
      else
        return moments(p, law, at, seen);
    }();
    return {mounted * m.x, m.y, mounted * m.z};
  }
}

// The patch turned against the ground. Rolling, the turn slip follows over a way; on the
// spot it is a spring that slips from the limit on (Dahl's friction, with a sharper knee).
template <class T>
T turn_rate(const Response<T>& r, const Contact<T>& c, const T& v_T, const T& turn) {
  const T q = turn / r.turn_limit;
  return -(c.turning + v_T * turn + abs(c.turning) * q * q * q * q * q) / r.sigma_turn;
}

template <class T>
struct Evaluation {
  Forces<T> F;
  States<T> rates;  // d/dt of the states
};

// What gives between patch and rim beside the patch's own springs, as a rigid ring's sidewalls do
// (rigid_ring.hpp): a law's stiffnesses are those of the whole tire.
template <class T>
struct Give {
  T along, turn;   // [m/N], [rad/(N m)] under a longitudinal force
  T across, tilt;  // ... a lateral one
};
// The spring that, in series with something that gives that much, is as stiff as c; no more than
// twenty times c.
template <class T>
T stiffer(const T& c, const T& give) {
  return c / max(1.0 - c * give, 0.05);
}

// The rim's moment about the axis: the part with F_x makes its power F_x v_sx. The force does its
// work at the effective radius, though it acts at the distance r_S.
template <class T, class M>
Evaluation<T> evaluate(const Params<T>& p, const M& law, const Contact<T>& c, const States<T>& x,
                       double mounted = 1.0, const Give<T>* give = nullptr) {
  const Support<T> on = support(p, law, c);
  const Sliding<T> v = sliding(p, law, c, on.R_e);
  const Footprint<T> at = footprint(p, law, c, on.F_z, v, slip_of(v), x, mounted);
  auto r = responding(p, law, at, mounted);
  if (give != nullptr) {
    r.c_x = stiffer(r.c_x, give->along + on.R_e * on.R_e * give->turn);
    r.c_y = stiffer(r.c_y, give->across + c.at.r_S * c.at.r_S * give->tilt);
  }
  const Grip<T>& g = r.grip;
  const T slack_x = p.d_x * v.v_T, slack_y = p.d_y * v.v_T;
  const Planar<T> F = limited(
      g,
      {(g.f_x * (r.c_x * x.u_x - p.d_x * v.v_sx) + slack_x * r.at_no_slip.x) / (g.f_x + slack_x),
       (g.f_y * (r.c_y * x.u_y - p.d_y * v.v_sy) + slack_y * r.at_no_slip.y) / (g.f_y + slack_y)});
  const Moments<T> m = moments_of(p, law, at, r, F, mounted);
  return {.F = {.F_x = F.x,
                .F_y = F.y,
                .F_z = on.F_z,
                .M_x = m.x,
                .M_y = m.y - (on.R_e - c.at.r_S) * F.x,
                .M_z = m.z},
          .rates = {.u_x = (F.x - r.c_x * x.u_x) / p.d_x,
                    .u_y = (F.y - r.c_y * x.u_y) / p.d_y,
                    .s_y = -(v.v_sy + v.v_T * x.s_y) / r.sigma,
                    .turn = turn_rate(r, c, v.v_T, x.turn)}};
}
template <class T, class M>
Forces<T> forces(const Params<T>& p, const M& law, const Contact<T>& c, const States<T>& x,
                 double mounted = 1.0) {
  return evaluate(p, law, c, x, mounted).F;
}

// The states at which nothing changes while the wheel moves as it does; its turn slip as for a
// wheel that rolls.
template <class T, class M>
States<T> settled(const Params<T>& p, const M& law, const Contact<T>& c, double mounted = 1.0) {
  const Support<T> on = support(p, law, c);
  const Sliding<T> v = sliding(p, law, c, on.R_e);
  const Slip<T> s = slip_of(v);
  const States<T> seen{.u_x = T(0.0), .u_y = T(0.0), .s_y = s.y, .turn = -c.turning / v.v_T};
  const Response<T> r =
      responding(p, law, footprint(p, law, c, on.F_z, v, s, seen, mounted), mounted);
  const Planar<T> F = steady(r, s);
  return {F.x / r.c_x, F.y / r.c_y, s.y, seen.turn};
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
