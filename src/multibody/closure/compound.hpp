// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <type_traits>

#include "multibody/closure/band.hpp"
#include "multibody/closure/lu.hpp"
#include "multibody/mechanism.hpp"

// A cluster of loops as one compound joint on its base.

namespace chicane::multibody {

// Inertia and bias force of the cluster, as its base feels them. False: the position is singular.
template <class T>
bool eliminate_cluster(const Tree<numbers_t<T>>& m, int cluster, const ClusterChoice& choice,
                       Workspace<T>& ws, ArticulatedInertia<T>& I, Wrench<T>& p);

// Accelerations of its rates and links, that of its base being known.
template <class T>
void accelerate_cluster(const Tree<numbers_t<T>>& m, int cluster, const ClusterChoice& choice,
                        Workspace<T>& ws, std::span<T> vdot);

// x := G_d^-1 x with the factors in s.
template <class T>
void solve_with_factors(int r, const ClusterScratch<T>& s, T* x) {
  if constexpr (!std::is_same_v<T, Lanes4>)
    if (s.band.n > 0) return solve_band(s.band, s.LU.data(), s.pivot.data(), x);
  with_size(r, [&]<int N>() { solve_lu<N>(s.LU.data(), s.pivot.data(), r, x); });
}

// gamma_d := -G_d^-1 `rows` with the factors in s; the independent entries are zero.
template <class T>
void solve_dependent(const ClusterChoice& choice, const std::vector<T>& rows,
                     ClusterScratch<T>& s) {
  const int r = static_cast<int>(choice.dependent.size());
  for (int i = 0; i < r; ++i)
    s.a[static_cast<std::size_t>(i)] =
        -rows[static_cast<std::size_t>(choice.rows[static_cast<std::size_t>(i)])];
  solve_with_factors(r, s, s.a.data());
  for (const int i : choice.independent) s.gamma[static_cast<std::size_t>(i)] = T(0);
  for (int i = 0; i < r; ++i)
    s.gamma[static_cast<std::size_t>(choice.dependent[static_cast<std::size_t>(i)])] =
        s.a[static_cast<std::size_t>(i)];
}

// gamma, after kinematics: accelerations of the rates while the independent ones have none.
template <class T>
void dependent_accelerations(const Tree<numbers_t<T>>& m, const LoopClusterOf<numbers_t<T>>& c,
                             const ClusterChoice& choice, Workspace<T>& ws, ClusterScratch<T>& s);

// The form with multipliers: s.D, s.U, s.u hold inertia and force of all rates, s.G the rows and
// s.b their accelerations. Takes the constraints out of I and p.
template <class T>
bool eliminate_with_multipliers(const LoopCluster& c, ClusterScratch<T>& s,
                                ArticulatedInertia<T>& I, Wrench<T>& p);
// s.a := accelerations of the rates, A being that of the base.
template <class T>
void accelerate_with_multipliers(const LoopCluster& c, ClusterScratch<T>& s, const Motion<T>& A);

}  // namespace chicane::multibody
