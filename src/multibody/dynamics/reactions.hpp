// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "multibody/mechanism.hpp"

namespace chicane::multibody {

// What joints hold, one wrench for each joint of the description, in its order: what the first body
// of `connects` exerts on the second, in world axes, about the point of the joint that the second
// body carries (`second_at` where a joint has two points, else `at`). The first body feels the
// opposite.
//
// The drive of a driven joint is part of it. Springs and other forces that act in a joint are not:
// a joint that is not driven does no work along its freedoms. Of constraints that others already
// hold (Mechanism::redundant) one set of forces is given that holds them.
//
// After accelerations, with their choice; uses their scratch (ws.pA, and that of the loops). No
// heap.
template <class T>
void reactions(const Mechanism& m, const Choice& choice, Workspace<T>& ws,
               std::span<Wrench<T>> joint);

}  // namespace chicane::multibody
