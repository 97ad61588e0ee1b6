// SPDX-License-Identifier: Apache-2.0
#include "io/files.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>

#include "testkit/program.hpp"

namespace chicane::files_test {
namespace {

namespace fs = std::filesystem;

class Files : public testing::Test {
 protected:
  [[nodiscard]] fs::path at(const std::string& name) const { return fs::path(dir_.path()) / name; }
  testkit::TemporaryDirectory dir_;
};

TEST_F(Files, AreReplacedWholeAndLeaveNothingBeside) {
  write_whole(at("a"), "first");
  write_whole(at("a"), "second", Durable::yes);
  EXPECT_EQ(dir_.read("a"), "second");
  EXPECT_EQ(std::distance(fs::directory_iterator(dir_.path()), {}), 1);
}

TEST_F(Files, KeepWhatTheyHadWhenTheNewTextCannotBeWritten) {
  write_whole(at("a"), "first");
  fs::create_directory(temporary_of(at("a")));  // in the way
  EXPECT_THROW(write_whole(at("a"), "second"), std::runtime_error);
  EXPECT_EQ(dir_.read("a"), "first");
}

TEST_F(Files, ThatAreDevicesAreWrittenAsTheyAre) {
  if (!fs::exists("/dev/full")) GTEST_SKIP() << "no /dev/full here";
  EXPECT_THROW(write_whole("/dev/full", "text"), std::runtime_error);
  EXPECT_TRUE(fs::is_character_file("/dev/full"));
}

TEST_F(Files, AreReadUpToALimitAndNoFurther) {
  dir_.write("ten", "0123456789");
  std::string why;
  EXPECT_EQ(read_limited(at("ten"), 10, why), "0123456789");
  EXPECT_FALSE(read_limited(at("ten"), 9, why));
  EXPECT_NE(why.find("too large"), std::string::npos);
  EXPECT_EQ(read_start(at("ten"), 4), "0123");
  EXPECT_FALSE(read_limited("/dev/zero", 10, why));
  EXPECT_FALSE(read_limited(dir_.path(), 10, why));
  EXPECT_FALSE(read_limited(at("none"), 10, why));
  ASSERT_EQ(mkfifo(at("pipe").c_str(), 0600), 0);
  EXPECT_FALSE(read_limited(at("pipe"), 10, why));  // and does not wait for a writer
}

// A limit on the size of files stands in for a full disk; it falls inside a line.
[[noreturn]] void fill(const fs::path& path) {
  std::signal(SIGXFSZ, SIG_IGN);
  const rlimit limit{100'003, 100'003};  // [byte]
  setrlimit(RLIMIT_FSIZE, &limit);
  try {
    LineFile file(path);
    for (int i = 0; i < 100'000; ++i) file.add("0123456789\n");
    file.flush();
  } catch (const std::runtime_error&) {
    std::exit(0);
  }
  std::exit(1);
}

TEST_F(Files, OfLinesEndWithALineWhenTheDiskIsFull) {
  EXPECT_EXIT(fill(at("lines")), testing::ExitedWithCode(0), "^$");
  const std::string text = dir_.read("lines");
  EXPECT_EQ(text.size(), 100'003 / 11 * 11);
  EXPECT_EQ(text.back(), '\n');
}

}  // namespace
}  // namespace chicane::files_test
