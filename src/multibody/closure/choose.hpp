// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "multibody/mechanism.hpp"

namespace chicane::multibody {

// The independent rates of a cluster, for the rows and positions of the last kinematics: those
// left by pivoted elimination of the rows, each rate in its measure. In a singular position, where
// rows that were independent no longer are, an old choice stays. Does not allocate once `choice`
// has been sized.
void choose(const LoopCluster& c, ClusterScratch<double>& s, ClusterChoice& choice);

// LoopCluster::reach, with the links placed.
std::vector<double> reach_of_rates(const Mechanism& m, const LoopCluster& c,
                                   const Workspace<double>& ws, const ClusterScratch<double>& s);

// The same for all clusters that are embedded, at an accepted point of a run. Coordinates and rates
// need no change: those that were dependent are right where they are.
void choose(const Mechanism& m, Workspace<double>& ws, Choice& choice);

// One step of Newton's method with the shortest change of all coordinates of the cluster, from
// `rows` and s.G into s.gamma. With the factors of their inertia, D = L L', it is the one d of the
// least d' D d: what an impulse of the loops would do.
void shortest_step(const LoopCluster& c, const std::vector<double>& rows, ClusterScratch<double>& s,
                   const double* L = nullptr);

// Rows that are combinations of others: below this fraction of the longest.
inline constexpr double kRowTolerance = 1e-8;

}  // namespace chicane::multibody
