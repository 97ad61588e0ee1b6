// SPDX-License-Identifier: Apache-2.0
#include "multibody/forces/shown.hpp"

#include "core/at.hpp"
#include "multibody/forces/readings.hpp"

namespace chicane::multibody {

namespace {

template <class T>
void write(std::span<T> to, std::initializer_list<T> values) {
  std::copy(values.begin(), values.end(), to.begin());
}
template <class T>
void write(std::span<T> to, std::initializer_list<Vec3<T>> vectors) {
  T* y = to.data();
  for (const Vec3<T>& v : vectors)
    for (const T& value : {v.x, v.y, v.z}) *y++ = value;
}

// --- their names -------------------------------------------------------------------------------

Shown of_line() {
  return {{{"length", "m", "distance of its points"},
           {"travel", "m", "change of it from the position of the file"},
           {"rate", "m/s", "rate of its length"}},
          {{"force", "N", "with which it pushes its points apart"}}};
}

std::vector<ShownValue> triples(std::initializer_list<ShownValue> of) {
  std::vector<ShownValue> list;
  for (const ShownValue& v : of)
    for (const char* axis : {"x", "y", "z"}) {
      const std::size_t end = v.name.find("_rate");
      std::string name = v.name.substr(0, end) + "_" + axis;
      if (end != std::string::npos) name += "_rate";
      list.push_back({std::move(name), v.unit, v.what});
    }
  return list;
}
Shown of_frames() {
  return {triples({{"d", "m", "displacement of its second body in the axes of the first"},
                   {"phi", "rad", "rotation vector of its second body in the axes of the first"},
                   {"d_rate", "m/s", "rate of that displacement"},
                   {"phi_rate", "rad/s", "rate of that rotation vector"}}),
          triples({{"f", "N", "force upon its second body along the displacement"},
                   {"m", "N m", "moment upon its second body along the rotation vector"}})};
}

bool turns(const Mechanism& m, int v) {
  for (const Link& link : m.links)
    if (!link.driven && link.v == v && link.nv > 0) return link.kind != JointKind::translational;
  return true;
}
Shown on_joint(bool angle) {
  if (angle)
    return {{{"angle", "rad", "of its joint"}, {"rate", "rad/s", "of its joint"}},
            {{"torque", "N m", "upon the second body of its joint"}}};
  return {{{"displacement", "m", "of its joint"}, {"rate", "m/s", "of its joint"}},
          {{"force", "N", "upon the second body of its joint"}}};
}

Shown names(const Mechanism&, const Tsda&) { return of_line(); }
Shown names(const Mechanism&, const BumpStop&) { return of_line(); }
Shown names(const Mechanism&, const Rsda&) { return on_joint(true); }
Shown names(const Mechanism&, const Bushing&) { return of_frames(); }
Shown names(const Mechanism&, const LeafSpring&) { return of_frames(); }
Shown names(const Mechanism&, const AntiRollBar&) {
  return {{{"difference", "m", "by which the left side is higher than the right one"},
           {"rate", "m/s", "of that difference"}},
          {{"force", "N", "upon the left side along the axis"}}};
}
Shown names(const Mechanism&, const OuterWrench&) {
  return {{}, triples({{"f", "N", "force in global axes"}, {"m", "N m", "moment in global axes"}})};
}
Shown names(const Mechanism& m, const JointSpring& e) { return on_joint(turns(m, e.v)); }
Shown names(const Mechanism& m, const JointStop& e) { return on_joint(turns(m, e.v)); }
Shown names(const Mechanism& m, const JointDrag& e) {
  Shown s = on_joint(turns(m, e.v));
  s.measures.erase(s.measures.begin());
  return s;
}

// --- how they lie --------------------------------------------------------------------------------

template <class T, class Element>
void measure_line(const Element& e, const Workspace<T>& ws, std::span<T> out) {
  const auto s = length_and_rate(e.law.p, e.law.axis, motion(ws, e.link[0]), motion(ws, e.link[1]));
  write(out, {s.length, T(s.length - e.law.design), s.rate});
}
template <class T>
void measure_frames(const Frames& f, const std::array<int, 2>& link, const Workspace<T>& ws,
                    std::span<T> out) {
  const Deflection<T> x = deflection(f, motion(ws, link[0]), motion(ws, link[1]));
  write(out, {x.d, x.phi, x.d_rate, x.phi_rate});
}
template <class T>
Twist<T> twist_of(const AntiRollBar& e, const Workspace<T>& ws) {
  return twist(e.law, motion(ws, e.link[0]), motion(ws, e.link[1]), motion(ws, e.link[2]));
}

template <class T>
void lie(const Tsda& e, const Workspace<T>& ws, std::span<const T>, std::span<T> out) {
  measure_line(e, ws, out);
}
template <class T>
void lie(const BumpStop& e, const Workspace<T>& ws, std::span<const T>, std::span<T> out) {
  measure_line(e, ws, out);
}
template <class T>
void lie(const Rsda& e, const Workspace<T>& ws, std::span<const T> z, std::span<T> out) {
  const auto r = evaluate(e.law, motion(ws, e.link[0]), motion(ws, e.link[1]), value_at(z, e.z));
  write(out, {r.angle, r.rate});
}
template <class T>
void lie(const Bushing& e, const Workspace<T>& ws, std::span<const T>, std::span<T> out) {
  measure_frames(e.law.frames, e.link, ws, out);
}
template <class T>
void lie(const LeafSpring& e, const Workspace<T>& ws, std::span<const T>, std::span<T> out) {
  measure_frames(e.law.bushing.frames, e.link, ws, out);
}
template <class T>
void lie(const AntiRollBar& e, const Workspace<T>& ws, std::span<const T>, std::span<T> out) {
  const Twist<T> t = twist_of(e, ws);
  write(out, {t.difference, t.rate});
}
template <class T>
void lie(const OuterWrench&, const Workspace<T>&, std::span<const T>, std::span<T>) {}
template <class T>
void lie(const JointSpring& e, const Workspace<T>& ws, std::span<const T>, std::span<T> out) {
  write(out, {ws.q[at(e.q)], ws.v[at(e.v)]});
}
template <class T>
void lie(const JointStop& e, const Workspace<T>& ws, std::span<const T>, std::span<T> out) {
  write(out, {ws.q[at(e.q)], ws.v[at(e.v)]});
}
template <class T>
void lie(const JointDrag& e, const Workspace<T>& ws, std::span<const T>, std::span<T> out) {
  write(out, {ws.v[at(e.v)]});
}

// --- what they do --------------------------------------------------------------------------------

template <class T>
void push(const Tsda& e, const Workspace<T>& ws, const ForceInputs<T>& in, std::span<T> out) {
  const auto s = length_and_rate(e.law.p, e.law.axis, motion(ws, e.link[0]), motion(ws, e.link[1]));
  out[0] = e.law.push(s, value_at(in.command, e.command));
}
template <class T>
void push(const BumpStop& e, const Workspace<T>& ws, const ForceInputs<T>&, std::span<T> out) {
  const auto s = length_and_rate(e.law.p, e.law.axis, motion(ws, e.link[0]), motion(ws, e.link[1]));
  const double inwards = e.law.rebound ? 1.0 : -1.0;
  out[0] = -inwards * e.law.law(T(inwards * (s.length - e.law.l_c)), T(inwards * s.rate));
}
template <class T>
void push(const Rsda& e, const Workspace<T>& ws, const ForceInputs<T>& in, std::span<T> out) {
  out[0] = evaluate(e.law, motion(ws, e.link[0]), motion(ws, e.link[1]), value_at(in.z, e.z),
                    value_at(in.command, e.command))
               .torque;
}
template <class T>
void push(const Bushing& e, const Workspace<T>& ws, const ForceInputs<T>&, std::span<T> out) {
  const auto x = deflection(e.law.frames, motion(ws, e.link[0]), motion(ws, e.link[1]));
  const AlongDeflection<T> w = law_of(e.law, x);
  write(out, {w.f, w.m});
}
template <class T>
void push(const LeafSpring& e, const Workspace<T>& ws, const ForceInputs<T>& in, std::span<T> out) {
  const auto x = deflection(e.law.bushing.frames, motion(ws, e.link[0]), motion(ws, e.link[1]));
  const AlongDeflection<T> w = law_of(e.law, x, value_at(in.z, e.z));
  write(out, {w.f, w.m});
}
template <class T>
void push(const AntiRollBar& e, const Workspace<T>& ws, const ForceInputs<T>&, std::span<T> out) {
  out[0] = twist_of(e, ws).force;
}
template <class T>
void push(const OuterWrench& e, const Workspace<T>& ws, const ForceInputs<T>& in,
          std::span<T> out) {
  const T factor = value_at(in.command, e.command, 1.0);
  const Mat3<T> R = e.law.follows ? ws.motion[at(e.link)].R : Mat3<T>::identity();
  write(out, {factor * (R * e.law.f.force), factor * (R * e.law.f.moment)});
}
template <class T>
void push(const JointSpring& e, const Workspace<T>& ws, const ForceInputs<T>& in,
          std::span<T> out) {
  out[0] = value_at(in.command, e.command) - e.law(T(ws.q[at(e.q)] - e.q_0), ws.v[at(e.v)]);
}
template <class T>
void push(const JointStop& e, const Workspace<T>& ws, const ForceInputs<T>&, std::span<T> out) {
  out[0] = e.law(ws.q[at(e.q)], ws.v[at(e.v)]);
}
template <class T>
void push(const JointDrag& e, const Workspace<T>& ws, const ForceInputs<T>& in, std::span<T> out) {
  out[0] = e.law(ws.v[at(e.v)], value_at(in.z, e.z));
}

// --- cut joints ----------------------------------------------------------------------------------

// Which coordinates: along the axes x, y, z of the first body's frame, and the angle about z.
struct Coordinate {
  const char* name;
  int axis;  // 3: the angle
};
std::vector<Coordinate> coordinates(JointKind kind) {
  switch (kind) {
    case JointKind::revolute:
    case JointKind::screw:
      return {{"angle", 3}};
    case JointKind::translational:
      return {{"displacement", 2}};
    case JointKind::cylindrical:
      return {{"angle", 3}, {"displacement", 2}};
    case JointKind::planar:
      return {{"x", 0}, {"y", 1}, {"angle", 3}};
    default:
      return {};
  }
}

}  // namespace

Shown shown(const Mechanism& m, const ForceElement& element) {
  return std::visit([&](const auto& e) { return names(m, e); }, element);
}

template <class T>
void measure(const ForceElement& element, const Workspace<T>& ws, std::span<const T> z,
             std::span<T> out) {
  std::visit([&](const auto& e) { lie(e, ws, z, out); }, element);
}

template <class T>
void show_forces(const ForceElement& element, const Workspace<T>& ws, const ForceInputs<T>& in,
                 std::span<T> out) {
  std::visit([&](const auto& e) { push(e, ws, in, out); }, element);
}

std::vector<ShownValue> shown(const Mechanism& m, const LoopJoint& cut) {
  const auto list = coordinates(m.joint_kinds[at(cut.joint.value)]);
  std::vector<ShownValue> values;
  for (const Coordinate& c : list)
    values.push_back({c.name, c.axis == 3 ? "rad" : "m", "coordinate of joint"});
  for (const Coordinate& c : list)
    values.push_back(
        {std::string(c.name) + "_rate", c.axis == 3 ? "rad/s" : "m/s", "rate of joint"});
  return values;
}

template <class T>
void measure(const Mechanism& m, const LoopJoint& cut, const Workspace<T>& ws, std::span<T> out) {
  const LinkMotion<T>&a = ws.motion[at(cut.link[0])], &b = ws.motion[at(cut.link[1])];
  const Mat3<T> R_A = a.R * cut.R_LJ[0], R_B = b.R * cut.R_LJ[1];
  const Vec3<T> r_A = a.R * cut.p_LJ[0], r_B = b.R * cut.p_LJ[1];
  const Vec3<T> d = (b.p + r_B) - (a.p + r_A);
  // As seen from the first body.
  const Vec3<T> v = at_point(b.V, r_B).linear - at_point(a.V, r_A + d).linear;
  const Vec3<T> w = b.V.angular - a.V.angular;
  std::size_t k = 0;
  const Vec3<T>* axes[] = {&R_A.x, &R_A.y, &R_A.z};
  const std::size_t half = out.size() / 2;
  const auto kind = m.joint_kinds[at(cut.joint.value)];
  const auto enter = [&](int axis) {
    out[k] = axis == 3 ? atan2(dot(R_A.y, R_B.x), dot(R_A.x, R_B.x)) : dot(*axes[axis], d);
    out[half + k] = axis == 3 ? dot(R_A.z, w) : dot(*axes[axis], v);
    ++k;
  };
  if (kind == JointKind::planar) enter(0), enter(1);
  if (kind != JointKind::translational) enter(3);
  if (kind == JointKind::translational || kind == JointKind::cylindrical) enter(2);
}

template void measure(const ForceElement&, const Workspace<double>&, std::span<const double>,
                      std::span<double>);
template void measure(const ForceElement&, const Workspace<Dual>&, std::span<const Dual>,
                      std::span<Dual>);
template void show_forces(const ForceElement&, const Workspace<double>&, const ForceInputs<double>&,
                          std::span<double>);
template void show_forces(const ForceElement&, const Workspace<Dual>&, const ForceInputs<Dual>&,
                          std::span<Dual>);
template void measure(const Mechanism&, const LoopJoint&, const Workspace<double>&,
                      std::span<double>);
template void measure(const Mechanism&, const LoopJoint&, const Workspace<Dual>&, std::span<Dual>);

}  // namespace chicane::multibody
