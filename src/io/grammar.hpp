// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "language/sections/grammar.hpp"

namespace chicane {

// The tables of all sections of files; the first is that of a model file.
const std::vector<KeyTable>& grammar();
const KeyTable& section(std::string_view name);

std::string json_schema();       // of model files, and of files that they name
std::string grammar_markdown();  // the reference page

}  // namespace chicane
