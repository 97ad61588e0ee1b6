// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "multibody/mechanism.hpp"

// The rows of cut joints: residual, Jacobian, and acceleration at zero joint acceleration.
//
// A row is a wrench between the two bodies: at the point p_B it pushes the second body, and its
// reaction the first. The entry of the Jacobian for an axis S on the way to either is the power of
// that wrench along the axis.

namespace chicane::multibody {

template <class T>
const Vec3<T>& axis(const Mat3<T>& R, int k) {
  return k == 0 ? R.x : k == 1 ? R.y : R.z;
}

// The wrench of a row upon the second body, about p_B.
template <class T>
Wrench<T> row_wrench(const LoopRow& row, const LoopFrames<T>& f, const numbers_t<T>& pitch) {
  switch (row.type) {
    case LoopRow::Type::offset:
      return {{}, axis(f.R_A, row.e)};
    case LoopRow::Type::angle:
      return {cross(axis(f.R_B, row.f), axis(f.R_A, row.e)), {}};
    case LoopRow::Type::distance:
      return {{}, f.u};
    case LoopRow::Type::thread:
      return {T(-pitch) * f.R_A.z, f.R_A.z};
  }
  return {};
}

// Frames and residuals; gives the largest.
template <class T>
real_t<T> loop_residuals(const LoopClusterOf<numbers_t<T>>& c, Workspace<T>& ws,
                         ClusterScratch<T>& s);

// G, and b = the part of d(residual)/dt that driven joints make.
template <class T>
void loop_jacobian(const LoopClusterOf<numbers_t<T>>& c, Workspace<T>& ws, ClusterScratch<T>& s);

// Calls f(local, entry) for each rate that moves the rows of a joint.
template <class P, class F>
void for_own_columns(const LoopJointOf<P>& j, F&& f) {
  for (const LoopColumn& x : j.columns)
    if (x.local >= 0) f(x.local, x.entry);
}

// G with all its columns: rows of nv.
template <class P, class T>
void spread_rows(const LoopClusterOf<P>& c, const std::vector<T>& G, T* to) {
  std::fill_n(to, c.rows * c.nv, T(0));
  for (const LoopJointOf<P>& j : c.joints)
    for (int r = 0; r < static_cast<int>(j.rows.size()); ++r)
      for_own_columns(j, [&](int local, int entry) {
        to[(j.row + r) * c.nv + local] = G[static_cast<std::size_t>(j.G + r * j.width + entry)];
      });
}

// Acceleration of a link relative to the base of the cluster at rest: s.C of the cluster's links,
// and what is prescribed for links between base and cluster.
template <class T>
Motion<T> acceleration_at_rest(const Tree<numbers_t<T>>& m, const LoopClusterOf<numbers_t<T>>& c,
                               const Workspace<T>& ws, const ClusterScratch<T>& s, int link) {
  if (link >= c.first && link < c.first + c.links)
    return s.C[static_cast<std::size_t>(link - c.first)];
  if (link == c.base) return {};
  const LinkMotion<T>& own = ws.motion[static_cast<std::size_t>(link)];
  const int parent = m.links[static_cast<std::size_t>(link)].parent;
  return at_point(acceleration_at_rest(m, c, ws, s, parent), own.r) + own.c;
}

// b = the second derivative of the residuals for accelerations s.C of the links.
template <class T>
void loop_bias(const Tree<numbers_t<T>>& m, const LoopClusterOf<numbers_t<T>>& c, Workspace<T>& ws,
               ClusterScratch<T>& s);

}  // namespace chicane::multibody
