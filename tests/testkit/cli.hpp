// SPDX-License-Identifier: Apache-2.0
#pragma once

// Tests of the program as its users meet it. Only for programs that know CHICANE_BINARY.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "testkit/program.hpp"

namespace testkit {

class CliTest : public testing::Test {
 protected:
  [[nodiscard]] Outcome chicane(const std::vector<std::string>& arguments) const {
    return run_program(CHICANE_BINARY, arguments, dir_.path());
  }
  nlohmann::json json(std::vector<std::string> arguments) const {
    arguments.emplace_back("--json");
    const auto outcome = chicane(arguments);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return nlohmann::json::parse(outcome.out);
  }
  // Rows of a results.csv from time `from` on, as text.
  [[nodiscard]] std::string rows_from(const std::string& file, double from) const {
    std::istringstream in(dir_.read(file));
    std::string line, rows;
    std::getline(in, line);
    std::getline(in, line);
    while (std::getline(in, line))
      if (std::stod(line) >= from) rows += line + "\n";
    return rows;
  }
  TemporaryDirectory dir_;
};

}  // namespace testkit
