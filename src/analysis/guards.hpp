// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "simulation/guard.hpp"

namespace chicane {

// All guards that a run of this model under this plan should have. They refer to the simulation.
std::vector<std::unique_ptr<Guard>> make_guards(Simulation& simulation);

}  // namespace chicane
