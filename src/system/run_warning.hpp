#pragma once

#include <optional>
#include <string>

#include "core/diagnostics.hpp"

namespace chicane {

// Something that makes the results of a run doubtful: what, since when, where, and what helps.
struct RunWarning {
  std::string text;                    // cause and remedy, in full
  std::optional<double> time = {};     // [s] since when; nothing: before the run
  std::string signal = {}, part = {};  // what it is about: a signal; a loop, block or group
  Location where = {};                 // in a file, if that is where it comes from
};

}  // namespace chicane
