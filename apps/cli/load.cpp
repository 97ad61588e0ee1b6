#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "cli/commands.hpp"
#include "cli/json.hpp"
#include "cli/say.hpp"
#include "cli/shared.hpp"
#include "io/reader/reader.hpp"

namespace chicane::cli {
namespace {

Text* run_key(RunSpec& run, const std::string& key) {
  const std::pair<std::string_view, Text*> keys[] = {
      {"scheme", &run.scheme},   {"method", &run.method},         {"step", &run.step},
      {"until", &run.until},     {"every", &run.every},           {"startup", &run.startup},
      {"history", &run.history}, {"checkpoint", &run.checkpoint}, {"ratio", &run.ratio},
      {"interp", &run.interp},   {"order", &run.order},           {"iterations", &run.iterations},
      {"tableau", &run.tableau}, {"threads", &run.threads},       {"settle", &run.settle}};
  for (const auto& [name, text] : keys)
    if (name == key) return text;
  throw std::logic_error("no key of a run: " + key);
}

// --method and --ratio may be of one group, --interp of one signal: NAME=VALUE.
void set_run(RunSpec& run, const std::string& key, const std::string& value) {
  const Location where{"--" + key, 0, ""};
  const std::size_t equals = value.find('=');
  if (equals == std::string::npos || (key != "method" && key != "ratio" && key != "interp")) {
    *run_key(run, key) = {value, where};
    return;
  }
  const std::string name = value.substr(0, equals);
  const Text text{value.substr(equals + 1), where};
  if (key == "interp") {
    run.interps.push_back({name, text});
    return;
  }
  auto group = std::find_if(run.groups.begin(), run.groups.end(),
                            [&](const RunGroupSpec& g) { return g.name == name; });
  if (group == run.groups.end()) group = run.groups.insert(group, {name, where, {}, {}});
  (key == "method" ? group->method : group->ratio) = text;
}

// "name=value", both sides non-empty.
std::optional<std::pair<std::string, std::string>> pair_of(const std::string& text,
                                                           const char* option, const char* form,
                                                           Diagnostics& diag) {
  const std::size_t equals = text.find('=');
  if (equals != std::string::npos && equals > 0 && equals + 1 < text.size())
    return std::pair{text.substr(0, equals), text.substr(equals + 1)};
  diag.error({option, 0, text}, "write {}", form);
  return std::nullopt;
}

void regroup(Spec& spec, const std::string& block, const std::string& group, Diagnostics& diag) {
  std::vector<std::string_view> known;
  for (BlockSpec& b : spec.blocks) {
    known.push_back(b.name);
    if (b.name == block) {
      b.group = group;
      return;
    }
  }
  diag.error({"--group", 0, block}, "there is no block '{}'{}", block, did_you_mean(block, known));
}

}  // namespace

std::optional<Spec> load(const RunOptions& options, Diagnostics& diag) {
  auto spec = read_model(options.model, diag);
  if (spec && !options.manoeuvre.empty())
    spec = read_manoeuvre(options.manoeuvre, std::move(*spec), diag);
  if (!spec) return std::nullopt;
  for (const auto& [key, value] : options.run) set_run(spec->run, key, value);
  if (!options.resume.empty()) spec->run.resume = {options.resume, {"--resume", 0, ""}};
  if (spec->run.resume.empty() && options.resume_with_changes)
    diag.error({"--resume-with-changes", 0, ""}, "there is nothing to resume: add --resume FILE");
  if (!spec->run.resume.empty() && options.check_step)
    diag.error({"--check-step", 0, ""},
               "it repeats a run from its beginning; a resumed run has none");
  for (const std::string& text : options.set)
    if (const auto p =
            pair_of(text, "--set", "--set NAME=VALUE, e.g. --set \"k1=1200 1/s^2\"", diag))
      override_value(*spec, p->first, {p->second, {"--set", 0, p->first}}, diag);
  for (const std::string& text : options.group)
    if (const auto p = pair_of(text, "--group", "--group BLOCK=GROUP", diag))
      regroup(*spec, p->first, p->second, diag);
  if (!options.output.empty()) spec->run.signals.clear();
  for (const std::string& pattern : options.output)
    spec->run.signals.push_back({pattern, {"--output", 0, ""}});

  resolve_run_files(*spec, diag);
  if (!diag.ok()) return std::nullopt;
  return spec;
}

int refuse(const Diagnostics& diag, bool json) {
  say("{}", diag.text());
  if (json)
    print_json(
        failure(fmt::format("{} in the input",
                            counted(static_cast<std::size_t>(diag.errors()), "fault", "faults")),
                diag));
  return kBadInput;
}

}  // namespace chicane::cli
