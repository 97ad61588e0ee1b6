// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>

#include "language/spec.hpp"

namespace chicane {

// Files by path.
using FileContents = std::map<std::string, std::string>;

// A text of a section that names a file with numbers carries that file, and those that it names,
// in its list: path, bytes, path, bytes. Where the section is written, only the text is.
inline void carry(DataSpec& name, const FileContents& files) {
  const auto text = [](const std::string& s) {
    return DataSpec{.kind = DataSpec::Kind::text, .text = {s, {}}};
  };
  name.list.clear();
  for (const auto& [path, bytes] : files) {
    name.list.push_back(text(path));
    name.list.push_back(text(bytes));
  }
}

// The bytes of one of them; null if it is not there.
inline const std::string* carried(const DataSpec& name, const std::string& path) {
  for (std::size_t i = 0; i + 1 < name.list.size(); i += 2)
    if (name.list[i].text.text == path) return &name.list[i + 1].text.text;
  return nullptr;
}

}  // namespace chicane
