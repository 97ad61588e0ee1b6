// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <sstream>

#include "cli/app.hpp"
#include "cli/json.hpp"
#include "cli/program.hpp"
#include "cli/say.hpp"
#include "cli/suggest.hpp"

namespace {

using namespace chicane;

// Files that are opened later must not take the place of stdin, stdout or stderr. What is written
// to a stdout that is closed fails, as it should.
void hold_standard_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (fcntl(stream, F_GETFD) < 0) {
      const int dummy = open("/dev/null", stream == STDERR_FILENO ? O_WRONLY : O_RDONLY);
      if (dummy >= 0 && dummy != stream) {
        dup2(dummy, stream);
        close(dummy);
      }
    }
}

// Parses, does what is asked, and answers: with `--json` in one object, whatever happens.
int answered(CLI::App& app, int argc, char** argv, const int& exit_code) {
  const bool json = std::any_of(
      argv, argv + argc, [](const char* word) { return std::string_view(word) == "--json"; });
  const auto failed = [json](int code, const std::string& words, const std::string& message) {
    cli::say("{}", words);
    try {
      if (json) cli::print_json(cli::failure(message));
    } catch (const std::exception&) {  // nobody listens there either
    }
    return code;
  };
  int code = exit_code;
  try {
    app.parse(argc, argv);
    code = exit_code;
  } catch (const CLI::ParseError& e) {
    std::ostringstream out, err;
    if (app.exit(e, out, err) != 0) {
      const std::string meant = cli::suggestion(app, {argv + 1, argv + argc});
      code = meant.empty() ? failed(cli::kUsage, err.str(), e.what())
                           : failed(cli::kUsage, fmt::format("chicane: {}\n", meant), meant);
    } else {
      const std::string text = out.str();
      std::fwrite(text.data(), 1, text.size(), stdout);
    }
  } catch (const std::exception& e) {
    code = failed(cli::kRunFailed, fmt::format("chicane: {}\n", e.what()), e.what());
  }
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return code;
  if (errno != EPIPE) cli::say("chicane: cannot write to standard output\n");
  return code == cli::kOk ? cli::kRunFailed : code;
}

}  // namespace

int chicane::cli::program(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);  // a write that fails says so
  std::signal(SIGXFSZ, SIG_IGN);  // and so does one beyond the limit of a file's size
  hold_standard_streams();
  cli::Program program(argc, argv);
  return answered(program.app, argc, argv, program.exit_code);
}
