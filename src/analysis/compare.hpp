// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "analysis/costs.hpp"
#include "simulation/simulation.hpp"

namespace chicane {

// What a run under a plan is worth, beside the reference solution at its own frames.
struct PlanQuality {
  // It came to its end, and its error is not one that grows without bound: below the peak of the
  // reference, or in the last quarter of the run at most ten times that of the second quarter.
  bool stable = false;
  // [-] the largest difference at a frame over the peak; signals that are at rest but for rounding
  // are left out
  double error = 0;
  std::string worst;                   // the signal that has it
  std::vector<double> mean_abs_error;  // per signal, in its unit: mean over the frames
  double cost_us = 0;                  // CPU time per simulated second
};

// Which signals are at rest but for rounding: their peak, in the unit, is as good as nothing, or is
// so beside the largest peak in the same unit.
std::vector<bool> at_rest(const std::vector<double>& peaks, const std::vector<std::string>& units);

// Runs one model under several plans. Reference solutions are kept for the plans that follow.
class Comparison {
 public:
  // Signals are compared by name; `until` is in atoms.
  Comparison(const Spec& spec, std::vector<std::string> signals, std::int64_t until,
             CpuClock clock);
  // The same with blocks in other groups: they share their reference solutions.
  Comparison(const Comparison& other, const Spec& regrouped);

  PlanQuality measure(const Plan& plan);
  // The same without its cost. A run whose error is larger than `most` is given up there, and is
  // not stable.
  PlanQuality quality(const Plan& plan, double most = std::numeric_limits<double>::infinity());
  // Makes the reference solution at frames of a step, for all plans whose steps are multiples of
  // it. False where it does not serve them: something acts at its frames.
  bool share_reference(std::int64_t step) { return !reference(step).acted; }
  [[nodiscard]] std::size_t reference_solutions() const { return references_->size(); }
  // CPU time per simulated second [us], the lower quarter of several runs. Measured again at
  // another moment, it may be less: other programs disturb.
  [[nodiscard]] double cost(const Plan& plan) const;
  // The model in the groups that a scheme needs.
  [[nodiscard]] const std::shared_ptr<const ModelStructure>& structure(SchemeKind scheme) const {
    return is_multirate(scheme) ? apart_ : together_;
  }

 private:
  // Signals at the frames of a run: time, then values in their units.
  struct Trace {
    std::int64_t step = 0;
    bool complete = false;  // the run came to its end
    bool acted = false;     // an event, or a change of a memory on which the solution depends
    std::vector<double> rows;
  };
  class Tracer;
  class Limit;

  [[nodiscard]] bool at_end(const Simulation& s) const {
    return s.plan().step > until_ - s.state().clock.now();
  }
  [[nodiscard]] Trace run(const Plan& plan, Limit* limit = nullptr) const;
  const Trace& reference(std::int64_t step);
  void find_error(const Trace& run, const Trace& reference, PlanQuality& out) const;

  std::shared_ptr<const ModelStructure> together_, apart_;
  std::vector<std::string> signals_, units_;
  std::int64_t until_;
  CpuClock clock_;
  std::shared_ptr<std::vector<std::unique_ptr<Trace>>> references_;
};

}  // namespace chicane
