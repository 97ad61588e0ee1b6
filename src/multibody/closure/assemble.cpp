// SPDX-License-Identifier: Apache-2.0
#include "multibody/closure/assemble.hpp"

#include <algorithm>
#include <cmath>

#include "core/at.hpp"
#include "multibody/closure/choose.hpp"
#include "multibody/closure/loops.hpp"
#include "multibody/joints/joints.hpp"

namespace chicane::multibody {

namespace {

// From a guess, steps are kept short enough not to lose the way [m], [rad].
constexpr double kLongestStep = 0.5;
constexpr int kMostSteps = 200;
// Rates that are consistent to this, relative to the largest, stay as they are.
constexpr double kRateTolerance = 1e-14;

void place_links(const Mechanism& m, Workspace<double>& ws, int first, int links) {
  for (int i = first; i < first + links; ++i) {
    const Link& link = m.links[at(i)];
    visit_joint(link.kind, [&]<class J>(J) {
      place<J>(link, ws.q.data() + link.q, ws.motion[at(link.parent)], ws.motion[at(i)],
               ws.S.data() + link.v);
    });
  }
}

void move_coordinates(const Mechanism& m, const LoopCluster& c, Workspace<double>& ws,
                      ClusterScratch<double>& s) {
  double longest = 0.0;
  for (const double d : s.gamma) longest = std::max(longest, std::fabs(d));
  const double scale = longest > kLongestStep ? kLongestStep / longest : 1.0;
  for (double& d : s.gamma) d *= scale;
  for (int i = c.first; i < c.first + c.links; ++i) {
    const Link& link = m.links[at(i)];
    if (!link.driven)
      visit_joint(link.kind, [&]<class J>(J) {
        J::moved(ws.q.data() + link.q, s.gamma.data() + (link.v - c.v));
      });
  }
}

}  // namespace

bool assemble_cluster(const Mechanism& m, int cluster, double enough, Workspace<double>& ws,
                      const double* L) {
  const LoopCluster& c = m.clusters[at(cluster)];
  ClusterScratch<double>& s = ws.loops[at(cluster)];
  double least = 1e300;
  int idle = 0;
  for (s.iterations = 0;; ++s.iterations) {
    place_links(m, ws, c.first, c.links);
    const double largest = loop_residuals(c, ws, s);
    loop_jacobian(c, ws, s);
    if (largest <= enough) return true;
    idle = largest < 0.5 * least ? 0 : idle + 1;
    least = std::min(least, largest);
    if (largest <= 0.01 * kLoopTolerance && idle > 0) return true;
    if (s.iterations == kMostSteps || idle > 20) return largest <= kLoopTolerance;
    shortest_step(c, s.residual, s, L);
    move_coordinates(m, c, ws, s);
  }
}

void project_cluster_rates(const Mechanism& m, int cluster, Workspace<double>& ws,
                           const double* L) {
  const LoopCluster& c = m.clusters[at(cluster)];
  ClusterScratch<double>& s = ws.loops[at(cluster)];
  loop_jacobian(c, ws, s);
  double* v = ws.v.data() + c.v;
  double size = 1.0, gap = 0.0;
  for (int a = 0; a < c.nv; ++a) size = std::max(size, std::fabs(v[a]));
  for (const LoopJoint& j : c.joints)
    for (int r = 0; r < static_cast<int>(j.rows.size()); ++r) {
      double& b = s.b[at(j.row + r)];
      for_own_columns(
          j, [&](int local, int entry) { b += s.G[at(j.G + r * j.width + entry)] * v[local]; });
      gap = std::max(gap, std::fabs(b));
    }
  if (gap <= kRateTolerance * size) return;
  shortest_step(c, s.b, s, L);
  for (int a = 0; a < c.nv; ++a) v[a] += s.gamma[at(a)];
}

bool assemble(const Mechanism& m, std::span<double> q, std::span<const Drive<double>> drives,
              Workspace<double>& ws) {
  std::copy(q.begin(), q.end(), ws.q.begin());
  for (std::size_t d = 0; d < drives.size(); ++d) ws.q[at(m.nq) + d] = drives[d].q;
  for (std::size_t d = 0; d < drives.size(); ++d) ws.v[at(m.nv) + d] = drives[d].v;
  ws.motion[0] = {Mat3<double>::identity(), {}, {}, {}, {}};
  bool closed = true;
  for (const TreeNode& node : m.nodes) {
    if (node.cluster < 0)
      place_links(m, ws, node.link, 1);
    else  // as good as can be: the start is where everything else is measured from
      closed = assemble_cluster(m, node.cluster, 0.0, ws) && closed;
  }
  std::copy_n(ws.q.begin(), q.size(), q.begin());
  return closed;
}

void project_rates(const Mechanism& m, std::span<double> v, std::span<const Drive<double>> drives,
                   Workspace<double>& ws) {
  std::copy(v.begin(), v.end(), ws.v.begin());
  for (std::size_t d = 0; d < drives.size(); ++d) ws.v[at(m.nv) + d] = drives[d].v;
  for (int k = 0; k < static_cast<int>(m.clusters.size()); ++k) project_cluster_rates(m, k, ws);
  std::copy_n(ws.v.begin(), v.size(), v.begin());
}

}  // namespace chicane::multibody
