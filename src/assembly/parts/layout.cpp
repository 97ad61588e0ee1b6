// SPDX-License-Identifier: Apache-2.0
#include "assembly/parts/layout.hpp"

#include <fmt/format.h>

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
    for (const auto& axle : axles->entries)
      if (std::none_of(list.begin(), list.end(),
                       [&](const AxleLayout& a) { return a.name == axle.first; }))
        list.push_back(axle_of(axle.first, unit.name, &axle.second));
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

std::array<std::string, 4> read_driven(Keys& keys) {
  std::vector<std::string> names{"front", "rear"};
  const DataSpec* given = keys.find("axles");
  if (given != nullptr) {
    names.clear();
    for (const DataSpec& e : given->list) names.push_back(e.text.text);
  }
  const Location where = given == nullptr ? keys.where() : given->text.where;
  const auto all = axles_of(keys.numbers().spec());
  std::vector<std::string> wheels;
  std::vector<std::string_view> known;
  for (const AxleLayout& a : all) known.push_back(a.name);
  for (const std::string& name : names) {
    const auto axle =
        std::find_if(all.begin(), all.end(), [&](const AxleLayout& a) { return a.name == name; });
    if (axle == all.end())
      keys.diagnostics().error(where,
                               "there is no axle '{}'{}: say with 'axles' which two of {} it turns",
                               name, did_you_mean(name, known), fmt::join(known, ", "));
    else
      wheels.insert(wheels.end(), {axle->left, axle->right});
  }
  if (names.size() != 2 || names.front() == names.back())
    keys.diagnostics().error(where,
                             "'axles' of a powertrain are two, [front, rear]; one that turns only "
                             "the first has 'center: {{share: 1}}'");
  wheels.resize(4);
  return {wheels[0], wheels[1], wheels[2], wheels[3]};
}

std::vector<std::string> wheels_of(const DataSpec& vehicle) { return wheels_of(axles_of(vehicle)); }

}  // namespace chicane
