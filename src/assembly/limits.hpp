// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "language/spec.hpp"
#include "simulation/simulation.hpp"

namespace chicane {

// Where the model of a vehicle ends: tires carry it, its body touches nothing. A vehicle that lies
// on its side or has its body in the ground has left what the model describes.
struct VehicleLimits {
  std::string unit;
  double tilt = 0;  // [rad] of the chassis against the vertical; pi: none
  Location where{};
};

// Events that end the run there. Their names begin with the vehicle's own prefix.
void add_limits(Spec& spec, const std::vector<VehicleLimits>& units);
// The event that ends the run where a battery is empty, of a powertrain that has one.
void add_battery_limit(Spec& spec, const Location& where);

// Which of them ended a run, in words; nothing where none did.
std::optional<std::string> beyond_limits(const Simulation& simulation);

}  // namespace chicane
