// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vehicle/tire/contact.hpp"

// The load of a tire: a spring that stiffens, a damper, the rim's stop; never a pull.
//
//   f = c_1 delta + c_2 delta^2 + c_b max(0, delta - delta_b) + d b(delta) delta'
//   F_z = max(0, f) / cos(gamma)
//
// F_z does the power -f delta' (see contact.hpp): the spring conserves energy. The damper fades in
// over the first delta_d of deflection, so that a landing has no jump; F_z keeps a kink there.

namespace chicane::tire {

template <class T>
struct Vertical {
  T c_1, c_2;      // [N/m], [N/m^2]
  T d;             // [N s/m]
  T delta_d;       // [m] deflection from which the damper acts fully, > 0
  T delta_b, c_b;  // [m], [N/m] deflection at which the rim touches, its stiffness
};

// From the slopes c_N and c_2N of the curve at the loads F_N and 2 F_N (Rill 2012, chapter 3):
// along f = c_1 delta + c_2 delta^2 the slope is sqrt(c_1^2 + 4 c_2 f). Needs c_2N < sqrt(2) c_N.
template <class T>
struct Spring {
  T c_1, c_2;
};
template <class T>
Spring<T> spring_from_slopes(const T& c_N, const T& c_2N, const T& F_N) {
  return {sqrt(2.0 * c_N * c_N - c_2N * c_2N), (c_2N * c_2N - c_N * c_N) / (4.0 * F_N)};
}

// 0 to 1 over the first delta_d, with slope 0 at both ends.
template <class T>
T touching(const Vertical<T>& p, const T& delta) {
  const T b = sat(delta / p.delta_d, 0.0, 1.0);
  return b * b * (3.0 - 2.0 * b);
}

template <class T>
T stiffness(const Vertical<T>& p, const T& delta) {
  return p.c_1 + 2.0 * p.c_2 * delta + select(delta > p.delta_b, p.c_b, T(0.0));
}

template <class T>
T load(const Vertical<T>& p, const Contact<T>& contact) {
  const T delta = max(contact.at.delta, 0.0);
  const T spring = delta * (p.c_1 + p.c_2 * delta) + p.c_b * max(delta - p.delta_b, 0.0);
  const T f = spring + p.d * touching(p, delta) * contact.delta_rate;
  return select(contact.at.delta > 0.0, max(f, 0.0), T(0.0)) / contact.at.cos_gamma;
}

}  // namespace chicane::tire
