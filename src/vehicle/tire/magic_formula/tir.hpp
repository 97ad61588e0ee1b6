// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/diagnostics.hpp"
#include "vehicle/tire/magic_formula/coefficients.hpp"

// Tire property files (.tir) in TeimOrbit form:
//
//   [SECTION]
//   KEY = 1.5       $ a comment; so is what follows a !
//   WORD = 'text'
//   {head}          rows of numbers follow up to the next section; they are not looked at
//
// Numbers are converted to SI by the file's section [UNITS].

namespace chicane::tire {

inline constexpr std::size_t kMostTirBytes = 1'000'000;

enum class TirSide { left, right };

// USE_MODE (MF-Tyre: ISWITCH): thousands, hundreds, tens and ones.
struct TirUseMode {
  int number = 14;
  int contact = 0;   // 0, 1 smooth road, 2 ... 5 cross sections and enveloping of obstacles
  int dynamics = 1;  // 0 steady, 1 relaxation, 2 relaxation that shortens with slip, 3 ... 5 belt
  int forces = 4;    // 0 load alone, 1 F_x, M_y, 2 F_y, M_x, M_z, 3 both, 4 combined, 5 turn slip
};
// Nothing where a digit means nothing.
std::optional<TirUseMode> decode_use_mode(int number);
std::string describe(const TirUseMode& use);

// The belt of a tire whose mode asks for a rigid ring: mass and inertias, frequencies [Hz] and
// damping ratios of its motions against a rim that is held, in the air.
struct TirBelt {
  double BELT_MASS = 0, BELT_IXX = 0, BELT_IYY = 0;
  double FREQ_LONG = 0, FREQ_LAT = 0, FREQ_YAW = 0, FREQ_WINDUP = 0;
  double DAMP_LONG = 0.04, DAMP_LAT = 0.04, DAMP_YAW = 0.04, DAMP_WINDUP = 0.04;
  double DAMP_RESIDUAL = 0.002;  // [s] of the residual springs, over their stiffness
};

struct TirFile {
  struct Given {
    const MagicCoefficient* what;
    double value;  // SI
    int line;
  };
  struct Other {
    std::string key;
    int line;
  };

  MagicCoefficients k;
  TirSide side = TirSide::left;
  bool says_side = false;
  TirUseMode use;
  std::optional<TirBelt> belt;       // where `use` asks for a rigid ring
  std::string format;                // PROPERTY_FILE_FORMAT
  std::vector<std::string> units;    // "LENGTH meter"
  std::vector<Given> given;          // in the order of the file
  std::vector<Other> unknown;        // keys that mean nothing to us
  std::vector<Other> unused;         // keys that do, and are for what is not done
  std::vector<std::string> missing;  // keys of the version that the file does not have; the values
                                     // of k are then the defaults
};

// Nothing and faults where it is not such a file: each with line, key and remedy.
std::optional<TirFile> read_tir(std::string_view text, const std::string& file, Diagnostics& diag);

}  // namespace chicane::tire
