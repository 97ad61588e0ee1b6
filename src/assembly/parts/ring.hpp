// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "language/block.hpp"
#include "language/sections/keys.hpp"

// The section `ring` of a tire: its tread band as a rigid ring, see vehicle/tire/rigid_ring.hpp.

namespace chicane {

// Its numbers in the order of tire::RingParams, and nothing where the tire has no such section.
// `common`: the parameters that every tire has; the ring's sidewalls must be stiffer.
std::vector<NativeParameter> read_ring(Keys& tire, const std::vector<NativeParameter>& common);

KeyTable ring_table();

}  // namespace chicane
