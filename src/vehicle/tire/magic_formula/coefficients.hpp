// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// The numbers of a Magic Formula tire, by the names that .tir files have for them (MF-Tyre and
// MF-Swift manuals; H. Pacejka, Tire and Vehicle Dynamics, 3rd ed. 2012, appendix 3), in SI.
// Coefficients of the formulas have no unit or go with radians. Docs: docs/theory/magic-formula.md.

namespace chicane::tire {

enum class MagicVersion { v52, v61, v62 };
std::string_view to_string(MagicVersion version);

// With the values that they have where a file is silent: no effect, or for the rest those of
// M. Furlan's MFeval, which evaluates the same files.
struct MagicCoefficients {
  MagicVersion version = MagicVersion::v61;
  // [MODEL]
  double LONGVL = 0, VXLOW = 1;
  // [DIMENSION]
  double UNLOADED_RADIUS = 0, WIDTH = 0, RIM_RADIUS = 0, ASPECT_RATIO = 0.6;
  // [OPERATING_CONDITIONS]
  double INFLPRES = 220000, NOMPRES = 220000;
  // [VERTICAL]
  double FNOMIN = 0, VERTICAL_STIFFNESS = 0, VERTICAL_DAMPING = 0, BREFF = 8.4, DREFF = 0.27,
         FREFF = 0.07, Q_RE0 = 1, Q_V1 = 0, Q_V2 = 0, Q_FZ2 = 0.0001, Q_FCX = 0, Q_FCY = 0,
         PFZ1 = 0, Q_FCY2 = 0, Q_CAM3 = 0, Q_CAM1 = 0, Q_CAM2 = 0, Q_FYS1 = 0, Q_FYS2 = 0,
         Q_FYS3 = 0, Q_A1 = 0, Q_A2 = 0, BOTTOM_OFFST = 0.01, BOTTOM_STIFF = 0;
  // [STRUCTURAL]
  double LONGITUDINAL_STIFFNESS = 300000, LATERAL_STIFFNESS = 100000, PCFX1 = 0, PCFX2 = 0,
         PCFX3 = 0, PCFY1 = 0, PCFY2 = 0, PCFY3 = 0;
  // [CONTACT_PATCH]
  double Q_RA1 = 0.5, Q_RA2 = 1, Q_RB1 = 1, Q_RB2 = -1;
  // [INFLATION_PRESSURE_RANGE]
  double PRESMIN = 10000, PRESMAX = 1000000;
  // [VERTICAL_FORCE_RANGE]
  double FZMIN = 100, FZMAX = 10000;
  // [LONG_SLIP_RANGE]
  double KPUMIN = -1.5, KPUMAX = 1.5;
  // [SLIP_ANGLE_RANGE]
  double ALPMIN = -1.5, ALPMAX = 1.5;
  // [INCLINATION_ANGLE_RANGE]
  double CAMMIN = -0.175, CAMMAX = 0.175;
  // [SCALING_COEFFICIENTS]
  double LFZO = 1, LCX = 1, LMUX = 1, LEX = 1, LKX = 1, LHX = 1, LVX = 1, LCY = 1, LMUY = 1,
         LEY = 1, LKY = 1, LHY = 1, LVY = 1, LTR = 1, LRES = 1, LXAL = 1, LYKA = 1, LVYKA = 1,
         LS = 1, LVMX = 1, LMX = 1, LMY = 1, LCZ = 1, LKYC = 1, LKZC = 1, LMP = 1, LGAX = 1,
         LGAY = 1, LGAZ = 1, LSGKP = 1, LSGAL = 1;
  // [LONGITUDINAL_COEFFICIENTS]
  double PCX1 = 0, PDX1 = 0, PDX2 = 0, PDX3 = 0, PEX1 = 0, PEX2 = 0, PEX3 = 0, PEX4 = 0, PKX1 = 0,
         PKX2 = 0, PKX3 = 0, PHX1 = 0, PHX2 = 0, PVX1 = 0, PVX2 = 0, PPX1 = 0, PPX2 = 0, PPX3 = 0,
         PPX4 = 0, RBX1 = 20, RBX2 = 15, RCX1 = 1, REX1 = 0, REX2 = 0, RHX1 = 0, RBX3 = 0, PTX1 = 0,
         PTX2 = 0, PTX3 = 0;
  // [OVERTURNING_COEFFICIENTS]
  double QSX1 = 0, QSX2 = 0, QSX3 = 0, QSX4 = 5, QSX5 = 1, QSX6 = 10, QSX7 = 0, QSX8 = 0,
         QSX9 = 0.4, QSX10 = 0, QSX11 = 5, QSX12 = 0, QSX13 = 0, QSX14 = 0, PPMX1 = 0;
  // [LATERAL_COEFFICIENTS]
  double PCY1 = 0, PDY1 = 0, PDY2 = 0, PDY3 = 0, PEY1 = 0, PEY2 = 0, PEY3 = 0, PEY4 = 0, PKY1 = 0,
         PKY2 = 0, PKY3 = 0, PHY1 = 0, PHY2 = 0, PVY1 = 0, PVY2 = 0, PVY3 = 0, PVY4 = 0, PEY5 = 0,
         PKY4 = 2, PKY5 = 0, PKY6 = -1, PKY7 = 0, PPY1 = 0, PPY2 = 0, PPY3 = 0, PPY4 = 0, PPY5 = 0,
         PHY3 = 0, PTY1 = 0, PTY2 = 0, RBY1 = 10, RBY2 = 10, RBY3 = 0, RCY1 = 1, REY1 = 0, REY2 = 0,
         RHY1 = 0, RHY2 = 0, RVY1 = 0, RVY2 = 0, RVY3 = 0, RVY4 = 20, RVY5 = 2, RVY6 = 10, RBY4 = 0;
  // [ROLLING_COEFFICIENTS]
  double QSY1 = 0.01, QSY2 = 0, QSY3 = 0, QSY4 = 0, QSY5 = 0, QSY6 = 0, QSY7 = 0.85, QSY8 = -0.4;
  // [ALIGNING_COEFFICIENTS]
  double QBZ1 = 0, QBZ2 = 0, QBZ3 = 0, QBZ4 = 0, QBZ5 = 0, QBZ9 = 0, QBZ10 = 0, QCZ1 = 0, QDZ1 = 0,
         QDZ2 = 0, QDZ3 = 0, QDZ4 = 0, QDZ6 = 0, QDZ7 = 0, QDZ8 = 0, QDZ9 = 0, QEZ1 = 0, QEZ2 = 0,
         QEZ3 = 0, QEZ4 = 0, QEZ5 = 0, QHZ1 = 0, QHZ2 = 0, QHZ3 = 0, QHZ4 = 0, SSZ1 = 0, SSZ2 = 0,
         SSZ3 = 0, SSZ4 = 0, QDZ10 = 0, QDZ11 = 0, PPZ1 = 0, PPZ2 = 0;
  // [TURNSLIP_COEFFICIENTS]
  double PDXP1 = 0.4, PDXP2 = 0, PDXP3 = 0, PKYP1 = 1, PDYP1 = 0.4, PDYP2 = 0, PDYP3 = 0, PDYP4 = 0,
         PHYP1 = 1, PHYP2 = 0.15, PHYP3 = 0, PHYP4 = -4, PECP1 = 0.5, PECP2 = 0, QDTP1 = 10,
         QCRP1 = 0.2, QCRP2 = 0.1, QBRP1 = 0.1, QDRP1 = 1;
};

// What a coefficient measures; the unit of the file's [UNITS] follows from it.
enum class TirKind {
  number,
  angle,
  length,
  speed,
  force,
  stiffness,
  damping,
  pressure,
  per_length,
  per_area
};

struct MagicCoefficient {
  std::string_view name, section;
  double MagicCoefficients::*member;
  TirKind kind;
  MagicVersion since, until;  // versions that have it
  bool required = false;

  [[nodiscard]] bool belongs_to(MagicVersion v) const { return v >= since && v <= until; }
};
// All of them, in the order of the sections.
std::span<const MagicCoefficient> magic_coefficients();
// By name, or by the name that another program has for it.
const MagicCoefficient* find_magic_coefficient(std::string_view name);

// What is wrong with the numbers together, each with the coefficient that is to blame.
struct MagicFault {
  std::string_view name, message;
};
std::vector<MagicFault> faults_in(const MagicCoefficients& k);

}  // namespace chicane::tire
