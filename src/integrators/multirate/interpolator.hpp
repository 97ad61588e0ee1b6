// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string_view>
#include <vector>

namespace chicane {

// How a faster group sees a signal r of a slower one between two of its samples, at t_n + alpha T
// with 0 <= alpha <= 1 (R. M. Howe, multiple frame rates, Table 1; the cubic is ours).
enum class Interpolator { hold, extrap1, extrap2, interp1, interp2, interp2d, interp3 };

struct InterpolatorInfo {
  Interpolator kind;
  std::string_view name, samples;
  int points = 1;  // of the polynomial: the order up to which a scheme keeps that of its methods
  bool ahead = false;  // needs r_{n+1}: slow groups first
  int back = 0;        // old samples: r_{n-1}, r_{n-2}
  bool rate = false;   // needs dr/dt at t_n
};

inline constexpr std::array kInterpolators = {
    InterpolatorInfo{Interpolator::hold, "hold", "r_n", 1, false, 0, false},
    InterpolatorInfo{Interpolator::extrap1, "extrap1", "r_n, r_n-1", 2, false, 1, false},
    InterpolatorInfo{Interpolator::extrap2, "extrap2", "r_n, r_n-1, r_n-2", 3, false, 2, false},
    InterpolatorInfo{Interpolator::interp1, "interp1", "r_n+1, r_n", 2, true, 0, false},
    InterpolatorInfo{Interpolator::interp2, "interp2", "r_n+1, r_n, r_n-1", 3, true, 1, false},
    InterpolatorInfo{Interpolator::interp2d, "interp2d", "r_n+1, r_n, r'_n", 3, true, 0, true},
    InterpolatorInfo{Interpolator::interp3, "interp3", "r_n+1, r_n, r_n-1, r_n-2", 4, true, 2,
                     false},
};
constexpr const InterpolatorInfo& info_of(Interpolator kind) {
  return kInterpolators[static_cast<std::size_t>(kind)];
}
const InterpolatorInfo* find_interpolator(std::string_view name);
std::vector<std::string_view> interpolator_names();

// r(t_n + alpha T) = next r_{n+1} + now r_n + back1 r_{n-1} + back2 r_{n-2} + rate T r'_n
// R: double, or Rational for the theory of their errors.
template <class R>
struct WeightsOf {
  R next{}, now{}, back1{}, back2{}, rate{};
};
using Weights = WeightsOf<double>;

template <class R>
constexpr WeightsOf<R> weights(Interpolator kind, R a) {
  constexpr R sixth = R(1) / R(6);
  switch (kind) {
    case Interpolator::hold:
      return {.now = 1};
    case Interpolator::extrap1:
      return {.now = 1 + a, .back1 = -a};
    case Interpolator::extrap2:
      return {.now = (a + 1) * (a + 2) / 2, .back1 = -a * (a + 2), .back2 = a * (a + 1) / 2};
    case Interpolator::interp1:
      return {.next = a, .now = 1 - a};
    case Interpolator::interp2:
      return {.next = a * (a + 1) / 2, .now = 1 - a * a, .back1 = a * (a - 1) / 2};
    case Interpolator::interp2d:
      return {.next = a * a, .now = 1 - a * a, .rate = a - a * a};
    case Interpolator::interp3:
      return {.next = a * (a + 1) * (a + 2) * sixth,
              .now = (1 - a) * (a + 1) * (a + 2) / 2,
              .back1 = (a - 1) * a * (a + 2) / 2,
              .back2 = (1 - a) * a * (a + 1) * sixth};
  }
  return {};
}

}  // namespace chicane
