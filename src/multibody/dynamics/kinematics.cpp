// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "multibody/closure/bridge.hpp"
#include "multibody/closure/embed.hpp"
#include "multibody/closure/identical_clusters.hpp"
#include "multibody/closure/loops.hpp"
#include "multibody/joints/joints.hpp"
#include "multibody/mechanism.hpp"
#include "multibody/tree/link_acceleration.hpp"

// Positions and velocities, base to tips. A cluster of loops is closed when its turn comes
// (closure/embed.hpp), with those like it when their first has come.

namespace chicane::multibody {

namespace {

// Coordinates and rates as given.
template <class T>
void place_cluster(const Mechanism& m, const LoopCluster& c, std::span<const T> q,
                   std::span<const Drive<T>> drives, Workspace<T>& ws, ClusterScratch<T>& s) {
  for (int i = c.first; i < c.first + c.links; ++i) {
    const Link& link = m.links[at(i)];
    if (link.driven)
      ws.q[at(link.q)] = drives[at(link.drive)].q;
    else
      std::copy_n(q.begin() + link.q, link.nq, ws.q.begin() + link.q);
    place_link(link, ws, i);
  }
  loop_residuals(c, ws, s);
  loop_jacobian(c, ws, s);
}

template <class T>
Status close_cluster(const Mechanism& m, const LoopCluster& c, const ClusterChoice& choice,
                     std::span<const T> q, std::span<const T> v, std::span<const Drive<T>> drives,
                     Workspace<T>& ws, ClusterScratch<T>& s) {
  s.iterations = 0;
  s.conditioning = 1.0;
  s.bridged = false;
  s.multipliers = c.form == Loops::multipliers || choice.held;
  if (!s.multipliers) {
    const Status status = embed_cluster(m, c, choice, ws, s);
    if (status != Status::singular) return status;
    const real_t<T> conditioning = s.conditioning;
    s.bridged = Bridge<T>(m, c, choice, q, v, drives, ws, s).cross();
    s.conditioning = conditioning;
    if (s.bridged) return Status::ok;
    s.multipliers = true;
    std::copy_n(v.begin() + c.v, c.nv, ws.v.begin() + c.v);
  }
  place_cluster(m, c, q, drives, ws, s);
  if (choice.held) factor_dependent(c, choice, s);  // for its conditioning
  return Status::ok;
}

// Positions and velocities of some nodes, base to tips.
template <class T>
Status move_nodes(const Mechanism& m, const Choice& choice, std::span<const T> q,
                  std::span<const T> v, std::span<const Drive<T>> drives, Workspace<T>& ws,
                  int first, int last) {
  for (int u = first; u < last; ++u) {
    const TreeNode& node = m.nodes[at(u)];
    int end = node.link;
    if (node.cluster >= 0) {
      const LoopCluster& c = m.clusters[at(node.cluster)];
      if (moved_side_by_side(m, c, choice, ws)) continue;
      const Status status = close_cluster<T>(m, c, choice[at(node.cluster)], q, v, drives, ws,
                                             ws.loops[at(node.cluster)]);
      if (status != Status::ok) return status;
      end += c.links - 1;
    } else {
      place_link(m.links[at(node.link)], ws, node.link);
    }
    for (int i = node.link; i <= end; ++i) move_link(m.links[at(i)], drives, ws, i);
  }
  return Status::ok;
}

template <class T>
Status move_with_team(const Mechanism& m, const Choice& choice, std::span<const T> q,
                      std::span<const T> v, std::span<const Drive<T>> drives, Workspace<T>& ws) {
  const Status trunk = move_nodes(m, choice, q, v, drives, ws, 0, m.trunk);
  if (trunk != Status::ok) return trunk;
  ws.team->run(static_cast<int>(m.branches.size()), [&](int b) {
    const Branch& branch = m.branches[at(b)];
    ws.branch[at(b)] = move_nodes(m, choice, q, v, drives, ws, branch.first, branch.last);
  });
  for (const Status status : ws.branch)  // as one thread would find them
    if (status != Status::ok) return status;
  return Status::ok;
}

template <class T>
void count(const Mechanism& m, Workspace<T>& ws) {
  ws.iterations = 0;
  ws.conditioning = 1.0;
  for (std::size_t k = 0; k < m.clusters.size(); ++k) {
    const ClusterScratch<T>& s = ws.loops[k];
    ws.iterations += s.iterations;
    ws.conditioning = std::min(ws.conditioning, s.conditioning);
    ws.bridged_evaluations += s.bridged ? 1 : 0;
    if (s.multipliers && m.clusters[k].form == Loops::embedded) ++ws.multiplier_evaluations;
  }
}

}  // namespace

template <class T>
Status kinematics(const Mechanism& m, const Choice& choice, std::span<T> q, std::span<T> v,
                  std::span<const Drive<T>> drives, Workspace<T>& ws) {
  std::copy(q.begin(), q.end(), ws.q.begin());
  std::copy(v.begin(), v.end(), ws.v.begin());
  for (std::size_t d = 0; d < drives.size(); ++d) {
    ws.q[at(m.nq) + d] = drives[d].q;
    ws.v[at(m.nv) + d] = drives[d].v;
  }
  ws.motion[0] = {Mat3<T>::identity(), {}, {}, {}, {}};
  for (IdenticalScratch& identical : ws.identical) identical.used = false;
  const Status status = ws.team != nullptr ? move_with_team<T>(m, choice, q, v, drives, ws)
                                           : move_nodes<T>(m, choice, q, v, drives, ws, 0,
                                                           static_cast<int>(m.nodes.size()));
  if (status != Status::ok) return status;
  count(m, ws);
  std::copy_n(ws.q.begin(), q.size(), q.begin());
  std::copy_n(ws.v.begin(), v.size(), v.begin());
  return Status::ok;
}

template <class T>
void coordinate_rates(const Mechanism& m, std::span<const T> q, std::span<const T> v,
                      std::span<T> qdot) {
  for (const Link& link : m.links)
    if (!link.driven)
      visit_joint(link.kind, [&]<class J>(J) {
        J::rate(q.data() + link.q, v.data() + link.v, qdot.data() + link.q);
      });
}

template <class T>
void normalize(const Mechanism& m, std::span<T> q) {
  for (const Link& link : m.links)
    visit_joint(link.kind, [&]<class J>(J) {
      if constexpr (J::kQuaternion)
        store(normalized(quaternion(q.data() + link.q)), q.data() + link.q);
    });
}

template <class T>
Transform<T> pose(const Mechanism& m, BodyIndex body, const Workspace<T>& ws) {
  const BodyFrame& b = m.bodies[at(body.value)];
  const LinkMotion<T>& L = ws.motion[at(b.link)];
  return {L.R * b.R_LB, L.p + L.R * b.p_LB};
}

template <class T>
Motion<T> velocity(const Mechanism& m, BodyIndex body, const Workspace<T>& ws) {
  const BodyFrame& b = m.bodies[at(body.value)];
  const LinkMotion<T>& L = ws.motion[at(b.link)];
  return at_point(L.V, L.R * b.p_LB);
}

template <class T>
Motion<T> link_acceleration(const Mechanism& m, const Workspace<T>& ws, int link) {
  if (link == 0 || !m.links[at(link)].leaf) return ws.A[at(link)];
  return link_acceleration_from_rates(m, ws, link, ws.vdot.data());
}

template <class T>
Motion<T> acceleration(const Mechanism& m, BodyIndex body, const Workspace<T>& ws) {
  const BodyFrame& b = m.bodies[at(body.value)];
  const LinkMotion<T>& L = ws.motion[at(b.link)];
  const Vec3<T> r = L.R * b.p_LB;
  Motion<T> a = at_point(link_acceleration(m, ws, b.link), r);
  a.linear += cast<T>(m.gravity) + cross(L.V.angular, cross(L.V.angular, r));
  return a;
}

template Status kinematics(const Mechanism&, const Choice&, std::span<double>, std::span<double>,
                           std::span<const Drive<double>>, Workspace<double>&);
template void coordinate_rates(const Mechanism&, std::span<const double>, std::span<const double>,
                               std::span<double>);
template void normalize(const Mechanism&, std::span<double>);
template Transform<double> pose(const Mechanism&, BodyIndex, const Workspace<double>&);
template Motion<double> velocity(const Mechanism&, BodyIndex, const Workspace<double>&);
template Motion<double> link_acceleration(const Mechanism&, const Workspace<double>&, int);
template Motion<double> acceleration(const Mechanism&, BodyIndex, const Workspace<double>&);
template Status kinematics(const Mechanism&, const Choice&, std::span<Dual>, std::span<Dual>,
                           std::span<const Drive<Dual>>, Workspace<Dual>&);
template void coordinate_rates(const Mechanism&, std::span<const Dual>, std::span<const Dual>,
                               std::span<Dual>);
template void normalize(const Mechanism&, std::span<Dual>);
template Transform<Dual> pose(const Mechanism&, BodyIndex, const Workspace<Dual>&);
template Motion<Dual> velocity(const Mechanism&, BodyIndex, const Workspace<Dual>&);
template Motion<Dual> link_acceleration(const Mechanism&, const Workspace<Dual>&, int);
template Motion<Dual> acceleration(const Mechanism&, BodyIndex, const Workspace<Dual>&);

}  // namespace chicane::multibody
