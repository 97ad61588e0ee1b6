// SPDX-License-Identifier: Apache-2.0
#include "vehicle/powertrain/electric.hpp"

#include <utility>

namespace chicane::electric {

namespace {

std::variant<Table1D, std::string> positive_curve(const char* name, const CurveData& data,
                                                  bool may_be_zero) {
  for (const double y : data.y)
    if (!(y > 0.0) && !(may_be_zero && y == 0.0))
      return std::string(name) + " must not be negative" + (may_be_zero ? "" : " or 0");
  return Table1D::make(data.x, data.y, Interpolation::linear, Extrapolation::hold);
}

}  // namespace

std::variant<MotorMap, std::string> MotorMap::make(const MotorData& data) {
  if (data.torque.x.empty() || data.torque.x.front() < 0.0)
    return std::string("the torque of a motor is over speeds from 0 on");
  for (const double eta : data.efficiency)
    if (!(eta > 0.0) || eta > 1.0)
      return std::string("the efficiency of a motor is above 0 and at most 1");
  auto torque = positive_curve("the torque of a motor", data.torque, true);
  if (auto* fault = std::get_if<std::string>(&torque)) return std::move(*fault);
  auto efficiency = Table2D::make(data.speed, data.load, data.efficiency);
  if (auto* fault = std::get_if<std::string>(&efficiency)) return "efficiency: " + *fault;
  return MotorMap{std::get<Table1D>(std::move(torque)), std::get<Table2D>(std::move(efficiency))};
}

std::variant<BatteryMap, std::string> BatteryMap::make(const BatteryData& data) {
  auto voltage = positive_curve("the voltage of a battery", data.voltage, false);
  if (auto* fault = std::get_if<std::string>(&voltage)) return std::move(*fault);
  auto resistance = positive_curve("the resistance of a battery", data.resistance, false);
  if (auto* fault = std::get_if<std::string>(&resistance)) return std::move(*fault);
  return BatteryMap{std::get<Table1D>(std::move(voltage)),
                    std::get<Table1D>(std::move(resistance))};
}

}  // namespace chicane::electric
