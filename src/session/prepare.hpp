// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "io/checkpoint.hpp"
#include "session/request.hpp"
#include "simulation/plan.hpp"

namespace chicane {

// A run that can begin: whatever is wrong before its first step has been refused.
struct Prepared {
  Spec spec;
  std::shared_ptr<const ModelStructure> structure;
  RunPlan plan;
  std::unique_ptr<Simulation> simulation;  // at its start, or where the checkpoint stands
  std::string checkpoint = {};             // the text it goes on from, if it does
  std::vector<std::string> changes = {};   // what differs from the model of the checkpoint
  Fingerprint fingerprint = {};            // of checkpoints of this run
  std::int64_t checkpoint_every = 0;       // [atoms] 0: never
};

// The one way to a run: reads the model, compiles it, plans the run and evaluates its start. All
// faults are said in `diag`, for every command in the same words.
// `adjust`: what a command changes of the model's run section.
std::optional<Prepared> prepare(const ModelRequest& request, Diagnostics& diag,
                                const std::function<void(Spec&)>& adjust = {});
// The same, and goes on from a checkpoint if the model or the command line names one.
std::optional<Prepared> prepare_run(const ModelRequest& request, Diagnostics& diag);

// For those who search among steps.
void refuse_reference(const Spec& spec, Diagnostics& diag);

}  // namespace chicane
