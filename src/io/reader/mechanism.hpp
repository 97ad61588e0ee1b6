// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "io/reader/yaml.hpp"
#include "language/spec.hpp"

namespace chicane {

// The topology section of a model file.
MechanismSpec read_topology(const Fields& f, Diagnostics& diag);

// Whether a key of `parameters:` belongs to the mechanism of a model that has one.
bool is_mechanism_key(std::string_view key);

// Adds such a key to the mechanism's numbers; values that are there already are replaced.
void read_mechanism_key(const std::string& key, const Cursor& at, MechanismSpec& mechanism,
                        Diagnostics& diag);

}  // namespace chicane
