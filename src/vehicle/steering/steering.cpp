// SPDX-License-Identifier: Apache-2.0
#include "vehicle/steering/steering.hpp"

#include <fmt/format.h>

namespace chicane::steering {
namespace {

std::string fault_in_assist(const AssistData& data) {
  const std::size_t n = data.speed.size();
  if (data.torque.empty() || data.torque.front() != 0.0)
    return "power assist: torques must begin at 0";
  for (std::size_t j = 0; j < n; ++j) {
    if (data.assist[j] != 0.0) return "power assist: must be 0 without torque";
    for (std::size_t i = 1; i < data.torque.size(); ++i) {
      if (data.assist[i * n + j] >= data.assist[(i - 1) * n + j]) continue;
      return fmt::format("power assist: falls from {} to {} N m at speed {} m/s",
                         data.torque[i - 1], data.torque[i], data.speed[j]);
    }
  }
  return {};
}

}  // namespace

std::variant<Maps, std::string> Maps::make(const CurveData& ratio, const AssistData& assist) {
  auto i = make_curve_above(0.0, true, "steering ratio", ratio);
  if (const auto* fault = std::get_if<std::string>(&i)) return *fault;
  auto map = Table2D::make(assist.torque, assist.speed, assist.assist, Interpolation::linear,
                           Extrapolation::hold);
  if (const auto* fault = std::get_if<std::string>(&map))
    return fmt::format("power assist: {}", *fault);
  if (auto fault = fault_in_assist(assist); !fault.empty()) return fault;
  return Maps(std::get<Table1D>(std::move(i)), std::get<Table2D>(std::move(map)));
}

}  // namespace chicane::steering
