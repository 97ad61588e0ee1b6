// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <memory>
#include <optional>

// Decompositions of matrices that take a compiler ten seconds each: compiled once, here.

namespace chicane {

// The shortest x among those for which |A x - b| is least, whatever the rank of A: pivots below
// `threshold` times the largest count as zero, by default those that rounding can make. Golub and
// Van Loan, Matrix Computations, section 5.5 (complete orthogonal decomposition).
class LeastSquares {
 public:
  explicit LeastSquares(const Eigen::MatrixXd& A, std::optional<double> threshold = {});
  ~LeastSquares();
  LeastSquares(const LeastSquares&) = delete;
  LeastSquares& operator=(const LeastSquares&) = delete;

  [[nodiscard]] Eigen::VectorXd solve(const Eigen::VectorXd& b) const;
  [[nodiscard]] Eigen::Index rank() const;

 private:
  struct Decomposition;
  std::unique_ptr<const Decomposition> decomposition_;
};

// Directions, of length 1 and at right angles, along which A has no singular value above `least`.
// A has at least as many rows as columns.
Eigen::MatrixXd null_space(const Eigen::MatrixXd& A, double least);

}  // namespace chicane
