// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "assembly/parts/parts.hpp"
#include "language/sections/keys.hpp"
#include "multibody/description.hpp"

namespace chicane {

// The way of a rack on the chassis: straight, or round the pivot of a pitman arm.
struct RackWay {
  bool driven = true;  // its motion is prescribed by the block `steering`
  Vec3<double> t{};    // direction of positive displacement at the start
  double arm = 0.0;    // [m] length of the pitman arm; 0: it slides
  Vec3<double> u{};    // ... from the rack to the pivot
};

// Adds the body `rack` and what guides it on the chassis, from the section `body` of a steering: a
// straight slide, or with `pitman` the arc of an arm whose idler is as long. Faults go to the
// diagnostics of `body`.
RackWay add_rack(Keys& body, const SteeringPart& part, multibody::Description& into);

}  // namespace chicane
