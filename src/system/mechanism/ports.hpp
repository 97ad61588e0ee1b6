#pragma once

#include <vector>

#include "multibody/mechanism.hpp"
#include "system/block.hpp"
#include "system/mechanism/mount.hpp"

// What the block of a mechanism looks like from outside.

namespace chicane {

// The tasks of the block, in the order of its BlockInfo. From kBodies on each body has two, for its
// place and for its acceleration, so that nobody pays for those he does not look at.
enum MechanismTask {
  kKinematics,
  kDynamics,
  kTotals,
  kReactions,
  kChoice,
  kBodies,
};

// Its outputs: of every body, of every joint, of every mount, then of all together.
struct MechanismOutputs {
  static constexpr int kOfABody = 19;
  static constexpr int kPlaces = 13;                 // of those, before the accelerations
  static int mounts(const multibody::Mechanism& m);  // where they begin
  static int totals(const multibody::Mechanism& m);  // how many there are
};

BlockInfo block_info(const multibody::Mechanism& m, const std::vector<Mount>& mounts);

}  // namespace chicane
