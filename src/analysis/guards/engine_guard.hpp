// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "simulation/guard.hpp"

namespace chicane {

// Says when an engine stalls, and when it turns faster than its torque is known for. Nothing if the
// model has no engine.
std::unique_ptr<Guard> make_engine_guard(const Simulation& simulation);

}  // namespace chicane
