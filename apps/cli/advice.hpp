#pragma once

#include <nlohmann/json.hpp>

#include "analysis/step_advice.hpp"

namespace chicane::cli {

using chicane::behind;
using chicane::in_words;

nlohmann::ordered_json to_json(const NamedMode& mode);
nlohmann::ordered_json to_json(const std::vector<ParameterEffect>& effects,
                               std::complex<double> eigenvalue);

// The mode in which a state takes part most, in the model at its start.
std::optional<NamedMode> mode_of_state(const Spec& spec, const std::string& state);

}  // namespace chicane::cli
