// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "language/spec.hpp"

namespace chicane {

// A Spec as a model file that says the same, everything in one file: what stands in a run's
// echo.yaml.
std::string write_model(const Spec& spec);

// A pair of tableaus as a file for --tableau.
std::string write_pair(const TableauPair& pair);

}  // namespace chicane
