// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "math/table.hpp"

// Curves as a data sheet has them, and how subsystems turn them into tables.

namespace chicane {

struct CurveData {
  std::vector<double> x, y;
};

using CurveOrFault = std::variant<Table1D, std::string>;

// Table1D::make, whose message then says which curve it is about.
CurveOrFault make_curve(std::string_view name, const CurveData& data,
                        Interpolation interpolation = Interpolation::linear,
                        Extrapolation extrapolation = Extrapolation::hold);

// Refuses values below (or, strictly, at) the limit: "capacity factor: y[2] = -1 must be ...".
CurveOrFault make_curve_above(double limit, bool strictly, std::string_view name,
                              const CurveData& data);

// Never falling and never below 0: pressure over pedal, torque over pressure.
CurveOrFault make_rising_curve(std::string_view name, const CurveData& data);

// The first message among them, or nullptr.
const std::string* first_fault(std::initializer_list<const CurveOrFault*> curves);

}  // namespace chicane
