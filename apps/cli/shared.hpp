#pragma once

#include <filesystem>
#include <string>

#include "system/simulation.hpp"

namespace chicane::cli {

// CPU time of the calling thread.
double cpu_seconds();

void write_file(const std::filesystem::path& path, const std::string& text);

// The directory that was asked for, or runs/MODEL-001, -002, ...: the first that is free.
std::filesystem::path make_directory(const std::string& out, const std::string& model);

// "1 body", "2 bodies"
std::string counted(std::size_t n, const char* one, const char* many);

// What a plan does, in a few words.
std::string how(const Plan& plan, const Structure& structure);

}  // namespace chicane::cli
