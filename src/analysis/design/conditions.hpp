// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Dense>
#include <array>
#include <vector>

#include "integrators/order.hpp"
#include "integrators/tableaus/pairs.hpp"

namespace chicane {

// A and b of a slow (0) and a fast (1) tableau; also derivatives with respect to them.
struct PairMatrices {
  explicit PairMatrices(int stages);
  explicit PairMatrices(const TableauPair& pair);
  std::array<Eigen::MatrixXd, 2> A;
  std::array<Eigen::VectorXd, 2> b;
};

// An elementary weight of a pair and what it should be.
struct Condition {
  int tree = 0;  // place in TreeWeights::trees
  double target = 0;
};

// Elementary weights Phi(t) = b.F(t), F([t_1 ... t_m]) = prod A F(t_i), of trees with nodes of two
// colours, and their derivatives. Hairer, Norsett and Wanner, Solving ODEs I, II.15.
class TreeWeights {
 public:
  // All trees of up to `order` nodes, and the tall fast ones of up to `stages` nodes, whose weights
  // are the coefficients of the stability polynomial.
  TreeWeights(int order, int stages);

  [[nodiscard]] const std::vector<RootedTree>& trees() const { return trees_; }
  [[nodiscard]] int tall(int nodes) const { return tall_[static_cast<std::size_t>(nodes - 1)]; }
  // The number of symmetries of a tree.
  [[nodiscard]] double symmetry(int tree) const;
  // Some node but the root is a fast leaf. Where slow and fast abscissae agree the tree says the
  // same as one with slow leaves only.
  [[nodiscard]] bool has_fast_leaf(int tree) const;

  [[nodiscard]] int stages() const { return static_cast<int>(pair_.b[0].size()); }

  void evaluate(const PairMatrices& pair);
  [[nodiscard]] double weight(int tree) const { return weight_[static_cast<std::size_t>(tree)]; }
  // Adds factor dPhi/d(A, b) of the pair last evaluated.
  void add_derivative(int tree, double factor, PairMatrices& to) const;

 private:
  void add_inner(int tree, const Eigen::VectorXd& dF, PairMatrices& to) const;

  std::vector<RootedTree> trees_;
  std::vector<int> tall_;
  PairMatrices pair_;
  std::vector<Eigen::VectorXd> X_, F_;  // A F and F of each tree
  std::vector<double> weight_;
};

}  // namespace chicane
