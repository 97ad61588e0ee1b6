// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <complex>

#include "integrators/method.hpp"
#include "math/series.hpp"

namespace chicane {

// Dynamic errors of a method, in the sense of R. M. Howe: what it makes of the characteristic roots
// and of the frequency response of a linear system. z = lambda h, theta = omega h.

// A relative error as a power series in the size of the step, c_0 + c_1 h + ...; coefficients below
// the order of the method are nothing but rounding.
class ErrorSeries {
 public:
  struct Term {
    std::complex<double> coefficient;
    int power = 0;
  };
  ErrorSeries(const Series<std::complex<double>>& series, int order);

  [[nodiscard]] Term leading() const;
  [[nodiscard]] std::complex<double> leading_at(std::complex<double> size) const;
  // Whether the terms have died out at this size, and what they sum up to.
  [[nodiscard]] bool converges_at(std::complex<double> size) const;
  [[nodiscard]] std::complex<double> at(std::complex<double> size) const;

 private:
  Series<std::complex<double>> c_;
  std::size_t order_;
};

class DynamicError {
 public:
  using Complex = std::complex<double>;

  explicit DynamicError(const Method& method);

  // Roots: (lambda* - lambda) / lambda, where lambda* h is the logarithm of the principal root of
  // x' = lambda x. `asymptotic` functions are the leading terms for small steps.
  [[nodiscard]] Complex root(Complex z) const;
  [[nodiscard]] Complex asymptotic_root(Complex z) const { return root_.leading_at(z); }
  [[nodiscard]] ErrorSeries::Term root_term() const { return root_.leading(); }  // C (lambda h)^p

  // Response to u = e^{i omega t}, inputs taken when the stages ask for them: (G* - G) / G,
  // of x' = lambda x + u (the integrator for z = 0) ...
  [[nodiscard]] Complex response(Complex z, double theta) const;
  [[nodiscard]] Complex asymptotic_response(Complex z, double theta) const;
  [[nodiscard]] ErrorSeries::Term integrator_term() const;  // C (i omega h)^p
  // ... and of x'' + 2 zeta w x' + w^2 x = w^2 u, with zeta < 1.
  [[nodiscard]] Complex mode_response(double zeta, double wh, double theta) const;
  [[nodiscard]] Complex asymptotic_mode_response(double zeta, double wh, double theta) const;

 private:
  [[nodiscard]] ErrorSeries response_series(Complex z, double theta) const;

  Method method_;
  ErrorSeries root_;
};

// What a relative error of its root does to a mode of damping ratio zeta < 1: the relative error of
// its frequency omega = w sqrt(1 - zeta^2), and the error of zeta.
struct ModeError {
  double frequency = 0, damping = 0;
};
ModeError mode_error(double zeta, std::complex<double> root);
ModeError asymptotic_mode_error(double zeta, std::complex<double> root);

// Relative error in gain, and error in phase [rad], of a response off by a relative error.
struct GainPhase {
  double gain = 0, phase = 0;
};
GainPhase gain_phase(std::complex<double> error);
inline GainPhase asymptotic_gain_phase(std::complex<double> error) {
  return {error.real(), error.imag()};
}

}  // namespace chicane
