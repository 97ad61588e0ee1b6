// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "io/reader/reader.hpp"
#include "io/reader/yaml.hpp"
#include "language/spec.hpp"

namespace chicane {

// An entry of a model's `tables:`, a curve or a map. Lists carry their unit as the last element; a
// CSV file has it in its header, which `units` asks for.
std::optional<TableSpec> read_table(const std::string& name, const Fields& f, bool units,
                                    Diagnostics& diag, const Loader& load);

// The tables of a model together must not have too many numbers.
void check_table_sizes(const Spec& spec, Diagnostics& diag);

}  // namespace chicane
