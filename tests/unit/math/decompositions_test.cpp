// SPDX-License-Identifier: Apache-2.0
#include "math/decompositions.hpp"

#include <gtest/gtest.h>

#include "math/least_squares.hpp"

namespace chicane::decompositions_test {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

// Rank 2: the third column is the sum of the others, the fourth row that of the first two.
MatrixXd of_rank_two() {
  MatrixXd A(4, 3);
  A << 1, 2, 3,  //
      0, 1, 1,   //
      2, 0, 2,   //
      1, 3, 4;
  return A;
}

TEST(LeastSquares, GivesTheShortestOfTheBestWhateverTheRank) {
  const LeastSquares solver(of_rank_two(), 1e-12);
  EXPECT_EQ(solver.rank(), 2);
  const VectorXd b{{1, 2, 3, 4}}, x = solver.solve(b);
  // The best: what it misses is at right angles to all columns. The shortest: nothing of the
  // direction (1, 1, -1) is in it, along which A does nothing.
  EXPECT_LT((of_rank_two().transpose() * (of_rank_two() * x - b)).norm(), 1e-13);
  EXPECT_NEAR(x(0) + x(1) - x(2), 0.0, 1e-14);
}

TEST(LeastSquares, CountsPivotsAsZeroByTheThreshold) {
  MatrixXd A = MatrixXd::Identity(2, 2);
  A(1, 1) = 1e-6;
  EXPECT_EQ(LeastSquares(A).rank(), 2);
  EXPECT_EQ(LeastSquares(A, 1e-5).rank(), 1);
  EXPECT_EQ(LeastSquares(A, 1e-5).solve(VectorXd{{2, 3}})(1), 0.0);
  const std::vector<double> b{2, 3};
  DenseMatrix same{2, 2};
  same(0, 0) = 1;
  same(1, 1) = 1e-6;
  EXPECT_EQ(shortest_solution(same, b, 1e-5)[1], 0.0);
  EXPECT_NEAR(shortest_solution(same, b, 1e-7)[1], 3e6, 1e-6);
}

TEST(NullSpace, IsWhereNoSingularValueIsAboveTheLeast) {
  const MatrixXd N = null_space(of_rank_two(), 1e-12);
  ASSERT_EQ(N.cols(), 1);
  EXPECT_NEAR(N.norm(), 1.0, 1e-14);
  EXPECT_LT((of_rank_two() * N).norm(), 1e-14);
  EXPECT_EQ(null_space(of_rank_two(), 100.0).cols(), 3);
  EXPECT_EQ(null_space(MatrixXd::Identity(3, 2), 1e-12).cols(), 0);
}

}  // namespace
}  // namespace chicane::decompositions_test
