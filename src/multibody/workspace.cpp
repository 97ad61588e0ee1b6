// SPDX-License-Identifier: Apache-2.0
#include "multibody/mechanism.hpp"

namespace chicane::multibody {

namespace {

std::size_t size(int n) { return static_cast<std::size_t>(n); }

template <class T>
ClusterScratch<T> scratch_of(const LoopClusterOf<numbers_t<T>>& c) {
  ClusterScratch<T> s;
  const std::size_t n = size(c.nv), rows = size(c.rows), links = size(c.links);
  s.frames.resize(c.joints.size());
  s.residual.resize(rows);
  s.G.resize(size(c.entries));
  s.b.resize(rows);
  s.LU.resize(std::max(n, rows) * std::max(n, rows));
  s.pivot.resize(std::is_same_v<T, Lanes4> ? s.LU.size() : std::max(n, rows));
  s.position.resize(n);
  s.extent.resize(3 * rows);
  s.R.resize(n * n);
  s.gamma.resize(n);
  s.C.resize(links);
  s.E.resize(links);
  s.S.resize(links * n);
  s.U.resize(n);
  s.D.resize(n * n);
  s.u.resize(n);
  s.a.resize(std::max(n, rows));
  s.B.resize(rows * n);
  s.z.resize(n);
  s.Y.resize(n);
  if constexpr (!std::is_same_v<T, Lanes4>)  // at most four coordinates for three rates
    s.bridge.resize(links + n + n + n * n + n + n * n);
  return s;
}

}  // namespace

template <class T>
    Workspace<T>::Workspace(const Mechanism& m) requires std::is_same_v < numbers_t<T>,
double > : motion(m.links.size()), S(size(m.nv) + m.drives.size()), q(size(m.nq) + m.drives.size()),
    v(size(m.nv) + m.drives.size()), force(m.links.size()), tau(size(m.nv)), I(m.links.size()),
    IA(m.links.size() + m.branches.size()), pA(m.links.size() + m.branches.size()),
    A(m.links.size()), vdot(size(m.nv)), U(size(m.nv)), u(size(m.nv)), Dinv(m.links.size()),
    feels(m.links.size()), branch(m.branches.size()), given(size(m.nq) + size(m.nv)) {
  use(m, nullptr);
  for (const LoopCluster& c : m.clusters) {
    loops.push_back(scratch_of<T>(c));
    for (auto* list : {&trial.independent, &trial.dependent, &trial.rows})
      list->reserve(std::max(list->capacity(), size(std::max(c.nv, c.rows))));
  }
  if constexpr (std::is_same_v<T, double>)
    for (const IdenticalClusters& t : m.identical)
      identical.push_back({.ws = Workspace<Lanes4>(t), .I = {}, .p = {}});
}

template <class T>
Workspace<T>::Workspace(const IdenticalClusters& t) requires std::is_same_v<T, Lanes4>
    : motion(t.tree.links.size()),
      S(size(t.tree.clusters[0].nv) + t.outside.size()),
      v(S.size()),
      force(motion.size()),
      tau(S.size()),
      I(motion.size()),
      IA(motion.size()),
      pA(motion.size()),
      A(motion.size()),
      vdot(S.size()) {
  for (const LinkOf<Lanes4>& link : t.tree.links)
    q.resize(std::max(q.size(), size(link.q) + size(link.nq)));
  loops.push_back(scratch_of<T>(t.tree.clusters[0]));
}

template <class T>
void Workspace<T>::use(const Mechanism& m, Team* with) {
  team = m.branches.empty() ? nullptr : with;
  for (const TreeNode& node : m.nodes)
    feels[size(node.link)] =
        node.cluster < 0 ? m.links[size(node.link)].parent : m.clusters[size(node.cluster)].base;
  if (team == nullptr) return;
  for (std::size_t b = 0; b < m.branches.size(); ++b)
    feels[size(m.nodes[size(m.branches[b].first)].link)] = static_cast<int>(m.links.size() + b);
}

template Workspace<double>::Workspace(const Mechanism&);
template Workspace<Dual>::Workspace(const Mechanism&);
template Workspace<Lanes4>::Workspace(const IdenticalClusters&);
template void Workspace<double>::use(const Mechanism&, Team*);
template void Workspace<Dual>::use(const Mechanism&, Team*);

}  // namespace chicane::multibody
