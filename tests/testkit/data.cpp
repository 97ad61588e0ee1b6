#include "testkit/data.hpp"

#include <gtest/gtest.h>

#include "io/reader/yaml.hpp"

namespace testkit {

using namespace chicane;

namespace {

DataSpec data_of(const Cursor& at, Diagnostics& diag) {
  using Kind = DataSpec::Kind;
  DataSpec data{.kind = Kind::text, .text = at.text()};
  if (at.is_list()) {
    data.kind = Kind::list;
    for (const Cursor& e : at.elements()) data.list.push_back(data_of(e, diag));
  } else if (at.is_map()) {
    data.kind = Kind::mapping;
    for (const auto& [name, entry] : at.entries(diag))
      data.entries.emplace_back(name, data_of(entry, diag));
  }
  return data;
}

}  // namespace

DataSpec data_of(const std::string& text) {
  Diagnostics diag;
  const auto root = parse_yaml(text, "test.yaml", diag);
  DataSpec data = root ? data_of(*root, diag) : DataSpec{};
  EXPECT_TRUE(diag.ok()) << diag.text();
  return data;
}

}  // namespace testkit
