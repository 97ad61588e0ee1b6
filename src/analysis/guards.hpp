#pragma once

#include <memory>
#include <vector>

#include "system/guard.hpp"
#include "system/spec.hpp"

namespace chicane {

// All guards that a run of this model under this plan should have. They refer to the simulation
// and to the Spec of its model, which tells them more of causes where it is given.
std::vector<std::unique_ptr<Guard>> make_guards(Simulation& simulation, const Spec* spec = nullptr);

}  // namespace chicane
