#include "cli/shared.hpp"

#include <fmt/format.h>

#include "cli/prepare.hpp"
#include "core/time_base.hpp"

namespace chicane::cli {

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

std::string counted(std::size_t n, const char* one, const char* many) {
  return fmt::format("{} {}", n, n == 1 ? one : many);
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

std::string how(const Plan& plan, const Structure& structure) {
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
