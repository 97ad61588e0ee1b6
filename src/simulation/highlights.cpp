// SPDX-License-Identifier: Apache-2.0
#include "simulation/highlights.hpp"

#include <algorithm>

#include "simulation/plan.hpp"

namespace chicane {
namespace {

constexpr Highlight kHighlights[] = {
    {"speed", "chassis.speed", "km/h"},
    {"path", kPathX, "m"},
    {"path", kPathY, "m"},
    {"yaw rate", "chassis.yaw_rate", "deg/s"},
    {"acceleration", "chassis.lateral_acceleration", "m/s^2"},
    {"acceleration", "chassis.longitudinal_acceleration", "m/s^2"},
    {"roll and pitch", "chassis.roll", "deg"},
    {"roll and pitch", "chassis.pitch", "deg"},
    {"steering wheel", "driver.steering_angle", "deg"},
    {"wheel loads", "wheel.*.load", "kN"},
};

}  // namespace

std::span<const Highlight> vehicle_highlights() { return kHighlights; }

std::size_t highlight_rank(std::string_view signal) {
  return static_cast<std::size_t>(
      std::find_if(std::begin(kHighlights), std::end(kHighlights),
                   [&](const Highlight& h) { return matches(h.pattern, signal); }) -
      std::begin(kHighlights));
}

}  // namespace chicane
