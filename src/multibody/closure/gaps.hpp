// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "multibody/mechanism.hpp"

namespace chicane::multibody {

// How far cut joints are open, and how fast they open: the worst row of each, and whose it is.
struct LoopGaps {
  double position = 0.0, rate = 0.0;  // [m] or [rad]; [m/s] or [rad/s]
  JointIndex open{}, opening{};       // invalid: there is no loop
};

// From where the links are and how they move, whoever placed them; after kinematics. Writes frames
// and residuals of the loops, nothing else.
LoopGaps worst_gaps(const Mechanism& m, Workspace<double>& ws);

}  // namespace chicane::multibody
