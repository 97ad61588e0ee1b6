// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>

#include "core/api.hpp"

namespace chicane {

// A file of models/, embedded at build time.
struct BuiltinModel {
  std::string_view name;  // file name without ".yaml"
  std::string_view text;  // its bytes, unchanged
};

// All models, sorted by name, manoeuvres aside.
CHICANE_API std::span<const BuiltinModel> builtin_models();
// All of models/manoeuvres/, sorted by name.
CHICANE_API std::span<const BuiltinModel> builtin_manoeuvres();

}  // namespace chicane
