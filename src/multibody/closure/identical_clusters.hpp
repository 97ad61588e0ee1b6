// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "multibody/mechanism.hpp"

// Clusters of the same build, as the corners of a car, are evaluated side by side: one pass through
// the formulas, four clusters in the lanes of every number. The results are those of one cluster
// after the other, to the bit. They are evaluated so while all have the same independent
// coordinates and none is near a singular position; and by one thread.

namespace chicane::multibody {

// Finds them, and writes Mechanism::identical. Their links carry nothing else, no joint of theirs
// is driven, and what carries them or what their cut joints end on comes before the first.
void find_identical_clusters(Mechanism& m);

// The last kinematics evaluated the cluster together with those like it.
template <class T>
bool used(const Workspace<T>& ws, const LoopCluster& c) {
  return c.identical >= 0 && !ws.identical.empty() &&
         ws.identical[static_cast<std::size_t>(c.identical)].used;
}

// In the turn of the first: closes all of them and moves their links. Says whether it did.
bool moved_side_by_side(const Mechanism& m, const LoopCluster& c, const Choice& choice,
                        Workspace<double>& ws);
inline bool moved_side_by_side(const Mechanism&, const LoopCluster&, const Choice&,
                               Workspace<Dual>&) {
  return false;
}

// The cluster's part of what eliminate_cluster gives for all, computed in the turn of the last.
bool eliminate_side_by_side(const Mechanism& m, const LoopCluster& c, const Choice& choice,
                            Workspace<double>& ws, ArticulatedInertia<double>& I,
                            Wrench<double>& p);
inline bool eliminate_side_by_side(const Mechanism&, const LoopCluster&, const Choice&,
                                   Workspace<Dual>&, ArticulatedInertia<Dual>&, Wrench<Dual>&) {
  return false;
}

// In the turn of the first: accelerations of the rates of all.
void accelerate_side_by_side(const Mechanism& m, const LoopCluster& c, const Choice& choice,
                             Workspace<double>& ws, std::span<double> vdot);
inline void accelerate_side_by_side(const Mechanism&, const LoopCluster&, const Choice&,
                                    Workspace<Dual>&, std::span<Dual>) {}

}  // namespace chicane::multibody
