#include "analysis/trim.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "analysis/modes.hpp"

namespace chicane {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr GroupIndex kAll{0};
constexpr double kFound = 1e-10;      // [-] of the scale: a residual that is none
constexpr double kExact = 1e-15;      // [-] no step can improve on it
constexpr double kFloor = 1e-3;       // [-] of a scale, of what the others come to
constexpr double kBeside = 1e-2;      // [-] of the scale: points beside the start
constexpr double kNull = 1e-9;        // [-] singular values below are zero
constexpr double kShortest = 1e-9;    // [-] part of a Newton step
constexpr double kDependent = 1e-11;  // [-] columns that are none of their own

// A point, its rates, and their derivatives by the states and by what is freed.
struct Look {
  OperatingPoint at;
  VectorXd f;
  MatrixXd J;
  [[nodiscard]] bool finite() const { return f.allFinite() && J.allFinite(); }
};

class Trimmer {
 public:
  Trimmer(const std::shared_ptr<const Structure>& structure, const TrimRequest& request)
      : request_(request),
        s_(*structure),
        model_(structure),
        plain_(structure),
        along_(all_states(*structure)),
        n_(static_cast<Index>(along_.size())) {
    along_.insert(along_.end(), request.free.begin(), request.free.end());
  }

  Trim find(OperatingPoint start) {
    for (const auto& [place, value] : request_.hold)
      start.state.groups[kAll].x[static_cast<std::size_t>(place)] = value;
    Look now = look(start);
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

  [[nodiscard]] Look look(const OperatingPoint& at) {
    const Derivatives d = differentiate(model_, at, along_);
    Look l{at, Eigen::Map<const VectorXd>(d.rates.data(), n_), to_eigen(d.rates_by)};
    if (n_ == 0) l.J.resize(0, static_cast<Index>(along_.size()));
    note_reads(d);
    return l;
  }

  double& number(OperatingPoint& at, const Variable& v) const {
    const auto i = static_cast<std::size_t>(v.index);
    if (v.kind == Variable::Kind::state) return at.state.groups[kAll].x[i];
    if (v.kind == Variable::Kind::input) return at.inputs.u[i];
    return at.state.constants[s_.parameters[ParameterIndex{v.index}].slot];
  }

  [[nodiscard]] OperatingPoint moved(OperatingPoint at, const VectorXd& step) const {
    for (std::size_t j = 0; j < along_.size(); ++j)
      number(at, along_[j]) += step(static_cast<Index>(j));
    plain_.prepare(at.state);
    return at;
  }

  // What changes of the states and of what is freed count as large: their largest values on the
  // way and, where those are small, what the others' come to through the balanced Jacobian.
  void grow_sizes(Look& l) {
    if (!l.finite()) return;
    VectorXd size(static_cast<Index>(along_.size()));
    for (Index j = 0; j < size.size(); ++j)
      size(j) = std::fabs(number(l.at, along_[static_cast<std::size_t>(j)]));
    if (size_.size() > 0) size = size.cwiseMax(size_);
    VectorXd d = balance(l.J.leftCols(n_));
    const double common = n_ > 0 ? size.head(n_).cwiseQuotient(d).maxCoeff() : 0.0;
    if (n_ > 0) d *= common > 0 ? kFloor * common : 1 / d.maxCoeff();
    size.head(n_) = size.head(n_).cwiseMax(d);
    for (Index j = n_; j < size.size(); ++j)
      if (size(j) == 0.0) size(j) = 1.0;
    size_ = size;
  }

  // --- what may drift ---

  // States that some rate or memory depends on, at any point looked at.
  void note_reads(const Derivatives& d) {
    read_.resize(static_cast<std::size_t>(n_));
    for (const RealMatrix* by : {&d.rates_by, &d.next_by})
      for (const std::vector<double>& row : *by)
        for (std::size_t j = 0; j < read_.size(); ++j) read_[j] = read_[j] || row[j] != 0.0;
  }

  // N: along it no rate changes, at the start nor beside it.
  void find_freedoms(const Look& start) {
    constexpr int kPoints = 3;
    N_.resize(0, 0);
    if (!start.finite()) return;
    std::vector<Look> looks{start};
    for (int k = 1; k < kPoints; ++k) looks.push_back(look(beside(start, k)));
    for (Index i = 0; i < n_; ++i)
      if (read_[static_cast<std::size_t>(i)]) rows_.push_back(i);
    const auto m = static_cast<Index>(rows_.size());
    const VectorXd size = size_(rows_);
    MatrixXd stacked(0, m);
    for (const Look& l : looks) {
      if (!l.finite() || m == 0) continue;
      MatrixXd J = MatrixXd(l.J(Eigen::all, rows_)) * size.asDiagonal();
      for (Index i = 0; i < n_; ++i)
        if (const double norm = J.row(i).norm(); norm > 0) J.row(i) /= norm;
      stacked.conservativeResize(stacked.rows() + n_, m);
      stacked.bottomRows(n_) = J;
    }
    N_.resize(m, 0);
    if (stacked.rows() == 0) return;
    const Eigen::JacobiSVD<MatrixXd> svd(stacked, Eigen::ComputeThinU | Eigen::ComputeThinV);
    const auto rank = (svd.singularValues().array() > kNull).count();
    N_ = size.asDiagonal() * svd.matrixV().rightCols(m - rank);
    for (Index k = 0; k < N_.cols(); ++k) N_.col(k).normalize();
  }

  // Off in every direction, in another way each time.
  [[nodiscard]] OperatingPoint beside(const Look& l, int k) const {
    VectorXd step = VectorXd::Zero(size_.size());
    for (Index j = 0; j < n_; ++j) {
      const double golden = static_cast<double>((j + 1) * k) * std::numbers::phi;
      step(j) = kBeside * size_(j) * (golden - std::floor(golden) - 0.5);
    }
    return moved(l.at, step);
  }

  // --- one step ---

  [[nodiscard]] VectorXd scale_of_rates(const Look& l) const {
    VectorXd scale = l.J.cwiseAbs() * size_;
    for (Index i = 0; i < n_; ++i)
      if (scale(i) == 0.0) scale(i) = l.f(i) != 0.0 ? std::fabs(l.f(i)) : 1.0;
    return scale(rows_);
  }

  // Over the scales of `by`.
  [[nodiscard]] VectorXd defect(const Look& l, const VectorXd& a, const Look& by) const {
    return (l.f(rows_) - N_ * a).cwiseQuotient(scale_of_rates(by));
  }
  [[nodiscard]] double residual(const Look& l, const VectorXd& a, const Look& by) const {
    return rows_.empty() ? 0.0 : defect(l, a, by).cwiseAbs().maxCoeff();
  }

  [[nodiscard]] VectorXd nearest_drift(const Look& l) const {
    if (N_.cols() == 0) return VectorXd::Zero(0);
    const VectorXd scale = scale_of_rates(l).cwiseInverse();
    return (scale.asDiagonal() * N_)
        .completeOrthogonalDecomposition()
        .solve(VectorXd(scale.cwiseProduct(l.f(rows_))));
  }

  // What may be changed: judged states that are not held, and what is freed.
  [[nodiscard]] std::vector<Index> unknowns() const {
    std::vector<Index> list;
    for (const Index i : rows_)
      if (std::none_of(request_.hold.begin(), request_.hold.end(),
                       [&](const auto& h) { return h.first == i; }))
        list.push_back(i);
    for (Index j = n_; j < static_cast<Index>(along_.size()); ++j) list.push_back(j);
    return list;
  }

  // Derivatives of the defect by the unknowns and the drift, each over its size.
  struct System {
    std::vector<Index> moves;  // the unknowns, by `along`
    MatrixXd M;
    VectorXd size;  // of the columns
    [[nodiscard]] VectorXd solve(const VectorXd& right) const {
      Eigen::CompleteOrthogonalDecomposition<MatrixXd> solver;
      solver.setThreshold(kDependent);
      solver.compute(M);
      return solver.solve(right);
    }
  };
  [[nodiscard]] System system(const Look& l) const {
    System s{unknowns(), {}, {}};
    const auto m = static_cast<Index>(s.moves.size()), k = N_.cols();
    const VectorXd rate = scale_of_rates(l).cwiseInverse();
    MatrixXd J(rate.size(), m + k);
    J << MatrixXd(l.J(rows_, s.moves)), -N_;
    s.M = rate.asDiagonal() * J;
    s.size.resize(m + k);
    s.size.head(m) = size_(s.moves);
    for (Index i = m; i < m + k; ++i) s.size(i) = 1 / s.M.col(i).norm();  // as large as the others
    s.M = s.M * s.size.asDiagonal();
    return s;
  }

  // The Newton step, or the largest part of it, halved and halved again, that comes nearer.
  bool improve(Look& now, VectorXd& a) {
    const System s = system(now);
    const VectorXd y = s.size.cwiseProduct(s.solve(-defect(now, a, now)));
    VectorXd step = VectorXd::Zero(size_.size());
    for (std::size_t j = 0; j < s.moves.size(); ++j) step(s.moves[j]) = y(static_cast<Index>(j));

    const double before = defect(now, a, now).norm();
    for (double part = 1; part > kShortest; part /= 2) {
      const VectorXd drift = a + part * y.tail(N_.cols());
      Look next = look(moved(now.at, part * step));
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

  Trim finish(Trim out, const Look& l, const VectorXd& a) const {
    out.at = l.at;
    out.rates.assign(l.f.begin(), l.f.end());
    out.drifts.assign(static_cast<std::size_t>(n_), true);
    for (std::size_t i = 0; i < rows_.size(); ++i)
      out.drifts[static_cast<std::size_t>(rows_[i])] =
          N_.cols() > 0 && N_.row(static_cast<Index>(i)).cwiseAbs().maxCoeff() > kNull;
    if (!l.finite()) {
      out.residual = std::numeric_limits<double>::infinity();
      for (Index i = 0; i < n_ && out.worst < 0; ++i)
        if (!std::isfinite(l.f(i)) || !l.J.row(i).allFinite()) out.worst = static_cast<int>(i);
      return out;
    }
    out.residual = residual(l, a, l);
    out.found = out.residual <= kFound;
    if (rows_.empty() || out.found) return out;
    Index worst = 0;
    defect(l, a, l).cwiseAbs().maxCoeff(&worst);
    out.worst = static_cast<int>(rows_[static_cast<std::size_t>(worst)]);
    out.remedies = remedies(l, a);
    return out;
  }

  // What no step can take away is at right angles to all of them: inputs for which it is not help.
  [[nodiscard]] std::vector<Variable> remedies(const Look& l, const VectorXd& a) const {
    constexpr double kNotRight = 1e-6;  // [-] cosine
    const System s = system(l);
    const VectorXd r = defect(l, a, l), left = r - s.M * s.solve(r);
    const std::vector<Variable> inputs = all_inputs(s_);
    const MatrixXd B = to_eigen(differentiate(model_, l.at, inputs).rates_by);
    std::vector<Variable> list;
    for (std::size_t k = 0; k < inputs.size(); ++k) {
      const VectorXd all = B.col(static_cast<Index>(k));
      const VectorXd b = all(rows_).cwiseQuotient(scale_of_rates(l));
      const bool freed = std::find(along_.begin(), along_.end(), inputs[k]) != along_.end();
      if (!freed && std::fabs(b.dot(left)) > kNotRight * b.norm() * left.norm())
        list.push_back(inputs[k]);
    }
    return list;
  }

  const TrimRequest& request_;
  const Structure& s_;
  Model<Dual> model_;
  Model<double> plain_;
  std::vector<Variable> along_;  // states, then what is freed
  Index n_;                      // states
  VectorXd size_;                // of `along`
  std::vector<bool> read_;       // whether something depends on a state
  std::vector<Index> rows_;      // those states: their rates must vanish, or drift
  MatrixXd N_;                   // by rows_
};

}  // namespace

Trim trim(const std::shared_ptr<const Structure>& structure, OperatingPoint start,
          const TrimRequest& request) {
  return Trimmer(structure, request).find(std::move(start));
}

}  // namespace chicane
