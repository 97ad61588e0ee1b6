// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "blocks/mechanism/mount.hpp"
#include "language/block.hpp"
#include "multibody/mechanism.hpp"

// What the block of a mechanism looks like from outside.

namespace chicane {

// The tasks of the block, in the order of its BlockInfo. From kBodies on each body has two, for its
// place and for its acceleration, then each force element, for how it lies and what it does, then
// each cut joint one, so that nobody pays for those he does not look at.
enum MechanismTask {
  kKinematics,
  kDynamics,
  kTotals,
  kReactions,
  kChoice,
  kPower,
  kBodies,
};

// Its outputs: of every body, of every joint, of every mount, of every force element, of every cut
// joint, of power, then of all together.
struct MechanismOutputs {
  static constexpr int kPlaces = size_of(BundleInfo::Kind::body);
  static constexpr int kOfABody = kPlaces + size_of(BundleInfo::Kind::acceleration);
  static int mounts(const multibody::Mechanism& m);  // where they begin
  static int totals(const multibody::Mechanism& m);  // how many there are
};

// Where outputs stand that not every mechanism has.
struct ShownPlaces {
  struct Place {
    std::size_t first = 0, count = 0;
  };
  struct Cut {
    const multibody::LoopJoint* joint = nullptr;
    Place place;
  };
  std::vector<Place> measures, forces;  // of the force elements
  std::vector<Cut> cuts;
  Place power;
};
ShownPlaces shown_places(const multibody::Mechanism& m, const std::vector<Mount>& mounts);

BlockInfo block_info(const multibody::Mechanism& m, const std::vector<Mount>& mounts);

}  // namespace chicane
