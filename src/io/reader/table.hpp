#pragma once

#include <optional>
#include <string>

#include "io/reader/yaml.hpp"
#include "language/spec.hpp"

namespace chicane {

// An entry of a model's `tables:`, a curve or a map. Lists carry their unit as the last element.
std::optional<TableSpec> read_table(const std::string& name, const Fields& f, Diagnostics& diag);

}  // namespace chicane
