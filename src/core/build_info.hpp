// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "core/api.hpp"

namespace chicane {

// How this library was built; goes into the manifest of every run.
struct BuildInfo {
  std::string_view version;     // of Chicane, "1.2.3"
  std::string_view compiler;    // name and version
  std::string_view build_type;  // "Release", "Debug"
  std::string_view flags;       // what shapes the generated code: optimisation, instruction set
  std::string_view commit;      // of the sources, "+" behind it: and changes; "" where unknown
};

// That of the library the program runs with.
CHICANE_API const BuildInfo& build_info();

// "1.2.3 (commit 0123456789)"
std::string version_text();

}  // namespace chicane
