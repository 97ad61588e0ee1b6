// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "math/scalar.hpp"

// Laws of tire forces that are odd in slip, by secants: how steady forces depend on slip and load.
// Every such model M has
//
//   M::kReference                       the speed its slips are divided by
//   Grip<T> grip(M, Load<T>, Slip<T>)   secants and limits of the forces
//   T trail(M, Load<T>, T s_y)          pneumatic trail [m]
//
// s = -v_s / v_T, so that forces have the sign of their slip:  F_x = f_x s_x,  F_y = f_y s_y.
// Secants instead of forces: with them slip velocity and force can be exchanged without dividing by
// a slip or a speed, see relaxation.hpp. What they are as laws of a tire says secant.hpp; a law
// with more to it, force without slip or moments of its own, is written against law.hpp. Docs:
// docs/theory/tire.md.

namespace chicane::tire {

enum class Reference {
  rolling,  // v_T = |R_e omega|: a locked wheel has infinite slip (TMeasy)
  travel,   // v_T = |v_x|: longitudinal slip kappa (-1 when locked) and tan(alpha)
};

template <class T>
struct Load {
  T F_z;  // [N]
  T mu;   // [-] friction of the ground
  T L;    // [m] length of the contact patch
};

template <class T>
struct Slip {
  T x, y;
};

template <class T>
struct Grip {
  T f_x, f_y;          // [N] force over slip
  T limit_x, limit_y;  // [N] largest force in each direction
};

template <class T>
struct Planar {
  T x, y;  // [N]
};

// What part of the force F passes the limit of its direction, magnitude(limit_x cos, limit_y sin).
template <class T>
T allowed(const Grip<T>& g, const Planar<T>& F) {
  const T size = F.x * F.x + F.y * F.y;                         // squared
  const T limit = magnitude(g.limit_x * F.x, g.limit_y * F.y);  // times |F|
  const auto beyond = size > limit;
  return select(beyond, limit / select(beyond, size, T(1.0)), T(1.0));
}
template <class T>
Planar<T> limited(const Grip<T>& g, const Planar<T>& F) {
  const T k = allowed(g, F);
  return {k * F.x, k * F.y};
}

// A model's grip at this slip, with secants that keep within the limits.
template <class T, class M>
Grip<T> combined(const M& model, const Load<T>& load, const Slip<T>& s) {
  const Grip<T> g = grip(model, load, s);
  const T k = allowed(g, {g.f_x * s.x, g.f_y * s.y});
  return {k * g.f_x, k * g.f_y, g.limit_x, g.limit_y};
}

// What a model gives once nothing changes any more.
template <class T, class M>
Planar<T> steady(const M& model, const Load<T>& load, const Slip<T>& s) {
  const Grip<T> g = combined(model, load, s);
  return {g.f_x * s.x, g.f_y * s.y};
}

}  // namespace chicane::tire
