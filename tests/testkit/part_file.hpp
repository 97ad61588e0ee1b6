// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

#include "io/reader/yaml.hpp"
#include "language/sections/keys.hpp"

// A section of a model file, as the parts of a vehicle are made from.

namespace testkit {

inline chicane::DataSpec data_of(const chicane::Cursor& at, chicane::Diagnostics& diag) {
  using Kind = chicane::DataSpec::Kind;
  chicane::DataSpec data{.kind = Kind::text, .text = at.text()};
  if (at.is_list()) {
    data.kind = Kind::list;
    for (const auto& e : at.elements()) data.list.push_back(data_of(e, diag));
  } else if (at.is_map()) {
    data.kind = Kind::mapping;
    for (const auto& [name, e] : at.entries(diag))
      data.entries.emplace_back(name, data_of(e, diag));
  }
  return data;
}

struct PartFile {
  explicit PartFile(const std::string& text, chicane::Spec with = {})
      : spec(std::move(with)), numbers(spec, diag) {
    const auto root = chicane::parse_yaml(text, "part.yaml", diag);
    EXPECT_TRUE(root) << diag.text();
    if (root) data = data_of(*root, diag);
  }

  chicane::Spec spec;  // parameters and tables that the section may name
  chicane::Diagnostics diag;
  chicane::Numbers numbers;
  chicane::DataSpec data;
  chicane::Keys keys{data, numbers, diag};
};

// What `read` makes of a text that has no fault.
template <class F>
auto part_of(const std::string& text, F&& read) {
  PartFile file(text);
  auto part = read(file.keys);
  if (!file.diag.ok()) throw std::runtime_error(file.diag.text());
  return part;
}

// A text with a fault in this line: the message has these words.
template <class F>
void expect_fault(const std::string& text, int line, const std::string& words, F&& read) {
  PartFile file(text);
  read(file.keys);
  const auto& all = file.diag.all();
  ASSERT_FALSE(all.empty()) << "no fault, but: " << words;
  const std::string said = file.diag.text();
  EXPECT_NE(said.find("part.yaml:" + std::to_string(line) + ":"), std::string::npos) << said;
  EXPECT_NE(said.find(words), std::string::npos) << said;
}

}  // namespace testkit
