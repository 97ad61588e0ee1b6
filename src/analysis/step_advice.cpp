// SPDX-License-Identifier: Apache-2.0
#include "analysis/step_advice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "analysis/amplification.hpp"
#include "analysis/outer_spectrum.hpp"
#include "analysis/stability.hpp"
#include "language/blueprint.hpp"

namespace chicane {

namespace {
constexpr std::size_t kMost = 3;  // parameters that are named
constexpr double kLeast = 0.02;   // [-] smaller effects are not worth a word
}  // namespace

std::string in_words(std::vector<ParameterEffect> effects) {
  std::erase_if(effects, [](const auto& e) { return std::fabs(e.on_frequency()) < kLeast; });
  std::stable_sort(effects.begin(), effects.end(), [](const auto& a, const auto& b) {
    return std::fabs(a.on_frequency()) > std::fabs(b.on_frequency());
  });
  const std::size_t n = std::min(kMost, effects.size());
  std::string text;
  for (std::size_t i = 0; i < n; ++i)
    text += fmt::format("{}{} ({:.2f})",
                        i == 0       ? ""
                        : i + 1 == n ? " and "
                                     : ", ",
                        effects[i].name, effects[i].on_frequency());
  return text;
}

std::string in_words(const NamedMode& mode) {
  const std::complex<double> lambda = mode.eigenvalue;
  const double size = std::abs(lambda);
  std::string text = lambda.imag() == 0.0
                         ? fmt::format("the mode at {:.4g} 1/s", lambda.real())
                         : fmt::format("the mode at {:.4g} Hz (damping {:.3g})",
                                       size / (2 * std::numbers::pi), -lambda.real() / size);
  text += fmt::format(" of state '{}'", mode.state);
  if (mode.block != mode.group) text += ", block " + mode.block;
  return text + ", group " + mode.group;
}

std::string parameters_behind(const NamedMode& mode) {
  const std::string words = in_words(mode.parameters);
  return words.empty() ? "" : "; behind it " + words;
}

std::string sentence(const StepAdvice& advice, const Plan& plan) {
  return fmt::format(
      "a step of {:.4g} s is outside the stability region of {}: {} grows{}; the largest stable "
      "step is about {:.4g} s",
      seconds(plan.step), plan.method.name, in_words(advice.mode), parameters_behind(advice.mode),
      advice.stable_step);
}

namespace {

// Of a large model, by the outline of its spectrum. The mode is the one that asks for the smallest
// step.
std::optional<StepAdvice> advise_large(const std::shared_ptr<const ModelStructure>& structure,
                                       const OperatingPoint& point, const Method& method,
                                       double h) {
  constexpr int kTries = 8;              // values of which no eigenvalue comes
  constexpr double kSmaller = 1 - 1e-9;  // [-] a step, and not by rounding
  const Model<Dual> model(structure);
  const OuterSpectrum spectrum(sparse_jacobian(model, point));
  std::vector<OuterSpectrum::Value> growing;
  for (const OuterSpectrum::Value& value : spectrum.values())
    if (grows(method, value.lambda, h)) growing.push_back(value);
  for (int i = 0; i < kTries && !growing.empty(); ++i) {
    auto worst = growing.begin();
    double least = h;
    for (auto value = growing.begin(); value != growing.end(); ++value)
      if (const double step = stable_step(method, {value->lambda}, least); step < kSmaller * least)
        least = step, worst = value;
    if (const auto motion = spectrum.motion(*worst); motion && grows(method, motion->lambda, h))
      return StepAdvice{explained(structure, point, *motion),
                        stable_step(method, {motion->lambda}, h)};
    growing.erase(worst);
  }
  return std::nullopt;
}

bool is_large(const ModelStructure& structure) {
  constexpr int kLarge = 300;  // states: from here on all modes take longer
  return static_cast<int>(structure.states.size()) >= kLarge &&
         std::all_of(structure.states.begin(), structure.states.end(),
                     [&](const StateInfo& x) { return structure.blocks[x.block].native < 0; });
}

}  // namespace

std::optional<StepAdvice> advise_step(const std::shared_ptr<const ModelStructure>& structure,
                                      const State<double>& at, const Plan& plan) {
  if (plan.scheme != SchemeKind::single_rate) return std::nullopt;
  const double h = seconds(plan.step);
  const OperatingPoint point = with_default_inputs(*structure, at);
  if (is_large(*structure)) return advise_large(structure, point, plan.method, h);
  const Linearization l = linearize(structure, point, {});
  for (std::size_t k = 0; k < l.modes.size(); ++k)
    if (grows(plan.method, l.modes[k].eigenvalue, h))
      return StepAdvice{explained(structure, point, l, k),
                        stable_step(plan.method, l.eigenvalues, h)};
  return std::nullopt;
}

std::optional<std::string> advise_frame(const std::shared_ptr<const ModelStructure>& structure,
                                        const Plan& plan) {
  constexpr double kClearly = 1e-3;    // [-] per frame
  constexpr double kFarBelow = 1e-2;   // [-] of the step
  constexpr double kAllowance = 1e-4;  // [-] per frame
  if (!is_multirate(plan.scheme)) return std::nullopt;
  const auto together = all_together(structure);
  if (!together) return std::nullopt;
  const Eigenvalues own = linearize(together, Model<double>(together).initial_state()).eigenvalues;
  double own_growth = 0;  // [1/s]
  for (const auto& lambda : own) own_growth = std::max(own_growth, lambda.real());
  const double h = seconds(plan.step);
  const Beginning from{structure, plan, Simulation(structure, plan).state()};
  const double factor = frame_growth(from, h).factor / std::exp(own_growth * h);
  if (!(factor > 1 + kClearly)) return std::nullopt;
  std::string text =
      fmt::format("a step of {:.4g} s is unstable with {}: ", h, scheme_name(plan.scheme));
  text += std::isfinite(factor) ? fmt::format("a disturbance grows {:.4g} times a frame", factor)
                                : "the run fails within its first frames";
  if (const auto limit = marginal_step(from, own, kFarBelow * h, h, 1 + kAllowance))
    text += fmt::format("; the largest stable step is about {:.4g} s", *limit);
  return text;
}

namespace {

// The same state with all blocks in one group.
State<double> together_at(const std::shared_ptr<const ModelStructure>& together,
                          const std::shared_ptr<const ModelStructure>& structure,
                          const State<double>& at) {
  if (structure->groups.size() == 1) return at;
  return carried_over(at, *structure, Model<double>(together));
}

}  // namespace

std::optional<NamedMode> mode_of_state(const std::shared_ptr<const ModelStructure>& structure,
                                       const State<double>& at, const std::string& state) {
  const auto together = all_together(structure);
  if (!together) return std::nullopt;
  const OperatingPoint point = with_default_inputs(*together, together_at(together, structure, at));
  if (is_large(*together)) return std::nullopt;
  const Linearization l = linearize(together, point, {});
  const auto mode = find_mode(l, state);
  return mode ? std::optional(explained(together, point, l, *mode)) : std::nullopt;
}

std::optional<std::string> stiffness(const std::shared_ptr<const ModelStructure>& structure,
                                     const State<double>& at, double frame) {
  constexpr double kReach = 5;   // |lambda| h of an explicit method of order 8, about
  constexpr double kMany = 1e5;  // steps that no accuracy asks for
  const Linearization l = linearize(structure, at);
  if (l.modes.empty()) return std::nullopt;
  const NamedMode mode = named(l, 0);
  const double steps = std::abs(mode.eigenvalue) * frame / kReach;
  if (!(steps > kMany) || mode.eigenvalue.real() > 0) return std::nullopt;
  return fmt::format(
      "the problem is stiff: because of {} an explicit solver needs about {:.2g} steps for a frame "
      "of {:.4g} s, whatever the accuracy; make what is behind that mode softer or slower, or take "
      "a method whose step it can bear (`chicane limit`)",
      in_words(mode), steps, frame);
}

}  // namespace chicane
