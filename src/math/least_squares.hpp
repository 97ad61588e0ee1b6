// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace chicane {

// A dense matrix by rows.
struct DenseMatrix {
  std::size_t rows = 0, columns = 0;
  std::vector<double> values = std::vector<double>(rows * columns);

  double& operator()(std::size_t i, std::size_t j) { return values[i * columns + j]; }
  double operator()(std::size_t i, std::size_t j) const { return values[i * columns + j]; }
};

// The shortest x among those for which |A x - b| is least, whatever the rank of A: pivots below
// `threshold` times the largest count as zero. Golub and Van Loan, Matrix Computations, section 5.5
// (complete orthogonal decomposition).
std::vector<double> shortest_solution(const DenseMatrix& A, std::span<const double> b,
                                      double threshold);

}  // namespace chicane
