// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "language/spec.hpp"

namespace chicane {

// "2 m/s" may stand where a formula may: as the literal 2[m/s].
Text as_expression(Text text);

// A parameter or a state of a block written in C++, by the name BLOCK.NAME.
struct NativeEntry {
  std::vector<Assignment>* list;  // where its value stands, if one is given
  std::string name, unit;
  bool parameter;
};

std::optional<NativeEntry> find_native(Spec& spec, const std::string& full,
                                       std::vector<std::string>* known = nullptr);

}  // namespace chicane
