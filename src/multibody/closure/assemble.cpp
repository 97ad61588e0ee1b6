#include "multibody/closure/assemble.hpp"

#include <algorithm>
#include <cmath>

#include "multibody/closure/choose.hpp"
#include "multibody/closure/loops.hpp"
#include "multibody/joints/joints.hpp"

namespace chicane::multibody {

namespace {

constexpr std::size_t at(int i) { return static_cast<std::size_t>(i); }

// From a guess, steps are kept short enough not to lose the way [m], [rad].
constexpr double kLongestStep = 0.5;
constexpr int kMostSteps = 200;

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

bool assemble_cluster(const Mechanism& m, const LoopCluster& c, Workspace<double>& ws,
                      ClusterScratch<double>& s) {
  double least = 1e300;
  int idle = 0;
  for (int step = 0;; ++step) {
    place_links(m, ws, c.first, c.links);
    const double largest = loop_residuals(c, ws, s);
    loop_jacobian(c, ws, s);
    // Go on below the tolerance as long as that helps: the start shall be as good as can be.
    idle = largest < 0.5 * least ? 0 : idle + 1;
    least = std::min(least, largest);
    if (largest == 0.0 || (largest <= 0.01 * kLoopTolerance && idle > 0)) return true;
    if (step == kMostSteps || idle > 20) return largest <= kLoopTolerance;
    shortest_step(c, s.residual, s);
    move_coordinates(m, c, ws, s);
  }
}

}  // namespace

bool assemble(const Mechanism& m, std::span<double> q, std::span<const Drive<double>> drives,
              Workspace<double>& ws) {
  std::copy(q.begin(), q.end(), ws.q.begin());
  for (std::size_t d = 0; d < drives.size(); ++d) ws.q[at(m.nq) + d] = drives[d].q;
  for (std::size_t d = 0; d < drives.size(); ++d) ws.v[at(m.nv) + d] = drives[d].v;
  ws.motion[0] = {Mat3<double>::identity(), {}, {}, {}, {}};
  bool closed = true;
  for (const Unit& unit : m.units) {
    if (unit.cluster < 0)
      place_links(m, ws, unit.link, 1);
    else
      closed = assemble_cluster(m, m.clusters[at(unit.cluster)], ws, ws.loops[at(unit.cluster)]) &&
               closed;
  }
  std::copy_n(ws.q.begin(), q.size(), q.begin());
  return closed;
}

void project_rates(const Mechanism& m, std::span<double> v, std::span<const Drive<double>> drives,
                   Workspace<double>& ws) {
  for (std::size_t d = 0; d < drives.size(); ++d) ws.v[at(m.nv) + d] = drives[d].v;
  for (std::size_t k = 0; k < m.clusters.size(); ++k) {
    const LoopCluster& c = m.clusters[k];
    ClusterScratch<double>& s = ws.loops[k];
    loop_jacobian(c, ws, s);
    for (int r = 0; r < c.rows; ++r)
      for (int a = 0; a < c.nv; ++a) s.b[at(r)] += s.G[at(r * c.nv + a)] * v[at(c.v + a)];
    shortest_step(c, s.b, s);
    for (int a = 0; a < c.nv; ++a) v[at(c.v + a)] += s.gamma[at(a)];
  }
}

}  // namespace chicane::multibody
