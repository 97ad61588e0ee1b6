// SPDX-License-Identifier: Apache-2.0
#include "session/explain.hpp"

#include <fmt/format.h>

#include <stdexcept>
#include <utility>

#include "analysis/step_advice.hpp"
#include "simulation/start.hpp"

namespace chicane {
namespace {

const char* what_happened(Status status) {
  if (status == Status::diverged) return "went beyond its limit";
  if (status == Status::not_finite) return "became infinite or undefined";
  return "could not be integrated to the tolerance";
}

// What the linearised model says of the step, and the mode behind a state. The eigenvalues of wild
// numbers are not always found: then nothing.
std::pair<std::optional<StepAdvice>, std::optional<NamedMode>> linear_advice(
    const std::shared_ptr<const ModelStructure>& structure, const Simulation& simulation,
    const std::string& state) try {
  auto advice = advise_step(structure, simulation.model().initial_state(), simulation.plan());
  if (!advice) advice = advise_step(structure, simulation.state(), simulation.plan());
  if (advice) return {advice, advice->mode};
  return {std::nullopt, mode_of_state(structure, simulation.model().initial_state(), state)};
} catch (const std::runtime_error&) {
  return {};
}

// A state that ran away.
Explanation explain_state(const std::shared_ptr<const ModelStructure>& structure,
                          const Simulation& simulation, const Failure& f) {
  const Plan& plan = simulation.plan();
  const double h = seconds(plan.step);
  if (f.status == Status::solver_failed)
    if (const auto stiff = stiffness(structure, simulation.state(), h))
      return {fmt::format("{}: the reference solver gave up in the frame from t = {:.9g} s: {}",
                          structure->name, f.time, *stiff),
              {}};
  const auto [advice, mode] = linear_advice(structure, simulation, f.state);
  Explanation e{
      fmt::format("{}: state '{}' of block '{}' (group {}) {} in the step from t = {:.9g} s",
                  structure->name, f.state, f.block, f.group, what_happened(f.status), f.time),
      mode};
  if (advice)
    e.text += fmt::format(
        ".\nThe step, {:.4g} s, is outside the stability region of {}: {} grows{}. Try --step "
        "{:.3g}s, or less",
        h, plan.method.name, in_words(*e.mode), parameters_behind(*e.mode),
        0.9 * advice->stable_step);
  else if (e.mode)
    e.text += fmt::format(
        ".\nAt the start it belongs to {}{}. Try a smaller step (--step {:.3g}s), look at the "
        "last steps with --every 0, and at these parameters",
        in_words(*e.mode), parameters_behind(*e.mode), h / 4);
  else
    e.text += fmt::format(
        ".\nTry a smaller step (--step {:.3g}s), look at the last steps with --every 0, and at "
        "the model's parameters: "
        "masses too small or springs too stiff",
        h / 4);
  return e;
}

}  // namespace

Explanation explain(const std::shared_ptr<const ModelStructure>& structure,
                    const Simulation& simulation, Status status) {
  const Failure f = simulation.failure(status);
  if (f.complaint.empty()) return explain_state(structure, simulation, f);
  return {fmt::format("{}: in the step from t = {:.9g} s {}", structure->name, f.time, f.complaint),
          {}};
}

std::string explain(const ModelStructure& structure, const NotFinite& fault) {
  return fmt::format("{}: {} is {} at t = {:.9g} s; {}", structure.name, fault.what,
                     what_it_is(fault.value), fault.time, kRemedyOfUndefined);
}

}  // namespace chicane
