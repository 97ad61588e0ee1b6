#include "analysis/trim.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
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
  VectorXd f, size;  // size: of the states and of what is freed
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
    Look l{at, Eigen::Map<const VectorXd>(d.rates.data(), n_), {}, to_eigen(d.rates_by)};
    if (n_ == 0) l.J.resize(0, static_cast<Index>(along_.size()));
    note_reads(d);
    l.size = sizes(l);
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

  // What changes of the states and of what is freed count as large: their values and, where those
  // are small, what the others' come to through the balanced Jacobian.
  [[nodiscard]] VectorXd sizes(Look& l) const {
    VectorXd size(static_cast<Index>(along_.size()));
    for (Index j = 0; j < size.size(); ++j)
      size(j) = std::fabs(number(l.at, along_[static_cast<std::size_t>(j)]));
    const VectorXd d = balance(l.J.leftCols(n_).cwiseAbs());
    const double common = n_ > 0 ? size.head(n_).cwiseQuotient(d).maxCoeff() : 0.0;
    size.head(n_) = size.head(n_).cwiseMax(d * (common > 0 ? kFloor * common : 1.0));
    for (Index j = n_; j < size.size(); ++j)
      if (size(j) == 0.0) size(j) = 1.0;
    return size;
  }

  // --- what may drift ---

  void note_reads(const Derivatives& d) {
    if (reads_.rows() == 0) {
      reads_ = MatrixXd::Zero(n_, n_);
      kept_ = VectorXd::Zero(n_);
    }
    for (Index j = 0; j < n_; ++j) {
      const auto column = static_cast<std::size_t>(j);
      for (Index i = 0; i < n_; ++i)
        if (d.rates_by[static_cast<std::size_t>(i)][column] != 0.0) reads_(i, j) = 1;
      for (const std::vector<double>& row : d.next_by)
        if (row[column] != 0.0) kept_(j) = 1;
    }
  }

  // States that something depends on: some memory, or the rate of such a state.
  void find_judged() {
    std::vector<bool> judged(static_cast<std::size_t>(n_), true);
    for (bool again = true; again;) {
      again = false;
      for (Index j = 0; j < n_; ++j) {
        const auto at = static_cast<std::size_t>(j);
        bool read = kept_(j) != 0.0;
        for (Index i = 0; i < n_; ++i)
          read = read || (judged[static_cast<std::size_t>(i)] && reads_(i, j) != 0.0);
        if (!judged[at] || read) continue;
        judged[at] = false;
        again = true;
      }
    }
    rows_.clear();
    for (Index i = 0; i < n_; ++i)
      if (judged[static_cast<std::size_t>(i)]) rows_.push_back(i);
  }

  // N: along it no rate changes, at the start nor beside it.
  void find_freedoms(const Look& start) {
    constexpr int kPoints = 3;
    std::vector<Look> looks{start};
    for (int k = 1; k < kPoints; ++k) looks.push_back(look(beside(start, k)));
    find_judged();
    const auto m = static_cast<Index>(rows_.size());
    const VectorXd size = start.size(rows_);
    MatrixXd stacked(0, m);
    for (const Look& l : looks) {
      if (!l.finite() || m == 0) continue;
      MatrixXd J = MatrixXd(l.J(rows_, rows_)) * size.asDiagonal();
      for (Index i = 0; i < m; ++i)
        if (const double norm = J.row(i).norm(); norm > 0) J.row(i) /= norm;
      stacked.conservativeResize(stacked.rows() + m, m);
      stacked.bottomRows(m) = J;
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
    VectorXd step = VectorXd::Zero(l.size.size());
    for (Index j = 0; j < n_; ++j) {
      const double golden = static_cast<double>((j + 1) * k) * std::numbers::phi;
      step(j) = kBeside * l.size(j) * (golden - std::floor(golden) - 0.5);
    }
    return moved(l.at, step);
  }

  // --- one step ---

  [[nodiscard]] VectorXd scale_of_rates(const Look& l) const {
    VectorXd scale = l.J.cwiseAbs() * l.size;
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

  // The Newton step, or the largest part of it, halved and halved again, that comes nearer.
  bool improve(Look& now, VectorXd& a) {
    const std::vector<Index> moves = unknowns();
    const auto m = static_cast<Index>(moves.size());
    const VectorXd rate = scale_of_rates(now).cwiseInverse(), size = now.size(moves);
    MatrixXd M(static_cast<Index>(rows_.size()), m + N_.cols());
    M << rate.asDiagonal() * MatrixXd(now.J(rows_, moves)) * size.asDiagonal(),
        -(rate.asDiagonal() * N_);
    VectorXd column = VectorXd::Ones(M.cols());  // of the drift: as large as the others
    for (Index k = m; k < M.cols(); ++k) column(k) = 1 / M.col(k).norm();
    Eigen::CompleteOrthogonalDecomposition<MatrixXd> solver;
    solver.setThreshold(kDependent);
    solver.compute(M * column.asDiagonal());
    const VectorXd y = column.cwiseProduct(VectorXd(solver.solve(-defect(now, a, now))));
    VectorXd step = VectorXd::Zero(now.size.size());
    step(moves) = size.cwiseProduct(y.head(m));

    const double before = defect(now, a, now).norm();
    for (double part = 1; part > kShortest; part /= 2) {
      const VectorXd drift = a + part * y.tail(N_.cols());
      Look next = look(moved(now.at, part * step));
      if (!next.finite() || !(defect(next, drift, now).norm() < (1 - 1e-4 * part) * before))
        continue;
      now = std::move(next);
      a = drift;
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
    const std::vector<Variable> inputs = all_inputs(s_);
    const Derivatives d = differentiate(model_, l.at, inputs);
    for (std::size_t k = 0; k < inputs.size(); ++k)
      if (d.rates_by[static_cast<std::size_t>(out.worst)][k] != 0.0 &&
          std::find(along_.begin(), along_.end(), inputs[k]) == along_.end())
        out.remedies.push_back(inputs[k]);
    return out;
  }

  const TrimRequest& request_;
  const Structure& s_;
  Model<Dual> model_;
  Model<double> plain_;
  std::vector<Variable> along_;  // states, then what is freed
  Index n_;                      // states
  MatrixXd reads_;               // not zero where a rate (row) depends on a state
  VectorXd kept_;                // not zero where memory depends on a state
  std::vector<Index> rows_;      // states that something depends on
  MatrixXd N_;                   // by rows_
};

}  // namespace

Trim trim(const std::shared_ptr<const Structure>& structure, OperatingPoint start,
          const TrimRequest& request) {
  return Trimmer(structure, request).find(std::move(start));
}

}  // namespace chicane
