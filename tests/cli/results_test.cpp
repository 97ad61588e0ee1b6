// SPDX-License-Identifier: Apache-2.0

// Results that cannot lie: whatever ends a run, its directory says what it is worth.

#include <fcntl.h>
#include <gtest/gtest.h>
#include <hdf5.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <functional>
#include <thread>

#include "io/checkpoint.hpp"
#include "io/run_directory.hpp"
#include "testkit/cli.hpp"

namespace results_test {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

class Results : public testkit::CliTest {
 protected:
  [[nodiscard]] Json manifest(const std::string& out = "r") const {
    return Json::parse(dir_.read(out + "/manifest.json"));
  }

  // A long run that gets a signal when `ready` says so; gives its wait status.
  int signalled(int signal, const std::vector<std::string>& arguments,
                const std::function<bool()>& ready) const {
    const pid_t child = fork();
    if (child == 0) {
      std::vector<char*> argv{const_cast<char*>(CHICANE_BINARY)};
      for (const std::string& a : arguments) argv.push_back(const_cast<char*>(a.c_str()));
      argv.push_back(nullptr);
      const int nowhere = open("/dev/null", O_WRONLY);
      if (chdir(dir_.path().c_str()) == 0 && dup2(nowhere, 1) >= 0 && dup2(nowhere, 2) >= 0)
        execv(CHICANE_BINARY, argv.data());
      _exit(127);
    }
    for (int k = 0; k < 30'000 && !ready(); ++k)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    kill(child, signal);
    int status = 0;
    waitpid(child, &status, 0);
    return status;
  }
  [[nodiscard]] bool has_rows(const std::string& out) const {
    return dir_.read(out + "/results.csv").size() > 1000;
  }

  const std::vector<std::string> long_run_{"run",     "two-scale", "--step",  "1us",
                                           "--until", "1e5",       "--every", "100",
                                           "--out",   "r",         "--quiet"};
};

std::size_t rows_in(const std::string& file) {
  if (!fs::exists(file)) return 0;
  const hid_t f = H5Fopen(file.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  if (f < 0) return 0;
  const hid_t d = H5Dopen2(f, "/time", H5P_DEFAULT), s = H5Dget_space(d);
  hsize_t n = 0;
  H5Sget_simple_extent_dims(s, &n, nullptr);
  std::vector<double> time(n);
  const bool read = H5Dread(d, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, time.data()) >= 0;
  for (std::size_t k = 1; k < n; ++k)
    if (!(time[k] > time[k - 1])) n = 0;
  H5Sclose(s);
  H5Dclose(d);
  H5Fclose(f);
  return read ? n : 0;
}

TEST_F(Results, OfASecondRunInAUsedDirectoryAreItsOwnOnly) {
  json({"run", "two-scale", "--out", "r", "--checkpoint", "1s", "--plot"});
  json({"run", "quarter-car-a", "--out", "r", "--until", "0.1"});
  for (const char* gone : {"checkpoint.json", "plot.png", "plot.svg", ".lock"})
    EXPECT_FALSE(fs::exists(dir_.path() + "/r/" + gone)) << gone;
  EXPECT_EQ(manifest().at("status"), "ok");
  EXPECT_EQ(manifest().at("files"), Json({"echo.yaml", "log.txt", "results.csv", "results.h5"}));
}

TEST_F(Results, AreNotMixedWithThoseOfAnotherRun) {
  chicane::Diagnostics diag;
  const auto held = chicane::RunDirectory::open(
      {.out = dir_.path() + "/r", .name = "x", .files = {"results.csv"}}, diag);
  ASSERT_TRUE(held);
  for (const std::vector<std::string>& command :
       {std::vector<std::string>{"run", "two-scale"},
        {"compare", "two-scale", "--until", "0.1", "--schemes", "single-rate", "--methods", "ab2"},
        {"stability", "rk4"},
        {"linearize", "two-scale"}}) {
    auto arguments = command;
    arguments.insert(arguments.end(), {"--out", "r", "--json"});
    const auto outcome = chicane(arguments);
    EXPECT_EQ(outcome.code, 1) << command[0];
    EXPECT_NE(outcome.err.find("another program writes into it"), std::string::npos) << outcome.err;
    EXPECT_NE(Json::parse(outcome.out).at("status"), "ok");
  }
  EXPECT_FALSE(fs::exists(dir_.path() + "/r/results.csv"));
}

TEST_F(Results, OfOthersAreNotTouched) {
  fs::create_directory(dir_.path() + "/r");
  dir_.write("r/results.csv", "mine");
  const auto outcome = chicane({"run", "two-scale", "--out", "r"});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_NE(outcome.err.find("that no run has written"), std::string::npos) << outcome.err;
  EXPECT_EQ(dir_.read("r/results.csv"), "mine");
}

TEST_F(Results, OfAnInterruptedRunAreWholeUpToThereAndItGoesOn) {
  std::vector<std::string> arguments = long_run_;
  arguments.emplace_back("--plot");
  for (const int signal : {SIGINT, SIGTERM}) {
    const int status = signalled(signal, arguments, [this] { return has_rows("r"); });
    ASSERT_TRUE(WIFEXITED(status));
    EXPECT_EQ(WEXITSTATUS(status), 128 + signal);
    EXPECT_EQ(manifest().at("status"), "interrupted");
    EXPECT_FALSE(fs::exists(dir_.path() + "/r/plot.png"));  // who interrupts does not want to wait
    const std::string rows = dir_.read("r/results.csv");
    EXPECT_EQ(rows.back(), '\n');
    const double last = std::stod(rows.substr(rows.rfind('\n', rows.size() - 2) + 1));
    const double end = manifest().at("end_time");
    EXPECT_LT(end - last, 100.5e-6);  // of every 100th frame
    EXPECT_NE(dir_.read("r/log.txt").find(signal == SIGINT ? "SIGINT" : "SIGTERM"),
              std::string::npos);
    const Json rest = json({"run", "r/echo.yaml", "--resume", "r/checkpoint.json", "--out", "rest",
                            "--until", std::to_string(end + 0.001)});
    EXPECT_NEAR(rest.at("end_time").get<double>(), end + 0.001, 2e-6);
    fs::remove_all(dir_.path() + "/r");
    fs::remove_all(dir_.path() + "/rest");
  }
}

// Held to real time, a run of one frame waits after it: the checkpoint says that the frame is over.
TEST_F(Results, OfARunThatIsAtItsEndAreNotInterrupted) {
  const int status =
      signalled(SIGTERM,
                {"run", "quarter-car-a", "--method", "rk4", "--step", "500ms", "--until", "500ms",
                 "--checkpoint", "500ms", "--realtime", "--quiet", "--out", "r"},
                [this] { return fs::exists(dir_.path() + "/r/checkpoint.json"); });
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
  EXPECT_EQ(manifest().at("status"), "ok");
  EXPECT_EQ(manifest().at("end_time"), 0.5);
}

TEST_F(Results, OfAKilledRunCanBeReadAndDoNotPassForWhole) {
  const std::string h5 = dir_.path() + "/r/results.h5";
  const int status = signalled(SIGKILL, long_run_, [&] { return rows_in(h5) > 0; });
  ASSERT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(manifest().at("status"), "running");
  EXPECT_GT(rows_in(h5), 0U);
  const std::string rows = dir_.read("r/results.csv");
  EXPECT_EQ(rows.back(), '\n');
  EXPECT_EQ(json({"run", "two-scale", "--out", "r"}).at("status"), "ok");  // nobody holds it
}

// A limit on the size of files stands in for a full disk.
TEST_F(Results, OnAFullDiskAreMarkedAsFailed) {
  for (const char* blocks : {"1", "4", "16", "64"}) {
    const auto outcome = testkit::run_program(
        "/bin/bash",
        {"-c", std::string("ulimit -f ") + blocks + " && exec " + CHICANE_BINARY +
                   " run two-scale --step 1ms --out r --json"},
        dir_.path());
    EXPECT_EQ(outcome.code, 3) << blocks << outcome.err;
    EXPECT_NE(Json::parse(outcome.out).at("status"), "ok");
    EXPECT_EQ(manifest().at("status"), "failed") << blocks;
  }
}

TEST_F(Results, ThatCannotBePrintedAreNoSuccess) {
  for (const char* closed : {">&-", ">/dev/full", ">&- 2>&-", "<&- >&- 2>&-"}) {
    const auto outcome = testkit::run_program(
        "/bin/bash",
        {"-c", std::string(CHICANE_BINARY) + " run two-scale --out r --json " + closed},
        dir_.path());
    EXPECT_EQ(outcome.code, 3) << closed;
    // what is printed has gone into no file
    EXPECT_EQ(dir_.read("r/results.csv").find("status"), std::string::npos) << closed;
    EXPECT_EQ(rows_in(dir_.path() + "/r/results.h5"), 1001U) << closed;
  }
}

TEST_F(Results, AreKeptWhenThePlotFails) {
  dir_.write("gnuplot", "#!/bin/sh\necho broken >&2\nexit 1\n");
  fs::permissions(dir_.path() + "/gnuplot", fs::perms::owner_all);
  const auto with_fake = [&](const std::string& arguments) {
    return testkit::run_program(
        "/bin/bash", {"-c", "PATH=" + dir_.path() + ":$PATH " + CHICANE_BINARY + " " + arguments},
        dir_.path());
  };
  const auto outcome = with_fake("run two-scale --plot --out r --json");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  const Json j = Json::parse(outcome.out);
  EXPECT_EQ(j.at("status"), "ok");
  ASSERT_EQ(j.at("warnings").size(), 1U);
  EXPECT_NE(j.at("warnings")[0].at("text").get<std::string>().find("broken"), std::string::npos);
  const auto stability = with_fake("stability rk4 --plot --out s --json");
  EXPECT_EQ(stability.code, 0) << stability.err;
  EXPECT_EQ(Json::parse(stability.out).at("warnings").size(), 1U);
  EXPECT_EQ(manifest("s").at("status"), "ok");
}

TEST_F(Results, AreCheckpointedAgainAndAgain) {
  json({"run", "two-scale", "--out", "r", "--checkpoint-every", "3s"});
  EXPECT_EQ(Json::parse(dir_.read("r/checkpoint.json")).at("time"), 9.0);
  const std::string log = dir_.read("r/log.txt");
  for (const char* time : {"t = 3 s", "t = 6 s", "t = 9 s"})
    EXPECT_NE(log.find(time), std::string::npos) << log;
  EXPECT_EQ(chicane({"run", "two-scale", "--checkpoint-every", "3m"}).code, 1);
}

// A rate of a loop follows from the others: another one, under a right checksum, is no state of a
// run. Faults of the start of a resumed run are the checkpoint's.
TEST_F(Results, OfARunDoNotBeginWhereNoRunCanBe) {
  const auto resumed = [&](const std::string& model, const std::string& state, double factor) {
    json({"run", model, "--until", "0.2", "--checkpoint", "0.1", "--out", "r"});
    const std::string good = dir_.read("r/checkpoint.json");
    const std::size_t at = good.find("\"" + state + "\": ") + state.size() + 4;
    std::size_t digits = 0;
    const double value = std::stod(good.substr(at), &digits);
    dir_.write("c.json",
               chicane::with_checksum(good.substr(0, at) + std::to_string(value * factor) +
                                      good.substr(at + digits)));
    return chicane({"run", model, "--until", "0.2", "--resume", "c.json", "--out", "s"});
  };
  const auto refused = [&](const std::string& model, const std::string& state, double factor,
                           const std::string& why) {
    const auto outcome = resumed(model, state, factor);
    EXPECT_EQ(outcome.code, 1);
    EXPECT_NE(outcome.err.find("c.json: resume: cannot go on from this checkpoint: " + why),
              std::string::npos)
        << outcome.err;
  };
  refused("four-bar", "D.angle_rate", 1.01,
          "its states do not belong together: 'D.angle_rate' is ");
  EXPECT_EQ(resumed("four-bar", "D.angle_rate", 1.0).code, 0);  // with fewer digits: closed again
  refused("two-scale", "x1", 1e13, "state 'x1' starts at ");
}

TEST_F(Results, OfAResumedRunSayWhatWasChanged) {
  json({"run", "quarter-car-a", "--out", "a", "--checkpoint", "1s"});
  const std::vector<std::string> stiff{"run",      "quarter-car-a",     "--set", "m=350 kg",
                                       "--resume", "a/checkpoint.json", "--out", "b"};
  const auto refused = chicane(stiff);
  EXPECT_EQ(refused.code, 1);
  EXPECT_NE(refused.err.find("parameters.m was"), std::string::npos) << refused.err;
  auto allowed = stiff;
  allowed.emplace_back("--resume-with-changes");
  const Json j = json(allowed);
  EXPECT_NE(j.at("warnings")[0].at("text").get<std::string>().find("parameters.m"),
            std::string::npos);
  EXPECT_NE(dir_.read("b/echo.yaml").find("# Resumed with a change: parameters.m"),
            std::string::npos);
  ASSERT_EQ(chicane({"run", "b/echo.yaml", "--out", "c", "--quiet"}).code, 0);
  EXPECT_EQ(dir_.read("b/results.csv"), dir_.read("c/results.csv"));
  EXPECT_EQ(chicane({"run", "two-scale", "--resume-with-changes"}).code, 1);
}

TEST_F(Results, OfFilesThatAreNoModelsAreNotShown) {
  dir_.write("secret", "root:$6$secret$hash:19000:0\n");
  dir_.write("a.yaml", "format: chicane/1\nbase: secret\n");
  dir_.write("b.yaml", "format: chicane/1\ntopology: {file: secret}\n");
  dir_.write("c.yaml",
             "format: chicane/1\nunits: none\nrun: {method: secret}\nstates: {x: {der: 1}}\n");
  for (const char* file : {"a.yaml", "b.yaml", "c.yaml"}) {
    const auto outcome = chicane({"check", file});
    EXPECT_EQ(outcome.code, 1);
    EXPECT_EQ(outcome.err.find("hash"), std::string::npos) << outcome.err;
    EXPECT_NE(outcome.err.find("no file of chicane"), std::string::npos) << outcome.err;
  }
  // a file without end, or a very large one, costs neither time nor memory
  dir_.write("d.yaml", "format: chicane/1\nbase: /dev/zero\n");
  EXPECT_EQ(chicane({"check", "d.yaml"}).code, 1);
  dir_.write("e.yaml", "format: chicane/1\nbase: large.yaml\n");
  dir_.write("large.yaml", "format: chicane/1\n#");
  fs::resize_file(dir_.path() + "/large.yaml", 10'000'000'000);
  const auto large = chicane({"check", "e.yaml"});
  EXPECT_EQ(large.code, 1);
  EXPECT_NE(large.err.find("too large"), std::string::npos) << large.err;
}

}  // namespace
}  // namespace results_test
