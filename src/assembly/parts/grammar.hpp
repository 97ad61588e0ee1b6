#pragma once

#include <vector>

#include "language/sections/grammar.hpp"

// The keys of the parts of a vehicle. Each has its tables beside the code that reads them.

namespace chicane {

std::vector<KeyTable> ground_grammar();
std::vector<KeyTable> tire_grammar();
std::vector<KeyTable> steering_grammar();
std::vector<KeyTable> brakes_grammar();
std::vector<KeyTable> powertrain_grammar();
std::vector<KeyTable> aerodynamics_grammar();
std::vector<KeyTable> driver_grammar();

}  // namespace chicane
