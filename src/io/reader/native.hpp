// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/reader/yaml.hpp"
#include "language/spec.hpp"

// Blocks written in C++, as files name them.

namespace chicane {

// The block becomes one of this type; a fault if there is none.
void set_type(BlockSpec& block, const Text& type, Diagnostics& diag);

// The `replace:` section: other types for blocks of a base, which must have the same ports.
void replace_types(const Cursor& section, Spec& spec, Diagnostics& diag);

}  // namespace chicane
