// SPDX-License-Identifier: Apache-2.0
#include "assembly/limits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string_view>

#include "assembly/parts/layout.hpp"

namespace chicane {
namespace {

constexpr std::string_view kPrefix = "vehicle.";  // no event of a file has a dot in its name

EventSpec ending(const std::string& name, const std::string& when, const std::string& group,
                 const std::string& message, const Location& where) {
  EventSpec event{.name = std::string(kPrefix) + name, .when = {when, where}, .group = group};
  event.actions.push_back(
      {.kind = ActionSpec::Kind::stop, .where = where, .value = {message, where}});
  return event;
}

}  // namespace

namespace {

void add_limits_of(Spec& spec, const VehicleLimits& limits) {
  const auto chassis = std::find_if(spec.blocks.begin(), spec.blocks.end(),
                                    [&](const BlockSpec& b) { return b.name == limits.unit; });
  if (chassis == spec.blocks.end()) return;
  const bool first = limits.unit == kFirstUnit;
  const std::string prefix = first ? "" : limits.unit + "_";
  const double degrees = limits.tilt * 180.0 / std::numbers::pi;
  if (limits.tilt < std::numbers::pi)
    spec.events.push_back(ending(
        prefix + "rolled_over",
        fmt::format("{}.upright < {:.17g}", limits.unit, std::cos(limits.tilt)), chassis->group,
        fmt::format("the vehicle has rolled over: its {} is tilted by "
                    "more than {:.3g} deg",
                    limits.unit, degrees),
        limits.where));
  spec.events.push_back(ending(
      prefix + "body_in_ground", limits.unit + ".clearance < 0 [m]", chassis->group,
      first
          ? "the body of the vehicle is in the ground, which it does not feel"
          : fmt::format("the body of its {} is in the ground, which it does not feel", limits.unit),
      limits.where));
}

}  // namespace

void add_limits(Spec& spec, const std::vector<VehicleLimits>& units) {
  for (const VehicleLimits& limits : units) add_limits_of(spec, limits);
}

void add_battery_limit(Spec& spec, const Location& where) {
  for (const BlockSpec& b : spec.blocks) {
    if (b.name != "powertrain" || b.native == nullptr) continue;
    const BlockInfo info = b.native->info();
    const auto is = [](const PortInfo& p) { return p.name == "empty"; };
    if (std::none_of(info.outputs.begin(), info.outputs.end(), is)) continue;
    spec.events.push_back(ending("battery_empty", "powertrain.empty > 0.5", b.group,
                                 "the battery is empty: nothing drives the vehicle any more",
                                 where));
    return;
  }
}

std::optional<std::string> beyond_limits(const Simulation& simulation) {
  if (!simulation.stopped()) return std::nullopt;
  const ModelStructure& s = simulation.structure();
  for (const EventIndex e : s.events.indices()) {
    const bool own = s.events[e].name.rfind(kPrefix, 0) == 0;
    if (own && simulation.state().events[e].fired > 0) return *simulation.stopped();
  }
  return std::nullopt;
}

}  // namespace chicane
