// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "math/ldlt.hpp"

// A body in the plane with a solar panel hinged by a spring on either side, free in space.
//
// Source: the paper on multi-step, multirate integration (its planar spacecraft); the equations
// follow by Lagrange from, with e(phi) = (cos phi, sin phi),
//   r_R = r + d e(theta) + l e(theta + theta_R)
//   r_L = r - d e(theta) - l e(theta + theta_L)
//   T = 1/2 m_B |r'|^2 + 1/2 I_B theta'^2 + sum of 1/2 m |r_i'|^2 + 1/2 I (theta' + theta_i')^2
//   V = 1/2 k (theta_R^2 + theta_L^2)
// In the axes of the body nothing depends on where it is and how it is turned: only the rate of
// theta and the panels' angles and rates matter.

namespace chicane::planar_spacecraft {

template <class T>
struct Params {
  T m_B, I_B;  // [kg], [kg m^2] body
  T m, I;      // [kg], [kg m^2] one panel, about its centre of mass
  T d, l;      // [m] centre of the body to hinge, hinge to centre of the panel
  T k;         // [N m/rad] hinge spring
};

template <class T>
struct Panels {
  T theta_R, theta_L;  // [rad] relative to the body
  T omega_R, omega_L;  // [rad/s]
};

template <class T>
struct Acceleration {
  T x, y;              // [m/s^2] of the body's centre, in the axes of the body
  T theta;             // [rad/s^2]
  T theta_R, theta_L;  // [rad/s^2]
};

// M q'' = Q - sum of m J' b, where J q' is a panel's velocity and b its acceleration at q'' = 0.
template <class T>
Acceleration<T> acceleration(const Params<T>& p, const T& omega, const Panels<T>& panel) {
  constexpr std::size_t kX = 0, kY = 1, kTheta = 2, n = 5;
  SmallMatrix<T, n> M{};
  SmallVector<T, n> Q{};
  M[kX][kX] = M[kY][kY] = p.m_B;
  M[kTheta][kTheta] = p.I_B;

  const auto add_panel = [&](std::size_t own, double side, const T& angle, const T& rate) {
    const T c = side * p.l * cos(angle), s = side * p.l * sin(angle), d = side * p.d;
    const T spin = omega + rate;
    // rows of J: velocity along x and y; turning rate
    SmallVector<T, n> Jx{}, Jy{}, Jw{};
    Jx[kX] = Jy[kY] = 1.0;
    Jx[own] = -s;
    Jy[own] = c;
    Jx[kTheta] = -s;
    Jy[kTheta] = d + c;
    Jw[kTheta] = Jw[own] = 1.0;
    const T bx = -d * omega * omega - c * spin * spin, by = -s * spin * spin;
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j <= i; ++j)
        M[i][j] += p.m * (Jx[i] * Jx[j] + Jy[i] * Jy[j]) + p.I * Jw[i] * Jw[j];
      Q[i] -= p.m * (Jx[i] * bx + Jy[i] * by);
    }
    Q[own] -= p.k * angle;
  };
  add_panel(3, 1.0, panel.theta_R, panel.omega_R);
  add_panel(4, -1.0, panel.theta_L, panel.omega_L);

  const auto q = solve_ldlt(M, Q);
  return {q[0], q[1], q[2], q[3], q[4]};
}

}  // namespace chicane::planar_spacecraft
