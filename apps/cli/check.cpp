#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cli/advice.hpp"
#include "cli/commands.hpp"
#include "system/plan.hpp"

namespace chicane::cli {

int check(const RunOptions& options) {
  Diagnostics diag;
  const bool json = options.json;
  auto spec = load(options, diag);
  const auto structure = spec ? compile_for_run(*spec, diag) : nullptr;
  const auto plan = structure ? plan_run(*spec, *structure, diag) : std::nullopt;
  if (!plan) return refuse(diag, json);

  const State<double> start = Model<double>(structure).initial_state();
  const auto advice = advise_step(structure, start, plan->plan);
  if (advice) diag.warning(spec->run.step.where, "{}", sentence(*advice, plan->plan));
  if (const auto frame = advise_frame(*spec, structure, plan->plan))
    diag.warning(spec->run.step.where, "{}", *frame);
  if (json) {
    nlohmann::ordered_json warnings = nlohmann::ordered_json::array();
    for (const Diagnostic& d : diag.all()) warnings.push_back(to_string(d));
    nlohmann::ordered_json out = {
        {"status", "ok"}, {"model", structure->name}, {"warnings", warnings}};
    if (advice) out["mode"] = to_json(advice->mode);
    fmt::print("{}\n", out.dump(2));
    return kOk;
  }
  fmt::print(stderr, "{}", diag.text());
  fmt::print("{}: no faults ({} ODE states, {} memory, {} signals, {} events)\n", structure->name,
             structure->states.size(), structure->memory.size(), structure->signals.size(),
             structure->events.size());
  return kOk;
}

}  // namespace chicane::cli
