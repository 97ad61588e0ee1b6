// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <filesystem>
#include <string>

namespace chicane {

// Runs the script with the gnuplot found on PATH and keeps what it prints, a picture, as `output`.
// The script must choose the terminal and leave `set output` alone. On failure throws
// std::runtime_error with what gnuplot said, and leaves `output` as it was. A gnuplot that takes
// longer than `patience` is ended.
inline constexpr std::chrono::seconds kPatience{60};
void run_gnuplot(const std::string& script, const std::filesystem::path& output,
                 std::chrono::milliseconds patience = kPatience);

}  // namespace chicane
