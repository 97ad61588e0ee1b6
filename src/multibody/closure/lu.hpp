// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <utility>

#include "math/lanes.hpp"

// A = P L U for the small matrices of loops, by rows, with exchange of rows.
// Golub and Van Loan, Matrix Computations, section 3.4.

namespace chicane::multibody {

// N > 0: the size is known to the compiler, n is not looked at, and loops are unrolled.

// The row with the largest entry of column k comes to place k; pivot[k] says which it was.
template <int N, class T>
[[gnu::always_inline]] inline void bring_up_pivot(T* A, int* pivot, int k, int size) {
  const int n = N > 0 ? N : size;
  int best = k;
#pragma GCC unroll 4
  for (int i = k + 1; i < n; ++i)
    if (std::fabs(value_of(A[i * n + k])) > std::fabs(value_of(A[best * n + k]))) best = i;
  pivot[k] = best;
  if (best != k)
    for (int j = 0; j < n; ++j) std::swap(A[k * n + j], A[best * n + j]);
}
template <int N, class T>
[[gnu::always_inline]] inline void exchange_rows(const int* pivot, int size, T* x) {
  const int n = N > 0 ? N : size;
  for (int k = 0; k < n; ++k)
    if (pivot[k] != k) std::swap(x[k], x[pivot[k]]);
}

// Each lane has its own exchanges: rows k and i where pivot[k n + i] says so, for one i after the
// other.
[[gnu::always_inline]] inline void exchange(const LaneMask4& where, Lanes4& a, Lanes4& b) {
  const Lanes4 old = a;
  a = select(where, b, a);
  b = select(where, old, b);
}
template <int N>
[[gnu::always_inline]] inline void bring_up_pivot(Lanes4* A, LaneMask4* pivot, int k, int size) {
  const int n = N > 0 ? N : size;
#pragma GCC unroll 4
  for (int i = k + 1; i < n; ++i) {
    const LaneMask4 larger = abs(A[i * n + k]) > abs(A[k * n + k]);
    pivot[k * n + i] = larger;
    if (any(larger))
      for (int j = 0; j < n; ++j) exchange(larger, A[k * n + j], A[i * n + j]);
  }
}
template <int N>
[[gnu::always_inline]] inline void exchange_rows(const LaneMask4* pivot, int size, Lanes4* x) {
  const int n = N > 0 ? N : size;
#pragma GCC unroll 4
  for (int k = 0; k < n; ++k)
#pragma GCC unroll 4
    for (int i = k + 1; i < n; ++i) exchange(pivot[k * n + i], x[k], x[i]);
}

// The reciprocals of the pivots stay on the diagonal.
template <int N, class T, class Pivot>
[[gnu::always_inline]] inline void factor_lu(T* A, Pivot* pivot, int size) {
  const int n = N > 0 ? N : size;
#pragma GCC unroll 4
  for (int k = 0; k < n; ++k) {
    bring_up_pivot<N>(A, pivot, k, size);
    const T reciprocal = T(1) / A[k * n + k];
    A[k * n + k] = reciprocal;
#pragma GCC unroll 4
    for (int i = k + 1; i < n; ++i) {
      const T l = A[i * n + k] * reciprocal;
      A[i * n + k] = l;
#pragma GCC unroll 4
      for (int j = k + 1; j < n; ++j) A[i * n + j] = mul_add(-l, A[k * n + j], A[i * n + j]);
    }
  }
}

// x := A^-1 x
template <int N, class T, class Pivot>
[[gnu::always_inline]] inline void solve_lu(const T* A, const Pivot* pivot, int size, T* x) {
  const int n = N > 0 ? N : size;
  exchange_rows<N>(pivot, size, x);
#pragma GCC unroll 4
  for (int i = 1; i < n; ++i)
#pragma GCC unroll 4
    for (int k = 0; k < i; ++k) x[i] = mul_add(-A[i * n + k], x[k], x[i]);
#pragma GCC unroll 4
  for (int i = n - 1; i >= 0; --i) {
#pragma GCC unroll 4
    for (int k = i + 1; k < n; ++k) x[i] = mul_add(-A[i * n + k], x[k], x[i]);
    x[i] = x[i] * A[i * n + i];
  }
}

// x := A^-T x
template <class T>
void solve_lu_transposed(const T* A, const int* pivot, int n, T* x) {
  for (int i = 0; i < n; ++i) {
    for (int k = 0; k < i; ++k) x[i] = mul_add(-A[k * n + i], x[k], x[i]);
    x[i] = x[i] * A[i * n + i];
  }
  for (int i = n - 1; i >= 0; --i)
    for (int k = i + 1; k < n; ++k) x[i] = mul_add(-A[k * n + i], x[k], x[i]);
  for (int k = n - 1; k >= 0; --k)
    if (pivot[k] != k) std::swap(x[k], x[pivot[k]]);
}

// Calls f with the size as a constant where that pays.
template <class F>
[[gnu::always_inline]] inline void with_size(int n, F&& f) {
  switch (n) {
    case 1:
      return f.template operator()<1>();
    case 2:
      return f.template operator()<2>();
    case 3:
      return f.template operator()<3>();
    case 4:
      return f.template operator()<4>();
    case 5:
      return f.template operator()<5>();
    case 6:
      return f.template operator()<6>();
    default:
      return f.template operator()<0>();
  }
}

}  // namespace chicane::multibody
