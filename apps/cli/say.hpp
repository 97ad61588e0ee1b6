// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <cstdio>
#include <utility>

namespace chicane::cli {

// To stderr. Nobody may be listening there: that changes nothing.
template <class... Args>
void say(fmt::format_string<Args...> text, Args&&... args) {
  const std::string words = fmt::format(text, std::forward<Args>(args)...);
  std::fwrite(words.data(), 1, words.size(), stderr);
}

}  // namespace chicane::cli
