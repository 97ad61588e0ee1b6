// SPDX-License-Identifier: Apache-2.0
#include "core/at.hpp"
#include "multibody/closure/cholesky.hpp"
#include "multibody/closure/compound.hpp"
#include "multibody/closure/loops.hpp"
#include "multibody/closure/orthogonal.hpp"

// The exceptional path: constraints with multipliers, for loops that are singular or that the user
// wants so. With D = L L', y = L' v' and the rows B = G L^-T, the motion is
//
//   D v' + U A_B = u + G' lambda,   G v' = -b      =>      y = (1 - Q Q') L^-1 (u - U A_B) + Q z
//
// where the columns of Q are an orthonormal basis of the rows of B and z follows from B y = -b.
// Rows that others already hold are left out: of equal motion they change only how the force is
// shared among them.

namespace chicane::multibody {

namespace {

// Rows nearer than this to being a combination of others are taken for one: the forces they would
// ask for are rounding, magnified.
constexpr double kRankTolerance = 1e-9;

}  // namespace

template <class T>
bool eliminate_with_multipliers(const LoopCluster& c, ClusterScratch<T>& s,
                                ArticulatedInertia<T>& I, Wrench<T>& p) {
  const int n = c.nv, rows = c.rows;
  if (!factor_cholesky(s.D.data(), n)) return false;
  const T* L = s.D.data();
  spread_rows(c, s.G, s.B.data());
  for (int i = 0; i < rows; ++i) solve_lower(L, n, s.B.data() + i * n);
  solve_lower(L, n, s.U.data());
  solve_lower(L, n, s.u.data());
  const int rank = orthonormalize(s.B.data(), rows, n, kRankTolerance, s.pivot.data(), s.LU.data());

  for (int k = 0; k < n; ++k) s.Y[at(k)] = s.U[at(k)], s.z[at(k)] = s.u[at(k)];
  for (int r = 0; r < rank; ++r) {
    const T* Q = s.B.data() + r * n;
    Wrench<T> part{};
    T along(0);
    for (int k = 0; k < n; ++k) part += Q[k] * s.U[at(k)], along += Q[k] * s.u[at(k)];
    // z_r from row r of B y = -b
    T z = -s.b[at(s.pivot[at(r)])];
    for (int j = 0; j < r; ++j) z -= s.LU[at(r * rows + j)] * s.a[at(j)];
    s.a[at(r)] = z / s.LU[at(r * rows + r)];
    for (int k = 0; k < n; ++k) {
      s.Y[at(k)] = s.Y[at(k)] - Q[k] * part;
      s.z[at(k)] += Q[k] * (s.a[at(r)] - along);
    }
  }
  for (int k = 0; k < n; ++k) {
    subtract(I, s.Y[at(k)], s.Y[at(k)]);
    p += s.z[at(k)] * s.U[at(k)];
  }
  return true;
}

template <class T>
void accelerate_with_multipliers(const LoopCluster& c, ClusterScratch<T>& s, const Motion<T>& A) {
  const int n = c.nv;
  const T* L = s.D.data();
  for (int k = 0; k < n; ++k) s.a[at(k)] = s.z[at(k)] - dot(A, s.Y[at(k)]);
  solve_upper(L, n, s.a.data());  // L' v' = y
}

template bool eliminate_with_multipliers(const LoopCluster&, ClusterScratch<double>&,
                                         ArticulatedInertia<double>&, Wrench<double>&);
template bool eliminate_with_multipliers(const LoopCluster&, ClusterScratch<Dual>&,
                                         ArticulatedInertia<Dual>&, Wrench<Dual>&);
template void accelerate_with_multipliers(const LoopCluster&, ClusterScratch<double>&,
                                          const Motion<double>&);
template void accelerate_with_multipliers(const LoopCluster&, ClusterScratch<Dual>&,
                                          const Motion<Dual>&);

}  // namespace chicane::multibody
