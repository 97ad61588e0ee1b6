// SPDX-License-Identifier: Apache-2.0
#include "analysis/guards/twice.hpp"

#include <cmath>

namespace chicane {
namespace {

constexpr int kLead = 64;  // [frames] of the run's step, for what was stirred up to die away

Plan serial(Plan plan) {
  plan.threads = 1;  // the same numbers, without waiting for each other
  return plan;
}

// The same point for other steps, if they are others: old derivatives and samples are of no use to
// them.
State<double> respaced(State<double> state, const Plan& plan) {
  if (state.clock.unit == plan.step / plan.step_divisor / kTicksPerFrame) return state;
  for (GroupState<double>& g : state.groups) g.history.count = g.signals.count = 0;
  state.clock.rebase(plan.step / plan.step_divisor / kTicksPerFrame);
  return state;
}

const double& value(const State<double>& s, const StateInfo& x) {
  return s.groups[x.group].x[static_cast<std::size_t>(x.place)];
}

// All outputs of native blocks at a point.
class Shown final : public Observer {
 public:
  explicit Shown(const Simulation& s) : s_(s) {}
  void observe(const Point& point) noexcept override {
    s_.report(point);
    for (const NativePlace& n : s_.structure().natives) {
      const auto& v = point.evals[static_cast<std::size_t>(n.group.value)]->v;
      values.emplace_back(v.begin() + n.y, v.begin() + n.y + n.ny);
    }
  }
  std::vector<std::vector<double>> values;  // per native block

 private:
  const Simulation& s_;
};

}  // namespace

Twice::Twice(const Simulation& of)
    : coarse_(unowned(of.structure()), serial(of.plan())),
      fine_(unowned(of.structure()), refined(serial(of.plan()), 2)),
      way_(static_cast<std::size_t>(of.structure().states.size())) {}

bool Twice::window(Simulation& of, const State<double>& from) {
  coarse_.inputs() = fine_.inputs() = of.inputs();
  return compare(serial(of.plan()), from);
}

bool Twice::compare(const Plan& plan, const State<double>& from) {
  const Plan half = refined(plan, 2);
  coarse_.restore(respaced(from, plan), plan);
  fine_.restore(respaced(from, half), half);
  outputs_.clear();
  std::fill(way_.begin(), way_.end(), 0.0);
  std::vector<double> before = fine_.continuous();
  for (int k = 0; k < kFrames; ++k) {
    if (coarse_.step() != Status::ok || fine_.step() != Status::ok || fine_.step() != Status::ok)
      return false;
    std::size_t i = 0;
    for (const StateInfo& x : fine_.structure().states) {
      const double now = value(fine_.state(), x);
      way_[i] += std::fabs(now - before[i]);
      before[i++] = now;
    }
  }
  return true;
}

bool Twice::settled_window(Simulation& of, const State<double>& from, int halvings) {
  const Plan plan = refined(serial(of.plan()), 1 << halvings);
  coarse_.inputs() = fine_.inputs() = of.inputs();
  coarse_.restore(respaced(from, plan), plan);
  if (!go_on(kLead << halvings)) return false;
  const State<double> settled = coarse_.state();
  return compare(plan, settled);
}

bool Twice::go_on(int frames) {
  for (int k = 0; k < frames; ++k)
    if (coarse_.step() != Status::ok) return false;
  return true;
}

double Twice::error(const StateInfo& x) const {
  return std::fabs(value(coarse_.state(), x) - value(fine_.state(), x));
}

const Twice::Both& Twice::outputs(int native) {
  if (outputs_.empty()) {
    Shown first(coarse_), second(fine_);
    coarse_.observe_now(first);
    fine_.observe_now(second);
    for (std::size_t n = 0; n < first.values.size(); ++n)
      outputs_.emplace_back(std::move(first.values[n]), std::move(second.values[n]));
  }
  return outputs_[static_cast<std::size_t>(native)];
}

std::optional<std::vector<Metrics::Result>> metrics_again(Simulation& of, const State<double>& from,
                                                          const Plan& plan, std::int64_t until,
                                                          int factor) {
  constexpr int kChunk = 256;  // [frames] for which room is made at once
  const Plan finer = refined(serial(plan), factor);
  Simulation again(unowned(of.structure()), finer);
  again.inputs() = of.inputs();
  again.restore(factor == 1 ? from : respaced(from, finer), finer);
  Metrics metrics(again);
  Status status = Status::ok;
  for (int k = 0; status == Status::ok && again.state().clock.now() < until; ++k) {
    if (k % kChunk == 0) metrics.make_room(kChunk);
    status = again.step(&metrics);
  }
  if (status != Status::ok && status != Status::interrupted) return std::nullopt;
  return metrics.finish(again);
}

}  // namespace chicane
