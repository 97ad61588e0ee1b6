// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vehicle/tire/grip.hpp"

// Fiala's tire: a brush with parabolic pressure across, a simple curve along.
//
// Source: E. Fiala, VDI-Z 96 (1954); in the form with two friction coefficients and a longitudinal
// force that multibody programs use. With U falling from mu_max to mu_min at a total slip of 1,
// N = U F_z and H = max(0, 1 - C_alpha |s_y| / (3 N)),
//   F_x = C_kappa kappa   up to |kappa| = N / (2 C_kappa),   then  (N - N^2 / (4 C_kappa |kappa|))
//   F_y = N (1 - H^3)     M_z = -N w H^3 (1 - H)             each with the sign of its slip
//
// Deviation: that form combines both only through U, and exceeds the friction in combined slip.
// Here both together are limited to N. The forces have continuous slopes but for that limit
// and the end of the fall of U.

namespace chicane::tire {

template <class T>
struct Fiala {
  static constexpr Reference kReference = Reference::travel;
  T C_kappa, C_alpha;  // [N] slopes at no slip
  T mu_max, mu_min;    // [-] friction without slip, in full slip; on ground of friction mu_0
  T mu_0;              // [-]
  T w;                 // [m] scales the aligning torque: the width of the tire
};

template <class T>
T friction(const Fiala<T>& p, const Load<T>& load, const Slip<T>& s) {
  const T total = min(magnitude(s.x, s.y), 1.0);
  return load.mu / p.mu_0 * load.F_z * (p.mu_max + (p.mu_min - p.mu_max) * total);
}

// 1 without slip, 0 when the whole patch slides. limit: U F_z
template <class T>
T adhering(const Fiala<T>& p, const T& limit, const T& s_y) {
  const T asked = p.C_alpha / 3.0 * abs(s_y);
  const auto adheres = asked < limit;
  return select(adheres, 1.0 - asked / select(adheres, limit, T(1.0)), T(0.0));
}

template <class T>
Grip<T> grip(const Fiala<T>& p, const Load<T>& load, const Slip<T>& s) {
  const T limit = friction(p, load, s);

  const T elastic = p.C_kappa * abs(s.x);
  const auto slides = elastic > 0.5 * limit;
  const T r = select(slides, limit / select(slides, elastic, T(1.0)), T(2.0));
  const T f_x = p.C_kappa * r * (1.0 - 0.25 * r);

  // (1 - H^3) / (3 (1 - H)) = (1 + H + H^2) / 3
  const T H = adhering(p, limit, s.y);
  const auto sticks = H > 0.0;
  const T f_y =
      select(sticks, p.C_alpha * (1.0 + H + H * H) / 3.0, limit / select(sticks, T(1.0), abs(s.y)));
  return {f_x, select(s.y == T(0.0), p.C_alpha, f_y), limit, limit};
}

// w H^3 (1 - H) / (1 - H^3)
template <class T>
T trail(const Fiala<T>& p, const Load<T>& load, const T& s_y) {
  const T H = adhering(p, friction(p, load, {T(0.0), s_y}), s_y);
  return p.w * H * H * H / (1.0 + H + H * H);
}

}  // namespace chicane::tire
