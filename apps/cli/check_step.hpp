// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "simulation/plan.hpp"

namespace chicane::cli {

// To how many digits a run agrees with one of half the step: of the worst signal, the largest
// difference at a frame over the largest value.
struct StepAgreement {
  double digits = 0;
  std::string signal;
};

// Nothing when `stop` says so, which is asked every so often.
std::optional<StepAgreement> check_step(const std::shared_ptr<const ModelStructure>& structure,
                                        const RunPlan& plan, const Inputs<double>& inputs,
                                        const std::function<bool()>& stop);

}  // namespace chicane::cli
