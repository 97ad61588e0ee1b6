// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "integrators/stages.hpp"

namespace chicane {

// All groups together with one method (003, 004). The only allocations are in the constructor.
template <GroupSystem System>
class SingleRate {
 public:
  using T = typename System::Scalar;

  SingleRate(const System& system, const Method& method, Startup startup, HistoryPolicy policy)
      : n_(system.states(kAll)),
        own_(method.k),
        rk4_(find_method("rk4")->k),
        real_time_(method.real_time()),
        startup_(startup),
        policy_(policy),
        at_(system.make_eval(kAll)),
        step_(n_, std::max(own_.k.stages, rk4_.k.stages)) {}

  // Makes room in the history for what the method needs of it.
  void prepare(GroupStates<T>& groups) const { groups[kAll].history.resize(own_.k.old, n_); }

  // One frame. `observe(t, kind, evals, fresh)` sees the point itself, events done, and the inner
  // points of real-time methods. On any status but ok nothing has advanced.
  template <class Observer>
  Status step(System& system, Clock& clock, GroupStates<T>& groups, Observer&& observe) noexcept {
    GroupState<T>& s = groups[kAll];
    const std::array evals{&at_};
    if (begin_step(system, kAll, clock, policy_, at_, s,
                   {s.history.present(n_), static_cast<std::size_t>(n_)}) == Accept::interrupt)
      return Status::interrupted;
    observe(clock.time(), PointKind::full_step, evals, groups_);

    const bool starting = startup_ == Startup::rk4 && s.history.count < own_.k.old;
    const Rows& m = starting ? rk4_ : own_;
    (starting ? s.counts.startup : s.counts.steps) += m.k.stages;
    const bool shown = real_time_ && !starting;
    const double h = length(clock);

    step_.begin(m, s);
    // The time of a stage is found one stage ahead: its division need not be waited for.
    const auto time = [&](int i) {
      return i < m.k.stages ? clock.time_at(m.k.c[static_cast<std::size_t>(i)], kTicksPerFrame)
                            : 0.0;
    };
    double t = time(1);
    for (int i = 1; i < m.k.stages; ++i) {
      system.after_evaluation(kAll, at_);
      const double now = std::exchange(t, time(i + 1));
      evaluate<System>(system, kAll, now, step_.point(m, i, h, s), at_, step_.F(i));
      if (shown) observe(now, PointKind::inner_stage, evals, groups_);
    }
    system.after_evaluation(kAll, at_);
    const Status status = step_.update(m, h, s, system.limits(kAll), kAll, failed_);
    if (status != Status::ok) {
      step_.undo(s);
      return status;
    }
    step_.keep(s);
    clock.tick += kTicksPerFrame;
    system.commit(kAll, clock.now());
    return Status::ok;
  }

  [[nodiscard]] FailedState failed_state() const { return failed_; }
  void each_eval(auto&& visit) const { visit(at_); }
  // Scratch means nothing between calls; a test fills it with garbage to prove that.
  void poison(const T& value) {
    step_.poison(value);
    std::fill(at_.v.begin(), at_.v.end(), value);
  }

 private:
  static constexpr GroupIndex kAll{0};

  // [s] of a step; the division is done once.
  double length(const Clock& clock) {
    if (const std::int64_t atoms = kTicksPerFrame * clock.unit; atoms != atoms_) {
      atoms_ = atoms;
      h_ = seconds(atoms);
    }
    return h_;
  }

  static constexpr std::array groups_{kAll};

  int n_;
  Rows own_, rk4_;
  bool real_time_;
  Startup startup_;
  HistoryPolicy policy_;
  typename System::Eval at_;
  MethodStep<T> step_;
  std::int64_t atoms_ = 0;  // for which h_ is
  double h_ = 0;
  FailedState failed_;
};

}  // namespace chicane
