// SPDX-License-Identifier: Apache-2.0
#include "analysis/interpolator_error.hpp"

#include <cmath>

namespace chicane {
namespace {

Rational power(Rational x, int n) {
  Rational p = 1;
  for (int i = 0; i < n; ++i) p = p * x;
  return p;
}

// What the interpolator makes of (t/T)^n / n! at t = alpha T, less what it is.
Rational monomial_error(Interpolator kind, Rational alpha, int n) {
  const WeightsOf<Rational> w = weights(kind, alpha);
  Rational e = w.next + w.back1 * power(-1, n) + w.back2 * power(-2, n) - power(alpha, n);
  if (n == 1) e = e + w.rate;
  for (int i = 2; i <= n; ++i) e = e / i;
  return e;
}

// The mean of the leading error over a frame. e^{i theta t/T} = sum (i theta)^n (t/T)^n / n!, so
// the term of power n has the factor i^n: phase for n = 1, 3 and gain for n = 2, 4.
Rational mean_error(Interpolator kind, int n, int ratio) {
  Rational sum = 0;
  for (int k = 0; k < ratio; ++k) sum = sum + monomial_error(kind, Rational(k, ratio), n);
  return sum * Rational(n % 4 < 2 ? 1 : -1, ratio);
}

// Coefficients of the polynomial through (x_i, y_i), by divided differences.
std::vector<Rational> through(const std::vector<Rational>& x, std::vector<Rational> y) {
  const std::size_t n = x.size();
  for (std::size_t level = 1; level < n; ++level)
    for (std::size_t i = n; i-- > level;) y[i] = (y[i] - y[i - 1]) / (x[i] - x[i - level]);
  std::vector<Rational> p(n);
  for (std::size_t i = n; i-- > 0;) {  // p = p (x - x_i) + y_i
    for (std::size_t j = n; j-- > 1;) p[j] = p[j - 1] - x[i] * p[j];
    p[0] = y[i] - x[i] * p[0];
  }
  return p;
}

}  // namespace

std::complex<double> interpolator_error(Interpolator kind, int ratio, double theta) {
  using namespace std::complex_literals;
  std::complex<double> sum = 0.0;
  for (int k = 0; k < ratio; ++k) {
    const double alpha = static_cast<double>(k) / ratio;
    const Weights w = weights(kind, alpha);
    const auto sample = [&](double n) { return std::exp(1i * theta * (n - alpha)); };
    sum += w.next * sample(1) + w.back1 * sample(-1) + w.back2 * sample(-2) +
           (w.now + w.rate * 1i * theta) * sample(0) - 1.0;
  }
  return sum / static_cast<double>(ratio);
}

Rational InterpolatorTerm::coefficient(int ratio) const {
  Rational sum = 0;
  for (std::size_t j = terms.size(); j-- > 0;) sum = sum / ratio + terms[j];
  return sum;
}

// A mean of a polynomial of degree n in k/N is one of degree n in 1/N: n + 1 ratios tell it.
InterpolatorTerm interpolator_term(Interpolator kind) {
  const int n = info_of(kind).points;
  std::vector<Rational> x, y;
  for (int ratio = 1; ratio <= n + 1; ++ratio) {
    x.emplace_back(1, ratio);
    y.push_back(mean_error(kind, n, ratio));
  }
  return {.gain = n % 2 == 0, .power = n, .terms = through(x, y)};
}

}  // namespace chicane
