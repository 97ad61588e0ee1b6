// SPDX-License-Identifier: Apache-2.0
#include "vehicle/tire/magic_formula/coefficients.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace chicane::tire {
namespace {

using K = MagicCoefficients;
using Kind = TirKind;
using V = MagicVersion;

constexpr MagicCoefficient kTable[] = {
    {"LONGVL", "MODEL", &K::LONGVL, Kind::speed, V::v52, V::v62, true},
    {"VXLOW", "MODEL", &K::VXLOW, Kind::speed, V::v52, V::v62},
    {"UNLOADED_RADIUS", "DIMENSION", &K::UNLOADED_RADIUS, Kind::length, V::v52, V::v62, true},
    {"WIDTH", "DIMENSION", &K::WIDTH, Kind::length, V::v52, V::v62, true},
    {"RIM_RADIUS", "DIMENSION", &K::RIM_RADIUS, Kind::length, V::v52, V::v62},
    {"ASPECT_RATIO", "DIMENSION", &K::ASPECT_RATIO, Kind::number, V::v52, V::v62},
    {"INFLPRES", "OPERATING_CONDITIONS", &K::INFLPRES, Kind::pressure, V::v52, V::v62},
    {"NOMPRES", "OPERATING_CONDITIONS", &K::NOMPRES, Kind::pressure, V::v52, V::v62},
    {"FNOMIN", "VERTICAL", &K::FNOMIN, Kind::force, V::v52, V::v62, true},
    {"VERTICAL_STIFFNESS", "VERTICAL", &K::VERTICAL_STIFFNESS, Kind::stiffness, V::v52, V::v62,
     true},
    {"VERTICAL_DAMPING", "VERTICAL", &K::VERTICAL_DAMPING, Kind::damping, V::v52, V::v62},
    {"BREFF", "VERTICAL", &K::BREFF, Kind::number, V::v52, V::v62},
    {"DREFF", "VERTICAL", &K::DREFF, Kind::number, V::v52, V::v62},
    {"FREFF", "VERTICAL", &K::FREFF, Kind::number, V::v52, V::v62},
    {"Q_RE0", "VERTICAL", &K::Q_RE0, Kind::number, V::v61, V::v62},
    {"Q_V1", "VERTICAL", &K::Q_V1, Kind::number, V::v61, V::v62},
    {"Q_V2", "VERTICAL", &K::Q_V2, Kind::number, V::v61, V::v62},
    {"Q_FZ2", "VERTICAL", &K::Q_FZ2, Kind::number, V::v61, V::v62},
    {"Q_FCX", "VERTICAL", &K::Q_FCX, Kind::number, V::v61, V::v62},
    {"Q_FCY", "VERTICAL", &K::Q_FCY, Kind::number, V::v61, V::v62},
    {"PFZ1", "VERTICAL", &K::PFZ1, Kind::number, V::v61, V::v62},
    {"Q_FCY2", "VERTICAL", &K::Q_FCY2, Kind::number, V::v62, V::v62},
    {"Q_CAM3", "VERTICAL", &K::Q_CAM3, Kind::number, V::v62, V::v62},
    {"Q_CAM1", "VERTICAL", &K::Q_CAM1, Kind::per_length, V::v62, V::v62},
    {"Q_CAM2", "VERTICAL", &K::Q_CAM2, Kind::per_area, V::v62, V::v62},
    {"Q_FYS1", "VERTICAL", &K::Q_FYS1, Kind::force, V::v62, V::v62},
    {"Q_FYS2", "VERTICAL", &K::Q_FYS2, Kind::force, V::v62, V::v62},
    {"Q_FYS3", "VERTICAL", &K::Q_FYS3, Kind::force, V::v62, V::v62},
    {"Q_A1", "VERTICAL", &K::Q_A1, Kind::number, V::v52, V::v52},
    {"Q_A2", "VERTICAL", &K::Q_A2, Kind::number, V::v52, V::v52},
    {"BOTTOM_OFFST", "VERTICAL", &K::BOTTOM_OFFST, Kind::length, V::v61, V::v62},
    {"BOTTOM_STIFF", "VERTICAL", &K::BOTTOM_STIFF, Kind::stiffness, V::v61, V::v62},
    {"LONGITUDINAL_STIFFNESS", "STRUCTURAL", &K::LONGITUDINAL_STIFFNESS, Kind::stiffness, V::v61,
     V::v62},
    {"LATERAL_STIFFNESS", "STRUCTURAL", &K::LATERAL_STIFFNESS, Kind::stiffness, V::v61, V::v62},
    {"PCFX1", "STRUCTURAL", &K::PCFX1, Kind::number, V::v61, V::v62},
    {"PCFX2", "STRUCTURAL", &K::PCFX2, Kind::number, V::v61, V::v62},
    {"PCFX3", "STRUCTURAL", &K::PCFX3, Kind::number, V::v61, V::v62},
    {"PCFY1", "STRUCTURAL", &K::PCFY1, Kind::number, V::v61, V::v62},
    {"PCFY2", "STRUCTURAL", &K::PCFY2, Kind::number, V::v61, V::v62},
    {"PCFY3", "STRUCTURAL", &K::PCFY3, Kind::number, V::v61, V::v62},
    {"Q_RA1", "CONTACT_PATCH", &K::Q_RA1, Kind::number, V::v61, V::v62},
    {"Q_RA2", "CONTACT_PATCH", &K::Q_RA2, Kind::number, V::v61, V::v62},
    {"Q_RB1", "CONTACT_PATCH", &K::Q_RB1, Kind::number, V::v61, V::v62},
    {"Q_RB2", "CONTACT_PATCH", &K::Q_RB2, Kind::number, V::v61, V::v62},
    {"PRESMIN", "INFLATION_PRESSURE_RANGE", &K::PRESMIN, Kind::pressure, V::v61, V::v62},
    {"PRESMAX", "INFLATION_PRESSURE_RANGE", &K::PRESMAX, Kind::pressure, V::v61, V::v62},
    {"FZMIN", "VERTICAL_FORCE_RANGE", &K::FZMIN, Kind::force, V::v52, V::v62},
    {"FZMAX", "VERTICAL_FORCE_RANGE", &K::FZMAX, Kind::force, V::v52, V::v62},
    {"KPUMIN", "LONG_SLIP_RANGE", &K::KPUMIN, Kind::number, V::v52, V::v62},
    {"KPUMAX", "LONG_SLIP_RANGE", &K::KPUMAX, Kind::number, V::v52, V::v62},
    {"ALPMIN", "SLIP_ANGLE_RANGE", &K::ALPMIN, Kind::angle, V::v52, V::v62},
    {"ALPMAX", "SLIP_ANGLE_RANGE", &K::ALPMAX, Kind::angle, V::v52, V::v62},
    {"CAMMIN", "INCLINATION_ANGLE_RANGE", &K::CAMMIN, Kind::angle, V::v52, V::v62},
    {"CAMMAX", "INCLINATION_ANGLE_RANGE", &K::CAMMAX, Kind::angle, V::v52, V::v62},
    {"LFZO", "SCALING_COEFFICIENTS", &K::LFZO, Kind::number, V::v52, V::v62},
    {"LCX", "SCALING_COEFFICIENTS", &K::LCX, Kind::number, V::v52, V::v62},
    {"LMUX", "SCALING_COEFFICIENTS", &K::LMUX, Kind::number, V::v52, V::v62},
    {"LEX", "SCALING_COEFFICIENTS", &K::LEX, Kind::number, V::v52, V::v62},
    {"LKX", "SCALING_COEFFICIENTS", &K::LKX, Kind::number, V::v52, V::v62},
    {"LHX", "SCALING_COEFFICIENTS", &K::LHX, Kind::number, V::v52, V::v62},
    {"LVX", "SCALING_COEFFICIENTS", &K::LVX, Kind::number, V::v52, V::v62},
    {"LCY", "SCALING_COEFFICIENTS", &K::LCY, Kind::number, V::v52, V::v62},
    {"LMUY", "SCALING_COEFFICIENTS", &K::LMUY, Kind::number, V::v52, V::v62},
    {"LEY", "SCALING_COEFFICIENTS", &K::LEY, Kind::number, V::v52, V::v62},
    {"LKY", "SCALING_COEFFICIENTS", &K::LKY, Kind::number, V::v52, V::v62},
    {"LHY", "SCALING_COEFFICIENTS", &K::LHY, Kind::number, V::v52, V::v62},
    {"LVY", "SCALING_COEFFICIENTS", &K::LVY, Kind::number, V::v52, V::v62},
    {"LTR", "SCALING_COEFFICIENTS", &K::LTR, Kind::number, V::v52, V::v62},
    {"LRES", "SCALING_COEFFICIENTS", &K::LRES, Kind::number, V::v52, V::v62},
    {"LXAL", "SCALING_COEFFICIENTS", &K::LXAL, Kind::number, V::v52, V::v62},
    {"LYKA", "SCALING_COEFFICIENTS", &K::LYKA, Kind::number, V::v52, V::v62},
    {"LVYKA", "SCALING_COEFFICIENTS", &K::LVYKA, Kind::number, V::v52, V::v62},
    {"LS", "SCALING_COEFFICIENTS", &K::LS, Kind::number, V::v52, V::v62},
    {"LVMX", "SCALING_COEFFICIENTS", &K::LVMX, Kind::number, V::v52, V::v62},
    {"LMX", "SCALING_COEFFICIENTS", &K::LMX, Kind::number, V::v52, V::v62},
    {"LMY", "SCALING_COEFFICIENTS", &K::LMY, Kind::number, V::v52, V::v62},
    {"LCZ", "SCALING_COEFFICIENTS", &K::LCZ, Kind::number, V::v52, V::v62},
    {"LKYC", "SCALING_COEFFICIENTS", &K::LKYC, Kind::number, V::v61, V::v62},
    {"LKZC", "SCALING_COEFFICIENTS", &K::LKZC, Kind::number, V::v61, V::v62},
    {"LMP", "SCALING_COEFFICIENTS", &K::LMP, Kind::number, V::v61, V::v62},
    {"LGAX", "SCALING_COEFFICIENTS", &K::LGAX, Kind::number, V::v52, V::v52},
    {"LGAY", "SCALING_COEFFICIENTS", &K::LGAY, Kind::number, V::v52, V::v52},
    {"LGAZ", "SCALING_COEFFICIENTS", &K::LGAZ, Kind::number, V::v52, V::v52},
    {"LSGKP", "SCALING_COEFFICIENTS", &K::LSGKP, Kind::number, V::v52, V::v52},
    {"LSGAL", "SCALING_COEFFICIENTS", &K::LSGAL, Kind::number, V::v52, V::v52},
    {"PCX1", "LONGITUDINAL_COEFFICIENTS", &K::PCX1, Kind::number, V::v52, V::v62, true},
    {"PDX1", "LONGITUDINAL_COEFFICIENTS", &K::PDX1, Kind::number, V::v52, V::v62, true},
    {"PDX2", "LONGITUDINAL_COEFFICIENTS", &K::PDX2, Kind::number, V::v52, V::v62},
    {"PDX3", "LONGITUDINAL_COEFFICIENTS", &K::PDX3, Kind::number, V::v52, V::v62},
    {"PEX1", "LONGITUDINAL_COEFFICIENTS", &K::PEX1, Kind::number, V::v52, V::v62},
    {"PEX2", "LONGITUDINAL_COEFFICIENTS", &K::PEX2, Kind::number, V::v52, V::v62},
    {"PEX3", "LONGITUDINAL_COEFFICIENTS", &K::PEX3, Kind::number, V::v52, V::v62},
    {"PEX4", "LONGITUDINAL_COEFFICIENTS", &K::PEX4, Kind::number, V::v52, V::v62},
    {"PKX1", "LONGITUDINAL_COEFFICIENTS", &K::PKX1, Kind::number, V::v52, V::v62, true},
    {"PKX2", "LONGITUDINAL_COEFFICIENTS", &K::PKX2, Kind::number, V::v52, V::v62},
    {"PKX3", "LONGITUDINAL_COEFFICIENTS", &K::PKX3, Kind::number, V::v52, V::v62},
    {"PHX1", "LONGITUDINAL_COEFFICIENTS", &K::PHX1, Kind::number, V::v52, V::v62},
    {"PHX2", "LONGITUDINAL_COEFFICIENTS", &K::PHX2, Kind::number, V::v52, V::v62},
    {"PVX1", "LONGITUDINAL_COEFFICIENTS", &K::PVX1, Kind::number, V::v52, V::v62},
    {"PVX2", "LONGITUDINAL_COEFFICIENTS", &K::PVX2, Kind::number, V::v52, V::v62},
    {"PPX1", "LONGITUDINAL_COEFFICIENTS", &K::PPX1, Kind::number, V::v61, V::v62},
    {"PPX2", "LONGITUDINAL_COEFFICIENTS", &K::PPX2, Kind::number, V::v61, V::v62},
    {"PPX3", "LONGITUDINAL_COEFFICIENTS", &K::PPX3, Kind::number, V::v61, V::v62},
    {"PPX4", "LONGITUDINAL_COEFFICIENTS", &K::PPX4, Kind::number, V::v61, V::v62},
    {"RBX1", "LONGITUDINAL_COEFFICIENTS", &K::RBX1, Kind::number, V::v52, V::v62},
    {"RBX2", "LONGITUDINAL_COEFFICIENTS", &K::RBX2, Kind::number, V::v52, V::v62},
    {"RCX1", "LONGITUDINAL_COEFFICIENTS", &K::RCX1, Kind::number, V::v52, V::v62},
    {"REX1", "LONGITUDINAL_COEFFICIENTS", &K::REX1, Kind::number, V::v52, V::v62},
    {"REX2", "LONGITUDINAL_COEFFICIENTS", &K::REX2, Kind::number, V::v52, V::v62},
    {"RHX1", "LONGITUDINAL_COEFFICIENTS", &K::RHX1, Kind::number, V::v52, V::v62},
    {"RBX3", "LONGITUDINAL_COEFFICIENTS", &K::RBX3, Kind::number, V::v61, V::v62},
    {"PTX1", "LONGITUDINAL_COEFFICIENTS", &K::PTX1, Kind::number, V::v52, V::v52},
    {"PTX2", "LONGITUDINAL_COEFFICIENTS", &K::PTX2, Kind::number, V::v52, V::v52},
    {"PTX3", "LONGITUDINAL_COEFFICIENTS", &K::PTX3, Kind::number, V::v52, V::v52},
    {"QSX1", "OVERTURNING_COEFFICIENTS", &K::QSX1, Kind::number, V::v52, V::v62},
    {"QSX2", "OVERTURNING_COEFFICIENTS", &K::QSX2, Kind::number, V::v52, V::v62},
    {"QSX3", "OVERTURNING_COEFFICIENTS", &K::QSX3, Kind::number, V::v52, V::v62},
    {"QSX4", "OVERTURNING_COEFFICIENTS", &K::QSX4, Kind::number, V::v61, V::v62},
    {"QSX5", "OVERTURNING_COEFFICIENTS", &K::QSX5, Kind::number, V::v61, V::v62},
    {"QSX6", "OVERTURNING_COEFFICIENTS", &K::QSX6, Kind::number, V::v61, V::v62},
    {"QSX7", "OVERTURNING_COEFFICIENTS", &K::QSX7, Kind::number, V::v61, V::v62},
    {"QSX8", "OVERTURNING_COEFFICIENTS", &K::QSX8, Kind::number, V::v61, V::v62},
    {"QSX9", "OVERTURNING_COEFFICIENTS", &K::QSX9, Kind::number, V::v61, V::v62},
    {"QSX10", "OVERTURNING_COEFFICIENTS", &K::QSX10, Kind::number, V::v61, V::v62},
    {"QSX11", "OVERTURNING_COEFFICIENTS", &K::QSX11, Kind::number, V::v61, V::v62},
    {"QSX12", "OVERTURNING_COEFFICIENTS", &K::QSX12, Kind::number, V::v61, V::v62},
    {"QSX13", "OVERTURNING_COEFFICIENTS", &K::QSX13, Kind::number, V::v61, V::v62},
    {"QSX14", "OVERTURNING_COEFFICIENTS", &K::QSX14, Kind::number, V::v61, V::v62},
    {"PPMX1", "OVERTURNING_COEFFICIENTS", &K::PPMX1, Kind::number, V::v61, V::v62},
    {"PCY1", "LATERAL_COEFFICIENTS", &K::PCY1, Kind::number, V::v52, V::v62, true},
    {"PDY1", "LATERAL_COEFFICIENTS", &K::PDY1, Kind::number, V::v52, V::v62, true},
    {"PDY2", "LATERAL_COEFFICIENTS", &K::PDY2, Kind::number, V::v52, V::v62},
    {"PDY3", "LATERAL_COEFFICIENTS", &K::PDY3, Kind::number, V::v52, V::v62},
    {"PEY1", "LATERAL_COEFFICIENTS", &K::PEY1, Kind::number, V::v52, V::v62},
    {"PEY2", "LATERAL_COEFFICIENTS", &K::PEY2, Kind::number, V::v52, V::v62},
    {"PEY3", "LATERAL_COEFFICIENTS", &K::PEY3, Kind::number, V::v52, V::v62},
    {"PEY4", "LATERAL_COEFFICIENTS", &K::PEY4, Kind::number, V::v52, V::v62},
    {"PKY1", "LATERAL_COEFFICIENTS", &K::PKY1, Kind::number, V::v52, V::v62, true},
    {"PKY2", "LATERAL_COEFFICIENTS", &K::PKY2, Kind::number, V::v52, V::v62, true},
    {"PKY3", "LATERAL_COEFFICIENTS", &K::PKY3, Kind::number, V::v52, V::v62},
    {"PHY1", "LATERAL_COEFFICIENTS", &K::PHY1, Kind::number, V::v52, V::v62},
    {"PHY2", "LATERAL_COEFFICIENTS", &K::PHY2, Kind::number, V::v52, V::v62},
    {"PVY1", "LATERAL_COEFFICIENTS", &K::PVY1, Kind::number, V::v52, V::v62},
    {"PVY2", "LATERAL_COEFFICIENTS", &K::PVY2, Kind::number, V::v52, V::v62},
    {"PVY3", "LATERAL_COEFFICIENTS", &K::PVY3, Kind::number, V::v52, V::v62},
    {"PVY4", "LATERAL_COEFFICIENTS", &K::PVY4, Kind::number, V::v52, V::v62},
    {"PEY5", "LATERAL_COEFFICIENTS", &K::PEY5, Kind::number, V::v61, V::v62},
    {"PKY4", "LATERAL_COEFFICIENTS", &K::PKY4, Kind::number, V::v61, V::v62},
    {"PKY5", "LATERAL_COEFFICIENTS", &K::PKY5, Kind::number, V::v61, V::v62},
    {"PKY6", "LATERAL_COEFFICIENTS", &K::PKY6, Kind::number, V::v61, V::v62},
    {"PKY7", "LATERAL_COEFFICIENTS", &K::PKY7, Kind::number, V::v61, V::v62},
    {"PPY1", "LATERAL_COEFFICIENTS", &K::PPY1, Kind::number, V::v61, V::v62},
    {"PPY2", "LATERAL_COEFFICIENTS", &K::PPY2, Kind::number, V::v61, V::v62},
    {"PPY3", "LATERAL_COEFFICIENTS", &K::PPY3, Kind::number, V::v61, V::v62},
    {"PPY4", "LATERAL_COEFFICIENTS", &K::PPY4, Kind::number, V::v61, V::v62},
    {"PPY5", "LATERAL_COEFFICIENTS", &K::PPY5, Kind::number, V::v61, V::v62},
    {"PHY3", "LATERAL_COEFFICIENTS", &K::PHY3, Kind::number, V::v52, V::v52},
    {"PTY1", "LATERAL_COEFFICIENTS", &K::PTY1, Kind::number, V::v52, V::v52},
    {"PTY2", "LATERAL_COEFFICIENTS", &K::PTY2, Kind::number, V::v52, V::v52},
    {"RBY1", "LATERAL_COEFFICIENTS", &K::RBY1, Kind::number, V::v52, V::v62},
    {"RBY2", "LATERAL_COEFFICIENTS", &K::RBY2, Kind::number, V::v52, V::v62},
    {"RBY3", "LATERAL_COEFFICIENTS", &K::RBY3, Kind::number, V::v52, V::v62},
    {"RCY1", "LATERAL_COEFFICIENTS", &K::RCY1, Kind::number, V::v52, V::v62},
    {"REY1", "LATERAL_COEFFICIENTS", &K::REY1, Kind::number, V::v52, V::v62},
    {"REY2", "LATERAL_COEFFICIENTS", &K::REY2, Kind::number, V::v52, V::v62},
    {"RHY1", "LATERAL_COEFFICIENTS", &K::RHY1, Kind::number, V::v52, V::v62},
    {"RHY2", "LATERAL_COEFFICIENTS", &K::RHY2, Kind::number, V::v52, V::v62},
    {"RVY1", "LATERAL_COEFFICIENTS", &K::RVY1, Kind::number, V::v52, V::v62},
    {"RVY2", "LATERAL_COEFFICIENTS", &K::RVY2, Kind::number, V::v52, V::v62},
    {"RVY3", "LATERAL_COEFFICIENTS", &K::RVY3, Kind::number, V::v52, V::v62},
    {"RVY4", "LATERAL_COEFFICIENTS", &K::RVY4, Kind::number, V::v52, V::v62},
    {"RVY5", "LATERAL_COEFFICIENTS", &K::RVY5, Kind::number, V::v52, V::v62},
    {"RVY6", "LATERAL_COEFFICIENTS", &K::RVY6, Kind::number, V::v52, V::v62},
    {"RBY4", "LATERAL_COEFFICIENTS", &K::RBY4, Kind::number, V::v61, V::v62},
    {"QSY1", "ROLLING_COEFFICIENTS", &K::QSY1, Kind::number, V::v52, V::v62},
    {"QSY2", "ROLLING_COEFFICIENTS", &K::QSY2, Kind::number, V::v52, V::v62},
    {"QSY3", "ROLLING_COEFFICIENTS", &K::QSY3, Kind::number, V::v52, V::v62},
    {"QSY4", "ROLLING_COEFFICIENTS", &K::QSY4, Kind::number, V::v52, V::v62},
    {"QSY5", "ROLLING_COEFFICIENTS", &K::QSY5, Kind::number, V::v61, V::v62},
    {"QSY6", "ROLLING_COEFFICIENTS", &K::QSY6, Kind::number, V::v61, V::v62},
    {"QSY7", "ROLLING_COEFFICIENTS", &K::QSY7, Kind::number, V::v61, V::v62},
    {"QSY8", "ROLLING_COEFFICIENTS", &K::QSY8, Kind::number, V::v61, V::v62},
    {"QBZ1", "ALIGNING_COEFFICIENTS", &K::QBZ1, Kind::number, V::v52, V::v62, true},
    {"QBZ2", "ALIGNING_COEFFICIENTS", &K::QBZ2, Kind::number, V::v52, V::v62},
    {"QBZ3", "ALIGNING_COEFFICIENTS", &K::QBZ3, Kind::number, V::v52, V::v62},
    {"QBZ4", "ALIGNING_COEFFICIENTS", &K::QBZ4, Kind::number, V::v52, V::v62},
    {"QBZ5", "ALIGNING_COEFFICIENTS", &K::QBZ5, Kind::number, V::v52, V::v62},
    {"QBZ9", "ALIGNING_COEFFICIENTS", &K::QBZ9, Kind::number, V::v52, V::v62},
    {"QBZ10", "ALIGNING_COEFFICIENTS", &K::QBZ10, Kind::number, V::v52, V::v62},
    {"QCZ1", "ALIGNING_COEFFICIENTS", &K::QCZ1, Kind::number, V::v52, V::v62, true},
    {"QDZ1", "ALIGNING_COEFFICIENTS", &K::QDZ1, Kind::number, V::v52, V::v62, true},
    {"QDZ2", "ALIGNING_COEFFICIENTS", &K::QDZ2, Kind::number, V::v52, V::v62},
    {"QDZ3", "ALIGNING_COEFFICIENTS", &K::QDZ3, Kind::number, V::v52, V::v62},
    {"QDZ4", "ALIGNING_COEFFICIENTS", &K::QDZ4, Kind::number, V::v52, V::v62},
    {"QDZ6", "ALIGNING_COEFFICIENTS", &K::QDZ6, Kind::number, V::v52, V::v62},
    {"QDZ7", "ALIGNING_COEFFICIENTS", &K::QDZ7, Kind::number, V::v52, V::v62},
    {"QDZ8", "ALIGNING_COEFFICIENTS", &K::QDZ8, Kind::number, V::v52, V::v62},
    {"QDZ9", "ALIGNING_COEFFICIENTS", &K::QDZ9, Kind::number, V::v52, V::v62},
    {"QEZ1", "ALIGNING_COEFFICIENTS", &K::QEZ1, Kind::number, V::v52, V::v62},
    {"QEZ2", "ALIGNING_COEFFICIENTS", &K::QEZ2, Kind::number, V::v52, V::v62},
    {"QEZ3", "ALIGNING_COEFFICIENTS", &K::QEZ3, Kind::number, V::v52, V::v62},
    {"QEZ4", "ALIGNING_COEFFICIENTS", &K::QEZ4, Kind::number, V::v52, V::v62},
    {"QEZ5", "ALIGNING_COEFFICIENTS", &K::QEZ5, Kind::number, V::v52, V::v62},
    {"QHZ1", "ALIGNING_COEFFICIENTS", &K::QHZ1, Kind::number, V::v52, V::v62},
    {"QHZ2", "ALIGNING_COEFFICIENTS", &K::QHZ2, Kind::number, V::v52, V::v62},
    {"QHZ3", "ALIGNING_COEFFICIENTS", &K::QHZ3, Kind::number, V::v52, V::v62},
    {"QHZ4", "ALIGNING_COEFFICIENTS", &K::QHZ4, Kind::number, V::v52, V::v62},
    {"SSZ1", "ALIGNING_COEFFICIENTS", &K::SSZ1, Kind::number, V::v52, V::v62},
    {"SSZ2", "ALIGNING_COEFFICIENTS", &K::SSZ2, Kind::number, V::v52, V::v62},
    {"SSZ3", "ALIGNING_COEFFICIENTS", &K::SSZ3, Kind::number, V::v52, V::v62},
    {"SSZ4", "ALIGNING_COEFFICIENTS", &K::SSZ4, Kind::number, V::v52, V::v62},
    {"QDZ10", "ALIGNING_COEFFICIENTS", &K::QDZ10, Kind::number, V::v61, V::v62},
    {"QDZ11", "ALIGNING_COEFFICIENTS", &K::QDZ11, Kind::number, V::v61, V::v62},
    {"PPZ1", "ALIGNING_COEFFICIENTS", &K::PPZ1, Kind::number, V::v61, V::v62},
    {"PPZ2", "ALIGNING_COEFFICIENTS", &K::PPZ2, Kind::number, V::v61, V::v62},
    {"PDXP1", "TURNSLIP_COEFFICIENTS", &K::PDXP1, Kind::number, V::v61, V::v62},
    {"PDXP2", "TURNSLIP_COEFFICIENTS", &K::PDXP2, Kind::number, V::v61, V::v62},
    {"PDXP3", "TURNSLIP_COEFFICIENTS", &K::PDXP3, Kind::number, V::v61, V::v62},
    {"PKYP1", "TURNSLIP_COEFFICIENTS", &K::PKYP1, Kind::number, V::v61, V::v62},
    {"PDYP1", "TURNSLIP_COEFFICIENTS", &K::PDYP1, Kind::number, V::v61, V::v62},
    {"PDYP2", "TURNSLIP_COEFFICIENTS", &K::PDYP2, Kind::number, V::v61, V::v62},
    {"PDYP3", "TURNSLIP_COEFFICIENTS", &K::PDYP3, Kind::number, V::v61, V::v62},
    {"PDYP4", "TURNSLIP_COEFFICIENTS", &K::PDYP4, Kind::number, V::v61, V::v62},
    {"PHYP1", "TURNSLIP_COEFFICIENTS", &K::PHYP1, Kind::number, V::v61, V::v62},
    {"PHYP2", "TURNSLIP_COEFFICIENTS", &K::PHYP2, Kind::number, V::v61, V::v62},
    {"PHYP3", "TURNSLIP_COEFFICIENTS", &K::PHYP3, Kind::number, V::v61, V::v62},
    {"PHYP4", "TURNSLIP_COEFFICIENTS", &K::PHYP4, Kind::number, V::v61, V::v62},
    {"PECP1", "TURNSLIP_COEFFICIENTS", &K::PECP1, Kind::number, V::v61, V::v62},
    {"PECP2", "TURNSLIP_COEFFICIENTS", &K::PECP2, Kind::number, V::v61, V::v62},
    {"QDTP1", "TURNSLIP_COEFFICIENTS", &K::QDTP1, Kind::number, V::v61, V::v62},
    {"QCRP1", "TURNSLIP_COEFFICIENTS", &K::QCRP1, Kind::number, V::v61, V::v62},
    {"QCRP2", "TURNSLIP_COEFFICIENTS", &K::QCRP2, Kind::number, V::v61, V::v62},
    {"QBRP1", "TURNSLIP_COEFFICIENTS", &K::QBRP1, Kind::number, V::v61, V::v62},
    {"QDRP1", "TURNSLIP_COEFFICIENTS", &K::QDRP1, Kind::number, V::v61, V::v62},
};

// What PAC2002 files (Adams) call them.
struct Alias {
  std::string_view name, means;
};
constexpr Alias kAliases[] = {
    {"IP", "INFLPRES"}, {"IP_NOM", "NOMPRES"}, {"LKG", "LKYC"}, {"QPZ1", "PPZ1"}, {"QPZ2", "PPZ2"}};

// Without these above zero there is no tire.
constexpr std::string_view kPositive[] = {"LONGVL",
                                          "VXLOW",
                                          "UNLOADED_RADIUS",
                                          "WIDTH",
                                          "INFLPRES",
                                          "NOMPRES",
                                          "FNOMIN",
                                          "VERTICAL_STIFFNESS",
                                          "LONGITUDINAL_STIFFNESS",
                                          "LATERAL_STIFFNESS",
                                          "LFZO",
                                          "LCZ",
                                          "LMUX",
                                          "LMUY",
                                          "LKX",
                                          "LKY",
                                          "LCX",
                                          "LCY",
                                          "PCX1",
                                          "PDX1",
                                          "PKX1",
                                          "PCY1",
                                          "PKY4",
                                          "Q_RE0",
                                          "QCZ1"};
constexpr std::string_view kNotNegative[] = {"VERTICAL_DAMPING",
                                             "RIM_RADIUS",
                                             "BOTTOM_OFFST",
                                             "BOTTOM_STIFF",
                                             "LMY",
                                             "LMP",
                                             "QCRP1",
                                             "QSY1"};

struct Interval {
  std::string_view low, high;
};
constexpr Interval kRanges[] = {{"PRESMIN", "PRESMAX"},
                                {"FZMIN", "FZMAX"},
                                {"KPUMIN", "KPUMAX"},
                                {"ALPMIN", "ALPMAX"},
                                {"CAMMIN", "CAMMAX"}};

double value(const K& k, std::string_view name) { return k.*find_magic_coefficient(name)->member; }

}  // namespace

std::string_view to_string(MagicVersion version) {
  switch (version) {
    case V::v52:
      return "5.2";
    case V::v61:
      return "6.1";
    default:
      return "6.2";
  }
}

std::span<const MagicCoefficient> magic_coefficients() { return kTable; }

const MagicCoefficient* find_magic_coefficient(std::string_view name) {
  for (const Alias& a : kAliases)
    if (a.name == name) name = a.means;
  const auto* at = std::ranges::find(kTable, name, &MagicCoefficient::name);
  return at == std::end(kTable) ? nullptr : at;
}

std::vector<MagicFault> faults_in(const MagicCoefficients& k) {
  std::vector<MagicFault> faults;
  constexpr double kMost = 1e15;  // what no tire has, in SI; products stay finite
  for (const MagicCoefficient& c : kTable)
    if (!(std::fabs(k.*c.member) <= kMost))
      faults.push_back({c.name, "is no number of a tire, 1e15 at most"});
  for (const std::string_view name : kPositive)
    if (!(value(k, name) > 0.0)) faults.push_back({name, "must be above zero"});
  for (const std::string_view name : kNotNegative)
    if (!(value(k, name) >= 0.0)) faults.push_back({name, "must not be negative"});
  for (const Interval& r : kRanges)
    if (!(value(k, r.low) < value(k, r.high)))
      faults.push_back({r.high, "must be above the lower end of its range"});
  if (k.PKY1 == 0.0) faults.push_back({"PKY1", "must not be zero: it is the cornering stiffness"});
  if (k.PKY2 == 0.0) faults.push_back({"PKY2", "must not be zero: loads are divided by it"});
  if (!(k.RIM_RADIUS < k.UNLOADED_RADIUS))
    faults.push_back({"RIM_RADIUS", "must be below UNLOADED_RADIUS"});
  const double slope = k.LCZ * k.VERTICAL_STIFFNESS * k.UNLOADED_RADIUS / k.FNOMIN;
  if (!(slope * slope > 4.0 * k.Q_FZ2))
    faults.push_back({"Q_FZ2", "is too large for the vertical stiffness: no load begins at zero"});
  if (k.version == V::v52 && k.PTY1 != 0.0 && k.PTY2 == 0.0)
    faults.push_back({"PTY2", "must not be zero: loads are divided by it"});
  if (!(k.PECP1 < 1.0)) faults.push_back({"PECP1", "must be below 1"});
  if (!(k.QDRP1 > 0.0 && k.QDRP1 < 2.0)) faults.push_back({"QDRP1", "must be between 0 and 2"});
  if (!(k.PHYP1 > 0.0)) faults.push_back({"PHYP1", "must be above zero"});
  if (k.PHYP2 == 0.0) faults.push_back({"PHYP2", "must not be zero: spin is divided by it"});
  return faults;
}

}  // namespace chicane::tire
