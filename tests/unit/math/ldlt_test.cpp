// SPDX-License-Identifier: Apache-2.0
#include "math/ldlt.hpp"

#include <gtest/gtest.h>

#include <random>

#include "math/dual.hpp"

namespace ldlt_test {
namespace {

using namespace chicane;

TEST(Ldlt, SolvesWhatItMultiplies) {
  constexpr std::size_t n = 5;
  std::mt19937 random(11);
  std::uniform_real_distribution<double> number(-1, 1);
  for (int trial = 0; trial < 100; ++trial) {
    SmallMatrix<double, n> B{}, A{};
    SmallVector<double, n> x{}, b{};
    for (auto& row : B)
      for (double& v : row) v = number(random);
    for (double& v : x) v = number(random);
    for (std::size_t i = 0; i < n; ++i)  // A = B B' + I: condition below about 30
      for (std::size_t j = 0; j < n; ++j) {
        A[i][j] = i == j ? 1.0 : 0.0;
        for (std::size_t k = 0; k < n; ++k) A[i][j] += B[i][k] * B[j][k];
        b[i] += A[i][j] * x[j];
      }
    const auto solved = solve_ldlt(A, b);
    for (std::size_t i = 0; i < n; ++i) EXPECT_NEAR(solved[i], x[i], 1e-13);
  }
}

TEST(Ldlt, CarriesDerivatives) {
  // [2 a; a 3] x = [1 0]  =>  x = [3 -a]/(6 - a^2)
  const Dual a = Dual::variable(0.5, 0);
  const auto x = solve_ldlt<2, Dual>({{{2.0, 0.0}, {a, 3.0}}}, {1.0, 0.0});
  const double det = 6 - 0.25;
  EXPECT_NEAR(x[0].a, 3 / det, 1e-15);
  EXPECT_NEAR(x[0].b[0], 3 * 2 * 0.5 / (det * det), 1e-15);
  EXPECT_NEAR(x[1].b[0], -1 / det - 0.5 * 2 * 0.5 / (det * det), 1e-15);
}

}  // namespace
}  // namespace ldlt_test
