// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "cli/commands.hpp"
#include "cli/documents.hpp"
#include "integrators/method.hpp"
#include "integrators/multirate/interpolator.hpp"
#include "integrators/tableaus/pairs.hpp"
#include "io/builtin_models.hpp"
#include "language/sections/grammar.hpp"
#include "simulation/plan.hpp"

namespace chicane::cli {
namespace {

using Words = std::vector<std::string>;

// What may stand behind an option, or in a place.
struct Completions {
  Words words;
  bool files = false;
};

template <class List>
Words names_of(const List& list) {
  Words words;
  for (const auto& entry : list) words.emplace_back(entry.name);
  return words;
}

Words schemes() {
  const auto names = scheme_names();
  return {names.begin(), names.end()};
}

Completions choice_of(const CLI::Option& option) {
  const std::string name = option.get_single_name(), type = option.get_type_name();
  const auto is = [&](std::initializer_list<std::string_view> names) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  if (is({"model"})) return {names_of(builtin_models()), true};
  if (is({"manoeuvre", "maneuver"})) return {names_of(builtin_manoeuvres()), true};
  if (is({"scheme", "schemes"})) return {schemes()};
  if (is({"method", "methods"})) return {names_of(method_tables()), true};
  if (is({"interp", "interps"})) return {names_of(kInterpolators)};
  if (is({"tableau"})) return {names_of(tableau_pairs()), true};
  if (is({"startup"})) return {{"rk4", "build-up"}};
  if (is({"history"})) return {{"keep", "restart"}};
  if (is({"axis"})) return {{"imaginary", "real"}};
  if (is({"what"})) return {{kListed.begin(), kListed.end()}};
  if (is({"shell"})) return {{kShells.begin(), kShells.end()}};
  if (type == "ORDER") return {{"slow-first", "fast-first"}};
  return {{}, type.find("FILE") != std::string::npos || type == "DIR"};
}

std::vector<const CLI::Option*> positionals(const CLI::App& command) {
  return command.get_options([](const CLI::Option* o) { return o->get_positional(); });
}
std::vector<const CLI::Option*> options(const CLI::App& command) {
  return command.get_options([](const CLI::Option* o) { return o->nonpositional(); });
}

bool takes_value(const CLI::Option& o) { return o.get_items_expected_max() > 0; }

Words long_names(const CLI::Option& o) {
  Words names;
  for (const std::string& n : o.get_lnames()) names.push_back("--" + n);
  return names;
}

// Commands with the words that lead to them: "design prk".
void each_command(const CLI::App& app, const std::string& path,
                  const std::function<void(const std::string&, const CLI::App&)>& visit) {
  visit(path, app);
  for (const CLI::App* c : app.get_subcommands({}))
    each_command(*c, path.empty() ? c->get_name() : path + " " + c->get_name(), visit);
}

Words subcommands(const CLI::App& app) {
  Words names;
  for (const CLI::App* c : app.get_subcommands({})) names.push_back(c->get_name());
  return names;
}

// --- bash, and zsh by its own reader of such scripts -----------------------------------------

std::string bash(const CLI::App& app) {
  std::string values, words;
  each_command(app, "", [&](const std::string& path, const CLI::App& command) {
    Words own = subcommands(command);
    Completions place;
    for (const CLI::Option* p : positionals(command)) {
      const Completions c = choice_of(*p);
      own.insert(own.end(), c.words.begin(), c.words.end());
      place.files = place.files || c.files;
    }
    Words flags;
    for (const CLI::Option* o : options(command)) {
      const Words names = long_names(*o);
      flags.insert(flags.end(), names.begin(), names.end());
      if (!takes_value(*o) || names.empty()) continue;
      const Completions c = choice_of(*o);
      Words labels;
      for (const std::string& n : names) labels.push_back(fmt::format("\"{} {}\"", path, n));
      values += fmt::format("    {}) words=\"{}\" files={} ;;\n", fmt::join(labels, " | "),
                            fmt::join(c.words, " "), c.files ? 1 : 0);
    }
    words += fmt::format("    \"{}\") words=\"{}\" flags=\"{}\" files={} ;;\n", path,
                         fmt::join(own, " "), fmt::join(flags, " "), place.files ? 1 : 0);
  });
  Words paths;
  each_command(app, "", [&](const std::string& path, const CLI::App&) {
    if (!path.empty()) paths.push_back(fmt::format("\"{}\"", path));
  });
  return fmt::format(R"(# Completion of chicane for bash: printed by 'chicane completion bash'.
_chicane() {{
  local cur=${{COMP_WORDS[COMP_CWORD]}} prev=${{COMP_WORDS[COMP_CWORD-1]}}
  local path= words= flags= files=0 i
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "${{path:+$path }}${{COMP_WORDS[i]}}" in
      {}) path="${{path:+$path }}${{COMP_WORDS[i]}}" ;;
    esac
  done
  case "$path $prev" in
{}    *) prev= ;;
  esac
  if [[ -z $prev ]]; then
    case "$path" in
{}    esac
    [[ $cur == -* ]] && words=$flags files=0
  fi
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
  if ((files)); then
    compopt -o filenames 2>/dev/null
    COMPREPLY+=($(compgen -f -- "$cur"))
  fi
}}
complete -F _chicane chicane
)",
                     fmt::join(paths, " | "), values, words);
}

std::string zsh(const CLI::App& app) {
  return "#compdef chicane\nautoload -U +X bashcompinit && bashcompinit\n" + bash(app);
}

// --- fish --------------------------------------------------------------------------------------

std::string quoted(std::string text) {
  for (std::size_t at = 0; (at = text.find_first_of("'\\", at)) != std::string::npos; at += 2)
    text.insert(at, "\\");
  return "'" + text + "'";
}

std::string fish(const CLI::App& app) {
  std::string out =
      "# Completion of chicane for fish: printed by 'chicane completion fish'.\n"
      "complete -c chicane -f\n";
  each_command(app, "", [&](const std::string& path, const CLI::App& command) {
    std::string when = "__fish_use_subcommand";
    if (!path.empty()) {
      std::string parts;
      for (const std::string_view word : split(path, " "))
        parts +=
            fmt::format("{}__fish_seen_subcommand_from {}", parts.empty() ? "" : "; and ", word);
      when = parts;
    }
    const std::string head = fmt::format("complete -c chicane -n {}", quoted(when));
    for (const CLI::App* c : command.get_subcommands({}))
      out += fmt::format("{} -a {} -d {}\n", head, c->get_name(), quoted(c->get_description()));
    for (const CLI::Option* p : positionals(command)) {
      const Completions c = choice_of(*p);
      if (!c.words.empty())
        out += fmt::format("{} -a {}\n", head, quoted(fmt::format("{}", fmt::join(c.words, " "))));
      if (c.files) out += head + " -F\n";
    }
    for (const CLI::Option* o : options(command))
      for (const std::string& name : o->get_lnames()) {
        const Completions c = choice_of(*o);
        out += fmt::format("{} -l {} -d {}", head, name, quoted(o->get_description()));
        if (takes_value(*o))
          out += c.words.empty() ? (c.files ? " -r -F" : " -x")
                                 : fmt::format(" {} -a {}", c.files ? "-r -F" : "-x",
                                               quoted(fmt::format("{}", fmt::join(c.words, " "))));
        out += '\n';
      }
  });
  return out;
}

}  // namespace

std::string completion(const CLI::App& app, std::string_view shell) {
  return shell == "fish" ? fish(app) : shell == "zsh" ? zsh(app) : bash(app);
}

int print_completion(const CLI::App& app, std::string_view shell) {
  fmt::print("{}", completion(app, shell));
  return kOk;
}

}  // namespace chicane::cli
