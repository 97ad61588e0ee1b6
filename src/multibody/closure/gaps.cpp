// SPDX-License-Identifier: Apache-2.0
#include "multibody/closure/gaps.hpp"

#include <cmath>

#include "multibody/closure/loops.hpp"

namespace chicane::multibody {

LoopGaps worst_gaps(const Mechanism& m, Workspace<double>& ws) {
  LoopGaps worst;
  const auto note = [](double gap, JointIndex joint, double& most, JointIndex& whose) {
    if (std::fabs(gap) > most || !whose.valid()) most = std::fabs(gap), whose = joint;
  };
  for (std::size_t k = 0; k < m.clusters.size(); ++k) {
    ClusterScratch<double>& s = ws.loops[k];
    loop_residuals(m.clusters[k], ws, s);
    for (std::size_t n = 0; n < m.clusters[k].joints.size(); ++n) {
      const LoopJoint& j = m.clusters[k].joints[n];
      const LoopFrames<double>& f = s.frames[n];
      // A row is the wrench whose power is the rate at which it opens.
      const Motion<double>&A = ws.motion[static_cast<std::size_t>(j.link[0])].V,
            &B = ws.motion[static_cast<std::size_t>(j.link[1])].V;
      const Motion<double> V = at_point(B, f.r_B) + (-1.0) * at_point(A, f.r_A + f.d);
      for (std::size_t r = 0; r < j.rows.size(); ++r) {
        note(s.residual[static_cast<std::size_t>(j.row) + r], j.joint, worst.position, worst.open);
        note(dot(V, row_wrench(j.rows[r], f, j.pitch)), j.joint, worst.rate, worst.opening);
      }
    }
  }
  return worst;
}

}  // namespace chicane::multibody
