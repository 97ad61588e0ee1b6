// SPDX-License-Identifier: Apache-2.0
#include "analysis/rig/statics.hpp"

#include <algorithm>
#include <cmath>

#include "core/at.hpp"
#include "math/decompositions.hpp"
#include "multibody/closure/project.hpp"

namespace chicane::rig {

using namespace multibody;

namespace {

constexpr double kKilo = 1e3;  // forces are counted in kN, so that unknowns are of one size

template <class T>
Wrench<T> force_at(const Vec3<T>& f, const Vec3<T>& point, const LinkMotion<T>& link) {
  return {cross(point - link.p, f), f};
}

}  // namespace

template <class T>
WheelPose<T> pose_of(const HeldWheel& wheel, const LinkMotion<T>& link) {
  WheelPose<T> w;
  w.centre = link.p + link.R * wheel.centre;
  w.axis = link.R * wheel.axis;
  const Vec3<T> up{T(0.0), T(0.0), T(1.0)}, x = cross(w.axis, up);
  w.ahead = (T(1.0) / norm(x)) * x;
  w.left = cross(up, w.ahead);
  w.contact = w.centre - T(wheel.radius) * cross(w.ahead, w.axis);
  return w;
}
template WheelPose<double> pose_of(const HeldWheel&, const LinkMotion<double>&);
template WheelPose<Dual> pose_of(const HeldWheel&, const LinkMotion<Dual>&);

Statics::Statics(std::shared_ptr<const Mechanism> m, std::vector<HeldWheel> wheels, double arm)
    : m_(std::move(m)),
      wheels_(std::move(wheels)),
      arm_(arm),
      choice_(m_->choice),
      q_(m_->q),
      F_(wheels_.size()),
      ws_(*m_),
      dual_(*m_) {
  for (std::size_t w = 0; w < wheels_.size(); ++w) heights_.push_back(pose(w).centre.z);
}

void Statics::place() {
  std::vector<double> v(at(m_->nv));
  kinematics<double>(*m_, choice_, q_, v, drives(rack_), ws_);
}

WheelPose<double> Statics::pose(std::size_t wheel) {
  place();
  return pose_of(wheels_[wheel], ws_.motion[at(wheels_[wheel].link)]);
}

Statics::Columns Statics::columns() const {
  const std::size_t n = free_.size(), w = wheels_.size();
  return {0, n, n + w, n + w + kLoads * w, n + w + kLoads * w + 1};
}

template <class T>
std::vector<Drive<T>> Statics::drives(const T& rack) const {
  std::vector<Drive<T>> list(m_->drives.size());
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (m_->drives[i] == "rack") list[i].q = arm_ > 0.0 ? T(-rack / arm_) : rack;
    if (m_->drives[i] == "pitman") list[i].q = rack / arm_;
  }
  return list;
}

std::vector<int> Statics::free_rates() const {
  std::vector<bool> free(at(m_->nv), true);
  for (std::size_t k = 0; k < choice_.size(); ++k)
    for (const int i : choice_[k].dependent) free[at(m_->clusters[k].v + i)] = false;
  std::vector<int> list;
  for (int i = 0; i < m_->nv; ++i)
    if (free[at(i)]) list.push_back(i);
  return list;
}

// How all coordinates move with each free rate.
bool Statics::find_tangents() {
  free_ = free_rates();
  tangent_.assign(free_.size(), std::vector<double>(q_.size()));
  for (std::size_t j = 0; j < free_.size(); ++j) {
    std::vector<double> v(at(m_->nv));
    v[at(free_[j])] = 1.0;
    if (kinematics<double>(*m_, choice_, q_, v, drives(rack_), ws_) != Status::ok) return false;
    coordinate_rates<double>(*m_, q_, v, tangent_[j]);
  }
  return true;
}

// Weights, and what acts at the wheels, with the derivatives of the columns from `first` on.
void Statics::add_loads(std::size_t first, std::span<const Dual> F, std::size_t count,
                        std::vector<Wrench<Dual>>& on_links) {
  const Columns c = columns();
  for (std::size_t i = 1; i < m_->links.size(); ++i) {
    const RigidInertia<double>& I = m_->links[i].I;
    const Vec3<Dual> g = cast<Dual>(m_->gravity);
    on_links[i] += {cross(dual_.motion[i].R * I.h, g), Dual(I.m) * g};
  }
  const auto load = [&](std::size_t w, int k) {
    Dual value;
    const std::size_t column = c.loads + kLoads * w + at(k);
    if (column >= first && column < first + count) value.b[column - first] = 1.0;
    return value;
  };
  const Vec3<Dual> up{0.0, 0.0, 1.0};
  for (std::size_t w = 0; w < wheels_.size(); ++w) {
    const std::size_t link = at(wheels_[w].link);
    const LinkMotion<Dual>& motion = dual_.motion[link];
    const WheelPose<Dual> p = pose_of(wheels_[w], motion);
    on_links[link] += force_at(load(w, kForward) * p.ahead + load(w, kLateral) * p.left + F[w] * up,
                               p.contact, motion);
    on_links[link] += force_at(load(w, kDriving) * p.ahead, p.centre, motion);
    on_links[link] += Wrench<Dual>{load(w, kAligning) * up, {}};
  }
}

// Some columns, as many as a Dual has directions.
bool Statics::differentiate(std::size_t first, std::size_t count, Linear& out) {
  const Columns c = columns();
  std::vector<Dual> q(q_.begin(), q_.end()), v(at(m_->nv)), F(F_.begin(), F_.end());
  Dual rack(rack_);
  for (std::size_t k = 0; k < count; ++k) {
    const std::size_t column = first + k;
    if (column < c.forces)
      for (std::size_t i = 0; i < q.size(); ++i) q[i].b[k] = tangent_[column][i];
    else if (column < c.loads)
      F[column - c.forces].b[k] = 1.0;
    else if (column == c.rack)
      rack.b[k] = 1.0;
  }
  const std::vector<Drive<Dual>> driven = drives(rack);
  if (kinematics<Dual>(*m_, choice_, q, v, driven, dual_) != Status::ok) return false;
  apply_forces(*m_, dual_);
  std::vector<Wrench<Dual>> on_links = dual_.force;
  const std::vector<Dual> tau = dual_.tau;
  add_loads(first, F, count, on_links);
  const auto write = [&](Eigen::VectorXd& value, Eigen::MatrixXd& derivative, std::size_t row,
                         const Dual& x) {
    const auto r = static_cast<Eigen::Index>(row);
    value(r) = x.a;
    for (std::size_t k = 0; k < count; ++k)
      derivative(r, static_cast<Eigen::Index>(first + k)) = x.b[k];
  };
  for (std::size_t w = 0; w < wheels_.size(); ++w)
    write(out.z, out.B, w, pose_of(wheels_[w], dual_.motion[at(wheels_[w].link)]).centre.z);
  for (std::size_t j = 0; j < free_.size(); ++j) {
    std::fill(v.begin(), v.end(), Dual(0.0));
    v[at(free_[j])] = Dual(1.0);
    if (kinematics<Dual>(*m_, choice_, q, v, driven, dual_) != Status::ok) return false;
    Dual power;
    for (std::size_t i = 1; i < on_links.size(); ++i) power += dot(dual_.motion[i].V, on_links[i]);
    for (int i = 0; i < m_->nv; ++i) power += tau[at(i)] * dual_.v[at(i)];
    write(out.Q, out.A, j, power);
  }
  return true;
}

// The first columns.
bool Statics::linearize(std::size_t count, Linear& out) {
  if (!find_tangents()) return false;
  const auto n = static_cast<Eigen::Index>(free_.size()),
             w = static_cast<Eigen::Index>(wheels_.size()),
             columns = static_cast<Eigen::Index>(count);
  out = {Eigen::VectorXd::Zero(n), Eigen::VectorXd::Zero(w), Eigen::MatrixXd::Zero(n, columns),
         Eigen::MatrixXd::Zero(w, columns)};
  for (std::size_t first = 0; first < count; first += Dual::kDirections)
    if (!differentiate(first, std::min(Dual::kDirections, count - first), out)) return false;
  return true;
}

// Of the unknowns: free rates, then forces in kN; rows Q in kN, then z.
Eigen::MatrixXd Statics::balance(const Linear& l) const {
  const Eigen::Index n = l.Q.size(), w = l.z.size();
  Eigen::MatrixXd K = Eigen::MatrixXd::Zero(n + w, n + w);
  K.topLeftCorner(n, n) = l.A.leftCols(n) / kKilo;
  K.topRightCorner(n, w) = l.A.middleCols(n, w);
  K.bottomLeftCorner(w, n) = l.B.leftCols(n);
  return K;
}

bool Statics::solve(std::span<const double> heights) {
  constexpr int kMost = 30;
  constexpr double kBalanced = 1e-7, kInPlace = 1e-11;  // [kN], [m]
  Linear l;
  double least = 0.0;
  for (int i = 0; i < kMost; ++i) {
    free_ = free_rates();
    if (!linearize(columns().loads, l)) return false;
    const Eigen::Index n = l.Q.size(), w = l.z.size();
    Eigen::VectorXd open(n + w);
    open.head(n) = l.Q / kKilo;
    for (Eigen::Index k = 0; k < w; ++k)
      open(n + k) = l.z(k) - heights[static_cast<std::size_t>(k)];
    if (!open.allFinite()) return false;
    if (open.head(n).lpNorm<Eigen::Infinity>() < kBalanced &&
        open.tail(w).lpNorm<Eigen::Infinity>() < kInPlace)
      return true;
    if (i > 0 && open.norm() > 1e3 * (least + 1.0)) return false;
    least = i == 0 ? open.norm() : std::min(least, open.norm());
    const Eigen::VectorXd step = LeastSquares(balance(l)).solve(-open);
    for (Eigen::Index j = 0; j < n; ++j)
      for (std::size_t k = 0; k < q_.size(); ++k)
        q_[k] += step(j) * tangent_[static_cast<std::size_t>(j)][k];
    normalize<double>(*m_, q_);
    for (Eigen::Index k = 0; k < w; ++k) F_[static_cast<std::size_t>(k)] += kKilo * step(n + k);
    std::vector<double> v(at(m_->nv));
    if (kinematics<double>(*m_, choice_, q_, v, drives(rack_), ws_) != Status::ok) return false;
  }
  return false;
}

bool Statics::step_to(std::span<const double> heights, double rack) {
  const Point before{q_, F_, choice_, rack_};
  rack_ = rack;
  std::vector<double> v(at(m_->nv));
  const bool placed = kinematics<double>(*m_, choice_, q_, v, drives(rack_), ws_) == Status::ok;
  if (placed && solve(heights)) {
    heights_.assign(heights.begin(), heights.end());
    const auto driven = drives(rack_);
    return project(*m_, choice_, q_, v, driven, ws_).status == Status::ok;
  }
  q_ = before.q, F_ = before.F, choice_ = before.choice, rack_ = before.rack;
  return false;
}

bool Statics::move_to(std::span<const double> heights, double rack) {
  constexpr double kWay = 0.01, kRackWay = 0.005;  // [m] that Newton's method follows
  const Point before{q_, F_, choice_, rack_};
  const std::vector<double> from = heights_;
  double parts = std::fabs(rack - rack_) / kRackWay;
  for (std::size_t w = 0; w < from.size(); ++w)
    parts = std::max(parts, std::fabs(heights[w] - from[w]) / kWay);
  const int steps = std::max(1, static_cast<int>(std::ceil(parts)));
  for (int i = 1; i <= steps; ++i) {
    const double part = static_cast<double>(i) / steps;
    std::vector<double> to(from.size());
    for (std::size_t w = 0; w < to.size(); ++w) to[w] = from[w] + part * (heights[w] - from[w]);
    if (step_to(to, before.rack + part * (rack - before.rack))) continue;
    q_ = before.q, F_ = before.F, choice_ = before.choice, rack_ = before.rack, heights_ = from;
    return false;
  }
  return true;
}

Vec3<double> Statics::centre_of_mass() {
  place();
  Vec3<double> sum{};
  double mass = 0.0;
  for (std::size_t i = 1; i < m_->links.size(); ++i) {
    const RigidInertia<double>& I = m_->links[i].I;
    sum += I.m * ws_.motion[i].p + ws_.motion[i].R * I.h;
    mass += I.m;
  }
  return (1.0 / mass) * sum;
}

std::optional<Statics::Tangent> Statics::along(std::span<const Change> changes) {
  Linear l;
  free_ = free_rates();
  if (!linearize(columns().count, l)) return std::nullopt;
  const Columns c = columns();
  const Eigen::Index n = l.Q.size(), w = l.z.size();
  const LeastSquares solver(balance(l));
  const Eigen::MatrixXd K = balance(l);
  std::vector<Dual> q(q_.begin(), q_.end()), v(at(m_->nv));
  Tangent out{Workspace<Dual>(*m_), {F_.begin(), F_.end()}};
  Dual rack(rack_);
  for (std::size_t k = 0; k < changes.size(); ++k) {
    const Change& change = changes[k];
    Eigen::VectorXd b = Eigen::VectorXd::Zero(n + w);
    const auto add = [&](std::size_t column, double by) {
      b.head(n) -= by / kKilo * l.A.col(static_cast<Eigen::Index>(column));
      b.tail(w) -= by * l.B.col(static_cast<Eigen::Index>(column));
    };
    for (std::size_t i = 0; i < wheels_.size(); ++i) {
      b(n + static_cast<Eigen::Index>(i)) += change.height[i];
      for (std::size_t j = 0; j < kLoads; ++j) add(c.loads + kLoads * i + j, change.load[i][j]);
    }
    add(c.rack, change.rack);
    const Eigen::VectorXd x = solver.solve(b);
    constexpr double kOpen = 1e-6;
    if (!((K * x - b).norm() <= kOpen * (b.norm() + 1e-12))) return std::nullopt;
    for (Eigen::Index j = 0; j < n; ++j)
      for (std::size_t i = 0; i < q.size(); ++i)
        q[i].b[k] += x(j) * tangent_[static_cast<std::size_t>(j)][i];
    for (Eigen::Index i = 0; i < w; ++i) out.F[static_cast<std::size_t>(i)].b[k] = kKilo * x(n + i);
    rack.b[k] = change.rack;
  }
  if (kinematics<Dual>(*m_, choice_, q, v, drives(rack), out.ws) != Status::ok) return std::nullopt;
  return out;
}

}  // namespace chicane::rig
