// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "language/sections/keys.hpp"
#include "multibody/description.hpp"

// How the units of a vehicle hang on one another, and what is loaded on them.

namespace chicane {

// A unit is coupled to one ahead of it, where its own reference is:
//
//   fifth-wheel   a plate that pitches on the unit ahead, and a kingpin that turns in it
//   ball          turns all ways
//   hinge         turns about the vertical
struct Coupling {
  std::string ahead;  // body of the unit that it hangs on
  Vec3<double> at{};  // [m] in the position of the file
};

// Adds the joints, and the plate if it has one, of the unit called `unit`. `references`: of the
// units before it, in their order. Faults go to the diagnostics of `keys`.
Coupling add_coupling(Keys& keys, const std::string& unit,
                      const std::vector<std::pair<std::string, Vec3<double>>>& references,
                      multibody::Description& into);

// Adds what is under `payloads`: bodies that are fixed to the body `unit`, measured from
// `reference`.
void add_payloads(Keys& of, const std::string& unit, const Vec3<double>& reference,
                  multibody::Description& into);

std::vector<KeyTable> coupling_grammar();

}  // namespace chicane
