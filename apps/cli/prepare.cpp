#include "cli/prepare.hpp"

#include "io/checkpoint.hpp"
#include "io/reader/reader.hpp"
#include "system/start.hpp"

namespace chicane::cli {
namespace {

std::optional<Prepared> planned(const RunOptions& options, Diagnostics& diag,
                                const std::function<void(Spec&)>& adjust) {
  auto spec = load(options, diag);
  if (spec && adjust) adjust(*spec);
  auto structure = spec ? compile_for_run(*spec, diag) : nullptr;
  auto plan = structure ? plan_run(*spec, *structure, diag) : std::nullopt;
  if (!plan) return std::nullopt;
  auto simulation = std::make_unique<Simulation>(structure, plan->plan);
  return Prepared{std::move(*spec), std::move(structure), std::move(*plan), std::move(simulation),
                  ""};
}

bool evaluated(Prepared& run, Diagnostics& diag) {
  check_start(*run.simulation, run.spec, run.plan.signals, diag);
  return diag.ok();
}

// Where the checkpoint stands, and how it was saved.
bool resumed(Prepared& run, Diagnostics& diag) {
  const Text& from = run.spec.run.resume;
  if (from.empty()) return true;
  const Location where{from.text, 0, "resume"};
  const auto text = load_file(from.text);
  if (!text) {
    diag.error(where, "there is no such checkpoint");
    return false;
  }
  const auto checkpoint = read_checkpoint(*text, from.text, *run.simulation, diag);
  if (!checkpoint) return false;
  const Plan &saved = checkpoint->plan, &asked = run.plan.plan;
  const RunSpec& given = run.spec.run;
  const bool other_step = asked.step != saved.step && given.step.where.line == 0;
  const bool other_method = asked.method.name != saved.method.name && given.method.where.line == 0;
  if (other_step || other_method)
    diag.warning({}, "the checkpoint goes on as it was saved, with {} and a step of {} s",
                 saved.method.name, seconds(saved.step));
  run.simulation->restore(checkpoint->state, saved);
  run.checkpoint = *text;
  if (run.simulation->plan().step > run.plan.until - run.simulation->state().clock.now())
    diag.error(where,
               "the checkpoint stands at t = {:.9g} s: there is no whole step of {:.9g} s from "
               "there to the end of the run at {}; take a later --until",
               run.simulation->time(), seconds(saved.step), given.until.text);
  return diag.ok();
}

}  // namespace

std::optional<Prepared> prepare(const RunOptions& options, Diagnostics& diag,
                                const std::function<void(Spec&)>& adjust) {
  auto run = planned(options, diag, adjust);
  if (!run || !evaluated(*run, diag)) return std::nullopt;
  return run;
}

std::optional<Prepared> prepare_run(const RunOptions& options, Diagnostics& diag) {
  auto run = planned(options, diag, {});
  if (!run || !resumed(*run, diag) || !evaluated(*run, diag)) return std::nullopt;
  return run;
}

void refuse_reference(const Spec& spec, Diagnostics& diag) {
  if (find_scheme(spec.run.scheme.text) == SchemeKind::reference)
    diag.error(spec.run.scheme.where,
               "the reference scheme chooses its own steps: name another, e.g. --scheme "
               "single-rate");
}

}  // namespace chicane::cli
