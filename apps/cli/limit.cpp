// SPDX-License-Identifier: Apache-2.0
#include "analysis/limit.hpp"

#include <fmt/format.h>

#include <numbers>

#include "cli/advice.hpp"
#include "cli/commands.hpp"
#include "cli/json.hpp"
#include "cli/say.hpp"
#include "cli/shared.hpp"
#include "session/prepare.hpp"
#include "simulation/plan.hpp"

namespace chicane::cli {
namespace {

// [Hz] of an oscillation; nothing for a mode that does not swing.
std::optional<double> frequency(const Limit& limit) {
  if (!limit.eigenvalue || limit.eigenvalue->imag() == 0.0) return std::nullopt;
  return std::abs(*limit.eigenvalue) / (2 * std::numbers::pi);
}

std::optional<double> damping(const Limit& limit) {
  if (!limit.eigenvalue || *limit.eigenvalue == 0.0) return std::nullopt;
  return -limit.eigenvalue->real() / std::abs(*limit.eigenvalue);
}

std::string verdict(const Limit& limit) {
  switch (limit.outcome) {
    case Limit::Outcome::stable_throughout:
      return fmt::format("stable up to {:.4g} s, the largest step tried", limit.stable);
    case Limit::Outcome::never_stable:
      return "no step is stable: the model grows by itself; settle it first (--settle TIME), or "
             "look at its parameters";
    case Limit::Outcome::found:
      break;
  }
  return fmt::format("{:.4g} s is stable, {:.4g} s is not", limit.stable, limit.unstable);
}

std::string mode_of(const Limit& limit) {
  if (!limit.eigenvalue) return "";
  const double size = std::abs(*limit.eigenvalue);
  if (const auto hertz = frequency(limit))
    return fmt::format(", the mode at {:.4g} Hz (damping {:.3g})", *hertz,
                       -limit.eigenvalue->real() / size);
  return fmt::format(", the mode at {:.4g} 1/s", limit.eigenvalue->real());
}

void print(const Limit& limit, const std::string& model, const std::string& scheme) {
  fmt::print("{}: {}\n", model, scheme);
  if (limit.outcome == Limit::Outcome::found)
    fmt::print("  largest stable step   {:.4g} s ({:.4g} s is not stable)\n", limit.stable,
               limit.unstable);
  else
    fmt::print("  {}\n", verdict(limit));
  if (limit.predicted)
    fmt::print("  predicted             {:.4g} s, from the linearised frame\n", *limit.predicted);
  if (limit.state.empty()) return;
  fmt::print("  what grows above it   state '{}'{}, group {}{}\n", limit.state,
             limit.block == limit.group ? "" : ", block " + limit.block, limit.group,
             mode_of(limit));
  const std::string behind = in_words(limit.parameters);
  if (!behind.empty()) fmt::print("                        behind it {}\n", behind);
  if (limit.seen)
    fmt::print("                        it swings at {:.4g} Hz as the frames see it\n",
               *limit.seen);
}

}  // namespace

int limit(const RunOptions& options) {
  Diagnostics diag;
  const auto run = prepare(options, diag);
  if (run) refuse_reference(run->spec, diag);
  if (!run || !diag.ok()) return refuse(diag, options.json);
  say("{}", diag.text());
  const Spec& spec = run->spec;
  const auto& structure = run->structure;
  const RunPlan& plan = run->plan;

  const Limit found = find_limit(structure, plan.plan, {.settle = seconds(plan.settle)});
  const bool known = found.outcome == Limit::Outcome::found;
  const Json j = {{"status", "ok"},
                  {"model", structure->name},
                  {"scheme", spec.run.scheme.text},
                  {"plan", how(plan.plan, *structure)},
                  {"max_stable_step", known ? Json(found.stable) : Json(nullptr)},
                  {"predicted_step", or_null(found.predicted)},
                  {"bracket", {found.stable, found.unstable}},
                  {"group", if_any(found.group)},
                  {"state", if_any(found.state)},
                  {"block", if_any(found.block)},
                  {"frequency", or_null(frequency(found))},
                  {"damping", or_null(damping(found))},
                  {"parameters",
                   found.eigenvalue ? to_json(found.parameters, *found.eigenvalue) : Json::array()},
                  {"seen_frequency", or_null(found.seen)},
                  {"verdict", verdict(found)}};
  show(j, options.json, [&] { print(found, structure->name, how(plan.plan, *structure)); });
  if (found.outcome != Limit::Outcome::never_stable) return kOk;
  say("{}: {}\n", structure->name, verdict(found));
  return kRunFailed;
}

}  // namespace chicane::cli
