// SPDX-License-Identifier: Apache-2.0
#include "multibody/dynamics/power.hpp"

#include "multibody/dynamics/inverse_dynamics.hpp"

namespace chicane::multibody {

// In the axes of the link, where its inertia is constant.
template <class T>
MotionEnergy<T> motion_energy(const Mechanism& m, const Workspace<T>& ws) {
  MotionEnergy<T> E;
  for (std::size_t i = 1; i < m.links.size(); ++i) {
    const RigidInertia<double>& I = m.links[i].I;
    const LinkMotion<T>& own = ws.motion[i];
    const Vec3<T> w = transposed_times(own.R, own.V.angular),
                  v = transposed_times(own.R, own.V.linear), h = cast<T>(I.h);
    const Vec3<T> Jw{I.J.xx * w.x + I.J.xy * w.y + I.J.xz * w.z,
                     I.J.xy * w.x + I.J.yy * w.y + I.J.yz * w.z,
                     I.J.xz * w.x + I.J.yz * w.y + I.J.zz * w.z};
    E.kinetic += 0.5 * (I.m * dot(v, v) + dot(w, Jw)) + dot(v, cross(w, h));
    E.potential -= dot(cast<T>(m.gravity), I.m * own.p + own.R * h);
  }
  return E;
}

template <class T>
T applied_power(const Mechanism& m, const Workspace<T>& ws) {
  T sum(0.0);
  for (std::size_t i = 1; i < m.links.size(); ++i) sum += dot(ws.motion[i].V, ws.force[i]);
  for (std::size_t k = 0; k < ws.tau.size(); ++k) sum += ws.v[k] * ws.tau[k];
  return sum;
}

template <class T>
T drive_power(const Mechanism& m, const Workspace<T>& ws) {
  if (m.drives.empty()) return T(0.0);
  T sum(0.0);
  for (std::size_t i = 1; i < m.links.size(); ++i)
    sum += dot(ws.motion[i].V,
               inertia_force(m.links[i], ws.motion[i],
                             link_acceleration(m, ws, static_cast<int>(i)), ws.force[i]));
  for (std::size_t k = 0; k < ws.tau.size(); ++k) sum -= ws.v[k] * ws.tau[k];
  return sum;
}

template MotionEnergy<double> motion_energy(const Mechanism&, const Workspace<double>&);
template MotionEnergy<Dual> motion_energy(const Mechanism&, const Workspace<Dual>&);
template double applied_power(const Mechanism&, const Workspace<double>&);
template Dual applied_power(const Mechanism&, const Workspace<Dual>&);
template double drive_power(const Mechanism&, const Workspace<double>&);
template Dual drive_power(const Mechanism&, const Workspace<Dual>&);

}  // namespace chicane::multibody
