// SPDX-License-Identifier: Apache-2.0
#include "assembly/parts/ring.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "language/sections/fields.hpp"

namespace chicane {
namespace {

using Bound = Field::Bound;

// In the order of tire::RingParams.
constexpr Field kRingFields[] = {
    {"mass", "kg", "of the ring; a part of the wheel's", Bound::positive},
    {"spin_inertia", "kg m^2", "about its axis; a part of the wheel's", Bound::positive},
    {"cross_inertia", "kg m^2", "across its axis; a part of the wheel's", Bound::positive},
    {"radial_stiffness", "N/m", "of the sidewalls, in the plane of the ring", Bound::positive},
    {"radial_damping", "N s/m", "of the sidewalls, in the plane of the ring", Bound::not_negative},
    {"lateral_stiffness", "N/m", "of the sidewalls, along the axis", Bound::positive},
    {"lateral_damping", "N s/m", "of the sidewalls, along the axis", Bound::not_negative},
    {"tilt_stiffness", "N m/rad", "of the sidewalls, camber and yaw", Bound::positive},
    {"tilt_damping", "N m s/rad", "of the sidewalls, camber and yaw", Bound::not_negative},
    {"windup_stiffness", "N m/rad", "of the sidewalls, about the axis", Bound::positive},
    {"windup_damping", "N m s/rad", "of the sidewalls, about the axis", Bound::not_negative},
};

double value(const std::vector<NativeParameter>& list, std::string_view name) {
  return std::ranges::find(list, name, &NativeParameter::name)->value;
}

// The whole tire gives more than its sidewalls alone: what is left is for the patch.
void compare(Keys& ring, const std::vector<NativeParameter>& list,
             const std::vector<NativeParameter>& tire) {
  const auto own = [&](std::string_view name) { return value(list, fmt::format("ring.{}", name)); };
  const double R = value(tire, "radius");
  if (own("radial_stiffness") <= 1.05 * value(tire, "stiffness"))
    return ring.diagnostics().error(
        ring.find("radial_stiffness")->text.where,
        "the sidewalls have to be stiffer than the whole tire, whose 'stiffness' is {:g} N/m: a "
        "residual spring is in series with them",
        value(tire, "stiffness"));
  constexpr double kMost = 0.95;  // of what the tire gives: the rest is twenty times as stiff
  const auto warn = [&](std::string_view key, double give) {
    const double c = value(tire, key);
    if (c * give <= kMost) return;
    ring.diagnostics().warning(
        ring.where(),
        "the sidewalls of this ring alone make the tire softer than its '{0}' of {1:g} N/m: with "
        "them it is at most {2:g} N/m. The patch is taken as {3:g} N/m; look at the two",
        key, c, 1.0 / give, c / (1.0 - kMost));
  };
  warn("longitudinal_stiffness", 1.0 / own("radial_stiffness") + R * R / own("windup_stiffness"));
  warn("lateral_stiffness", 1.0 / own("lateral_stiffness") + R * R / own("tilt_stiffness"));
}

}  // namespace

std::vector<NativeParameter> read_ring(Keys& tire, const std::vector<NativeParameter>& common) {
  const DataSpec* data = tire.find("ring");
  if (data == nullptr) return {};
  if (data->kind != DataSpec::Kind::mapping) {
    tire.diagnostics().error(data->text.where, "'ring' is a mapping: ring: {{mass: ...}}");
    return {};
  }
  const int before = tire.diagnostics().errors();
  Keys keys(*data, tire.numbers(), tire.diagnostics());
  auto list = read_fields(keys, kRingFields, "a ring", "ring.");
  keys.refuse_others("a ring");
  if (tire.diagnostics().errors() > before) return list;
  if (list[1].value > 2.0 * list[2].value * (1.0 + 1e-3))
    tire.diagnostics().error(keys.where(),
                             "no ring can have a 'spin_inertia' of more than twice its "
                             "'cross_inertia': check the two");
  compare(keys, list, common);
  return list;
}

KeyTable ring_table() {
  KeyTable table{
      "ring",
      "",
      {},
      "The tread band of a tire as a rigid ring with six freedoms on its sidewalls. Mass "
      "and inertias are a part of the wheel's. Stiffnesses of the tire stay those of the "
      "whole: what the sidewalls leave of them is between ring and ground."};
  add_rows(table, kRingFields);
  return table;
}

}  // namespace chicane
