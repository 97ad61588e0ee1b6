// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "multibody/mechanism.hpp"

// Where a mechanism starts: values that are asked of joints are held exactly, and what is not asked
// of joints in loops is found.

namespace chicane::multibody {

// Of a joint, in the sense of its description: the second body relative to the first.
struct JointValues {
  std::vector<double> q, v;  // of a ball or a free joint: the rotation vector first
};

struct StartValue {
  JointIndex joint{};
  JointValues asked{};  // empty: free
};

// A value that the loops do not allow, beside what the others ask.
struct StartMiss {
  JointIndex joint{};
  bool rate = false;
  std::vector<double> asked, nearest;
  [[nodiscard]] double distance() const;
};

struct Start {
  bool closed = true;  // false: the loops stay open where the driven joints start
  std::vector<StartMiss> misses;
  [[nodiscard]] bool ok() const { return closed && misses.empty(); }
};

// Brings closed loops at q to what is asked, along the loops and by the shortest way, so that the
// branch is that of q; driven joints go from zero to where they start. In a loop, rates that are
// not asked are the least that fit; outside loops what is not asked stays as it is. Joints in loops
// may be cut ones, and values that others imply are accepted. On a miss q and v are the nearest
// that was found.
Start hold(const Mechanism& m, std::span<const StartValue> asked, std::span<double> q,
           std::span<double> v, std::span<const Drive<double>> drives, Workspace<double>& ws);

// What a joint does at the positions and rates of the last kinematics. Massless links have none.
JointValues values_of(const Mechanism& m, JointIndex joint, const Workspace<double>& ws);

}  // namespace chicane::multibody
