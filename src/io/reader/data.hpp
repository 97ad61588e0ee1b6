// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "io/reader/yaml.hpp"
#include "language/spec.hpp"

namespace chicane {

// What stands in a file, as it stands there.
DataSpec read_data(const Cursor& at, Diagnostics& diag);

// Lays one over the other: what the second says prevails. A part that becomes one of another type
// keeps nothing.
void merge(DataSpec& into, DataSpec from);

// A value by its path, "bodies.arm.mass"; null where there is none. `known` hears of all paths.
DataSpec* find_value(DataSpec& data, std::string_view path, std::vector<std::string>* known);

// Gives a section a value that does not stand in it; false where the path does not lead into one of
// its own sections.
bool add_value(DataSpec& data, std::string_view path, const DataSpec& value);

}  // namespace chicane
