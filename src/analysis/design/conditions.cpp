// SPDX-License-Identifier: Apache-2.0
#include "analysis/design/conditions.hpp"

#include <algorithm>

#include "core/at.hpp"

namespace chicane {

PairMatrices::PairMatrices(int stages) {
  for (Eigen::MatrixXd& a : A) a = Eigen::MatrixXd::Zero(stages, stages);
  for (Eigen::VectorXd& w : b) w = Eigen::VectorXd::Zero(stages);
}

PairMatrices::PairMatrices(const TableauPair& pair) : PairMatrices(pair.fast.stages) {
  const std::array<const Coefficients<double>*, 2> k = {&pair.slow, &pair.fast};
  for (std::size_t colour = 0; colour < 2; ++colour)
    for (int i = 0; i < k[colour]->stages; ++i) {
      b[colour][i] = k[colour]->b[at(i)];
      for (int j = 0; j < i; ++j) A[colour](i, j) = k[colour]->A[at(i)][at(j)];
    }
}

TreeWeights::TreeWeights(int order, int stages) : trees_(rooted_trees(order, 2)), pair_(stages) {
  tall_ = {1};  // the fast node alone
  for (int nodes = 2; nodes <= stages; ++nodes) {
    const RootedTree& below = trees_[at(tall_.back())];
    RootedTree tree{.colour = 1, .children = {tall_.back()}, .order = nodes};
    tree.density = nodes * below.density;
    const auto known = std::find_if(trees_.begin(), trees_.end(), [&](const RootedTree& t) {
      return t.colour == tree.colour && t.children == tree.children;
    });
    tall_.push_back(static_cast<int>(known - trees_.begin()));
    if (known == trees_.end()) trees_.push_back(tree);
  }
  X_.assign(trees_.size(), Eigen::VectorXd::Zero(stages));
  F_ = X_;
  weight_.assign(trees_.size(), 0.0);
}

double TreeWeights::symmetry(int tree) const {
  double sigma = 1;
  int repeats = 0, last = -1;
  for (const int child : trees_[at(tree)].children) {
    repeats = child == last ? repeats + 1 : 1;
    last = child;
    sigma *= repeats * symmetry(child);
  }
  return sigma;
}

bool TreeWeights::has_fast_leaf(int tree) const {
  const auto& children = trees_[at(tree)].children;
  return std::any_of(children.begin(), children.end(), [&](int child) {
    const RootedTree& t = trees_[at(child)];
    return (t.children.empty() && t.colour == 1) || has_fast_leaf(child);
  });
}

void TreeWeights::evaluate(const PairMatrices& pair) {
  pair_ = pair;
  for (std::size_t t = 0; t < trees_.size(); ++t) {
    const auto colour = at(trees_[t].colour);
    F_[t].setOnes();
    for (const int child : trees_[t].children) F_[t].array() *= X_[at(child)].array();
    X_[t] = pair.A[colour] * F_[t];
    weight_[t] = pair.b[colour].dot(F_[t]);
  }
}

void TreeWeights::add_derivative(int tree, double factor, PairMatrices& to) const {
  const auto colour = at(trees_[at(tree)].colour);
  to.b[colour] += factor * F_[at(tree)];
  add_inner(tree, factor * pair_.b[colour], to);
}

// From the derivative with respect to F of a tree to those of its children, and of A between them.
void TreeWeights::add_inner(int tree, const Eigen::VectorXd& dF, PairMatrices& to) const {
  const std::vector<int>& children = trees_[at(tree)].children;
  for (std::size_t k = 0; k < children.size(); ++k) {
    Eigen::VectorXd dX = dF;
    for (std::size_t other = 0; other < children.size(); ++other)
      if (other != k) dX.array() *= X_[at(children[other])].array();
    const auto colour = at(trees_[at(children[k])].colour);
    to.A[colour] += dX * F_[at(children[k])].transpose();
    add_inner(children[k], pair_.A[colour].transpose() * dX, to);
  }
}

}  // namespace chicane
