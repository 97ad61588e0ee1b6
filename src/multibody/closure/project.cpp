#include "multibody/closure/project.hpp"

#include <algorithm>
#include <cmath>

#include "multibody/closure/assemble.hpp"
#include "multibody/closure/choose.hpp"
#include "multibody/closure/loops.hpp"
#include "multibody/joints/joints.hpp"

namespace chicane::multibody {

namespace {

// What some products and sums may round [1].
constexpr double kRounding = 1e-14;

void normalize_what_is_not(const Mechanism& m, std::span<double> q) {
  for (const Link& link : m.links)
    visit_joint(link.kind, [&]<class J>(J) {
      if constexpr (J::kQuaternion) {
        double* e = q.data() + link.q;
        const double square = e[0] * e[0] + e[1] * e[1] + e[2] * e[2] + e[3] * e[3];
        if (std::fabs(square - 1.0) > kRounding) store(normalized(quaternion(e)), e);
      }
    });
}

bool differ(std::span<const double> x, const double* old) {
  double size = 1.0, change = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    size = std::max(size, std::fabs(old[i]));
    change = std::max(change, std::fabs(x[i] - old[i]));
  }
  return change > kRounding * size;
}

// Brings clusters that this evaluation solved with multipliers back by the shortest way. Gives how
// many there were, or -1 if one stays open.
int close_by_the_shortest_way(const Mechanism& m, Workspace<double>& ws) {
  int moved = 0;
  for (std::size_t k = 0; k < m.clusters.size(); ++k) {
    if (!ws.loops[k].multipliers) continue;
    // To rounding: near a singular position gaps are magnified in the coordinates.
    const double closed =
        kRounding * std::max(1.0, norm(ws.motion[static_cast<std::size_t>(m.clusters[k].base)].p));
    if (!assemble_cluster(m, static_cast<int>(k), closed, ws)) return -1;
    project_cluster_rates(m, static_cast<int>(k), ws);
    ++moved;
  }
  return moved;
}

bool choose_where_poor(const Mechanism& m, Workspace<double>& ws, Choice& choice) {
  bool chosen = false;
  for (std::size_t k = 0; k < m.clusters.size(); ++k) {
    const LoopCluster& c = m.clusters[k];
    ClusterScratch<double>& s = ws.loops[k];
    if (c.form != Loops::embedded || s.conditioning >= kPoorConditioning * c.conditioning) continue;
    if (c.twins >= 0) loop_residuals(c, ws, s), loop_jacobian(c, ws, s);
    choose(m, c, s, choice[k]);
    chosen = true;
  }
  return chosen;
}

}  // namespace

Projection project(const Mechanism& m, Choice& choice, std::span<double> q, std::span<double> v,
                   std::span<const Drive<double>> drives, Workspace<double>& ws) {
  Projection result;
  std::copy(q.begin(), q.end(), ws.given.begin());
  std::copy(v.begin(), v.end(), ws.given.begin() + m.nq);
  normalize_what_is_not(m, q);
  ws.refine = true;
  result.status = kinematics<double>(m, choice, q, v, drives, ws);
  ws.refine = false;
  if (result.status != Status::ok) return result;
  result.iterations = ws.iterations;
  if (const int moved = close_by_the_shortest_way(m, ws); moved != 0) {
    std::copy_n(ws.q.begin(), q.size(), q.begin());
    std::copy_n(ws.v.begin(), v.size(), v.begin());
    for (const ClusterScratch<double>& s : ws.loops)
      if (s.multipliers) result.iterations += s.iterations;
    result.status = moved < 0 ? Status::loop_open : kinematics<double>(m, choice, q, v, drives, ws);
    if (result.status != Status::ok) return result;
  }
  result.chosen = choose_where_poor(m, ws, choice);
  result.changed = differ(q, ws.given.data()) || differ(v, ws.given.data() + m.nq);
  return result;
}

}  // namespace chicane::multibody
