// SPDX-License-Identifier: Apache-2.0
#include "multibody/closure/start_values.hpp"

#include <algorithm>
#include <cmath>

#include "multibody/closure/embed.hpp"
#include "multibody/joints/joints.hpp"

namespace chicane::multibody {

namespace {

std::vector<double> list(const Vec3<double>& a) { return {a.x, a.y, a.z}; }
Vec3<double> vector_at(const std::vector<double>& a, std::size_t i) {
  return {a[i], a[i + 1], a[i + 2]};
}

// The tree may go through a joint from its second body to its first; its frame is then turned over.
// Values of the one relative to the other from those of the other relative to the one: either way.
std::vector<double> turned_over(JointKind kind, const std::vector<double>& q) {
  switch (kind) {
    case JointKind::universal:
      return {q[1], q[0]};
    case JointKind::planar: {
      const double c = std::cos(q[2]), n = std::sin(q[2]);
      return {-c * q[0] - n * q[1], -n * q[0] + c * q[1], q[2]};
    }
    case JointKind::spherical:
      return list(-vector_at(q, 0));
    case JointKind::free: {
      const Vec3<double> a = vector_at(q, 0);
      const Vec3<double> d = -transposed_times(rotation(from_rotation_vector(a)), vector_at(q, 3));
      return {-a.x, -a.y, -a.z, d.x, d.y, d.z};
    }
    default:
      return q;
  }
}
// The same of rates, at the values q.
std::vector<double> turned_over(JointKind kind, const std::vector<double>& q,
                                const std::vector<double>& v) {
  switch (kind) {
    case JointKind::universal:
      return {v[1], v[0]};
    case JointKind::planar: {
      const double c = std::cos(q[2]), n = std::sin(q[2]);
      const std::vector<double> d = turned_over(kind, q);
      return {-c * v[0] - n * v[1] - v[2] * d[1], -n * v[0] + c * v[1] + v[2] * d[0], v[2]};
    }
    case JointKind::spherical:
      return list(-(rotation(from_rotation_vector(vector_at(q, 0))) * vector_at(v, 0)));
    case JointKind::free: {
      const Mat3<double> R = rotation(from_rotation_vector(vector_at(q, 0)));
      const Vec3<double> w = vector_at(v, 0), own = -(R * w);
      const Vec3<double> d =
          cross(w, transposed_times(R, vector_at(q, 3))) - transposed_times(R, vector_at(v, 3));
      return {own.x, own.y, own.z, d.x, d.y, d.z};
    }
    default:
      return v;
  }
}

// Values from the coordinates that a joint computes with.
std::vector<double> values_from(JointKind kind, const double* q, int nv) {
  if (!turns_freely(kind)) return {q, q + nv};
  std::vector<double> own = list(rotation_vector_of(quaternion(q)));
  own.insert(own.end(), q + 4, q + 1 + nv);
  return own;
}

std::vector<double> coordinates_of(JointKind kind, double pitch, const RelativeMotion& x) {
  const Mat3<double>& R = x.R;
  const double angle = std::atan2(R.x.y, R.x.x);
  switch (kind) {
    case JointKind::revolute:
      return {angle};
    case JointKind::translational:
      return {x.d.z};
    case JointKind::cylindrical:
      return {angle, x.d.z};
    case JointKind::screw:
      return {x.d.z / pitch};
    case JointKind::universal:
      return {std::atan2(-R.y.x, R.y.y), std::atan2(-R.x.z, R.z.z)};
    case JointKind::planar:
      return {x.d.x, x.d.y, angle};
    case JointKind::spherical:
      return list(rotation_vector_of(quaternion_of(R)));
    case JointKind::free: {
      std::vector<double> q = list(rotation_vector_of(quaternion_of(R)));
      q.insert(q.end(), {x.d.x, x.d.y, x.d.z});
      return q;
    }
    default:
      return {};
  }
}

}  // namespace

bool turns_freely(JointKind kind) {
  return kind == JointKind::spherical || kind == JointKind::free;
}

Vec3<double> rotation_vector_of(const Quaternion<double>& e) {
  const double s = norm(e.vector());
  if (s == 0.0) return {};
  const double w = std::fabs(e.w);  // the shorter way round
  return (std::copysign(2.0, e.w) * std::atan2(s, w) / s) * e.vector();
}

std::vector<double> coordinates(JointKind kind, const std::vector<double>& asked, bool reversed) {
  const std::vector<double> own = reversed ? turned_over(kind, asked) : asked;
  if (!turns_freely(kind)) return own;
  const Quaternion<double> e = from_rotation_vector(vector_at(own, 0));
  std::vector<double> q{e.w, e.x, e.y, e.z};
  q.insert(q.end(), own.begin() + 3, own.end());
  return q;
}

std::vector<double> rates(const Link& link, const std::vector<double>& asked, const double* q) {
  if (!link.reversed || asked.empty()) return asked;
  return turned_over(link.kind, turned_over(link.kind, values_from(link.kind, q, link.nv)), asked);
}

RelativeMotion relative_motion(const LoopJoint& j, const Workspace<double>& ws) {
  const LinkMotion<double>&a = ws.motion[at(j.link[0])], &b = ws.motion[at(j.link[1])];
  const Mat3<double> R_A = a.R * j.R_LJ[0];
  const Vec3<double> r_A = a.R * j.p_LJ[0], r_B = b.R * j.p_LJ[1], p_B = b.p + r_B;
  const Motion<double> V_A = at_point(a.V, p_B - a.p), V_B = at_point(b.V, r_B);
  return {transpose(R_A) * (b.R * j.R_LJ[1]),
          transposed_times(R_A, p_B - (a.p + r_A)),
          {transposed_times(R_A, V_B.angular - V_A.angular),
           transposed_times(R_A, V_B.linear - V_A.linear)}};
}

std::vector<Motion<double>> axes_of(JointKind kind, double pitch, const Mat3<double>& R) {
  return visit_joint(kind, [&]<class J>(J) {
    std::vector<Motion<double>> S(at(J::nv));
    J::axes(Mat3<double>::identity(), R, pitch, S.data());
    return S;
  });
}

CutPlace find_cut(const Mechanism& m, JointIndex joint) {
  for (std::size_t k = 0; k < m.clusters.size(); ++k)
    for (const LoopJoint& j : m.clusters[k].joints)
      if (j.joint == joint) return {&j, static_cast<int>(k)};
  return {};
}

const Link* find_link(const Mechanism& m, JointIndex joint) {
  if (find_cut(m, joint).joint != nullptr) return nullptr;
  for (const Link& link : m.links)
    if (link.joint == joint) return &link;
  return nullptr;
}

int cluster_of(const Mechanism& m, JointIndex joint) {
  if (const CutPlace cut = find_cut(m, joint); cut.joint != nullptr) return cut.cluster;
  return m.topology.cluster_of[static_cast<std::size_t>(find_link(m, joint) - m.links.data())];
}

JointValues values_of(const Mechanism& m, JointIndex joint, const Workspace<double>& ws) {
  const JointKind kind = m.joint_kinds[at(joint.value)];
  if (const Link* link = find_link(m, joint); link != nullptr) {
    const double *q = ws.q.data() + link->q, *v = ws.v.data() + link->v;
    const int nv = link->driven ? 1 : link->nv;
    JointValues own{values_from(kind, q, nv), {v, v + nv}};
    if (link->reversed) own = {turned_over(kind, own.q), turned_over(kind, own.q, own.v)};
    return own;
  }
  const LoopJoint* cut = find_cut(m, joint).joint;
  if (cut == nullptr || is_composite(kind)) return {};
  const RelativeMotion x = relative_motion(*cut, ws);
  JointValues own{coordinates_of(kind, cut->pitch, x), {}};
  for (const Motion<double>& S : axes_of(kind, cut->pitch, x.R))
    own.v.push_back((dot(S.angular, x.V.angular) + dot(S.linear, x.V.linear)) /
                    (dot(S.angular, S.angular) + dot(S.linear, S.linear)));
  return own;
}

}  // namespace chicane::multibody
