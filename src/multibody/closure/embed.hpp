// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <type_traits>

#include "core/at.hpp"
#include "multibody/closure/compound.hpp"
#include "multibody/closure/loops.hpp"
#include "multibody/joints/joints.hpp"

// A cluster of loops is closed: its dependent coordinates by Newton's method, its dependent rates
// with the same Jacobian.
//
//   Phi(q_i, q_d, t) = 0       q_d -= G_d^-1 Phi       v_d = R v_i - G_d^-1 Phi_t,  R = -G_d^-1 G_i

namespace chicane::multibody {

// Gaps that are left become gaps over the conditioning in the coordinates, over its square in the
// rates and over its cube in the accelerations: below this fraction of that at the start loops are
// closed so much better.
inline constexpr double kFairConditioning = 0.2;
// Below this the loops are taken for singular: the evaluation goes over the place on a bridge
// (closure/bridge.hpp), or takes coordinates and rates as they are given, and multipliers.
inline constexpr double kSingularConditioning = 5e-3;

// From a gap as small as this [m], [rad] Newton's method needs fewer steps than these. If it does
// not, the independent coordinates have come to the end of their way, or nearly, and the loops
// would close, if at all, in another place.
inline constexpr double kNearGap = 1e-3;
inline constexpr int kMostIterationsNear = 5;

template <class T>
void place_link(const LinkOf<numbers_t<T>>& link, Workspace<T>& ws, int i) {
  visit_joint(link.kind, [&]<class J>(J) {
    place<J>(link, ws.q.data() + link.q, ws.motion[at(link.parent)], ws.motion[at(i)],
             ws.S.data() + link.v);
  });
}

template <class T>
[[gnu::always_inline]] inline void move_link(const LinkOf<numbers_t<T>>& link,
                                             std::span<const Drive<T>> drives, Workspace<T>& ws,
                                             int i) {
  LinkMotion<T>& own = ws.motion[at(i)];
  visit_joint(link.kind, [&]<class J>(J) {
    move<J>(ws.motion[at(link.parent)], ws.S.data() + link.v, ws.v.data() + link.v, own);
  });
  if (link.driven) own.c += drives[at(link.drive)].a * ws.S[at(link.v)];
}

// Rounding of positions far from the origin counts too.
template <class T>
real_t<T> loop_tolerance(double gap, const Vec3<T>& p) {
  constexpr double kEps = 2.3e-16;
  return gap + 8 * kEps * norm(value_of(p));
}

// The same of a chain, along its joints. Gives the largest reciprocal of a pivot.
template <class T>
double factor_chain(const LoopCluster& c, const ClusterChoice& choice, ClusterScratch<T>& s) {
  const int n = static_cast<int>(choice.dependent.size());
  std::fill(s.position.begin(), s.position.end(), -1);
  for (int k = 0; k < n; ++k) s.position[at(choice.dependent[at(k)])] = k;
  const auto joint = [&](int i) -> const LoopJoint& {
    return c.joints[at(c.joint_of_row[at(choice.rows[at(i)])])];
  };
  s.band = {.n = n};
  for (int i = 0; i < n; ++i)
    for_own_columns(joint(i), [&](int local, int) {
      const int k = s.position[at(local)];
      if (k < 0) return;
      s.band.below = std::max(s.band.below, i - k);
      s.band.above = std::max(s.band.above, k - i);
    });
  clear(s.band, s.LU.data());
  for (int i = 0; i < n; ++i) {
    const LoopJoint& j = joint(i);
    const T* row = s.G.data() + j.G + (choice.rows[at(i)] - j.row) * j.width;
    for_own_columns(j, [&](int local, int entry) {
      if (const int k = s.position[at(local)]; k >= 0) s.LU[at(s.band(i, k))] = row[entry];
    });
  }
  factor_band(s.band, s.LU.data(), s.pivot.data());
  double most = 0.0;
  for (int k = 0; k < n; ++k)
    most = std::max(
        most, std::fabs(value_of(s.LU[at(s.band(k, k))])) * c.reach[at(choice.dependent[at(k)])]);
  return most;
}

// Factors of the dependent part of G. False: the loops are near a singular position.
template <class T>
bool factor_dependent(const LoopClusterOf<numbers_t<T>>& c, const ClusterChoice& choice,
                      ClusterScratch<T>& s) {
  const int r = static_cast<int>(choice.dependent.size());
  const int *rows = choice.rows.data(), *dependent = choice.dependent.data();
  real_t<T> most(0.0);  // of the reciprocals of pivots
  if constexpr (!std::is_same_v<T, Lanes4>)
    if (c.chain) {
      if (const double largest = factor_chain(c, choice, s); r > 0) s.conditioning = 1.0 / largest;
      return s.conditioning > kSingularConditioning * c.conditioning;
    }
  with_size(r, [&]<int N>() {
    const int n = N > 0 ? N : r;
    for (int i = 0; i < n; ++i) {
      const T* row = s.G.data() + rows[i] * c.nv;
      for (int j = 0; j < n; ++j) s.LU[at(i * n + j)] = row[dependent[j]];
    }
    factor_lu<N>(s.LU.data(), s.pivot.data(), r);
    for (int k = 0; k < n; ++k)
      most = max(most, abs(value_of(s.LU[at(k * n + k)])) * c.reach[at(dependent[k])]);
  });
  if (r > 0) s.conditioning = real_t<T>(1.0) / most;
  return all(s.conditioning > kSingularConditioning * c.conditioning);
}

// One step of Newton's method, with the factors in s, where loops are not `done`.
template <class T>
void move_dependent(const Tree<numbers_t<T>>& m, const LoopClusterOf<numbers_t<T>>& c,
                    const ClusterChoice& choice, const mask_t<real_t<T>>& done, Workspace<T>& ws,
                    ClusterScratch<T>& s) {
  solve_dependent(choice, s.residual, s);
  s.iterations += select(done, count_t<T>(0), count_t<T>(1));
  for (int i = c.first; i < c.first + c.links; ++i) {
    const auto& link = m.links[at(i)];
    if (link.driven) continue;
    visit_joint(link.kind, [&]<class J>(J) {
      T* q = ws.q.data() + link.q;
      std::array<T, J::nq> moved;
      std::copy_n(q, J::nq, moved.begin());
      J::moved(moved.data(), s.gamma.data() + (link.v - c.v));
      for (int k = 0; k < J::nq; ++k) q[k] = select(done, q[k], moved[at(k)]);
    });
  }
}

template <class T>
real_t<T> place_and_measure(const Tree<numbers_t<T>>& m, const LoopClusterOf<numbers_t<T>>& c,
                            Workspace<T>& ws, ClusterScratch<T>& s) {
  for (int i = c.first; i < c.first + c.links; ++i) place_link(m.links[at(i)], ws, i);
  return loop_residuals(c, ws, s);
}

// Newton's method. The residual comes first: coordinates that close the loops stay as they are.
// When closed well enough, one more step refines them; other scalars take it in any case, which
// makes the dependent coordinates carry the directions of the independent ones.
// Lanes that are done wait for the others.
template <class T>
Status close_positions(const Tree<numbers_t<T>>& m, const LoopClusterOf<numbers_t<T>>& c,
                       const ClusterChoice& choice, Workspace<T>& ws, ClusterScratch<T>& s,
                       real_t<T>& largest) {
  using Real = real_t<T>;
  const Vec3<T>& p_B = ws.motion[at(c.base)].p;
  const Real tol = loop_tolerance(kLoopTolerance, p_B);
  const Real enough = !std::is_same_v<T, Real> ? Real(-1.0)
                      : ws.close_to_rounding   ? loop_tolerance(1e-13, p_B)
                                               : tol;
  mask_t<Real> close(false), near(false);
  for (int iteration = 0;; ++iteration) {
    largest = place_and_measure(m, c, ws, s);
    const mask_t<Real> done = select(close, largest <= tol, largest <= enough);
    if (all(done)) return Status::ok;
    if (iteration == 0) near = largest <= Real(kNearGap);
    if (iteration > kMostIterationsNear && any(select(done, mask_t<Real>(false), near)))
      return Status::singular;
    if (iteration == kMostNewtonIterations || !all(is_finite(largest))) return Status::loop_open;
    close = largest <= tol;
    loop_jacobian(c, ws, s);
    if (!factor_dependent(c, choice, s)) return Status::singular;
    move_dependent(m, c, choice, done, ws, s);
  }
}

// Closes loops so much better as they are near a singular position. s has their factors, before and
// after. Newton's method doubles the digits: a few steps are enough.
template <class T>
bool close_better(const Tree<numbers_t<T>>& m, const LoopClusterOf<numbers_t<T>>& c,
                  const ClusterChoice& choice, Workspace<T>& ws, ClusterScratch<T>& s,
                  real_t<T> largest) {
  using Real = real_t<T>;
  const Vec3<T>& p_B = ws.motion[at(c.base)].p;
  const Real tol = loop_tolerance(kLoopTolerance, p_B), rounding = loop_tolerance(1e-15, p_B);
  for (int step = 0; step < 3; ++step) {
    const Real x = s.conditioning / (kFairConditioning * c.conditioning);
    const mask_t<Real> done = largest <= select(x < Real(1.0), max(tol * x * x * x, rounding), tol);
    if (all(done)) return true;
    move_dependent(m, c, choice, done, ws, s);
    largest = place_and_measure(m, c, ws, s);
    loop_jacobian(c, ws, s);
    if (!factor_dependent(c, choice, s)) return false;
  }
  return true;
}

// s.a := minus the column of a rate of a chain, in the chosen rows.
template <class T>
void gather_column(const LoopClusterOf<numbers_t<T>>& c, const ClusterChoice& choice, int rate,
                   ClusterScratch<T>& s) {
  for (std::size_t i = 0; i < choice.rows.size(); ++i) {
    const auto& j = c.joints[at(c.joint_of_row[at(choice.rows[i])])];
    s.a[i] = T(0);
    for_own_columns(j, [&](int local, int entry) {
      if (local == rate) s.a[i] = -s.G[at(j.G + (choice.rows[i] - j.row) * j.width + entry)];
    });
  }
}

// R, with the factors in s.
template <class T>
void find_rates(const LoopClusterOf<numbers_t<T>>& c, const ClusterChoice& choice,
                ClusterScratch<T>& s) {
  const int r = static_cast<int>(choice.dependent.size()),
            f = static_cast<int>(choice.independent.size());
  for (int k = 0; k < f; ++k) {
    const int own = choice.independent[at(k)];
    if (c.chain)
      gather_column(c, choice, own, s);
    else
      for (int i = 0; i < r; ++i) s.a[at(i)] = -s.G[at(choice.rows[at(i)] * c.nv + own)];
    solve_with_factors(r, s, s.a.data());
    for (int i = 0; i < r; ++i) s.R[at(choice.dependent[at(i)] * f + k)] = s.a[at(i)];
    for (int x = 0; x < f; ++x) s.R[at(own * f + x)] = T(x == k ? 1.0 : 0.0);
  }
}

template <class T>
void close_velocities(const LoopClusterOf<numbers_t<T>>& c, const ClusterChoice& choice,
                      Workspace<T>& ws, ClusterScratch<T>& s) {
  const int f = static_cast<int>(choice.independent.size());
  find_rates(c, choice, s);
  T* v = ws.v.data() + c.v;
  if (c.driven) solve_dependent(choice, s.b, s);
  for (const int d : choice.dependent) {
    v[d] = c.driven ? s.gamma[at(d)] : T(0);
    for (int k = 0; k < f; ++k) v[d] += s.R[at(d * f + k)] * v[choice.independent[at(k)]];
  }
}

template <class T>
Status embed_cluster(const Tree<numbers_t<T>>& m, const LoopClusterOf<numbers_t<T>>& c,
                     const ClusterChoice& choice, Workspace<T>& ws, ClusterScratch<T>& s) {
  real_t<T> largest(0.0);
  if (const Status status = close_positions(m, c, choice, ws, s, largest); status != Status::ok)
    return status;
  loop_jacobian(c, ws, s);
  if (!factor_dependent(c, choice, s)) return Status::singular;
  if (!all(s.conditioning >= kFairConditioning * c.conditioning) &&
      !close_better(m, c, choice, ws, s, largest))
    return Status::singular;
  close_velocities(c, choice, ws, s);
  return Status::ok;
}

}  // namespace chicane::multibody
