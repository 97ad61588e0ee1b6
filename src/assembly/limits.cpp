// SPDX-License-Identifier: Apache-2.0
#include "assembly/limits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string_view>

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

void add_limits(Spec& spec, const VehicleLimits& limits) {
  const auto chassis = std::find_if(spec.blocks.begin(), spec.blocks.end(),
                                    [](const BlockSpec& b) { return b.name == "chassis"; });
  if (chassis == spec.blocks.end()) return;
  const double degrees = limits.tilt * 180.0 / std::numbers::pi;
  if (limits.tilt < std::numbers::pi)
    spec.events.push_back(
        ending("rolled_over", fmt::format("chassis.upright < {:.17g}", std::cos(limits.tilt)),
               chassis->group,
               fmt::format("the vehicle has rolled over: its chassis is tilted by "
                           "more than {:.3g} deg",
                           degrees),
               limits.where));
  spec.events.push_back(ending("body_in_ground", "chassis.clearance < 0 [m]", chassis->group,
                               "the body of the vehicle is in the ground, which it does not feel",
                               limits.where));
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
