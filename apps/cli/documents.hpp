// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <array>
#include <string>
#include <string_view>

namespace chicane::cli {

// Documents written from the commands and their options, so that they cannot disagree with them.

inline constexpr std::array<std::string_view, 3> kShells{"bash", "zsh", "fish"};

// A script for a shell that completes commands, options and what is built in.
std::string completion(const CLI::App& app, std::string_view shell);
int print_completion(const CLI::App& app, std::string_view shell);

// The page chicane(1), in the language of man.
std::string manual_page(const CLI::App& app);
int print_manual(const CLI::App& app);

}  // namespace chicane::cli
