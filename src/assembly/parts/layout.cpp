// SPDX-License-Identifier: Apache-2.0
#include "assembly/parts/layout.hpp"

#include <algorithm>

namespace chicane {
namespace {

AxleLayout axle_of(const std::string& name, const std::string& unit, const DataSpec* section) {
  if (name == "front") return {name, "f", "fl", "fr", unit, section};
  if (name == "rear") return {name, "r", "rl", "rr", unit, section};
  return {name, name, name + "_l", name + "_r", unit, section};
}

}  // namespace

std::vector<UnitLayout> units_of(const DataSpec& vehicle) {
  std::vector<UnitLayout> list{{kFirstUnit, &vehicle}};
  if (const DataSpec* units = vehicle.find("units"))
    for (const auto& [name, section] : units->entries) list.push_back({name, &section});
  return list;
}

std::vector<AxleLayout> axles_of(const DataSpec& vehicle) {
  std::vector<AxleLayout> list;
  for (const UnitLayout& unit : units_of(vehicle)) {
    const DataSpec* axles = unit.section->find("axles");
    if (axles == nullptr) continue;
    for (const auto& [name, section] : axles->entries)
      if (std::none_of(list.begin(), list.end(),
                       [&](const AxleLayout& a) { return a.name == name; }))
        list.push_back(axle_of(name, unit.name, &section));
  }
  return list;
}

std::vector<AxleLayout> axles_of(const Spec& spec) {
  if (spec.vehicle) return axles_of(*spec.vehicle);
  return {axle_of("front", kFirstUnit, nullptr), axle_of("rear", kFirstUnit, nullptr)};
}

std::vector<std::string> wheels_of(const std::vector<AxleLayout>& axles) {
  std::vector<std::string> list;
  for (const AxleLayout& a : axles) list.insert(list.end(), {a.left, a.right});
  return list;
}

std::vector<std::string> wheels_of(const DataSpec& vehicle) { return wheels_of(axles_of(vehicle)); }

}  // namespace chicane
