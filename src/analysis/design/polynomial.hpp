// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

namespace chicane {

enum class StabilityAxis { imaginary, real };

// What is asked of a stability polynomial R(z) = 1 + z + ... + z^p/p! + beta_{p+1} z^{p+1} + ... +
// beta_s z^s. With `damping` eps it stays below 1 by eps away from the origin:
//   real axis       |R(-x)|  <= 1 - eps min(1, x)
//   imaginary axis  |R(iy)|^2 <= 1 - (1 - (1 - eps)^2) min(1, 2y/(s-1))^2r,  r = floor(p/2) + 1
// as far as order p lets it: |R(iy)|^2 = 1 + O(y^2r).
struct PolynomialTask {
  int stages = 1, order = 1;
  StabilityAxis axis = StabilityAxis::imaginary;
  double damping = 0;
};

struct StabilityPolynomial {
  std::vector<double> beta;  // beta_0 ... beta_s
  double limit = 0;          // the polynomial is within its bound from the origin to here
};

inline constexpr int kMostDesignOrder = 4;
inline constexpr double kMostDamping = 0.4;

// The polynomial whose limit along the axis is the longest. Throws UsageError where the task
// makes no sense.
StabilityPolynomial optimal_polynomial(const PolynomialTask& task);

}  // namespace chicane
