// SPDX-License-Identifier: Apache-2.0
#include "cli/check_step.hpp"

#include <cmath>

namespace chicane::cli {
namespace {

// Keeps the latest values of the chosen signals at a full step.
class Snapshot final : public Observer {
 public:
  Snapshot(const Simulation& simulation, const std::vector<SignalIndex>& signals)
      : simulation_(simulation), signals_(signals), values(signals.size()) {}
  void observe(const Point& point) noexcept override {
    if (point.kind != PointKind::full_step) return;
    time = point.t;
    simulation_.report(point);
    for (std::size_t i = 0; i < signals_.size(); ++i)
      values[i] = point.value(simulation_.structure().signals[signals_[i]]);
  }

 private:
  const Simulation& simulation_;
  const std::vector<SignalIndex>& signals_;

 public:
  double time = -1;
  std::vector<double> values;
};

}  // namespace

std::optional<StepAgreement> check_step(const std::shared_ptr<const ModelStructure>& structure,
                                        const RunPlan& plan, const Inputs<double>& inputs,
                                        const std::function<bool()>& stop) {
  const Plan half = refined(plan.plan, 2);
  Plan whole = half;  // and of the same grain, so that both have the same frames
  whole.step_divisor = plan.plan.step_divisor;
  Simulation coarse(structure, whole), fine(structure, half);
  coarse.inputs() = fine.inputs() = inputs;
  Snapshot a(coarse, plan.signals), b(fine, plan.signals);
  std::vector<double> difference(plan.signals.size()), peak(plan.signals.size());
  while (coarse.plan().step <= plan.until - coarse.state().clock.now()) {
    if (stop()) return std::nullopt;
    if (coarse.step(&a) != Status::ok) break;
    while (b.time < a.time)
      if (fine.step(&b) != Status::ok) break;
    if (b.time != a.time) break;
    for (std::size_t i = 0; i < difference.size(); ++i) {
      difference[i] = std::max(difference[i], std::fabs(a.values[i] - b.values[i]));
      peak[i] = std::max(peak[i], std::fabs(b.values[i]));
    }
  }
  constexpr double kMostDigits = 16;
  StepAgreement out{kMostDigits, "none"};
  for (std::size_t i = 0; i < difference.size(); ++i) {
    const double digits = difference[i] > 0 ? -std::log10(difference[i] / peak[i]) : kMostDigits;
    if (digits < out.digits) out = {digits, structure->signals[plan.signals[i]].name};
  }
  return out;
}

}  // namespace chicane::cli
