// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <complex>
#include <vector>

#include "integrators/multirate/interpolator.hpp"
#include "integrators/tableaus/rational.hpp"

namespace chicane {

// Dynamic errors of an interpolator that makes N samples out of one, T apart (R. M. Howe, multiple
// frame rates, sec. 3). Of a sine, the fast samples have a component at its own frequency that is
// off by the mean of the errors at alpha = k/N, k = 0 ... N-1.

// (H* - H) / H of that component, with theta = omega T.
std::complex<double> interpolator_error(Interpolator kind, int ratio, double theta);

// Its leading term: an error in phase (odd powers) or in gain (even powers),
//   e = coefficient theta^power
// with a coefficient that is a polynomial in 1/N: sum_j terms[j] / N^j.
struct InterpolatorTerm {
  bool gain = false;
  int power = 1;
  std::vector<Rational> terms;

  [[nodiscard]] Rational coefficient(int ratio) const;
  [[nodiscard]] Rational limit() const { return terms.front(); }  // for N towards infinity
};
InterpolatorTerm interpolator_term(Interpolator kind);

}  // namespace chicane
