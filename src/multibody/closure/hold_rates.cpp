// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "multibody/closure/cluster_start.hpp"
#include "multibody/closure/embed.hpp"
#include "multibody/closure/start_values.hpp"

namespace chicane::multibody {

namespace {

constexpr double kHeldRateTolerance = 1e-9;  // of the largest rate

}  // namespace

bool ClusterStart::move() {
  evaluate();
  std::vector<double> fixed(at(n_));
  std::vector<bool> held(at(n_), false);
  for (const auto& [link, value] : links_) {
    const auto v = rates(*link, value->asked.v, ws_.q.data() + link->q);
    for (std::size_t i = 0; i < v.size(); ++i) {
      fixed[at(link->v - c_.v) + i] = v[i];
      held[at(link->v - c_.v) + i] = true;
    }
  }
  Matrix A = rows_of_loops(), free;
  std::vector<double> b = s_.b;
  for (double& x : b) x = -x;
  const int loops = c_.rows;
  for (const auto& [joint, value] : cuts_)
    if (!value->asked.v.empty()) add_rates(*joint, *value, A, b);
  const int rows = static_cast<int>(b.size());
  free = A;
  std::vector<double> rest = b;
  for (int r = 0; r < rows; ++r)
    for (int a = 0; a < n_; ++a)
      if (held[at(a)]) {
        rest[at(r)] -= A[at(r * n_ + a)] * fixed[at(a)];
        free[at(r * n_ + a)] = 0.0;
      }
  std::vector<double> v = shortest(std::move(free), rows, n_, rest);
  for (int a = 0; a < n_; ++a)
    if (held[at(a)]) v[at(a)] = fixed[at(a)];
  double gap = 0.0;
  for (int r = 0; r < rows; ++r) gap = std::max(gap, std::fabs(defect(A, r, v, b)));
  if (gap > kHeldRateTolerance * std::max(1.0, largest(v))) {
    v = nearest_rates(A, b, loops, held, fixed);
    std::copy(v.begin(), v.end(), ws_.v.begin() + c_.v);
    return false;
  }
  std::copy(v.begin(), v.end(), ws_.v.begin() + c_.v);
  return true;
}

void ClusterStart::add_rates(const LoopJoint& j, const StartValue& value, Matrix& A,
                             std::vector<double>& b) const {
  const RelativeMotion x = relative_motion(j, ws_);
  const auto S = axes_of(kind_of(value.joint), j.pitch, x.R);
  Motion<double> V{};
  for (std::size_t i = 0; i < S.size(); ++i) V += value.asked.v[i] * S[i];
  b.insert(b.end(), {V.angular.x, V.angular.y, V.angular.z, V.linear.x, V.linear.y, V.linear.z});
  const Mat3<double> R_A = ws_.motion[at(j.link[0])].R * j.R_LJ[0];
  add_relative(j, R_A, R_A, A, &b);
}

double ClusterStart::defect(const Matrix& A, int row, const std::vector<double>& v,
                            const std::vector<double>& b) const {
  double sum = -b[at(row)];
  for (int a = 0; a < n_; ++a) sum += A[at(row * n_ + a)] * v[at(a)];
  return sum;
}

std::vector<double> ClusterStart::nearest_rates(const Matrix& A, const std::vector<double>& b,
                                                int loops, const std::vector<bool>& held,
                                                const std::vector<double>& fixed) const {
  const Matrix G(A.begin(), A.begin() + loops * n_);
  std::vector<double> v = shortest(G, loops, n_, {b.begin(), b.begin() + loops});
  Remaining w;
  for (int r = loops; r < static_cast<int>(b.size()); ++r) {
    w.go.push_back(-defect(A, r, v, b));
    w.E.insert(w.E.end(), A.begin() + r * n_, A.begin() + (r + 1) * n_);
  }
  for (int a = 0; a < n_; ++a)
    if (held[at(a)]) {
      w.go.push_back(fixed[at(a)] - v[at(a)]);
      w.E.resize(w.E.size() + at(n_), 0.0);
      w.E[w.E.size() - at(n_) + at(a)] = 1.0;
    }
  int rank = 0;
  const Matrix B = basis_of_loops(rank);
  keep_off(B, rank, w.E);
  const auto d = damped(w.E, static_cast<int>(w.go.size()), n_, w.go, kLeastDamping);
  for (int a = 0; a < n_; ++a) v[at(a)] += d[at(a)];
  return v;
}

}  // namespace chicane::multibody
