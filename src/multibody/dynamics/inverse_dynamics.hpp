#pragma once

#include "multibody/mechanism.hpp"

namespace chicane::multibody {

// Forces along the rates of the open tree that make them accelerate by vdot, beside ws.force; the
// loops are not looked at. After kinematics and apply_forces; ws.tau is not looked at.
template <class T>
void inverse_dynamics(const Mechanism& m, std::span<const T> vdot, Workspace<T>& ws,
                      std::span<T> tau);

// What joints do to bodies, in world axes.
struct Reactions {
  std::vector<Wrench<double>> link;  // by the joint of a link upon it, about its origin   (links)
  std::vector<std::vector<Wrench<double>>> cut;  // by cluster and cut joint, upon its frame B,
                                                 // about that frame's origin
};

// After accelerations. Of redundant constraints one set of forces that holds them is given.
Reactions reactions(const Mechanism& m, Workspace<double>& ws);

}  // namespace chicane::multibody
