// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <vector>

#include "integrators/method.hpp"

namespace chicane {

// A rooted tree [t_1 ... t_m], its children given by their place in the list of all trees.
struct RootedTree {
  int colour = 0;  // of the root: which part of a partitioned system it is a derivative of
  std::vector<int> children;
  int order = 1;             // number of nodes
  std::int64_t density = 1;  // gamma(t) = |t| prod gamma(t_i)
};

// All rooted trees with at most `order` nodes (1, 2, 4, 8, 17, 37 of them), small ones first, each
// node in one of some colours.
inline std::vector<RootedTree> rooted_trees(int order, int colours = 1) {
  std::vector<RootedTree> trees;
  for (int colour = 0; colour < colours; ++colour) trees.push_back({.colour = colour});
  // Grow: append child `first`, or a later one, to every forest built so far.
  const auto grow = [&trees](auto&& self, RootedTree forest, int first, int left) -> void {
    if (left == 0) {
      forest.density *= forest.order;
      trees.push_back(forest);
      return;
    }
    for (int i = first; trees[static_cast<std::size_t>(i)].order <= left; ++i) {
      const int size = trees[static_cast<std::size_t>(i)].order;
      RootedTree more = forest;
      more.children.push_back(i);
      more.order += size;
      more.density *= trees[static_cast<std::size_t>(i)].density;
      self(self, more, i, left - size);
      if (i + 1 == static_cast<int>(trees.size())) break;
    }
  };
  for (int n = 2; n <= order; ++n)
    for (int colour = 0; colour < colours; ++colour) {
      const RootedTree root{.colour = colour};
      grow(grow, root, 0, n - 1);
    }
  return trees;
}

inline bool same(Rational a, Rational b, double) { return a == b; }
inline bool same(double a, double b, double tolerance) { return std::fabs(a - b) <= tolerance; }

template <class R>
R fraction(std::int64_t n, std::int64_t d) {
  if constexpr (std::is_same_v<R, Rational>)
    return Rational(n, d);
  else
    return static_cast<double>(n) / static_cast<double>(d);
}

// The order of a method with exact old derivatives: the largest p <= most for which the numerical
// and the exact solution agree in the elementary weights of all trees with at most p nodes. Hairer,
// Norsett and Wanner, Solving ODEs I, chapters II.2 and III.8, with the old derivatives entering as
// the B-series of y'(t_n - k h), whose weight of [t_1 ... t_m] is prod (-k)^|t_i| / gamma(t_i).
template <class R>
int order_of(const Coefficients<R>& m, int most = 6, double tolerance = 1e-10) {
  const auto trees = rooted_trees(most);
  const auto n = trees.size();
  std::vector<std::vector<R>> X(n), F(n);  // weights of the stages and of their derivatives
  int order = most;
  for (std::size_t t = 0; t < n; ++t) {
    const auto exact_old = [&](int k) {  // y'(t_n - k h)
      R w = fraction<R>(1, 1);
      for (const int child : trees[t].children) {
        const RootedTree& tree = trees[static_cast<std::size_t>(child)];
        std::int64_t power = 1;
        for (int i = 0; i < tree.order; ++i) power *= -k;
        w = w * fraction<R>(power, tree.density);
      }
      return w;
    };
    const auto combined = [&](const auto& row, const auto& old) {
      R w{};
      for (int j = 0; j < m.stages; ++j)
        w = w + row[static_cast<std::size_t>(j)] * F[t][static_cast<std::size_t>(j)];
      for (int k = 1; k <= m.old; ++k) w = w + old[static_cast<std::size_t>(k - 1)] * exact_old(k);
      return w;
    };
    const auto s = static_cast<std::size_t>(m.stages);
    F[t].assign(s, R{});
    for (std::size_t i = 0; i < s; ++i) {
      F[t][i] = fraction<R>(1, 1);
      for (const int child : trees[t].children)
        F[t][i] = F[t][i] * X[static_cast<std::size_t>(child)][i];
    }
    X[t].assign(s, R{});
    for (std::size_t i = 0; i < s; ++i) X[t][i] = combined(m.A[i], m.H[i]);
    const R exact = fraction<R>(1, trees[t].density);
    if (!same(combined(m.b, m.e), exact, tolerance)) order = std::min(order, trees[t].order - 1);
  }
  return order;
}

}  // namespace chicane
