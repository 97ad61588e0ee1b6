#pragma once

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

  template <class Observer>
  Status step(System& system, Clock& clock, std::int64_t ticks, GroupState<double>& s,
              Observer&& observe) {
    if (begin_step<System>(system, kAll, clock.time(), policy_, at_, s, dx_) == Accept::interrupt)
      return Status::interrupted;
    observe(at_, clock.time(), PointKind::full_step);
    system.staged(kAll, at_);
    system_ = &system;
    x_ = s.x;
    const std::int64_t before = solver_.evaluations();
    const bool done = x_.empty() || solver_.advance(clock.time(), clock.time_at(1.0, ticks), x_);
    s.counts.steps += 1 + solver_.evaluations() - before;
    const Status status = judge<double>(x_, system.limits(kAll), culprit_);
    if (status != Status::ok) return status;
    if (!done) {
      culprit_ = 0;
      return Status::solver_failed;
    }
    s.x = x_;
    clock.tick += ticks;
    system.commit(kAll);
    return Status::ok;
  }

  [[nodiscard]] int culprit() const { return culprit_; }
  [[nodiscard]] int old_steps() const { return 0; }
  ReferenceScheme(const ReferenceScheme&) = delete;  // the solver's callback holds `this`
  ReferenceScheme& operator=(const ReferenceScheme&) = delete;

 private:
  static constexpr GroupIndex kAll{0};
  HistoryPolicy policy_;
  typename System::Eval at_;
  std::vector<double> x_, dx_;
  System* system_ = nullptr;
  AdaptiveSolver solver_;
  int culprit_ = -1;
};

}  // namespace chicane
