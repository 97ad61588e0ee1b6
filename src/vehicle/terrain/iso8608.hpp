// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "vehicle/terrain/crg_file.hpp"

// A random road with the power spectral density of ISO 8608,
//
//   G_d(n) = G_d(n_0) (n / n_0)^-w,  n_0 = 0.1 cycles/m,  0.011 <= n <= 2.83 cycles/m
//
// as a sum of waves of given amplitude and random phase. Each wave has a lateral wave number too,
// normally distributed with deviation `spread` n, so that tracks a distance d apart are coherent as
//
//   gamma(n, d) = exp(-2 (pi spread n d)^2)
//
// The same seed gives the same road. It repeats after its length.
//
// Source: ISO 8608:2016, annexes B and C. Docs: docs/theory/terrain.md.

namespace chicane::terrain {

struct Iso8608 {
  double roughness = 64e-6;  // [m^3] G_d(n_0)
  double waviness = 2.0;     // [-] w
  double length = 819.2;     // [m] after which it repeats
  double width = 8.0;        // [m] beyond it stays as at its edge
  double spread = 0.45;      // [-] 0: both tracks are the same
  std::uint64_t seed = 1;
};

inline constexpr double kIsoLow = 0.011, kIsoHigh = 2.83;  // [1/m]
inline constexpr double kLongestIsoRoad = 10'000.0;        // [m]

// G_d(n_0) of the classes 'A' to 'H': their geometric means, 16e-6 m^3 times 4 each.
double iso_roughness(char road_class);

// As a grid along a straight line, to be evaluated like any other.
CrgFile make_iso8608(const Iso8608& road);

}  // namespace chicane::terrain
