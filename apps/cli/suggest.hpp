// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace chicane::cli {

// What is wrong with a command line that was refused, if it is the name of a command or an option,
// and what may be meant; otherwise nothing.
std::string suggestion(const CLI::App& app, const std::vector<std::string>& words);

}  // namespace chicane::cli
