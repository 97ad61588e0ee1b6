// SPDX-License-Identifier: Apache-2.0
#include "io/run_directory.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <nlohmann/json.hpp>

#include "testkit/program.hpp"

namespace chicane::run_directory_test {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

class RunDirectories : public testing::Test {
 protected:
  std::unique_ptr<RunDirectory> open(std::vector<std::string> files, const char* facts = "{}") {
    diag_ = {};
    return RunDirectory::open(
        {.out = dir_.path() + "/r", .name = "model", .files = files, .facts = facts}, diag_);
  }
  [[nodiscard]] Json manifest() const { return Json::parse(dir_.read("r/manifest.json")); }
  [[nodiscard]] bool exists(const std::string& name) const {
    return fs::exists(fs::path(dir_.path()) / "r" / name);
  }
  testkit::TemporaryDirectory dir_;
  Diagnostics diag_;
};

TEST_F(RunDirectories, SayRunningUntilTheyAreFinished) {
  auto directory = open({"a.txt", "b.txt"}, R"({"seed": 3})");
  ASSERT_TRUE(directory) << diag_.text();
  EXPECT_EQ(manifest().at("status"), "running");
  EXPECT_EQ(manifest().at("seed"), 3);
  directory->write("a.txt", "text");
  directory->finish(RunStatus::ok, "", R"({"frames": 7})");
  EXPECT_EQ(manifest().at("status"), "ok");
  EXPECT_EQ(manifest().at("frames"), 7);
  EXPECT_EQ(manifest().at("files"), Json({"a.txt"}));  // those that are there
  EXPECT_THROW((void)directory->file("c.txt"), UsageError);
}

TEST_F(RunDirectories, AreRefusedToAnybodyElseMeanwhile) {
  auto first = open({"a.txt"});
  ASSERT_TRUE(first);
  EXPECT_FALSE(open({"a.txt"}));
  EXPECT_NE(diag_.text().find(fmt::format("process {}", getpid())), std::string::npos)
      << diag_.text();
  first.reset();
  EXPECT_TRUE(open({"a.txt"})) << diag_.text();
  EXPECT_FALSE(exists(".lock"));
}

TEST_F(RunDirectories, AreFreeAgainWhenTheirHolderIsKilled) {
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    const auto held = open({"a.txt"});
    held->write("a.txt", "half");
    kill(getpid(), SIGKILL);
  }
  int status = 0;
  waitpid(child, &status, 0);
  ASSERT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(manifest().at("status"), "running");
  EXPECT_TRUE(exists("a.txt"));
  EXPECT_TRUE(open({"b.txt"})) << diag_.text();
  EXPECT_FALSE(exists("a.txt"));
}

TEST_F(RunDirectories, LoseTheFilesOfTheLastRunAndNoOthers) {
  auto first = open({"a.txt", "b.txt"});
  first->write("a.txt", "1");
  first->write("b.txt", "1");
  first->finish(RunStatus::ok);
  first.reset();
  dir_.write("r/mine.txt", "mine");
  auto second = open({"b.txt", "c.txt"});
  ASSERT_TRUE(second);
  for (const char* gone : {"a.txt", "b.txt", "c.txt"}) EXPECT_FALSE(exists(gone)) << gone;
  EXPECT_EQ(dir_.read("r/mine.txt"), "mine");
}

TEST_F(RunDirectories, AreRefusedWhereOthersHaveFilesOfTheSameName) {
  fs::create_directory(dir_.path() + "/r");
  dir_.write("r/a.txt", "mine");
  EXPECT_FALSE(open({"a.txt"}));
  EXPECT_NE(diag_.text().find("'a.txt' that no run has written"), std::string::npos);
  EXPECT_EQ(dir_.read("r/a.txt"), "mine");
  EXPECT_TRUE(open({"b.txt"}));
  dir_.write("r/manifest.json", R"({"name": "an app", "files": ["a.txt"]})");
  EXPECT_FALSE(open({"b.txt"}));  // somebody else's manifest
  EXPECT_EQ(dir_.read("r/a.txt"), "mine");
}

TEST_F(RunDirectories, KeepWithinThemselvesWhateverAManifestLists) {
  fs::create_directory(dir_.path() + "/r");
  dir_.write("outside.txt", "mine");
  dir_.write("r/manifest.json",
             R"({"program": "chicane", "files": ["../outside.txt", "", ".", 3, "a/b"]})");
  EXPECT_TRUE(open({"a.txt"})) << diag_.text();
  EXPECT_EQ(dir_.read("outside.txt"), "mine");
}

TEST_F(RunDirectories, WriteWhatARunComesFromBeforeTheOldFilesGo) {
  auto first = open({"state"});
  first->write("state", "old");
  first->finish(RunStatus::ok);
  first.reset();
  const auto second = RunDirectory::open({.out = dir_.path() + "/r",
                                          .name = "model",
                                          .files = {"state", "from"},
                                          .first = {{"from", "old"}}},
                                         diag_);
  ASSERT_TRUE(second);
  EXPECT_EQ(dir_.read("r/from"), "old");
  EXPECT_FALSE(exists("state"));
}

TEST_F(RunDirectories, HaveFailedWhenNobodyFinishesThem) {
  open({"a.txt"}).reset();
  EXPECT_EQ(manifest().at("status"), "failed");
}

TEST_F(RunDirectories, NoticeThatTheyWereTakenAway) {
  auto first = open({"a.txt"});
  fs::remove_all(dir_.path() + "/r");
  EXPECT_THROW(first->write("a.txt", "1"), std::runtime_error);
  auto second = open({"a.txt"});
  ASSERT_TRUE(second);
  second->write("a.txt", "second");
  EXPECT_THROW(first->write("a.txt", "first"), std::runtime_error);
  EXPECT_THROW(first->finish(RunStatus::ok), std::runtime_error);
  first.reset();
  EXPECT_EQ(dir_.read("r/a.txt"), "second");
  EXPECT_EQ(manifest().at("status"), "running");
  EXPECT_TRUE(exists(".lock"));
}

}  // namespace
}  // namespace chicane::run_directory_test
