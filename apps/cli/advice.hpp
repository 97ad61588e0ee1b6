// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>

#include "analysis/step_advice.hpp"

namespace chicane::cli {

using chicane::in_words;
using chicane::parameters_behind;

nlohmann::ordered_json to_json(const NamedMode& mode);
nlohmann::ordered_json to_json(const std::vector<ParameterEffect>& effects,
                               std::complex<double> eigenvalue);

}  // namespace chicane::cli
