// SPDX-License-Identifier: Apache-2.0
#include "math/least_squares.hpp"

#include <Eigen/Dense>

namespace chicane {

std::vector<double> shortest_solution(const DenseMatrix& A, std::span<const double> b,
                                      double threshold) {
  using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const auto rows = static_cast<Eigen::Index>(A.rows),
             columns = static_cast<Eigen::Index>(A.columns);
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> solver;
  solver.setThreshold(threshold);
  solver.compute(Eigen::Map<const Matrix>(A.values.data(), rows, columns));
  const Eigen::VectorXd x = solver.solve(
      Eigen::Map<const Eigen::VectorXd>(b.data(), static_cast<Eigen::Index>(b.size())));
  return {x.begin(), x.end()};
}

}  // namespace chicane
