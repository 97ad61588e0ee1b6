// SPDX-License-Identifier: Apache-2.0
#include "cli/shared.hpp"

#include <fmt/format.h>

#include "cli/json.hpp"
#include "cli/say.hpp"
#include "language/block.hpp"
#include "session/prepare.hpp"

namespace chicane::cli {

std::string counted(std::size_t n, const char* one, const char* many) {
  return fmt::format("{} {}", n, n == 1 ? one : many);
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

std::optional<Trial> load_trial(const RunOptions& options, const std::vector<std::string>& signals,
                                Diagnostics& diag) {
  std::optional<Spec> spec;
  auto run = prepare(options, diag, [&](Spec& base) {
    if (!signals.empty()) base.run.signals.clear();
    for (const std::string& pattern : signals)
      base.run.signals.push_back({pattern, {"--signals", 0, ""}});
    spec = base;
    base.run.scheme = {"single-rate", {"run", 0, ""}};
  });
  if (!run) return std::nullopt;
  return Trial{std::move(*spec), std::move(run->structure), std::move(run->plan)};
}

std::map<std::string, std::string> parameter_descriptions(const Spec& spec) {
  std::map<std::string, std::string> list;
  for (const ParameterSpec& p : spec.parameters) list[p.name] = p.description;
  for (const BlockSpec& b : spec.blocks)
    if (b.native)
      for (const NativeParameter& p : b.native->info().parameters)
        list[b.name + "." + p.name] = p.description;
  return list;
}

std::string how(const Plan& plan, const ModelStructure& structure) {
  std::string text(scheme_name(plan.scheme));
  if (plan.scheme == SchemeKind::single_rate) return text + " with " + plan.method.name;
  if (plan.scheme == SchemeKind::prk) return text + " with " + plan.pair.name;
  if (plan.scheme == SchemeKind::reference) return text;
  for (const GroupIndex g : plan.groups.indices())
    text +=
        fmt::format("{} {}{} x{}", g.value == 0 ? ":" : ",", structure.groups[g].name,
                    plan.scheme == SchemeKind::multiframe ? " " + plan.groups[g].method.name : "",
                    plan.groups[g].ratio);
  return fmt::format("{}, {}", text, info_of(plan.interp).name);
}

}  // namespace chicane::cli
