// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>

#include "analysis/design/polynomial.hpp"
#include "integrators/tableaus/pairs.hpp"

namespace chicane {

// What is asked of a pair of tableaus: how many derivatives it evaluates, its order for coupled
// systems, the axis along which the fast tableau reaches as far as it can, and whether slow and
// fast stages stand at the same times.
struct PrkTask {
  int slow = 2, fast = 5, order = 2;
  StabilityAxis axis = StabilityAxis::imaginary;
  bool consistent = false;
  double damping = 0;
};

struct PrkDesign {
  TableauPair pair;
  StabilityPolynomial polynomial;
  int conditions = 0, unknowns = 0;
  double residual = 0;                         // largest relative miss of a condition
  double error_constant = 0;                   // norm of the weights of order p + 1
  double imaginary_limit = 0, real_limit = 0;  // of the fast tableau
};

// No pair was found that meets all conditions.
class NoPair : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// The same task gives the same pair on one machine. Throws UsageError where the numbers make no
// sense, NoPair where no start of the search leads to a pair.
PrkDesign design_prk(const PrkTask& task);

// What a pair has, however it came about: the largest relative miss of the conditions of its order,
// and the norm of those of the next one, sqrt(sum ((Phi(t) - 1/gamma(t)) / sigma(t))^2).
double order_residual(const TableauPair& pair);
double error_constant(const TableauPair& pair);
// c^s = c^f at every stage.
bool is_consistent(const TableauPair& pair);

// R(z) = sum beta_k z^k of a tableau alone, how far it is from another one (relative, the worst
// coefficient), and its limits.
std::vector<double> stability_polynomial(const Coefficients<double>& k);
double polynomial_residual(const Coefficients<double>& k, const StabilityPolynomial& polynomial);
double imaginary_limit(const Coefficients<double>& k);
double real_limit(const Coefficients<double>& k);

}  // namespace chicane
