// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "assembly/parts/parts.hpp"
#include "language/sections/grammar.hpp"

namespace chicane {

// Brakes of type by-axle: each axle has its own torque, lag and hand brake.
//   in   pedal, hand, speed_NAME [rad/s] of the wheels of these axles
//   out  torque_NAME, capacity_NAME [N m]
BlockKindPtr read_axle_brakes(Keys& keys);

std::vector<Key> axle_brakes_rows();
std::vector<KeyTable> axle_brakes_tables();

}  // namespace chicane
