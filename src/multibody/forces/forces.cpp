#include <algorithm>
#include <type_traits>

#include "multibody/mechanism.hpp"

// Force elements: each adds wrenches to links, about their origins, or forces along rates.

namespace chicane::multibody {

namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

template <class T>
T value_at(std::span<const T> values, int i, double otherwise = 0.0) {
  return i < 0 || values.empty() ? T(otherwise) : values[at(i)];
}

template <class T>
BodyMotion<T> motion(const Workspace<T>& ws, int link) {
  const LinkMotion<T>& m = ws.motion[at(link)];
  return {m.R, m.p, m.V};
}

template <class T, std::size_t n>
void add(const std::array<int, n>& link, const std::array<Wrench<T>, n>& f, Workspace<T>& ws) {
  for (std::size_t i = 0; i < n; ++i) ws.force[at(link[i])] += f[i];
}

template <class T>
void apply(const Tsda& e, const ForceInputs<T>& in, Workspace<T>& ws) {
  add(e.link,
      evaluate(e.law, motion(ws, e.link[0]), motion(ws, e.link[1]),
               value_at(in.command, e.command)),
      ws);
}

template <class T>
void apply(const Rsda& e, const ForceInputs<T>& in, Workspace<T>& ws) {
  add(e.link,
      evaluate(e.law, motion(ws, e.link[0]), motion(ws, e.link[1]), value_at(in.z, e.z),
               value_at(in.command, e.command))
          .wrench,
      ws);
}

template <class T>
void apply(const BumpStop& e, const ForceInputs<T>&, Workspace<T>& ws) {
  add(e.link, evaluate(e.law, motion(ws, e.link[0]), motion(ws, e.link[1])), ws);
}

template <class T>
void apply(const Bushing& e, const ForceInputs<T>&, Workspace<T>& ws) {
  add(e.link, evaluate(e.law, motion(ws, e.link[0]), motion(ws, e.link[1])), ws);
}

template <class T>
void apply(const LeafSpring& e, const ForceInputs<T>& in, Workspace<T>& ws) {
  add(e.link,
      evaluate(e.law, motion(ws, e.link[0]), motion(ws, e.link[1]), value_at(in.z, e.z)).wrench,
      ws);
}

template <class T>
void apply(const AntiRollBar& e, const ForceInputs<T>&, Workspace<T>& ws) {
  add(e.link, evaluate(e.law, motion(ws, e.link[0]), motion(ws, e.link[1]), motion(ws, e.link[2])),
      ws);
}

template <class T>
void apply(const OuterWrench& e, const ForceInputs<T>& in, Workspace<T>& ws) {
  ws.force[at(e.link)] += evaluate(e.law, motion(ws, e.link), value_at(in.command, e.command, 1.0));
}

template <class T>
void apply(const JointSpring& e, const ForceInputs<T>& in, Workspace<T>& ws) {
  ws.tau[at(e.v)] +=
      value_at(in.command, e.command) - e.law(T(ws.q[at(e.q)] - e.q_0), ws.v[at(e.v)]);
}

template <class T>
void apply(const JointStop& e, const ForceInputs<T>&, Workspace<T>& ws) {
  ws.tau[at(e.v)] += e.law(ws.q[at(e.q)], ws.v[at(e.v)]);
}

template <class T>
void apply(const JointDrag& e, const ForceInputs<T>& in, Workspace<T>& ws) {
  ws.tau[at(e.v)] += e.law(ws.v[at(e.v)], value_at(in.z, e.z));
}

// dz/dt of the elements that remember.
template <class T>
T rate(const Rsda& e, const Workspace<T>& ws, const T& z) {
  return evaluate(e.law, motion(ws, e.link[0]), motion(ws, e.link[1]), z).rate;
}
template <class T>
T rate(const LeafSpring& e, const Workspace<T>& ws, const T& z) {
  return evaluate(e.law, motion(ws, e.link[0]), motion(ws, e.link[1]), z).dz;
}
template <class T>
T rate(const JointDrag& e, const Workspace<T>& ws, const T& z) {
  return e.law.dry.rate(z, ws.v[at(e.v)]);
}

// What springs hold.
template <class T>
T energy_of(const JointSpring& e, const Workspace<T>& ws) {
  return e.law.energy(T(ws.q[at(e.q)] - e.q_0));
}
template <class T>
T energy_of(const JointStop& e, const Workspace<T>& ws) {
  return e.law.energy(ws.q[at(e.q)]);
}
template <class T>
T energy_of(const AntiRollBar& e, const Workspace<T>& ws) {
  return energy(e.law, motion(ws, e.link[0]), motion(ws, e.link[1]), motion(ws, e.link[2]));
}
template <class T>
T energy_of(const OuterWrench& e, const Workspace<T>& ws) {
  if (e.command >= 0 || e.law.follows) return T(0.0);
  const BodyMotion<T> B = motion(ws, e.link);
  return -dot(cast<T>(e.law.f.force), B.p + B.R * e.law.p);
}
template <class T>
T energy_of(const JointDrag&, const Workspace<T>&) {
  return T(0.0);
}
template <class T, class Element>
T energy_of(const Element& e, const Workspace<T>& ws, std::span<const T> z) {
  if constexpr (std::is_same_v<Element, Rsda>)
    return energy(e.law, motion(ws, e.link[0]), motion(ws, e.link[1]), value_at(z, e.z));
  else if constexpr (requires { energy(e.law, motion(ws, 0), motion(ws, 0)); })
    return energy(e.law, motion(ws, e.link[0]), motion(ws, e.link[1]));
  else
    return energy_of(e, ws);
}

}  // namespace

template <class T>
T force_energy(const Mechanism& m, const Workspace<T>& ws, std::span<const T> z) {
  T sum(0.0);
  for (const ForceElement& element : m.forces)
    sum += std::visit([&](const auto& e) { return energy_of(e, ws, z); }, element);
  return sum;
}

template <class T>
void apply_forces(const Mechanism& m, Workspace<T>& ws, const ForceInputs<T>& in) {
  std::fill(ws.force.begin(), ws.force.end(), Wrench<T>{});
  std::fill(ws.tau.begin(), ws.tau.end(), T(0));
  for (const ForceElement& element : m.forces)
    std::visit([&](const auto& e) { apply(e, in, ws); }, element);
}

template <class T>
void force_rates(const Mechanism& m, const Workspace<T>& ws, std::span<const T> z,
                 std::span<T> zdot) {
  for (const ForceElement& element : m.forces)
    std::visit(
        [&](const auto& e) {
          if constexpr (requires { e.z; }) zdot[at(e.z)] = rate(e, ws, z[at(e.z)]);
        },
        element);
}

template void apply_forces(const Mechanism&, Workspace<double>&, const ForceInputs<double>&);
template void apply_forces(const Mechanism&, Workspace<Dual>&, const ForceInputs<Dual>&);
template double force_energy(const Mechanism&, const Workspace<double>&, std::span<const double>);
template Dual force_energy(const Mechanism&, const Workspace<Dual>&, std::span<const Dual>);
template void force_rates(const Mechanism&, const Workspace<double>&, std::span<const double>,
                          std::span<double>);
template void force_rates(const Mechanism&, const Workspace<Dual>&, std::span<const Dual>,
                          std::span<Dual>);

}  // namespace chicane::multibody
