// SPDX-License-Identifier: Apache-2.0
#include "io/plot/gnuplot.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <system_error>
#include <thread>

extern char** environ;

namespace chicane {

namespace {

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, CloseFile>;

[[noreturn]] void fail(const std::string& what, int error) {
  throw std::runtime_error(
      fmt::format("cannot {}: {}", what, std::generic_category().message(error)));
}

File temporary_file() {
  File file(std::tmpfile());
  if (!file) fail("make a temporary file", errno);
  return file;
}

// The picture while it is drawn; it gets its name only when it is whole.
class Draft {
 public:
  explicit Draft(const std::filesystem::path& target) : target_(target), draft_(target) {
    draft_ += ".tmp";
    file_.reset(std::fopen(draft_.c_str(), "wbe"));
    if (!file_) fail("write " + target_.string(), errno);
  }
  ~Draft() { std::remove(draft_.c_str()); }  // gone already when kept
  Draft(const Draft&) = delete;
  Draft& operator=(const Draft&) = delete;

  [[nodiscard]] int descriptor() const { return fileno(file_.get()); }
  void keep() const {
    if (std::rename(draft_.c_str(), target_.c_str()) != 0) fail("write " + target_.string(), errno);
  }

 private:
  std::filesystem::path target_;
  std::filesystem::path draft_;
  File file_;
};

// Its wait status; nothing when it has not ended in time. It has then been killed.
std::optional<int> wait_for(pid_t child, std::chrono::milliseconds patience) {
  const auto end = std::chrono::steady_clock::now() + patience;
  for (auto pause = std::chrono::microseconds(500);;
       pause = std::min(2 * pause, std::chrono::microseconds(20'000))) {
    int status = 0;
    const pid_t ended = waitpid(child, &status, WNOHANG);
    if (ended == child) return status;
    if (ended < 0 && errno != EINTR) fail("wait for gnuplot", errno);
    if (std::chrono::steady_clock::now() >= end) {
      kill(-child, SIGKILL);  // it and what it has started
      while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
      }
      return std::nullopt;
    }
    std::this_thread::sleep_for(pause);
  }
}

// Starts gnuplot, without a shell and without the user's settings, and waits for it. Files instead
// of pipes: neither side can ever wait for the other. Gives the wait status, if it ended in time.
std::optional<int> run(int script, int output, int messages, std::chrono::milliseconds patience) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, script, STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, messages, STDERR_FILENO);
  posix_spawnattr_t group_of_its_own;
  posix_spawnattr_init(&group_of_its_own);
  posix_spawnattr_setflags(&group_of_its_own, POSIX_SPAWN_SETPGROUP);
  posix_spawnattr_setpgroup(&group_of_its_own, 0);

  std::string name = "gnuplot";
  std::string option = "--default-settings";
  const std::array<char*, 3> arguments{name.data(), option.data(), nullptr};
  pid_t child = 0;
  const int error =
      posix_spawnp(&child, name.c_str(), &actions, &group_of_its_own, arguments.data(), environ);
  posix_spawnattr_destroy(&group_of_its_own);
  posix_spawn_file_actions_destroy(&actions);
  if (error == ENOENT || error == ENOTDIR) {
    throw std::runtime_error(
        "gnuplot is not on PATH, and plots need it: install the package gnuplot-nox");
  }
  if (error != 0) fail("start gnuplot", error);

  return wait_for(child, patience);
}

// From the beginning, without blank ends.
std::string text_of(std::FILE* file) {
  std::string text;
  std::array<char, 4096> buffer;
  std::rewind(file);
  while (const std::size_t n = std::fread(buffer.data(), 1, buffer.size(), file)) {
    text.append(buffer.data(), n);
  }
  constexpr std::string_view kBlank = " \t\r\n";
  text.erase(0, text.find_first_not_of(kBlank));
  text.erase(text.find_last_not_of(kBlank) + 1);
  return text;
}

}  // namespace

void run_gnuplot(const std::string& script, const std::filesystem::path& output,
                 std::chrono::milliseconds patience) {
  const Draft draft(output);
  const File input = temporary_file();
  if (std::fwrite(script.data(), 1, script.size(), input.get()) != script.size() ||
      std::fflush(input.get()) != 0) {
    fail("write a temporary file", errno);
  }
  std::rewind(input.get());
  const File messages = temporary_file();

  const auto status =
      run(fileno(input.get()), draft.descriptor(), fileno(messages.get()), patience);
  if (!status)
    throw std::runtime_error(
        fmt::format("gnuplot could not draw {}: it had not ended after {:.3g} s", output.string(),
                    std::chrono::duration<double>(patience).count()));
  const bool drawn = lseek(draft.descriptor(), 0, SEEK_END) > 0;
  if (!WIFEXITED(*status) || WEXITSTATUS(*status) != 0 || !drawn) {
    const std::string said = text_of(messages.get());
    throw std::runtime_error(fmt::format("gnuplot could not draw {}: {}", output.string(),
                                         said.empty() ? "it gave no reason" : said));
  }
  draft.keep();
}

}  // namespace chicane
