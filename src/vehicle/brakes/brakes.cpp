// SPDX-License-Identifier: Apache-2.0
#include "vehicle/brakes/brakes.hpp"

namespace chicane::brakes {

std::variant<Maps, std::string> Maps::make(const MapData& data) {
  auto pressure = make_rising_curve("brake pressure over pedal", data.pressure);
  auto proportioning = make_rising_curve("rear over front brake pressure", data.proportioning);
  auto front = make_rising_curve("front brake torque", data.torque_front);
  auto rear = make_rising_curve("rear brake torque", data.torque_rear);
  if (const auto* fault = first_fault({&pressure, &proportioning, &front, &rear})) return *fault;
  return Maps{std::get<Table1D>(std::move(pressure)), std::get<Table1D>(std::move(proportioning)),
              std::get<Table1D>(std::move(front)), std::get<Table1D>(std::move(rear))};
}

}  // namespace chicane::brakes
