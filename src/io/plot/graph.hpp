// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace chicane {

// A tree with further edges, to be drawn from left to right.
struct GraphPicture {
  struct Node {
    std::string label;
    int parent = -1;     // an earlier node; -1: the root
    std::string edge{};  // label of the edge to the parent
    bool marked = false;
  };
  struct Edge {  // beside the tree, drawn with dashes
    int a = 0, b = 0;
    std::string label;
  };
  std::string title;
  std::vector<Node> nodes;  // the root first
  std::vector<Edge> edges;
};

std::string draw_svg(const GraphPicture& picture);

}  // namespace chicane
