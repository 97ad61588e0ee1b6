// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>

#include "io/reader/reader.hpp"

namespace testkit {

// A directory in memory.
struct Files {
  std::map<std::string, std::string> text;
  std::optional<std::string> operator()(const std::string& path) const {
    const auto it = text.find(path);
    return it == text.end() ? std::nullopt : std::optional(it->second);
  }
};

inline std::optional<chicane::Spec> read(const Files& files, const std::string& name,
                                         chicane::Diagnostics& diag) {
  return chicane::read_model(name, diag, [&](const std::string& path) { return files(path); });
}

}  // namespace testkit
