// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace chicane {

// A number that counts from zero, as the index of a container.
constexpr std::size_t at(int i) { return static_cast<std::size_t>(i); }

}  // namespace chicane
