// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "multibody/mechanism.hpp"

namespace chicane::multibody {

// Acceleration of a link less gravity, from that of the nearest link above it that carries others
// (which is stored) and the accelerations of the rates between them.
template <class T>
Motion<T> link_acceleration_from_rates(const Tree<numbers_t<T>>& m, const Workspace<T>& ws, int i,
                                       const T* vdot) {
  const auto& link = m.links[static_cast<std::size_t>(i)];
  const LinkMotion<T>& own = ws.motion[static_cast<std::size_t>(i)];
  const std::size_t parent = static_cast<std::size_t>(link.parent);
  const Motion<T> A_P = link.parent == 0 || !m.links[parent].leaf
                            ? ws.A[parent]
                            : link_acceleration_from_rates(m, ws, link.parent, vdot);
  Motion<T> A = at_point(A_P, own.r) + own.c;
  for (int k = link.v; k < link.v + link.nv; ++k)
    A = mul_add(vdot[k], ws.S[static_cast<std::size_t>(k)], A);
  return A;
}

}  // namespace chicane::multibody
