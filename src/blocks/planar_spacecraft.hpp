// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "language/block.hpp"

namespace chicane {

// The body and the panels of a planar spacecraft as two blocks, so that they can be in two groups.
// Each solves for all accelerations and keeps its own; what passes between them are states.
std::shared_ptr<const BlockKind> planar_spacecraft_body_kind();
std::shared_ptr<const BlockKind> planar_spacecraft_panels_kind();

}  // namespace chicane
