// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "simulation/guard.hpp"

namespace chicane {

// Watches whether the step fits what the model does. See docs/theory/step-guard.md.
std::unique_ptr<Guard> make_step_guard(const Simulation& simulation);

}  // namespace chicane
