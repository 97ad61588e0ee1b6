// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/diagnostics.hpp"
#include "core/index.hpp"

// How bodies and joints hang together: a graph, without any mass or length.

namespace chicane::multibody {

using BodyIndex = Index<struct BodyTag>;    // in the order of the description; ground is invalid
using JointIndex = Index<struct JointTag>;  // in the order of the description
using LinkIndex = Index<struct LinkTag>;    // a body in the spanning tree; link 0 is ground

struct Graph {
  struct Body {
    std::string name;
    Location where{};
  };
  struct Joint {
    std::string name;
    std::array<BodyIndex, 2> connects;  // invalid: ground
    int freedoms = 0;
    bool driven = false;     // prescribed motion: no freedom of its own
    bool composite = false;  // can only close a loop
    bool cut = false;        // must be cut
    Location where{};
  };
  std::vector<Body> bodies;
  std::vector<Joint> joints;
  BodyIndex base{};  // forced base, or invalid
  Location where{};
};

struct TreeLink {
  BodyIndex body{};
  LinkIndex parent{};
  JointIndex joint{};     // invalid: a free joint that no file names, of a floating base
  bool reversed = false;  // the parent is the joint's second body
  bool detached = false;  // the joint is composite: free joint here, and the joint is cut too
  int freedoms = 0;       // coordinates it brings; 0 for welds and driven joints
  int depth = 0;          // joints between it and ground
};

struct CutJoint {
  JointIndex joint{};
  std::array<LinkIndex, 2> links{};              // of the joint's first and second body
  LinkIndex base{};                              // where the two paths meet
  std::array<std::vector<LinkIndex>, 2> path{};  // below the base down to either link
  int rows = 0;                                  // constraints
};

// Loops that share a moving joint, and can only be solved together.
struct Cluster {
  LinkIndex base{};              // parent of its topmost links
  std::vector<LinkIndex> links;  // in order; contiguous
  std::vector<int> cuts;         // indexes of Topology::cuts
  int coordinates = 0, rows = 0;
};

struct Topology {
  std::vector<TreeLink> links;  // [0] ground; a parent comes before its children
  std::vector<CutJoint> cuts;
  std::vector<Cluster> clusters;               // by their first link
  std::vector<int> cluster_of;                 // link -> cluster, or -1
  LinkIndex base{};                            // ground, or the floating base
  std::vector<std::vector<LinkIndex>> chains;  // the branches that leave the base
  std::vector<LinkIndex> junctions;            // links other than the base with several children
  int coordinates = 0;                         // of the spanning tree, driven joints not counted
  int constraints = 0;                         // rows of the cut joints

  // Freedoms after Gruebler: right unless constraints are redundant.
  [[nodiscard]] int freedoms() const { return coordinates - constraints; }

  // Pairs of links (row >= column) whose block of the mass matrix of the tree is not zero.
  [[nodiscard]] std::vector<std::pair<LinkIndex, LinkIndex>> mass_pattern() const;
  [[nodiscard]] LinkIndex link_of(BodyIndex body) const;
  // From the base to the tips; backwards it is the order of the inertia recursion.
  [[nodiscard]] std::vector<LinkIndex> forward_path() const;
};

// The spanning tree with the fewest coordinates: joints with many freedoms are cut; among equals,
// the one with the shortest chains. Faults are reported, and then there is no result.
std::optional<Topology> analyse(const Graph& graph, Diagnostics& diag);

}  // namespace chicane::multibody
