// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "math/dual.hpp"
#include "vehicle/tire/magic_formula/formulas.hpp"
#include "vehicle/tire/magic_formula/signs.hpp"

// A Magic Formula tire at a point of its characteristics: everything the formulas give, steady.

namespace chicane::tire {

// Signs of ISO 8855 (TYDEX W).
template <class T>
struct MagicPoint {
  T F_z;    // [N] below zero counts as none
  T kappa;  // [-] -1: locked
  T alpha;  // [rad] slip angle
  T gamma;  // [rad] inclination
  T phi_t;  // [1/m] turn slip
  T v_x;    // [m/s]
  T p;      // [Pa]
};

struct MagicMode {
  bool alpha_star = false;  // tan(alpha) and sin(gamma) in place of the angles, (4.E3), (4.E4)
  bool turn_slip = false;
};

template <class T>
struct MagicResult {
  T F_x, F_y, F_z;     // [N]
  T M_x, M_y, M_z;     // [N m]
  T R_e, rho, R_l;     // [m] effective radius, deflection, loaded radius;
                       // the last two NaN where no deflection carries the load
  T length, width;     // [m] of the contact patch
  T t, M_zr;           // [m], [N m] trail, residual moment
  T mu_x, mu_y;        // [-] largest friction
  T omega;             // [rad/s]
  T C_x, C_y, C_z;     // [N/m] stiffnesses
  T K_xk, K_ya;        // [N] slip stiffness, [N/rad] cornering stiffness
  T sigma_x, sigma_y;  // [m] relaxation lengths
};

template <class T>
MagicResult<T> evaluate(const MagicCoefficients& k, const MagicPoint<T>& point, MagicMode mode,
                        const MagicSigns& signs = {});

// The load at a loaded radius, by the formula of the version: MF-Tyre 6.2 manual, Besselink et al.
// 2010 (3), which is its case without camber.
struct MagicLoad {
  double F_z, rho;
};
MagicLoad load_at(const MagicCoefficients& k, double R_l, double omega, double gamma, double dp_i,
                  double F_x, double F_y);

using MagicDual = DualN<1>;
extern template MagicResult<double> evaluate(const MagicCoefficients&, const MagicPoint<double>&,
                                             MagicMode, const MagicSigns&);
extern template MagicResult<MagicDual> evaluate(const MagicCoefficients&,
                                                const MagicPoint<MagicDual>&, MagicMode,
                                                const MagicSigns&);

}  // namespace chicane::tire
