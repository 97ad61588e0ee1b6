// SPDX-License-Identifier: Apache-2.0
#include "testkit/cartesian.hpp"

#include <Eigen/Dense>
#include <cmath>
#include <numbers>

#include "math/decompositions.hpp"

namespace testkit {

namespace {

using namespace chicane;
using namespace chicane::multibody;

// A function of time by its value and first two derivatives.
struct Jet {
  double x = 0, d = 0, dd = 0;
};
Jet operator+(Jet a, Jet b) { return {a.x + b.x, a.d + b.d, a.dd + b.dd}; }
Jet operator-(Jet a, Jet b) { return {a.x - b.x, a.d - b.d, a.dd - b.dd}; }
Jet operator*(Jet a, Jet b) {
  return {a.x * b.x, a.d * b.x + a.x * b.d, a.dd * b.x + 2 * a.d * b.d + a.x * b.dd};
}
Jet operator*(double s, Jet a) { return {s * a.x, s * a.d, s * a.dd}; }
Jet sqrt_of(Jet a) {
  const double r = std::sqrt(a.x), d = a.d / (2 * r);
  return {r, d, (a.dd / 2 - d * d) / r};
}
Jet angle_of(Jet y, Jet x) {  // atan2: theta' = (x y' - y x') / (x^2 + y^2)
  const double n = x.x * x.x + y.x * y.x, c = x.x * y.d - y.x * x.d;
  const double cd = x.x * y.dd - y.x * x.dd, nd = 2 * (x.x * x.d + y.x * y.d);
  return {std::atan2(y.x, x.x), c / n, cd / n - c * nd / (n * n)};
}

struct Jet3 {
  Jet x, y, z;
};
Jet3 operator-(const Jet3& a, const Jet3& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
Jet dot(const Jet3& a, const Jet3& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

// A body in motion: state, and an acceleration of its centre of mass.
struct Moving {
  BodyState s;
  Vec3<double> com;  // in the position of the description
  Motion<double> A;

  // A direction that is `u` in the global axes of the description.
  [[nodiscard]] Jet3 direction(const Vec3<double>& u) const {
    const Vec3<double> e = s.X.R * u, w = s.V.angular;
    const Vec3<double> d = cross(w, e), dd = cross(A.angular, e) + cross(w, d);
    return {{e.x, d.x, dd.x}, {e.y, d.y, dd.y}, {e.z, d.z, dd.z}};
  }
  [[nodiscard]] Jet3 point(const Vec3<double>& p) const {
    const Jet3 r = direction(p - com);
    const Vec3<double>&c = s.X.p, &v = s.V.linear, &a = A.linear;
    return {r.x + Jet{c.x, v.x, a.x}, r.y + Jet{c.y, v.y, a.y}, r.z + Jet{c.z, v.z, a.z}};
  }
};

struct Axes {
  Vec3<double> x, y, z;
};

Axes axes_of(const JointDescription& j) {
  const auto unit = [](Vec3<double> a) { return (1 / norm(a)) * a; };
  const Vec3<double> z = unit(j.axis);
  Vec3<double> x = std::fabs(z.y) < 0.5 ? Vec3<double>{0, 1, 0} : Vec3<double>{0, 0, 1};
  x = unit(x - chicane::dot(x, z) * z);
  return {x, cross(z, x), z};
}

// Whole turns do not count.
Jet unwound(Jet a, double near) {
  a.x = near + std::remainder(a.x - near, 2 * std::numbers::pi);
  return a;
}

std::vector<Jet> constraints(const JointDescription& j, const Moving& a, const Moving& b,
                             const Drive3& drive) {
  const Axes e = axes_of(j);
  const Jet3 xa = a.direction(e.x), ya = a.direction(e.y), za = a.direction(e.z);
  const Jet3 xb = b.direction(e.x), yb = b.direction(e.y), zb = b.direction(e.z);
  const bool two =
      j.kind == JointKind::spherical_spherical || j.kind == JointKind::spherical_revolute;
  const Jet3 d = b.point(two ? j.second_at : j.at) - a.point(j.at);
  const double length = norm(j.second_at - j.at);
  const std::vector<Jet> together{d.x, d.y, d.z}, parallel{dot(xa, zb), dot(ya, zb)};
  const std::vector<Jet> unturned{dot(xa, zb), dot(ya, zb), dot(xa, yb)};
  const std::vector<Jet> in_line{dot(xa, d), dot(ya, d)};
  const Jet turn = angle_of(dot(ya, xb), dot(xa, xb));
  const auto with = [](std::vector<Jet> p, const std::vector<Jet>& q) {
    p.insert(p.end(), q.begin(), q.end());
    return p;
  };
  const Jet want{drive.q, drive.v, drive.a};
  std::vector<Jet> rows;
  switch (j.kind) {
    case JointKind::weld:
      return with(together, unturned);
    case JointKind::revolute:
      rows = with(together, parallel);
      if (j.driven) rows.push_back(unwound(turn, drive.q) - want);
      return rows;
    case JointKind::translational:
      rows = with(in_line, unturned);
      if (j.driven) rows.push_back(dot(za, d) - want);
      return rows;
    case JointKind::cylindrical:
      return with(in_line, parallel);
    case JointKind::screw: {
      rows = with(in_line, parallel);
      const Jet along = dot(za, d);
      rows.push_back(along - j.pitch * unwound(turn, along.x / j.pitch));
      if (j.driven) rows.push_back(along - j.pitch * want);
      return rows;
    }
    case JointKind::universal: {
      const Vec3<double> second = j.second_axis ? (1 / norm(*j.second_axis)) * *j.second_axis : e.x;
      return with(together, {dot(za, b.direction(second))});
    }
    case JointKind::spherical:
      return together;
    case JointKind::planar:
      return {dot(za, d), dot(za, xb), dot(za, yb)};
    case JointKind::free:
      return {};
    case JointKind::spherical_spherical:
      return {sqrt_of(dot(d, d)) - Jet{length}};
    case JointKind::spherical_revolute: {  // ball on a, hinge on b
      const double offset = chicane::dot(e.z, j.second_at - j.at);
      return {dot(zb, d) - Jet{offset}, sqrt_of(dot(d, d)) - Jet{length}};
    }
    case JointKind::spherical_translational:
      return {dot(xb, d), dot(yb, d)};
  }
  return rows;
}

Eigen::Matrix3d matrix(const Sym3<double>& J) {
  Eigen::Matrix3d A;
  A << J.xx, J.xy, J.xz, J.xy, J.yy, J.yz, J.xz, J.yz, J.zz;
  return A;
}
Eigen::Vector3d vec(const Vec3<double>& a) { return {a.x, a.y, a.z}; }

}  // namespace

CartesianResult cartesian_accelerations(const Description& d,
                                        const std::map<std::string, BodyState>& bodies,
                                        const std::map<std::string, Drive3>& drives) {
  const int n = static_cast<int>(d.bodies.size());
  std::map<std::string, int> number;
  std::vector<Moving> body;
  for (const BodyDescription& b : d.bodies) {
    number[b.name] = static_cast<int>(body.size());
    body.push_back({bodies.at(b.name), b.com, {}});
  }
  const auto moving = [&](const std::string& name, int accelerated, int axis, bool at_rest) {
    Moving m{};
    if (name == kGround) return m;
    m = body[static_cast<std::size_t>(number.at(name))];
    if (at_rest) m.s.V = {};
    if (number.at(name) == accelerated) {
      double* a[6] = {&m.A.angular.x, &m.A.angular.y, &m.A.angular.z,
                      &m.A.linear.x,  &m.A.linear.y,  &m.A.linear.z};
      *a[axis] = 1.0;
    }
    return m;
  };
  const auto rows_of = [&](const JointDescription& j, int accelerated, int axis, bool at_rest) {
    Drive3 drive;
    if (const auto found = drives.find(j.name); found != drives.end()) drive = found->second;
    if (at_rest) drive.v = drive.a = 0;
    return constraints(j, moving(j.connects[0], accelerated, axis, at_rest),
                       moving(j.connects[1], accelerated, axis, at_rest), drive);
  };

  // Phi'' = J a + bias: the columns of J are Phi'' at rest for unit accelerations.
  CartesianResult result;
  std::vector<Eigen::VectorXd> J;
  std::vector<double> bias;
  std::vector<std::size_t> first_row;
  for (const JointDescription& j : d.joints) {
    const std::vector<Jet> here = rows_of(j, -1, 0, false);
    const std::size_t first = J.size();
    first_row.push_back(first);
    for (const Jet& r : here) {
      result.position_error = std::max(result.position_error, std::fabs(r.x));
      result.rate_error = std::max(result.rate_error, std::fabs(r.d));
      bias.push_back(r.dd);
      J.emplace_back(Eigen::VectorXd::Zero(6 * n));
    }
    for (const std::string& name : j.connects) {
      if (name == kGround) continue;
      const int b = number.at(name);
      for (int axis = 0; axis < 6; ++axis) {
        const std::vector<Jet> unit = rows_of(j, b, axis, true);
        for (std::size_t r = 0; r < unit.size(); ++r) J[first + r](6 * b + axis) = unit[r].dd;
      }
    }
  }

  // With M = L L', y = L' a: of all y with B y = -bias the one nearest to the free motion.
  const int rows = static_cast<int>(J.size());
  Eigen::MatrixXd B(rows, 6 * n);
  Eigen::VectorXd target(rows), size(rows), y0(6 * n);
  std::vector<Eigen::Matrix<double, 6, 6>> L(static_cast<std::size_t>(n));
  Eigen::VectorXd force = Eigen::VectorXd::Zero(6 * n);
  const auto push = [&](const std::string& name, const Vec3<double>& p, const Vec3<double>& f) {
    if (name == kGround) return;
    const int b = number.at(name);
    const Vec3<double> r = p - body[static_cast<std::size_t>(b)].s.X.p;
    force.segment<3>(6 * b) += vec(cross(r, f));
    force.segment<3>(6 * b + 3) += vec(f);
  };
  for (const ForceDescription& f : d.forces) {
    const auto* e = std::get_if<TsdaDescription>(&f.law);
    if (e == nullptr) continue;
    Jet3 p[2];
    for (const std::size_t k : {0u, 1u})
      p[k] = moving(e->connects[k], -1, 0, false).point(e->points[k]);
    const Jet3 gap = p[1] - p[0];
    const Jet l = sqrt_of(dot(gap, gap));
    const double l0 = e->free_length.value_or(norm(e->points[1] - e->points[0]));
    const double pull = (e->stiffness * (l.x - l0) + e->damping * l.d - e->force) / l.x;
    const Vec3<double> along{pull * gap.x.x, pull * gap.y.x, pull * gap.z.x};
    push(e->connects[0], {p[0].x.x, p[0].y.x, p[0].z.x}, along);
    push(e->connects[1], {p[1].x.x, p[1].y.x, p[1].z.x}, -along);
  }
  for (int b = 0; b < n; ++b) {
    const BodyDescription& about = d.bodies[static_cast<std::size_t>(b)];
    const BodyState& s = body[static_cast<std::size_t>(b)].s;
    const Eigen::Matrix3d I = matrix(rotated(s.X.R, about.inertia));
    const Eigen::Vector3d w = vec(s.V.angular);
    force.segment<3>(6 * b) -= w.cross(I * w);
    force.segment<3>(6 * b + 3) += about.mass * vec(d.gravity);
    Eigen::Matrix<double, 6, 6> M = Eigen::Matrix<double, 6, 6>::Zero();
    M.topLeftCorner<3, 3>() = I;
    M.bottomRightCorner<3, 3>().diagonal().setConstant(about.mass);
    L[static_cast<std::size_t>(b)] = M.llt().matrixL();
    y0.segment<6>(6 * b) = L[static_cast<std::size_t>(b)].triangularView<Eigen::Lower>().solve(
        force.segment<6>(6 * b));
  }
  for (int r = 0; r < rows; ++r) {
    target(r) = -bias[static_cast<std::size_t>(r)];
    for (int b = 0; b < n; ++b)
      B.row(r).segment<6>(6 * b) = L[static_cast<std::size_t>(b)]
                                       .triangularView<Eigen::Lower>()
                                       .solve(J[static_cast<std::size_t>(r)].segment<6>(6 * b))
                                       .transpose();
    // Rows of equal length: the rank does not depend on units.
    size(r) = B.row(r).norm();
    B.row(r) /= size(r);
    target(r) /= size(r);
  }
  Eigen::VectorXd y = y0;
  result.freedoms = 6 * n;
  if (rows > 0) {
    const chicane::LeastSquares solver(B, 1e-9);
    y += solver.solve(target - B * y0);
    y += solver.solve(target - B * y);  // once more for the digits
    result.freedoms -= static_cast<int>(solver.rank());
  }
  for (int b = 0; b < n; ++b) {
    const Eigen::Matrix<double, 6, 1> a =
        L[static_cast<std::size_t>(b)].transpose().triangularView<Eigen::Upper>().solve(
            y.segment<6>(6 * b));
    result.A[d.bodies[static_cast<std::size_t>(b)].name] = {{a(0), a(1), a(2)}, {a(3), a(4), a(5)}};
  }

  // L (y - y0) = J' lambda
  Eigen::VectorXd lambda(rows);
  if (rows > 0) lambda = chicane::LeastSquares(B.transpose()).solve(y - y0).cwiseQuotient(size);
  first_row.push_back(J.size());
  for (std::size_t k = 0; k < d.joints.size(); ++k) {
    const JointDescription& j = d.joints[k];
    const bool on_ground = j.connects[1] == kGround;  // then look at the other body
    const std::string& name = j.connects[on_ground ? 0 : 1];
    const int b = number.at(name);
    Eigen::Matrix<double, 6, 1> w = Eigen::Matrix<double, 6, 1>::Zero();
    for (std::size_t r = first_row[k]; r < first_row[k + 1]; ++r)
      w += lambda(static_cast<Eigen::Index>(r)) * J[r].segment<6>(6 * b);
    if (on_ground) w = -w;
    const bool two =
        j.kind == JointKind::spherical_spherical || j.kind == JointKind::spherical_revolute;
    const Jet3 p = moving(j.connects[1], -1, 0, false).point(two ? j.second_at : j.at);
    const Vec3<double> r =
        body[static_cast<std::size_t>(b)].s.X.p - Vec3<double>{p.x.x, p.y.x, p.z.x};
    result.reaction[j.name] = about(Wrench<double>{{w(0), w(1), w(2)}, {w(3), w(4), w(5)}}, r);
  }
  return result;
}

}  // namespace testkit
