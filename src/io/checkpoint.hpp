// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/diagnostics.hpp"
#include "language/spec.hpp"
#include "simulation/simulation.hpp"

namespace chicane {

// All that decides how a run goes on: every entry of the model and every choice of its plan, by
// name, as the echo has them. What is only said or written, as descriptions or the end of the run,
// is not part of it.
using Fingerprint = std::vector<std::pair<std::string, std::string>>;
Fingerprint fingerprint_of(const Spec& spec);

// A saved state: everything by name, numbers exact, with the step, methods and ratios in force.
struct Checkpoint {
  State<double> state;
  Plan plan;
  std::vector<std::string> changes;  // what differs from the model it was saved with, in words
};

// The text of a file: JSON, with the SHA-256 of all that follows it in its third line.
std::string write_checkpoint(const Simulation& simulation, const Fingerprint& of = {});

// Refuses, naming it, what is damaged or does not fit: another format, other states, or values that
// no run can have. What differs in the fingerprint is a fault, too, or with `with_changes` is
// listed; parameters have their new values then, and so has the plan. An empty fingerprint is not
// compared.
struct ResumeRequest {
  Fingerprint fingerprint = {};
  bool with_changes = false;
};
std::optional<Checkpoint> read_checkpoint(std::string_view text, const std::string& file,
                                          const Simulation& simulation, Diagnostics& diag,
                                          const ResumeRequest& request = {});

// A checkpoint with another content under the right checksum: for tests of what is inside.
std::string with_checksum(std::string_view text);

}  // namespace chicane
