// SPDX-License-Identifier: Apache-2.0
#include "math/least_squares.hpp"

#include "math/decompositions.hpp"

namespace chicane {

std::vector<double> shortest_solution(const DenseMatrix& A, std::span<const double> b,
                                      double threshold) {
  using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const auto rows = static_cast<Eigen::Index>(A.rows),
             columns = static_cast<Eigen::Index>(A.columns);
  const LeastSquares solver(Eigen::Map<const Matrix>(A.values.data(), rows, columns), threshold);
  const Eigen::VectorXd x = solver.solve(
      Eigen::Map<const Eigen::VectorXd>(b.data(), static_cast<Eigen::Index>(b.size())));
  return {x.begin(), x.end()};
}

}  // namespace chicane
