// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "math/scalar.hpp"

// Dry friction that sticks: between brake and wheel, in clutches and in limited-slip differentials.
//
// Source: Dupont, Hayward, Armstrong and Altpeter, "Single state elastoplastic friction models",
// IEEE Trans. Automatic Control 47 (2002) 787. The surfaces are tied by a bristle that bends before
// it slides. As long as it is bent by less than the share zeta_e nothing slides at all, so that a
// load below does not creep, however long it lasts and however it shakes.
//
//   force = F sat(zeta + tau zeta')                 F: what it can carry, >= 0
//   zeta' = (v - alpha |v| zeta) / (s + t_r alpha |v|)
//
// alpha is the share of v that slides: 0 below zeta_e and whenever v unbends, 1 at full bend.
//
// Deviations: zeta is the bend over that at full force, since F is commanded and may be 0; the
// term t_r, ours, keeps the rate of a sliding bristle below 1/t_r at any speed, where the source
// has |v|/s. Docs: docs/theory/brakes.md.

namespace chicane::bristle {

template <class T>
struct Params {
  T s;       // [rad], [m] way from rest to full force
  T zeta_e;  // [-] elastic share of the full force, below 1
  T tau;     // [s] damping of the bristle
  T t_r;     // [s] shortest time in which a sliding bristle answers
};

// 0 below 0, 1 above 1, and a smooth rise between.
template <class T>
T smooth_step(const T& x) {
  const T y = sat(x, 0.0, 1.0);
  return y * y * (3.0 - 2.0 * y);
}

template <class T>
T sliding_share(const Params<T>& p, const T& zeta, const T& v) {
  const T alpha = smooth_step(T((abs(zeta) - p.zeta_e) / (1.0 - p.zeta_e)));
  return select(v * zeta > 0.0, alpha, T(0.0));
}

// zeta', given the speed v of one surface on the other.
template <class T>
T rate(const Params<T>& p, const T& zeta, const T& v) {
  const T alpha = sliding_share(p, zeta, v);
  const T slides = alpha * abs(v);
  return (v - slides * zeta) / (p.s + p.t_r * slides);
}

// Force against v over what the friction can carry, -1 to 1.
template <class T>
T force(const Params<T>& p, const T& zeta, const T& v) {
  return sat(T(zeta + p.tau * rate(p, zeta, v)), -1.0, 1.0);
}

}  // namespace chicane::bristle
