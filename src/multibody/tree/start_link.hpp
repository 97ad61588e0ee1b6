// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "multibody/mechanism.hpp"

namespace chicane::multibody {

// Inertia in world axes, bias force less the applied one.
template <class T>
[[gnu::always_inline]] inline void start_link(const LinkOf<numbers_t<T>>& link, Workspace<T>& ws,
                                              int i) {
  const auto k = static_cast<std::size_t>(i);
  const LinkMotion<T>& own = ws.motion[k];
  RigidInertia<T>& I = ws.I[k];
  I = {T(link.I.m), own.R * link.I.h, rotated(own.R, link.I.J)};
  const Vec3<T>& w = own.V.angular;
  ws.pA[k] = Wrench<T>{cross(w, I.J * w), cross(w, cross(w, I.h))} - ws.force[k];
  if (!link.leaf) ws.IA[k] = ArticulatedInertia<T>(I);
}

}  // namespace chicane::multibody
