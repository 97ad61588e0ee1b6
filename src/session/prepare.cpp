// SPDX-License-Identifier: Apache-2.0
#include "session/prepare.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "assembly/assemble.hpp"
#include "io/files.hpp"
#include "io/reader/inputs.hpp"
#include "session/load.hpp"
#include "simulation/start.hpp"

namespace chicane {
namespace {

// In a file for several rates a fast group may sample its memory within a frame. Who looks at all
// blocks in one group then needs a shorter step: the longest part of the frame that all sample
// times are multiples of. Nothing where the file's own step will do.
std::string step_for_all_together(const Spec& spec) {
  constexpr std::int64_t kMost = 100'000;  // parts of a frame
  if (find_scheme(spec.run.scheme.text) != SchemeKind::multiframe) return {};
  Spec own = spec;
  Diagnostics quiet;  // what is wrong with the file is found where it is used
  const auto structure = compile_for_run(own, quiet);
  const auto run = structure ? plan_run(own, *structure, quiet) : std::nullopt;
  if (!run) return {};
  const std::int64_t frame = run->plan.step;
  for (std::int64_t n = 1; n <= kMost; ++n)
    if (frame % n == 0 &&
        std::all_of(structure->memory.begin(), structure->memory.end(),
                    [&](const MemoryInfo& m) { return m.sample % (frame / n) == 0; }))
      return n == 1 ? std::string() : fmt::format("{:.12g} s", seconds(frame / n));
  return {};
}

std::optional<Prepared> planned(const ModelRequest& request, Diagnostics& diag,
                                const std::function<void(Spec&)>& adjust) {
  auto spec = load(request, diag);
  if (spec && adjust) {
    const std::string step = step_for_all_together(*spec);
    adjust(*spec);
    if (!step.empty()) spec->run.step.text = step;
  }
  auto structure = spec ? compile_for_run(*spec, diag) : nullptr;
  auto plan = structure ? plan_run(*spec, *structure, diag) : std::nullopt;
  if (!plan) return std::nullopt;
  warn_of_missing_times(*spec, diag);
  auto simulation = std::make_unique<Simulation>(structure, plan->plan);
  return Prepared{std::move(*spec), std::move(structure), std::move(*plan), std::move(simulation)};
}

// Where a run is resumed its start is the checkpoint's: so are the faults.
bool evaluated(Prepared& run, Diagnostics& diag) {
  const Text& from = run.spec.run.resume;
  Diagnostics found;
  check_start(*run.simulation, run.spec, run.plan.signals, from.empty() ? diag : found);
  for (const Diagnostic& d : found.all())
    diag.error({from.text, 0, "resume"}, "cannot go on from this checkpoint: {}", d.message);
  return diag.ok();
}

// From where the checkpoint stands, with the plan it was saved with or the one that is asked for.
void go_on_from(const Checkpoint& checkpoint, Prepared& run, Diagnostics& diag) {
  run.changes = checkpoint.changes;
  run.simulation->restore(checkpoint.state, checkpoint.plan);
  if (std::any_of(run.changes.begin(), run.changes.end(),
                  [](const std::string& c) { return c.starts_with("run."); }))
    run.simulation->replan(run.plan.plan);
  for (const std::string& change : run.changes)
    diag.warning({}, "resumed with a change: {} (initial values have no effect any more)", change);
  if (run.spec.metrics.size() + run.spec.terminal.size() > 0)
    diag.warning({}, "metrics are of what this run has seen, from t = {:.9g} s on",
                 run.simulation->time());
}

bool resumed(const ModelRequest& request, Prepared& run, Diagnostics& diag) {
  const Text& from = run.spec.run.resume;
  if (from.empty()) return true;
  constexpr std::size_t kLargest = 1'000'000'000;  // bytes
  const Location where{from.text, 0, "resume"};
  std::string why;
  const auto text = read_limited(from.text, kLargest, why);
  if (!text) {
    diag.error(where, "there is no such checkpoint, or it cannot be read: {}", why);
    return false;
  }
  const auto checkpoint = read_checkpoint(*text, from.text, *run.simulation, diag,
                                          {run.fingerprint, request.resume_with_changes});
  if (!checkpoint) return false;
  try {
    go_on_from(*checkpoint, run, diag);
  } catch (const UsageError& e) {
    diag.error(where, "cannot go on from this checkpoint: {}", e.what());
    return false;
  }
  if (run.changes.empty())
    if (const std::string misfit = misfit_of_state(*run.simulation); !misfit.empty()) {
      diag.error(where, "cannot go on from this checkpoint: {}", misfit);
      return false;
    }
  run.checkpoint = run.changes.empty() ? *text : write_checkpoint(*run.simulation, run.fingerprint);
  const Simulation& simulation = *run.simulation;
  if (simulation.plan().step > run.plan.until - simulation.state().clock.now())
    diag.error(where,
               "the checkpoint stands at t = {:.9g} s: there is no whole step of {:.9g} s from "
               "there to the end of the run at {}; take a later --until",
               simulation.time(), seconds(simulation.plan().step), run.spec.run.until.text);
  return diag.ok();
}

}  // namespace

std::optional<Prepared> prepare(const ModelRequest& request, Diagnostics& diag,
                                const std::function<void(Spec&)>& adjust) {
  auto run = planned(request, diag, adjust);
  if (!run || !evaluated(*run, diag)) return std::nullopt;
  return run;
}

std::optional<Prepared> prepare_run(const ModelRequest& request, Diagnostics& diag) {
  auto run = planned(request, diag, {});
  if (!run) return run;
  if (!request.checkpoint_every.empty())
    run->checkpoint_every = time_of(request.checkpoint_every, "--checkpoint-every", 1, diag);
  run->fingerprint = fingerprint_of(run->spec);
  if (!resumed(request, *run, diag) || !evaluated(*run, diag)) return std::nullopt;
  return run;
}

void refuse_reference(const Spec& spec, Diagnostics& diag) {
  if (find_scheme(spec.run.scheme.text) == SchemeKind::reference)
    diag.error(spec.run.scheme.where,
               "the reference scheme chooses its own steps: name another, e.g. --scheme "
               "single-rate");
}

}  // namespace chicane
