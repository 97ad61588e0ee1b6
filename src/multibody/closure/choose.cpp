// SPDX-License-Identifier: Apache-2.0
#include "multibody/closure/choose.hpp"

#include <algorithm>
#include <cmath>

#include "core/at.hpp"
#include "multibody/closure/cholesky.hpp"
#include "multibody/closure/orthogonal.hpp"
#include "multibody/joints/joints.hpp"

namespace chicane::multibody {

std::vector<double> reach_of_rates(const Mechanism& m, const LoopCluster& c,
                                   const Workspace<double>& ws, const ClusterScratch<double>& s) {
  double turn = 0.0;
  for (std::size_t k = 0; k < c.joints.size(); ++k) {
    const LoopJoint& j = c.joints[k];
    const Vec3<double> p_B = ws.motion[at(j.link[1])].p + s.frames[k].r_B;
    for (const LoopColumn& x : j.columns)
      if (const Motion<double>& S = ws.S[at(x.v)]; x.local >= 0 && norm(S.angular) > 0.0)
        turn = std::max(turn, norm(at_point(S, p_B - ws.motion[at(x.link)].p).linear));
  }
  if (turn == 0.0) turn = 1.0;  // only angles
  std::vector<double> reach(at(c.nv), 1.0);
  for (int i = c.first; i < c.first + c.links; ++i) {
    const Link& link = m.links[at(i)];
    if (!link.driven)
      visit_joint(link.kind, [&]<class J>(J) {
        for (int k = J::kTurns.begin; k < J::kTurns.end; ++k) reach[at(link.v - c.v + k)] = turn;
      });
  }
  return reach;
}

void choose(const LoopCluster& c, ClusterScratch<double>& s, ClusterChoice& choice) {
  const int n = c.nv;
  for (int r = 0; r < c.rows; ++r)
    for (int k = 0; k < n; ++k) s.B[at(r * n + k)] = s.G[at(r * n + k)] / c.reach[at(k)];
  const int rank =
      orthonormalize(s.B.data(), c.rows, n, kRowTolerance, s.pivot.data(), s.LU.data());
  if (rank < static_cast<int>(choice.rows.size())) return;
  choice.rows.assign(s.pivot.begin(), s.pivot.begin() + rank);

  // Complete pivoting: the column of each pivot is dependent.
  choice.dependent.clear();
  for (int r = 0; r < rank; ++r) {
    int row = r, column = 0;
    double best = -1.0;
    for (int i = r; i < rank; ++i)
      for (int k = 0; k < n; ++k)
        if (const double size = std::fabs(s.B[at(i * n + k)]); size > best)
          best = size, row = i, column = k;
    std::swap_ranges(s.B.begin() + r * n, s.B.begin() + (r + 1) * n, s.B.begin() + row * n);
    choice.dependent.push_back(column);
    for (int i = r + 1; i < rank; ++i) {
      const double l = s.B[at(i * n + column)] / s.B[at(r * n + column)];
      for (int k = 0; k < n; ++k) s.B[at(i * n + k)] -= l * s.B[at(r * n + k)];
      for (const int done : choice.dependent) s.B[at(i * n + done)] = 0.0;
    }
  }
  std::sort(choice.dependent.begin(), choice.dependent.end());
  choice.independent.clear();
  for (int k = 0; k < n; ++k)
    if (!std::binary_search(choice.dependent.begin(), choice.dependent.end(), k))
      choice.independent.push_back(k);
}

void choose(const Mechanism& m, Workspace<double>& ws, Choice& choice) {
  for (std::size_t k = 0; k < m.clusters.size(); ++k)
    if (m.clusters[k].form == Loops::embedded) choose(m.clusters[k], ws.loops[k], choice[k]);
}

void shortest_step(const LoopCluster& c, const std::vector<double>& rows, ClusterScratch<double>& s,
                   const double* L) {
  const int n = c.nv;
  std::copy(s.G.begin(), s.G.end(), s.B.begin());
  for (int r = 0; r < c.rows && L != nullptr; ++r) solve_lower(L, n, s.B.data() + r * n);
  const int rank =
      orthonormalize(s.B.data(), c.rows, n, kRowTolerance, s.pivot.data(), s.LU.data());
  std::fill(s.gamma.begin(), s.gamma.end(), 0.0);
  for (int r = 0; r < rank; ++r) {
    double z = -rows[at(s.pivot[at(r)])];
    for (int j = 0; j < r; ++j) z -= s.LU[at(r * c.rows + j)] * s.a[at(j)];
    s.a[at(r)] = z / s.LU[at(r * c.rows + r)];
    for (int k = 0; k < n; ++k) s.gamma[at(k)] += s.a[at(r)] * s.B[at(r * n + k)];
  }
  if (L != nullptr) solve_upper(L, n, s.gamma.data());
}

}  // namespace chicane::multibody
