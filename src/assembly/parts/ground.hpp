// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <variant>

#include "language/sections/keys.hpp"
#include "math/dual.hpp"
#include "vehicle/terrain/disc.hpp"

namespace chicane {

// A ground that a program brings along, for both scalars. It is asked inside a step: see Terrain.
class GroundShape {
 public:
  virtual ~GroundShape() = default;
  [[nodiscard]] virtual terrain::Hit<double> query(
      double x, double y, const terrain::Hit<double>& previous) const noexcept = 0;
  [[nodiscard]] virtual terrain::Hit<Dual> query(
      const Dual& x, const Dual& y, const terrain::Hit<Dual>& previous) const noexcept = 0;
};
template <class T>
struct OwnGround {
  std::shared_ptr<const GroundShape> shape;
  terrain::Hit<T> query(const T& x, const T& y, const terrain::Hit<T>& previous) const {
    return shape->query(x, y, previous);
  }
};

// The ground of a vehicle, one of the kinds there are.
template <class T>
using Ground = std::variant<terrain::Flat<T>, terrain::Plane<T>, terrain::SumOfSines<T>,
                            terrain::Bump<T>, OwnGround<T>>;

// From a section of the file; faults go to the diagnostics of its keys.
std::optional<Ground<double>> read_ground(Keys& keys);

// The same ground for another scalar.
template <class T>
Ground<T> ground_of(const Ground<double>& ground);

template <class T>
terrain::DiscContact<T> touch(const Ground<T>& ground, const Vec3<T>& centre, const Vec3<T>& e_spin,
                              const T& R_0) {
  return std::visit(
      [&](const auto& g) { return terrain::touch(g, centre, e_spin, R_0, terrain::Hit<T>{}); },
      ground);
}

}  // namespace chicane
