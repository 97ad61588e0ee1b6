#include <algorithm>

#include "multibody/mechanism.hpp"

// Force elements: each adds wrenches to links, about their origins, or forces along rates.

namespace chicane::multibody {

namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

template <class T>
void apply(const Tsda& e, Workspace<T>& ws) {
  const LinkMotion<T>&a = ws.motion[at(e.link[0])], &b = ws.motion[at(e.link[1])];
  const Vec3<T> r_a = a.R * e.p[0], r_b = b.R * e.p[1];
  const Vec3<T> d = (b.p - a.p) + (r_b - r_a);
  const Vec3<T> rate =
      (b.V.linear + cross(b.V.angular, r_b)) - (a.V.linear + cross(a.V.angular, r_a));
  const T l = norm(d);
  const T pull = e.k * (l - e.l_0) + e.c * dot(d, rate) / l + e.F;
  const Vec3<T> f = (pull / l) * d;
  ws.force[at(e.link[0])] += Wrench<T>{cross(r_a, f), f};
  ws.force[at(e.link[1])] -= Wrench<T>{cross(r_b, f), f};
}

template <class T>
void apply(const JointSpring& e, Workspace<T>& ws) {
  ws.tau[at(e.v)] += e.F - e.k * (ws.q[at(e.q)] - e.q_0) - e.c * ws.v[at(e.v)];
}

}  // namespace

template <class T>
void apply_forces(const Mechanism& m, Workspace<T>& ws) {
  std::fill(ws.force.begin(), ws.force.end(), Wrench<T>{});
  std::fill(ws.tau.begin(), ws.tau.end(), T(0));
  for (const ForceElement& element : m.forces)
    std::visit([&](const auto& e) { apply(e, ws); }, element);
}

template void apply_forces(const Mechanism&, Workspace<double>&);
template void apply_forces(const Mechanism&, Workspace<Dual>&);

}  // namespace chicane::multibody
