// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "core/diagnostics.hpp"
#include "simulation/simulation.hpp"

namespace chicane {

// What the run section of a Spec comes to, with the defaults filled in.
struct RunPlan {
  Plan plan;
  std::int64_t until = 0;                  // [atoms]
  std::int64_t settle = 0;                 // [atoms] before a search for stable steps
  std::int64_t every = 1;                  // frames between rows; 0: half steps too
  std::optional<std::int64_t> checkpoint;  // [atoms]
  std::vector<SignalIndex> signals;        // what to write
};

// Faults, each with its place, go to `diag`. Defaults that were used are written back to the Spec,
// so that its echo says everything.
std::optional<RunPlan> plan_run(Spec& spec, const ModelStructure& structure, Diagnostics& diag);

// Shell-like patterns: * and ?.
bool matches(std::string_view pattern, std::string_view text);

// What `threads:` says; a fault, and one, where it makes no sense.
int thread_count(const Text& text, Diagnostics& diag);

}  // namespace chicane
