// SPDX-License-Identifier: Apache-2.0
#include "cli/suggest.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/diagnostics.hpp"

namespace chicane::cli {
namespace {

const CLI::App* find_command(const CLI::App& app, const std::string& name) {
  for (const CLI::App* c : app.get_subcommands({}))
    if (c->get_name() == name) return c;
  return nullptr;
}

// Whether a word is another one with letters left out, but for its first.
bool abbreviates(std::string_view word, std::string_view whole) {
  if (word.empty() || whole.empty() || word.front() != whole.front()) return false;
  for (const char c : whole)
    if (!word.empty() && word.front() == c) word.remove_prefix(1);
  return word.empty();
}

std::string_view meant_by(std::string_view word, std::vector<std::string_view> known) {
  if (const std::string_view near = nearest(word, known); !near.empty()) return near;
  std::erase_if(known, [&](std::string_view k) { return !abbreviates(word, k); });
  const auto shortest = std::min_element(known.begin(), known.end(),
                                         [](auto a, auto b) { return a.size() < b.size(); });
  return shortest == known.end() ? std::string_view() : *shortest;
}

std::string unknown_command(const CLI::App& app, const std::string& word) {
  std::vector<std::string_view> known;
  for (const CLI::App* c : app.get_subcommands({})) known.push_back(c->get_name());
  if (const auto meant = meant_by(word, known); !meant.empty())
    return fmt::format("there is no command '{}' (did you mean '{}'?)", word, meant);
  return fmt::format("there is no command '{}'; commands are {}", word, fmt::join(known, ", "));
}

// All long options, with their dashes.
std::vector<std::string> options_of(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* o : app.get_options())
    for (const std::string& name : o->get_lnames()) names.push_back("--" + name);
  return names;
}

std::string unknown_option(const CLI::App& app, const std::string& word) {
  const std::vector<std::string> names = options_of(app);
  const std::vector<std::string_view> known(names.begin(), names.end());
  return fmt::format("there is no option '{}'{}", word, did_you_mean(word, known));
}

}  // namespace

std::string suggestion(const CLI::App& root, const std::vector<std::string>& words) {
  const CLI::App* app = &root;
  for (const std::string& word : words) {
    if (word.starts_with("--") && word.size() > 2) {
      const std::string name = word.substr(0, word.find('='));
      const std::vector<std::string> names = options_of(*app);
      if (std::find(names.begin(), names.end(), name) == names.end())
        return unknown_option(*app, name);
    } else if (!word.starts_with("-") && !app->get_subcommands({}).empty()) {
      const CLI::App* command = find_command(*app, word);
      if (command == nullptr) return unknown_command(*app, word);
      app = command;
    }
  }
  return "";
}

}  // namespace chicane::cli
