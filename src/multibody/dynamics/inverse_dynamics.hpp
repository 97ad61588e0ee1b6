// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "multibody/mechanism.hpp"

namespace chicane::multibody {

// Forces along the rates of the open tree that make them accelerate by vdot, beside ws.force; the
// loops are not looked at. After kinematics and apply_forces; ws.tau is not looked at.
template <class T>
void inverse_dynamics(const Mechanism& m, std::span<const T> vdot, Workspace<T>& ws,
                      std::span<T> tau);

// What moves a link with the acceleration A (less gravity), beside the force that is applied.
template <class T>
Wrench<T> inertia_force(const Link& link, const LinkMotion<T>& own, const Motion<T>& A,
                        const Wrench<T>& applied) {
  const RigidInertia<T> I{T(link.I.m), own.R * link.I.h, rotated(own.R, link.I.J)};
  const Vec3<T>& w = own.V.angular;
  return I * A + Wrench<T>{cross(w, I.J * w), cross(w, cross(w, I.h))} - applied;
}

}  // namespace chicane::multibody
