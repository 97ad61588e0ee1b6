// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "blocks/mechanism/mount.hpp"
#include "language/block.hpp"
#include "language/spec.hpp"
#include "multibody/mechanism.hpp"

namespace chicane {

// A mechanism as a block of a model.
//
//   states   all joint coordinates q and rates v, and what forces remember. Of a loop some
//            depend on others: every evaluation finds them anew, and the scheme takes them over
//            at full steps.
//   memory   which coordinates of a loop are independent, chosen anew where that is due
//   inputs   for each driven joint its motion, rate and acceleration; for each commanded force its
//            command; for each mount the wrench on it
//   outputs  what bodies do, what joints hold, energy and momentum, how well loops close; for each
//            mount its place and velocity
//
// With more than one thread its branches are evaluated side by side, to the same bits.
std::shared_ptr<const BlockKind> mechanism_kind(std::shared_ptr<const multibody::Mechanism> m,
                                                int threads = 1,
                                                const std::vector<MountDescription>& mounts = {});

// What feeds its inputs: formulas of the file for driven joints and commanded forces.
std::vector<Assignment> mechanism_wiring(const Spec& spec, Diagnostics& diag);

}  // namespace chicane
