// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <cstddef>
#include <numbers>
#include <span>
#include <vector>

#include "math/vec3.hpp"

// The ground as the vehicle asks for it: (x, y, previous hit) -> height, normal, friction, surface,
// velocity. z is up. The place of the previous hit is where the search may begin; the answer must
// not depend on it, and any number may stand there. A query allocates nothing and takes a bounded
// time. Normals are exact.
//
// Source: the paper on real-time recursive dynamics, section 5.2 (terrain database).
// Docs: docs/theory/terrain.md.

namespace chicane::terrain {

template <class T>
struct Hit {
  T height;            // [m] of the ground at (x, y)
  Vec3<T> normal;      // unit, upward
  T friction;          // [-]
  int surface;         // what it is made of, by number
  int place = 0;       // where it was found, in the ground's own numbering; 0: anywhere
  Vec3<T> velocity{};  // [m/s] of the ground's material there: a belt, a shaker
};

// Where and when a ground is asked.
template <class T>
struct Spot {
  T x, y, t;  // [m], [m], [s]
};

template <class G, class T>
concept Terrain = requires(const G ground, const T x, const T y, const Hit<T> previous) {
  { ground.query(x, y, previous) } -> std::same_as<Hit<T>>;
};

// What covers the ground; one kind everywhere.
template <class T>
struct Cover {
  T friction{1.0};
  int surface = 0;
};

template <class T>
struct Slope {
  T height{}, along_x{}, along_y{};  // [m], [-], [-] at the origin; rise over run
};

// The hit on a smooth ground z(x, y) with the given gradient.
template <class T>
Hit<T> hit(const Slope<T>& z, const Cover<T>& cover) {
  const T s = 1.0 / sqrt(1.0 + z.along_x * z.along_x + z.along_y * z.along_y);
  return {z.height, {-s * z.along_x, -s * z.along_y, s}, cover.friction, cover.surface};
}

template <class T>
struct Flat {
  static constexpr bool kPlane = true;  // one answer tells where everything is
  T height{};                           // [m]
  Cover<T> cover{};

  Hit<T> query(const T& /*x*/, const T& /*y*/, const Hit<T>& /*previous*/) const {
    return hit<T>({height, T(0.0), T(0.0)}, cover);
  }
};

template <class T>
struct Plane {
  static constexpr bool kPlane = true;
  Slope<T> z;
  Cover<T> cover{};

  Hit<T> query(const T& x, const T& y, const Hit<T>& /*previous*/) const {
    return hit<T>({z.height + z.along_x * x + z.along_y * y, z.along_x, z.along_y}, cover);
  }
};

//   z = sum of a sin(k_x x + k_y y + phi)
template <class T>
struct Sine {
  T a, k_x, k_y, phi;  // [m], [rad/m], [rad/m], [rad]
};
template <class T>
struct SumOfSines {
  std::vector<Sine<T>> waves;
  Cover<T> cover{};

  Hit<T> query(const T& x, const T& y, const Hit<T>& /*previous*/) const {
    Slope<T> z;
    for (const Sine<T>& w : waves) {
      const T angle = w.k_x * x + w.k_y * y + w.phi;
      const T rise = w.a * cos(angle);
      z.height += w.a * sin(angle);
      z.along_x += w.k_x * rise;
      z.along_y += w.k_y * rise;
    }
    return hit(z, cover);
  }
};

// A ridge across the heading psi, one haversine high, between d = d_0 and d_0 + l, where d is the
// distance along the heading:  z = h/2 (1 - cos(2 pi (d - d_0) / l)). The slope is continuous.
template <class T>
struct Bump {
  T d_0, l, h;  // [m] begin, length, height
  T psi{};      // [rad] heading, from x towards y
  Cover<T> cover{};

  Hit<T> query(const T& x, const T& y, const Hit<T>& /*previous*/) const {
    const T c = cos(psi), s = sin(psi);
    const T way = sat(c * x + s * y - d_0, 0.0, l);
    const T k = 2.0 * std::numbers::pi / l;
    const T rise = 0.5 * h * k * sin(k * way);
    return hit<T>({0.5 * h * (1.0 - cos(k * way)), rise * c, rise * s}, cover);
  }
};

// Many points at once; each hit is also the previous one of the next frame.
template <class T, Terrain<T> G>
void query(const G& ground, std::span<const Vec3<T>> points, std::span<Hit<T>> hits) {
  for (std::size_t i = 0; i < points.size(); ++i)
    hits[i] = ground.query(points[i].x, points[i].y, hits[i]);
}

}  // namespace chicane::terrain
