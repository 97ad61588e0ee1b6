// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <complex>
#include <vector>

#include "integrators/method.hpp"

namespace chicane {

// The linear recurrence a method makes of x' = lambda x, with z = lambda h:
//   x_{n+1} = a_0(z) x_n + a_1(z) x_{n-1} + ... + a_r(z) x_{n-r}
// S: a complex number, or a power series in z.
template <class S>
std::vector<S> recurrence(const Coefficients<double>& k, const S& z) {
  const auto s = static_cast<std::size_t>(k.stages), r = static_cast<std::size_t>(k.old);
  // X_i as a combination of x_n, x_{n-1}, ..., x_{n-r}
  std::vector<std::vector<S>> X(s, std::vector<S>(r + 1));
  const auto row = [&](const auto& weights, const auto& old, std::size_t stages) {
    std::vector<S> a(r + 1);
    for (std::size_t j = 0; j < stages; ++j)
      if (weights[j] != 0.0)
        for (std::size_t m = 0; m <= r; ++m) a[m] = a[m] + S(weights[j]) * X[j][m];
    for (std::size_t m = 0; m < r; ++m) a[m + 1] = a[m + 1] + S(old[m]);
    for (S& each : a) each = z * each;
    a[0] = a[0] + S(1.0);
    return a;
  };
  for (std::size_t i = 0; i < s; ++i) X[i] = row(k.A[i], k.H[i], i);
  return row(k.b, k.e, s);
}

// Its characteristic roots q: q^{r+1} = a_0 q^r + ... + a_r. Growth per step is the largest
// magnitude among them.
std::vector<std::complex<double>> characteristic_roots(const Method& method,
                                                       std::complex<double> z);
double growth(const Method& method, std::complex<double> z);

// The first y at which growth exceeds 1 + allowed at z = y direction; 1000 at most.
double growth_limit(const Method& method, std::complex<double> direction, double allowed);

// How far the method is stable from the origin in a direction of the complex plane: that y for
// growth of 1e-9 a step; 0 where it grows from the origin on.
double stability_limit(const Method& method, std::complex<double> direction);
// Along the negative real axis, along the imaginary axis, and for modes of damping ratio zeta
// (0 to 1).
double real_limit(const Method& method);
double imaginary_limit(const Method& method);
double damping_limit(const Method& method, double zeta);

// lambda / |lambda| of a mode of damping ratio zeta: -zeta + i sqrt(1 - zeta^2)
std::complex<double> mode_direction(double zeta);

// The largest h up to `most` at which no root lambda with Re(lambda) <= 0 grows, searched from
// below.
double stable_step(const Method& method, const std::vector<std::complex<double>>& lambda,
                   double most);

// Whether h turns a mode that does not grow into one that does, at more than a thousandth of
// |lambda|.
bool grows(const Method& method, std::complex<double> lambda, double h);

}  // namespace chicane
