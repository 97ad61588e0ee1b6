// SPDX-License-Identifier: Apache-2.0
#pragma once

// The orders of multirate schemes: what their tests observe is what a plan must promise.

#include <ostream>
#include <string>
#include <vector>

#include "integrators/multirate/multiframe.hpp"

namespace testkit {

struct MultiframeCase {
  std::string name;
  std::string slow, fast;
  chicane::Interpolator interp;
  chicane::FrameOrder order;
  int expected;
  int frames;
  double w = 3;  // frequency of the fast part of the nonlinear problem
};

inline void PrintTo(const MultiframeCase& c, std::ostream* out) { *out << c.name; }

inline std::vector<MultiframeCase> multiframe_cases() {
  using enum chicane::Interpolator;
  constexpr auto slow = chicane::FrameOrder::slow_first, fast = chicane::FrameOrder::fast_first;
  return {
      {"ab2_hold", "ab2", "ab2", hold, slow, 1, 3200},
      {"ab2_interp1", "ab2", "ab2", interp1, slow, 2, 1600},
      {"ab2_extrap1", "ab2", "ab2", extrap1, slow, 2, 1600},
      {"ab3_interp1", "ab3", "ab3", interp1, slow, 2, 1600},
      {"ab3_interp2", "ab3", "ab3", interp2, slow, 3, 800},
      {"ab3_interp2d", "ab3", "ab3", interp2d, slow, 3, 800},
      {"ab3_extrap2", "ab3", "ab3", extrap2, slow, 3, 800},
      {"ab4_interp2", "ab4", "ab4", interp2, slow, 3, 1600, 1},
      {"ab4_interp3", "ab4", "ab4", interp3, slow, 4, 400},
      {"ab4_rk4_interp3", "ab4", "rk4", interp3, slow, 4, 400},
      {"euler_ab2_interp1", "euler", "ab2", interp1, slow, 1, 3200},
      {"rk2_interp1", "rk2", "rk2", interp1, slow, 2, 1600},
      {"am2_interp1", "am2", "am2", interp1, slow, 2, 1600},
      {"am2p_interp1", "am2p", "am2p", interp1, slow, 2, 1600},
      {"rk4_interp3", "rk4", "rk4", interp3, slow, 2, 1600},
      {"ab2_hold_fast_first", "ab2", "ab2", hold, fast, 1, 3200},
      {"ab2_extrap1_fast_first", "ab2", "ab2", extrap1, fast, 2, 1600},
      {"ab3_extrap2_fast_first", "ab3", "ab3", extrap2, fast, 3, 800},
      {"am2_extrap1_fast_first", "am2", "am2", extrap1, fast, 2, 1600},
  };
}

struct PeceCase {
  std::string name;
  bool parallel;
  chicane::Interpolator interp;
  int inner, outer, expected;
};
inline void PrintTo(const PeceCase& c, std::ostream* out) { *out << c.name; }

inline std::vector<PeceCase> pece_cases() {
  using enum chicane::Interpolator;
  return {{"serial_linear", false, interp1, 1, 1, 2},
          {"serial_quadratic", false, interp2, 1, 1, 3},
          {"serial_cubic", false, interp3, 1, 1, 4},
          {"serial_cubic_iterated", false, interp3, 2, 2, 4},
          {"parallel_linear", true, interp1, 1, 1, 2},
          {"parallel_cubic", true, interp3, 1, 1, 2}};
}

}  // namespace testkit
