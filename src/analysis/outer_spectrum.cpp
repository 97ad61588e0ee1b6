// SPDX-License-Identifier: Apache-2.0
#include "analysis/outer_spectrum.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

namespace chicane {
namespace {

using Complex = std::complex<double>;
using Eigen::VectorXcd;
using Eigen::VectorXd;
using SparseComplex = Eigen::SparseMatrix<Complex>;

constexpr Eigen::Index kKrylov = 150;  // dimensions that Arnoldi's method goes through

// Numbers that look like any and are always the same.
VectorXd some_vector(Eigen::Index n) {
  VectorXd x(n);
  std::uint64_t random = 0x9e3779b97f4a7c15ULL;
  for (double& number : x) {
    random = random * 6364136223846793005ULL + 1442695040888963407ULL;
    number = static_cast<double>(random >> 11) * 0x1.0p-52 - 1.0;
  }
  return x;
}

// Strong components of the graph j -> i of A_ij (Tarjan, 1972), without recursion: the models that
// are large are deep, too.
class StrongComponents {
 public:
  explicit StrongComponents(const SparseMatrix& A)
      : A_(A), number_(A.rows(), kNone), low_(A.rows()), open_(A.rows(), false) {
    for (Eigen::Index i = 0; i < A.rows(); ++i)
      if (at(number_, i) == kNone) visit(i);
  }
  std::vector<std::vector<Eigen::Index>> take() { return std::move(components_); }

 private:
  static constexpr Eigen::Index kNone = -1;
  struct Place {
    Eigen::Index state;
    SparseMatrix::InnerIterator next;
  };
  template <class List>
  static auto at(List& list, Eigen::Index i) -> decltype(list[0]) {
    return list[static_cast<std::size_t>(i)];
  }

  void enter(Eigen::Index i) {
    at(number_, i) = at(low_, i) = count_++;
    at(open_, i) = true;
    stack_.push_back(i);
    way_.push_back({i, SparseMatrix::InnerIterator(A_, i)});
  }

  void visit(Eigen::Index first) {
    enter(first);
    while (!way_.empty()) {
      Place& here = way_.back();
      if (here.next) {
        const Eigen::Index to = here.next.row();
        const bool acts = here.next.value() != 0.0;
        ++here.next;
        if (!acts) continue;
        if (at(number_, to) == kNone)
          enter(to);
        else if (at(open_, to))
          at(low_, here.state) = std::min(at(low_, here.state), at(number_, to));
        continue;
      }
      const Eigen::Index done = here.state;
      way_.pop_back();
      if (!way_.empty())
        at(low_, way_.back().state) = std::min(at(low_, way_.back().state), at(low_, done));
      if (at(low_, done) == at(number_, done)) close(done);
    }
  }

  void close(Eigen::Index first) {
    components_.emplace_back();
    for (Eigen::Index i = kNone; i != first;) {
      i = stack_.back();
      stack_.pop_back();
      at(open_, i) = false;
      components_.back().push_back(i);
    }
    std::sort(components_.back().begin(), components_.back().end());
  }

  const SparseMatrix& A_;
  Eigen::Index count_ = 0;
  std::vector<Eigen::Index> number_, low_, stack_;
  std::vector<bool> open_;
  std::vector<Place> way_;
  std::vector<std::vector<Eigen::Index>> components_;
};

SparseMatrix part(const SparseMatrix& A, const std::vector<Eigen::Index>& states) {
  std::vector<Eigen::Triplet<double>> entries;
  for (std::size_t j = 0; j < states.size(); ++j)
    for (SparseMatrix::InnerIterator a(A, states[j]); a; ++a) {
      const auto i = std::lower_bound(states.begin(), states.end(), a.row());
      if (i != states.end() && *i == a.row())
        entries.emplace_back(static_cast<int>(i - states.begin()), static_cast<int>(j), a.value());
    }
  const auto n = static_cast<Eigen::Index>(states.size());
  SparseMatrix out(n, n);
  out.setFromTriplets(entries.begin(), entries.end());
  return out;
}

// D^-1 A D with rows and columns of like size, as balance() in modes.hpp.
SparseMatrix balanced(const SparseMatrix& A, VectorXd& d) {
  constexpr int kSweeps = 20;
  const SparseMatrix rows = A.transpose();
  d = VectorXd::Ones(A.rows());
  for (int sweep = 0; sweep < kSweeps; ++sweep) {
    const VectorXd before = d;
    for (Eigen::Index i = 0; i < A.rows(); ++i) {
      double row = 0, column = 0;
      for (SparseMatrix::InnerIterator a(rows, i); a; ++a)
        if (a.row() != i) row += std::fabs(a.value()) * d(a.row()) / d(i);
      for (SparseMatrix::InnerIterator a(A, i); a; ++a)
        if (a.row() != i) column += std::fabs(a.value()) * d(i) / d(a.row());
      if (row > 0 && column > 0) d(i) *= std::exp2(std::round(0.5 * std::log2(row / column)));
    }
    if (d == before) break;
  }
  return d.cwiseInverse().asDiagonal() * A * d.asDiagonal();
}

// Values of A on the space of x, A x, A^2 x, ...
std::vector<Complex> arnoldi(const SparseMatrix& A) {
  const Eigen::Index most = std::min(kKrylov, A.rows());
  Eigen::MatrixXd Q(A.rows(), most);
  Eigen::MatrixXd H = Eigen::MatrixXd::Zero(most, most);
  VectorXd x = some_vector(A.rows());
  double size = x.norm();
  Eigen::Index m = 0;
  for (; m < most; ++m) {
    Q.col(m) = x / size;
    x = A * Q.col(m);
    const double before = x.norm();
    for (int again = 0; again < 2; ++again) {  // twice is enough
      const VectorXd along = Q.leftCols(m + 1).transpose() * x;
      x -= Q.leftCols(m + 1) * along;
      H.col(m).head(m + 1) += along;
    }
    size = x.norm();
    if (!(size > 1e-12 * before)) {  // all that x reaches
      ++m;
      break;
    }
    if (m + 1 < most) H(m + 1, m) = size;
  }
  return eigenvalues(H.topLeftCorner(m, m));
}

SparseComplex shifted(const SparseMatrix& A, Complex shift) {
  SparseComplex unit(A.rows(), A.cols());
  unit.setIdentity();
  return SparseComplex(A.cast<Complex>()) - SparseComplex(shift * unit);
}

}  // namespace

SparseMatrix sparse_jacobian(const Model<Dual>& model, const OperatingPoint& at) {
  std::vector<Eigen::Triplet<double>> entries;
  std::size_t n = 0;
  columns_of_rates(
      model, at, [&](std::size_t first, std::size_t count, const std::vector<Dual>& rates) {
        n = rates.size();
        for (std::size_t i = 0; i < n; ++i)
          for (std::size_t j = 0; j < count; ++j)
            if (rates[i].b[j] != 0.0)
              entries.emplace_back(static_cast<int>(i), static_cast<int>(first + j), rates[i].b[j]);
      });
  SparseMatrix A(static_cast<Eigen::Index>(n), static_cast<Eigen::Index>(n));
  A.setFromTriplets(entries.begin(), entries.end());
  return A;
}

OuterSpectrum::OuterSpectrum(SparseMatrix A)
    : A_(std::move(A)), components_(StrongComponents(A_).take()) {
  for (std::size_t c = 0; c < components_.size(); ++c) {
    const SparseMatrix own = part(A_, components_[c]);
    VectorXd d;
    const std::vector<Complex> all = own.rows() == 1        ? std::vector<Complex>{own.coeff(0, 0)}
                                     : own.rows() <= kSmall ? eigenvalues(Eigen::MatrixXd(own))
                                                            : arnoldi(balanced(own, d));
    for (const Complex lambda : all)
      if (lambda.imag() >= 0) values_.push_back({lambda, c});
  }
}

std::optional<Eigenmotion> OuterSpectrum::motion(const Value& near) const {
  constexpr int kMost = 30, kFixed = 3;  // steps; those with the shift as it is
  constexpr double kSettled = 1e-9;      // [-] of the matrix: what is left of A v - lambda v
  const std::vector<Eigen::Index>& states = components_[near.component];
  VectorXd d;
  const SparseMatrix A = balanced(part(A_, states), d);
  const double norm = A.norm() / std::sqrt(static_cast<double>(A.rows()));  // of a row, about
  // Beside the value: on it there would be nothing to divide by.
  Complex shift = near.lambda + 1e-7 * (std::abs(near.lambda) + norm);
  VectorXcd v = some_vector(A.rows()).normalized().cast<Complex>(), w = v;
  Eigen::SparseLU<SparseComplex> lu;
  Complex lambda = near.lambda;
  for (int step = 0; step < kMost; ++step) {
    if (step == 0 || step > kFixed) {
      lu.compute(shifted(A, shift));
      if (lu.info() != Eigen::Success) return std::nullopt;
    }
    v = VectorXcd(lu.solve(v)).normalized();
    w = VectorXcd(lu.adjoint().solve(w)).normalized();
    const VectorXcd Av = A.cast<Complex>() * v;
    const Complex across = w.dot(v);
    lambda = std::abs(across) > 1e-8 ? Complex(w.dot(Av) / across) : v.dot(Av);
    if (!std::isfinite(std::abs(lambda))) return std::nullopt;
    if ((Av - lambda * v).norm() <= kSettled * norm) {
      if (std::fabs(lambda.imag()) <= 1e-9 * std::abs(lambda)) lambda = lambda.real();
      Eigenmotion out{lambda, VectorXcd::Zero(A_.rows()), Eigen::RowVectorXcd::Zero(A_.rows())};
      for (std::size_t i = 0; i < states.size(); ++i) {
        const auto k = static_cast<Eigen::Index>(i);
        out.v(states[i]) = d(k) * v(k);
        out.w(states[i]) = std::conj(w(k)) / d(k) / across;
      }
      return out;
    }
    if (step >= kFixed) shift = lambda + 1e-11 * norm;
  }
  return std::nullopt;
}

}  // namespace chicane
