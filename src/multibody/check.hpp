// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/diagnostics.hpp"
#include "multibody/description.hpp"
#include "multibody/topology/topology.hpp"

namespace chicane::multibody {

// Whether a description makes sense: names, masses, inertias, axes, who is connected with whom.
// Every fault goes to `diag`.
bool check(const Description& description, Diagnostics& diag);

// The bodies and joints alone, of a description that makes sense.
Graph graph_of(const Description& description);

}  // namespace chicane::multibody
