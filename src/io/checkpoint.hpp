#pragma once

#include <optional>
#include <string>

#include "core/diagnostics.hpp"
#include "system/simulation.hpp"

namespace chicane {

// A saved state: everything by name, numbers exact, with the step, methods and ratios in force.
struct Checkpoint {
  State<double> state;
  Plan plan;
};

std::string write_checkpoint(const Simulation& simulation);

// Refuses, naming what does not fit, a checkpoint of another model or scheme.
std::optional<Checkpoint> read_checkpoint(std::string_view text, const std::string& file,
                                          const Simulation& simulation, Diagnostics& diag);

}  // namespace chicane
