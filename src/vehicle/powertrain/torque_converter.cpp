// SPDX-License-Identifier: Apache-2.0
#include "vehicle/powertrain/torque_converter.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace chicane::powertrain {
namespace {

// Largest efficiency r (a + b r) of a segment with ratio a + b r, r from r_0 to r_1.
double largest_efficiency(double r_0, double ratio_0, double r_1, double ratio_1) {
  const double b = (ratio_1 - ratio_0) / (r_1 - r_0), a = ratio_0 - b * r_0;
  const double top = b < 0.0 ? std::clamp(-0.5 * a / b, r_0, r_1) : r_1;
  return top * (a + b * top);
}

std::string fault_in_efficiency(const CurveData& ratio) {
  for (std::size_t i = 1; i < ratio.x.size(); ++i) {
    if (ratio.x[i] > 1.0) break;  // beyond, the overrun side is used
    const double eta = largest_efficiency(ratio.x[i - 1], ratio.y[i - 1], ratio.x[i], ratio.y[i]);
    if (eta > 1.0 + 1e-12)
      return fmt::format("torque ratio: efficiency {} between x[{}] and x[{}] is more than 1", eta,
                         i - 1, i);
  }
  return {};
}

}  // namespace

std::variant<ConverterMap, std::string> ConverterMap::make(const CurveData& capacity,
                                                           const CurveData& ratio) {
  auto K = make_curve_above(0.0, true, "capacity factor", capacity);
  auto TR = make_curve_above(0.0, false, "torque ratio", ratio);
  if (const auto* fault = first_fault({&K, &TR})) return *fault;
  if (auto fault = fault_in_efficiency(ratio); !fault.empty()) return fault;
  if (std::get<Table1D>(TR)(1.0) > 1.0)
    return std::string("torque ratio: more than 1 at equal speeds; end the curve at (1, 1)");
  return ConverterMap(std::get<Table1D>(std::move(K)), std::get<Table1D>(std::move(TR)));
}

}  // namespace chicane::powertrain
