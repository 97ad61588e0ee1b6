// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Dense>
#include <complex>
#include <memory>
#include <span>
#include <vector>

namespace chicane {

// A motion of x' = A x on its own: v exp(lambda t). Two conjugate eigenvalues are one mode.
struct Mode {
  std::complex<double> eigenvalue;    // imaginary part >= 0
  std::vector<double> participation;  // [-] of each state: |v_i w_i|, with sum 1
  int leading = 0;                    // the state that takes part most

  [[nodiscard]] bool swings() const { return eigenvalue.imag() != 0.0; }
  [[nodiscard]] double frequency() const;  // [Hz] natural: |lambda| / (2 pi)
  [[nodiscard]] double damping() const;    // [-] -Re lambda / |lambda|; NaN for lambda = 0
};

// How all states move with an eigenvalue, those included that only follow: A v = lambda v,
// w A = lambda w, w v = 1.
struct Eigenmotion {
  std::complex<double> lambda;
  Eigen::VectorXcd v;
  Eigen::RowVectorXcd w;
  [[nodiscard]] Eigen::VectorXd participation() const;  // |v_i w_i|, with sum 1
};

// The spectrum of a matrix, with what each state has to do with it.
//
// A is taken apart first into the strong components of its graph: its eigenvalues are those of
// their diagonal blocks, so that a chain of integrators has eigenvalues that are exactly zero, and
// parts that do not act on each other have modes of their own even where their eigenvalues are
// equal. Eigenvalues of a component that rounding cannot tell apart count as one, by their mean:
// such a cluster has a projector P though its eigenvectors are not unique or not complete. Then
// participation is |P_ii|, which is |v_i w_i| for a simple eigenvalue.
class Spectrum {
 public:
  explicit Spectrum(const Eigen::MatrixXd& A);
  // `graph`: where it is not zero, states belong together as if A were not zero there.
  Spectrum(const Eigen::MatrixXd& A, const Eigen::MatrixXd& graph);
  ~Spectrum();
  Spectrum(Spectrum&&) noexcept;

  [[nodiscard]] const std::vector<Mode>& modes() const { return modes_; }  // fastest first
  [[nodiscard]] std::vector<std::complex<double>> eigenvalues() const;     // the same order
  // How an eigenvalue moves with A: w dA v / (w v), or tr(P dA) / m for the mean of m of them.
  [[nodiscard]] std::vector<std::complex<double>> shifts(std::size_t mode,
                                                         std::span<const Eigen::MatrixXd> dA) const;

  // Of A as a whole, one for each eigenvalue. Those of a multiple one mean nothing; they do not
  // spoil the others.
  static std::vector<Eigenmotion> motions(const Eigen::MatrixXd& A);

 private:
  class Component;
  struct Place {
    std::size_t component, cluster;
  };
  std::vector<Component> components_;
  std::vector<Mode> modes_;
  std::vector<Place> places_;  // of the modes
};

// Alone, largest magnitude first; of conjugates the one with positive imaginary part.
std::vector<std::complex<double>> eigenvalues(const Eigen::MatrixXd& A);

// Powers of two d for which D^-1 A D has rows and columns of like size (Osborne; Parlett and
// Reinsch): sizes of the states that do not depend on their units.
Eigen::VectorXd balance(const Eigen::MatrixXd& A);

// The first of the largest numbers, whatever the rounding: position and speed of an oscillator take
// equal part in its mode.
int first_of_the_largest(const std::vector<double>& part);

Eigen::MatrixXd to_eigen(const std::vector<std::vector<double>>& rows);

}  // namespace chicane
