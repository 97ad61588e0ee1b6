#pragma once

#include <optional>
#include <variant>

#include "language/sections/keys.hpp"
#include "vehicle/terrain/disc.hpp"

namespace chicane {

// The ground of a vehicle, one of the kinds there are.
template <class T>
using Ground =
    std::variant<terrain::Flat<T>, terrain::Plane<T>, terrain::SumOfSines<T>, terrain::Bump<T>>;

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
