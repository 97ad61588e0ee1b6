// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "simulation/guard.hpp"

namespace chicane {

// Watches the power balance of the model's mechanism, and how well its loops are closed. Null where
// there is no mechanism.
std::unique_ptr<Guard> make_balance_guard(const Simulation& simulation);

}  // namespace chicane
