// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "language/sections/keys.hpp"
#include "multibody/description.hpp"

namespace chicane {

// A line through a point of each of two bodies, about which a wheel is steered: from the lower one
// to the upper one, in the position of the description.
struct SteeringAxis {
  struct Point {
    std::string body;
    Vec3<double> at{};  // [m]
  } lower, upper;
};

// Where a wheel is mounted, in the position of the description.
struct WheelMount {
  std::string body;
  Vec3<double> centre, axis;             // [m]; spin axis, of unit length, to the left
  std::optional<SteeringAxis> pin = {};  // of suspensions that have one, steered or not
};
struct Axle {
  WheelMount left, right;
  double spin_inertia = 0.0;  // [kg m^2] of each wheel about its axis: not in the bodies
};

// What names end in: "f" of what both sides share, "fl" and "fr" of what belongs to one.
struct AxleNames {
  std::string axle, left, right;
};

// Adds the suspension of one axle to `into`: bodies, joints, forces, and to the bodies that carry
// them the wheels without their spin inertia. `axle` is the section of the axle; 'at',
// 'suspension', 'anti_roll_bar' and 'wheel' are read, and other keys are the caller's to refuse.
// Needs the body "chassis" and, if the axle is steered, the body "rack". Faults go to the
// diagnostics of `axle`; then there is no result, and `into` is as before.
std::optional<Axle> add_suspension(Keys& axle, const AxleNames& names,
                                   multibody::Description& into);

// The keys of the sections it reads.
std::vector<KeyTable> suspension_grammar();

}  // namespace chicane
