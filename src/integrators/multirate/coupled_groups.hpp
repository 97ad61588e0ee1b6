// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "integrators/stages.hpp"

namespace chicane {

// All groups of a system, each at a point of its own, and the signals that pass between them there:
// y_g what group g publishes, u_g what it reads.
template <GroupSystem System>
class CoupledGroups {
 public:
  using T = typename System::Scalar;
  using Eval = typename System::Eval;

  explicit CoupledGroups(const System& system) {
    for (const GroupIndex g : groups_of(system)) {
      evals_.push_back(system.make_eval(g));
      y_.push_back(std::vector<T>(static_cast<std::size_t>(system.published(g))));
      u_.push_back(std::vector<T>(system.sources(g).size()));
    }
    for (Eval& at : evals_) pointers_.push_back(&at);
  }
  CoupledGroups(const CoupledGroups&) = delete;
  CoupledGroups& operator=(const CoupledGroups&) = delete;

  [[nodiscard]] Eval& eval(GroupIndex g) { return evals_[g]; }
  [[nodiscard]] std::span<Eval* const> evals() const { return pointers_; }
  [[nodiscard]] std::span<T> y(GroupIndex g) { return y_[g]; }
  [[nodiscard]] std::span<T> u(GroupIndex g) { return u_[g]; }

  // First half of an evaluation of g, once all slower groups have had theirs.
  void outputs(System& system, GroupIndex g, double t, std::span<const T> x) noexcept {
    gather(system, g);
    system.outputs(g, t, x, u(g), eval(g), y(g));
  }
  // Second half, once all groups have had the first.
  void derivative(System& system, GroupIndex g, std::span<T> dx) noexcept {
    gather(system, g);
    system.derivative(g, eval(g), u(g), dx);
  }

  void each_eval(auto&& visit) const {
    for (const Eval& e : evals_) visit(e);
  }
  void poison(const T& value) {
    for (Eval& e : evals_) std::fill(e.v.begin(), e.v.end(), value);
    for (auto* list : {&y_, &u_})
      for (auto& v : *list) std::fill(v.begin(), v.end(), value);
  }

 private:
  void gather(System& system, GroupIndex g) noexcept {
    T* to = u_[g].data();
    for (const Source& s : system.sources(g))
      *to++ = y_[s.group][static_cast<std::size_t>(s.place)];
  }

  PerIndex<GroupIndex, Eval> evals_;
  std::vector<Eval*> pointers_;
  PerIndex<GroupIndex, std::vector<T>> y_, u_;
};

// A one-step method for all groups together: what starts multistep methods, every group at the step
// of the fastest. Classic Runge-Kutta keeps order four; a method of higher order is started by
// itself.
template <GroupSystem System>
class CoupledStart {
 public:
  using T = typename System::Scalar;

  explicit CoupledStart(const System& system, const Method& by = *find_method("rk4"))
      : rows_(by.k) {
    for (const GroupIndex g : groups_of(system)) {
      const auto n = static_cast<std::size_t>(system.states(g));
      x_.push_back(std::vector<T>(n));
      F_.push_back(std::vector<T>(n * static_cast<std::size_t>(by.k.stages)));
    }
  }

  // F_1 of a group, which whoever calls step has filled.
  [[nodiscard]] std::span<T> first(GroupIndex g) { return F(g, 0); }

  // From F_1, just evaluated in `at`, to the next state. `time(c)` is the time of a stage.
  template <class Time>
  Status step(System& system, CoupledGroups<System>& at, double h, Time&& time, GroupStates<T>& s,
              FailedState& failed) noexcept {
    const int stages = rows_.k.stages;
    for (int i = 1; i < stages; ++i) {
      const double t = time(rows_.k.c[static_cast<std::size_t>(i)]);
      for (const GroupIndex g : groups_of(system)) {
        system.after_evaluation(g, at.eval(g));
        combine(rows_.stage[static_cast<std::size_t>(i)], g, h, s[g]);
        at.outputs(system, g, t, x_[g]);
      }
      for (const GroupIndex g : groups_of(system)) at.derivative(system, g, F(g, i));
    }
    for (const GroupIndex g : groups_of(system)) {
      system.after_evaluation(g, at.eval(g));
      combine(rows_.update, g, h, s[g]);
      s[g].counts.startup += stages;
      const Status status = judge<T>(x_[g], system.limits(g), g, failed);
      if (status != Status::ok) return status;
    }
    for (const GroupIndex g : groups_of(system)) std::swap(s[g].x, x_[g]);
    return Status::ok;
  }

  void poison(const T& value) {
    for (auto* list : {&x_, &F_})
      for (auto& v : *list) std::fill(v.begin(), v.end(), value);
  }

 private:
  std::span<T> F(GroupIndex g, int stage) {
    const std::size_t n = x_[g].size();
    return {F_[g].data() + static_cast<std::size_t>(stage) * n, n};
  }
  void combine(const Combination& row, GroupIndex g, double h, const GroupState<T>& s) {
    std::array<const T*, kMaxStages> f;
    for (int i = 0; i < rows_.k.stages; ++i) f[static_cast<std::size_t>(i)] = F(g, i).data();
    row.template apply<T>(h, s.x.data(), f.data(), x_[g].data(), static_cast<int>(s.x.size()));
  }

  Rows rows_;
  PerIndex<GroupIndex, std::vector<T>> x_, F_;
};

}  // namespace chicane
