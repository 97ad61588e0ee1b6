// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace chicane {

// A value of a run that is infinite or not a number where it should have been a result.
struct NotFinite {
  std::string what;  // "output 'y'"
  double time = 0, value = 0;
};

}  // namespace chicane
