#pragma once

#include <cstddef>
#include <string_view>

#include "io/reader/reader.hpp"

namespace chicane {

inline constexpr std::size_t kLargestFile = 4'000'000;  // bytes

// The same loader, for all files that one model brings along: beyond so many files, or bytes of
// them together, it gives none and `diag` a fault.
Loader within_budget(const Loader& load, Diagnostics& diag);

// Whether a text can be a file of ours. What another file names and is none is not looked into, so
// that no message shows what stands in it; the fault says so.
bool is_of_chicane(std::string_view text, const Location& from, const std::string& path,
                   Diagnostics& diag);

}  // namespace chicane
