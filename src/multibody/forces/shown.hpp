// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "multibody/mechanism.hpp"

// What force elements and cut joints show to whoever asks. Forces are positive where they push
// points apart, or push or turn the second body of a joint along its coordinate.

namespace chicane::multibody {

struct ShownValue {
  std::string name, unit, what;
};

// Of a force element: how it lies, which takes kinematics, and what it does, which takes commands.
struct Shown {
  std::vector<ShownValue> measures, forces;
};
Shown shown(const Mechanism& m, const ForceElement& element);

template <class T>
void measure(const ForceElement& element, const Workspace<T>& ws, std::span<const T> z,
             std::span<T> out);
template <class T>
void show_forces(const ForceElement& element, const Workspace<T>& ws, const ForceInputs<T>& in,
                 std::span<T> out);

// Coordinates of a cut joint and then their rates, called as those of a joint in the tree; angles
// are within half a turn. None for kinds whose coordinates are not a few numbers.
std::vector<ShownValue> shown(const Mechanism& m, const LoopJoint& cut);
template <class T>
void measure(const Mechanism& m, const LoopJoint& cut, const Workspace<T>& ws, std::span<T> out);

}  // namespace chicane::multibody
