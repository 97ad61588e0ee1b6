// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Sparse>
#include <complex>
#include <optional>
#include <vector>

#include "analysis/differentiate.hpp"
#include "analysis/modes.hpp"

namespace chicane {

using SparseMatrix = Eigen::SparseMatrix<double>;

// dx'/dx without the zeros.
SparseMatrix sparse_jacobian(const Model<Dual>& model, const OperatingPoint& at);

// The outline of the spectrum of a large matrix, which holds what a step can make grow: a method is
// stable inside a region, and modes leave it where the spectrum ends. In time and memory that go
// with the entries that are not zero.
//
// As in Spectrum, A is taken apart into strong components. Those of a few states have all their
// eigenvalues. Of a large one Arnoldi's method (Golub and Van Loan, Matrix Computations, section
// 10.5) finds values near the ends of the spectrum, to about half a percent of the largest.
class OuterSpectrum {
 public:
  static constexpr Eigen::Index kSmall = 150;  // states of a component that is taken as it is

  explicit OuterSpectrum(SparseMatrix A);

  // With imaginary part >= 0. Near the ends of the spectrum; between them they mean little.
  struct Value {
    std::complex<double> lambda;
    std::size_t component;
  };
  [[nodiscard]] const std::vector<Value>& values() const { return values_; }

  // The eigenvalue next to one of them, exact, with its motion: by inverse iteration, the shift
  // following. Nothing where that does not settle: then the value was none of A.
  [[nodiscard]] std::optional<Eigenmotion> motion(const Value& near) const;

 private:
  SparseMatrix A_;
  std::vector<std::vector<Eigen::Index>> components_;  // their states
  std::vector<Value> values_;
};

}  // namespace chicane
