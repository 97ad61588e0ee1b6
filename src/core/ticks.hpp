// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdint>
#include <optional>

namespace chicane {

// Time is an integer. The atom is half a picosecond: steps are whole picoseconds, so that the half
// of every step is an exact count too. A signed 64-bit count of atoms lasts 53 days.
inline constexpr std::int64_t kAtomsPerSecond = 2'000'000'000'000;

constexpr double seconds(std::int64_t atoms) {
  return static_cast<double>(atoms) / static_cast<double>(kAtomsPerSecond);
}

// A time in seconds as a whole, even number of atoms (1 ps), or nothing when out of range.
inline std::optional<std::int64_t> whole_picoseconds(double s) {
  constexpr double kMost = 2.0e6;  // a step beyond the end of the longest run must still fit
  if (!(std::fabs(s) <= kMost)) return std::nullopt;
  return 2 * std::llround(s * (0.5 * static_cast<double>(kAtomsPerSecond)));
}

// Where a run stands: a count of ticks since `origin`, one tick being half a frame, the step of the
// slowest group (kTicksPerFrame); faster groups divide it by time_at. A change of step moves the
// origin to the present and starts a new count; no time is ever summed.
struct Clock {
  std::int64_t origin = 0;  // [atoms]
  std::int64_t tick = 0;    // [-] counted from origin
  std::int64_t unit = 1;    // [atoms] length of one tick

  [[nodiscard]] constexpr std::int64_t now() const { return origin + tick * unit; }
  [[nodiscard]] constexpr double time() const { return seconds(now()); }
  // The time `fraction` of a step of `ticks` ticks from now; exact for fractions 0, 1/2 and 1.
  [[nodiscard]] double time_at(double fraction, std::int64_t ticks) const {
    return (static_cast<double>(now()) + fraction * static_cast<double>(ticks * unit)) /
           static_cast<double>(kAtomsPerSecond);
  }
  constexpr void rebase(std::int64_t new_unit) { *this = {now(), 0, new_unit}; }

  friend constexpr bool operator==(const Clock&, const Clock&) = default;
};

static_assert(seconds(3 * kAtomsPerSecond / 10) == 0.3);  // exact stamps, no drift

}  // namespace chicane
