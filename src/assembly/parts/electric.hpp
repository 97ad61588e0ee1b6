// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "assembly/parts/parts.hpp"
#include "language/sections/grammar.hpp"

namespace chicane {

// Powertrain of type electric.
//   in   accelerator, brake, gear, speed_NAME [rad/s] of the wheels of two axles
//   out  torque_NAME [N m]; blended: what of the brake pedal the motors do; empty, full; charge and
//        powers as people read them
PowertrainPart read_electric(Keys& keys);

std::vector<Key> electric_rows();
std::vector<KeyTable> electric_tables();

}  // namespace chicane
