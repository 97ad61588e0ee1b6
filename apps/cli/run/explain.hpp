#pragma once

#include <memory>
#include <optional>
#include <string>

#include "analysis/linearize.hpp"
#include "system/simulation.hpp"
#include "system/spec.hpp"

namespace chicane::cli {

// Why a run could not go on, and what helps.
struct Explanation {
  std::string text;                  // without its last full stop
  std::optional<NamedMode> culprit;  // the mode that ran away
};

// `structure`: that of the simulation.
Explanation explain(const std::shared_ptr<const Structure>& structure, const Simulation& simulation,
                    const Spec& spec, Status status);

}  // namespace chicane::cli
