// SPDX-License-Identifier: Apache-2.0
#include "vehicle/powertrain/engine.hpp"

namespace chicane::powertrain {

std::variant<EngineMap, std::string> EngineMap::make(CurveOrFault upper, CurveOrFault lower,
                                                     bool net, const CurveData& data) {
  if (const auto* fault = first_fault({&upper, &lower})) return *fault;
  return EngineMap(
      TwoCurves{std::get<Table1D>(std::move(upper)), std::get<Table1D>(std::move(lower)), net},
      data.x.back());
}

std::variant<EngineMap, std::string> EngineMap::between(const CurveData& full,
                                                        const CurveData& motoring) {
  return make(make_curve("full load torque", full), make_curve("motoring torque", motoring), true,
              full);
}

std::variant<EngineMap, std::string> EngineMap::above(const CurveData& gross,
                                                      const CurveData& losses) {
  return make(make_curve("gross torque", gross), make_curve("losses", losses), false, gross);
}

}  // namespace chicane::powertrain
