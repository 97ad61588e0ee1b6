// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "io/reader/reader.hpp"

namespace chicane {

inline constexpr std::size_t kLargestFile = 4'000'000;  // bytes
inline constexpr std::size_t kLargestRoadFile = 40'000'000;

// Of all tables of a model: with so many of 17 digits its echo is a file that can be read again.
inline constexpr std::size_t kMostTableNumbers = 120'000;
inline constexpr char kTooManyNumbers[] =
    "the tables of a model have at most {} numbers together, so that its echo can hold them: take "
    "fewer rows";

// Text that people can have written: UTF-8 without control characters. The first line that is not,
// and what is wrong with it.
std::optional<std::pair<int, std::string>> fault_of_text(std::string_view text);

// The same loader, for all files that one model brings along: beyond so many files, or bytes of
// them together, it gives none and `diag` a fault.
Loader within_budget(const Loader& load, Diagnostics& diag);

// Whether a text can be a file of ours. What another file names and is none is not looked into, so
// that no message shows what stands in it; the fault says so.
bool is_of_chicane(std::string_view text, const Location& from, const std::string& path,
                   Diagnostics& diag);

}  // namespace chicane
