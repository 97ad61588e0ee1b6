// SPDX-License-Identifier: Apache-2.0
#include "analysis/design/prk.hpp"

#include <fmt/format.h>
#include <nlopt.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <random>
#include <tuple>

#include "analysis/design/conditions.hpp"
#include "analysis/stability.hpp"
#include "core/diagnostics.hpp"

namespace chicane {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

// A coefficient that is free: entry (row, column) of A, or of b where the row is s.
struct Entry {
  std::size_t colour;
  int row, column;
};

// The free coefficients v of a pair whose slow tableau uses some columns only. In a consistent pair
// the first slow column follows from c^s = c^f.
class Unknowns {
 public:
  Unknowns(const PrkTask& task, std::vector<int> columns)
      : s_(task.fast), consistent_(task.consistent), columns_(std::move(columns)) {
    for (int i = 1; i <= s_; ++i) {
      for (const int j : columns_)
        if (j < i && !(consistent_ && j == 0 && i < s_)) entries_.push_back({0, i, j});
      for (int j = 0; j < i; ++j) entries_.push_back({1, i, j});
    }
  }

  [[nodiscard]] int size() const { return static_cast<int>(entries_.size()); }

  [[nodiscard]] PairMatrices pair(const VectorXd& v) const {
    PairMatrices pair(s_);
    for (int k = 0; k < size(); ++k) at(pair, entries_[static_cast<std::size_t>(k)]) = v[k];
    if (consistent_) pair.A[0].col(0) = pair.A[1].rowwise().sum() - pair.A[0].rowwise().sum();
    return pair;
  }

  // From the derivative with respect to the pair of something to that with respect to v.
  [[nodiscard]] VectorXd derivative(PairMatrices d) const {
    if (consistent_) {
      const VectorXd first = d.A[0].col(0);
      d.A[0].colwise() -= first;
      d.A[1].colwise() += first;
    }
    VectorXd dv(size());
    for (int k = 0; k < size(); ++k) dv[k] = at(d, entries_[static_cast<std::size_t>(k)]);
    return dv;
  }

  [[nodiscard]] VectorXd values(const PairMatrices& pair) const {
    PairMatrices p = pair;
    VectorXd v(size());
    for (int k = 0; k < size(); ++k) v[k] = at(p, entries_[static_cast<std::size_t>(k)]);
    return v;
  }

  [[nodiscard]] const std::vector<int>& columns() const { return columns_; }

 private:
  [[nodiscard]] double& at(PairMatrices& pair, const Entry& e) const {
    return e.row == s_ ? pair.b[e.colour][e.column] : pair.A[e.colour](e.row, e.column);
  }

  int s_;
  bool consistent_;
  std::vector<int> columns_;
  std::vector<Entry> entries_;
};

// The problem: conditions r(v) = 0, and among what meets them the least
//   error^2 + 1e-3 |v|^2 + 0.05 sum of (c_i outside of [0, 1])^2
class Problem {
 public:
  Problem(const PrkTask& task, const StabilityPolynomial& polynomial, std::vector<int> columns)
      : unknowns_(task, std::move(columns)), weights_(task.order + 1, task.fast) {
    for (int t = 0; t < static_cast<int>(weights_.trees().size()); ++t) {
      const RootedTree& tree = weights_.trees()[static_cast<std::size_t>(t)];
      const double exact = 1.0 / static_cast<double>(tree.density);
      if (tree.order <= task.order && !(task.consistent && weights_.has_fast_leaf(t)))
        conditions_.push_back({t, exact});
      if (tree.order == task.order + 1) error_.push_back({t, exact});
    }
    for (int k = task.order + 1; k <= task.fast; ++k)
      conditions_.push_back({weights_.tall(k), polynomial.beta[static_cast<std::size_t>(k)]});
  }

  [[nodiscard]] const Unknowns& unknowns() const { return unknowns_; }
  [[nodiscard]] int conditions() const { return static_cast<int>(conditions_.size()); }

  // Relative misses of the conditions, and their derivatives.
  VectorXd misses(const VectorXd& v, MatrixXd* J = nullptr) {
    weights_.evaluate(unknowns_.pair(v));
    VectorXd r(conditions());
    if (J != nullptr) J->resize(conditions(), v.size());
    for (int i = 0; i < conditions(); ++i) {
      const auto& [tree, target] = conditions_[static_cast<std::size_t>(i)];
      r[i] = weights_.weight(tree) / target - 1.0;
      if (J == nullptr) continue;
      PairMatrices d(weights_.stages());
      weights_.add_derivative(tree, 1.0 / target, d);
      J->row(i) = unknowns_.derivative(std::move(d));
    }
    return r;
  }

  double cost(const VectorXd& v, VectorXd* slope = nullptr) {
    constexpr double kSize = 1e-3, kOutside = 0.05;
    const PairMatrices pair = unknowns_.pair(v);
    weights_.evaluate(pair);
    PairMatrices d(weights_.stages());
    double cost = 0;
    for (const auto& [tree, exact] : error_) {
      const double scale = 1.0 / weights_.symmetry(tree);
      const double miss = scale * (weights_.weight(tree) - exact);
      cost += miss * miss;
      if (slope != nullptr) weights_.add_derivative(tree, 2 * miss * scale, d);
    }
    for (std::size_t k = 0; k < 2; ++k) {
      const VectorXd c = pair.A[k].rowwise().sum();
      const VectorXd outside = (c.array() - 1).max(0) + c.array().min(0);
      cost += kOutside * outside.squaredNorm() +
              kSize * (pair.A[k].squaredNorm() + pair.b[k].squaredNorm());
      d.A[k].colwise() += 2 * kOutside * outside;
      d.A[k] += 2 * kSize * pair.A[k];
      d.b[k] += 2 * kSize * pair.b[k];
    }
    if (slope != nullptr) *slope = unknowns_.derivative(std::move(d));
    return cost;
  }

 private:
  Unknowns unknowns_;
  TreeWeights weights_;
  std::vector<Condition> conditions_, error_;
};

// Gauss-Newton with steps of least length, damped while far away.
double meet_conditions(Problem& problem, VectorXd& v, int most_steps) {
  MatrixXd J;
  VectorXd r = problem.misses(v, &J);
  for (int step = 0; step < most_steps; ++step) {
    const VectorXd move = -J.completeOrthogonalDecomposition().solve(r);
    double length = std::min(1.0, 1.0 / std::max(1e-300, move.norm()));
    VectorXd next = problem.misses(v + length * move);
    while (!(next.norm() < r.norm()) && length > 1e-3) {
      length /= 2;
      next = problem.misses(v + length * move);
    }
    if (!(next.norm() < r.norm())) break;
    v += length * move;
    r = problem.misses(v, &J);
  }
  return r.cwiseAbs().maxCoeff();
}

// --- NLopt ---

double nlopt_cost(unsigned n, const double* v, double* slope, void* data) {
  const Eigen::Map<const VectorXd> at(v, n);
  VectorXd d;
  const double cost = static_cast<Problem*>(data)->cost(at, slope == nullptr ? nullptr : &d);
  if (slope != nullptr) Eigen::Map<VectorXd>(slope, n) = d;
  return cost;
}

void nlopt_conditions(unsigned m, double* r, unsigned n, const double* v, double* J, void* data) {
  const Eigen::Map<const VectorXd> at(v, n);
  MatrixXd d;
  Eigen::Map<VectorXd>(r, m) = static_cast<Problem*>(data)->misses(at, J == nullptr ? nullptr : &d);
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  if (J != nullptr) Eigen::Map<RowMajor>(J, m, n) = d;
}

// Sequential quadratic programming (D. Kraft's SLSQP). However it ends, v is the best it had.
void minimise(Problem& problem, VectorXd& v) {
  constexpr int kMostEvaluations = 400;
  const auto n = static_cast<unsigned>(v.size());
  const std::unique_ptr<nlopt_opt_s, decltype(&nlopt_destroy)> opt(nlopt_create(NLOPT_LD_SLSQP, n),
                                                                   nlopt_destroy);
  const std::vector<double> tolerance(static_cast<std::size_t>(problem.conditions()), 1e-4);
  nlopt_set_min_objective(opt.get(), nlopt_cost, &problem);
  nlopt_add_equality_mconstraint(opt.get(), static_cast<unsigned>(problem.conditions()),
                                 nlopt_conditions, &problem, tolerance.data());
  nlopt_set_xtol_rel(opt.get(), 1e-7);
  nlopt_set_ftol_rel(opt.get(), 1e-9);
  nlopt_set_maxeval(opt.get(), kMostEvaluations);
  VectorXd x = v;
  double cost = 0;
  nlopt_optimize(opt.get(), x.data(), &cost);
  if (x.allFinite()) v = x;
}

// --- the search ---

// A fast tableau that has the polynomial already: every stage from the one before,
//   R = 1 + z (1 + a_s z (1 + a_{s-1} z ( ... ))),   b = (0, ..., 0, 1),
// and beside it a slow one with about the same abscissae; all of it shaken.
VectorXd start(const PrkTask& task, const StabilityPolynomial& polynomial, const Unknowns& unknowns,
               double shake, std::mt19937_64& random) {
  const auto uniform = [&] { return static_cast<double>(random() >> 11) * 0x1p-53; };
  const int s = task.fast;
  PairMatrices p(s);
  for (int i = 1; i < s; ++i) {
    const auto k = static_cast<std::size_t>(s - i);
    p.A[1](i, i - 1) = std::min(1.0, polynomial.beta[k + 1] / polynomial.beta[k]);
    for (int j = 0; j < i; ++j) p.A[1](i, j) += shake * (uniform() - 0.25) / i;
    const double c = p.A[1].row(i).sum();
    const auto usable = std::count_if(unknowns.columns().begin(), unknowns.columns().end(),
                                      [i](int j) { return j < i; });
    for (const int j : unknowns.columns())
      if (j < i) p.A[0](i, j) = c * (0.5 + uniform()) / static_cast<double>(usable);
  }
  for (int j = 0; j < s; ++j) p.b[1][j] = shake * uniform() / s;
  p.b[1][s - 1] += 1 - p.b[1].sum();
  for (const int j : unknowns.columns()) p.b[0][j] = (0.5 + uniform()) / task.slow;
  return unknowns.values(p);
}

// All choices of slow columns with the first among them: its derivative is wanted at full steps in
// any case.
std::vector<std::vector<int>> column_choices(int slow, int stages) {
  std::vector<std::vector<int>> all;
  std::vector<bool> taken(static_cast<std::size_t>(stages - 1), false);
  std::fill(taken.begin(), taken.begin() + (slow - 1), true);
  do {
    std::vector<int> columns{0};
    for (int j = 1; j < stages; ++j)
      if (taken[static_cast<std::size_t>(j - 1)]) columns.push_back(j);
    all.push_back(columns);
  } while (std::prev_permutation(taken.begin(), taken.end()));
  return all;
}

struct Found {
  double cost;
  PairMatrices pair;
};

// Meets the conditions, goes to the least cost, and meets them again to rounding.
std::optional<Found> solve(Problem& problem, VectorXd v) {
  constexpr double kNear = 1e-6, kMet = 1e-13;
  if (meet_conditions(problem, v, 200) > kNear) return std::nullopt;
  VectorXd better = v;
  minimise(problem, better);
  if (meet_conditions(problem, better, 50) <= kMet) v = better;
  if (meet_conditions(problem, v, 50) > kMet) return std::nullopt;
  return Found{problem.cost(v), problem.unknowns().pair(v)};
}

class PairSearch {
 public:
  PairSearch(const PrkTask& task, const StabilityPolynomial& polynomial)
      : task_(task), polynomial_(polynomial), choices_(column_choices(task.slow, task.fast)) {}

  [[nodiscard]] int starts() const {
    if (task_.order == 4) return 40;  // most of them fail
    return std::clamp(static_cast<int>(choices_.size()), 12, 30);
  }

  // Conditions and unknowns.
  [[nodiscard]] std::pair<int, int> size() const {
    const Problem problem(task_, polynomial_, choices_.front());
    return {problem.conditions(), problem.unknowns().size()};
  }

  // A pair at equal times is one of the others, too, and easier to find: so it comes first.
  [[nodiscard]] std::optional<Found> from(int i) const {
    const auto k = static_cast<std::size_t>(i), n = choices_.size();
    const auto all = static_cast<std::size_t>(starts());
    const std::vector<int>& columns = choices_[n > all ? k * n / all : k % n];
    std::mt19937_64 random(k);
    const double shake = 0.1 * (1 + i % 4);
    PrkTask equal = task_;
    equal.consistent = true;
    Problem first(equal, polynomial_, columns);
    auto found = solve(first, start(task_, polynomial_, first.unknowns(), shake, random));
    if (task_.consistent) return found;
    Problem problem(task_, polynomial_, columns);
    const Unknowns& unknowns = problem.unknowns();
    return solve(problem, found ? unknowns.values(found->pair)
                                : start(task_, polynomial_, unknowns, shake, random));
  }

 private:
  PrkTask task_;
  const StabilityPolynomial& polynomial_;
  std::vector<std::vector<int>> choices_;
};

Coefficients<double> coefficients(const MatrixXd& A, const VectorXd& b) {
  Coefficients<double> k;
  k.stages = static_cast<int>(b.size());
  for (int i = 0; i < k.stages; ++i) {
    const auto row = static_cast<std::size_t>(i);
    k.b[row] = b[i];
    for (int j = 0; j < i; ++j) {
      k.A[row][static_cast<std::size_t>(j)] = A(i, j);
      k.c[row] += A(i, j);
    }
  }
  return k;
}

std::string name_of(const PrkTask& t) {
  return fmt::format("prk-{}-{}{}-order{}{}{}", t.slow, t.fast, t.consistent ? "c" : "", t.order,
                     t.axis == StabilityAxis::real ? "-real" : "", t.damping > 0 ? "-damped" : "");
}

void check(const PrkTask& t) {
  require(t.order >= 1 && t.order <= kMostDesignOrder, "a pair has order 1 to {}, not {}",
          kMostDesignOrder, t.order);
  require(t.fast >= 1 && t.fast <= kMaxStages, "the fast tableau has 1 to {} stages, not {}",
          kMaxStages, t.fast);
  require(t.slow >= 1 && t.slow <= t.fast,
          "the slow tableau uses 1 to {} of the {} fast stages, not {}", t.fast, t.fast, t.slow);
  require(t.slow >= t.order,
          "an explicit tableau of order {} needs at least {} stages, and the slow one has {}",
          t.order, t.order, t.slow);
}

}  // namespace

PrkDesign design_prk(const PrkTask& task) {
  check(task);
  PrkDesign design;
  design.polynomial = optimal_polynomial({task.fast, task.order, task.axis, task.damping});
  const PairSearch search(task, design.polynomial);
  std::optional<Found> best;
  for (int i = 0; i < search.starts(); ++i)
    if (auto found = search.from(i); found && (!best || found->cost < best->cost))
      best = std::move(found);
  std::tie(design.conditions, design.unknowns) = search.size();
  if (!best)
    throw NoPair(fmt::format(
        "no pair of order {} with {} slow and {} fast stages{} was found: {} conditions and {} "
        "unknowns; allow more stages or a lower order",
        task.order, task.slow, task.fast, task.consistent ? " at equal times" : "",
        design.conditions, design.unknowns));
  design.pair = {.name = name_of(task), .source = "chicane design prk", .order = task.order};
  design.pair.slow = coefficients(best->pair.A[0], best->pair.b[0]);
  design.pair.fast = coefficients(best->pair.A[1], best->pair.b[1]);
  design.residual = std::max(order_residual(design.pair),
                             polynomial_residual(design.pair.fast, design.polynomial));
  design.error_constant = error_constant(design.pair);
  design.imaginary_limit = imaginary_limit(design.pair.fast);
  design.real_limit = real_limit(design.pair.fast);
  return design;
}

double order_residual(const TableauPair& pair) {
  TreeWeights weights(pair.order, pair.fast.stages);
  weights.evaluate(PairMatrices(pair));
  double most = 0;
  for (int t = 0; t < static_cast<int>(weights.trees().size()); ++t)
    if (const RootedTree& tree = weights.trees()[static_cast<std::size_t>(t)];
        tree.order <= pair.order)
      most = std::max(most, std::fabs(weights.weight(t) * static_cast<double>(tree.density) - 1));
  return most;
}

double polynomial_residual(const Coefficients<double>& k, const StabilityPolynomial& polynomial) {
  const std::vector<double> beta = stability_polynomial(k);
  double most = 0;
  for (std::size_t i = 1; i < beta.size(); ++i)
    most = std::max(most, std::fabs(beta[i] / polynomial.beta[i] - 1));
  return most;
}

double error_constant(const TableauPair& pair) {
  TreeWeights weights(pair.order + 1, pair.fast.stages);
  weights.evaluate(PairMatrices(pair));
  double sum = 0;
  for (int t = 0; t < static_cast<int>(weights.trees().size()); ++t) {
    const RootedTree& tree = weights.trees()[static_cast<std::size_t>(t)];
    if (tree.order != pair.order + 1) continue;
    const double miss = weights.weight(t) - 1.0 / static_cast<double>(tree.density);
    sum += std::pow(miss / weights.symmetry(t), 2);
  }
  return std::sqrt(sum);
}

std::vector<double> stability_polynomial(const Coefficients<double>& k) {
  const TableauPair both{.slow = k, .fast = k};
  TreeWeights weights(1, k.stages);
  weights.evaluate(PairMatrices(both));
  std::vector<double> beta{1};
  for (int nodes = 1; nodes <= k.stages; ++nodes)
    beta.push_back(weights.weight(weights.tall(nodes)));
  return beta;
}

double imaginary_limit(const Coefficients<double>& k) { return imaginary_limit(Method{.k = k}); }
double real_limit(const Coefficients<double>& k) { return real_limit(Method{.k = k}); }

bool is_consistent(const TableauPair& pair) {
  constexpr double kRounding = 1e-12;
  for (std::size_t i = 0; i < static_cast<std::size_t>(pair.fast.stages); ++i)
    if (std::fabs(pair.slow.c[i] - pair.fast.c[i]) > kRounding) return false;
  return true;
}

}  // namespace chicane
