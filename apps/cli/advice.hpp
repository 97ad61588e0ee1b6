#pragma once

#include <nlohmann/json.hpp>

#include "analysis/step_advice.hpp"

namespace chicane::cli {

using chicane::parameters_behind;
using chicane::in_words;

nlohmann::ordered_json to_json(const NamedMode& mode);
nlohmann::ordered_json to_json(const std::vector<ParameterEffect>& effects,
                               std::complex<double> eigenvalue);

}  // namespace chicane::cli
