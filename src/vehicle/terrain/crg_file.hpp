// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/diagnostics.hpp"

// Road surfaces in OpenCRG form (.crg): a header of blocks, then a table of numbers, as text or
// binary.
//
//   $ROAD_CRG               KEY = 1.5         ! a comment
//   $ROAD_CRG_OPTS, _MODS   KEY = 1.5         how it is to be evaluated, what is to be changed
//   $ROAD_CRG_FILE          path              another such file that has what is not here
//   $KD_DEFINITION          #:LRFI            long or kernel, real or double, formatted or binary
//                           D:long section 1,m
//   $$$$                    the table follows
//
// Source: the ASAM OpenCRG format 1.2, as ASAM's C API reads it. Docs: docs/theory/terrain.md.

namespace chicane::terrain {

inline constexpr std::size_t kMostCrgBytes = 256'000'000;
inline constexpr int kMostCrgFiles = 8;  // that name each other

using CrgValue = std::optional<double>;

// Lengths in m, angles in rad, slope and banking in m/m.
struct CrgHeader {
  CrgValue start_u, start_x, start_y, start_z, start_phi, start_b, start_s;
  CrgValue end_u, end_x, end_y, end_z, end_phi, end_b, end_s;
  CrgValue increment, v_right, v_left, v_increment;
};

struct CrgOptions {
  CrgValue border_mode_u, border_mode_v, border_offset_u, border_offset_v;
  CrgValue smooth_begin, smooth_end, continuation;
};

struct CrgModifiers {
  CrgValue scale_z, scale_slope, scale_banking, scale_length, scale_width, scale_curvature;
  CrgValue nan_mode, nan_offset;
  CrgValue rotation_x, rotation_y, offset_phi, offset_x, offset_y, offset_z;
  CrgValue point_u_fraction, point_u_offset, point_u;
  CrgValue point_v_fraction, point_v_offset, point_v;
  CrgValue point_x, point_y, point_z, point_phi;
};

struct CrgFile {
  CrgHeader header;
  std::optional<CrgOptions> options;      // nothing: no such block
  std::optional<CrgModifiers> modifiers;  // nothing: no such block
  std::string format;                     // "LRFI"
  std::vector<std::string> files;         // what was read, the first one first
  std::vector<double> v;                  // [m] of the long sections, from right to left
  bool v_by_position = false;
  std::size_t rows = 0;                              // cross sections
  std::vector<double> z;                             // [m] row by row; NaN: missing
  std::vector<double> phi, slope, banking, x, y, u;  // one a row, or none: no such channel
};

// Gets the bytes of a file that another one names.
using CrgLoad = std::function<std::optional<std::string>(const std::string& path)>;

// Nothing and faults where it is not such a file: each with file, place and remedy. What is kept is
// at most eight times as large as what was read, whatever the header says.
std::optional<CrgFile> read_crg(std::string_view bytes, const std::string& file, Diagnostics& diag,
                                const CrgLoad& load = {});

}  // namespace chicane::terrain
