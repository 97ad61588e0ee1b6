// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vehicle/tire/law.hpp"

// What holds a wheel that is turned on the spot, for laws without a measured moment: friction of a
// patch of length L and width w that turns about its centre,
//   M_max = F_y,max sqrt(L w) / 3
// V. E. Gough's figure (see R. S. Sharp, R. Granger, Proc. IMechE 217 D (2003), on parking). It is
// built up over a turn of some degrees, with the turn slip, whose limit is where all slides, and
// fades as the wheel rolls or slides ahead.
// Docs: docs/theory/tire.md.

namespace chicane::tire::parking {

inline constexpr double kKnee = 0.1;  // [rad] measured moments level out within 5 to 10 degrees

// Turn slip from which a wheel slips on the spot; sigma: way over which it follows.
template <class T>
T turn_limit(const T& sigma) {
  return kKnee / sigma;
}

template <class T>
T moment(const Params<T>& p, const Footprint<T>& at, const Response<T>& r) {
  const T roll = p.R_0 * at.omega, slow = p.R_0 * p.omega_0;
  const T fade = 1.0 / (1.0 + (at.v_x * at.v_x + roll * roll) / (slow * slow));
  return fade * r.grip.limit_y * sqrt(at.load.L * p.w) / 3.0 *
         sat(at.turn_slip / r.turn_limit, -1.0, 1.0);
}

}  // namespace chicane::tire::parking
