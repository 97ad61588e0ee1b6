// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>

#include "core/diagnostics.hpp"
#include "language/spec.hpp"
#include "multibody/description.hpp"
#include "multibody/mechanism.hpp"

namespace chicane {

// The mechanism that stands in a Spec's own topology, in numbers: units are checked, formulas of
// the model's parameters computed. Not yet checked as a whole. Every fault goes to `diag`; then
// there is no result. (With the vehicle's: describe_mechanism in assembly/assemble.hpp.)
std::optional<multibody::Description> describe_topology(const Spec& spec, Diagnostics& diag);

// The same, if it makes sense as a whole.
std::optional<multibody::Description> checked(std::optional<multibody::Description> description,
                                              Diagnostics& diag);

// Checked, analysed and assembled.
std::shared_ptr<const multibody::Mechanism> compile_mechanism(
    std::optional<multibody::Description> description, Diagnostics& diag);

}  // namespace chicane
