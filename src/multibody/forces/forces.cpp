// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <type_traits>

#include "core/at.hpp"
#include "multibody/dynamics/power.hpp"
#include "multibody/forces/readings.hpp"

// Force elements: each adds wrenches to links, about their origins, or forces along rates.

namespace chicane::multibody {

namespace {

// What elements see of the links: how they move, or, to know what springs alone do, where they are,
// at rest and with friction let go.
template <class T, bool still>
struct Seen {
  const Workspace<T>& ws;

  BodyMotion<T> operator()(int link) const {
    const LinkMotion<T>& m = ws.motion[at(link)];
    return {m.R, m.p, still ? Motion<T>{} : m.V};
  }
  T rate(int i) const { return still ? T(0.0) : ws.v[at(i)]; }
  T friction(const ForceInputs<T>& in, int z) const { return still ? T(0.0) : value_at(in.z, z); }
};

// What an element does: wrenches on links, or a force along a rate.
template <class T, std::size_t n>
struct OnLinks {
  std::array<int, n> link;
  std::array<Wrench<T>, n> f;
};
template <class T, std::size_t n>
OnLinks(const std::array<int, n>&, const std::array<Wrench<T>, n>&) -> OnLinks<T, n>;

template <class T>
struct OnRate {
  int v;
  T f;
};

template <class T, class Seen>
auto act(const Tsda& e, const ForceInputs<T>& in, const Seen& see) {
  return OnLinks{e.link,
                 evaluate(e.law, see(e.link[0]), see(e.link[1]), value_at(in.command, e.command))};
}
template <class T, class Seen>
auto act(const Rsda& e, const ForceInputs<T>& in, const Seen& see) {
  return OnLinks{e.link, evaluate(e.law, see(e.link[0]), see(e.link[1]), value_at(in.z, e.z),
                                  value_at(in.command, e.command))
                             .wrench};
}
template <class T, class Seen>
auto act(const BumpStop& e, const ForceInputs<T>&, const Seen& see) {
  return OnLinks{e.link, evaluate(e.law, see(e.link[0]), see(e.link[1]))};
}
template <class T, class Seen>
auto act(const Bushing& e, const ForceInputs<T>&, const Seen& see) {
  return OnLinks{e.link, evaluate(e.law, see(e.link[0]), see(e.link[1]))};
}
template <class T, class Seen>
auto act(const LeafSpring& e, const ForceInputs<T>& in, const Seen& see) {
  return OnLinks{e.link,
                 evaluate(e.law, see(e.link[0]), see(e.link[1]), see.friction(in, e.z)).wrench};
}
template <class T, class Seen>
auto act(const AntiRollBar& e, const ForceInputs<T>&, const Seen& see) {
  return OnLinks{e.link, evaluate(e.law, see(e.link[0]), see(e.link[1]), see(e.link[2]))};
}
template <class T, class Seen>
auto act(const OuterWrench& e, const ForceInputs<T>& in, const Seen& see) {
  return OnLinks<T, 1>{{e.link},
                       {evaluate(e.law, see(e.link), value_at(in.command, e.command, 1.0))}};
}
template <class T, class Seen>
auto act(const JointSpring& e, const ForceInputs<T>& in, const Seen& see) {
  return OnRate<T>{
      e.v, value_at(in.command, e.command) - e.law(T(see.ws.q[at(e.q)] - e.q_0), see.rate(e.v))};
}
template <class T, class Seen>
auto act(const JointStop& e, const ForceInputs<T>&, const Seen& see) {
  return OnRate<T>{e.v, e.law(see.ws.q[at(e.q)], see.rate(e.v))};
}
template <class T, class Seen>
auto act(const JointDrag& e, const ForceInputs<T>& in, const Seen& see) {
  return OnRate<T>{e.v, e.law(see.rate(e.v), see.friction(in, e.z))};
}

template <class T, std::size_t n>
void add(const OnLinks<T, n>& a, Workspace<T>& ws) {
  for (std::size_t i = 0; i < n; ++i) ws.force[at(a.link[i])] += a.f[i];
}
template <class T>
void add(const OnRate<T>& a, Workspace<T>& ws) {
  ws.tau[at(a.v)] += a.f;
}

// [W] that it gives to the links.
template <class T, std::size_t n>
T power(const OnLinks<T, n>& a, const Workspace<T>& ws) {
  T sum(0.0);
  for (std::size_t i = 0; i < n; ++i) sum += dot(ws.motion[at(a.link[i])].V, a.f[i]);
  return sum;
}
template <class T>
T power(const OnRate<T>& a, const Workspace<T>& ws) {
  return ws.v[at(a.v)] * a.f;
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
// Its force, that is; a moment has none.
bool has_potential(const OuterWrench& e) { return e.command < 0 && !e.law.follows; }
template <class T>
T energy_of(const OuterWrench& e, const Workspace<T>& ws) {
  if (!has_potential(e)) return T(0.0);
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

// [W] from outside.
template <class T, class Element>
T outside_of(const Element& e, const Workspace<T>& ws, const ForceInputs<T>& in) {
  if constexpr (std::is_same_v<Element, OuterWrench>) {
    if (has_potential(e)) return dot(ws.motion[at(e.link)].V.angular, cast<T>(e.law.f.moment));
    return power(act(e, in, Seen<T, false>{ws}), ws);
  } else if constexpr (requires { e.command; }) {
    if (e.command < 0) return T(0.0);
    const ForceInputs<T> alone{.command = {}, .z = in.z};
    return power(act(e, in, Seen<T, false>{ws}), ws) - power(act(e, alone, Seen<T, false>{ws}), ws);
  }
  return T(0.0);
}

}  // namespace

template <class T>
T outside_power(const Mechanism& m, std::span<const int> elements, const Workspace<T>& ws,
                const ForceInputs<T>& in) {
  T sum(0.0);
  for (const int i : elements)
    sum += std::visit([&](const auto& e) { return outside_of(e, ws, in); }, m.forces[at(i)]);
  return sum;
}

std::vector<int> outside_elements(const Mechanism& m) {
  std::vector<int> list;
  const auto has = [](const auto& e) {
    if constexpr (std::is_same_v<std::decay_t<decltype(e)>, OuterWrench>)
      return !has_potential(e) || norm(e.law.f.moment) > 0.0;
    else if constexpr (requires { e.command; })
      return e.command >= 0;
    else
      return false;
  };
  for (std::size_t i = 0; i < m.forces.size(); ++i)
    if (std::visit(has, m.forces[i])) list.push_back(static_cast<int>(i));
  return list;
}

namespace {

bool dissipates(const SpringDamper& law) { return law.c != 0.0 || !law.damper.empty(); }
bool dissipates(const BushingElement& e) {
  for (const auto& row : e.C)
    for (const double c : row)
      if (c != 0.0) return true;
  return false;
}
bool dissipates(const Tsda& e) { return dissipates(e.law.law); }
bool dissipates(const Rsda& e) { return dissipates(e.law.law); }
bool dissipates(const JointSpring& e) { return dissipates(e.law); }
bool dissipates(const BumpStop& e) { return e.law.law.d != 0.0; }
bool dissipates(const JointStop& e) { return e.law.law.d != 0.0; }
bool dissipates(const Bushing& e) { return dissipates(e.law); }
bool dissipates(const LeafSpring& e) {
  return dissipates(e.law.bushing) || dissipates(e.law.vertical) || e.law.friction.F != 0.0;
}
bool dissipates(const AntiRollBar& e) { return e.law.c != 0.0; }
bool dissipates(const OuterWrench&) { return false; }
bool dissipates(const JointDrag&) { return true; }

}  // namespace

bool keeps_its_energy(const Mechanism& m) {
  return m.drives.empty() && outside_elements(m).empty() &&
         std::none_of(m.forces.begin(), m.forces.end(), [](const ForceElement& element) {
           return std::visit([](const auto& e) { return dissipates(e); }, element);
         });
}

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
    std::visit([&](const auto& e) { add(act(e, in, Seen<T, false>{ws}), ws); }, element);
}

// What springs alone would give, less what the elements do give.
template <class T>
T dissipated_power(const Mechanism& m, const Workspace<T>& ws, std::span<const T> z) {
  const ForceInputs<T> in{.command = {}, .z = z};
  T sum(0.0);
  for (const ForceElement& element : m.forces)
    sum += std::visit(
        [&](const auto& e) {
          return power(act(e, in, Seen<T, true>{ws}), ws) -
                 power(act(e, in, Seen<T, false>{ws}), ws);
        },
        element);
  return sum;
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
template double dissipated_power(const Mechanism&, const Workspace<double>&,
                                 std::span<const double>);
template Dual dissipated_power(const Mechanism&, const Workspace<Dual>&, std::span<const Dual>);
template double outside_power(const Mechanism&, std::span<const int>, const Workspace<double>&,
                              const ForceInputs<double>&);
template Dual outside_power(const Mechanism&, std::span<const int>, const Workspace<Dual>&,
                            const ForceInputs<Dual>&);
template double force_energy(const Mechanism&, const Workspace<double>&, std::span<const double>);
template Dual force_energy(const Mechanism&, const Workspace<Dual>&, std::span<const Dual>);
template void force_rates(const Mechanism&, const Workspace<double>&, std::span<const double>,
                          std::span<double>);
template void force_rates(const Mechanism&, const Workspace<Dual>&, std::span<const Dual>,
                          std::span<Dual>);

}  // namespace chicane::multibody
