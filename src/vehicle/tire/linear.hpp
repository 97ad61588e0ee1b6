// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vehicle/tire/grip.hpp"

// Forces proportional to slip up to the friction of the ground, a fixed trail. For small slips, and
// for what is to be compared with linear theory. The force has a kink at the limit.

namespace chicane::tire {

template <class T>
struct Linear {
  static constexpr Reference kReference = Reference::travel;
  T C_x, C_y;  // [N] slopes over kappa and tan(alpha)
  T n;         // [m] pneumatic trail
};

template <class T>
Grip<T> grip(const Linear<T>& p, const Load<T>& load, const Slip<T>& /*s*/) {
  const T limit = load.mu * load.F_z;
  return {p.C_x, p.C_y, limit, limit};
}

template <class T>
T trail(const Linear<T>& p, const Load<T>& /*load*/, const T& /*s_y*/) {
  return p.n;
}

}  // namespace chicane::tire
