// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "math/scalar.hpp"

namespace chicane {

// The arc tangent where it is needed by the dozen: within 1e-15 of the library's, without its call
// and its tables. For other scalars than double it is the library's.
//
//   x > tan(3 pi/8):  pi/2 - atan(1/x)      x > tan(pi/8):  pi/4 + atan((x - 1)/(x + 1))
//   else x + x z P(z)/Q(z),  z = x^2, with the rational function of S. Moshier, Methods and
//   Programs for Mathematical Functions (1989)
inline double arctan(double x) {
  constexpr double kHalf = 1.5707963267948966, kQuarter = 0.7853981633974483;
  const double a = std::fabs(x);
  const bool large = a > 2.414213562373095, middle = a > 0.41421356237309503;
  const double up = large ? -1.0 : (middle ? a - 1.0 : a);
  const double down = large ? a : (middle ? a + 1.0 : 1.0);
  const double base = large ? kHalf : (middle ? kQuarter : 0.0);
  const double t = up / down, z = t * t;
  const double p = (((-8.750608600031904122785e-1 * z - 1.615753718733365076637e1) * z -
                     7.500855792314704667340e1) *
                        z -
                    1.228866684490136173410e2) *
                       z -
                   6.485021904942025371773e1;
  const double q = ((((z + 2.485846490142306297962e1) * z + 1.650270098316988542046e2) * z +
                     4.328810604912902668951e2) *
                        z +
                    4.853903996359136964868e2) *
                       z +
                   1.945506571482613964425e2;
  return std::copysign(base + (t + t * z * (p / q)), x);
}
template <Scalar T>
T arctan(const T& x) {
  return atan(x);
}

}  // namespace chicane
