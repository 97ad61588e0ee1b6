// SPDX-License-Identifier: Apache-2.0
#include "cli/wrap.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace chicane::cli {

std::size_t width_of(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(
      text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) >> 6) != 2; }));
}

std::string wrapped(std::string_view text, std::size_t before, std::size_t indent) {
  std::string out;
  std::size_t used = before;
  bool first = true;  // of its line
  while (!text.empty()) {
    const std::size_t end = std::min(text.find_first_of(" \n"), text.size());
    const std::string_view word = text.substr(0, end);
    if (!word.empty()) {
      if (!first && used + 1 + width_of(word) > kLineWidth) {
        out += '\n' + std::string(indent, ' ');
        used = indent;
      } else if (!first) {
        out += ' ';
        ++used;
      }
      out += word;
      used += width_of(word);
      first = false;
    }
    if (end < text.size() && text[end] == '\n') {
      out += '\n' + std::string(indent, ' ');
      used = indent;
      first = true;
    }
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

void print_with_words(std::string_view first, std::string_view words) {
  constexpr std::size_t kLeastRoom = 16, kBelow = 6;
  const std::size_t beside = width_of(first) + 2;
  if (words.empty())
    fmt::print("{}\n", first);
  else if (beside + std::min(kLeastRoom, width_of(words)) <= kLineWidth)
    fmt::print("{}  {}\n", first, wrapped(words, beside, beside));
  else
    fmt::print("{}\n{:{}}{}\n", first, "", kBelow, wrapped(words, kBelow, kBelow));
}

}  // namespace chicane::cli
