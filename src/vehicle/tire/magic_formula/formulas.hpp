// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <numbers>

#include "math/arctan.hpp"
#include "math/eight.hpp"
#include "vehicle/tire/magic_formula/coefficients.hpp"

// The Magic Formula, versions 5.2, 6.1 and 6.2: steady forces and moments over slip and load.
//
// Axes of ISO 8855 (TYDEX W): y left, z up; a positive slip angle has v_y > 0 and F_y < 0.
// Numbers (4.E9) and so on are equations of H. Pacejka, Tire and Vehicle Dynamics, 3rd ed. 2012;
// (A58) and so on those of I. Besselink, A. Schmeitz, H. Pacejka, An improved Magic Formula/Swift
// tyre model that can handle inflation pressure changes, Vehicle System Dynamics 48 (2010), where
// files follow them and not the book. "5.2" is the MF-Tyre 5.2 manual. What neither says is as in
// M. Furlan's MFeval, with which tables were compared. Docs: docs/theory/magic-formula.md.

namespace chicane::tire::magic {

using K = MagicCoefficients;

inline constexpr double kTiny = 1e-6;  // epsilon of (4.E6a), (4.E16), (4.E26), (4.E39)

// What the formulas see.
template <class T>
struct Seen {
  T F_z;                // [N] >= 0
  T df_z, dp_i;         // [-] (4.E2a), (4.E2b)
  T kappa;              // [-]
  T alpha;              // [rad] or its tangent: alpha* (4.E3)
  T gamma, gamma_star;  // [rad], [-] (4.E4)
  T cos_alpha;          // [-] cos(alpha') (4.E6)
  T cos_residual;       // [-] what the residual moment fades with at large slip angles
  T way;                // [-] 1 forward, -1 backward, 0 at rest
  T phi_t, phi;         // [1/m] turn slip; spin, camber included (4.76)
  T tan_alpha;          // [-]
  T mu;                 // [-] friction of the ground over that of the measurement
  T fade;               // [-] of camber thrust and moments at low speed, 1: none
  T ply;                // [-] the same of the other shifts, with the sign of the direction
  T R_0;                // [m]
  bool turn_slip;       // whether phi counts
  // True: the formulas as they are printed, for points of a table; alpha below pi / 2. False: what
  // they ask for, E <= 1, is seen to, and alpha may be any tangent.
  bool printed;
};

template <class T>
T plus_tiny(const T& x) {
  return x + select(x < 0.0, T(-kTiny), T(kTiny));
}
template <class T>
T cos_atan(const T& x) {
  return 1.0 / sqrt(1.0 + x * x);
}
// The curves below are all  sin(ahead + C atan(x - E (x - atan(x)))).
template <class T>
struct Curve {
  T x, E;
  double C = 1.0;
  T ahead = T(0.0);
};
inline constexpr double kCosine = 0.5 * std::numbers::pi;  // ahead of a sine

// Several at once: side by side in the registers of the processor.
template <class T, std::size_t N>
std::array<T, N> sines(const std::array<Curve<T>, N>& curves) {
  static_assert(N <= 8);
  std::array<T, N> y;
  const auto one = [](const Curve<T>& c) {
    return sin(c.ahead + c.C * arctan(c.x - c.E * (c.x - arctan(c.x))));
  };
  if constexpr (std::same_as<T, double> && N > 2) {
    Eight x{}, E{}, C{}, ahead{};
    for (std::size_t i = 0; i < N; ++i)
      x[i] = curves[i].x, E[i] = curves[i].E, C[i] = curves[i].C, ahead[i] = curves[i].ahead;
    Eight angle = x;
    arctan(angle);
    angle = x - E * (x - angle);
    arctan(angle);
    angle = ahead + C * angle;
    sine(angle);
    for (std::size_t i = 0; i < N; ++i) y[i] = angle[i];
  } else {
    for (std::size_t i = 0; i < N; ++i) y[i] = one(curves[i]);
  }
  return y;
}

// 0 to 1 as half a wave, from where it stays, and the same through both signs as half a sine: a
// wheel that is not slow need not ask for them.
template <class T>
T half_cosine(const T& x) {
  if constexpr (std::same_as<T, double>)
    if (x >= 1.0) return 1.0;
  return 0.5 - 0.5 * cos(std::numbers::pi * min(x, 1.0));
}
template <class T>
T half_sine(const T& x) {
  if constexpr (std::same_as<T, double>)
    if (std::fabs(x) >= 1.0) return std::copysign(1.0, x);
  return sin(0.5 * std::numbers::pi * sat(x, -1.0, 1.0));
}

template <class T>
T curvature(const Seen<T>& s, const T& E) {
  return s.printed ? E : T(min(E, 1.0));
}

inline double F_z0(const K& k) { return k.LFZO * k.FNOMIN; }  // (4.E1)

// --- longitudinal --------------------------------------------------------------------------------

template <class T>
struct PureX {
  Curve<T> curve;
  T sine;  // [N] D times it, odd in kappa_x: to be filled in
  T kappa_x;
  T S_Hx, S_Vx;
  T mu_x, D_x, K_xk;
};

// (4.E9) to (4.E18)
template <class T>
PureX<T> pure_longitudinal(const K& k, const Seen<T>& s) {
  const double LMUX = k.LMUX;
  const T gamma = k.version == MagicVersion::v52 ? T(k.LGAX * s.gamma) : s.gamma;
  T zeta_1 = T(1.0);
  if (s.turn_slip) {
    const T B_xphi =
        k.PDXP1 * (1.0 + k.PDXP2 * s.df_z) * cos_atan(T(k.PDXP3 * s.kappa));  // (4.106)
    zeta_1 = cos_atan(T(B_xphi * s.R_0 * s.phi));                             // (4.105)
  }
  PureX<T> x;
  const double C_x = k.PCX1 * k.LCX;
  x.mu_x = (k.PDX1 + k.PDX2 * s.df_z) * (1.0 + s.dp_i * (k.PPX3 + k.PPX4 * s.dp_i)) *
           (1.0 - k.PDX3 * gamma * gamma) * LMUX * s.mu;
  x.D_x = x.mu_x * s.F_z * zeta_1;
  x.K_xk = s.F_z * (k.PKX1 + k.PKX2 * s.df_z) * exp(k.PKX3 * s.df_z) *
           (1.0 + s.dp_i * (k.PPX1 + k.PPX2 * s.dp_i)) * k.LKX;
  const T B_x = x.K_xk / plus_tiny(T(C_x * x.D_x));
  x.S_Hx = (k.PHX1 + k.PHX2 * s.df_z) * k.LHX * s.ply;
  x.S_Vx = s.F_z * (k.PVX1 + k.PVX2 * s.df_z) * k.LVX * LMUX * s.mu * zeta_1 * s.ply;
  x.kappa_x = s.kappa + x.S_Hx;
  const T E_x =
      (k.PEX1 + s.df_z * (k.PEX2 + k.PEX3 * s.df_z)) * (1.0 - k.PEX4 * sign(x.kappa_x)) * k.LEX;
  x.curve = {B_x * x.kappa_x, curvature(s, E_x), C_x};
  return x;
}

// (4.E50) to (4.E57): G is the first over the second.
template <class T>
struct CurvesX {
  Curve<T> slipping, straight;
};
template <class T>
CurvesX<T> weight_longitudinal(const K& k, const Seen<T>& s) {
  const T E = curvature(s, T(k.REX1 + k.REX2 * s.df_z));
  const T B =
      (k.RBX1 + k.RBX3 * s.gamma_star * s.gamma_star) * cos_atan(T(k.RBX2 * s.kappa)) * k.LXAL;
  return {{B * (s.alpha + k.RHX1), E, k.RCX1, T(kCosine)}, {B * k.RHX1, E, k.RCX1, T(kCosine)}};
}

// --- lateral -------------------------------------------------------------------------------------

template <class T>
struct PureY {
  Curve<T> curve;
  T sine;  // [N] D times it, odd in alpha_y: to be filled in
  T alpha_y;
  T S_Hy, S_Vy;
  T mu_y, D_y, K_ya, B_y;
  double C_y;
  T zeta_2;
};

// (4.E19) to (4.E30), with spin (4.77) to (4.90). `gamma_star` may be another than that of `s`.
template <class T>
PureY<T> pure_lateral(const K& k, const Seen<T>& s, T gamma) {
  const bool old = k.version == MagicVersion::v52;
  if (old) gamma = k.LGAY * gamma;
  const double F_0 = F_z0(k);
  T zeta_2 = T(1.0), zeta_3 = T(1.0);
  if (s.turn_slip) {
    const T spin = s.R_0 * abs(s.phi);
    zeta_3 = cos_atan(T(k.PKYP1 * spin * spin));  // (4.79)
    const T B_yphi =
        k.PDYP1 * (1.0 + k.PDYP2 * s.df_z) * cos_atan(T(k.PDYP3 * s.tan_alpha));  // (4.78)
    // The root has no slope at 0; what is taken for it there does not reach the last digit.
    zeta_2 = cos_atan(T(B_yphi * (spin + k.PDYP4 * sqrt(max(spin, 1e-14)))));  // (4.77)
  }
  const T load = s.F_z / F_0;
  const T pressed = 1.0 + k.PPY2 * s.dp_i;
  const T K_0 = k.PKY1 * F_0 * (1.0 + k.PPY1 * s.dp_i) * zeta_3 * k.LKY;
  const auto K_at = [&](const T& inclined) {
    return K_0 * (1.0 - k.PKY3 * abs(inclined)) *
           sin(k.PKY4 * arctan(load / ((k.PKY2 + k.PKY5 * inclined * inclined) * pressed)));
  };
  PureY<T> y;
  y.zeta_2 = zeta_2;
  y.K_ya = K_at(gamma);
  const double LMUY = k.LMUY;
  const T S_Vyg = s.F_z * (k.PVY3 + k.PVY4 * s.df_z) * gamma * k.LKYC * LMUY * s.mu * zeta_2;
  T S_Hyg;  // of the camber
  if (old) {
    S_Hyg = k.PHY3 * gamma * k.LKYC;  // 5.2
  } else {
    const T K_yg0 = s.F_z * (k.PKY6 + k.PKY7 * s.df_z) * (1.0 + k.PPY5 * s.dp_i) * k.LKYC;
    const T K_guarded = plus_tiny(y.K_ya);
    if (s.turn_slip) {
      const T eps = k.PECP1 * (1.0 + k.PECP2 * s.df_z);  // (4.90)
      const T D = (k.PHYP2 + k.PHYP3 * s.df_z) * s.way;  // (4.86)
      const T B = K_yg0 / ((1.0 - eps) * k.PHYP1 * select(abs(D) > 0.0, D, T(1.0)) *
                           plus_tiny(K_at(T(0.0))));  // (4.88), (4.89)
      S_Hyg = D * sines<T, 1>({{{B * s.R_0 * s.phi, T(k.PHYP4), k.PHYP1}}})[0] * s.way -
              S_Vyg / K_guarded;  // (4.80), (4.84)
    } else {
      S_Hyg = (K_yg0 * gamma - S_Vyg) / K_guarded;  // (4.E27)
    }
  }
  y.S_Hy = (k.PHY1 + k.PHY2 * s.df_z) * k.LHY * s.ply + S_Hyg * s.fade;
  y.S_Vy =
      s.F_z * (k.PVY1 + k.PVY2 * s.df_z) * k.LVY * LMUY * s.mu * zeta_2 * s.ply + S_Vyg * s.fade;
  y.alpha_y = s.alpha + y.S_Hy;
  y.C_y = k.PCY1 * k.LCY;
  y.mu_y = (k.PDY1 + k.PDY2 * s.df_z) * (1.0 + s.dp_i * (k.PPY3 + k.PPY4 * s.dp_i)) *
           (1.0 - k.PDY3 * gamma * gamma) * LMUY * s.mu;
  y.D_y = y.mu_y * s.F_z * zeta_2;
  const T E_y = (k.PEY1 + k.PEY2 * s.df_z) *
                (1.0 + k.PEY5 * gamma * gamma -
                 (k.PEY3 + k.PEY4 * gamma) * select(y.alpha_y < 0.0, T(-1.0), T(1.0))) *
                k.LEY;
  y.B_y = y.K_ya / plus_tiny(T(y.C_y * y.D_y));
  y.curve = {y.B_y * y.alpha_y, curvature(s, E_y), y.C_y};
  return y;
}

template <class T>
struct WeightY {
  T G_yk, S_Vyk;
};
// (4.E58) to (4.E67): G is the first over the second, S_Vyk is D times the third.
template <class T>
struct CurvesY {
  Curve<T> slipping, straight, induced;
  T D;
};
template <class T>
CurvesY<T> weight_lateral(const K& k, const Seen<T>& s, const T& mu_y, const T& zeta_2) {
  const T S_H = k.RHY1 + k.RHY2 * s.df_z, E = curvature(s, T(k.REY1 + k.REY2 * s.df_z));
  const T B = (k.RBY1 + k.RBY4 * s.gamma_star * s.gamma_star) *
              cos_atan(T(k.RBY2 * (s.alpha - k.RBY3))) * k.LYKA;
  return {{B * (s.kappa + S_H), E, k.RCY1, T(kCosine)},
          {B * S_H, E, k.RCY1, T(kCosine)},
          {k.RVY6 * s.kappa, T(0.0), k.RVY5},
          mu_y * s.F_z * (k.RVY1 + k.RVY2 * s.df_z + k.RVY3 * s.gamma_star) *
              cos_atan(T(k.RVY4 * s.alpha)) * zeta_2 * k.LVYKA * s.fade};
}

// Both forces, each by itself and with its weight, and that of an upright wheel, (4.E74).
template <class T>
struct Slipping {
  PureX<T> x;
  PureY<T> y, upright;
  T G_xa;
  WeightY<T> w;
};
template <class T>
Slipping<T> slipping(const K& k, const Seen<T>& s) {
  Slipping<T> f{.x = pure_longitudinal(k, s),
                .y = pure_lateral(k, s, s.gamma_star),
                .upright = {},
                .G_xa = T(1.0),
                .w = {T(1.0), T(0.0)}};
  f.upright = k.version == MagicVersion::v52 ? f.y : pure_lateral(k, s, T(0.0));  // 5.2 has none
  const CurvesX<T> x = weight_longitudinal(k, s);
  const CurvesY<T> y = weight_lateral(k, s, f.y.mu_y, f.y.zeta_2);
  const auto sin_of = sines<T, 8>({{f.x.curve, f.y.curve, f.upright.curve, x.slipping, x.straight,
                                    y.slipping, y.straight, y.induced}});
  f.x.sine = f.x.D_x * sin_of[0];
  f.y.sine = f.y.D_y * sin_of[1];
  f.upright.sine = f.upright.D_y * sin_of[2];
  f.G_xa = sin_of[3] / sin_of[4];
  f.w = {sin_of[5] / sin_of[6], y.D * sin_of[7]};
  return f;
}

// --- moments -------------------------------------------------------------------------------------

// Loads below FZMIN count less: as the square of their share in M_x, as the share in M_y.
template <class T>
T faded_load(const K& k, const T& F_z) {
  return k.FZMIN > 0.0 ? T(min(F_z / k.FZMIN, 1.0)) : T(1.0);
}

// (4.E69) in the form of the draft of Besselink et al. 2010, equation (49).
template <class T>
T overturning(const K& k, const Seen<T>& s, const T& F_y) {
  const T share = faded_load(k, s.F_z);
  const T F_z = s.F_z * share * share;
  const T g = s.gamma, f = F_z / k.FNOMIN, y = F_y / k.FNOMIN;
  T bending = T(0.0);
  if (k.QSX4 != 0.0 && (k.QSX7 != 0.0 || k.QSX8 != 0.0)) {
    const T load = k.QSX6 * f;
    const auto sin_of = sines<T, 2>(
        {{{load * load, T(0.0), k.QSX5, T(kCosine)}, {k.QSX9 * y, T(0.0), k.QSX8, k.QSX7 * g}}});
    bending = k.QSX4 * sin_of[0] * sin_of[1];
  }
  const T leaning = k.QSX10 != 0.0 ? T(k.QSX10 * arctan(k.QSX11 * f) * g) : T(0.0);
  return s.R_0 * k.LMX *
         (F_z * (k.QSX1 * k.LVMX - k.QSX2 * g * (1.0 + k.PPMX1 * s.dp_i) - k.QSX12 * g * abs(g) +
                 k.QSX3 * y + bending + leaning) +
          F_y * (k.QSX13 + k.QSX14 * abs(g)));
}

// (A48), 5.2; for a wheel that rolls forward.
template <class T>
T rolling_resistance(const K& k, const Seen<T>& s, const T& F_x, const T& v_x) {
  const T F_z = s.F_z * faded_load(k, s.F_z);
  const T f = F_z / k.FNOMIN, v = abs(v_x / k.LONGVL), v2 = v * v;
  const T braked = k.QSY1 + k.QSY2 * F_x / k.FNOMIN + k.QSY3 * v + k.QSY4 * v2 * v2;
  const T c = s.printed ? braked : T(max(braked, 0.0));  // it never drives
  if (k.version == MagicVersion::v52) return -s.R_0 * F_z * k.LMY * c;
  const T loaded = select(f > 0.0, f, T(1.0));
  const T all = -s.R_0 * k.FNOMIN * k.LMY * (c + (k.QSY5 + k.QSY6 * f) * s.gamma * s.gamma) *
                pow(loaded, k.QSY7) * pow(1.0 + s.dp_i, k.QSY8);
  return select(f > 0.0, all, T(0.0));
}

template <class T>
struct Aligning {
  T t;    // [m] pneumatic trail
  T M_r;  // [N m] residual moment
  T s;    // [m] arm of F_x
};

// Turning on the spot, and what it does while the wheel moves, (4.92) to (4.104).
template <class T>
struct Spin {
  T zeta_0, zeta_6, share, D_rphi;
};
inline constexpr double kMostShare = 1.0 - 1e-12;  // where acos still has a slope
template <class T>
Spin<T> spin_moment(const K& k, const Seen<T>& s, const T& mu_y, const T& G_yk) {
  const double F_0 = F_z0(k);
  const T M_inf = k.QCRP1 * abs(mu_y) * s.R_0 * s.F_z * sqrt(s.F_z / F_0) * k.LMP;  // (4.95)
  const T D = M_inf / sin(0.5 * std::numbers::pi * k.QDRP1);                        // (4.94)
  const T eps = k.PECP1 * (1.0 + k.PECP2 * s.df_z);
  // (4.99) with the product of QDZ8 and QDZ9 that evaluations of such files have.
  const T K_zg = s.F_z * s.R_0 *
                 (k.QDZ8 * k.QDZ9 * s.df_z + k.QDZ10 + k.QDZ11 * s.df_z * abs(s.gamma)) * k.LKZC;
  const T B = K_zg / (k.QDRP1 * select(D > 0.0, D, T(1.0)) * (1.0 - eps));
  const T D_rphi = D * sin(k.QDRP1 * arctan(B * s.R_0 * s.phi_t));
  // Both go with a small turn slip: their quotient has a limit at none.
  const T turn = s.R_0 * max(abs(s.phi_t), 1e-9);
  const T M_90 = M_inf * (2.0 / std::numbers::pi) * arctan(k.QCRP2 * turn) * G_yk;  // (4.103)
  const T D_turn = abs(D * sin(k.QDRP1 * arctan(B * turn)));
  const T none = s.printed ? T(0.0) : T(kMostShare * sign(M_90));
  const T share = select(D_turn > 0.0, M_90 / select(D_turn > 0.0, D_turn, T(1.0)), none);
  return {.zeta_0 = T(0.0),
          .zeta_6 = cos_atan(T(k.QBRP1 * s.R_0 * s.phi)),  // (4.102)
          .share = s.printed ? share : T(sat(share, -kMostShare, kMostShare)),
          .D_rphi = D_rphi};
}

// cos(zeta_7 x) with zeta_7 = (2/pi) acos(share), (4.104). A share beyond 1 or -1 is more than the
// book thinks of; there the real part of the function goes on.
template <class T>
T cos_spin(const T& share, const T& x) {
  constexpr double c = 2.0 / std::numbers::pi;
  const T beyond = max(abs(share), 1.0), arccosh = log(beyond + sqrt(beyond * beyond - 1.0));
  return select(abs(share) > 1.0, cosh(c * arccosh * x) * select(share > 0.0, T(1.0), cos(2.0 * x)),
                cos(c * acos(sat(share, -1.0, 1.0)) * x));
}

// Slip angles with the part of kappa, (A54), (A55); for tangents (4.E77), (4.E78).
template <class T>
T equivalent(const Seen<T>& s, const T& alpha, const T& stretched) {
  const T a = s.printed ? T(tan(alpha)) : alpha;
  const T size = sqrt(a * a + stretched * stretched);
  return (s.printed ? T(arctan(size)) : size) * sign(alpha);
}

// (4.E33) to (4.E47), (4.E73) to (4.E78)
template <class T>
Aligning<T> aligning(const K& k, const Seen<T>& s, const PureY<T>& y, const T& K_xk, const T& G_yk,
                     const T& F_y) {
  const bool old = k.version == MagicVersion::v52;
  const T gamma = old ? T(k.LGAZ * s.gamma) : s.gamma;
  const T gamma_star = old ? T(k.LGAZ * s.gamma_star) : s.gamma_star;
  const T LMUY = k.LMUY * s.mu;
  Spin<T> spin{T(1.0), T(1.0), T(0.0), T(0.0)};
  T zeta_5 = T(1.0);
  if (s.turn_slip) {
    spin = spin_moment(k, s, y.mu_y, G_yk);
    zeta_5 = cos_atan(T(k.QDTP1 * s.R_0 * s.phi));  // (4.91)
  }
  const T K_ya = plus_tiny(y.K_ya);
  const T alpha_r = s.alpha + y.S_Hy + y.S_Vy / K_ya;
  const T alpha_t = s.alpha + k.QHZ1 + k.QHZ2 * s.df_z + (k.QHZ3 + k.QHZ4 * s.df_z) * gamma_star;
  const T stretched = K_xk / K_ya * s.kappa;
  const T B_t = (k.QBZ1 + s.df_z * (k.QBZ2 + k.QBZ3 * s.df_z)) *
                (1.0 + k.QBZ4 * gamma + k.QBZ5 * abs(gamma)) * k.LKY / LMUY;  // (A58)
  const T D_t = (k.QDZ1 + k.QDZ2 * s.df_z) * (1.0 - k.PPZ1 * s.dp_i) *
                (1.0 + k.QDZ3 * gamma + k.QDZ4 * gamma * gamma) * s.F_z * (s.R_0 / F_z0(k)) *
                k.LTR * zeta_5;  // (A60)
  const T E_t = (k.QEZ1 + s.df_z * (k.QEZ2 + k.QEZ3 * s.df_z)) *
                (1.0 + (k.QEZ4 + k.QEZ5 * gamma_star) * (2.0 / std::numbers::pi) *
                           arctan(B_t * k.QCZ1 * alpha_t));
  Aligning<T> m;
  const Curve<T> trail{B_t * equivalent(s, alpha_t, stretched), curvature(s, E_t), k.QCZ1,
                       T(kCosine)};
  m.t = D_t * sines<T, 1>({{trail}})[0] * s.cos_alpha * k.LFZO * s.fade;
  const T D_r = s.F_z * s.R_0 *
                    ((k.QDZ6 + k.QDZ7 * s.df_z) * k.LRES * y.zeta_2 +
                     ((k.QDZ8 + k.QDZ9 * s.df_z) * (1.0 + k.PPZ2 * s.dp_i) +
                      (k.QDZ10 + k.QDZ11 * s.df_z) * abs(gamma_star)) *
                         gamma_star * k.LKZC * spin.zeta_0) *
                    LMUY * s.way * s.cos_residual +
                spin.D_rphi;
  const T B_r = (k.QBZ9 * k.LKY / LMUY + k.QBZ10 * y.B_y * y.C_y) * spin.zeta_6;
  const T residual = B_r * equivalent(s, alpha_r, stretched);
  m.M_r =
      D_r * (s.turn_slip ? cos_spin(spin.share, arctan(residual)) : cos_atan(residual)) * s.fade;
  m.s = s.R_0 * (k.SSZ1 + k.SSZ2 * F_y / k.FNOMIN + (k.SSZ3 + k.SSZ4 * s.df_z) * gamma) *
        k.LS;  // (A56)
  return m;
}

// --- radius and stiffness ------------------------------------------------------------------------

inline double vertical_stiffness(const K& k) { return k.LCZ * k.VERTICAL_STIFFNESS; }

// Besselink et al. 2010, (1): the tire grows as it spins.
template <class T>
T free_radius(const K& k, const T& R_0, const T& omega) {
  const T v = omega * R_0 / k.LONGVL;
  return R_0 * (k.Q_RE0 + k.Q_V1 * v * v);
}
// ... and (7).
template <class T>
T rolling_radius(const K& k, const T& R_0, const T& F_z, const T& dp_i, const T& omega) {
  const T f = F_z / k.FNOMIN;
  return free_radius(k, R_0, omega) - k.FNOMIN / (vertical_stiffness(k) * (1.0 + k.PFZ1 * dp_i)) *
                                          (k.DREFF * arctan(k.BREFF * f) + k.FREFF * f);
}

// ... (17), (18): carcass against rim.
template <class T>
T stiffening(const T& df_z, const T& dp_i, double a, double b, double c) {
  return (1.0 + df_z * (a + b * df_z)) * (1.0 + c * dp_i);
}

template <class T>
struct RelaxationLengths {
  T x, y;  // [m]
};
// Of 5.2.
template <class T>
RelaxationLengths<T> sigma_52(const K& k, const Seen<T>& s) {
  const double peak = k.PTY2 != 0.0 ? k.PTY2 * F_z0(k) : 1.0;
  return {(k.PTX1 + k.PTX2 * s.df_z) * exp(-k.PTX3 * s.df_z) * k.LSGKP * s.R_0 * s.F_z / k.FNOMIN,
          k.PTY1 * sin(2.0 * arctan(s.F_z / peak)) * (1.0 - k.PKY3 * abs(s.gamma)) * s.R_0 *
              k.LFZO * k.LSGAL};
}

}  // namespace chicane::tire::magic
