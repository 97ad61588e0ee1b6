// SPDX-License-Identifier: Apache-2.0

// What the program says to people: it fits the screen, and names what may be meant.

#include <fcntl.h>
#include <gtest/gtest.h>
#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "testkit/cli.hpp"

namespace people_test {
namespace {

class People : public testkit::CliTest {
 protected:
  [[nodiscard]] std::string out_of(const std::vector<std::string>& arguments) const {
    const auto outcome = chicane(arguments);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return outcome.out;
  }
};

std::size_t letters(const std::string& line) {
  return static_cast<std::size_t>(std::count_if(
      line.begin(), line.end(), [](char c) { return (static_cast<unsigned char>(c) >> 6) != 2; }));
}

// The first line of more than 80 letters.
std::string too_long(const std::string& text) {
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);)
    if (letters(line) > 80) return line;
  return "";
}

const std::vector<std::string> kCommands{
    "run",    "check",    "limit",    "bench", "linearize", "compare",    "advise", "stability",
    "design", "topology", "describe", "list",  "schema",    "completion", "tire",   "road"};

TEST_F(People, FindHelpOfEveryCommandIn80Columns) {
  EXPECT_EQ(too_long(out_of({"--help"})), "");
  for (const std::string& c : kCommands) {
    const std::string help = out_of({c, "--help"});
    EXPECT_EQ(too_long(help), "") << c;
    EXPECT_GT(help.size(), 100U);
  }
  EXPECT_EQ(too_long(out_of({"design", "prk", "--help"})), "");
}

TEST_F(People, FindSummariesIn80Columns) {
  for (const std::vector<std::string>& run :
       {std::vector<std::string>{"run", "two-scale", "--check-step"},
        {"run", "planar-vehicle", "--until", "0.1"},
        {"run", "double-wishbone", "--until", "0.1"},
        {"run", "hmmwv", "--until", "0.1"},
        {"run", "hmmwv", "--manoeuvre", "step-steer", "--until", "0.1", "--scheme", "multiframe",
         "--step", "1ms", "--ratio", "2"}})
    EXPECT_EQ(too_long(out_of(run)), "") << run[1];
  for (const char* what :
       {"models", "manoeuvres", "methods", "interpolators", "tableaus", "blocks"})
    EXPECT_EQ(too_long(out_of({"list", what})), "") << what;
}

TEST_F(People, AreToldWhatTheyMayHaveMeant) {
  struct Slip {
    std::vector<std::string> words;
    std::string meant;
    int code = 2;
  };
  for (const Slip& slip : {
           Slip{{"rn", "two-scale"}, "there is no command 'rn' (did you mean 'run'?)"},
           Slip{{"rn"}, "did you mean 'run'?"},
           Slip{{"lisst", "models"}, "did you mean 'list'?"},
           Slip{{"frobnicate"}, "commands are run, check, limit"},
           Slip{{"design", "pkr"}, "did you mean 'prk'?"},
           Slip{{"list", "modls"}, "did you mean 'models'?"},
           Slip{{"list"}, "one of models, manoeuvres"},
           Slip{{"run", "two-scale", "--stpe", "1ms"}, "did you mean '--step'?"},
           Slip{{"run", "two-scale", "--stpe=1ms"}, "did you mean '--step'?"},
           Slip{{"run", "two-scale", "--manoeuver", "x"}, "did you mean '--manoeuvre'?"},
           Slip{{"completion", "bsh"}, "did you mean 'bash'?"},
           Slip{{"run", "two-scal"}, "did you mean 'two-scale'?", 1},
           Slip{{"run", "hmmwv", "--manoeuvre", "step-ster"}, "did you mean 'step-steer'?", 1},
           Slip{{"run", "two-scale", "--method", "rk44"}, "did you mean 'rk4'?", 1},
           Slip{{"run", "two-scale", "--scheme", "multifram"}, "did you mean 'multiframe'?", 1},
           Slip{{"run", "two-scale", "--interp", "intrp1"}, "did you mean 'interp1'?", 1},
           Slip{{"run", "two-scale", "--output", "x33"}, "did you mean 'x3'?", 1},
           Slip{{"run", "two-scale", "--set", "w11=1"}, "did you mean 'w1'?", 1},
           Slip{{"run", "two-scale", "--xy", "x1,x33"}, "did you mean 'x3'?", 1},
           Slip{{"stability", "rk44"}, "did you mean 'rk4'?", 1},
       }) {
    const auto outcome = chicane(slip.words);
    EXPECT_EQ(outcome.code, slip.code) << slip.meant;
    EXPECT_NE(outcome.err.find(slip.meant), std::string::npos) << slip.meant << "\nis not in\n"
                                                               << outcome.err;
  }
  const auto outcome = chicane({"rn", "--json"});
  EXPECT_NE(nlohmann::json::parse(outcome.out).at("status").get<std::string>().find("'run'"),
            std::string::npos);
}

TEST_F(People, AreToldVersionAndCommit) {
  const std::string version = out_of({"--version"});
  EXPECT_TRUE(version.starts_with("chicane ")) << version;
  const bool in_git = std::filesystem::exists(CHICANE_SOURCE_DIR "/.git");
  EXPECT_EQ(version.find("(commit ") != std::string::npos, in_git) << version;
}

TEST_F(People, HaveAManualPageOfEveryCommandAndOption) {
  const std::string page = out_of({"manual"});
  EXPECT_NE(page.find(".TH CHICANE 1"), std::string::npos);
  for (const std::string& c : kCommands)
    EXPECT_NE(page.find("chicane " + c), std::string::npos) << c;
  for (const char* option : {"manoeuvre", "hold\\-inputs", "xy", "check\\-step", "consistent"})
    EXPECT_NE(page.find(std::string("\\-\\-") + option + "\\fR"), std::string::npos) << option;
}

// What bash offers behind the words of a command line.
class Completion : public People {
 protected:
  std::string offered(const std::string& words, int at) const {
    dir_.write("completion.bash", out_of({"completion", "bash"}));
    const auto outcome = testkit::run_program(
        "/bin/bash",
        {"--norc", "-c",
         "source ./completion.bash; COMP_WORDS=(" + words + "); COMP_CWORD=" + std::to_string(at) +
             "; _chicane; printf '%s ' \"${COMPREPLY[@]}\""},
        dir_.path());
    EXPECT_EQ(outcome.err, "");
    return " " + outcome.out;
  }
};

TEST_F(Completion, OffersCommandsOptionsAndWhatIsBuiltIn) {
  const auto offers = [&](const std::string& words, int at, const std::string& word) {
    return offered(words, at).find(" " + word + " ") != std::string::npos;
  };
  EXPECT_TRUE(offers("chicane ''", 1, "run"));
  EXPECT_TRUE(offers("chicane li", 1, "list"));
  EXPECT_FALSE(offers("chicane li", 1, "run"));
  EXPECT_TRUE(offers("chicane run hm", 2, "hmmwv"));
  EXPECT_TRUE(offers("chicane run hmmwv --man", 3, "--manoeuvre"));
  EXPECT_TRUE(offers("chicane run hmmwv --manoeuvre st", 4, "step-steer"));
  EXPECT_TRUE(offers("chicane run two-scale --method rk", 4, "rk4"));
  EXPECT_TRUE(offers("chicane run two-scale --scheme ''", 4, "multiframe"));
  EXPECT_TRUE(offers("chicane list ''", 2, "manoeuvres"));
  EXPECT_TRUE(offers("chicane design ''", 2, "prk"));
  EXPECT_TRUE(offers("chicane design prk --", 3, "--consistent"));
  dir_.write("my-model.yaml", "");
  EXPECT_TRUE(offers("chicane run my", 2, "my-model.yaml"));
  EXPECT_FALSE(offers("chicane list my", 2, "my-model.yaml"));
}

TEST_F(Completion, OfOtherShellsNamesEveryCommand) {
  for (const char* shell : {"zsh", "fish"}) {
    const std::string script = out_of({"completion", shell});
    for (const std::string& c : kCommands) EXPECT_NE(script.find(c), std::string::npos) << c;
  }
}

// On a terminal of its own, as people have it.
TEST_F(People, SeeHowLongARunStillTakes) {
  int terminal = -1;
  const pid_t child = forkpty(&terminal, nullptr, nullptr, nullptr);
  ASSERT_GE(child, 0);
  if (child == 0) {
    if (chdir(dir_.path().c_str()) == 0)
      execl(CHICANE_BINARY, "chicane", "run", "two-scale", "--step", "1us", "--until", "2s",
            "--every", "10000", static_cast<char*>(nullptr));
    _exit(127);
  }
  std::string seen;
  char buffer[4096];
  for (ssize_t n = 0; (n = read(terminal, buffer, sizeof buffer)) > 0;)
    seen.append(buffer, static_cast<std::size_t>(n));
  int status = 0;
  waitpid(child, &status, 0);
  close(terminal);
  EXPECT_EQ(status, 0) << seen;
  EXPECT_NE(seen.find(" s left"), std::string::npos) << seen;
  std::istringstream in(seen);
  for (std::string line; std::getline(in, line, '\r');) {
    std::erase(line, '\n');
    EXPECT_LE(letters(line), 80U) << line;
  }
}

}  // namespace
}  // namespace people_test
