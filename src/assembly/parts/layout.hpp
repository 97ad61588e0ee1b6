// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string>
#include <vector>

#include "language/sections/keys.hpp"
#include "language/spec.hpp"

// Which units, axles and wheels the section of a vehicle names, from the front to the rear.
//
// The first unit is the body `chassis`; others, under `units`, have the names the file gives them.
// The wheels of the axles `front` and `rear` are fl, fr, rl and rr; those of an axle with another
// name have that name and their side, drive_l and drive_r.

namespace chicane {

inline const std::string kFirstUnit = "chassis";

struct UnitLayout {
  std::string name;
  const DataSpec* section;  // where its chassis, axles and payloads are
};

struct AxleLayout {
  std::string name;
  std::string suffix, left, right;  // of names: of what both sides share, of either wheel
  std::string unit;
  const DataSpec* section;
};

std::vector<UnitLayout> units_of(const DataSpec& vehicle);
// A name that was there before is left out; whoever reads the vehicle complains of it.
std::vector<AxleLayout> axles_of(const DataSpec& vehicle);
std::vector<std::string> wheels_of(const DataSpec& vehicle);

// Of the vehicle of a model; where it has none, front and rear.
std::vector<AxleLayout> axles_of(const Spec& spec);

// The wheels of the two axles that a powertrain turns, by its key `axles`; if it does not say, of
// front and rear. Faults go to the diagnostics of `keys`.
std::array<std::string, 4> read_driven(Keys& keys);

// Names of wheels, left before right.
std::vector<std::string> wheels_of(const std::vector<AxleLayout>& axles);

}  // namespace chicane
