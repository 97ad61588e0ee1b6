// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>

#include "core/diagnostics.hpp"
#include "language/spec.hpp"

namespace chicane {

// The motion of a driven joint: its coordinate and both derivatives, as formulas. Those of t and
// the model's parameters need the coordinate alone; derivatives that are given must be those. With
// other signals all three are needed. Faults go to `diag`; then there is no result.
std::optional<std::array<Text, 3>> read_motion(const Spec& spec, const JointSpec& joint,
                                               Diagnostics& diag);

// Coordinate and rate at t = 0; zero where they depend on other signals.
std::array<double, 2> start_of_motion(const Spec& spec, const std::array<Text, 3>& motion);

}  // namespace chicane
