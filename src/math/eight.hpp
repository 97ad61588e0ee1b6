// SPDX-License-Identifier: Apache-2.0
#pragma once

// Elementary functions of eight numbers at once, in the vector registers of whatever processor
// there is: for formulas that need them by the dozen. No branches and no tables.

namespace chicane {

using Eight = double __attribute__((vector_size(64)));

// Within 1e-15 of the library's, relative; NaN and infinities as there.
//
//   x > tan(3 pi/8):  pi/2 - atan(1/x)      x > tan(pi/8):  pi/4 + atan((x - 1)/(x + 1))
//   else x + x z P(z)/Q(z),  z = x^2, with the rational function of S. Moshier, Methods and
//   Programs for Mathematical Functions (1989)
inline void arctan(Eight& x) {
  constexpr Eight kZero{}, kOne = kZero + 1.0;
  const Eight a = x < 0.0 ? -x : x;
  const auto large = a > 2.414213562373095, middle = a > 0.41421356237309503;
  const Eight up = large ? -kOne : (middle ? a - 1.0 : a);
  const Eight down = large ? a : (middle ? a + 1.0 : kOne);
  const Eight base =
      large ? kZero + 1.5707963267948966 : (middle ? kZero + 0.7853981633974483 : kZero);
  const Eight t = up / down, z = t * t;
  const Eight p = (((z * -8.750608600031904122785e-1 - 1.615753718733365076637e1) * z -
                    7.500855792314704667340e1) *
                       z -
                   1.228866684490136173410e2) *
                      z -
                  6.485021904942025371773e1;
  const Eight q = ((((z + 2.485846490142306297962e1) * z + 1.650270098316988542046e2) * z +
                    4.328810604912902668951e2) *
                       z +
                   4.853903996359136964868e2) *
                      z +
                  1.945506571482613964425e2;
  const Eight y = base + (t + t * z * (p / q));
  x = x < 0.0 ? -y : y;
}

// The sine of angles of a few turns, within 1e-15: Taylor's series about the nearest multiple of
// pi. The first term that is left out is below 1e-17.
inline void sine(Eight& x) {
  constexpr double kPiHigh = 3.1415926218032837, kPiLow = 3.1786509547056392e-08;  // pi in two
  constexpr double kRound = 6755399441055744.0;  // 1.5 2^52: adding it rounds
  const Eight n = (x * 0.3183098861837907 + kRound) - kRound;
  const Eight odd = n - 2.0 * ((n * 0.5 + kRound) - kRound);  // -1, 0 or 1
  const Eight r = (x - n * kPiHigh) - n * kPiLow, z = r * r;
  Eight p = z * (1.0 / 51090942171709440000.0) - 1.0 / 121645100408832000.0;
  p = p * z + 1.0 / 355687428096000.0;
  p = p * z - 1.0 / 1307674368000.0;
  p = p * z + 1.0 / 6227020800.0;
  p = p * z - 1.0 / 39916800.0;
  p = p * z + 1.0 / 362880.0;
  p = p * z - 1.0 / 5040.0;
  p = p * z + 1.0 / 120.0;
  p = p * z - 1.0 / 6.0;
  x = (1.0 - 2.0 * odd * odd) * (r + r * z * p);
}

}  // namespace chicane
