// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "assembly/parts/parts.hpp"
#include "language/sections/keys.hpp"
#include "multibody/description.hpp"

namespace chicane {

// Formulas between a rack and the block `steering`.
struct RackWiring {
  std::vector<std::pair<std::string, std::string>> mechanism;  // input of the mechanism, formula
  std::string tie_rod_force;  // [N] of the tie rods on the rack, along its way
};

// Adds the body `rack` and what guides it on the chassis, from the section `body` of a steering: a
// straight slide, or with `pitman` the arc of an arm whose idler is as long. Faults go to the
// diagnostics of `body`.
RackWiring add_rack(Keys& body, const SteeringPart& part, multibody::Description& into);

}  // namespace chicane
