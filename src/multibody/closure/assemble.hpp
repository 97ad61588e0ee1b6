// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "multibody/mechanism.hpp"

// Bringing coordinates and rates onto the loops, by the shortest way: at the start, and after a
// step of loops with multipliers.

namespace chicane::multibody {

// Closes the loops, moving all coordinates of a cluster as little as possible. False: some loop
// stays open; ws.loops[...].residual says how far. Leaves the rows of all loops in ws.
bool assemble(const Mechanism& m, std::span<double> q, std::span<const Drive<double>> drives,
              Workspace<double>& ws);

// Rates that the loops allow, nearest to v; at the positions of the last assemble.
void project_rates(const Mechanism& m, std::span<double> v, std::span<const Drive<double>> drives,
                   Workspace<double>& ws);

// The same for one cluster, on ws.q, ws.v and a base that is in place. Coordinates with gaps up to
// `enough` [m], [rad] are not touched; s.iterations says how many steps were taken. L: factors of
// the inertia in whose metric the way is the shortest; null: that of the coordinates.
bool assemble_cluster(const Mechanism& m, int cluster, double enough, Workspace<double>& ws,
                      const double* L = nullptr);
void project_cluster_rates(const Mechanism& m, int cluster, Workspace<double>& ws,
                           const double* L = nullptr);

}  // namespace chicane::multibody
