// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "multibody/mechanism.hpp"

// The power balance of a mechanism,
//
//   d(motion_energy)/dt = applied_power + drive_power
//
// Springs count as forces here, and only gravity as a potential: nothing is evaluated twice.

namespace chicane::multibody {

// What bodies have by moving, and by standing in gravity [J].
template <class T>
struct MotionEnergy {
  T kinetic{}, potential{};
};
template <class T>
MotionEnergy<T> motion_energy(const Mechanism& m, const Workspace<T>& ws);  // after kinematics

// Of all that stands in ws.force and ws.tau [W]; after apply_forces and the caller's own wrenches.
template <class T>
T applied_power(const Mechanism& m, const Workspace<T>& ws);

// What driven joints give [W]; after accelerations. Joints do no work unless they are driven, so it
// is what the inertias take beyond what is applied.
template <class T>
T drive_power(const Mechanism& m, const Workspace<T>& ws);

// What force elements bring in from outside [W]: commands, and wrenches that have no potential;
// after kinematics.  d(kinetic + potential energy)/dt = outside_power + drive_power + power of the
// caller's own wrenches - dissipated_power.
template <class T>
T outside_power(const Mechanism& m, std::span<const int> elements, const Workspace<T>& ws,
                const ForceInputs<T>& in);
// Those that do, by their places among the forces.
std::vector<int> outside_elements(const Mechanism& m);

// Nothing in it gives or takes energy: no drive, no command, no damper, no friction. Kinetic and
// potential energy together then stay what they are, unless the caller's own wrenches change that.
bool keeps_its_energy(const Mechanism& m);

}  // namespace chicane::multibody
