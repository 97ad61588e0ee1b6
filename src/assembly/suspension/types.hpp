// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "assembly/suspension/builder.hpp"

// The types of suspension. Each adds the bodies, joints and forces of both sides and says where the
// wheels are. One freedom is left to a wheel, whatever it is steered by.

namespace chicane::suspension {

// Two arms on hinges, a carrier between their balls, a tie rod.
Axle double_wishbone(Builder& b);
// An arm on a hinge, a carrier on its ball that slides along a strut, a tie rod.
Axle macpherson(Builder& b);
// An arm on a hinge that carries the wheel; any direction of the hinge.
Axle trailing_arm(Builder& b);
// Two trailing arms on one hinge, and a beam between them that twists.
Axle twist_beam(Builder& b);
// One body for both wheels, on rods or leaf springs; with knuckles where it is steered.
Axle solid_axle(Builder& b);
// Wheels on bodies that are there already.
Axle free_carriers(Builder& b);

}  // namespace chicane::suspension
