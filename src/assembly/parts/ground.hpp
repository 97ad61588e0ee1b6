// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <type_traits>
#include <variant>

#include "language/sections/keys.hpp"
#include "math/dual.hpp"
#include "vehicle/terrain/disc.hpp"

namespace chicane {

// A ground that a program brings along, for both scalars: type-erased, at the cost of a virtual
// call. It may move, and change with time. It is asked inside a step: see Terrain.
class GroundShape {
 public:
  virtual ~GroundShape() = default;
  [[nodiscard]] virtual terrain::Hit<double> query(
      const terrain::Spot<double>& at, const terrain::Hit<double>& previous) const noexcept = 0;
  [[nodiscard]] virtual terrain::Hit<Dual> query(
      const terrain::Spot<Dual>& at, const terrain::Hit<Dual>& previous) const noexcept = 0;
  // Whether it wants the place of the hit of the last full step to begin with: wheels then have it
  // among their memory.
  [[nodiscard]] virtual bool searches() const { return false; }
  // How often a wheel asks for its contact: 1 where the ground is level enough for one point below
  // the unloaded wheel, see terrain::touch.
  [[nodiscard]] virtual int queries_per_contact() const { return 4; }
};
template <class T>
struct OwnGround {
  std::shared_ptr<const GroundShape> shape;
};
// ... at one instant
template <class T>
struct GroundAt {
  const GroundShape& shape;
  T t;
  terrain::Hit<T> query(const T& x, const T& y, const terrain::Hit<T>& previous) const {
    return shape.query(terrain::Spot<T>{x, y, t}, previous);
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

// The largest curvature of its waves and bumps [1/m], where it is known; else 0.
double sharpest(const Ground<double>& ground);

// Whether it wants the place of the last hit.
template <class T>
bool searches(const Ground<T>& ground) {
  const auto* own = std::get_if<OwnGround<T>>(&ground);
  return own != nullptr && own->shape->searches();
}

// What the ground says at one point; place: of the previous hit.
template <class T>
terrain::Hit<T> ask(const Ground<T>& ground, const terrain::Spot<T>& at, int place = 0) {
  terrain::Hit<T> previous{};
  previous.place = place;
  return std::visit(
      [&]<class G>(const G& g) {
        if constexpr (std::is_same_v<G, OwnGround<T>>)
          return g.shape->query(at, previous);
        else
          return g.query(at.x, at.y, previous);
      },
      ground);
}

// Where a wheel touches it at time t; place: of the previous hit.
template <class T>
terrain::DiscContact<T> touch(const Ground<T>& ground, const T& t, const Vec3<T>& centre,
                              const Vec3<T>& e_spin, const T& R_0, int place = 0) {
  terrain::Hit<T> previous{};
  previous.place = place;
  return std::visit(
      [&]<class G>(const G& g) {
        if constexpr (std::is_same_v<G, OwnGround<T>>)
          return terrain::touch(GroundAt<T>{*g.shape, t}, centre, e_spin, R_0, previous,
                                g.shape->queries_per_contact());
        else
          return terrain::touch(g, centre, e_spin, R_0, previous);
      },
      ground);
}

}  // namespace chicane
