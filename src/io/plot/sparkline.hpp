// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>

namespace chicane {

// The course of a signal in one line of at most `width` block characters, "▁▃▆█▆▃▁", from its
// lowest to its highest. A constant signal stands at half height; a blank has no finite value.
std::string sparkline(std::span<const double> y, int width);

}  // namespace chicane
