// SPDX-License-Identifier: Apache-2.0
#include "math/decompositions.hpp"

#include <Eigen/QR>
#include <Eigen/SVD>

namespace chicane {

struct LeastSquares::Decomposition {
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> solver;

  Decomposition(const Eigen::MatrixXd& A, std::optional<double> threshold) {
    if (threshold) solver.setThreshold(*threshold);
    solver.compute(A);
  }
};

LeastSquares::LeastSquares(const Eigen::MatrixXd& A, std::optional<double> threshold)
    : decomposition_(std::make_unique<Decomposition>(A, threshold)) {}

LeastSquares::~LeastSquares() = default;

Eigen::VectorXd LeastSquares::solve(const Eigen::VectorXd& b) const {
  return decomposition_->solver.solve(b);
}

Eigen::Index LeastSquares::rank() const { return decomposition_->solver.rank(); }

Eigen::MatrixXd null_space(const Eigen::MatrixXd& A, double least) {
  const Eigen::JacobiSVD<Eigen::MatrixXd> svd(A, Eigen::ComputeThinU | Eigen::ComputeThinV);
  const auto rank = (svd.singularValues().array() > least).count();
  return svd.matrixV().rightCols(A.cols() - rank);
}

}  // namespace chicane
