// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "integrators/group_system.hpp"

namespace chicane {

// An adaptive explicit Runge-Kutta solver of order 8 with tight tolerances, from SUNDIALS
// (ARKStep). Each call starts afresh, so that a run that is interrupted and resumed gives the same
// bits.
class AdaptiveSolver {
 public:
  using Rhs = std::function<void(double t, std::span<const double> x, std::span<double> dx)>;

  AdaptiveSolver(int n, Rhs rhs, double relative = 1e-12, double absolute = 1e-13);
  ~AdaptiveSolver();
  AdaptiveSolver(AdaptiveSolver&&) noexcept;
  AdaptiveSolver& operator=(AdaptiveSolver&&) noexcept;

  // From x at `from` to `to`; false when the solver gives up.
  bool advance(double from, double to, std::span<double> x);
  [[nodiscard]] std::int64_t evaluations() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// The scheme against which errors are measured. Events and memory act at its frames, as they do at
// the full steps of the other schemes. Not for real time: it allocates and takes as long as it
// needs.
template <GroupSystem System>
class ReferenceScheme {
 public:
  ReferenceScheme(const System& system, HistoryPolicy policy)
      : policy_(policy),
        at_(system.make_eval(kAll)),
        x_(static_cast<std::size_t>(system.states(kAll))),
        dx_(x_.size()),
        solver_(system.states(kAll),
                [this](double t, std::span<const double> x, std::span<double> dx) {
                  evaluate<System>(*system_, kAll, t, x, at_, dx);
                }) {}

  void prepare(GroupStates<double>& groups) const {
    groups[kAll].history.resize(0, static_cast<int>(x_.size()));
  }

  template <class Observer>
  Status step(System& system, Clock& clock, GroupStates<double>& groups, Observer&& observe) {
    GroupState<double>& s = groups[kAll];
    const std::array evals{&at_};
    if (begin_step<System>(system, kAll, clock, policy_, at_, s, dx_) == Accept::interrupt)
      return Status::interrupted;
    observe(clock.time(), PointKind::full_step, evals, groups_);
    system.after_evaluation(kAll, at_);
    system_ = &system;
    x_ = s.x;
    const std::int64_t before = solver_.evaluations();
    const bool done =
        x_.empty() || solver_.advance(clock.time(), clock.time_at(1.0, kTicksPerFrame), x_);
    s.counts.steps += 1 + solver_.evaluations() - before;
    const Status status = judge<double>(x_, system.limits(kAll), kAll, failed_);
    if (status != Status::ok) return status;
    if (!done) {
      failed_ = {kAll, 0};
      return Status::solver_failed;
    }
    s.x = x_;
    clock.tick += kTicksPerFrame;
    system.commit(kAll, clock.now());
    return Status::ok;
  }

  [[nodiscard]] FailedState failed_state() const { return failed_; }
  void each_eval(auto&& visit) const { visit(at_); }
  ReferenceScheme(const ReferenceScheme&) = delete;  // the solver's callback holds `this`
  ReferenceScheme& operator=(const ReferenceScheme&) = delete;

 private:
  static constexpr GroupIndex kAll{0};
  static constexpr std::array groups_{kAll};
  HistoryPolicy policy_;
  typename System::Eval at_;
  std::vector<double> x_, dx_;
  System* system_ = nullptr;
  AdaptiveSolver solver_;
  FailedState failed_;
};

}  // namespace chicane
