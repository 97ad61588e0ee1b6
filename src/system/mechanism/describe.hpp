#pragma once

#include <memory>
#include <optional>

#include "core/diagnostics.hpp"
#include "multibody/description.hpp"
#include "multibody/mechanism.hpp"
#include "system/spec.hpp"

namespace chicane {

// The mechanism of a Spec in numbers: units are checked, formulas of the model's parameters
// computed, and what makes no sense is refused. Every fault goes to `diag`; then there is no
// result.
std::optional<multibody::Description> describe_mechanism(const Spec& spec, Diagnostics& diag);

// The same, analysed and assembled.
std::shared_ptr<const multibody::Mechanism> compile_mechanism(const Spec& spec, Diagnostics& diag);

}  // namespace chicane
