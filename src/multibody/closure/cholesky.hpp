// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "math/scalar.hpp"

// Cholesky's factors of a positive matrix of n x n, by rows; the lower half is used.

namespace chicane::multibody {

// D = L L' in place; false if D is not positive.
template <class T>
bool factor_cholesky(T* D, int n) {
  for (int j = 0; j < n; ++j) {
    for (int k = 0; k < j; ++k)
      for (int i = j; i < n; ++i) D[i * n + j] -= D[i * n + k] * D[j * n + k];
    if (!(value_of(D[j * n + j]) > 0.0)) return false;
    D[j * n + j] = sqrt(D[j * n + j]);
    for (int i = j + 1; i < n; ++i) D[i * n + j] = D[i * n + j] / D[j * n + j];
  }
  return true;
}

// x := L^-1 x
template <class T, class X>
void solve_lower(const T* L, int n, X* x) {
  for (int i = 0; i < n; ++i) {
    for (int k = 0; k < i; ++k) x[i] = x[i] - L[i * n + k] * x[k];
    x[i] = (T(1) / L[i * n + i]) * x[i];
  }
}

// x := L'^-1 x
template <class T>
void solve_upper(const T* L, int n, T* x) {
  for (int i = n - 1; i >= 0; --i) {
    for (int k = i + 1; k < n; ++k) x[i] -= L[k * n + i] * x[k];
    x[i] = x[i] / L[i * n + i];
  }
}

}  // namespace chicane::multibody
