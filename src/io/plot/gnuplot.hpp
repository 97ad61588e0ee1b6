#pragma once

#include <filesystem>
#include <string>

namespace chicane {

// Runs the script with the gnuplot found on PATH and keeps what it prints, a picture, as `output`.
// The script must choose the terminal and leave `set output` alone. On failure throws
// std::runtime_error with what gnuplot said, and leaves `output` as it was.
void run_gnuplot(const std::string& script, const std::filesystem::path& output);

}  // namespace chicane
