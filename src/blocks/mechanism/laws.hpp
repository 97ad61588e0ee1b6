// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "language/sections/keys.hpp"
#include "multibody/description.hpp"

// Inertias and laws of forces from a section of a file, wherever it stands. Faults go to the
// diagnostics of the keys.

namespace chicane {

// What a law of one dimension measures: along a line, or about an axis.
struct LawKind {
  Dimension force, way;
};
inline constexpr LawKind kLinear{dimensions::kForce, dimensions::kLength};
inline constexpr LawKind kRotational{dimensions::kTorque, dimensions::kNone};

// About the centre of mass: 'diagonal', with 'products' if there are any, or 'full'.
Sym3<double> read_inertia(Keys& inertia);

// 'mass', 'com', 'inertia', 'reference'. It has no name yet.
multibody::BodyDescription read_body(Keys& keys);

// 'points': two of them.
bool read_points(Keys& keys, std::string_view owner, std::array<Vec3<double>, 2>& to);

// 'axis': a direction, of any length; none if it is not there.
std::optional<Vec3<double>> read_axis(Keys& keys);

// A force y over x: {polynomial: [...]}, {table: NAME} or NAME alone, {x: [...], y: [...]}, which
// is straight between its points and beyond its ends. 'interpolation' and 'extrapolation' beside
// it say otherwise. Empty if the key is not there.
multibody::Curve read_law(Keys& keys, std::string_view key, const Dimension& y, const Dimension& x);

// 'stiffness', 'damping', 'spring', 'damper'.
multibody::SpringDamper read_spring_damper(Keys& keys, const LawKind& kind);
template <class Element>
void read_spring_damper(Keys& keys, const LawKind& kind, Element& e) {
  const multibody::SpringDamper law = read_spring_damper(keys, kind);
  e.stiffness = law.k, e.damping = law.c, e.spring = law.spring, e.damper = law.damper;
}

// 'stiffness', 'spring', 'dissipation'.
multibody::Stop read_stop(Keys& keys, std::string_view owner, const LawKind& kind);

// 'friction', 'presliding'.
multibody::DryFriction read_dry_friction(Keys& keys, const LawKind& kind);

// All but its place and its bodies.
void read_leaf_spring(Keys& keys, multibody::LeafSpringDescription& e);

}  // namespace chicane
