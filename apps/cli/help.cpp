// SPDX-License-Identifier: Apache-2.0
#include "cli/help.hpp"

#include "cli/wrap.hpp"

namespace chicane::cli {
namespace {

constexpr std::size_t kLeft = 30;  // [characters] of names

// A name, and what it means beside it, or below where the name is long.
std::string row(std::string name, const std::string& meaning) {
  name.insert(0, "  ");
  if (name.size() + 1 < kLeft)
    name.resize(kLeft, ' ');
  else
    name += '\n' + std::string(kLeft, ' ');
  return name + wrapped(meaning, kLeft, kLeft) + '\n';
}

}  // namespace

std::string HelpFormatter::make_option(const CLI::Option* option, bool is_positional) const {
  return row(make_option_name(option, is_positional) + make_option_opts(option),
             make_option_desc(option));
}

std::string HelpFormatter::make_subcommand(const CLI::App* command) const {
  return row(command->get_display_name(true), command->get_description());
}

std::string HelpFormatter::make_description(const CLI::App* command) const {
  return wrapped(command->get_description(), 0, 0) + '\n';
}

}  // namespace chicane::cli
