// SPDX-License-Identifier: Apache-2.0
#include "multibody/dynamics/reactions.hpp"

#include <algorithm>

#include "multibody/closure/choose.hpp"
#include "multibody/closure/embed.hpp"
#include "multibody/closure/loops.hpp"
#include "multibody/closure/orthogonal.hpp"
#include "multibody/dynamics/inverse_dynamics.hpp"
#include "multibody/joints/joints.hpp"

// Tips to base: f_k, what link k needs from its joint, is its inertia force less what is applied,
// and what its children need. Rates of a cluster lack S'f - tau; the cut joints must give it:
// G' lambda = lack.

namespace chicane::multibody {

namespace {

template <class T>
void add_to_parent(const Mechanism& m, Workspace<T>& ws, int i) {
  ws.pA[at(m.links[at(i)].parent)] += about(ws.pA[at(i)], ws.motion[at(i)].r);
}

// s.z := forces that the rates of the cluster lack while its cut joints give nothing.
template <class T>
void find_lack(const Mechanism& m, const LoopCluster& c, Workspace<T>& ws, ClusterScratch<T>& s) {
  for (int i = c.first + c.links - 1; i >= c.first; --i) {
    const Link& link = m.links[at(i)];
    for (int k = link.v; k < link.v + link.nv; ++k)
      s.z[at(k - c.v)] = dot(ws.S[at(k)], ws.pA[at(i)]) - ws.tau[at(k)];
    add_to_parent(m, ws, i);
  }
}

// s.residual := lambda, zero for rows that are combinations of others: where they hold the
// dependent rates, as everywhere but near singular positions, G_d' lambda = lack_d.
template <class T>
void solve_multipliers(const LoopCluster& c, const ClusterChoice& choice, ClusterScratch<T>& s) {
  const int n = c.nv, r = static_cast<int>(choice.dependent.size());
  std::fill(s.residual.begin(), s.residual.end(), T(0));
  if (!s.multipliers && factor_dependent(c, choice, s)) {
    for (int k = 0; k < r; ++k) s.a[at(k)] = s.z[at(choice.dependent[at(k)])];
    if (s.band.n > 0)
      solve_band_transposed(s.band, s.LU.data(), s.pivot.data(), s.a.data());
    else
      solve_lu_transposed(s.LU.data(), s.pivot.data(), r, s.a.data());
    for (int k = 0; k < r; ++k) s.residual[at(choice.rows[at(k)])] = s.a[at(k)];
    return;
  }
  spread_rows(c, s.G, s.B.data());
  const int rank =
      orthonormalize(s.B.data(), c.rows, n, kRowTolerance, s.pivot.data(), s.LU.data());
  for (int i = rank - 1; i >= 0; --i) {  // L' lambda = Q lack
    T x(0);
    for (int k = 0; k < n; ++k) x += s.B[at(i * n + k)] * s.z[at(k)];
    for (int j = i + 1; j < rank; ++j)
      x -= s.LU[at(j * c.rows + i)] * s.residual[at(s.pivot[at(j)])];
    s.residual[at(s.pivot[at(i)])] = x / s.LU[at(i * c.rows + i)];
  }
}

// The link needs w, at p, no longer from its own joint; neither do those of the cluster that carry
// it. What carries the cluster is dealt with later.
template <class T>
void relieve(const Mechanism& m, const LoopCluster& c, Workspace<T>& ws, int i, const Wrench<T>& w,
             const Vec3<T>& p) {
  ws.pA[at(i)] -= about(w, p - ws.motion[at(i)].p);
  if (i >= c.first && i < c.first + c.links) relieve(m, c, ws, m.links[at(i)].parent, w, p);
}

template <class T>
void load_cut_joints(const Mechanism& m, int cluster, const ClusterChoice& choice, Workspace<T>& ws,
                     std::span<Wrench<T>> joint) {
  const LoopCluster& c = m.clusters[at(cluster)];
  ClusterScratch<T>& s = ws.loops[at(cluster)];
  loop_residuals(c, ws, s);  // lanes have left no frames, and no rows
  loop_jacobian(c, ws, s);
  find_lack(m, c, ws, s);
  solve_multipliers(c, choice, s);
  for (std::size_t k = 0; k < c.joints.size(); ++k) {
    const LoopJoint& j = c.joints[k];
    const LoopFrames<T>& f = s.frames[k];
    Wrench<T> w{};  // upon B, about its origin
    for (std::size_t r = 0; r < j.rows.size(); ++r)
      w = mul_add(s.residual[at(j.row) + r], row_wrench(j.rows[r], f, j.pitch), w);
    const Vec3<T> p = ws.motion[at(j.link[1])].p + f.r_B;
    relieve(m, c, ws, j.link[1], w, p);
    relieve(m, c, ws, j.link[0], T(-1) * w, p);
    joint[at(j.joint.value)] = j.swapped ? T(-1) * about(w, f.d) : w;
  }
}

// What springs and the like give along the rates of the joint.
template <class J, class T>
Wrench<T> applied_in_joint(const Motion<T>* S, const T* tau) {
  Wrench<T> w{};
  for (int k = 0; k < J::nv; ++k)
    if (k >= J::kTurns.begin && k < J::kTurns.end)
      w.moment = mul_add(tau[k], S[k].angular, w.moment);
    else
      w.force = mul_add(tau[k], S[k].linear, w.force);
  return w;
}

template <class T>
Wrench<T> joint_of_link(const Mechanism& m, const Workspace<T>& ws, int i) {
  const Link& link = m.links[at(i)];
  const LinkMotion<T>&own = ws.motion[at(i)], &P = ws.motion[at(link.parent)];
  Wrench<T> w = ws.pA[at(i)];
  if (!link.driven)
    visit_joint(link.kind, [&]<class J>(J) {
      w -= applied_in_joint<J>(ws.S.data() + link.v, ws.tau.data() + link.v);
    });
  // The second body is the parent; its point of the joint is the origin of J.
  return link.reversed ? T(-1) * about(w, own.r - P.R * link.p_PJ) : w;
}

}  // namespace

template <class T>
void reactions(const Mechanism& m, const Choice& choice, Workspace<T>& ws,
               std::span<Wrench<T>> joint) {
  const int n = static_cast<int>(m.links.size());
  ws.pA[0] = {};
  for (int i = 1; i < n; ++i)
    ws.pA[at(i)] = inertia_force(m.links[at(i)], ws.motion[at(i)], link_acceleration(m, ws, i),
                                 ws.force[at(i)]);
  for (std::size_t k = m.nodes.size(); k-- > 0;)
    if (const TreeNode& node = m.nodes[k]; node.cluster >= 0)
      load_cut_joints(m, node.cluster, choice[at(node.cluster)], ws, joint);
    else
      add_to_parent(m, ws, node.link);
  for (int i = 1; i < n; ++i)
    if (const TreeLink& t = m.topology.links[at(i)]; t.joint.valid() && !t.detached)
      joint[at(t.joint.value)] = joint_of_link(m, ws, i);
}

template void reactions(const Mechanism&, const Choice&, Workspace<double>&,
                        std::span<Wrench<double>>);
template void reactions(const Mechanism&, const Choice&, Workspace<Dual>&, std::span<Wrench<Dual>>);

}  // namespace chicane::multibody
