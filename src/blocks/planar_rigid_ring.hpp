// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "language/block.hpp"

namespace chicane {

// Where the ring's position is counted from. Its velocity is inertial in both. A position relative
// to the hub keeps its meaning when a scheme sees ring and hub at different instants.
enum class RingFrame { relative, inertial };

std::shared_ptr<const BlockKind> planar_rigid_ring_kind(RingFrame frame);

}  // namespace chicane
