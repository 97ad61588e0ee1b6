// SPDX-License-Identifier: Apache-2.0
#include "multibody/closure/start.hpp"

#include <algorithm>
#include <cmath>

#include "multibody/closure/assemble.hpp"
#include "multibody/closure/cluster_start.hpp"
#include "multibody/closure/embed.hpp"
#include "multibody/closure/start_values.hpp"

namespace chicane::multibody {

namespace {

void put(const Link& link, const JointValues& asked, Workspace<double>& ws) {
  double *q = ws.q.data() + link.q, *v = ws.v.data() + link.v;
  if (!asked.q.empty()) {
    const std::vector<double> to = coordinates(link.kind, asked.q, link.reversed);
    std::copy(to.begin(), to.end(), q);
  }
  if (!asked.v.empty()) {
    const std::vector<double> to = rates(link, asked.v, q);
    std::copy(to.begin(), to.end(), v);
  }
}

// Closes all loops with driven joints at `part` of where they start.
bool close_all(const Mechanism& m, std::span<const Drive<double>> drives, double part,
               Workspace<double>& ws) {
  for (std::size_t d = 0; d < drives.size(); ++d) ws.q[at(m.nq) + d] = part * drives[d].q;
  bool closed = true;
  for (const TreeNode& node : m.nodes) {
    if (node.cluster < 0)
      place_link(m.links[at(node.link)], ws, node.link);
    else
      closed = assemble_cluster(m, node.cluster, kLoopsClosed, ws) && closed;
  }
  return closed;
}

bool drive(const Mechanism& m, std::span<const Drive<double>> drives, Workspace<double>& ws) {
  constexpr double kMostSteps = 1000;
  double longest = 0.0;
  for (const Drive<double>& d : drives) longest = std::max(longest, std::fabs(d.q));
  const int steps =
      static_cast<int>(std::clamp(std::ceil(longest / kLongestMove), 1.0, kMostSteps));
  for (int i = 1; i < steps; ++i) close_all(m, drives, static_cast<double>(i) / steps, ws);
  return close_all(m, drives, 1.0, ws);
}

void note_misses(const Mechanism& m, std::span<const StartValue> asked, int cluster, bool rate,
                 const Workspace<double>& ws, Start& start) {
  for (const StartValue& a : asked) {
    if (cluster_of(m, a.joint) != cluster) continue;
    const JointValues found = values_of(m, a.joint, ws);
    StartMiss miss{a.joint, rate, rate ? a.asked.v : a.asked.q, rate ? found.v : found.q};
    if (!miss.asked.empty()) start.misses.push_back(std::move(miss));
  }
}

void move_all(const Mechanism& m, std::span<const Drive<double>> drives, Workspace<double>& ws) {
  for (int i = 1; i < static_cast<int>(m.links.size()); ++i)
    move_link(m.links[at(i)], drives, ws, i);
}

}  // namespace

double StartMiss::distance() const {
  double most = 0.0;
  for (std::size_t i = 0; i < asked.size(); ++i)
    most = std::max(most, std::fabs(asked[i] - nearest[i]));
  return most;
}

Start hold(const Mechanism& m, std::span<const StartValue> asked, std::span<double> q,
           std::span<double> v, std::span<const Drive<double>> drives, Workspace<double>& ws) {
  Start start;
  std::copy(q.begin(), q.end(), ws.q.begin());
  std::copy(v.begin(), v.end(), ws.v.begin());
  for (std::size_t d = 0; d < drives.size(); ++d) ws.v[at(m.nv) + d] = drives[d].v;
  ws.motion[0] = {Mat3<double>::identity(), {}, {}, {}, {}};
  std::vector<ClusterStart> clusters;
  for (int k = 0; k < static_cast<int>(m.clusters.size()); ++k) clusters.emplace_back(m, k, ws);
  for (const StartValue& a : asked) {
    if (const int cluster = cluster_of(m, a.joint); cluster >= 0)
      clusters[at(cluster)].ask(a);
    else
      put(*find_link(m, a.joint), a.asked, ws);
  }
  start.closed = drive(m, drives, ws);
  std::vector<int> open, unmoved;
  for (const TreeNode& node : m.nodes) {
    if (node.cluster < 0) {
      place_link(m.links[at(node.link)], ws, node.link);
      continue;
    }
    ClusterStart& cluster = clusters[at(node.cluster)];
    if (!cluster.asked())
      start.closed = assemble_cluster(m, node.cluster, 0.0, ws) && start.closed;
    else if (start.closed && !cluster.place())
      open.push_back(node.cluster);
    if (start.closed && open.empty() && !cluster.move()) unmoved.push_back(node.cluster);
  }
  move_all(m, drives, ws);
  for (const int k : open) note_misses(m, asked, k, false, ws, start);
  for (const int k : unmoved) note_misses(m, asked, k, true, ws, start);
  std::copy_n(ws.q.begin(), q.size(), q.begin());
  std::copy_n(ws.v.begin(), v.size(), v.begin());
  return start;
}

}  // namespace chicane::multibody
