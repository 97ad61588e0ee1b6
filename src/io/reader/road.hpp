// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "io/reader/reader.hpp"

namespace chicane {

// Whether a path ends as files do that hold a road and no keys.
bool is_road(std::string_view path);

// The terrain that a section's `file` names: the bytes of that file, and of those that it names, go
// along with the section, which gets the whole path and a hash of them. Faults where they cannot be
// read, or are others than the section's hash says.
void bring_in_road(DataSpec& section, Diagnostics& diag, const Loader& load);

}  // namespace chicane
