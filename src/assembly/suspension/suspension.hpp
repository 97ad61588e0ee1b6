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
  double dual = 0.0;          // [m] between the two tires of a wheel; 0: it has one
};

// What names end in: "f" of what both sides share, "fl" and "fr" of what belongs to one; and what
// the axle is on.
struct AxleNames {
  std::string axle, left, right;
  std::string chassis = "chassis";  // body of its unit
  Vec3<double> from{};              // [m] reference of its unit
};

// Rim, tire and what of the hub spins.
struct WheelInertia {
  double mass = 0.0, spin = 0.0, cross = 0.0;  // [kg], [kg m^2] about the axis and across it
  double dual = 0.0;                           // [m] between its two tires; 0: it has one
  Location where{};                            // in the file
};

// Adds the suspension of one axle to `into`: bodies, joints, forces, and to the bodies that carry
// them the wheels without their spin inertia. `axle` is the section of the axle; 'at',
// 'suspension', 'anti_roll_bar' and 'wheel' are read, and other keys are the caller's to refuse.
// `apart`: what of the wheel is no part of its carrier, and does not turn with its rim.
// Needs the body of its unit and, if the axle is steered by rods, the body "rack". Faults go to the
// diagnostics of `axle`; then there is no result, and `into` is as before.
std::optional<Axle> add_suspension(Keys& axle, const AxleNames& names, multibody::Description& into,
                                   const WheelInertia& apart = {});

// The keys of the sections it reads.
std::vector<KeyTable> suspension_grammar();

}  // namespace chicane
