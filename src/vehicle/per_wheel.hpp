// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace chicane {

// One value for each wheel of a car: front left, front right, rear left, rear right.
template <class T>
struct PerWheel {
  T fl, fr, rl, rr;

  friend constexpr bool operator==(const PerWheel&, const PerWheel&) = default;
};

}  // namespace chicane
