// SPDX-License-Identifier: Apache-2.0
#include "vehicle/driver/schedule.hpp"

#include "math/curve.hpp"

namespace chicane::driver {

std::variant<Schedule, std::string> Schedule::make(std::vector<double> t, std::vector<double> value,
                                                   Between between) {
  auto linear = make_curve("schedule", {t, value});
  if (const auto* fault = std::get_if<std::string>(&linear)) return *fault;
  return Schedule(std::get<Table1D>(std::move(linear)), std::move(t), std::move(value), between);
}

}  // namespace chicane::driver
