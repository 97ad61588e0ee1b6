#include "cli/advice.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "analysis/linearize.hpp"
#include "analysis/stability.hpp"

namespace chicane::cli {

std::string sentence(const StepAdvice& advice, const Plan& plan) {
  return fmt::format(
      "a step of {:.4g} s is outside the stability region of {}: {} grows; the largest stable step "
      "is about {:.4g} s",
      seconds(plan.step), plan.method.name, advice.mode, advice.stable_step);
}

std::optional<StepAdvice> advise_step(const std::shared_ptr<const Structure>& structure,
                                      const State<double>& at, const Plan& plan) {
  if (plan.scheme != SchemeKind::single_rate) return std::nullopt;
  const double h = seconds(plan.step);
  const Linearization l = linearize(structure, at);
  for (std::size_t k = 0; k < l.eigenvalues.size(); ++k) {
    if (!grows(plan.method, l.eigenvalues[k], h)) continue;
    const std::complex<double> lambda = l.eigenvalues[k];
    const double size = std::abs(lambda);
    const StateInfo& x = structure->states[structure->groups[GroupIndex{0}]
                                               .states[static_cast<std::size_t>(l.leading[k])]];
    const std::string& group = structure->blocks[x.block].label;
    StepAdvice advice;
    advice.mode =
        lambda.imag() == 0.0
            ? fmt::format("the mode at {:.4g} 1/s of state '{}', group {}", lambda.real(), x.name,
                          group)
            : fmt::format("the mode at {:.4g} Hz (damping {:.3g}) of state '{}', group {}",
                          size / (2 * std::numbers::pi), -lambda.real() / size, x.name, group);
    advice.stable_step = stable_step(plan.method, l.eigenvalues, h);
    return advice;
  }
  return std::nullopt;
}

}  // namespace chicane::cli
