// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace chicane::cli {

inline constexpr std::size_t kLineWidth = 80;  // [characters] of what is printed

// Letters, of any alphabet.
std::size_t width_of(std::string_view text);

// The text in lines of at most kLineWidth letters, broken at blanks; all but the first line begin
// with `indent` blanks, and the first stands behind `before` letters. No line break at the end.
std::string wrapped(std::string_view text, std::size_t before, std::size_t indent);

// Prints `first`, which may be a row of a table, and words beside it, in as many lines as they
// take; below it where there is little room.
void print_with_words(std::string_view first, std::string_view words);

}  // namespace chicane::cli
