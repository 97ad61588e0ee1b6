// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <initializer_list>
#include <string>
#include <vector>

#include "language/block.hpp"
#include "math/vec3.hpp"

// Poses, wrenches and accelerations as inputs and outputs of blocks: they are declared, connected
// and read as what they are. All in world axes.

namespace chicane {

// A pose: how a frame lies and moves. Where its parts begin among its ports.
namespace pose {
enum Part {
  kPoint = 0,     // [m]
  kAhead = 3,     // its axis x
  kAcross = 6,    // its axis y
  kVelocity = 9,  // [m/s] of the point
  kOmega = 12     // [rad/s]
};
}  // namespace pose
// A wrench about a point: force, then moment.
namespace wrench {
enum Part { kForce = 0, kMoment = 3 };
}  // namespace wrench

// Appends the ports of a bundle, NAME.x ... of what `of` says, to a block's inputs or outputs.
// Gives the place of the first.
int add_bundle(BundleInfo::Kind kind, const std::string& name, const std::string& of,
               std::vector<PortInfo>& ports, std::vector<BundleInfo>& bundles,
               bool on_request = false);

// Inputs of a task: these parts of the pose whose first port that is.
std::vector<int> pose_parts(int first, std::initializer_list<pose::Part> parts);

// The bundle of that kind and name; null if there is none.
const BundleInfo* find_bundle(const std::vector<BundleInfo>& bundles, BundleInfo::Kind kind,
                              std::string_view name);

// Three inputs side by side.
template <class T>
Vec3<T> input3(const BlockView<T>& at, int first) {
  return {at.u(first), at.u(first + 1), at.u(first + 2)};
}

}  // namespace chicane
