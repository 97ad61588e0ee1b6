// SPDX-License-Identifier: Apache-2.0
#include "vehicle/tire/magic_formula/evaluate.hpp"

#include <cmath>
#include <limits>

namespace chicane::tire {
namespace {

using namespace magic;

// The spin that goes with the slip: omega R_e(omega) = (1 + kappa) v_x. The radius hardly grows
// with spin, so that each round gains three digits or more. First guess and end are those of
// MFeval, so that its tables are met in their last digits too.
template <class T>
T spin_of(const K& k, const T& F_z, const T& dp_i, const T& kappa, const T& v_x) {
  constexpr int kMostRounds = 50;
  const T R_0 = T(k.UNLOADED_RADIUS), v = (1.0 + kappa) * v_x;
  T R_e = 0.965 * R_0, last = R_0, omega = T(0.0);
  for (int i = 0; i < kMostRounds && std::fabs(value_of(R_e) - value_of(last)) > 1e-9; ++i) {
    last = R_e;
    omega = v / R_e;
    R_e = rolling_radius(k, R_0, F_z, dp_i, omega);
  }
  return omega;
}

template <class T>
Seen<T> seen(const K& k, const MagicPoint<T>& at, const T& F_z, const T& dp_i, const T& omega,
             MagicMode mode) {
  const T way = sign(at.v_x), speed = abs(at.v_x), tangent = tan(at.alpha);
  Seen<T> s;
  s.F_z = F_z;
  s.df_z = (F_z - F_z0(k)) / F_z0(k);
  s.dp_i = dp_i;
  s.kappa = at.kappa;
  s.alpha = mode.alpha_star ? T(tangent * way) : at.alpha;
  s.gamma = at.gamma;
  s.gamma_star = mode.alpha_star ? T(sin(at.gamma)) : at.gamma;
  s.tan_alpha = tangent;
  const T v = speed * sqrt(1.0 + tangent * tangent);
  s.cos_alpha = at.v_x / (v + kTiny);  // (4.E6), (4.E6a)
  s.cos_residual = cos(s.alpha);
  s.way = way;
  // Slow wheels turn as if they rolled at VXLOW, page 184.
  const T guarded = select(speed < k.VXLOW, k.VXLOW * select(at.v_x < 0.0, T(-1.0), T(1.0)), v);
  s.phi_t = at.phi_t;
  s.phi = -at.phi_t - (1.0 - k.PECP1 * (1.0 + k.PECP2 * s.df_z)) * omega * sin(at.gamma) / guarded;
  s.mu = T(1.0);
  s.fade = s.ply = T(1.0);
  s.R_0 = T(k.UNLOADED_RADIUS);
  s.turn_slip = mode.turn_slip;
  s.printed = true;
  return s;
}

// What a wheel that hardly rolls, or is driven backwards by its brake, has of the moment. MFeval.
template <class T>
T rolling_moment(const K& k, const Seen<T>& s, const T& F_x, const T& v_x) {
  const T M = rolling_resistance(k, s, F_x, v_x) * s.way;
  const T speed = abs(v_x), moves = select(speed > 0.0, speed, T(1.0));
  const T high = k.VXLOW / moves - 1.0, low = -1.0 - k.VXLOW - high;
  const T slow = sin(0.5 * std::numbers::pi * (s.kappa + 1.0) / (high + 1.0));
  return select(s.kappa < low, -M, select(s.kappa > high, M, M * slow));
}

// Half length and width. The length of 5.2 files without one is MFeval's fit to MF-Tyre.
template <class T>
void contact_patch(const K& k, const T& load, const T& dp_i, MagicResult<T>& r) {
  const double R_0 = k.UNLOADED_RADIUS;
  const T C_z = vertical_stiffness(k) * (1.0 + k.PFZ1 * dp_i);
  const T F_z = min(load, (R_0 - k.RIM_RADIUS - k.BOTTOM_OFFST) * C_z);
  if (k.version == MagicVersion::v52) {
    double Q_1 = k.Q_A1, Q_2 = k.Q_A2;
    if (Q_1 == 0.0 && Q_2 == 0.0) {
      const double y = std::log10(R_0 * vertical_stiffness(k) / k.FNOMIN);
      Q_1 = ((-0.0388 * y + 0.2509) * y - 0.6283) * y + 0.6279;
      Q_2 = 1.693 * Q_1 * Q_1;
    }
    const T f = F_z / k.FNOMIN;
    r.length = 2.0 * R_0 * (Q_2 * f + Q_1 * sqrt(f));
    r.width = T(k.WIDTH);
    return;
  }
  const T d = F_z / (C_z * R_0);
  r.length = 2.0 * R_0 * (k.Q_RA2 * d + k.Q_RA1 * sqrt(d));
  r.width = 2.0 * k.WIDTH * (k.Q_RB2 * d + k.Q_RB1 * cbrt(d));
}

double Q_FZ1(const K& k) {
  const double c = vertical_stiffness(k) * k.UNLOADED_RADIUS / k.FNOMIN;
  return std::sqrt(c * c - 4.0 * k.Q_FZ2);
}

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

// The deflection of 5.2 and 6.1, where the formula can be turned round. NaN: forces along the
// ground so large that no deflection carries the load.
double deflection_61(const K& k, double F_z, double omega, double dp_i, double F_x, double F_y) {
  const double x = k.Q_FCX * F_x / k.FNOMIN, y = k.Q_FCY * F_y / k.FNOMIN;
  const double factor =
      (1.0 + k.Q_V2 * k.UNLOADED_RADIUS / k.LONGVL * std::fabs(omega) - x * x - y * y) *
      (1.0 + k.PFZ1 * dp_i) * k.FNOMIN;
  const double a = k.Q_FZ2, b = Q_FZ1(k), c = F_z / factor;
  if (!(factor > 0.0) || !(b * b + 4.0 * a * c >= 0.0)) return kNone;
  // 2 c / (b + sqrt(...)) is the same root and has no trouble where a vanishes.
  return std::fmax(2.0 * c / (b + std::sqrt(b * b + 4.0 * a * c)) * k.UNLOADED_RADIUS, 0.0);
}

// The loaded radius of 6.2 from the free one by steps, then by halves: inwards, or outwards where
// an inclined tire that stands on its shoulder carries the load already. NaN: as above.
double loaded_radius_by_steps(double R, const auto& missing) {
  const double step = 0.005 * R;
  const bool outwards = missing(R) >= 0.0;
  double most = R, least = R;  // load
  for (int i = 0; i < 190 && !(missing(most) >= 0.0); ++i) least = most, most -= step;
  for (int i = 0; i < 190 && outwards && missing(least) >= 0.0; ++i) most = least, least += step;
  if (!(missing(most) >= 0.0)) return kNone;
  if (missing(least) >= 0.0) return R;  // no radius carries less
  for (int i = 0; i < 60; ++i) {
    const double middle = 0.5 * (most + least);
    (missing(middle) >= 0.0 ? most : least) = middle;
  }
  return 0.5 * (most + least);
}

// By secants from 0.95 R_0 and R_0 on, to a millionth of the nominal load, as MFeval; by steps
// where they do not settle.
double loaded_radius_62(const K& k, double F_z, double omega, double gamma, double dp_i, double F_x,
                        double F_y) {
  constexpr int kMostRounds = 18;
  const auto missing = [&](double R_l) {
    return load_at(k, R_l, omega, gamma, dp_i, F_x, F_y).F_z - F_z;
  };
  const double R = free_radius(k, k.UNLOADED_RADIUS, omega);
  double a = 0.95 * k.UNLOADED_RADIUS, b = k.UNLOADED_RADIUS, y_a = missing(a), y_b = missing(b);
  for (int i = 0; i < kMostRounds; ++i) {
    const double c = b - (b - a) / (y_b - y_a) * y_b, y = missing(c);
    if (std::fabs(y) <= 1e-6 * k.FNOMIN && c > 0.0 && c < 2.0 * R) return c;
    if (std::fabs(y_b) < std::fabs(y_a)) a = b, y_a = y_b;
    b = c, y_b = y;
  }
  return loaded_radius_by_steps(R, missing);
}

template <class T>
void radii(const K& k, const MagicPoint<T>& at, const T& dp_i, MagicResult<T>& r) {
  const double F_z = value_of(r.F_z), omega = value_of(r.omega), p = value_of(dp_i);
  const double F_x = value_of(r.F_x), F_y = value_of(r.F_y), gamma = value_of(at.gamma);
  const double R = free_radius(k, k.UNLOADED_RADIUS, omega);
  double rho = 0.0, R_l = R;
  if (k.version == MagicVersion::v62) {
    R_l = loaded_radius_62(k, F_z, omega, gamma, p, F_x, F_y);
    rho = std::isnan(R_l) ? kNone : load_at(k, R_l, omega, gamma, p, F_x, F_y).rho;
  } else {
    rho = deflection_61(k, F_z, omega, p, F_x, F_y);
    R_l = std::isnan(rho) ? kNone : std::fmax(R - rho, 0.0);
  }
  if (F_z == 0.0) rho = kTiny;
  r.rho = T(rho), r.R_l = T(R_l), r.C_z = r.F_z / rho;
}

template <class T>
void relaxation(const K& k, const Seen<T>& s, MagicResult<T>& r) {
  r.C_x = k.LONGITUDINAL_STIFFNESS * stiffening(s.df_z, s.dp_i, k.PCFX1, k.PCFX2, k.PCFX3);
  r.C_y = k.LATERAL_STIFFNESS * stiffening(s.df_z, s.dp_i, k.PCFY1, k.PCFY2, k.PCFY3);
  if (k.version != MagicVersion::v52) {
    r.sigma_x = abs(r.K_xk / r.C_x), r.sigma_y = abs(r.K_ya / r.C_y);
    return;
  }
  r.sigma_x = sigma_52(k, s).x, r.sigma_y = sigma_52(k, s).y;
}

}  // namespace

MagicLoad load_at(const MagicCoefficients& k, double R_l, double omega, double gamma, double dp_i,
                  double F_x, double F_y) {
  const double R_0 = k.UNLOADED_RADIUS, R = free_radius(k, R_0, omega), q = R_l / R;
  const double S = (k.Q_FYS1 + (k.Q_FYS2 + k.Q_FYS3 * q) * q) * gamma;
  const double upright = std::fmax(R - R_l, 0.0);
  const double tread = (1.075 - 0.5 * k.ASPECT_RATIO) * k.WIDTH;
  const double whole = (k.Q_CAM1 + k.Q_CAM2 * R) * R;
  double inclined = 0.0;
  if (gamma != 0.0 && whole != 0.0) {
    const double part = (k.Q_CAM1 + k.Q_CAM2 * R_l) * R_l / whole;
    inclined = part * part * tread / 8.0 * std::fabs(std::tan(gamma)) -
               k.Q_CAM3 * upright * std::fabs(gamma);
  }
  // Not quite zero, where an exponent Q_FCY2 below zero has no value.
  const double rho = std::fmax(upright + inclined, 1e-12), d = rho / R_0;
  const double x = k.Q_FCX * F_x / k.FNOMIN;
  const double y = std::pow(d, k.Q_FCY2) * k.Q_FCY * (F_y - S) / k.FNOMIN;
  const double factor =
      (1.0 + k.Q_V2 * R_0 / k.LONGVL * std::fabs(omega) - x * x - y * y) * (1.0 + k.PFZ1 * dp_i);
  return {factor * (Q_FZ1(k) + k.Q_FZ2 * d) * d * k.FNOMIN, rho};
}

template <class T>
MagicResult<T> evaluate(const MagicCoefficients& k, const MagicPoint<T>& point, MagicMode mode,
                        const MagicSigns& signs) {
  MagicPoint<T> at = point;
  at.alpha = signs.alpha * at.alpha;
  at.gamma = signs.gamma * at.gamma;
  at.phi_t = signs.normal * at.phi_t;
  MagicResult<T> r;
  r.F_z = max(at.F_z, 0.0);
  const T dp_i = at.p / k.NOMPRES - 1.0;
  r.omega = spin_of(k, r.F_z, dp_i, at.kappa, at.v_x);
  const Seen<T> s = seen(k, at, r.F_z, dp_i, r.omega, mode);

  const Slipping<T> f = slipping(k, s);
  const PureX<T>& x = f.x;
  const PureY<T>& y = f.y;
  const T back = select(at.v_x < 0.0, T(-1.0), T(1.0));
  r.F_x = f.G_xa * back * (x.sine + x.S_Vx);
  const T turned = mode.alpha_star ? back : T(1.0);
  r.F_y = f.w.G_yk * turned * (y.sine + y.S_Vy) + f.w.S_Vyk;

  r.M_x = overturning(k, s, r.F_y);
  r.M_y = rolling_moment(k, s, r.F_x, at.v_x);
  const Aligning<T> m = aligning(k, s, y, x.K_xk, f.w.G_yk, r.F_y);
  // (4.E74): the force that acts at the trail is that of an upright wheel.
  const T at_trail = k.version == MagicVersion::v52
                         ? T(r.F_y - f.w.S_Vyk)
                         : T(f.w.G_yk * turned * (f.upright.sine + f.upright.S_Vy));
  r.M_z = -m.t * at_trail + m.M_r + m.s * r.F_x;

  const auto loaded = r.F_z > 0.0;
  r.t = m.t, r.M_zr = m.M_r;
  r.mu_x = select(loaded, x.mu_x, T(0.0)), r.mu_y = select(loaded, y.mu_y, T(0.0));
  r.K_xk = x.K_xk, r.K_ya = y.K_ya;
  r.R_e = rolling_radius(k, s.R_0, r.F_z, dp_i, r.omega);
  contact_patch(k, r.F_z, dp_i, r);
  relaxation(k, s, r);
  radii(k, at, dp_i, r);
  r.F_y = signs.normal * r.F_y;
  r.M_x = signs.gamma * r.M_x;
  r.M_z = signs.normal * r.M_z, r.M_zr = signs.normal * r.M_zr;
  r.K_ya = signs.alpha * signs.normal * r.K_ya;
  return r;
}

template MagicResult<double> evaluate(const MagicCoefficients&, const MagicPoint<double>&,
                                      MagicMode, const MagicSigns&);
template MagicResult<MagicDual> evaluate(const MagicCoefficients&, const MagicPoint<MagicDual>&,
                                         MagicMode, const MagicSigns&);

}  // namespace chicane::tire
