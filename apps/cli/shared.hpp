// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/commands.hpp"
#include "core/cpu_time.hpp"
#include "simulation/plan.hpp"

namespace chicane::cli {

// "1 body", "2 bodies"
std::string counted(std::size_t n, const char* one, const char* many);

// A model on which several schemes are tried: its signals, end and defaults do not depend on them.
struct Trial {
  Spec spec;
  std::shared_ptr<const ModelStructure> structure;  // all blocks together
  RunPlan run;
};
// `signals`: patterns instead of those of the run section, if there are any.
std::optional<Trial> load_trial(const RunOptions& options, const std::vector<std::string>& signals,
                                Diagnostics& diag);

// What is said of each parameter, by its full name.
std::map<std::string, std::string> parameter_descriptions(const Spec& spec);

// What a plan does, in a few words.
std::string how(const Plan& plan, const ModelStructure& structure);

}  // namespace chicane::cli
