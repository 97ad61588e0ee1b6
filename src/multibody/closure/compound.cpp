// SPDX-License-Identifier: Apache-2.0
#include "multibody/closure/compound.hpp"

#include <algorithm>

#include "core/at.hpp"
#include "multibody/closure/loops.hpp"
#include "multibody/tree/link_acceleration.hpp"

// Constraint embedding: the rates of the cluster are v = R v_i + gamma, its links move as
//
//   A_k = X_k A_B + S_k v_i' + C_k          S_k = X S_parent + S_joint R          C_k likewise
//
// and the base feels, with b_k = pA_k + I_k C_k,
//
//   U = sum X_k' I_k S_k      D = sum S_k' I_k S_k      u = R' tau - sum S_k' b_k
//   IA = sum X_k' I_k X_k - U D^-1 U'                   pA = sum X_k' b_k + U D^-1 u

namespace chicane::multibody {

namespace {

// Accelerations of the links on a resting base, the joints being unaccelerated.
template <class T>
void accelerate_on_resting_base(const Tree<numbers_t<T>>& m, const LoopClusterOf<numbers_t<T>>& c,
                                Workspace<T>& ws, ClusterScratch<T>& s) {
  for (int k = 0; k < c.links; ++k) {
    const int parent = m.links[at(c.first + k)].parent;
    const LinkMotion<T>& own = ws.motion[at(c.first + k)];
    if (parent == c.base)
      s.C[at(k)] = own.c;
    else
      s.C[at(k)] = at_point(acceleration_at_rest(m, c, ws, s, parent), own.r) + own.c;
  }
}

// Motion of a link along rates, given that of its parent: shift + sum of rate times axis.
template <class T>
[[gnu::always_inline]] inline Motion<T> along(const LinkOf<numbers_t<T>>& link,
                                              const Motion<T>* parent, const Vec3<T>& r,
                                              const Motion<T>* S, const T* rate, int stride) {
  Motion<T> a{};
  int k = 0;
  if (parent != nullptr) {
    a = at_point(*parent, r);
  } else if (link.nv > 0) {
    a = rate[0] * S[0];
    k = 1;
  }
  for (; k < link.nv; ++k) a = mul_add(rate[k * stride], S[k], a);
  return a;
}

// Motion of the links along the independent rates; F > 0: their number.
template <int F, class T>
void link_axes(const Tree<numbers_t<T>>& m, const LoopClusterOf<numbers_t<T>>& c, int size,
               Workspace<T>& ws, ClusterScratch<T>& s) {
  const int f = F > 0 ? F : size;
  for (int k = 0; k < c.links; ++k) {
    const auto& link = m.links[at(c.first + k)];
    const int parent = link.parent - c.first;
    for (int x = 0; x < f; ++x)
      s.S[at(k * f + x)] = along(link, parent >= 0 ? &s.S[at(parent * f + x)] : nullptr,
                                 ws.motion[at(c.first + k)].r, ws.S.data() + link.v,
                                 s.R.data() + (link.nv > 0 ? link.v - c.v : 0) * f + x, f);
  }
}

// What accelerations gamma of the rates add to those of the links.
template <class T>
void add_dependent_accelerations(const Tree<numbers_t<T>>& m, const LoopClusterOf<numbers_t<T>>& c,
                                 Workspace<T>& ws, ClusterScratch<T>& s) {
  for (int k = 0; k < c.links; ++k) {
    const auto& link = m.links[at(c.first + k)];
    const int parent = link.parent - c.first;
    s.E[at(k)] = along(link, parent >= 0 ? &s.E[at(parent)] : nullptr, ws.motion[at(c.first + k)].r,
                       ws.S.data() + link.v, s.gamma.data() + (link.nv > 0 ? link.v - c.v : 0), 1);
    s.C[at(k)] += s.E[at(k)];
  }
}

// Adds a link to U, D and u of f freedoms and to the bias force of the base.
template <class T, class Inertia>
void add_link(const Inertia& I, const Wrench<T>& pA, const Motion<T>& C, const Motion<T>* S,
              const Vec3<T>& r, int f, ClusterScratch<T>& s, Wrench<T>& p) {
  const Wrench<T> b = pA + I * C;
  p += about(b, r);
  for (int x = 0; x < f; ++x) {
    const Wrench<T> W = I * S[x];
    s.U[at(x)] += about(W, r);
    s.u[at(x)] -= dot(S[x], b);
    for (int y = 0; y <= x; ++y) s.D[at(x * f + y)] += dot(S[y], W);
  }
}

// The same for one freedom, with its sums at hand.
template <class T>
struct OneFreedom {
  Wrench<T> U{};
  T D{0}, u{0};

  template <class Inertia>
  [[gnu::always_inline]] void add_link(const Inertia& I, const Wrench<T>& pA, const Motion<T>& C,
                                       const Motion<T>& S, const Vec3<T>& r, Wrench<T>& p) {
    const Wrench<T> b = pA + I * C, W = I * S;
    p += about(b, r);
    U += about(W, r);
    u -= dot(S, b);
    D += dot(S, W);
  }
};

template <class T>
void add_links_of_one_freedom(const Tree<numbers_t<T>>& m, const LoopClusterOf<numbers_t<T>>& c,
                              Workspace<T>& ws, ClusterScratch<T>& s, ArticulatedInertia<T>& I,
                              Wrench<T>& total) {
  OneFreedom<T> sum;
  Wrench<T> p{};
  RigidInertia<T> rigid{};
  for (int a = 0; a < c.nv; ++a) sum.u = mul_add(s.R[at(a)], ws.tau[at(c.v + a)], sum.u);
  const Vec3<T> p_B = ws.motion[at(c.base)].p;
  for (int k = 0; k < c.links; ++k) {
    const int i = c.first + k;
    const Vec3<T> r = ws.motion[at(i)].p - p_B;
    if (m.links[at(i)].leaf) {
      const RigidInertia<T> I_k = ws.I[at(i)];
      sum.add_link(I_k, ws.pA[at(i)], s.C[at(k)], s.S[at(k)], r, p);
      rigid += about(I_k, r);
    } else {
      sum.add_link(ws.IA[at(i)], ws.pA[at(i)], s.C[at(k)], s.S[at(k)], r, p);
      I += about(ws.IA[at(i)], r);
    }
  }
  s.U[0] = sum.U;
  s.D[0] = sum.D;
  s.u[0] = sum.u;
  total = p;
  I += rigid;
}

// Sums over the links: U, D, u; gives the total bias force and inertia at the base.
template <class T>
void add_links(const Tree<numbers_t<T>>& m, const LoopClusterOf<numbers_t<T>>& c, int f,
               Workspace<T>& ws, ClusterScratch<T>& s, ArticulatedInertia<T>& I, Wrench<T>& p) {
  for (int x = 0; x < f; ++x) {
    s.U[at(x)] = {};
    for (int y = 0; y < f; ++y) s.D[at(x * f + y)] = T(0);
    T u(0);  // R' tau
    for (int a = 0; a < c.nv; ++a) u = mul_add(s.R[at(a * f + x)], ws.tau[at(c.v + a)], u);
    s.u[at(x)] = u;
  }
  RigidInertia<T> rigid{};
  const Vec3<T>& p_B = ws.motion[at(c.base)].p;
  for (int k = 0; k < c.links; ++k) {
    const int i = c.first + k;
    const Vec3<T> r = ws.motion[at(i)].p - p_B;
    const Motion<T>* S = s.S.data() + k * f;
    if (m.links[at(i)].leaf) {
      add_link(ws.I[at(i)], ws.pA[at(i)], s.C[at(k)], S, r, f, s, p);
      rigid += about(ws.I[at(i)], r);
    } else {
      add_link(ws.IA[at(i)], ws.pA[at(i)], s.C[at(k)], S, r, f, s, p);
      I += about(ws.IA[at(i)], r);
    }
  }
  I += rigid;
}

// D = L diag L' in place, the reciprocal of the diagonal stored; false if D is not positive.
template <class T>
bool factor_ldlt(T* D, int n) {
  for (int j = 0; j < n; ++j) {
    for (int k = 0; k < j; ++k) {
      const T l = D[j * n + k] * D[k * n + k];
      for (int i = j; i < n; ++i) D[i * n + j] -= D[i * n + k] * l;
      D[j * n + k] = l;
    }
    if (!all(value_of(D[j * n + j]) > 0.0)) return false;
    D[j * n + j] = T(1) / D[j * n + j];
  }
  return true;
}

template <class T, class X>
void solve_ldlt_in_place(const T* D, int n, X* x) {
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < i; ++k) x[i] = x[i] - D[i * n + k] * x[k];
  for (int i = n - 1; i >= 0; --i) {
    x[i] = D[i * n + i] * x[i];
    for (int k = i + 1; k < n; ++k) x[i] = x[i] - D[k * n + i] * x[k];
  }
}

// Takes the freedoms out of the inertia: I - U D^-1 U', p + U D^-1 u.
template <class T>
bool eliminate_embedded(int f, ClusterScratch<T>& s, ArticulatedInertia<T>& I, Wrench<T>& p) {
  if (f == 1) {
    if (!all(value_of(s.D[0]) > 0.0)) return false;
    const T d = T(1) / s.D[0];
    s.a[0] = d * s.u[0];
    s.Y[0] = d * s.U[0];
    subtract(I, s.U[0], s.Y[0]);
    p = mul_add(s.a[0], s.U[0], p);
    return true;
  }
  if (!factor_ldlt(s.D.data(), f)) return false;
  for (int x = 0; x < f; ++x) s.Y[at(x)] = s.U[at(x)], s.a[at(x)] = s.u[at(x)];
  solve_ldlt_in_place(s.D.data(), f, s.Y.data());
  solve_ldlt_in_place(s.D.data(), f, s.a.data());
  for (int x = 0; x < f; ++x) {
    subtract(I, s.U[at(x)], s.Y[at(x)]);
    p = mul_add(s.a[at(x)], s.U[at(x)], p);
  }
  return true;
}

template <class T>
void set_unit_rates(const LoopClusterOf<numbers_t<T>>& c, ClusterScratch<T>& s) {
  for (int a = 0; a < c.nv; ++a)
    for (int x = 0; x < c.nv; ++x) s.R[at(a * c.nv + x)] = T(a == x ? 1.0 : 0.0);
}

}  // namespace

template <class T>
void dependent_accelerations(const Tree<numbers_t<T>>& m, const LoopClusterOf<numbers_t<T>>& c,
                             const ClusterChoice& choice, Workspace<T>& ws, ClusterScratch<T>& s) {
  accelerate_on_resting_base(m, c, ws, s);
  loop_bias(m, c, ws, s);
  solve_dependent(choice, s.b, s);
}

template <class T>
bool eliminate_cluster(const Tree<numbers_t<T>>& m, int cluster, const ClusterChoice& choice,
                       Workspace<T>& ws, ArticulatedInertia<T>& I, Wrench<T>& p) {
  const auto& c = m.clusters[at(cluster)];
  ClusterScratch<T>& s = ws.loops[at(cluster)];
  const bool embedded = !s.multipliers;
  const int f = embedded ? static_cast<int>(choice.independent.size()) : c.nv;

  if (embedded) {
    if (s.bridged)  // gamma is there
      accelerate_on_resting_base(m, c, ws, s);
    else
      dependent_accelerations(m, c, choice, ws, s);
    add_dependent_accelerations(m, c, ws, s);
  } else {
    accelerate_on_resting_base(m, c, ws, s);
    loop_bias(m, c, ws, s);
    set_unit_rates(c, s);
  }

  I = {};
  p = {};
  if (f == 1) {
    link_axes<1>(m, c, f, ws, s);
    add_links_of_one_freedom(m, c, ws, s, I, p);
  } else {
    link_axes<0>(m, c, f, ws, s);
    add_links(m, c, f, ws, s, I, p);
  }
  if constexpr (!std::is_same_v<T, Lanes4>)
    if (!embedded) return eliminate_with_multipliers(c, s, I, p);
  return eliminate_embedded(f, s, I, p);
}

template <class T>
void accelerate_cluster(const Tree<numbers_t<T>>& m, int cluster, const ClusterChoice& choice,
                        Workspace<T>& ws, std::span<T> vdot) {
  const auto& c = m.clusters[at(cluster)];
  ClusterScratch<T>& s = ws.loops[at(cluster)];
  const Motion<T>& A_B = ws.A[at(c.base)];
  T* a = vdot.data() + c.v;
  if (!s.multipliers) {
    // v_i' = D^-1 u - (D^-1 U') A_B;  s.a and s.Y hold the factors
    const int f = static_cast<int>(choice.independent.size());
    for (int x = 0; x < f; ++x) s.a[at(x)] -= dot(A_B, s.Y[at(x)]);
    for (int k = 0; k < c.nv; ++k) {
      a[k] = s.gamma[at(k)];
      for (int x = 0; x < f; ++x) a[k] = mul_add(s.R[at(k * f + x)], s.a[at(x)], a[k]);
    }
  } else if constexpr (!std::is_same_v<T, Lanes4>) {
    accelerate_with_multipliers(c, s, A_B);
    std::copy_n(s.a.begin(), c.nv, a);
  }
  // Only links that carry others hand their accelerations on.
  for (int i = c.first; i < c.first + c.links; ++i)
    if (!m.links[at(i)].leaf) ws.A[at(i)] = link_acceleration_from_rates(m, ws, i, vdot.data());
}

template void dependent_accelerations(const Tree<double>&, const LoopCluster&, const ClusterChoice&,
                                      Workspace<double>&, ClusterScratch<double>&);
template void dependent_accelerations(const Tree<double>&, const LoopCluster&, const ClusterChoice&,
                                      Workspace<Dual>&, ClusterScratch<Dual>&);
template bool eliminate_cluster(const Tree<double>&, int, const ClusterChoice&, Workspace<double>&,
                                ArticulatedInertia<double>&, Wrench<double>&);
template void accelerate_cluster(const Tree<double>&, int, const ClusterChoice&, Workspace<double>&,
                                 std::span<double>);
template bool eliminate_cluster(const Tree<double>&, int, const ClusterChoice&, Workspace<Dual>&,
                                ArticulatedInertia<Dual>&, Wrench<Dual>&);
template void accelerate_cluster(const Tree<double>&, int, const ClusterChoice&, Workspace<Dual>&,
                                 std::span<Dual>);
template bool eliminate_cluster(const Tree<Lanes4>&, int, const ClusterChoice&, Workspace<Lanes4>&,
                                ArticulatedInertia<Lanes4>&, Wrench<Lanes4>&);
template void accelerate_cluster(const Tree<Lanes4>&, int, const ClusterChoice&, Workspace<Lanes4>&,
                                 std::span<Lanes4>);

}  // namespace chicane::multibody
