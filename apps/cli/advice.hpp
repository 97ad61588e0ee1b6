#pragma once

#include <memory>
#include <optional>
#include <string>

#include "system/simulation.hpp"

namespace chicane::cli {

// What the linearised model says about a step: the mode that the method would make grow.
struct StepAdvice {
  std::string mode;        // "the mode at 5.6 Hz (damping 0.30) of x2, group fast"
  double stable_step = 0;  // [s] the largest at which no mode grows
};

// One sentence about it.
std::string sentence(const StepAdvice& advice, const Plan& plan);

// Nothing when the step is within the stability region for every mode at this state.
std::optional<StepAdvice> advise_step(const std::shared_ptr<const Structure>& structure,
                                      const State<double>& at, const Plan& plan);

}  // namespace chicane::cli
