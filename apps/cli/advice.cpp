// SPDX-License-Identifier: Apache-2.0
#include "cli/advice.hpp"

#include <cmath>
#include <numbers>

namespace chicane::cli {

using Json = nlohmann::ordered_json;

Json to_json(const std::vector<ParameterEffect>& effects, std::complex<double> eigenvalue) {
  Json list = Json::array();
  for (const ParameterEffect& e : effects)
    list.push_back({{"name", e.name},
                    {"sensitivity", {e.sensitivity.real(), e.sensitivity.imag()}},
                    {"on_frequency", e.on_frequency()},
                    {"on_damping", e.on_damping(eigenvalue)}});
  return list;
}

Json to_json(const NamedMode& mode) {
  const double size = std::abs(mode.eigenvalue);
  return {{"eigenvalue", {mode.eigenvalue.real(), mode.eigenvalue.imag()}},
          {"frequency_hz", size / (2 * std::numbers::pi)},
          {"damping", size > 0 ? Json((0.0 - mode.eigenvalue.real()) / size) : Json(nullptr)},
          {"state", mode.state},
          {"block", mode.block},
          {"group", mode.group},
          {"parameters", to_json(mode.parameters, mode.eigenvalue)}};
}

}  // namespace chicane::cli
