// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <utility>

#include "multibody/mechanism.hpp"

// A = P L U of a matrix whose entries lie along the diagonal, as those of loops in a row do: the
// work is that of the band. Golub and Van Loan, Matrix Computations, section 4.3.5.

namespace chicane::multibody {

template <class T>
void clear(const Band& band, T* A) {
  for (int i = 0; i < band.n; ++i)
    for (int k = std::max(0, i - band.below); k <= band.last(i); ++k) A[band(i, k)] = T(0);
}

// The reciprocals of the pivots stay on the diagonal. Exchanges leave L where it is.
template <class T>
void factor_band(const Band& band, T* A, int* pivot) {
  for (int k = 0; k < band.n; ++k) {
    int best = k;
    for (int i = k + 1; i <= band.lowest(k); ++i)
      if (std::fabs(value_of(A[band(i, k)])) > std::fabs(value_of(A[band(best, k)]))) best = i;
    pivot[k] = best;
    const int last = band.last(k);
    if (best != k)
      for (int j = k; j <= last; ++j) std::swap(A[band(k, j)], A[band(best, j)]);
    const T reciprocal = T(1) / A[band(k, k)];
    A[band(k, k)] = reciprocal;
    for (int i = k + 1; i <= band.lowest(k); ++i) {
      const T l = A[band(i, k)] * reciprocal;
      A[band(i, k)] = l;
      for (int j = k + 1; j <= last; ++j) A[band(i, j)] = mul_add(-l, A[band(k, j)], A[band(i, j)]);
    }
  }
}

// x := A^-1 x
template <class T>
void solve_band(const Band& band, const T* A, const int* pivot, T* x) {
  for (int k = 0; k < band.n; ++k) {
    if (pivot[k] != k) std::swap(x[k], x[pivot[k]]);
    for (int i = k + 1; i <= band.lowest(k); ++i) x[i] = mul_add(-A[band(i, k)], x[k], x[i]);
  }
  for (int i = band.n - 1; i >= 0; --i) {
    for (int k = i + 1; k <= band.last(i); ++k) x[i] = mul_add(-A[band(i, k)], x[k], x[i]);
    x[i] = x[i] * A[band(i, i)];
  }
}

// x := A^-T x
template <class T>
void solve_band_transposed(const Band& band, const T* A, const int* pivot, T* x) {
  for (int i = 0; i < band.n; ++i) {
    for (int k = std::max(0, i - band.above - band.below); k < i; ++k)
      x[i] = mul_add(-A[band(k, i)], x[k], x[i]);
    x[i] = x[i] * A[band(i, i)];
  }
  for (int k = band.n - 1; k >= 0; --k) {
    for (int i = k + 1; i <= band.lowest(k); ++i) x[k] = mul_add(-A[band(i, k)], x[i], x[k]);
    if (pivot[k] != k) std::swap(x[k], x[pivot[k]]);
  }
}

}  // namespace chicane::multibody
