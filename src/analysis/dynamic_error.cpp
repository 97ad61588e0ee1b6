// SPDX-License-Identifier: Apache-2.0
#include "analysis/dynamic_error.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>
#include <vector>

#include "analysis/stability.hpp"

namespace chicane {
namespace {

using Complex = std::complex<double>;
using ComplexSeries = Series<Complex>;

// (log q - z) / z as a series in z, q being the principal root: the solution near 1 of
//   q = a_0(z) + a_1(z)/q + ... + a_r(z)/q^r
// All a_m but a_0 begin with z, so that each round of the iteration settles one more term.
ComplexSeries root_error_series(const Method& method) {
  const auto a = recurrence(method.k, ComplexSeries::linear(1.0));
  ComplexSeries q(1.0);
  for (std::size_t round = 0; round <= ComplexSeries::kDegree; ++round) {
    const ComplexSeries back = ComplexSeries(1.0) / q;
    ComplexSeries next;  // by Horner
    for (std::size_t m = a.size(); m-- > 0;) next = next * back + a[m];
    q = next;
  }
  return (log(q) - ComplexSeries::linear(1.0)).over_t();
}

// G* / G of x' = lambda x + u for u = e^{i omega t}, with w = i omega h. In the steady state
// x_n = G* e^{w n}, and each stage is X_i = (alpha_i G* + beta_i h) e^{w n}.
//   e^w G* = alpha G* + beta h,     G = h / (w - z)
// S: a complex number, or a series in the size of the step.
template <class S>
S relative_response(const Coefficients<double>& k, const S& z, const S& w) {
  using std::exp;
  const auto s = static_cast<std::size_t>(k.stages);
  const auto u = [&](double c) { return exp(S(c) * w); };  // the input at t_n + c h
  std::vector<S> alpha(s), beta(s), old;
  for (int m = 1; m <= k.old; ++m) old.push_back(u(-m));
  const auto row = [&](const auto& weights, const auto& history, std::size_t stages) {
    S F{}, input{};
    for (std::size_t j = 0; j < stages; ++j) {
      F = F + S(weights[j]) * alpha[j];
      input = input + S(weights[j]) * (z * beta[j] + u(k.c[j]));
    }
    for (std::size_t m = 0; m < old.size(); ++m) {
      F = F + S(history[m]) * old[m];
      input = input + S(history[m]) * old[m];
    }
    return std::pair{S(1.0) + z * F, input};
  };
  for (std::size_t i = 0; i < s; ++i) std::tie(alpha[i], beta[i]) = row(k.A[i], k.H[i], i);
  const auto [a, b] = row(k.b, k.e, s);
  return b * ((w - z) / (exp(w) - a));
}

// log of the principal root, followed from 1 at the origin in small steps, so that neither the root
// nor the branch of the logarithm can be mistaken.
Complex log_principal_root(const Method& method, Complex z) {
  const int steps = std::max(16, static_cast<int>(std::ceil(std::abs(z) / 0.01)));
  Complex q = 1.0, log_q = 0.0;
  for (int i = 1; i <= steps; ++i) {
    const Complex near = q * std::exp(z / static_cast<double>(steps));
    const auto roots = characteristic_roots(method, z * (static_cast<double>(i) / steps));
    const Complex next =
        *std::min_element(roots.begin(), roots.end(), [&](const Complex& a, const Complex& b) {
          return std::abs(a - near) < std::abs(b - near);
        });
    log_q += std::log(next / q);
    q = next;
  }
  return log_q;
}

}  // namespace

ErrorSeries::ErrorSeries(const ComplexSeries& series, int order)
    : c_(series), order_(static_cast<std::size_t>(order)) {
  constexpr double kRounding = 1e-13;
  for (std::size_t k = 0; k < order_; ++k)
    if (std::abs(c_[k]) < kRounding) c_[k] = 0.0;
}

ErrorSeries::Term ErrorSeries::leading() const {
  constexpr double kNothing = 1e-10;  // what a coefficient with 12 digits may leave
  std::size_t k = order_;
  while (k < ComplexSeries::kDegree && std::abs(c_[k]) < kNothing) ++k;
  return {c_[k], static_cast<int>(k)};
}

Complex ErrorSeries::leading_at(Complex size) const {
  const Term term = leading();
  return term.coefficient * std::pow(size, term.power);
}

Complex ErrorSeries::at(Complex size) const {
  Complex sum = 0.0;
  for (std::size_t k = ComplexSeries::kDegree + 1; k-- > 0;) sum = sum * size + c_[k];
  return sum;
}

bool ErrorSeries::converges_at(Complex size) const {
  constexpr std::size_t kLast = 5;  // terms that must have died out
  constexpr double kRounding = 1e-14;
  double rest = 0;
  for (std::size_t k = ComplexSeries::kDegree - kLast; k < ComplexSeries::kDegree; ++k)
    rest = std::max(rest, std::abs(c_[k]) * std::pow(std::abs(size), k));
  return rest <= kRounding * std::abs(at(size));
}

DynamicError::DynamicError(const Method& method)
    : method_(method), root_(root_error_series(method), method.order) {}

// Where the series has converged it is exact to rounding; the difference log q - z is not.
Complex DynamicError::root(Complex z) const {
  if (z == 0.0) return 0.0;
  if (root_.converges_at(z)) return root_.at(z);
  return (log_principal_root(method_, z) - z) / z;
}

// In the size of the step, |z| or theta whichever is larger.
ErrorSeries DynamicError::response_series(Complex z, double theta) const {
  const double size = std::max(std::abs(z), std::fabs(theta));
  const auto ratio = relative_response(method_.k, ComplexSeries::linear(z / size),
                                       ComplexSeries::linear(Complex(0.0, theta / size)));
  return {ratio - ComplexSeries(1.0), method_.order};
}

Complex DynamicError::response(Complex z, double theta) const {
  const double size = std::max(std::abs(z), std::fabs(theta));
  const ErrorSeries series = response_series(z, theta);
  if (series.converges_at(size)) return series.at(size);
  return relative_response(method_.k, z, Complex(0.0, theta)) - 1.0;
}

Complex DynamicError::asymptotic_response(Complex z, double theta) const {
  return response_series(z, theta).leading_at(std::max(std::abs(z), std::fabs(theta)));
}

ErrorSeries::Term DynamicError::integrator_term() const {
  const ErrorSeries::Term of_theta = response_series(0.0, 1.0).leading();
  return {of_theta.coefficient / std::pow(Complex(0.0, 1.0), of_theta.power), of_theta.power};
}

namespace {

// The mode is the difference of its two roots' first-order systems:
//   1/((s - a)(s - b)) = (1/(s - a) - 1/(s - b)) / (a - b),   s = i theta
template <class Error>
Complex mode_response_error(double zeta, double wh, double theta, Error&& error) {
  const Complex a = wh * mode_direction(zeta), b = std::conj(a), s(0.0, theta);
  return ((s - b) * error(a) - (s - a) * error(b)) / (a - b);
}

}  // namespace

Complex DynamicError::mode_response(double zeta, double wh, double theta) const {
  return mode_response_error(zeta, wh, theta, [&](Complex z) { return response(z, theta); });
}

Complex DynamicError::asymptotic_mode_response(double zeta, double wh, double theta) const {
  return mode_response_error(zeta, wh, theta,
                             [&](Complex z) { return asymptotic_response(z, theta); });
}

namespace {

// Im(lambda (1 + e)) / Im(lambda) - 1, which is linear in e.
double frequency_error(double zeta, Complex e) {
  return e.real() - zeta / std::sqrt(1.0 - zeta * zeta) * e.imag();
}

// |1 + e| - 1 without cancellation.
double gain_error(Complex e) { return (2.0 * e.real() + std::norm(e)) / (std::abs(1.0 + e) + 1.0); }

}  // namespace

// zeta* = -Re(lambda*) / |lambda*|
ModeError mode_error(double zeta, Complex e) {
  const double g = gain_error(e), s = std::sqrt(1.0 - zeta * zeta);
  return {frequency_error(zeta, e), (zeta * (e.real() - g) + s * e.imag()) / (1.0 + g)};
}

ModeError asymptotic_mode_error(double zeta, Complex e) {
  return {frequency_error(zeta, e), std::sqrt(1.0 - zeta * zeta) * e.imag()};
}

GainPhase gain_phase(Complex error) { return {gain_error(error), std::arg(1.0 + error)}; }

}  // namespace chicane
