// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "multibody/closure/assemble.hpp"
#include "multibody/closure/cluster_start.hpp"
#include "multibody/closure/embed.hpp"
#include "multibody/closure/orthogonal.hpp"
#include "multibody/closure/start_values.hpp"
#include "multibody/joints/joints.hpp"

// Positions: with Phi(q) = 0 the loops, G their Jacobian, and g(q) what is asked less what is
// there, a step d makes |g - E d|^2 + damping |d|^2 least with G d = 0 (Levenberg and Marquardt on
// the loops); the loops are closed after it, and it counts when g has become less. Near the end
// what is asked is set exactly and Newton's method moves the rest.

namespace chicane::multibody {

namespace {

constexpr double kNear = 1e-9;  // from here on Newton's method alone
constexpr double kPerhapsNear = 1e-3;

double length(const std::vector<double>& a) {
  double sum = 0.0;
  for (const double x : a) sum += x * x;
  return std::sqrt(sum);
}

}  // namespace

std::vector<double> shortest(Matrix A, int rows, int n, const std::vector<double>& b,
                             double tolerance) {
  std::vector<int> order(at(rows));
  Matrix L(at(rows * rows));
  std::vector<double> z(at(rows)), x(at(n));
  const int rank = orthonormalize(A.data(), rows, n, tolerance, order.data(), L.data());
  for (int r = 0; r < rank; ++r) {
    double sum = b[at(order[at(r)])];
    for (int j = 0; j < r; ++j) sum -= L[at(r * rows + j)] * z[at(j)];
    z[at(r)] = sum / L[at(r * rows + r)];
    for (int k = 0; k < n; ++k) x[at(k)] += z[at(r)] * A[at(r * n + k)];
  }
  return x;
}

// The shortest solution of A x + damping w = b over x and w.
std::vector<double> damped(const Matrix& A, int rows, int n, const std::vector<double>& b,
                           double damping) {
  const int all = n + rows;
  Matrix wide(at(rows * all));
  for (int r = 0; r < rows; ++r) {
    std::copy_n(A.begin() + r * n, n, wide.begin() + r * all);
    wide[at(r * all + n + r)] = damping;
  }
  std::vector<double> x = shortest(std::move(wide), rows, all, b, 0.0);
  x.resize(at(n));
  return x;
}

double largest(const std::vector<double>& a) {
  double most = 0.0;
  for (const double x : a) most = std::max(most, std::fabs(x));
  return most;
}

void ClusterStart::ask(const StartValue& value) {
  if (const Link* link = find_link(m_, value.joint); link != nullptr)
    links_.push_back({link, &value});
  else
    cuts_.push_back({find_cut(m_, value.joint).joint, &value});
}

bool ClusterStart::place() {
  const auto begin = ws_.q;
  auto best = begin;
  double least = 1e300;
  for (int attempt = 0; attempt <= attempts(); ++attempt) {
    ws_.q = begin;
    if (attempt > 0 && !step_aside(attempt)) continue;
    const double miss = approach();
    const auto reached = ws_.q;
    if (miss < kPerhapsNear && fix()) return true;
    if (miss < least) least = miss, best = reached;
  }
  ws_.q = best;
  close();
  return false;
}

int ClusterStart::attempts() const {
  const double cost = static_cast<double>(n_) * c_.rows * c_.rows;
  return cost > 1e6 ? 2 : cost > 1e5 ? 6 : 12;
}

bool ClusterStart::close() { return assemble_cluster(m_, k_, kLoopsClosed, ws_); }

void ClusterStart::evaluate() {
  for (int i = c_.first; i < c_.first + c_.links; ++i) place_link(m_.links[at(i)], ws_, i);
  loop_residuals(c_, ws_, s_);
  loop_jacobian(c_, ws_, s_);
}

void ClusterStart::shift(const std::vector<double>& d) {
  for (int i = c_.first; i < c_.first + c_.links; ++i) {
    const Link& link = m_.links[at(i)];
    if (link.driven) continue;
    visit_joint(link.kind,
                [&]<class J>(J) { J::moved(ws_.q.data() + link.q, d.data() + (link.v - c_.v)); });
  }
}

void ClusterStart::add_links(Remaining& remaining) const {
  for (const auto& [link, value] : links_) {
    const std::vector<double>& q = value->asked.q;
    if (q.empty()) continue;
    const double* own = ws_.q.data() + link->q;
    std::vector<double> go(at(link->nv));
    const std::vector<double> to = coordinates(link->kind, q, link->reversed);
    const int turn = turns_freely(link->kind) ? 3 : 0;
    if (turn > 0) {
      const Mat3<double> R = transpose(rotation(quaternion(own))) * rotation(quaternion(to.data()));
      const Vec3<double> turned = rotation_vector_of(quaternion_of(R));
      go[0] = turned.x, go[1] = turned.y, go[2] = turned.z;
    }
    for (int i = turn; i < link->nv; ++i) {
      const std::size_t place = at(i + (turn > 0 ? 1 : 0));
      go[at(i)] = to[place] - own[place];
    }
    for (int i = 0; i < link->nv; ++i) {
      remaining.go.push_back(go[at(i)]);
      remaining.E.resize(remaining.E.size() + at(n_), 0.0);
      remaining.E[remaining.E.size() - at(n_) + at(link->v + i - c_.v)] = 1.0;
    }
  }
}

void ClusterStart::add_relative(const LoopJoint& j, const Mat3<double>& turning,
                                const Mat3<double>& sliding, Matrix& E,
                                std::vector<double>* drift) const {
  const LinkMotion<double>& b = ws_.motion[at(j.link[1])];
  const Vec3<double> p_B = b.p + b.R * j.p_LJ[1];
  const std::size_t first = E.size();
  E.resize(first + at(6 * n_), 0.0);
  for (const LoopColumn& x : j.columns) {
    const Motion<double> S = at_point(ws_.S[at(x.v)], p_B - ws_.motion[at(x.link)].p);
    const Vec3<double> w = x.sign * transposed_times(turning, S.angular),
                       u = x.sign * transposed_times(sliding, S.linear);
    const double parts[] = {w.x, w.y, w.z, u.x, u.y, u.z};
    for (std::size_t r = 0; r < 6; ++r)
      if (x.local >= 0)
        E[first + r * at(n_) + at(x.local)] += parts[r];
      else if (drift != nullptr)
        (*drift)[drift->size() - 6 + r] -= parts[r] * ws_.v[at(x.v)];
  }
}

void ClusterStart::add_cuts(Remaining& remaining) const {
  for (const AskedCut& cut : cuts_) {
    const LoopJoint* const joint = cut.joint;  // a lambda reads it: no binding, for Clang 14
    const StartValue* const value = cut.value;
    if (value->asked.q.empty()) continue;
    const JointKind kind = kind_of(value->joint);
    const std::vector<double> to = coordinates(kind, value->asked.q, false);
    Mat3<double> R;
    Vec3<double> d;
    visit_joint(kind, [&]<class J>(J) {
      J::pose(Mat3<double>::identity(), to.data(), joint->pitch, R, d);
    });
    const RelativeMotion x = relative_motion(*joint, ws_);
    const Vec3<double> turn = rotation_vector_of(quaternion_of(Mat3<double>(transpose(x.R) * R)));
    const Vec3<double> slide = d - x.d;
    for (const double go : {turn.x, turn.y, turn.z, slide.x, slide.y, slide.z})
      remaining.go.push_back(go);
    const Mat3<double> R_A = ws_.motion[at(joint->link[0])].R * joint->R_LJ[0];
    add_relative(*joint, R_A * x.R, R_A, remaining.E, nullptr);
  }
}

JointKind ClusterStart::kind_of(JointIndex joint) const { return m_.joint_kinds[at(joint.value)]; }

ClusterStart::Remaining ClusterStart::remaining() const {
  Remaining w;
  add_links(w);
  add_cuts(w);
  return w;
}

Matrix ClusterStart::rows_of_loops() const {
  Matrix G(at(c_.rows * n_));
  spread_rows(c_, s_.G, G.data());
  return G;
}

Matrix ClusterStart::basis_of_loops(int& rank) const {
  Matrix B = rows_of_loops(), L(at(c_.rows * c_.rows));
  std::vector<int> order(at(c_.rows));
  rank = orthonormalize(B.data(), c_.rows, n_, kRowTolerance, order.data(), L.data());
  return B;
}

void ClusterStart::keep_off(const Matrix& B, int rank, Matrix& rows) const {
  for (std::size_t first = 0; first < rows.size(); first += at(n_))
    for (int r = 0; r < rank; ++r) {
      double part = 0.0;
      for (int a = 0; a < n_; ++a) part += rows[first + at(a)] * B[at(r * n_ + a)];
      for (int a = 0; a < n_; ++a) rows[first + at(a)] -= part * B[at(r * n_ + a)];
    }
}

double ClusterStart::approach() {
  constexpr int kIdle = 20;
  constexpr double kProgress = 1e-6;
  if (!close()) return 1e300;
  evaluate();
  Remaining now = remaining();
  double miss = length(now.go), mark = miss, damping = kLeastDamping;
  const double most = 300 + 30 * std::min(1e3, largest(now.go));
  for (int i = 1; i < most && miss > kNear; ++i) {
    int rank = 0;
    const Matrix B = basis_of_loops(rank);
    keep_off(B, rank, now.E);
    const std::vector<double> before = ws_.q;
    for (bool nearer = false; !nearer; damping *= 30) {
      if (damping > kMostDamping) return miss;
      std::vector<double> d = damped(now.E, static_cast<int>(now.go.size()), n_, now.go, damping);
      if (const double most_of = largest(d); most_of > kLongestMove)
        for (double& x : d) x *= kLongestMove / most_of;
      shift(d);
      if (close()) {
        evaluate();
        Remaining next = remaining();
        nearer = length(next.go) < miss;
        if (nearer) now = std::move(next);
      }
      if (!nearer) {
        ws_.q = before;
        evaluate();
      }
    }
    miss = length(now.go);
    damping = std::max(kLeastDamping, damping / 900);
    if (i % kIdle == 0) {
      if (miss > (1 - kProgress) * mark) return miss;
      mark = miss;
    }
  }
  return miss;
}

bool ClusterStart::step_aside(int attempt) {
  evaluate();
  int rank = 0;
  const Matrix B = basis_of_loops(rank);
  Matrix d(at(n_));
  std::uint64_t random = 0x9e3779b97f4a7c15ULL * static_cast<std::uint64_t>((attempt + 1) / 2);
  for (double& x : d) {
    random = random * 6364136223846793005ULL + 1442695040888963407ULL;
    x = static_cast<double>(random >> 11) * 0x1.0p-52 - 1.0;
    if (attempt % 2 == 0) x = -x;  // there and back
  }
  keep_off(B, rank, d);
  if (!(largest(d) > 0.0)) return false;
  const double size = attempt <= 4 ? 1.0 : 4.0;
  for (double& x : d) x *= size * kLongestMove / largest(d);
  shift(d);
  return close();
}

bool ClusterStart::fix() {
  constexpr int kMostSteps = 100;
  std::vector<bool> held(at(n_), false);
  for (const auto& [link, value] : links_) {
    if (value->asked.q.empty()) continue;
    const auto q = coordinates(link->kind, value->asked.q, link->reversed);
    std::copy(q.begin(), q.end(), ws_.q.begin() + link->q);
    std::fill_n(held.begin() + (link->v - c_.v), link->nv, true);
  }
  double least = 1e300;
  int idle = 0;
  for (int i = 0;; ++i) {
    evaluate();
    Remaining w;
    add_cuts(w);
    std::vector<double> b = s_.residual;
    for (double& x : b) x = -x;
    b.insert(b.end(), w.go.begin(), w.go.end());
    const double gap = largest(b);
    idle = gap < 0.5 * least ? 0 : idle + 1;
    least = std::min(least, gap);
    if (gap == 0.0 || (gap <= 0.01 * kLoopTolerance && idle > 0)) return true;
    if (i == kMostSteps || idle > 10 || !std::isfinite(gap)) return gap <= kLoopTolerance;
    Matrix A = rows_of_loops();
    A.insert(A.end(), w.E.begin(), w.E.end());
    for (std::size_t r = 0; r < b.size(); ++r)
      for (int a = 0; a < n_; ++a)
        if (held[at(a)]) A[r * at(n_) + at(a)] = 0.0;
    std::vector<double> d = shortest(std::move(A), static_cast<int>(b.size()), n_, b);
    if (const double most = largest(d); most > kLongestMove)
      for (double& x : d) x *= kLongestMove / most;
    shift(d);
  }
}

}  // namespace chicane::multibody
