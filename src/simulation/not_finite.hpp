#pragma once

#include <string>

namespace chicane {

// What an event's condition comes to where it is neither false, 0, nor true, 1.
inline constexpr double kUnknown = 0.5;

// A value of a run that is infinite or not a number where it should have been a result.
struct NotFinite {
  std::string what;  // "output 'y'"
  double time = 0, value = 0;
};

}  // namespace chicane
