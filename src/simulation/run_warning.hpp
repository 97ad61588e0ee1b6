// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/diagnostics.hpp"

namespace chicane {

// Something that makes the results of a run doubtful: what, since when, where, and what helps.
struct RunWarning {
  std::string text;                    // cause and remedy, in full
  std::optional<double> time = {};     // [s] since when; nothing: before the run
  std::string signal = {}, part = {};  // what it is about: a signal; a loop, block or group
  Location where = {};                 // in a file, if that is where it comes from
};

// What a guard has measured, whether or not it is worth a warning.
struct RunAccount {
  std::string name;                                     // of its object in the JSON
  std::vector<std::pair<std::string, double>> figures;  // SI
  std::string words;                                    // a line of the summary
};

}  // namespace chicane
