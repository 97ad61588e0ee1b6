// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "math/scalar.hpp"
#include "vehicle/friction/bristle.hpp"

// Differential between two wheels, or between two axles: it gives both outputs fixed shares of its
// torque, and a coupling takes torque from the faster to the slower one.
//
//   omega_in = ratio (share omega_1 + (1 - share) omega_2)        virtual work of the fixed shares
//   T_1 = ratio share T_in - T_c        T_2 = ratio (1 - share) T_in + T_c
//   T_c = c d + F friction(zeta, d)     d = omega_1 - omega_2      F = T_0 + kappa |ratio T_in|
//
//   open:          c = T_0 = kappa = 0
//   locked:        T_0 beyond what wheels can take up
//   limited slip:  c by speed (viscous), kappa by torque (plates pressed by the gears), T_0 preload
// Docs: docs/theory/powertrain.md.

namespace chicane::powertrain {

template <class T>
struct DifferentialParams {
  T ratio;                      // [-] input over mean output speed
  T share;                      // [-] of the torque, to the first output
  T c;                          // [N m s/rad]
  T T_0;                        // [N m]
  T kappa;                      // [-]
  bristle::Params<T> friction;  // of the plates
};

template <class T>
T input_speed(const DifferentialParams<T>& p, const T& omega_1, const T& omega_2) {
  return p.ratio * (p.share * omega_1 + (1.0 - p.share) * omega_2);
}

template <class T>
struct DifferentialOut {
  T T_1, T_2;  // [N m]
  T loss;      // [W] into the coupling
};

template <class T>
DifferentialOut<T> differential(const DifferentialParams<T>& p, const T& T_in, const T& zeta,
                                const T& omega_1, const T& omega_2) {
  const T d = omega_1 - omega_2, torque = p.ratio * T_in;
  const T F = p.T_0 + p.kappa * abs(torque);
  const T T_c = p.c * d + F * bristle::force(p.friction, zeta, d);
  return {p.share * torque - T_c, (1.0 - p.share) * torque + T_c, T_c * d};
}

template <class T>
struct ReflectedInertia {
  T J_1, J_2;  // [kg m^2]
};

// An inertia J at the input as parts of the outputs' inertias: the same energy while both outputs
// turn alike.
template <class T>
ReflectedInertia<T> reflected_inertia(const DifferentialParams<T>& p, const T& J) {
  const T both = p.ratio * p.ratio * J;
  return {p.share * both, (1.0 - p.share) * both};
}

}  // namespace chicane::powertrain
