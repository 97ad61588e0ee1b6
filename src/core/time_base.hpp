// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <optional>

#include "core/ticks.hpp"

namespace chicane {

// The same for a time that somebody has written: nothing, too, where it is finer than picoseconds
// can say, and would become another time.
inline std::optional<std::int64_t> stated_picoseconds(double s) {
  constexpr double kAsWritten = 1e-6;  // [-] a third of a millisecond may be rounded, 0.5 ps not
  const auto atoms = whole_picoseconds(s);
  if (atoms && std::fabs(seconds(*atoms) - s) > kAsWritten * std::fabs(s)) return std::nullopt;
  return atoms;
}

}  // namespace chicane
