// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "vehicle/terrain/crg_file.hpp"

// The header of a road surface file, up to where its table begins.

namespace chicane::terrain {

struct CrgChannel {
  enum class Kind { section, phi, slope, banking, x, y, u, other };
  Kind kind;
  double position = 0.0;  // of a section: its number, or [m]
  bool by_position = false;
  int line = 0;
};

struct CrgHead {
  CrgHeader header;
  std::optional<CrgOptions> options;
  std::optional<CrgModifiers> modifiers;
  std::string format;
  std::vector<CrgChannel> channels;
  std::string include;  // the file that is named
  int include_line = 0;
  bool has_table = false;
  std::size_t table = 0;  // [byte] where it begins
  int table_line = 0;     // ... its line
};

// Faults go to `diag`.
CrgHead read_crg_head(std::string_view bytes, const std::string& file, Diagnostics& diag);

// The number a text begins with, in the manner of C or of Fortran; `text` is what stands behind.
// Nothing if there is none, or it is not finite.
std::optional<double> leading_number(std::string_view& text);

std::string_view without_blanks(std::string_view s);

}  // namespace chicane::terrain
