// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>

#include "assembly/vehicle.hpp"
#include "core/diagnostics.hpp"
#include "language/blueprint.hpp"
#include "multibody/description.hpp"
#include "multibody/mechanism.hpp"

// From a Spec to what can be compiled: mechanisms and vehicles become blocks. Every fault goes to
// `diag`; then there is no result.

namespace chicane {

inline bool has_mechanism(const Spec& spec) { return spec.mechanism || spec.vehicle; }

// The mechanism of a Spec in numbers, that of its vehicle included, and what makes no sense
// refused.
std::optional<multibody::Description> describe_mechanism(const Spec& spec, Diagnostics& diag);
// The same, analysed and assembled.
std::shared_ptr<const multibody::Mechanism> compile_mechanism(const Spec& spec, Diagnostics& diag);

// The Spec with the kinds of the blocks of its mechanism and of its vehicle made, and their inputs
// connected; `start`: how its vehicle starts.
std::optional<Spec> with_native_blocks(const Spec& spec, Diagnostics& diag,
                                       VehicleStart* start = nullptr);

// The Spec with its blocks made, and where its vehicle starts settled, with the values it starts
// from. Nothing where the Spec makes no model in any partition.
std::shared_ptr<const Blueprint> make_blueprint(const Spec& spec, Diagnostics& diag);

// Turns a Spec into a ModelStructure.
std::shared_ptr<const ModelStructure> compile(const Spec& spec, const Partition& partition,
                                              Diagnostics& diag);
// As the run's scheme needs it: in its rate groups, slowest first, or all together.
std::shared_ptr<const ModelStructure> compile_for_run(const Spec& spec, Diagnostics& diag);

}  // namespace chicane
