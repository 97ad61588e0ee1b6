// SPDX-License-Identifier: Apache-2.0
#include "multibody/dynamics/mass_matrix.hpp"

#include <algorithm>

#include "core/at.hpp"

// Composite rigid bodies.  Featherstone, Rigid Body Dynamics Algorithms (2008), section 6.2.
//
//   I_k += sum of the children's       F = I_k S_k       M_kk = S_k' F       M_jk = S_j' X' F

namespace chicane::multibody {

namespace {

template <class T>
RigidInertia<T> world_inertia(const Link& link, const LinkMotion<T>& own) {
  return {T(link.I.m), own.R * link.I.h, rotated(own.R, link.I.J)};
}

}  // namespace

template <class T>
void mass_matrix(const Mechanism& m, Workspace<T>& ws, std::span<T> M) {
  std::fill(M.begin(), M.end(), T(0));
  const int n = static_cast<int>(m.links.size());
  for (int i = 1; i < n; ++i) ws.I[at(i)] = world_inertia(m.links[at(i)], ws.motion[at(i)]);
  for (int i = n - 1; i > 0; --i) {
    const Link& link = m.links[at(i)];
    if (link.parent != 0) ws.I[at(link.parent)] += about(ws.I[at(i)], ws.motion[at(i)].r);
    for (int k = link.v; k < link.v + link.nv; ++k) {
      Wrench<T> F = ws.I[at(i)] * ws.S[at(k)];
      for (int j = i; j != 0; j = m.links[at(j)].parent) {
        const Link& other = m.links[at(j)];
        for (int l = other.v; l < other.v + other.nv; ++l)
          M[at(k * m.nv + l)] = M[at(l * m.nv + k)] = dot(ws.S[at(l)], F);
        F = about(F, ws.motion[at(j)].r);
      }
    }
  }
}

template <class T>
T kinetic_energy(const Mechanism& m, const Workspace<T>& ws) {
  T energy(0);
  for (std::size_t i = 1; i < m.links.size(); ++i) {
    const Motion<T>& V = ws.motion[i].V;
    energy += 0.5 * dot(V, world_inertia(m.links[i], ws.motion[i]) * V);
  }
  return energy;
}

template <class T>
Wrench<T> momentum(const Mechanism& m, const Workspace<T>& ws) {
  Wrench<T> sum{};
  for (std::size_t i = 1; i < m.links.size(); ++i)
    sum += about(world_inertia(m.links[i], ws.motion[i]) * ws.motion[i].V, ws.motion[i].p);
  return sum;
}

template <class T>
T potential_energy(const Mechanism& m, const Workspace<T>& ws, std::span<const T> z) {
  T energy(0);
  const Vec3<T> g = cast<T>(m.gravity);
  for (std::size_t i = 1; i < m.links.size(); ++i)
    energy -= m.links[i].I.m * dot(g, ws.motion[i].p) + dot(g, ws.motion[i].R * m.links[i].I.h);
  return energy + force_energy(m, ws, z);
}

template void mass_matrix(const Mechanism&, Workspace<double>&, std::span<double>);
template void mass_matrix(const Mechanism&, Workspace<Dual>&, std::span<Dual>);
template double kinetic_energy(const Mechanism&, const Workspace<double>&);
template Dual kinetic_energy(const Mechanism&, const Workspace<Dual>&);
template Wrench<double> momentum(const Mechanism&, const Workspace<double>&);
template Wrench<Dual> momentum(const Mechanism&, const Workspace<Dual>&);
template double potential_energy(const Mechanism&, const Workspace<double>&,
                                 std::span<const double>);
template Dual potential_energy(const Mechanism&, const Workspace<Dual>&, std::span<const Dual>);

}  // namespace chicane::multibody
