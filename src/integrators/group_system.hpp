#pragma once

#include <algorithm>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <span>
#include <vector>

#include "core/index.hpp"
#include "core/status.hpp"
#include "core/ticks.hpp"
#include "integrators/method.hpp"
#include "math/scalar.hpp"

namespace chicane {

// What a system did at an accepted point, the start of a full step of a group.
enum class Accept {
  unchanged,
  changed,    // events altered states or parameters: evaluate again
  interrupt,  // events ask the caller to change step, ratio or method, or to stop, before the step
};

// The only thing a scheme knows of a model: rate groups and the signals between them.
//
//   y_g = outputs(g, t, x_g, u_g)        dx_g/dt = derivative(g, ...)
//
// Both halves of one evaluation share an Eval, the group's scratch at that point, so that nothing
// is computed twice and a stage that only needs outputs pays only for them. u_g are the signals
// other groups publish; y_g are those this group publishes.
//   bind       begins a full step: puts what is constant over it (parameters, memory, inputs) into
//   the Eval accept     after the evaluation at its start: events act, then memory finds its next
//   value; called
//              again after a `changed` has been evaluated anew, when it does not act a second time
//   staged     after each evaluation of the step: memory that advances at every evaluation
//   commit     ends a full step: memory takes its next value
template <class S>
concept GroupSystem = requires(S& s, GroupIndex g, double t, std::span<const typename S::Scalar> x,
                               std::span<typename S::Scalar> out, typename S::Eval& at) {
  { s.states(g) } -> std::convertible_to<int>;
  { s.make_eval(g) } -> std::same_as<typename S::Eval>;
  {s.bind(g, at)};
  {s.outputs(g, t, x, x, at, out)};
  {s.derivative(g, at, out)};
  { s.accept(g, at) } -> std::same_as<Accept>;
  {s.staged(g, at)};
  {s.commit(g)};
  { s.limits(g) } -> std::convertible_to<std::span<const double>>;
};

// Old derivatives of a group, newest first: row k is f_{n-1-k}. Part of the State.
template <class T>
struct History {
  int depth = 0;  // rows there is room for
  int count = 0;  // rows that hold something
  int head = 0;   // where row 0 lies
  std::vector<T> f;

  History() = default;
  History(int rows, int n) : depth(rows), f(static_cast<std::size_t>(rows * n)) {}

  [[nodiscard]] const T* row(int k, int n) const {
    const int at = head + k;
    return f.data() + (at < depth ? at : at - depth) * n;
  }
  void push(const T* newest, int n) {
    if (depth == 0) return;
    head = head > 0 ? head - 1 : depth - 1;
    std::copy(newest, newest + n, f.data() + head * n);
    if (count < depth) ++count;
  }
  // The same rows, newest first, in a history of another depth.
  [[nodiscard]] History resized(int rows, int n) const {
    History out(rows, n);
    for (int k = std::min(rows, count) - 1; k >= 0; --k) out.push(row(k, n), n);
    return out;
  }
  // The same rows in the same order, wherever each history happens to begin in its store.
  friend bool operator==(const History& a, const History& b) {
    if (a.depth != b.depth || a.count != b.count || a.f.size() != b.f.size()) return false;
    const int n = a.depth > 0 ? static_cast<int>(a.f.size()) / a.depth : 0;
    for (int k = 0; k < a.count; ++k)
      if (!std::equal(a.row(k, n), a.row(k, n) + n, b.row(k, n))) return false;
    return true;
  }
};

// Evaluations of a group, by what they were for.
struct Counts {
  std::int64_t steps = 0;    // by the method itself
  std::int64_t startup = 0;  // by the starting procedure of a multistep method
  std::int64_t extra = 0;    // repeated after an event, or for outputs at the end
  friend bool operator==(const Counts&, const Counts&) = default;
};

template <class T>
struct GroupState {
  std::vector<T> x;
  History<T> history;
  Counts counts;
  friend bool operator==(const GroupState&, const GroupState&) = default;
};

enum class Startup { rk4, build_up };  // how a multistep method gets its first old derivatives
enum class HistoryPolicy { keep, restart };  // what an event that changes a state does to them

// Points a scheme shows to its observer.
enum class PointKind { full_step, inner_stage };

// Both halves of an evaluation of a group that reads no other.
template <GroupSystem System>
void evaluate(System& system, GroupIndex g, double t, std::span<const typename System::Scalar> x,
              typename System::Eval& at, std::span<typename System::Scalar> dx) noexcept {
  system.outputs(g, t, x, {}, at, {});
  system.derivative(g, at, dx);
}

// How every full step begins: evaluate, let events act, evaluate again where they changed
// something.
template <GroupSystem System>
Accept begin_step(System& system, GroupIndex g, double t, HistoryPolicy policy,
                  typename System::Eval& at, GroupState<typename System::Scalar>& s,
                  std::span<typename System::Scalar> dx) noexcept {
  for (;;) {
    system.bind(g, at);
    evaluate<System>(system, g, t, s.x, at, dx);
    const Accept accepted = system.accept(g, at);
    if (accepted == Accept::unchanged) return accepted;
    ++s.counts.extra;
    if (accepted == Accept::interrupt) return accepted;  // the caller acts and comes back
    if (policy == HistoryPolicy::restart) s.history.count = 0;
  }
}

// A new state must be finite and within the range its model gives it.
template <class T>
Status judge(std::span<const T> x, std::span<const double> limits, int& culprit) noexcept {
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double magnitude = std::fabs(value_of(x[i]));
    if (magnitude <= limits[i]) continue;
    culprit = static_cast<int>(i);
    return std::isfinite(magnitude) ? Status::diverged : Status::not_finite;
  }
  return Status::ok;
}

}  // namespace chicane
