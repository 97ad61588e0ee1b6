// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "integrators/multirate/coupled_groups.hpp"
#include "integrators/tableaus/pairs.hpp"

namespace chicane {

// Partitioned Runge-Kutta (000): all groups advance by the same step, the slowest with one tableau
// and the others with another. At stage i
//
//   X_s = x_s + h sum_j a^s_ij k_j        X_f = x_f + h sum_j a^f_ij l_j
//   k_i = f_s(t + c^s_i h, X_s, y_f)      l_i = f_f(t + c^f_i h, X_f, y_s)
//
// and a derivative whose column is zero is not evaluated: the slow group then only gives its
// outputs y_s at X_s.
template <GroupSystem System>
class PartitionedRungeKutta {
 public:
  using T = typename System::Scalar;

  PartitionedRungeKutta(const System& system, const TableauPair& pair)
      : slow_(pair.slow), fast_(pair.fast), coupled_(system) {
    for (const GroupIndex g : groups_of(system)) {
      all_.push_back(g);
      steps_.push_back(MethodStep<T>(system.states(g), slow_.rows.k.stages));
    }
  }

  void prepare(GroupStates<T>& s) const {
    for (GroupState<T>& g : s) {
      g.history.resize(0, static_cast<int>(g.x.size()));
      g.signals.resize(0, 0);
    }
  }

  // One frame. On any status but ok nothing has advanced.
  template <class Observer>
  Status step(System& system, Clock& clock, GroupStates<T>& s, Observer&& observe) noexcept {
    if (begin(system, clock, s, is_due(observe)) == Accept::interrupt) return Status::interrupted;
    if (is_due(observe)) observe(clock.time(), PointKind::full_step, coupled_.evals(), all_);

    const double h = seconds(kTicksPerFrame * clock.unit);
    for (const GroupIndex g : all_) {
      steps_[g].begin(own(g).rows, s[g]);
      s[g].counts.steps += own(g).evaluations;
    }
    for (int i = 1; i < slow_.rows.k.stages; ++i) {
      for (const GroupIndex g : all_) {
        const double c = own(g).rows.k.c[static_cast<std::size_t>(i)];
        coupled_.outputs(system, g, clock.time_at(c, kTicksPerFrame),
                         steps_[g].point(own(g).rows, i, h, s[g]));
      }
      for (const GroupIndex g : all_)
        if (own(g).used[static_cast<std::size_t>(i)]) {
          coupled_.derivative(system, g, steps_[g].F(i));
          system.after_evaluation(g, coupled_.eval(g));
        }
    }
    for (const GroupIndex g : all_) {
      const Status status = steps_[g].update(own(g).rows, h, s[g], system.limits(g), g, failed_);
      if (status == Status::ok) continue;
      for (int i = 0; i <= g.value; ++i) steps_[GroupIndex{i}].undo(s[GroupIndex{i}]);
      return status;
    }
    clock.tick += kTicksPerFrame;
    for (const GroupIndex g : all_) {
      steps_[g].keep(s[g]);
      system.commit(g, clock.now());
    }
    return Status::ok;
  }

  [[nodiscard]] FailedState failed_state() const { return failed_; }
  void each_eval(auto&& visit) const { coupled_.each_eval(visit); }
  void poison(const T& value) {
    coupled_.poison(value);
    for (auto& step : steps_) step.poison(value);
  }

 private:
  struct Own {
    explicit Own(const Coefficients<double>& k) : rows(k), used(used_columns(k)) {
      evaluations = std::count(used.begin(), used.end(), true);
    }
    Rows rows;
    std::vector<bool> used;  // columns that are not zero
    std::int64_t evaluations;
  };

  [[nodiscard]] const Own& own(GroupIndex g) const { return g.value == 0 ? slow_ : fast_; }

  // Stage 1, the point itself. Events, memory and whoever looks on want every derivative here; the
  // step itself only those whose first column is used.
  Accept begin(System& system, const Clock& clock, GroupStates<T>& s, bool looked_at) noexcept {
    for (;;) {
      for (const GroupIndex g : all_) {
        system.bind(g, coupled_.eval(g));
        coupled_.outputs(system, g, clock.time(), s[g].x);
      }
      Accept all = Accept::unchanged;
      for (const GroupIndex g : all_) {
        const bool wanted = looked_at || system.needs_accept(g);
        if (!own(g).used[0] && !wanted) continue;
        coupled_.derivative(system, g, {s[g].history.present(system.states(g)), s[g].x.size()});
        if (!own(g).used[0]) ++s[g].counts.extra;
      }
      for (const GroupIndex g : all_)
        if (system.needs_accept(g))
          all = std::max(all, system.accept(g, clock.now(), coupled_.eval(g)));
      if (all == Accept::unchanged) break;
      for (const GroupIndex g : all_) ++s[g].counts.extra;
      if (all == Accept::interrupt) return all;
    }
    for (const GroupIndex g : all_) system.after_evaluation(g, coupled_.eval(g));
    return Accept::unchanged;
  }

  Own slow_, fast_;
  CoupledGroups<System> coupled_;
  std::vector<GroupIndex> all_;
  PerIndex<GroupIndex, MethodStep<T>> steps_;
  FailedState failed_;
};

}  // namespace chicane
