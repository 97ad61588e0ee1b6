// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "simulation/metrics.hpp"

namespace chicane {

// For analyses that do not outlive the simulation whose structure it is.
inline std::shared_ptr<const ModelStructure> unowned(const ModelStructure& structure) {
  return {std::shared_ptr<void>(), &structure};
}

// A few frames of a run taken twice, from the same state: as the run takes them, and with half the
// step. Where both agree the step is good there; where the step is unstable, or the run's state is
// already the garbage of an unstable one, they do not. No reference to the model's Jacobian, so it
// serves every scheme.
class Twice {
 public:
  static constexpr int kFrames = 8;                 // of a window
  static constexpr double kCost = 3 * kFrames + 8;  // [frames] of work, with going back

  explicit Twice(const Simulation& of);

  // A window of the run's plan from a state of it; false where it fails.
  bool window(Simulation& of, const State<double>& from);
  // A window with the step halved so many times, after a while at that step from a state of the
  // run.
  bool settled_window(Simulation& of, const State<double>& from, int halvings);
  // Frames as the run takes them, from the end of the window on; false where one fails.
  bool go_on(int frames);
  [[nodiscard]] const State<double>& state() const { return coarse_.state(); }

  // Of a state: the difference at the end of the window, and the way it went within it.
  [[nodiscard]] double error(const StateInfo& x) const;
  [[nodiscard]] double way(StateIndex i) const { return way_[static_cast<std::size_t>(i.value)]; }
  // What a native block shows at the end of the window, in both.
  using Both = std::pair<std::vector<double>, std::vector<double>>;
  [[nodiscard]] const Both& outputs(int native);

 private:
  bool compare(const Plan& plan, const State<double>& from);

  Simulation coarse_, fine_;
  std::vector<double> way_;    // per state
  std::vector<Both> outputs_;  // per native block; empty until asked for
};

// What the metrics of a run come to that begins with a state of `of` under a plan, with every step
// divided; nothing where it fails.
std::optional<std::vector<Metrics::Result>> metrics_again(Simulation& of, const State<double>& from,
                                                          const Plan& plan, std::int64_t until,
                                                          int factor);

}  // namespace chicane
