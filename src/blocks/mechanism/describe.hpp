#pragma once

#include <memory>
#include <optional>

#include "core/diagnostics.hpp"
#include "language/spec.hpp"
#include "multibody/description.hpp"
#include "multibody/mechanism.hpp"

namespace chicane {

inline bool has_mechanism(const Spec& spec) { return spec.mechanism || spec.vehicle; }

// The mechanism of a Spec in numbers, that of its vehicle included: units are checked, formulas of
// the model's parameters computed, and what makes no sense is refused. Every fault goes to `diag`;
// then there is no result.
std::optional<multibody::Description> describe_mechanism(const Spec& spec, Diagnostics& diag);

// What stands in its topology alone, not yet checked as a whole.
std::optional<multibody::Description> describe_topology(const Spec& spec, Diagnostics& diag);

// The same, analysed and assembled.
std::shared_ptr<const multibody::Mechanism> compile_mechanism(const Spec& spec, Diagnostics& diag);
std::shared_ptr<const multibody::Mechanism> compile_mechanism(
    std::optional<multibody::Description> description, Diagnostics& diag);

}  // namespace chicane
