// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "analysis/linearize.hpp"
#include "simulation/not_finite.hpp"
#include "simulation/simulation.hpp"

namespace chicane {

// Why a run could not go on, and what helps.
struct Explanation {
  std::string text;               // without its last full stop
  std::optional<NamedMode> mode;  // the mode that ran away
};

// `structure`: that of the simulation.
Explanation explain(const std::shared_ptr<const ModelStructure>& structure,
                    const Simulation& simulation, Status status);

// The same of a result that is not finite.
std::string explain(const ModelStructure& structure, const NotFinite& fault);

}  // namespace chicane
