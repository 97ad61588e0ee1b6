// SPDX-License-Identifier: Apache-2.0
#include "multibody/dynamics/inverse_dynamics.hpp"

#include "core/at.hpp"

// Recursive Newton-Euler.  Featherstone, Rigid Body Dynamics Algorithms (2008), section 5.3.
//
//   A_k = X A_parent + c_k + S v'       f_k = I_k A_k + w x J w ... - F_k + sum of the children's
//   tau = S' f

namespace chicane::multibody {

template <class T>
void inverse_dynamics(const Mechanism& m, std::span<const T> vdot, Workspace<T>& ws,
                      std::span<T> tau) {
  const int n = static_cast<int>(m.links.size());
  ws.A[0] = {{}, -cast<T>(m.gravity)};
  for (int i = 1; i < n; ++i) {
    const Link& link = m.links[at(i)];
    const LinkMotion<T>& own = ws.motion[at(i)];
    Motion<T> A = at_point(ws.A[at(link.parent)], own.r) + own.c;
    for (int k = 0; k < link.nv; ++k) A += vdot[at(link.v + k)] * ws.S[at(link.v + k)];
    ws.A[at(i)] = A;
    ws.pA[at(i)] = inertia_force(link, own, A, ws.force[at(i)]);
  }
  for (int i = n - 1; i > 0; --i) {
    const Link& link = m.links[at(i)];
    for (int k = 0; k < link.nv; ++k) tau[at(link.v + k)] = dot(ws.S[at(link.v + k)], ws.pA[at(i)]);
    if (link.parent != 0) ws.pA[at(link.parent)] += about(ws.pA[at(i)], ws.motion[at(i)].r);
  }
}

template void inverse_dynamics(const Mechanism&, std::span<const double>, Workspace<double>&,
                               std::span<double>);
template void inverse_dynamics(const Mechanism&, std::span<const Dual>, Workspace<Dual>&,
                               std::span<Dual>);

}  // namespace chicane::multibody
