// SPDX-License-Identifier: Apache-2.0

// Every file here is wrong in one way and says in its first lines what must be said about it:
//
//   # expect: LINE: KEY: part of the message        (KEY is - where the fault has none)
//
// manoeuvres/ holds manoeuvres, to be laid over two-scale, methods/ method files, parts/ what the
// other files refer to.

#include <gtest/gtest.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "assembly/assemble.hpp"
#include "io/reader/reader.hpp"
#include "simulation/plan.hpp"
#include "simulation/start.hpp"

namespace chicane::rejects_test {
namespace {

namespace fs = std::filesystem;

struct Expectation {
  int line = 0;
  std::string key, text;
};

std::string content(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::vector<Expectation> expectations(const fs::path& path) {
  constexpr std::string_view kMark = "# expect: ";
  std::vector<Expectation> list;
  std::ifstream in(path);
  for (std::string line; std::getline(in, line) && line.starts_with(kMark);) {
    const std::size_t key = line.find(": ", kMark.size()) + 2, text = line.find(": ", key) + 2;
    Expectation e{0, line.substr(key, text - 2 - key), line.substr(text)};
    std::from_chars(line.data() + kMark.size(), line.data() + key, e.line);
    if (e.key == "-") e.key.clear();
    list.push_back(std::move(e));
  }
  return list;
}

std::vector<fs::path> files_in(const fs::path& directory) {
  std::vector<fs::path> list;
  for (const auto& entry : fs::directory_iterator(directory))
    if (entry.path().extension() == ".yaml") list.push_back(entry.path());
  std::sort(list.begin(), list.end());
  return list;
}

const fs::path kHere = fs::path(CHICANE_SOURCE_DIR) / "tests" / "rejects";

// As `chicane check` does it.
Diagnostics faults_of(std::optional<Spec> spec, Diagnostics diag) {
  const auto structure = spec ? compile(*spec, Partition::together(*spec), diag) : nullptr;
  const auto plan = structure ? plan_run(*spec, *structure, diag) : std::nullopt;
  if (plan) {
    Simulation simulation(structure, plan->plan);
    check_start(simulation, *spec, plan->signals, diag);
  }
  return diag;
}

void expect_clear(const Diagnostic& d) {
  const std::string all = to_string(d);
  EXPECT_FALSE(d.where.file.empty()) << all;
  EXPECT_GT(d.where.line, 0) << all;
  EXPECT_GT(d.message.size(), 10U) << all;
  for (const char* leak : {"std::", "basic_string", "yaml-cpp", "nlohmann", "{}"})
    EXPECT_EQ(d.message.find(leak), std::string::npos) << all;
}

void expect_refused(const fs::path& path, const Diagnostics& diag) {
  SCOPED_TRACE(path.filename().string() + "\n" + diag.text());
  EXPECT_FALSE(diag.ok());
  for (const Diagnostic& d : diag.all()) expect_clear(d);
  const std::vector<Expectation> expected = expectations(path);
  EXPECT_FALSE(expected.empty());
  for (const Expectation& e : expected)
    EXPECT_TRUE(std::any_of(diag.all().begin(), diag.all().end(),
                            [&](const Diagnostic& d) {
                              return d.where.line == e.line && d.where.key == e.key &&
                                     d.message.find(e.text) != std::string::npos;
                            }))
        << e.line << ": " << e.key << ": " << e.text;
  // One fault in the file, one message: no second one that only follows from the first.
  EXPECT_EQ(diag.all().size(), expected.size());
}

TEST(Rejects, EveryBrokenModelIsRefusedWithTheRightWords) {
  const auto files = files_in(kHere);
  EXPECT_GE(files.size(), 150U);
  for (const fs::path& path : files) {
    Diagnostics diag;
    auto spec = read_model(path.string(), diag);
    expect_refused(path, faults_of(std::move(spec), std::move(diag)));
  }
}

TEST(Rejects, EveryBrokenManoeuvreIsRefusedWithTheRightWords) {
  const auto files = files_in(kHere / "manoeuvres");
  EXPECT_GE(files.size(), 7U);
  for (const fs::path& path : files) {
    Diagnostics diag;
    auto spec = read_manoeuvre(path.string(), read_model("two-scale", diag).value(), diag);
    expect_refused(path, faults_of(std::move(spec), std::move(diag)));
  }
}

TEST(Rejects, EveryBrokenMethodFileIsRefusedWithTheRightWords) {
  const auto files = files_in(kHere / "methods");
  EXPECT_GE(files.size(), 10U);
  for (const fs::path& path : files) {
    Diagnostics diag;
    EXPECT_FALSE(read_method_text(content(path), path.string(), diag).has_value()) << path;
    expect_refused(path, diag);
  }
}

TEST(Rejects, AnEmptyFileSaysHowAModelStarts) {
  for (const std::string_view text : {"", "\n\n", "   ", "~", "---\n", "\xef\xbb\xbf"}) {
    Diagnostics diag;
    EXPECT_FALSE(read_model_text(text, "empty.yaml", diag).has_value());
    EXPECT_EQ(diag.text(),
              "empty.yaml:1: this file is empty; a model starts with 'format: chicane/1'\n");
  }
}

// The depth of what a reader recurses over is bounded, however the depth is written.
TEST(Rejects, NoNestingExhaustsTheStack) {
  const auto repeated = [](std::string_view unit, int n) {
    std::string text;
    for (int i = 0; i < n; ++i) text += unit;
    return text;
  };
  std::string stairs;
  for (int i = 0; i < 600; ++i) stairs += std::string(static_cast<std::size_t>(i), ' ') + "a:\n";
  for (const std::string& text :
       {repeated("[", 100'000), repeated("{a: ", 50'000), repeated("- ", 50'000),
        repeated("? ", 50'000), stairs, std::string("a: &a [*a]"), std::string("a: &a {*a : 1}"),
        std::string("&a [*a]"),
        "format: chicane/1\noutputs: {y: \"" + repeated("(", 10'000) + "\"}",
        "format: chicane/1\noutputs: {y: \"" + repeated("-", 10'000) + "1\"}",
        "format: chicane/1\noutputs: {y: \"" + repeated("1 ? ", 4'000) + "\"}",
        "format: chicane/1\nparameters: {y: \"1 " + repeated("(", 10'000) + "\"}"}) {
    Diagnostics diag;
    auto spec = read_model_text(text, "deep.yaml", diag);
    if (spec) compile(*spec, Partition::together(*spec), diag);
    EXPECT_FALSE(diag.ok()) << text.substr(0, 60);
  }
}

TEST(Rejects, ALongSumIsNoNesting) {
  for (const std::string_view term : {" + x", " - 2*x", " + t/1[s]"}) {
    std::string sum = "x";
    while (sum.size() < 19'000) sum += term;
    Diagnostics diag;
    auto spec = read_model_text("format: chicane/1\nstates: {x: {der: \"(" + sum + ")/1[s]\"}}\n",
                                "long.yaml", diag);
    ASSERT_TRUE(spec.has_value()) << diag.text().substr(0, 300);
    EXPECT_NE(compile(*spec, Partition::together(*spec), diag), nullptr)
        << diag.text().substr(0, 300);
  }
}

}  // namespace
}  // namespace chicane::rejects_test
