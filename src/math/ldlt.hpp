// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>

#include "math/scalar.hpp"

namespace chicane {

template <class T, std::size_t n>
using SmallVector = std::array<T, n>;
template <class T, std::size_t n>
using SmallMatrix = std::array<std::array<T, n>, n>;

// Solves A x = b for a symmetric positive definite A of which the lower triangle is read.
// Golub and Van Loan, Matrix Computations, section 4.1 (A = L D L', no square roots, no pivots):
// the same operations for every value, and so for every scalar.
template <std::size_t n, Scalar T>
constexpr SmallVector<T, n> solve_ldlt(SmallMatrix<T, n> A, SmallVector<T, n> b) {
  for (std::size_t j = 0; j < n; ++j) {  // A becomes L below the diagonal and D on it
    for (std::size_t k = 0; k < j; ++k) A[j][j] -= A[j][k] * A[j][k] * A[k][k];
    for (std::size_t i = j + 1; i < n; ++i) {
      for (std::size_t k = 0; k < j; ++k) A[i][j] -= A[i][k] * A[j][k] * A[k][k];
      A[i][j] /= A[j][j];
    }
  }
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t k = 0; k < i; ++k) b[i] -= A[i][k] * b[k];
  for (std::size_t i = n; i-- > 0;) {
    b[i] /= A[i][i];
    for (std::size_t k = i + 1; k < n; ++k) b[i] -= A[k][i] * b[k];
  }
  return b;
}

}  // namespace chicane
