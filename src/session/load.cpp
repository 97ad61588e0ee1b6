// SPDX-License-Identifier: Apache-2.0
#include "session/load.hpp"

#include <algorithm>
#include <variant>

#include "core/time_base.hpp"
#include "io/reader/inputs.hpp"
#include "io/reader/reader.hpp"
#include "math/units.hpp"

namespace chicane {
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
  return nullptr;
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

}  // namespace

// A method and a ratio may be of one group, an interpolator of one signal: NAME=VALUE.
void set_run_key(RunSpec& run, const std::string& key, const std::string& value,
                 Diagnostics& diag) {
  const Location where{"--" + key, 0, ""};
  Text* const plain = run_key(run, key);
  if (plain == nullptr) {
    diag.error(where, "a run has no key '{}'", key);
    return;
  }
  const std::size_t equals = value.find('=');
  if (equals == std::string::npos || (key != "method" && key != "ratio" && key != "interp")) {
    *plain = {value, where};
    return;
  }
  const std::string name = value.substr(0, equals);
  const Text text{value.substr(equals + 1), where};
  if (key == "interp") {
    std::erase_if(run.interps, [&](const auto& i) { return i.target == name; });
    run.interps.push_back({name, text});
    return;
  }
  auto group = std::find_if(run.groups.begin(), run.groups.end(),
                            [&](const RunGroupSpec& g) { return g.name == name; });
  if (group == run.groups.end()) group = run.groups.insert(group, {name, where, {}, {}});
  (key == "method" ? group->method : group->ratio) = text;
}

void put_into_group(Spec& spec, const std::string& block, const std::string& group,
                    Diagnostics& diag) {
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

std::int64_t time_of(const std::string& text, const char* option, std::int64_t least,
                     Diagnostics& diag) {
  const Location where{option, 0, ""};
  const auto parsed = parse_quantity(text);
  const auto* q = std::get_if<Quantity>(&parsed);
  if (q == nullptr) {
    diag.error(where, "{}", std::get<UnitError>(parsed).message);
  } else if (q->dimension != dimensions::kTime && !q->unit.empty()) {
    diag.error(where, "a time is needed, e.g. \"2.5 s\"; '{}' is {}", text,
               quantity_name(q->dimension));
  } else if (const auto atoms = stated_picoseconds(q->value); !atoms || *atoms < least) {
    diag.error(where, "'{}' is {}", text,
               atoms ? "too short" : "out of range, or finer than picoseconds");
  } else {
    return *atoms;
  }
  return least;
}

std::optional<Spec> load(const ModelRequest& options, Diagnostics& diag) {
  auto spec = options.text.empty() ? read_model(options.model, diag)
                                   : read_model_text(options.text, options.model, diag);
  if (spec && !options.manoeuvre.empty())
    spec = read_manoeuvre(options.manoeuvre, std::move(*spec), diag);
  if (!spec) return std::nullopt;
  for (const auto& [key, value] : options.run) set_run_key(spec->run, key, value, diag);
  if (!options.resume.empty()) spec->run.resume = {options.resume, {"--resume", 0, ""}};
  if (spec->run.resume.empty() && options.resume_with_changes)
    diag.error({"--resume-with-changes", 0, ""}, "there is nothing to resume: add --resume FILE");
  if (!spec->run.resume.empty() && options.check_step)
    diag.error({"--check-step", 0, ""},
               "it repeats a run from its beginning; a resumed run has none");
  for (const std::string& path : options.inputs)
    drive_all_from_file(
        *spec,
        {.file = {path, {"--inputs", 0, ""}},
         .interpolation = options.hold_inputs ? Interpolation::hold : Interpolation::linear},
        diag);
  if (options.hold_inputs && options.inputs.empty())
    diag.error({"--hold-inputs", 0, ""}, "there are no rows to hold: add --inputs FILE");
  for (const std::string& text : options.set)
    if (const auto p =
            pair_of(text, "--set", "--set NAME=VALUE, e.g. --set \"k1=1200 1/s^2\"", diag))
      override_value(*spec, p->first, {p->second, {"--set", 0, p->first}}, diag);
  for (const std::string& text : options.group)
    if (const auto p = pair_of(text, "--group", "--group BLOCK=GROUP", diag))
      put_into_group(*spec, p->first, p->second, diag);
  if (!options.output.empty()) spec->run.signals.clear();
  for (const std::string& pattern : options.output)
    spec->run.signals.push_back({pattern, {"--output", 0, ""}});

  resolve_run_files(*spec, diag);
  if (!diag.ok()) return std::nullopt;
  return spec;
}

}  // namespace chicane
