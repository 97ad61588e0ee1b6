// SPDX-License-Identifier: Apache-2.0

// The program itself over every file of tests/rejects: refused with exit code 1 and file:line,
// nothing left behind.

#include <gtest/gtest.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "testkit/program.hpp"

namespace rejects_test {
namespace {

namespace fs = std::filesystem;

using testkit::Outcome;

std::string content(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

class RejectedByTheProgram : public testing::Test {
 protected:
  void SetUp() override {
    for (const auto& entry : fs::directory_iterator(here_))
      if (entry.path().extension() == ".yaml") files_.push_back(entry.path());
    std::sort(files_.begin(), files_.end());
    ASSERT_FALSE(files_.empty());
  }

  [[nodiscard]] static Outcome chicane(const std::vector<std::string>& arguments) {
    return testkit::run_program(CHICANE_BINARY, arguments);
  }

  // The line that the file itself announces: "# expect: LINE: KEY: text".
  static int expected_line(const fs::path& path) {
    constexpr std::string_view kMark = "# expect: ";
    const std::string text = content(path);
    int line = 0;
    std::from_chars(text.data() + kMark.size(), text.data() + text.size(), line);
    return line;
  }

  static void expect_refused(const Outcome& o, const fs::path& path) {
    EXPECT_EQ(o.code, 1);
    EXPECT_EQ(o.out, "");
    EXPECT_NE(o.err.find(":" + std::to_string(expected_line(path)) + ": "), std::string::npos);
    // A file that is broken through another one names that other one.
    const bool own = o.err.find(path.filename().string()) != std::string::npos;
    EXPECT_TRUE(own || o.err.find("/parts/") != std::string::npos);
  }

  const fs::path here_ = fs::path(CHICANE_SOURCE_DIR) / "tests" / "rejects";
  testkit::TemporaryDirectory temporary_;
  const fs::path folder_ = temporary_.path();
  std::vector<fs::path> files_;
};

TEST_F(RejectedByTheProgram, CheckNamesFileAndLine) {
  for (const fs::path& path : files_) {
    const Outcome o = chicane({"check", path.string()});
    SCOPED_TRACE(path.filename().string() + "\n" + o.err);
    expect_refused(o, path);
  }
}

TEST_F(RejectedByTheProgram, RunLeavesNoResults) {
  const fs::path results = folder_ / "results";
  for (const fs::path& path : files_) {
    const Outcome o = chicane({"run", path.string(), "--out", results.string()});
    SCOPED_TRACE(path.filename().string() + "\n" + o.err);
    expect_refused(o, path);
    EXPECT_FALSE(fs::exists(results));
  }
}

TEST_F(RejectedByTheProgram, JsonListsTheFaults) {
  for (const char* name : {"unknown_key_top", "unknown_name", "loop_of_two", "yaml_tab", "binary",
                           "latin1", "fancy_minus", "step_zero", "base_missing"})
    for (const char* command : {"check", "run"}) {
      const fs::path path = here_ / (std::string(name) + ".yaml");
      std::vector<std::string> arguments{command, path.string(), "--json"};
      if (std::string_view(command) == "run")
        arguments.insert(arguments.end(), {"--out", (folder_ / "results").string()});
      const Outcome o = chicane(arguments);
      SCOPED_TRACE(path.filename().string() + "\n" + o.out + o.err);
      EXPECT_EQ(o.code, 1);
      const auto json = nlohmann::json::parse(o.out, nullptr, false);
      ASSERT_TRUE(json.is_object());
      EXPECT_NE(json.at("status"), "ok");
      ASSERT_EQ(json.at("errors").size(), 1U);
      const auto& error = json.at("errors")[0];
      EXPECT_EQ(error.at("file"), path.string());
      EXPECT_EQ(error.at("line"), expected_line(path));
      EXPECT_NE(error.at("message"), "");
    }
}

}  // namespace
}  // namespace rejects_test
