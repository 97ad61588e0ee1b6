// SPDX-License-Identifier: Apache-2.0
#include "analysis/stability.hpp"

#include <Eigen/Dense>
#include <cmath>

namespace chicane {

using Complex = std::complex<double>;

std::vector<Complex> characteristic_roots(const Method& method, Complex z) {
  const std::vector<Complex> a = recurrence(method.k, z);
  if (a.size() == 1) return a;
  const auto n = static_cast<Eigen::Index>(a.size());
  Eigen::MatrixXcd companion = Eigen::MatrixXcd::Zero(n, n);
  for (Eigen::Index i = 0; i < n; ++i) companion(0, i) = a[static_cast<std::size_t>(i)];
  for (Eigen::Index i = 1; i < n; ++i) companion(i, i - 1) = 1.0;
  const Eigen::VectorXcd q =
      Eigen::ComplexEigenSolver<Eigen::MatrixXcd>(companion, false).eigenvalues();
  return {q.begin(), q.end()};
}

double growth(const Method& method, Complex z) {
  double most = 0;
  for (const Complex& q : characteristic_roots(method, z)) most = std::max(most, std::abs(q));
  return most;
}

namespace {

// The first y in (0, most] with bad(y), to relative accuracy, by scanning upwards and bisection.
template <class Bad>
double first_bad(Bad&& bad, double step, double most) {
  for (double y = step; y <= most; y += step) {
    if (!bad(y)) continue;
    double lo = y - step, hi = y;
    for (int i = 0; i < 60; ++i) (bad(0.5 * (lo + hi)) ? hi : lo) = 0.5 * (lo + hi);
    return lo;
  }
  return most;
}

constexpr double kAllowedGrowth = 1e-9;  // a step; rounding and optimal polynomials touch 1

// Whether growth is there from the origin on: never a decay on the way to y, and half-way more
// growth than rounding makes. (C y^n falls by less than 1000 there, up to n = 9.)
bool grows_at_once(const Method& method, Complex direction, double y) {
  constexpr double kRounding = 1e-13;
  constexpr int kPoints = 64;
  for (int i = 1; i < kPoints; ++i)
    if (growth(method, y * i / kPoints * direction) < 1.0 - kRounding) return false;
  return growth(method, 0.5 * y * direction) > 1.0 + 1e-3 * kAllowedGrowth;
}

}  // namespace

double growth_limit(const Method& method, Complex direction, double allowed) {
  constexpr double kScan = 1e-3, kMost = 1000.0;
  return first_bad([&](double y) { return growth(method, y * direction) > 1.0 + allowed; }, kScan,
                   kMost);
}

double stability_limit(const Method& method, Complex direction) {
  const double y = growth_limit(method, direction, kAllowedGrowth);
  return grows_at_once(method, direction, y) ? 0.0 : y;
}

Complex mode_direction(double zeta) { return {-zeta, std::sqrt(1.0 - zeta * zeta)}; }

double real_limit(const Method& method) { return stability_limit(method, mode_direction(1.0)); }
double imaginary_limit(const Method& method) {
  return stability_limit(method, mode_direction(0.0));
}
double damping_limit(const Method& method, double zeta) {
  return stability_limit(method, mode_direction(zeta));
}

bool grows(const Method& method, Complex lambda, double h) {
  const double size = std::abs(lambda);
  if (size == 0.0 || lambda.real() > 1e-9 * size) return false;
  return std::log(growth(method, lambda * h)) / h > 1e-3 * size;
}

double stable_step(const Method& method, const std::vector<Complex>& lambda, double most) {
  double least = most;
  for (const Complex& l : lambda) {
    if (std::abs(l) == 0.0) continue;
    const double unit = 1.0 / std::abs(l);
    least = std::min(least, unit * first_bad([&](double y) { return grows(method, l, y * unit); },
                                             0.01, std::min(100.0, least / unit)));
  }
  return least;
}

}  // namespace chicane
