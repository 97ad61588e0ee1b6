// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>

#include "core/diagnostics.hpp"
#include "simulation/simulation.hpp"

namespace chicane {

// Evaluates a model where its run begins. What cannot be gone on from is a fault with its place:
// values and rates that are not finite, states beyond their limits, blocks that cannot be
// evaluated, signals to be written that have no value.
void check_start(Simulation& simulation, const Spec& spec, std::span<const SignalIndex> written,
                 Diagnostics& diag);

// Why the present state is none that a run can be in, or nothing: coordinates of a loop that are
// not those which the others leave it are put right by the evaluation, and would not be gone on
// from.
std::string misfit_of_state(Simulation& simulation);

// Where the file says what a state, memory, variable or parameter is; the file as a whole where it
// is not written there by that name.
Location place_of(const Spec& spec, std::string_view name);

// "infinite" or "not a number"
std::string_view what_it_is(double value);
// What helps against a formula without a value.
inline constexpr std::string_view kRemedyOfUndefined =
    "look for a division by zero, or a root or logarithm of what is negative; where a formula "
    "means "
    "nothing before something happens, write if(condition, formula, value until then)";

}  // namespace chicane
