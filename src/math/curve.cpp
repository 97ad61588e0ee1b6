// SPDX-License-Identifier: Apache-2.0
#include "math/curve.hpp"

#include <fmt/format.h>

namespace chicane {

CurveOrFault make_curve(std::string_view name, const CurveData& data, Interpolation interpolation,
                        Extrapolation extrapolation) {
  auto curve = Table1D::make(data.x, data.y, interpolation, extrapolation);
  if (const auto* fault = std::get_if<std::string>(&curve))
    return fmt::format("{}: {}", name, *fault);
  return curve;
}

CurveOrFault make_curve_above(double limit, bool strictly, std::string_view name,
                              const CurveData& data) {
  for (std::size_t i = 0; i < data.y.size(); ++i) {
    const double y = data.y[i];
    if (y < limit || (strictly && y == limit))
      return fmt::format("{}: y[{}] = {} must be {} {}", name, i, y,
                         strictly ? "greater than" : "at least", limit);
  }
  return make_curve(name, data);
}

CurveOrFault make_rising_curve(std::string_view name, const CurveData& data) {
  for (std::size_t i = 1; i < data.y.size(); ++i) {
    if (data.y[i] < data.y[i - 1])
      return fmt::format("{}: y[{}] = {} is less than y[{}] = {}; it must not fall", name, i,
                         data.y[i], i - 1, data.y[i - 1]);
  }
  return make_curve_above(0.0, false, name, data);
}

const std::string* first_fault(std::initializer_list<const CurveOrFault*> curves) {
  for (const CurveOrFault* curve : curves) {
    if (const auto* fault = std::get_if<std::string>(curve)) return fault;
  }
  return nullptr;
}

}  // namespace chicane
