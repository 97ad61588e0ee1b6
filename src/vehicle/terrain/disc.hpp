// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vehicle/terrain/terrain.hpp"

// Where a disc touches the ground.
//
// Source: the paper on real-time recursive dynamics, section 5.2: the ground's normal is the z axis
// of the tire frame, the spin axis gives y, and both give x. The contact point is Rill's (Road
// Vehicle Dynamics, 2012, chapter 3): on the ground, straight below the centre within the disc.
//
// Deviation: 5.2 asks for the ground once, below the unloaded disc. Here the point is asked for
// again, so that it lies on the ground. Only then is the rate of deflection that of the velocity
// along the normal, and the load conserves energy on uneven ground. Docs: docs/theory/terrain.md.

namespace chicane::terrain {

template <class T>
struct DiscContact {
  Vec3<T> p;               // [m] contact point on the ground, in the world
  Mat3<T> R;               // columns: longitudinal, lateral (both in the ground's plane), normal
  T r_S;                   // [m] from the centre to the contact point
  T delta;                 // [m] deflection R_0 - r_S; negative in the air
  T sin_gamma, cos_gamma;  // inclination about the longitudinal axis
  Hit<T> hit;
};

// Longitudinal axis of a disc on ground with normal n, and the upward direction within the disc.
template <class T>
struct DiscAxes {
  Vec3<T> e_x, e_up;
  T cos_gamma;
};

// A disc that lies flat has no longitudinal axis: below this cosine the axes shrink instead of
// being divided by 0, and the disc is out of contact unless its centre is in the ground.
inline constexpr double kLyingFlat = 1e-3;

template <class T>
DiscAxes<T> disc_axes(const Vec3<T>& e_spin, const Vec3<T>& n) {
  const Vec3<T> along = cross(e_spin, n);
  const T cos_gamma = sqrt(max(dot(along, along), kLyingFlat * kLyingFlat));
  const Vec3<T> e_x = (1.0 / cos_gamma) * along;
  return {e_x, cross(e_x, e_spin), cos_gamma};
}

// How often the ground is asked. The error shrinks each time by R_0 times the ground's curvature;
// one point stands for the whole contact only where that is well below 1. A plane has none.
template <class G>
inline constexpr int kQueries = 4;
template <class G>
requires G::kPlane inline constexpr int kQueries<G> = 1;

// hit: the previous one; queries: at least 1
template <class T, Terrain<T> G>
DiscContact<T> touch(const G& ground, const Vec3<T>& centre, const Vec3<T>& e_spin, const T& R_0,
                     Hit<T> hit, int queries = kQueries<G>) {
  Vec3<T> p = centre;
  constexpr bool kMayBend = kQueries<G> != 1;
  if constexpr (kMayBend)  // begin where the disc would touch level ground
    p = centre - R_0 * disc_axes(e_spin, {T(0.0), T(0.0), T(1.0)}).e_up;
  DiscAxes<T> axes;
  T r_S;
  for (int k = 0; k < queries; ++k) {
    hit = ground.query(p.x, p.y, hit);
    axes = disc_axes(e_spin, hit.normal);
    const Vec3<T> below{p.x, p.y, hit.height};
    r_S = dot(hit.normal, centre - below) / axes.cos_gamma;
    p = centre - r_S * axes.e_up;
  }
  return {.p = p,
          .R = {axes.e_x, cross(hit.normal, axes.e_x), hit.normal},
          .r_S = r_S,
          .delta = R_0 - r_S,
          .sin_gamma = dot(e_spin, hit.normal),
          .cos_gamma = axes.cos_gamma,
          .hit = hit};
}

}  // namespace chicane::terrain
