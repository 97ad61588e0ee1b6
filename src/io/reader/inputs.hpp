// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "io/reader/reader.hpp"
#include "language/spec.hpp"

namespace chicane {

// Where the course of an input stands.
struct InputFile {
  Text file;                                            // CSV, times in its first column
  Text column = {};                                     // its name; nothing: that of the input
  Interpolation interpolation = Interpolation::linear;  // or hold
};

// The input becomes a formula of `block`: nobody can set it any more. A fault if there is none.
void drive_by_formula(Spec& spec, const Assignment& drive, BlockSpec& block, Diagnostics& diag);

// The input follows a column of a file, which becomes a table of the Spec: what the Spec says then
// does not depend on the file any more.
void drive_from_file(Spec& spec, const std::string& input, const InputFile& from, Diagnostics& diag,
                     const Loader& load);

// The same for every column of a file but the first; each must be an input.
void drive_all_from_file(Spec& spec, const InputFile& from, Diagnostics& diag,
                         const Loader& load = load_file);

// Warns of inputs whose files begin after the run, or end before it.
void warn_of_missing_times(const Spec& spec, Diagnostics& diag);

}  // namespace chicane
