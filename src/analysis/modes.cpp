// SPDX-License-Identifier: Apache-2.0
#include "analysis/modes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>
#include <stdexcept>

namespace chicane {
namespace {

using Complex = std::complex<double>;
using Eigen::MatrixXcd;
using Eigen::MatrixXd;

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();

// States by strong component of the graph j -> i of A_ij: those that act on each other.
std::vector<std::vector<Eigen::Index>> strong_components(const MatrixXd& A) {
  const Eigen::Index n = A.rows();
  Eigen::Matrix<bool, Eigen::Dynamic, Eigen::Dynamic> reaches = (A.array() != 0.0).matrix();
  for (Eigen::Index k = 0; k < n; ++k)
    for (Eigen::Index i = 0; i < n; ++i)
      if (reaches(i, k)) reaches.row(i) = (reaches.row(i).array() || reaches.row(k).array());
  std::vector<std::vector<Eigen::Index>> components;
  std::vector<bool> taken(static_cast<std::size_t>(n));
  for (Eigen::Index i = 0; i < n; ++i) {
    if (taken[static_cast<std::size_t>(i)]) continue;
    components.push_back({i});
    for (Eigen::Index j = i + 1; j < n; ++j) {
      if (!reaches(i, j) || !reaches(j, i)) continue;
      components.back().push_back(j);
      taken[static_cast<std::size_t>(j)] = true;
    }
  }
  return components;
}

// The spectral projector of an upper triangular T for the eigenvalues that are chosen. It is
// triangular and commutes with T (Parlett's recurrence); between eigenvalues of the same side,
// where that says nothing, P P = P does.
MatrixXcd projector(const MatrixXcd& T, const std::vector<bool>& chosen) {
  const Eigen::Index n = T.rows();
  const double least = kEpsilon * T.norm();
  MatrixXcd P = MatrixXcd::Zero(n, n);
  for (Eigen::Index i = 0; i < n; ++i) P(i, i) = chosen[static_cast<std::size_t>(i)] ? 1.0 : 0.0;
  for (Eigen::Index d = 1; d < n; ++d) {
    for (Eigen::Index i = 0; i + d < n; ++i) {
      const Eigen::Index j = i + d, inner = d - 1;
      if (P(i, i) == P(j, j)) {
        const Complex sum = (P.row(i).segment(i + 1, inner) * P.col(j).segment(i + 1, inner)).sum();
        P(i, j) = P(i, i) == 1.0 ? -sum : sum;
        continue;
      }
      const Complex sum = (P.row(i).segment(i + 1, inner) * T.col(j).segment(i + 1, inner)).sum() -
                          (T.row(i).segment(i + 1, inner) * P.col(j).segment(i + 1, inner)).sum();
      Complex gap = T(i, i) - T(j, j);
      if (std::abs(gap) < least) gap = least;
      P(i, j) = (T(i, j) * (P(i, i) - P(j, j)) + sum) / gap;
    }
  }
  return P;
}

// P = R L.
struct Factors {
  MatrixXcd R, L;
  [[nodiscard]] double norm() const { return R.norm() * L.norm(); }  // of P, where it has rank one
};

// The projector of one eigenvalue alone: right and left eigenvector of T, by substitution.
Factors eigenvectors(const MatrixXcd& T, Eigen::Index k) {
  const Eigen::Index n = T.rows();
  const double least = kEpsilon * T.norm();
  const auto gap = [&](Eigen::Index i) {
    const Complex d = T(k, k) - T(i, i);
    return std::abs(d) < least ? Complex(least) : d;
  };
  Factors f{MatrixXcd::Zero(n, 1), MatrixXcd::Zero(1, n)};
  f.R(k) = f.L(k) = 1.0;
  for (Eigen::Index i = k - 1; i >= 0; --i)
    f.R(i) = (T.row(i).segment(i + 1, k - i) * f.R.block(i + 1, 0, k - i, 1)).value() / gap(i);
  for (Eigen::Index j = k + 1; j < n; ++j)
    f.L(j) = (f.L.block(0, k, 1, j - k) * T.col(j).segment(k, j - k)).value() / gap(j);
  return f;
}

// Of a real matrix: conjugates are exactly that, the one with positive imaginary part first.
std::vector<Complex> raw_eigenvalues(const MatrixXd& A) {
  const Eigen::EigenSolver<MatrixXd> solver(A, false);
  if (solver.info() != Eigen::Success)
    throw std::runtime_error("the eigenvalues of the linearised model were not found");
  return {solver.eigenvalues().begin(), solver.eigenvalues().end()};
}

}  // namespace

// One strong component, balanced, in Schur form.
class Spectrum::Component {
 public:
  struct Cluster {
    Complex mean;
    std::vector<bool> chosen;  // on the diagonal of T
    std::vector<std::size_t> values;
  };

  Component(const MatrixXd& A, std::vector<Eigen::Index> states)
      : states_(std::move(states)), d_(balance(MatrixXd(A(states_, states_)))) {
    const MatrixXd B = balanced(A);
    const Eigen::ComplexSchur<MatrixXcd> schur(B.cast<Complex>());
    T_ = schur.matrixT();
    U_ = schur.matrixU();
    values_ = raw_eigenvalues(B);
    match();
    find_clusters(B.norm());
  }

  [[nodiscard]] const std::vector<Cluster>& clusters() const { return clusters_; }

  // Of all n states, one after the other.
  [[nodiscard]] std::vector<double> participation(std::size_t cluster, std::size_t n) const {
    const Factors P = factors(clusters_[cluster]);
    std::vector<double> part(n);
    double sum = 0;
    for (Eigen::Index i = 0; i < P.R.rows(); ++i)
      sum += part[static_cast<std::size_t>(states_[static_cast<std::size_t>(i)])] =
          std::abs((P.R.row(i) * P.L.col(i)).value());
    for (double& p : part) p /= sum;
    return part;
  }

  // Of each eigenvalue as if it were simple.
  [[nodiscard]] std::vector<Eigenmotion> motions() const {
    std::vector<Eigenmotion> out;
    for (std::size_t k = 0; k < values_.size(); ++k) {
      const Factors P = simple(k);
      out.push_back({values_[k], d_.cast<Complex>().cwiseProduct(P.R.col(0)),
                     P.L.row(0) * d_.cwiseInverse().cast<Complex>().asDiagonal()});
    }
    return out;
  }

  [[nodiscard]] std::vector<Complex> shifts(std::size_t cluster,
                                            std::span<const MatrixXd> dA) const {
    const Factors P = factors(clusters_[cluster]);
    const auto m = static_cast<double>(clusters_[cluster].values.size());
    std::vector<Complex> out;
    for (const MatrixXd& change : dA)
      out.push_back((P.L * balanced(change).cast<Complex>() * P.R).trace() / m);
    return out;
  }

 private:
  [[nodiscard]] MatrixXd balanced(const MatrixXd& A) const {
    return d_.cwiseInverse().asDiagonal() * MatrixXd(A(states_, states_)) * d_.asDiagonal();
  }

  // The projector of a cluster, in the balanced states.
  [[nodiscard]] Factors factors(const Cluster& cluster) const {
    if (cluster.values.size() > 1) return {U_ * projector(T_, cluster.chosen), U_.adjoint()};
    return simple(cluster.values.front());
  }
  [[nodiscard]] Factors simple(std::size_t value) const {
    const Factors f = eigenvectors(T_, static_cast<Eigen::Index>(place_[value]));
    return {U_ * f.R, f.L * U_.adjoint()};
  }

  // Which place on the diagonal of T is which eigenvalue.
  void match() {
    std::vector<bool> used(values_.size());
    for (const Complex value : values_) {
      std::size_t best = values_.size();
      for (std::size_t i = 0; i < used.size(); ++i)
        if (!used[i] && (best == used.size() || distance(i, value) < distance(best, value)))
          best = i;
      used[best] = true;
      place_.push_back(best);
    }
  }
  [[nodiscard]] double distance(std::size_t i, Complex value) const {
    return std::abs(T_(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(i)) - value);
  }

  // How far rounding of A may move each eigenvalue: by its condition, the size of its projector.
  [[nodiscard]] std::vector<double> uncertainties(double norm) const {
    const double worst = std::pow(kEpsilon, -2.0 / 3.0);  // of a triple eigenvalue
    std::vector<double> out;
    for (const std::size_t place : place_)
      out.push_back(static_cast<double>(values_.size()) * kEpsilon * norm *
                    std::min(worst, eigenvectors(T_, static_cast<Eigen::Index>(place)).norm()));
    return out;
  }

  void find_clusters(double norm) {
    const std::size_t n = values_.size();
    const std::vector<double> delta = uncertainties(norm);
    std::vector<std::size_t> first(n);  // of the cluster
    std::iota(first.begin(), first.end(), 0);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < i; ++j)
        if (first[i] != first[j] && std::abs(values_[i] - values_[j]) <= delta[i] + delta[j])
          std::replace(first.begin(), first.end(), std::max(first[i], first[j]),
                       std::min(first[i], first[j]));
    for (std::size_t f = 0; f < n; ++f) {
      Cluster c{0, std::vector<bool>(n), {}};
      for (std::size_t i = f; i < n; ++i) {
        if (first[i] != f) continue;
        c.values.push_back(i);
        c.chosen[place_[i]] = true;
        c.mean += values_[i];
      }
      if (c.values.empty()) continue;
      c.mean /= static_cast<double>(c.values.size());
      const double rounding = static_cast<double>(n) * kEpsilon * norm;
      c.mean = {without(c.mean.real(), rounding), without(c.mean.imag(), rounding)};
      clusters_.push_back(std::move(c));
    }
  }

  // Zero where it is nothing but rounding.
  static double without(double v, double rounding) { return std::fabs(v) <= rounding ? 0.0 : v; }

  std::vector<Eigen::Index> states_;
  Eigen::VectorXd d_;
  MatrixXcd T_, U_;
  std::vector<Complex> values_;
  std::vector<std::size_t> place_;
  std::vector<Cluster> clusters_;
};

Eigen::VectorXd balance(const MatrixXd& A) {
  constexpr int kSweeps = 20;
  Eigen::VectorXd d = Eigen::VectorXd::Ones(A.rows());
  for (int sweep = 0; sweep < kSweeps; ++sweep) {
    const Eigen::VectorXd before = d;
    for (Eigen::Index i = 0; i < A.rows(); ++i) {
      double row = 0, column = 0;
      for (Eigen::Index j = 0; j < A.rows(); ++j) {
        if (j == i) continue;
        row += std::fabs(A(i, j)) * d(j) / d(i);
        column += std::fabs(A(j, i)) * d(i) / d(j);
      }
      if (row > 0 && column > 0) d(i) *= std::exp2(std::round(0.5 * std::log2(row / column)));
    }
    if (d == before) break;
  }
  return d;
}

double Mode::frequency() const { return std::abs(eigenvalue) / (2 * std::numbers::pi); }
double Mode::damping() const { return (0.0 - eigenvalue.real()) / std::abs(eigenvalue); }

Spectrum::Spectrum(const MatrixXd& A) : Spectrum(A, A) {}
Spectrum::~Spectrum() = default;
Spectrum::Spectrum(Spectrum&&) noexcept = default;

Spectrum::Spectrum(const MatrixXd& A, const MatrixXd& graph) {
  const auto n = static_cast<std::size_t>(A.rows());
  for (auto& states : strong_components(A.cwiseAbs() + graph.cwiseAbs()))
    components_.emplace_back(A, std::move(states));
  for (std::size_t c = 0; c < components_.size(); ++c) {
    for (std::size_t k = 0; k < components_[c].clusters().size(); ++k) {
      const Component::Cluster& cluster = components_[c].clusters()[k];
      if (cluster.mean.imag() < 0) continue;  // the other of two conjugates
      Mode mode{cluster.mean, components_[c].participation(k, n)};
      mode.leading = first_of_the_largest(mode.participation);
      modes_.insert(modes_.end(), cluster.values.size(), mode);
      places_.insert(places_.end(), cluster.values.size(), {c, k});
    }
  }
  std::vector<std::size_t> order(modes_.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return std::abs(modes_[a].eigenvalue) > std::abs(modes_[b].eigenvalue);
  });
  const auto sorted = [&](const auto& list) {
    std::remove_cvref_t<decltype(list)> out;
    for (const std::size_t k : order) out.push_back(list[k]);
    return out;
  };
  modes_ = sorted(modes_);
  places_ = sorted(places_);
}

std::vector<Complex> Spectrum::eigenvalues() const {
  std::vector<Complex> out;
  for (const Mode& m : modes_) {
    out.push_back(m.eigenvalue);
    if (m.swings()) out.push_back(std::conj(m.eigenvalue));
  }
  return out;
}

std::vector<Complex> Spectrum::shifts(std::size_t mode, std::span<const MatrixXd> dA) const {
  return components_[places_[mode].component].shifts(places_[mode].cluster, dA);
}

std::vector<Eigenmotion> Spectrum::motions(const MatrixXd& A) {
  std::vector<Eigen::Index> all(static_cast<std::size_t>(A.rows()));
  std::iota(all.begin(), all.end(), 0);
  return Component(A, std::move(all)).motions();
}

Eigen::VectorXd Eigenmotion::participation() const {
  const Eigen::VectorXd part = v.cwiseProduct(w.transpose()).cwiseAbs();
  return part / part.sum();
}

int first_of_the_largest(const std::vector<double>& part) {
  constexpr double kEqual = 1e-9;  // [-]
  const double least = *std::max_element(part.begin(), part.end()) - kEqual;
  const auto it = std::find_if(part.begin(), part.end(), [&](double p) { return p >= least; });
  return it == part.end() ? 0 : static_cast<int>(it - part.begin());  // none: not one is a number
}

std::vector<Complex> eigenvalues(const MatrixXd& A) { return Spectrum(A).eigenvalues(); }

MatrixXd to_eigen(const std::vector<std::vector<double>>& rows) {
  MatrixXd A(static_cast<Eigen::Index>(rows.size()),
             rows.empty() ? 0 : static_cast<Eigen::Index>(rows.front().size()));
  for (Eigen::Index i = 0; i < A.rows(); ++i)
    for (Eigen::Index j = 0; j < A.cols(); ++j)
      A(i, j) = rows[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)];
  return A;
}

}  // namespace chicane
