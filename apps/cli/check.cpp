#include <fmt/format.h>

#include "cli/advice.hpp"
#include "cli/commands.hpp"
#include "cli/json.hpp"
#include "cli/shared.hpp"
#include "system/mechanism/describe.hpp"
#include "system/plan.hpp"

namespace chicane::cli {
namespace {

// `mode`: what a step makes grow, or null.
void print_ok(const std::string& model, const std::string& size, const Diagnostics& diag, bool json,
              const Json& mode = {}) {
  if (!json) {
    fmt::print(stderr, "{}", diag.text());
    fmt::print("{}: no faults ({})\n", model, size);
    return;
  }
  Json out = {{"status", "ok"}, {"model", model}, {"warnings", to_json(diag.all())}};
  if (!mode.is_null()) out["mode"] = mode;
  fmt::print("{}\n", out.dump(2));
}

int check_mechanism(const Spec& spec, Diagnostics& diag, bool json) {
  if (!compile_for_run(spec, diag)) return refuse(diag, json);
  Diagnostics said;  // what there is to say of the mechanism is in the others already
  const auto m = compile_mechanism(spec, said);
  print_ok(spec.name,
           fmt::format("{}, {}, {}, {}", counted(m->bodies.size(), "body", "bodies"),
                       counted(m->joint_names.size(), "joint", "joints"),
                       counted(m->forces.size(), "force", "forces"),
                       counted(static_cast<std::size_t>(m->freedoms), "freedom", "freedoms")),
           diag, json);
  return kOk;
}

}  // namespace

int check(const RunOptions& options) {
  Diagnostics diag;
  const bool json = options.json;
  auto spec = load(options, diag);
  if (spec && spec->mechanism && !spec->vehicle) return check_mechanism(*spec, diag, json);
  const auto structure = spec ? compile_for_run(*spec, diag) : nullptr;
  const auto plan = structure ? plan_run(*spec, *structure, diag) : std::nullopt;
  if (!plan) return refuse(diag, json);

  const State<double> start = Model<double>(structure).initial_state();
  const auto advice = advise_step(structure, start, plan->plan);
  if (advice) diag.warning(spec->run.step.where, "{}", sentence(*advice, plan->plan));
  if (const auto frame = advise_frame(*spec, structure, plan->plan))
    diag.warning(spec->run.step.where, "{}", *frame);
  print_ok(
      structure->name,
      fmt::format("{} ODE states, {} memory, {} signals, {} events", structure->states.size(),
                  structure->memory.size(), structure->signals.size(), structure->events.size()),
      diag, json, advice ? to_json(advice->mode) : Json());
  return kOk;
}

}  // namespace chicane::cli
