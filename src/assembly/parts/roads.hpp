// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <string>

namespace chicane {

// Asks `load` for the files that a road file names, and those that they name. What is wrong with
// them is said when the terrain is made.
void ask_for_road_files(
    const std::string& bytes, const std::string& path,
    const std::function<std::optional<std::string>(const std::string& path)>& load);

}  // namespace chicane
