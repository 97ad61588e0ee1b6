// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

namespace chicane {

// What one wants to see of a vehicle first: the order of its results, and its picture.
struct Highlight {
  std::string_view panel;    // what its panel of the picture shows
  std::string_view pattern;  // of signals
  std::string_view unit;     // in the picture
};

std::span<const Highlight> vehicle_highlights();

// The two that are drawn over each other.
inline constexpr std::string_view kPathX = "chassis.x", kPathY = "chassis.y";

// The place of a signal among them; of any other one: behind the last.
std::size_t highlight_rank(std::string_view signal);

}  // namespace chicane
