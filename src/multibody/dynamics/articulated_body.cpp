// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "core/at.hpp"
#include "multibody/closure/compound.hpp"
#include "multibody/closure/identical_clusters.hpp"
#include "multibody/joints/joints.hpp"
#include "multibody/mechanism.hpp"
#include "multibody/tree/start_link.hpp"

// Forward dynamics by articulated bodies.  Featherstone, Rigid Body Dynamics Algorithms (2008),
// section 7.3; symbols as there, in world axes about the origins of the links, with accelerations
// of material points and with gravity as an acceleration of ground.
//
//   U = IA S     D = S'U     u = tau - S'(pA)     Ia = IA - U D^-1 U'     pa = pA + Ia c + U D^-1 u
//   IA_parent += X' Ia X     pA_parent += X' pa
//
// A leaf's articulated inertia is that of a rigid body, and is treated as such. A cluster of loops
// is one compound joint (closure/compound.hpp).

namespace chicane::multibody {

namespace {

template <class T>
void add_to_parent(Workspace<T>& ws, int i, const ArticulatedInertia<T>& Ia, const Wrench<T>& pa) {
  const Vec3<T>& r = ws.motion[at(i)].r;
  ws.IA[at(ws.feels[at(i)])] += about(Ia, r);
  ws.pA[at(ws.feels[at(i)])] += about(pa, r);
}

// D^-1 of a joint's own rates, at most three.
template <int n, class T>
std::array<T, 9> inverse_of(const std::array<T, 9>& D) {
  if constexpr (n == 1) {
    return {T(1) / D[0]};
  } else if constexpr (n == 2) {
    const T d = T(1) / (D[0] * D[4] - D[3] * D[3]);
    return {d * D[4], -d * D[3], T(0), -d * D[3], d * D[0]};
  } else {
    const Sym3<T> B = inverse(Sym3<T>{D[0], D[4], D[8], D[3], D[6], D[7]});
    return {B.xx, B.xy, B.xz, B.xy, B.yy, B.yz, B.xz, B.yz, B.zz};
  }
}

template <class T>
Sym3<T> stored(const std::array<T, 9>& D) {
  return {D[0], D[1], D[2], D[3], D[4], D[5]};
}

// What is known of a joint that leaves no freedom.
template <class T, class Inertia>
void pass_on(Workspace<T>& ws, const Link& link, int i, const Inertia& IA) {
  if (link.parent == 0) return;
  const Wrench<T> pa = ws.pA[at(i)] + IA * ws.motion[at(i)].c;
  ws.IA[at(ws.feels[at(i)])] += about(IA, ws.motion[at(i)].r);
  ws.pA[at(ws.feels[at(i)])] += about(pa, ws.motion[at(i)].r);
}

// Any joint with one to three rates.
template <class J, class T, class Inertia>
[[gnu::always_inline]] inline void eliminate(J, Workspace<T>& ws, const Link& link, int i,
                                             const Inertia& IA) {
  constexpr int n = J::nv;
  const Motion<T>* S = ws.S.data() + link.v;
  Wrench<T>* U = ws.U.data() + link.v;
  T* u = ws.u.data() + link.v;
  std::array<T, 9> D{};
  const Wrench<T>& pA = ws.pA[at(i)];
  for (int a = 0; a < n; ++a) {
    U[a] = IA * S[a];
    u[a] = ws.tau[at(link.v + a)] - dot(S[a], pA);
    for (int b = 0; b <= a; ++b) D[at(3 * a + b)] = dot(S[b], U[a]);
  }
  const std::array<T, 9>& Dinv = ws.Dinv[at(i)] = inverse_of<n>(D);
  if (link.parent == 0) return;
  ArticulatedInertia<T> Ia(IA);
  Wrench<T> pa = pA;
  for (int a = 0; a < n; ++a) {
    Wrench<T> Y = Dinv[at(3 * a)] * U[0];
    T x = Dinv[at(3 * a)] * u[0];
    for (int b = 1; b < n; ++b) Y += Dinv[at(3 * a + b)] * U[b], x += Dinv[at(3 * a + b)] * u[b];
    subtract(Ia, U[a], Y);
    pa += x * U[a];
  }
  pa += Ia * ws.motion[at(i)].c;
  add_to_parent(ws, i, Ia, pa);
}

// One axis that turns about the origin.
template <class T, class Inertia>
[[gnu::always_inline]] inline void eliminate(Revolute, Workspace<T>& ws, const Link& link, int i,
                                             const Inertia& IA) {
  const Vec3<T>& s = ws.S[at(link.v)].angular;
  const Wrench<T>& pA = ws.pA[at(i)];
  const Wrench<T> U = turning_times(IA, s);
  const T u = ws.tau[at(link.v)] - dot(s, pA.moment), d = T(1) / dot(s, U.moment);
  ws.U[at(link.v)] = U;
  ws.u[at(link.v)] = u;
  ws.Dinv[at(i)][0] = d;
  if (link.parent == 0) return;
  ArticulatedInertia<T> Ia(IA);
  subtract(Ia, U, d * U);
  add_to_parent(ws, i, Ia, pA + Ia * ws.motion[at(i)].c + (d * u) * U);
}

// A ball at the origin takes all of J and H: what the parent feels is a mass alone,
//   M - H' J^-1 H, and a force.
template <class T, class Inertia>
[[gnu::always_inline]] inline void eliminate(Spherical, Workspace<T>& ws, const Link& link, int i,
                                             const Inertia& inertia) {
  const ArticulatedInertia<T> IA(inertia);
  const LinkMotion<T>& own = ws.motion[at(i)];
  const Wrench<T>& pA = ws.pA[at(i)];
  const T* tau = ws.tau.data() + link.v;
  const Vec3<T> torque = own.R * Vec3<T>{tau[0], tau[1], tau[2]};
  const Sym3<T> Jinv = inverse(IA.J);
  const Vec3<T> u = torque - pA.moment;
  const Mat3<T> Y{Jinv * IA.H.x, Jinv * IA.H.y, Jinv * IA.H.z};  // J^-1 H
  ws.Dinv[at(i)] = {Jinv.xx, Jinv.yy, Jinv.zz, Jinv.xy, Jinv.xz, Jinv.yz};
  ws.U[at(link.v)] = {u, Y.x};
  ws.U[at(link.v) + 1] = {Y.y, Y.z};
  if (link.parent == 0) return;
  const Sym3<T> M{IA.M.xx - dot(IA.H.x, Y.x), IA.M.yy - dot(IA.H.y, Y.y),
                  IA.M.zz - dot(IA.H.z, Y.z), IA.M.xy - dot(IA.H.x, Y.y),
                  IA.M.xz - dot(IA.H.x, Y.z), IA.M.yz - dot(IA.H.y, Y.z)};
  const Vec3<T> f = pA.force + M * own.c.linear + transposed_times(Y, u);
  ws.IA[at(ws.feels[at(i)])] += mass_at(M, own.r);
  ws.pA[at(ws.feels[at(i)])] += about(Wrench<T>{torque, f}, own.r);
}

// The parent feels nothing but what is applied between them.
template <class T, class Inertia>
[[gnu::always_inline]] inline void eliminate(Free, Workspace<T>& ws, const Link& link, int i,
                                             const Inertia& inertia) {
  const ArticulatedInertia<T> IA(inertia);
  const Motion<T>* S = ws.S.data() + link.v;
  const T* tau = ws.tau.data() + link.v;
  const Wrench<T> applied{tau[0] * S[0].angular + tau[1] * S[1].angular + tau[2] * S[2].angular,
                          tau[3] * S[3].linear + tau[4] * S[4].linear + tau[5] * S[5].linear};
  const Wrench<T> f = applied - ws.pA[at(i)];
  // J alpha + H a = f.moment, H' alpha + M a = f.force: masses first, they are the larger part.
  const Sym3<T> Minv = inverse(IA.M);
  const Mat3<T> Ht = transpose(IA.H);
  const Mat3<T> Y{Minv * Ht.x, Minv * Ht.y, Minv * Ht.z};  // M^-1 H'
  const Sym3<T> J{IA.J.xx - dot(Ht.x, Y.x), IA.J.yy - dot(Ht.y, Y.y), IA.J.zz - dot(Ht.z, Y.z),
                  IA.J.xy - dot(Ht.x, Y.y), IA.J.xz - dot(Ht.x, Y.z), IA.J.yz - dot(Ht.y, Y.z)};
  const Vec3<T> a_f = Minv * f.force;
  const Vec3<T> alpha = inverse(J) * (f.moment - IA.H * a_f);
  ws.A[at(i)] = {alpha, a_f - Y * alpha};
  if (link.parent == 0) return;
  ws.pA[at(ws.feels[at(i)])] += about(applied, ws.motion[at(i)].r);
}

template <class T, class Inertia>
void eliminate(Weld, Workspace<T>& ws, const Link& link, int i, const Inertia& IA) {
  pass_on(ws, link, i, IA);
}

template <class T>
void eliminate_link(const Link& link, Workspace<T>& ws, int i) {
  const JointKind kind = link.driven ? JointKind::weld : link.kind;
  visit_joint(kind, [&]<class J>(J joint) {
    if (link.leaf)
      eliminate(joint, ws, link, i, ws.I[at(i)]);
    else
      eliminate(joint, ws, link, i, ws.IA[at(i)]);
  });
}

// Accelerations of the joint and of the link, whose parent's is known.
template <class J, class T>
[[gnu::always_inline]] inline void accelerate(J, Workspace<T>& ws, const Link& link, int i,
                                              const Motion<T>& A, T* vdot) {
  constexpr int n = J::nv;
  Motion<T> total = A;
  std::array<T, at(n)> x;
  for (int a = 0; a < n; ++a) x[at(a)] = ws.u[at(link.v + a)] - dot(A, ws.U[at(link.v + a)]);
  for (int a = 0; a < n; ++a) {
    vdot[a] = ws.Dinv[at(i)][at(3 * a)] * x[0];
    for (int b = 1; b < n; ++b) vdot[a] += ws.Dinv[at(i)][at(3 * a + b)] * x[at(b)];
    total += vdot[a] * ws.S[at(link.v + a)];
  }
  ws.A[at(i)] = total;
}

template <class T>
[[gnu::always_inline]] inline void accelerate(Revolute, Workspace<T>& ws, const Link& link, int i,
                                              const Motion<T>& A, T* vdot) {
  const T a = ws.Dinv[at(i)][0] * (ws.u[at(link.v)] - dot(A, ws.U[at(link.v)]));
  vdot[0] = a;
  ws.A[at(i)] = {A.angular + a * ws.S[at(link.v)].angular, A.linear};
}

template <class T>
[[gnu::always_inline]] inline void accelerate(Spherical, Workspace<T>& ws, const Link& link, int i,
                                              const Motion<T>& A, T* vdot) {
  const Wrench<T>&U0 = ws.U[at(link.v)], &U1 = ws.U[at(link.v) + 1];
  const Mat3<T> Y{U0.force, U1.moment, U1.force};
  const Vec3<T> alpha = stored(ws.Dinv[at(i)]) * U0.moment - Y * A.linear;
  const Vec3<T> rates = transposed_times(ws.motion[at(i)].R, alpha - A.angular);
  vdot[0] = rates.x, vdot[1] = rates.y, vdot[2] = rates.z;
  ws.A[at(i)] = {alpha, A.linear};
}

template <class T>
[[gnu::always_inline]] inline void accelerate(Free, Workspace<T>& ws, const Link& link, int i,
                                              const Motion<T>& A, T* vdot) {
  const Motion<T>* S = ws.S.data() + link.v;
  const Vec3<T> alpha = ws.A[at(i)].angular - A.angular, a = ws.A[at(i)].linear - A.linear;
  for (int k = 0; k < 3; ++k) vdot[k] = dot(S[k].angular, alpha);
  for (int k = 3; k < 6; ++k) vdot[k] = dot(S[k].linear, a);
}

template <class T>
[[gnu::always_inline]] inline void accelerate(Weld, Workspace<T>& ws, const Link&, int i,
                                              const Motion<T>& A, T*) {
  ws.A[at(i)] = A;
}

template <class T>
void accelerate_link(const Link& link, Workspace<T>& ws, int i, std::span<T> vdot) {
  const LinkMotion<T>& own = ws.motion[at(i)];
  const Motion<T> A = at_point(ws.A[at(link.parent)], own.r) + own.c;
  const JointKind kind = link.driven ? JointKind::weld : link.kind;
  visit_joint(kind, [&](auto joint) { accelerate(joint, ws, link, i, A, vdot.data() + link.v); });
}

int links_of(const Mechanism& m, const TreeNode& node) {
  return node.cluster < 0 ? 1 : m.clusters[at(node.cluster)].links;
}

template <class T>
bool eliminate_cluster_or_identical(const Mechanism& m, int cluster, const Choice& choice,
                                    Workspace<T>& ws) {
  const LoopCluster& c = m.clusters[at(cluster)];
  ArticulatedInertia<T> I;
  Wrench<T> p;
  if (!(used(ws, c) ? eliminate_side_by_side(m, c, choice, ws, I, p)
                    : eliminate_cluster(m, cluster, choice[at(cluster)], ws, I, p)))
    return false;
  const std::size_t base = at(ws.feels[at(c.first)]);
  ws.IA[base] += I;
  ws.pA[base] += p;
  return true;
}

// Tips to base; false: a position is singular.
template <class T>
bool eliminate_nodes(const Mechanism& m, const Choice& choice, Workspace<T>& ws, int first,
                     int last) {
  for (int u = last - 1; u >= first; --u) {
    const TreeNode& node = m.nodes[at(u)];
    if (node.cluster < 0)
      eliminate_link(m.links[at(node.link)], ws, node.link);
    else if (!eliminate_cluster_or_identical(m, node.cluster, choice, ws))
      return false;
  }
  return true;
}

template <class T>
void accelerate_nodes(const Mechanism& m, const Choice& choice, Workspace<T>& ws, int first,
                      int last, std::span<T> vdot) {
  for (int u = first; u < last; ++u) {
    const TreeNode& node = m.nodes[at(u)];
    if (node.cluster < 0)
      accelerate_link(m.links[at(node.link)], ws, node.link, vdot);
    else if (const LoopCluster& c = m.clusters[at(node.cluster)]; used(ws, c))
      accelerate_side_by_side(m, c, choice, ws, vdot);
    else
      accelerate_cluster(m, node.cluster, choice[at(node.cluster)], ws, vdot);
  }
}

template <class T>
void start_nodes(const Mechanism& m, Workspace<T>& ws, int first, int last) {
  for (int u = first; u < last; ++u) {
    const TreeNode& node = m.nodes[at(u)];
    if (node.cluster >= 0 && used(ws, m.clusters[at(node.cluster)])) continue;
    for (int k = 0; k < links_of(m, node); ++k)
      start_link(m.links[at(node.link + k)], ws, node.link + k);
  }
}

// The branches by the team, the trunk by the caller. What the trunk feels of the branches is added
// in the order in which one thread alone would; -0 is what adding to changes nothing.
template <class T>
bool accelerate_with_team(const Mechanism& m, const Choice& choice, Workspace<T>& ws,
                          std::span<T> vdot) {
  const int branches = static_cast<int>(m.branches.size());
  const T zero(-0.0);
  const Vec3<T> v{zero, zero, zero};
  const Sym3<T> J{zero, zero, zero, zero, zero, zero};
  const ArticulatedInertia<T> nothing(J, {v, v, v}, J);
  ws.team->run(branches, [&](int b) {
    const Branch& branch = m.branches[at(b)];
    ws.IA[m.links.size() + at(b)] = nothing;
    ws.pA[m.links.size() + at(b)] = {v, v};
    start_nodes(m, ws, branch.first, branch.last);
    ws.branch[at(b)] =
        eliminate_nodes(m, choice, ws, branch.first, branch.last) ? Status::ok : Status::singular;
  });
  start_nodes(m, ws, 0, m.trunk);
  for (int b = branches - 1; b >= 0; --b) {
    if (ws.branch[at(b)] != Status::ok) return false;
    const TreeNode& node = m.nodes[at(m.branches[at(b)].first)];
    const std::size_t carrier =
        at(node.cluster < 0 ? m.links[at(node.link)].parent : m.clusters[at(node.cluster)].base);
    ws.IA[carrier] += ws.IA[m.links.size() + at(b)];
    ws.pA[carrier] += ws.pA[m.links.size() + at(b)];
  }
  if (!eliminate_nodes(m, choice, ws, 0, m.trunk)) return false;
  accelerate_nodes(m, choice, ws, 0, m.trunk, vdot);
  ws.team->run(branches, [&](int b) {
    accelerate_nodes(m, choice, ws, m.branches[at(b)].first, m.branches[at(b)].last, vdot);
  });
  return true;
}

template <class T>
bool accelerate_alone(const Mechanism& m, const Choice& choice, Workspace<T>& ws,
                      std::span<T> vdot) {
  const int nodes = static_cast<int>(m.nodes.size());
  start_nodes(m, ws, 0, nodes);
  if (!eliminate_nodes(m, choice, ws, 0, nodes)) return false;
  accelerate_nodes(m, choice, ws, 0, nodes, vdot);
  return true;
}

}  // namespace

template <class T>
Status accelerations(const Mechanism& m, const Choice& choice, Workspace<T>& ws,
                     std::span<T> vdot) {
  ws.A[0] = {{}, -cast<T>(m.gravity)};
  if (!(ws.team != nullptr ? accelerate_with_team(m, choice, ws, vdot)
                           : accelerate_alone(m, choice, ws, vdot)))
    return Status::singular;
  std::copy(vdot.begin(), vdot.end(), ws.vdot.begin());
  return std::all_of(vdot.begin(), vdot.end(), [](const T& a) { return is_finite(a); })
             ? Status::ok
             : Status::singular;
}

template Status accelerations(const Mechanism&, const Choice&, Workspace<double>&,
                              std::span<double>);
template Status accelerations(const Mechanism&, const Choice&, Workspace<Dual>&, std::span<Dual>);

}  // namespace chicane::multibody
