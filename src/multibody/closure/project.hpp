// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "multibody/mechanism.hpp"

namespace chicane::multibody {

struct Projection {
  Status status = Status::ok;
  int iterations = 0;    // of Newton's method, over all loops
  bool changed = false;  // a coordinate or rate by more than rounding
  bool chosen = false;   // other coordinates are independent now
};

// What is due after a full step, before the next evaluation: quaternions get unit length, loops are
// closed and their rates made consistent (embedded ones by their dependent coordinates, the others
// by the shortest way), and where the independent coordinates of a cluster lead the others badly,
// and others are better by far, those are chosen. Coordinates that are right already are not
// touched: twice is the same as once. `step` is the time since the last full step, or zero if that
// is not known.
Projection project(const Mechanism& m, Choice& choice, std::span<double> q, std::span<double> v,
                   std::span<const Drive<double>> drives, Workspace<double>& ws, double step = 0.0);

// Beyond that, after `accelerations` of the same evaluation: clusters whose motion turns fast
// beside the step are held with multipliers from the next step on (ClusterChoice::held) until
// `project` finds them slow. Says whether one is. Driven ones are not: what they are given is no
// turn.
bool hold_where_fast(const Mechanism& m, Choice& choice, const Workspace<double>& ws, double step);

}  // namespace chicane::multibody
