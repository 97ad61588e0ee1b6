// SPDX-License-Identifier: Apache-2.0
#include "analysis/trim.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "analysis/freedoms.hpp"
#include "analysis/modes.hpp"
#include "math/decompositions.hpp"

namespace chicane {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kFound = 1e-10;      // [-] of the scale: a residual that is none
constexpr double kExact = 1e-15;      // [-] no step can improve on it
constexpr double kFloor = 1e-3;       // [-] of a scale, of what the others come to
constexpr double kBeside = 1e-2;      // [-] of the scale: points beside the start
constexpr double kNull = 1e-9;        // [-] singular values below are zero
constexpr double kShortest = 1e-9;    // [-] part of a Newton step
constexpr double kDependent = 1e-11;  // [-] columns that are none of their own
constexpr double kRounding = 1e-14;   // [rad], [m] of what loops are closed to

// A point, the rates of its free changes, and their derivatives by these and by what is freed.
struct Trial {
  OperatingPoint at;
  Freedoms freedoms;
  VectorXd rates;  // of all states
  VectorXd f;
  MatrixXd J;
  [[nodiscard]] bool finite() const { return f.allFinite() && J.allFinite(); }
};

class Trimmer {
 public:
  Trimmer(const std::shared_ptr<const ModelStructure>& structure, const TrimRequest& request)
      : request_(request),
        s_(*structure),
        model_(structure),
        plain_(structure),
        along_(all_states(*structure)),
        states_(static_cast<Eigen::Index>(along_.size())) {
    along_.insert(along_.end(), request.free.begin(), request.free.end());
  }

  Trim find(OperatingPoint start) {
    sort_holds(start);
    Trial now = evaluated(start);
    grow_sizes(now);
    find_freedoms(now);
    VectorXd a = now.finite() ? nearest_drift(now) : VectorXd::Zero(N_.cols());
    Trim out;
    for (; out.iterations < request_.most_iterations && now.finite(); ++out.iterations)
      if (residual(now, a, now) <= kExact || !improve(now, a)) break;
    return finish(std::move(out), now, a);
  }

 private:
  // --- where we are ---

  [[nodiscard]] Trial evaluated(OperatingPoint at) {
    complete(plain_, at);
    const Derivatives d = differentiate(model_, at, along_);
    Trial l{at, freedoms_at(plain_, at, d.rates), {}, {}, {}};
    const auto changes = static_cast<Eigen::Index>(l.freedoms.entries.size());
    if (n_ < 0) n_ = changes;
    l.rates = Eigen::Map<const VectorXd>(d.rates.data(), states_);
    MatrixXd J(states_, static_cast<Eigen::Index>(along_.size()));
    if (states_ > 0) J = to_eigen(d.rates_by);
    const MatrixXd& P = l.freedoms.P;
    l.f = P * l.rates;
    l.J.resize(changes, changes + freed());
    l.J.leftCols(changes) = l.freedoms.of_rates(J.leftCols(states_));
    l.J.rightCols(freed()) = P * J.rightCols(freed());
    if (changes != n_) {  // a position in which loops lose rank
      l.f.setConstant(n_, std::numeric_limits<double>::quiet_NaN());
      return l;
    }
    MatrixXd next(0, states_);
    if (!d.next_by.empty()) next = to_eigen(d.next_by).leftCols(states_);
    note_reads(l, next * l.freedoms.B);
    return l;
  }
  [[nodiscard]] Eigen::Index freed() const {
    return static_cast<Eigen::Index>(along_.size()) - states_;
  }

  // A state that others depend on is held by an equation, any other as it is.
  void sort_holds(OperatingPoint& start) {
    complete(plain_, start);
    const std::vector<double> still(static_cast<std::size_t>(states_), 0.0);
    const Freedoms freedoms = freedoms_at(plain_, start, still);
    for (const auto& [place, value] : request_.hold) {
      const bool alone = std::any_of(freedoms.entries.begin(), freedoms.entries.end(),
                                     [p = place](const Freedoms::Entry& e) {
                                       return e.place() == p && e.direction.along.size() == 1;
                                     });
      if (!alone)
        tied_.emplace_back(place, value);
      else
        held_.push_back(place),
            start.state.groups[kAllTogether].x[static_cast<std::size_t>(place)] = value;
    }
  }

  double& number(OperatingPoint& at, Eigen::Index column) const {
    const Variable& v = along_[static_cast<std::size_t>(states_ + column - n_)];
    const auto i = static_cast<std::size_t>(v.index);
    if (v.kind == Variable::Kind::input) return at.inputs.u[i];
    return at.state.constants[s_.parameters[ParameterIndex{v.index}].slot];
  }

  [[nodiscard]] OperatingPoint moved(const Trial& from, const VectorXd& step) const {
    OperatingPoint at = from.at;
    const VectorXd dx = from.freedoms.B * step.head(n_);
    for (Eigen::Index i = 0; i < states_; ++i)
      at.state.groups[kAllTogether].x[static_cast<std::size_t>(i)] += dx(i);
    for (Eigen::Index j = n_; j < step.size(); ++j) number(at, j) += step(j);
    plain_.prepare(at.state);
    return at;
  }

  // What changes of the states and of what is freed count as large: their largest values on the
  // way and, where those are small, what the others' come to through the balanced Jacobian.
  void grow_sizes(Trial& l) {
    if (!l.finite()) return;
    VectorXd size(n_ + freed());
    for (Eigen::Index j = 0; j < n_; ++j) {
      const Freedoms::Entry& e = l.freedoms.entries[static_cast<std::size_t>(j)];
      const auto place = static_cast<std::size_t>(e.place());
      size(j) =
          e.plain() ? std::fabs(l.at.state.groups[kAllTogether].x[place]) : 1.0;  // [rad] of a turn
      if (e.direction.along.size() > 1 && size(j) < kRounding) size(j) = 0.0;
      for (const auto& [held, value] : tied_)
        if (const double part = std::fabs(l.freedoms.B(held, j)); part > 0)
          size(j) = std::max(size(j), std::fabs(value) / std::max(1.0, part));
    }
    for (Eigen::Index j = n_; j < size.size(); ++j) size(j) = std::fabs(number(l.at, j));
    if (size_.size() > 0) size = size.cwiseMax(size_);
    VectorXd d = balance(l.J.leftCols(n_));
    const double common = n_ > 0 ? size.head(n_).cwiseQuotient(d).maxCoeff() : 0.0;
    if (n_ > 0) d *= common > 0 ? kFloor * common : 1 / d.maxCoeff();
    size.head(n_) = size.head(n_).cwiseMax(d);
    for (Eigen::Index j = n_; j < size.size(); ++j)
      if (size(j) == 0.0) size(j) = 1.0;
    size_ = size;
  }

  // --- what may drift ---

  // Changes that some rate or memory depends on, at any point looked at.
  void note_reads(const Trial& l, const MatrixXd& next) {
    read_.resize(static_cast<std::size_t>(n_));
    for (Eigen::Index j = 0; j < n_; ++j) {
      const auto k = static_cast<std::size_t>(j);
      read_[k] = read_[k] || !l.J.col(j).isZero(0.0) || !next.col(j).isZero(0.0);
    }
  }

  // N: along it no rate changes, at the start nor beside it.
  void find_freedoms(const Trial& start) {
    constexpr int kPoints = 3;
    N_.resize(0, 0);
    if (!start.finite()) return;
    std::vector<Trial> trials{start};
    for (int k = 1; k < kPoints; ++k) trials.push_back(evaluated(beside(start, k)));
    for (Eigen::Index i = 0; i < n_; ++i)
      if (read_[static_cast<std::size_t>(i)]) rows_.push_back(i);
    const auto m = static_cast<Eigen::Index>(rows_.size());
    const VectorXd size = size_(rows_);
    MatrixXd stacked(0, m);
    for (const Trial& l : trials) {
      if (!l.finite() || m == 0) continue;
      MatrixXd J = MatrixXd(l.J(Eigen::all, rows_)) * size.asDiagonal();
      for (Eigen::Index i = 0; i < n_; ++i)
        if (const double norm = J.row(i).norm(); norm > 0) J.row(i) /= norm;
      stacked.conservativeResize(stacked.rows() + n_, m);
      stacked.bottomRows(n_) = J;
    }
    N_.resize(m, 0);
    if (stacked.rows() == 0) return;
    N_ = size.asDiagonal() * null_space(stacked, kNull);
    for (Eigen::Index k = 0; k < N_.cols(); ++k) N_.col(k).normalize();
  }

  // Off in every direction, in another way each time.
  [[nodiscard]] OperatingPoint beside(const Trial& l, int k) const {
    VectorXd step = VectorXd::Zero(size_.size());
    for (Eigen::Index j = 0; j < n_; ++j) {
      const double golden = static_cast<double>((j + 1) * k) * std::numbers::phi;
      step(j) = kBeside * size_(j) * (golden - std::floor(golden) - 0.5);
    }
    return moved(l, step);
  }

  // --- one step ---

  [[nodiscard]] VectorXd scale_of_rates(const Trial& l) const {
    VectorXd scale = l.J.cwiseAbs() * size_;
    for (Eigen::Index i = 0; i < n_; ++i)
      if (scale(i) == 0.0) scale(i) = l.f(i) != 0.0 ? std::fabs(l.f(i)) : 1.0;
    return scale(rows_);
  }

  // Over the scales of `by`; then what tied states miss of what they are held at.
  [[nodiscard]] VectorXd defect(const Trial& l, const VectorXd& a, const Trial& by) const {
    VectorXd d(static_cast<Eigen::Index>(rows_.size() + tied_.size()));
    d.head(static_cast<Eigen::Index>(rows_.size())) =
        (l.f(rows_) - N_ * a).cwiseQuotient(scale_of_rates(by));
    for (std::size_t i = 0; i < tied_.size(); ++i) {
      const auto& [place, value] = tied_[i];
      d(static_cast<Eigen::Index>(rows_.size() + i)) =
          (l.at.state.groups[kAllTogether].x[static_cast<std::size_t>(place)] - value) /
          scale_of(value);
    }
    return d;
  }
  static double scale_of(double held) { return std::max(1.0, std::fabs(held)); }
  [[nodiscard]] double residual(const Trial& l, const VectorXd& a, const Trial& by) const {
    const VectorXd d = defect(l, a, by);
    return d.size() == 0 ? 0.0 : d.cwiseAbs().maxCoeff();
  }

  [[nodiscard]] VectorXd nearest_drift(const Trial& l) const {
    if (N_.cols() == 0) return VectorXd::Zero(0);
    const VectorXd scale = scale_of_rates(l).cwiseInverse();
    return LeastSquares(scale.asDiagonal() * N_).solve(scale.cwiseProduct(l.f(rows_)));
  }

  // What may be changed: judged states that are not held, and what is freed.
  [[nodiscard]] std::vector<Eigen::Index> unknowns(const Trial& l) const {
    std::vector<Eigen::Index> list;
    for (const Eigen::Index i : rows_) {
      const int place = l.freedoms.entries[static_cast<std::size_t>(i)].place();
      if (std::find(held_.begin(), held_.end(), place) == held_.end()) list.push_back(i);
    }
    for (Eigen::Index j = n_; j < n_ + freed(); ++j) list.push_back(j);
    return list;
  }

  // Derivatives of the defect by the unknowns and the drift, each over its size.
  struct System {
    std::vector<Eigen::Index> moves;  // the unknowns, by `along`
    MatrixXd M;
    VectorXd size;  // of the columns
    [[nodiscard]] VectorXd solve(const VectorXd& right) const {
      return LeastSquares(M, kDependent).solve(right);
    }
  };
  [[nodiscard]] System system(const Trial& l) const {
    System s{unknowns(l), {}, {}};
    const auto m = static_cast<Eigen::Index>(s.moves.size()), k = N_.cols();
    const VectorXd rate = scale_of_rates(l).cwiseInverse();
    s.M = MatrixXd::Zero(rate.size() + static_cast<Eigen::Index>(tied_.size()), m + k);
    MatrixXd J(rate.size(), m + k);
    J << MatrixXd(l.J(rows_, s.moves)), -N_;
    s.M.topRows(rate.size()) = rate.asDiagonal() * J;
    for (std::size_t i = 0; i < tied_.size(); ++i)
      for (Eigen::Index j = 0; j < m; ++j)
        if (const Eigen::Index move = s.moves[static_cast<std::size_t>(j)]; move < n_)
          s.M(rate.size() + static_cast<Eigen::Index>(i), j) =
              l.freedoms.B(tied_[i].first, move) / scale_of(tied_[i].second);
    s.size.resize(m + k);
    s.size.head(m) = size_(s.moves);
    for (Eigen::Index i = m; i < m + k; ++i)
      s.size(i) = 1 / s.M.col(i).norm();  // as large as the others
    s.M = s.M * s.size.asDiagonal();
    return s;
  }

  // The Newton step, or the largest part of it, halved and halved again, that comes nearer.
  bool improve(Trial& now, VectorXd& a) {
    const System s = system(now);
    const VectorXd y = s.size.cwiseProduct(s.solve(-defect(now, a, now)));
    VectorXd step = VectorXd::Zero(size_.size());
    for (std::size_t j = 0; j < s.moves.size(); ++j)
      step(s.moves[j]) = y(static_cast<Eigen::Index>(j));

    const double before = defect(now, a, now).norm();
    for (double part = 1; part > kShortest; part /= 2) {
      const VectorXd drift = a + part * y.tail(N_.cols());
      Trial next = evaluated(moved(now, part * step));
      if (!next.finite() || !(defect(next, drift, now).norm() < (1 - 1e-4 * part) * before))
        continue;
      now = std::move(next);
      a = drift;
      grow_sizes(now);
      return true;
    }
    return false;
  }

  // --- the result ---

  Trim finish(Trim out, const Trial& l, const VectorXd& a) const {
    out.at = l.at;
    out.rates.assign(l.rates.begin(), l.rates.end());
    out.drifts.assign(static_cast<std::size_t>(states_), false);
    std::vector<bool> drifts(static_cast<std::size_t>(n_), true);
    for (std::size_t i = 0; i < rows_.size(); ++i)
      drifts[static_cast<std::size_t>(rows_[i])] =
          N_.cols() > 0 && N_.row(static_cast<Eigen::Index>(i)).cwiseAbs().maxCoeff() > kNull;
    for (std::size_t j = 0; j < drifts.size(); ++j)
      for (const auto& [place, factor] : l.freedoms.entries[j].direction.along)
        if (drifts[j]) out.drifts[static_cast<std::size_t>(place)] = true;
    if (!l.finite()) {
      out.residual = std::numeric_limits<double>::infinity();
      for (Eigen::Index i = 0; i < n_ && out.worst < 0; ++i)
        if (!std::isfinite(l.f(i)) || !l.J.row(i).allFinite()) out.worst = place_of(l, i);
      return out;
    }
    out.residual = residual(l, a, l);
    out.found = out.residual <= kFound;
    if (out.found) return out;
    Eigen::Index worst = 0;
    defect(l, a, l).cwiseAbs().maxCoeff(&worst);
    const auto rows = static_cast<Eigen::Index>(rows_.size());
    out.worst = worst < rows ? place_of(l, rows_[static_cast<std::size_t>(worst)])
                             : tied_[static_cast<std::size_t>(worst - rows)].first;
    out.remedies = remedies(l, a);
    return out;
  }

  static int place_of(const Trial& l, Eigen::Index change) {
    return l.freedoms.entries[static_cast<std::size_t>(change)].place();
  }

  // What no step can take away is at right angles to all of them: inputs for which it is not help.
  [[nodiscard]] std::vector<Variable> remedies(const Trial& l, const VectorXd& a) const {
    constexpr double kNotRight = 1e-6;  // [-] cosine
    const System s = system(l);
    const VectorXd r = defect(l, a, l),
                   left = (r - s.M * s.solve(r)).head(static_cast<Eigen::Index>(rows_.size()));
    const std::vector<Variable> inputs = all_inputs(s_);
    const MatrixXd B = l.freedoms.P * to_eigen(differentiate(model_, l.at, inputs).rates_by);
    std::vector<Variable> list;
    for (std::size_t k = 0; k < inputs.size(); ++k) {
      const VectorXd all = B.col(static_cast<Eigen::Index>(k));
      const VectorXd b = all(rows_).cwiseQuotient(scale_of_rates(l));
      const bool freed = std::find(along_.begin(), along_.end(), inputs[k]) != along_.end();
      if (!freed && std::fabs(b.dot(left)) > kNotRight * b.norm() * left.norm())
        list.push_back(inputs[k]);
    }
    return list;
  }

  const TrimRequest& request_;
  const ModelStructure& s_;
  Model<Dual> model_;
  Model<double> plain_;
  std::vector<Variable> along_;               // states, then what is freed
  Eigen::Index states_;                       // how many
  Eigen::Index n_ = -1;                       // free changes of them
  VectorXd size_;                             // of these, then of what is freed
  std::vector<bool> read_;                    // whether something depends on a change
  std::vector<Eigen::Index> rows_;            // those changes: their rates must vanish, or drift
  std::vector<int> held_;                     // states that stay
  std::vector<std::pair<int, double>> tied_;  // states of loops or balls that go to a value
  MatrixXd N_;                                // by rows_
};

}  // namespace

Trim trim(const std::shared_ptr<const ModelStructure>& structure, OperatingPoint start,
          const TrimRequest& request) {
  return Trimmer(structure, request).find(std::move(start));
}

}  // namespace chicane
