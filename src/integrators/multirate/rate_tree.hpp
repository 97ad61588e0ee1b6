// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "integrators/group_system.hpp"

namespace chicane {

// Who is advanced within whose step. A node is a group; below it stand the faster groups it is
// connected with, in branches that have nothing to do with each other: each branch can be advanced
// over the whole step of the node without the others.
struct RateNode {
  GroupIndex group;
  int ratio = 1;                  // steps per frame
  std::vector<GroupIndex> below;  // all groups of the branch, this one first, slower ones earlier
  std::vector<int> steps;         // of each of them in one of this node
  std::vector<RateNode> branches;
};

// `ratios`: steps per frame of each group, slowest first, each a multiple of the one before.
// `connected(a, b)`: a reads a signal of b.
template <class Connected>
std::vector<RateNode> rate_branches(std::span<const GroupIndex> groups, std::span<const int> ratios,
                                    Connected&& connected) {
  std::vector<RateNode> branches;
  std::vector<bool> taken(groups.size(), false);
  for (std::size_t first = 0; first < groups.size(); ++first) {
    if (taken[first]) continue;
    // The branch of `first`: everything connected with it, one way or the other.
    std::vector<bool> member(groups.size(), false);
    member[first] = true;
    for (bool grown = true; grown;) {
      grown = false;
      for (std::size_t i = 0; i < groups.size(); ++i)
        for (std::size_t j = 0; j < groups.size(); ++j)
          if (member[i] && !member[j] &&
              (connected(groups[i], groups[j]) || connected(groups[j], groups[i])))
            member[j] = grown = true;
    }
    const auto ratio = [&](GroupIndex g) { return ratios[static_cast<std::size_t>(g.value)]; };
    RateNode node{groups[first], ratio(groups[first]), {}, {}, {}};
    for (std::size_t i = 0; i < groups.size(); ++i)
      if (member[i]) {
        taken[i] = true;
        node.below.push_back(groups[i]);
        node.steps.push_back(ratio(groups[i]) / node.ratio);
      }
    node.branches = rate_branches(std::span(node.below).subspan(1), ratios, connected);
    branches.push_back(std::move(node));
  }
  return branches;
}

}  // namespace chicane
