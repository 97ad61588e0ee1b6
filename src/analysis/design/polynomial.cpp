// SPDX-License-Identifier: Apache-2.0
#include "analysis/design/polynomial.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "core/diagnostics.hpp"
#include "integrators/method.hpp"

namespace chicane {
namespace {

// Extended precision, where the machine has it, makes the last digits of a double right.
using Real = long double;
using Vec = Eigen::Matrix<Real, Eigen::Dynamic, 1>;
using Mat = Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic>;
using PowerSeries = std::vector<Real>;  // coefficients of 1, x, x^2, ...

Real power(Real x, int n) { return std::pow(x, static_cast<Real>(n)); }

Real value(const PowerSeries& a, Real x) {
  Real v = 0;
  for (std::size_t k = a.size(); k-- > 0;) v = v * x + a[k];
  return v;
}

void add_square(PowerSeries& to, const PowerSeries& a, std::size_t shift) {
  if (to.size() < 2 * a.size() + shift) to.resize(2 * a.size() + shift, 0);
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t j = 0; j < a.size(); ++j) to[i + j + shift] += a[i] * a[j];
}

// Real or imaginary part of R along the axis, x = y^2 on the imaginary and x = -z on the real one:
//   x^(half/2) ( taylor(x) + xi^first sum_i c_i T_i(2 xi - 1) ),   xi = x / X
struct Part {
  int half = 0;
  PowerSeries taylor;
  int first = 0, free = 0;
  std::vector<int> power;  // of z, for each power of x
  std::vector<Real> sign;  // that x^l has in z^power
};

// The bound as convex constraints q(xi) <= 0 of the free coefficients c. |R|^2 - bound^2 vanishes
// at the origin like x^r, whatever c; what is left is
//   q = ( |R|^2 - bound^2 ) / xi^r = g + 2 lin.c + sum_parts (phi.c)^2
class Bound {
 public:
  explicit Bound(const PolynomialTask& task) : task_(task) {
    const bool real = task.axis == StabilityAxis::real;
    r_ = real ? 1 : task.order / 2 + 1;
    for (int half = 0; half < (real ? 1 : 2); ++half) {
      Part part{.half = half};
      Real factorial = 1;
      for (int k = 0; k <= task.stages; ++k) {
        if (k > 0) factorial *= static_cast<Real>(k);
        if (!real && k % 2 != half) continue;
        const bool minus = real ? k % 2 == 1 : k % 4 >= 2;
        part.power.push_back(k);
        part.sign.push_back(minus ? -1 : 1);
        if (k > task.order)
          ++part.free;
        else
          part.taylor.push_back(part.sign.back() / factorial);
      }
      part.first = static_cast<int>(part.taylor.size());
      add_square(rest_, part.taylor, static_cast<std::size_t>(half));
      parts_.push_back(part);
    }
    rest_.resize(std::max(rest_.size(), static_cast<std::size_t>(r_) + 1), 0);
    rest_.erase(rest_.begin(), rest_.begin() + r_);  // 1 and zeros
  }

  [[nodiscard]] int free() const {
    int n = 0;
    for (const Part& part : parts_) n += part.free;
    return n;
  }

  // The x from which on the damping is whole: a corner of q.
  [[nodiscard]] Real corner() const {
    return task_.axis == StabilityAxis::real ? 1
                                             : power(static_cast<Real>(task_.stages - 1) / 2, 2);
  }

  // q at some points xi, for one X.
  struct Rows {
    Vec g;
    Mat lin;
    std::vector<Mat> phi;  // one per part
    std::vector<Vec> off;
    [[nodiscard]] Vec q(const Vec& c) const {
      Vec q = g + 2 * lin * c;
      for (std::size_t k = 0; k < phi.size(); ++k) q += (phi[k] * c + off[k]).cwiseAbs2();
      return q;
    }
    [[nodiscard]] Mat slopes(const Vec& c) const {
      Mat dq = lin;
      for (std::size_t k = 0; k < phi.size(); ++k)
        dq += (phi[k] * c + off[k]).asDiagonal() * phi[k];
      return 2 * dq;
    }
    // Where the sum of all q is least.
    [[nodiscard]] Vec least_sum() const {
      Mat H = Mat::Zero(lin.cols(), lin.cols());
      Vec slope = lin.colwise().sum();
      for (std::size_t k = 0; k < phi.size(); ++k) {
        H += phi[k].transpose() * phi[k];
        slope += phi[k].transpose() * off[k];
      }
      return -H.ldlt().solve(slope);
    }
    // Adds q(xi) + (a.c + b)^2 as a further row.
    void append(const Rows& one, const Vec& a, Real b) {
      const Eigen::Index n = g.size();
      const auto grow = [n](auto& m, const auto& row) {
        m.conservativeResize(n + 1, Eigen::NoChange);
        m.row(n) = row;
      };
      if (phi.size() == one.phi.size()) {
        phi.push_back(Mat::Zero(n, a.size()));
        off.push_back(Vec::Zero(n));
      }
      grow(g, one.g);
      grow(lin, one.lin);
      for (std::size_t k = 0; k < one.phi.size(); ++k) {
        grow(phi[k], one.phi[k]);
        grow(off[k], one.off[k]);
      }
      grow(phi.back(), a.transpose());
      grow(off.back(), Vec::Constant(1, b));
    }
  };

  [[nodiscard]] Rows rows(const std::vector<Real>& points, Real X) const {
    const auto n = static_cast<Eigen::Index>(points.size());
    Rows rows{Vec(n), Mat::Zero(n, free()), std::vector<Mat>(parts_.size(), Mat::Zero(n, free())),
              std::vector<Vec>(parts_.size(), Vec::Zero(n))};
    for (Eigen::Index j = 0; j < n; ++j) {
      const Real xi = points[static_cast<std::size_t>(j)];
      // Near the origin what vanishes with xi^r is left out by hand; far from it the Taylor parts
      // are large and have to cancel before they are squared.
      const bool near = X * xi < 1;
      rows.g[j] = damped(xi, X) + (near ? power(X, r_) * value(rest_, X * xi) : -power(xi, -r_));
      Eigen::Index at = 0;
      for (std::size_t k = 0; k < parts_.size(); ++k) {
        const Part& part = parts_[k];
        const Real scale = part.half == 1 ? X : 1, taylor = value(part.taylor, X * xi);
        const Real linear = scale * taylor * power(xi, part.first + part.half - r_);
        const Real square = std::sqrt(scale * power(xi, 2 * part.first + part.half - r_));
        if (!near) rows.off[k][j] = taylor * std::sqrt(scale * power(xi, part.half - r_));
        Real now = 1, before = 2 * xi - 1;  // T_0, T_-1
        for (int i = 0; i < part.free; ++i, ++at) {
          if (near) rows.lin(j, at) = linear * now;
          rows.phi[k](j, at) = square * now;
          before = std::exchange(now, 2 * (2 * xi - 1) * now - before);
        }
      }
    }
    return rows;
  }

  // beta of the free coefficients.
  [[nodiscard]] std::vector<double> beta(const Vec& c, Real X) const {
    std::vector<double> beta(static_cast<std::size_t>(task_.stages) + 1);
    Eigen::Index at = 0;
    for (const Part& part : parts_) {
      PowerSeries all = part.taylor;
      all.resize(part.power.size(), 0);
      PowerSeries now{1}, before{-1, 2};
      for (int i = 0; i < part.free; ++i, ++at) {
        for (std::size_t l = 0; l < now.size() && l + part.first < all.size(); ++l)
          all[l + static_cast<std::size_t>(part.first)] +=
              c[at] * now[l] / power(X, static_cast<int>(l) + part.first);
        PowerSeries next(now.size() + 1, 0);
        for (std::size_t l = 0; l < now.size(); ++l) {
          next[l] -= 2 * now[l];
          next[l + 1] += 4 * now[l];
        }
        for (std::size_t l = 0; l < before.size() && l < next.size(); ++l) next[l] -= before[l];
        before = std::exchange(now, next);
      }
      for (std::size_t l = 0; l < all.size(); ++l)
        beta[static_cast<std::size_t>(part.power[l])] = static_cast<double>(part.sign[l] * all[l]);
    }
    return beta;
  }

 private:
  // (1 - bound^2) / xi^r
  [[nodiscard]] Real damped(Real xi, Real X) const {
    const auto eps = static_cast<Real>(task_.damping);
    if (eps == 0) return 0;
    if (task_.axis == StabilityAxis::real) {
      const Real m = std::min<Real>(1, X * xi), over = std::min<Real>(1 / xi, X);
      return eps * over * (2 - eps * m);
    }
    const Real over = corner() > 0 ? std::min<Real>(1 / xi, X / corner()) : 1 / xi;
    return (1 - (1 - eps) * (1 - eps)) * power(over, r_);
  }

  PolynomialTask task_;
  int r_ = 1;
  std::vector<Part> parts_;
  PowerSeries rest_;  // (sum of the parts' Taylor squares - 1) / x^r
};

// Newton's step towards the least of tau t - sum log(t - q(c)), in v = (c, t), and how much it
// promises.
struct Newton {
  Vec move;
  Real decrement;
};

Newton newton_step(const Bound::Rows& rows, const Vec& v, Real tau) {
  const Eigen::Index d = v.size() - 1;
  const Vec c = v.head(d), w = (v[d] - rows.q(c).array()).inverse();
  const Mat dq = rows.slopes(c);
  Vec slope(d + 1);
  slope.head(d) = dq.transpose() * w;
  slope[d] = tau - w.sum();
  Mat H(d + 1, d + 1);
  const Mat scaled = w.asDiagonal() * dq;
  H.topLeftCorner(d, d) = scaled.transpose() * scaled;
  for (const Mat& phi : rows.phi)
    H.topLeftCorner(d, d) += 2 * phi.transpose() * w.asDiagonal() * phi;
  H.col(d).head(d) = -scaled.transpose() * w;
  H.row(d).head(d) = H.col(d).head(d).transpose();
  H(d, d) = w.squaredNorm();
  const Vec move = -H.ldlt().solve(slope);
  return {move, -slope.dot(move)};
}

// How much the barrier falls from v to v + move; nothing where a q is not below t.
Real descent(const Bound::Rows& rows, const Vec& v, const Vec& move, Real tau) {
  const Eigen::Index d = v.size() - 1;
  const Vec to = v + move;
  const Vec old = v[d] - rows.q(v.head(d)).array(), slack = to[d] - rows.q(to.head(d)).array();
  if (!(slack.minCoeff() > 0)) return -1;
  return (slack.array() / old.array()).log().sum() - tau * move[d];
}

struct Least {
  Real t = 0;
  Vec c;
};

// min over c of the largest q, by Newton's method and a logarithmic barrier. The problem is convex:
// every start leads there.
Least minimax(const Bound::Rows& rows) {
  constexpr Real kGap = 1e-16L, kRelativeGap = 1e-6L, kFaster = 30, kShortest = 1e-6L;
  constexpr int kMostSteps = 100;
  const Eigen::Index d = rows.lin.cols();
  if (d == 0) return {rows.q(Vec(0)).maxCoeff(), Vec(0)};
  const auto n = static_cast<Real>(rows.g.size());
  Vec v(d + 1);
  v.head(d) = rows.least_sum();
  v[d] = rows.q(v.head(d)).maxCoeff() + 1;
  for (Real tau = n / (1 + std::fabs(v[d]));
       n / tau > std::max(kGap, kRelativeGap * std::fabs(v[d])); tau *= kFaster) {
    Real last = HUGE_VALL;
    for (int step = 0; step < kMostSteps; ++step) {
      const auto [move, decrement] = newton_step(rows, v, tau);
      // Near its end Newton's method more than halves it; where it does not, that is rounding.
      const bool end = !(decrement > 1e-9L) || (last < 0.1L && decrement > last / 2);
      last = decrement;
      Real length = 1;
      while (length > kShortest &&
             !(descent(rows, v, length * move, tau) >= (end ? -0.5L : length * decrement / 10)))
        length /= 2;
      if (length <= kShortest) break;
      v += length * move;
      if (end) break;
    }
  }
  return {rows.q(v.head(d)).maxCoeff(), v.head(d)};
}

class PolynomialSearch {
 public:
  explicit PolynomialSearch(const PolynomialTask& task) : task_(task), bound_(task) {
    const int n = 10 * task.stages;  // dense at both ends
    for (int i = 0; i <= n; ++i)
      points_.push_back((1 - std::cos(std::acos(Real(-1)) * static_cast<Real>(i) / n)) / 2);
  }

  // The largest X with t(X) <= 0, by the Illinois form of the secant rule. Shorter ones are
  // feasible, too.
  StabilityPolynomial go() {
    const auto s = static_cast<Real>(task_.stages);
    const bool real = task_.axis == StabilityAxis::real;
    Real hi = 1.01L * (real ? 2 * s * s : s * s);  // no consistent polynomial reaches further
    Real lo = 1e-3L * hi;
    Least best = minimax(lo);
    if (best.t > 0) return {bound_.beta(Vec::Zero(bound_.free()), 1), 0.0};
    Real t_lo = best.t, t_hi = minimax(hi).t;
    int same = 0;  // how often the same end has moved
    for (int i = 0; i < 100 && hi - lo > 1e-16L * hi && best.t < -1e-17L; ++i) {
      Real X = lo + (hi - lo) * t_lo / (t_lo - t_hi);
      if (!(X > lo && X < hi)) X = (lo + hi) / 2;
      Least least = minimax(X);
      const bool feasible = least.t <= 0;
      (feasible ? lo : hi) = X;
      (feasible ? t_lo : t_hi) = least.t;
      same = feasible ? std::max(1, same + 1) : std::min(-1, same - 1);
      if (std::abs(same) > 1) (feasible ? t_hi : t_lo) /= 2;
      if (feasible) best = std::move(least);
    }
    return {bound_.beta(best.c, lo), static_cast<double>(real ? lo : std::sqrt(lo))};
  }

 private:
  struct Peak {
    Real xi, q, curvature;
  };

  // min over c of the largest q on all of [0, 1]: first over the points alone; then peaks between
  // them are held down, too, until none is above the rest.
  [[nodiscard]] Least minimax(Real X) const {
    constexpr int kMostRounds = 20;
    constexpr Real kFar = 0.1L;  // there the sign is plain
    std::vector<Real> points = points_;
    if (const Real corner = bound_.corner() / X; corner < 1) points.push_back(corner);
    Bound::Rows grid = bound_.rows(points, X);
    Least best{HUGE_VALL, {}}, least = chicane::minimax(grid);
    for (int round = 0; round < kMostRounds; ++round) {
      Bound::Rows rows = grid;
      least.t = grid.q(least.c).maxCoeff();
      for (const Peak& peak : peaks(least.c, X)) {
        least.t = std::max(least.t, peak.q);
        append(rows, peak, least.c, X);
        grid.append(bound_.rows({peak.xi}, X), Vec::Zero(least.c.size()), 0);
      }
      if (least.t < best.t) best = least;
      if (std::fabs(best.t) > kFar) break;
      const Vec last = std::exchange(least, chicane::minimax(rows)).c;
      // The next round would move t by the square of this.
      const Real moved = (least.c - last).squaredNorm();
      if (round > 0 && moved <= std::max(1e-25L, 1e-6L * std::fabs(best.t))) break;
    }
    return best;
  }

  // A peak moves with the coefficients, by which it rises above what q does at its place:
  //   max q ~ q + q_xi^2 / (2 |q_xixi|),  with q_xi linearised about c.
  void append(Bound::Rows& rows, const Peak& peak, const Vec& c, Real X) const {
    Vec a = Vec::Zero(c.size());
    for (const auto& [place, weight] : kDifference)
      a += weight / kNear * bound_.rows({peak.xi + place * kNear}, X).slopes(c).row(0).transpose();
    const Real scale = 1 / std::sqrt(2 * peak.curvature);
    const Real q_xi = slope(peak.xi, c, X);
    rows.append(bound_.rows({peak.xi}, X), scale * a, scale * (q_xi - a.dot(c)));
  }

  [[nodiscard]] std::vector<Peak> peaks(const Vec& c, Real X) const {
    std::vector<Peak> found;
    const Vec q = bound_.rows(points_, X).q(c);
    for (Eigen::Index i = 1; i + 1 < q.size(); ++i) {
      if (q[i - 1] > q[i] || q[i + 1] > q[i]) continue;
      Real a = std::max(points_[static_cast<std::size_t>(i - 1)], 3 * kNear);
      Real b = std::min(points_[static_cast<std::size_t>(i + 1)], 1 - 3 * kNear);
      while (b - a > 1e-15L) {
        const Real xi = (a + b) / 2;
        (slope(xi, c, X) > 0 ? a : b) = xi;
      }
      const Real curvature = (slope(a - kNear, c, X) - slope(a + kNear, c, X)) / (2 * kNear);
      if (curvature > 0) found.push_back({a, bound_.rows({a}, X).q(c)[0], curvature});
    }
    return found;
  }

  // q_xi
  [[nodiscard]] Real slope(Real xi, const Vec& c, Real X) const {
    Real sum = 0;
    for (const auto& [place, weight] : kDifference)
      sum += weight / kNear * bound_.rows({xi + place * kNear}, X).q(c)[0];
    return sum;
  }

  // f' ~ sum weight f(x + place h) / h, of fourth order
  static constexpr Real kNear = 2e-5L;
  static constexpr std::array<std::pair<Real, Real>, 4> kDifference{
      {{-2, 1 / 12.0L}, {-1, -2 / 3.0L}, {1, 2 / 3.0L}, {2, -1 / 12.0L}}};
  PolynomialTask task_;
  Bound bound_;
  std::vector<Real> points_;
};

}  // namespace

StabilityPolynomial optimal_polynomial(const PolynomialTask& task) {
  require(task.order >= 1 && task.order <= kMostDesignOrder, "the order is 1 to {}, not {}",
          kMostDesignOrder, task.order);
  require(task.stages >= task.order && task.stages <= kMaxStages,
          "a polynomial of order {} has {} to {} stages, not {}", task.order, task.order,
          kMaxStages, task.stages);
  require(task.damping >= 0 && task.damping <= kMostDamping, "damping is 0 to {}, not {}",
          kMostDamping, task.damping);
  return PolynomialSearch(task).go();
}

}  // namespace chicane
