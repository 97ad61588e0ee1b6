// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vehicle/tire/law.hpp"
#include "vehicle/tire/magic_formula/formulas.hpp"
#include "vehicle/tire/magic_formula/signs.hpp"

// The Magic Formula as the law of a rolling tire (vehicle/tire/law.hpp): the same formulas, with
// tangents for slip angles, and what they lack at standstill and in reverse:
//
// - Each curve is odd about its shift, so the secant from there is never negative:
//     F = f (s + S_H) + S_V   =>   at no slip  f S_H + S_V
// - Below VXLOW shifts, trail and residual moment fade with 1 - cos; ply steer changes its sign
//   with the direction of travel, camber thrust does not.
// - A wheel that turns on the spot is held by a moment up to that of (4.95), which grows at first
//   as that of a brush whose patch turns, a^2 K_ya / 3; it fades as the others rise.
// - Slip angles are not bounded: (4.E77), (4.E78) in place of (A54), (A55), cos(alpha') in place of
//   cos(alpha*).
// - The vertical spring is that of the parameters, stiffer with spin; forces along the ground do
//   not soften it.
// Docs: docs/theory/magic-formula.md.

namespace chicane::tire {

// What a file says, for all wheels that have it.
struct MagicSet {
  MagicCoefficients k;
  MagicSigns signs;                                             // of a tire on the left
  bool x = true, y = true, combined = true, turn_slip = false;  // USE_MODE
};

namespace magic {

template <class T>
struct MagicLaw {
  static constexpr auto kReference = Reference::travel;

  const MagicSet* set;
  T pressure;  // [Pa]
  T mu_0;      // [-] friction of the ground that the coefficients belong to
};

template <class T>
Seen<T> seen(const Params<T>& p, const MagicLaw<T>& law, const Footprint<T>& at) {
  const K& k = law.set->k;
  const MagicSigns& sign_of = law.set->signs;
  Seen<T> s;
  s.F_z = at.load.F_z;
  s.df_z = s.F_z / F_z0(k) - 1.0;
  s.dp_i = at.pressure / k.NOMPRES - 1.0;
  s.kappa = at.slip.x;
  s.tan_alpha = s.alpha = -sign_of.alpha * at.slip.y;
  s.gamma_star = sign_of.gamma * at.sin_gamma;
  s.gamma = asin(sat(s.gamma_star, -1.0, 1.0));
  s.way = sign(at.v_x);
  s.fade = half_cosine(T(abs(at.v_x) / k.VXLOW));
  s.ply = s.way * s.fade;
  s.cos_residual = cos_atan(s.alpha);
  s.cos_alpha = s.way * s.cos_residual;
  s.turn_slip = law.set->turn_slip;
  s.phi_t = sign_of.normal * at.turn_slip;
  s.phi = s.turn_slip ? T(-s.phi_t - (1.0 - k.PECP1 * (1.0 + k.PECP2 * s.df_z)) * at.omega *
                                         s.gamma_star / max(at.v_T, k.VXLOW))
                      : T(0.0);
  s.mu = at.load.mu / law.mu_0;
  s.R_0 = p.R_0;
  s.printed = false;
  return s;
}

// y / x of a curve that is odd, its slope at 0; nothing where the curve has come down below zero.
template <class T>
T secant(const T& y, const T& x, const T& slope) {
  const auto away = abs(x) > 1e-7;
  return max(select(away, y / select(away, x, T(1.0)), slope), 0.0);
}

// What holds a wheel that turns on the spot, and how stiffly per turn slip.
template <class T>
struct Parking {
  T moment;  // [N m]
  T length;  // [m] slope over moment
};
template <class T>
Parking<T> parking(const K& k, const Params<T>& p, const Seen<T>& s, const T& D_y, const T& K_ya) {
  const T M = k.QCRP1 * D_y * p.R_0 * sqrt(max(s.F_z / F_z0(k), 1e-9)) * k.LMP;  // (4.95)
  return {M, p.sigma * p.sigma * (abs(K_ya) + 1.0) / (3.0 * (M + 1.0))};
}

// With what its moments need of it again.
template <class T>
struct MagicResponse : Response<T> {
  Seen<T> at;
  Slipping<T> f;
  Parking<T> held;
};

// The spring, as the tire grows and stiffens with spin; radius by the formula.
template <class T>
VerticalScale<T> vertical_scale(const Params<T>& p, const MagicLaw<T>& law, const Contact<T>& c) {
  const MagicCoefficients& k = law.set->k;
  const T dp_i = law.pressure / k.NOMPRES - 1.0;
  return {(1.0 + k.Q_V2 * p.R_0 / k.LONGVL * abs(c.omega)) * (1.0 + k.PFZ1 * dp_i),
          free_radius(k, p.R_0, c.omega) - p.R_0};
}
template <class T>
Support<T> support(const Params<T>& p, const MagicLaw<T>& law, const Contact<T>& c) {
  const MagicCoefficients& k = law.set->k;
  const VerticalScale<T> scale = vertical_scale(p, law, c);
  Contact<T> grown = c;
  grown.at.delta = c.at.delta + scale.growth;
  const T dp_i = law.pressure / k.NOMPRES - 1.0;
  const T F_z = load(p.vertical, grown) * scale.factor;
  return {.F_z = F_z, .R_e = rolling_radius(k, p.R_0, F_z, dp_i, c.omega)};
}

template <class T>
MagicResponse<T> response(const Params<T>& p, const MagicLaw<T>& law, const Footprint<T>& at) {
  const MagicSet& set = *law.set;
  const MagicCoefficients& k = set.k;
  MagicResponse<T> r;
  r.at = seen(p, law, at);
  const Seen<T>& s = r.at;

  r.f = slipping(k, s);
  if (!set.combined) r.f.G_xa = T(1.0), r.f.w = {T(1.0), T(0.0)};
  const PureX<T>& x = r.f.x;
  const PureY<T>& y = r.f.y;
  const WeightY<T>& w = r.f.w;
  const T G_x = r.f.G_xa;
  const T F_x = G_x * (x.sine + x.S_Vx);
  r.grip.f_x = max(G_x, 0.0) * secant(x.sine, x.kappa_x, x.K_xk);
  const double slope = set.signs.stiffness();
  const T F_y = set.signs.normal * (w.G_yk * (y.sine + y.S_Vy) + w.S_Vyk);
  r.grip.f_y = max(w.G_yk, 0.0) * secant(T(slope * y.sine), y.alpha_y, T(slope * y.K_ya));
  r.grip.limit_x = abs(x.D_x) + abs(x.S_Vx);
  r.grip.limit_y = abs(y.D_y) + abs(y.S_Vy) + abs(w.S_Vyk);
  r.at_no_slip = {F_x - r.grip.f_x * at.slip.x, F_y - r.grip.f_y * at.slip.y};
  if (!set.x) r.grip.f_x = r.grip.limit_x = r.at_no_slip.x = T(0.0);
  if (!set.y) r.grip.f_y = r.grip.limit_y = r.at_no_slip.y = T(0.0);

  // Far from the loads of the measurement the parabolas may bend to where no spring is.
  constexpr double kSoftest = 0.1;
  r.c_x = p.c_x * max(stiffening(s.df_z, s.dp_i, k.PCFX1, k.PCFX2, k.PCFX3), kSoftest);
  r.c_y = p.c_y * max(stiffening(s.df_z, s.dp_i, k.PCFY1, k.PCFY2, k.PCFY3), kSoftest);
  if (k.version == MagicVersion::v52) {  // by its relaxation lengths, where it has any
    const auto per = [](const T& stiffness, const T& sigma, const T& c) {
      return max((abs(stiffness) + 1.0) / (max(sigma, 0.0) + 1.0 / c), kSoftest * c);
    };
    const RelaxationLengths<T> sigma = sigma_52(k, s);
    if (k.PTX1 != 0.0) r.c_x = per(x.K_xk, sigma.x, p.c_x);
    if (k.PTY1 != 0.0) r.c_y = per(y.K_ya, sigma.y, p.c_y);
  }
  r.sigma = p.sigma;
  r.sigma_turn = p.sigma;
  r.held = parking(k, p, s, y.D_y, y.K_ya);
  r.turn_limit = 5.0 / r.held.length;
  return r;
}

// Trail and residual moment are those of the slip that the moments have seen.
template <class T>
Moments<T> moments(const Params<T>& p, const MagicLaw<T>& law, const Footprint<T>& at,
                   const MagicResponse<T>& r, const Planar<T>& F) {
  const MagicSet& set = *law.set;
  const MagicCoefficients& k = set.k;
  const double normal = set.signs.normal;
  const PureY<T>&y = r.f.y, &upright = r.f.upright;
  const WeightY<T>& w = r.f.w;
  Moments<T> m{T(0.0), T(0.0), T(0.0)};
  if (set.x) {
    m.y = rolling_resistance(k, r.at, F.x, at.v_x) * half_sine(T(at.omega * p.R_0 / k.VXLOW));
  }
  if (!set.y) return m;
  const T F_y = normal * F.y;
  m.x = set.signs.gamma * overturning(k, r.at, F_y);
  // What the force has beside that of an upright wheel, which acts at the trail, (4.E74).
  T beside = w.S_Vyk;
  if (k.version != MagicVersion::v52)
    beside = beside + w.G_yk * (y.sine + y.S_Vy - upright.sine - upright.S_Vy);
  Seen<T> s = r.at;
  s.tan_alpha = s.alpha = -set.signs.alpha * at.trail_slip;
  s.cos_residual = cos_atan(s.alpha);
  s.cos_alpha = s.way * s.cos_residual;
  const Aligning<T> a = aligning(k, s, y, r.f.x.K_xk, w.G_yk, F_y);
  m.z = normal * (-a.t * (F_y - beside) + a.M_r + a.s * F.x) +
        (1.0 - s.fade) * r.held.moment * (2.0 / std::numbers::pi) *
            arctan(0.5 * std::numbers::pi * r.held.length * at.turn_slip);
  return m;
}

}  // namespace magic

using magic::MagicLaw;

}  // namespace chicane::tire
