// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "io/reader/yaml.hpp"
#include "language/spec.hpp"

namespace chicane {

// A method of the user's own: an entry of a model's `methods:`. Fractions such as 1/6 are read
// exactly; the order that is claimed must be the order that the coefficients have.
std::optional<Method> read_method(const std::string& name, const Cursor& entry, Diagnostics& diag);
// Likewise an entry of `tableaus:`.
std::optional<TableauPair> read_pair(const std::string& name, const Cursor& entry,
                                     Diagnostics& diag);

}  // namespace chicane
