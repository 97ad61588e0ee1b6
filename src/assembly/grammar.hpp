// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "language/sections/grammar.hpp"
#include "language/sections/numbers.hpp"

// The keys of the sections of a vehicle.

namespace chicane {

// All of them, with those of the registered parts; the first is that of the section `vehicle`
// itself.
const std::vector<KeyTable>& vehicle_grammar();
// Null: there is none of that name.
const KeyTable* find_vehicle_table(std::string_view name);

// Readers of this vehicle's sections are held to their tables.
void hold_to_grammar(const DataSpec& vehicle, Numbers& numbers);

}  // namespace chicane
