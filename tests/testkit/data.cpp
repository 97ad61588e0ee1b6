// SPDX-License-Identifier: Apache-2.0
#include "testkit/data.hpp"

#include <gtest/gtest.h>

#include "io/reader/data.hpp"
#include "io/reader/yaml.hpp"

namespace testkit {

using namespace chicane;

DataSpec data_of(const std::string& text) {
  Diagnostics diag;
  const auto root = parse_yaml(text, "test.yaml", diag);
  DataSpec data = root ? read_data(*root, diag) : DataSpec{};
  EXPECT_TRUE(diag.ok()) << diag.text();
  return data;
}

}  // namespace testkit
