#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cli/advice.hpp"
#include "cli/commands.hpp"
#include "system/plan.hpp"

namespace chicane::cli {

int check(const std::string& model, bool json) {
  Diagnostics diag;
  auto spec = load({.model = model}, diag);
  const auto structure = spec ? compile(*spec, Partition::together(*spec), diag) : nullptr;
  const auto plan = structure ? plan_run(*spec, *structure, diag) : std::nullopt;
  if (!plan) return refuse(diag, json);

  const State<double> start = Model<double>(structure).initial_state();
  if (const auto advice = advise_step(structure, start, plan->plan))
    diag.warning(spec->run.step.where,
                 "a step of {:.4g} s is outside the stability region of {}: {} grows; the "
                 "largest stable step is about {:.4g} s",
                 seconds(plan->plan.step), plan->plan.method.name, advice->mode,
                 advice->stable_step);
  if (json) {
    nlohmann::ordered_json warnings = nlohmann::ordered_json::array();
    for (const Diagnostic& d : diag.all()) warnings.push_back(to_string(d));
    const nlohmann::ordered_json out = {
        {"status", "ok"}, {"model", structure->name}, {"warnings", warnings}};
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
