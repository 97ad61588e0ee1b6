// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <utility>

#include "math/scalar.hpp"

// Pivoted Gram-Schmidt: of the rows of B, each of n entries, an orthonormal basis in the order in
// which they are most independent.  Golub and Van Loan, Matrix Computations, section 5.4.2; rows
// are orthogonalised twice, which is enough (section 5.2.9).
//
// In place: rows of B become the basis; row k was number order[k]; L (rows x rows, lower) gives
// them back, B_old[order[k]] = sum_j L[k][j] B[j]. Gives the rank: rows that are less than
// `tolerance` of the longest are combinations of those before.

namespace chicane::multibody {

template <class T>
int orthonormalize(T* B, int rows, int n, double tolerance, int* order, T* L) {
  const auto length = [&](int i) {
    T sum(0);
    for (int k = 0; k < n; ++k) sum += B[i * n + k] * B[i * n + k];
    return sqrt(sum);
  };
  double longest = 0.0;
  for (int i = 0; i < rows; ++i) {
    order[i] = i;
    for (int k = 0; k < rows; ++k) L[i * rows + k] = T(0);
  }
  for (int r = 0; r < rows; ++r) {
    int best = r;
    for (int i = r; i < rows; ++i)
      if (value_of(length(i)) > value_of(length(best))) best = i;
    if (best != r) {
      std::swap(order[r], order[best]);
      std::swap_ranges(B + r * n, B + (r + 1) * n, B + best * n);
      std::swap_ranges(L + r * rows, L + (r + 1) * rows, L + best * rows);
    }
    const T size = length(r);
    longest = std::max(longest, value_of(size));
    if (!(value_of(size) > tolerance * longest)) return r;
    for (int again = 0; again < 2; ++again)
      for (int j = 0; j < r; ++j) {
        T part(0);
        for (int k = 0; k < n; ++k) part += B[r * n + k] * B[j * n + k];
        for (int k = 0; k < n; ++k) B[r * n + k] -= part * B[j * n + k];
        L[r * rows + j] += part;
      }
    const T pivot = length(r);
    L[r * rows + r] = pivot;
    for (int k = 0; k < n; ++k) B[r * n + k] = B[r * n + k] / pivot;
    for (int i = r + 1; i < rows; ++i) {
      T part(0);
      for (int k = 0; k < n; ++k) part += B[i * n + k] * B[r * n + k];
      for (int k = 0; k < n; ++k) B[i * n + k] -= part * B[r * n + k];
      L[i * rows + r] += part;
    }
  }
  return rows;
}

}  // namespace chicane::multibody
