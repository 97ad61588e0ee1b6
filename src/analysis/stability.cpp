#include "analysis/stability.hpp"

#include <Eigen/Dense>
#include <cmath>

namespace chicane {

using Complex = std::complex<double>;

std::vector<Complex> recurrence(const Method& method, Complex z) {
  const Coefficients<double>& k = method.k;
  const auto s = static_cast<std::size_t>(k.stages), r = static_cast<std::size_t>(k.old);
  // X_i as a combination of x_n, x_{n-1}, ..., x_{n-r}
  std::vector<std::vector<Complex>> X(s, std::vector<Complex>(r + 1));
  const auto row = [&](const auto& weights, const auto& old, std::size_t stages) {
    std::vector<Complex> a(r + 1);
    a[0] = 1.0;
    for (std::size_t j = 0; j < stages; ++j)
      for (std::size_t m = 0; m <= r; ++m) a[m] += z * weights[j] * X[j][m];
    for (std::size_t m = 0; m < r; ++m) a[m + 1] += z * old[m];
    return a;
  };
  for (std::size_t i = 0; i < s; ++i) X[i] = row(k.A[i], k.H[i], i);
  return row(k.b, k.e, s);
}

double growth(const Method& method, Complex z) {
  const std::vector<Complex> a = recurrence(method, z);
  const auto n = static_cast<Eigen::Index>(a.size());
  if (n == 1) return std::abs(a[0]);
  Eigen::MatrixXcd companion = Eigen::MatrixXcd::Zero(n, n);
  for (Eigen::Index i = 0; i < n; ++i) companion(0, i) = a[static_cast<std::size_t>(i)];
  for (Eigen::Index i = 1; i < n; ++i) companion(i, i - 1) = 1.0;
  return Eigen::ComplexEigenSolver<Eigen::MatrixXcd>(companion, false)
      .eigenvalues()
      .cwiseAbs()
      .maxCoeff();
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

double limit_along(const Method& method, Complex direction) {
  constexpr double kTolerance = 1e-9, kScan = 1e-3;
  constexpr double kMost = 2.1 * kMaxStages * kMaxStages;  // no explicit method reaches further
  constexpr double kAtOnce = 0.1;  // growth that starts this near to 0 starts at 0
  const double y = first_bad(
      [&](double at) { return growth(method, at * direction) > 1.0 + kTolerance; }, kScan, kMost);
  return y < kAtOnce ? 0.0 : y;
}

}  // namespace

double real_limit(const Method& method) { return limit_along(method, {-1.0, 0.0}); }
double imaginary_limit(const Method& method) { return limit_along(method, {0.0, 1.0}); }

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
