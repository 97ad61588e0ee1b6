// SPDX-License-Identifier: Apache-2.0

// The documentation keeps its word: every command of the tutorial runs and prints what the page
// shows, the examples run, and the tables of methods say what the program says.

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "testkit/program.hpp"

namespace chicane::tutorial_test {

namespace {

namespace fs = std::filesystem;

const fs::path kSource = CHICANE_SOURCE_DIR;

std::string read_text(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  EXPECT_TRUE(in) << "cannot read " << path;
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    line.erase(line.find_last_not_of(" \r") + 1);
    lines.push_back(line);
  }
  return lines;
}

std::string quoted(const std::string& word) {
  std::string out = "'";
  for (const char c : word) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

struct Outcome {
  int exit_code = -1;
  std::string output;  // stdout and stderr
};

// Runs a shell command in a directory, with the built program first on the path.
Outcome run_in(const fs::path& directory, const std::string& command) {
  const std::string bin = fs::path(CHICANE_BINARY).parent_path().string();
  const std::string script = "cd " + quoted(directory.string()) + " && PATH=" + quoted(bin) +
                             ":$PATH && export PATH && { " + command + "\n} 2>&1";
  Outcome outcome;
  std::FILE* pipe = popen(script.c_str(), "r");
  if (pipe == nullptr) return outcome;
  char buffer[4096];
  for (std::size_t n = 0; (n = std::fread(buffer, 1, sizeof buffer, pipe)) > 0;)
    outcome.output.append(buffer, n);
  const int status = pclose(pipe);
  if (WIFEXITED(status)) outcome.exit_code = WEXITSTATUS(status);
  return outcome;
}

// --- pages --------------------------------------------------------------------------------------

struct Command {
  std::string text;
  int line = 0;  // in the page
  int exit_code = 0;
  std::vector<std::string> shown;  // output lines of the page
};

// What a page asks the reader to do, in its order: write a file, or run a command.
struct Action {
  std::string file, content;  // a file to write ...
  Command command;            // ... where file is empty, a command to run
};

constexpr std::string_view kExits = "# exits ";

// ```yaml and ```csv blocks whose first line is "# NAME" are files; ```console blocks have "$
// command" lines, each followed by lines of its output. "# exits N" behind a command is the
// expected exit code.
std::vector<Action> actions_of(const std::string& page) {
  std::vector<Action> actions;
  std::string language;
  bool inside = false;
  int number = 0;
  for (const std::string& line : lines_of(page)) {
    ++number;
    if (line.starts_with("```")) {
      inside = !inside;
      language = inside ? line.substr(3) : "";
      if (language == "yaml" || language == "csv") actions.emplace_back();
      continue;
    }
    if (language == "yaml" || language == "csv") {
      Action& a = actions.back();
      if (a.content.empty() && line.starts_with("# ")) a.file = line.substr(2);
      a.content += line + "\n";
    } else if (language == "console" && line.starts_with("$ ")) {
      Command c{line.substr(2), number, 0, {}};
      if (const auto at = c.text.find(kExits); at != std::string::npos)
        c.exit_code = std::stoi(c.text.substr(at + kExits.size()));
      actions.push_back({"", "", c});
    } else if (language == "console" && !line.empty()) {
      actions.back().command.shown.push_back(line);
    }
  }
  EXPECT_FALSE(inside) << "a fenced block does not end";
  std::erase_if(actions, [](const Action& a) { return a.file.empty() && a.command.text.empty(); });
  return actions;
}

// A line of the page that begins with "... " is the end of a line of output; one that ends with
// "...", too, is a part of it, as where a last digit is not the same for every compiler.
bool agrees(const std::string& shown, const std::string& printed) {
  if (!shown.starts_with("... ")) return printed == shown;
  const std::string line = shown.substr(4);
  if (!line.ends_with("...")) return printed.ends_with(line);
  return printed.find(line.substr(0, line.size() - 3)) != std::string::npos;
}

// Everything that is wrong with what a command did; empty when it did what the page says.
std::string fault_of(const Command& c, const Outcome& outcome) {
  std::string fault;
  if (outcome.exit_code != c.exit_code)
    fault += "exit code " + std::to_string(outcome.exit_code) + ", the page says " +
             std::to_string(c.exit_code) + "\n";
  const std::vector<std::string> printed = lines_of(outcome.output);
  for (const std::string& line : c.shown)
    if (std::none_of(printed.begin(), printed.end(),
                     [&](const std::string& p) { return agrees(line, p); }))
      fault += "the page shows, but the program did not print: " + line + "\n";
  return fault;
}

// Does all a page asks for in one directory; returns the number of commands.
int follow(const fs::path& page) {
  const testkit::TemporaryDirectory work;
  int commands = 0;
  for (const Action& action : actions_of(read_text(page))) {
    if (!action.file.empty()) {
      std::ofstream(fs::path(work.path()) / action.file) << action.content;
      continue;
    }
    ++commands;
    const Outcome outcome = run_in(work.path(), action.command.text);
    const std::string fault = fault_of(action.command, outcome);
    EXPECT_TRUE(fault.empty()) << page.filename() << ":" << action.command.line << ": $ "
                               << action.command.text << "\n"
                               << fault << "it printed:\n"
                               << outcome.output;
  }
  return commands;
}

TEST(Tutorial, EveryCommandRunsAndPrintsWhatThePageShows) {
  EXPECT_GE(follow(kSource / "docs/tutorial.md"), 20);
}

// One test for each page with commands: failures have its name, and both cores have work.
class HowToPages : public testing::TestWithParam<fs::path> {};

std::vector<fs::path> how_to_pages() {
  std::vector<fs::path> pages;
  for (const auto& entry : fs::directory_iterator(kSource / "docs/howto"))
    if (read_text(entry.path()).find("\n$ ") != std::string::npos) pages.push_back(entry.path());
  std::sort(pages.begin(), pages.end());
  return pages;
}

TEST_P(HowToPages, EveryCommandRunsAndPrintsWhatThePageShows) { EXPECT_GE(follow(GetParam()), 1); }

TEST(HowTo, HasPagesWithCommands) { EXPECT_GE(how_to_pages().size(), 10U); }

INSTANTIATE_TEST_SUITE_P(Docs, HowToPages, testing::ValuesIn(how_to_pages()), [](const auto& page) {
  std::string name = page.param.stem().string();
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

// The checks above would be worth nothing if they could not fail.
TEST(FollowingAPage, SeesWrongExitCodesAndMissingOutput) {
  const auto actions = actions_of("```console\n$ echo one; exit 3\ntwo\n$ exit 1 # exits 1\n```\n");
  ASSERT_EQ(actions.size(), 2U);
  const testkit::TemporaryDirectory work;
  const Command& wrong = actions[0].command;
  const std::string fault = fault_of(wrong, run_in(work.path(), wrong.text));
  EXPECT_NE(fault.find("exit code 3, the page says 0"), std::string::npos) << fault;
  EXPECT_NE(fault.find("did not print: two"), std::string::npos) << fault;
  const Command& right = actions[1].command;
  EXPECT_EQ(fault_of(right, run_in(work.path(), right.text)), "");
}

// --- examples -----------------------------------------------------------------------------------

TEST(Examples, CheckAndRunWithoutAFault) {
  std::vector<fs::path> models;
  for (const auto& entry : fs::directory_iterator(kSource / "examples"))
    if (entry.path().extension() == ".yaml") models.push_back(entry.path());
  std::sort(models.begin(), models.end());
  ASSERT_GE(models.size(), 3U);

  const testkit::TemporaryDirectory work;
  for (const fs::path& model : models) {
    const Outcome check = run_in(work.path(), "chicane check --json " + quoted(model.string()));
    ASSERT_EQ(check.exit_code, 0) << check.output;
    const auto verdict = nlohmann::json::parse(check.output);
    EXPECT_TRUE(verdict.at("warnings").empty()) << verdict;

    const Outcome run = run_in(
        work.path(), "chicane run --json --out " + model.stem().string() + " " + quoted(model));
    ASSERT_EQ(run.exit_code, 0) << run.output;
    const auto result = nlohmann::json::parse(run.output);
    EXPECT_EQ(result.at("status"), "ok");
    EXPECT_GT(result.at("frames"), 0);
  }
}

TEST(SeveralTests, LeavesOneStretchOfRowsPerTest) {
  const testkit::TemporaryDirectory work;
  const Outcome run = run_in(work.path(), "chicane run --json --out out " +
                                              quoted(kSource / "examples/03-several-tests.yaml"));
  ASSERT_EQ(run.exit_code, 0) << run.output;
  // Each test restarts the car at its own speed; rows are written during tests only.
  const auto rows = lines_of(read_text(fs::path(work.path()) / "out/results.csv"));
  ASSERT_GT(rows.size(), 3U);
  int stretches = 1;
  double before = -1;
  for (std::size_t i = 2; i < rows.size(); ++i) {
    const double t = std::stod(rows[i]);
    if (before >= 0 && t - before > 0.15) ++stretches;
    before = t;
  }
  EXPECT_EQ(stretches, 3);
}

// --- tables -------------------------------------------------------------------------------------

TEST(MethodTables, SayWhatTheProgramSays) {
  const testkit::TemporaryDirectory work;
  const Outcome list = run_in(work.path(), "chicane list methods --json");
  ASSERT_EQ(list.exit_code, 0) << list.output;
  const nlohmann::json methods = nlohmann::json::parse(list.output).at("methods");
  for (const char* page : {"README.md", "docs/theory/methods.md"}) {
    const std::string text = read_text(kSource / page);
    for (const auto& m : methods) {
      char limits[64];
      std::snprintf(limits, sizeof limits, "%.4g | %.4g |", m.at("real_limit").get<double>(),
                    m.at("imaginary_limit").get<double>());
      const auto word = [&](const char* key) { return m.at(key).get<bool>() ? "yes" : "no"; };
      std::ostringstream row;
      row << "| `" << m.at("name").get<std::string>() << "` | " << m.at("order") << " | "
          << m.at("evaluations") << " | " << m.at("old_steps") << " | " << word("half_step")
          << " | " << word("real_time") << " | " << limits;
      EXPECT_NE(text.find(row.str()), std::string::npos)
          << page << " has no row that begins: " << row.str();
    }
  }
}

}  // namespace
}  // namespace chicane::tutorial_test
