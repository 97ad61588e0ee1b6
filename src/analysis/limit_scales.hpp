// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <vector>

#include "analysis/modes.hpp"
#include "language/block.hpp"
#include "language/model_structure.hpp"

// What a search for stable steps asks of a linearised model, and of its states.

namespace chicane::limit_scales {

using Matrix = std::vector<std::vector<double>>;  // by state, in the order of the ModelStructure

// A number that differs from state to state, so that no mode is left out by symmetry: its size is
// between 1/2 and 1, with both signs.
inline double uneven(std::size_t i) {
  const double golden = static_cast<double>(i + 1) * std::numbers::phi;
  const double part = golden - std::floor(golden);
  return (i % 2 == 0 ? 0.5 : -0.5) * (1 + part);
}

// Whether anything that is judged depends on a state, itself included. What only such a state
// depends on falls with it.
inline std::vector<bool> read_by_any(const Matrix& A) {
  std::vector<bool> judged(A.size(), true);
  for (bool again = true; again;) {
    again = false;
    for (std::size_t j = 0; j < A.size(); ++j) {
      if (!judged[j]) continue;
      bool read = false;
      for (std::size_t i = 0; i < A.size(); ++i) read = read || (judged[i] && A[i][j] != 0.0);
      if (read) continue;
      judged[j] = false;
      again = true;
    }
  }
  return judged;
}

// Whether a state depends on others, as those of loops do.
inline std::vector<bool> tied_states(const ModelStructure& s) {
  PerIndex<BlockIndex, std::vector<NativeState>> natives;
  for (const BlockPlace& b : s.blocks)
    natives.push_back(b.native < 0
                          ? std::vector<NativeState>{}
                          : s.natives[static_cast<std::size_t>(b.native)].kind->info().states);
  std::vector<std::size_t> seen(static_cast<std::size_t>(s.blocks.size()));  // states of a block
  std::vector<bool> tied;
  for (const StateInfo& x : s.states) {
    const std::size_t k = seen[static_cast<std::size_t>(x.block.value)]++;
    tied.push_back(k < natives[x.block].size() && natives[x.block][k].tied);
  }
  return tied;
}

// What an undamped motion gives to each state that counts, over the most.
inline std::vector<double> sizes(const Matrix& A, const std::vector<bool>& counts) {
  Eigen::MatrixXd own = to_eigen(A);
  for (std::size_t i = 0; i < counts.size(); ++i)
    if (!counts[i]) {
      own.row(static_cast<Eigen::Index>(i)).setZero();
      own.col(static_cast<Eigen::Index>(i)).setZero();
    }
  const Eigen::VectorXd d = balance(own);
  std::vector<double> out;
  for (const double size : d) out.push_back(size / d.maxCoeff());
  return out;
}

// Whether a linearised model becomes another one.
inline bool differ(const Matrix& A, const Matrix& B) {
  constexpr double kSame = 1e-3, kNothing = 1e-9;  // [-] of an entry, of the largest
  double most = 0;
  for (const Matrix* M : {&A, &B})
    for (const std::vector<double>& row : *M)
      for (const double a : row) most = std::max(most, std::fabs(a));
  for (std::size_t i = 0; i < A.size(); ++i)
    for (std::size_t j = 0; j < A.size(); ++j) {
      const double size = std::max(std::fabs(A[i][j]), std::fabs(B[i][j]));
      if (std::fabs(A[i][j] - B[i][j]) > kSame * size + kNothing * most) return true;
    }
  return false;
}

}  // namespace chicane::limit_scales
