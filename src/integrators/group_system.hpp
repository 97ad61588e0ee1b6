// SPDX-License-Identifier: Apache-2.0
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

// Where a signal that a group reads comes from: the place-th of those another group publishes.
struct Source {
  GroupIndex group;
  int place = 0;
};

// The only thing a scheme knows of a model: rate groups and the signals between them.
//
//   y_g = outputs(g, t, x_g, u_g)        dx_g/dt = derivative(g, ...)
//
// Groups are numbered from the slowest to the fastest. Both halves of one evaluation share an Eval,
// the group's scratch at that point, so that nothing is computed twice and a stage that only needs
// outputs pays only for them. y_g are the signals this group publishes, u_g those it reads; what a
// slower group publishes never needs what it reads from a faster one.
//   sources           where each of u_g comes from
//   state_of_signal   the state of g that its i-th published signal is, so that its rate is known;
//                     -1: it is none
//   bind              begins a full step: puts what is constant over it (parameters, memory,
//                     inputs) into the Eval; says whether any of it differs from what was there
//   outputs           first half, with the signals of the slower groups in u
//   derivative        second half, with all signals in u
//   accept            after the evaluation at its start, at `now` [atoms]: events act, then memory
//                     finds its next value; called again after a `changed` has been evaluated
//                     anew, when it does not act a second time
//   needs_accept      accept has anything to do in this group; eventful: events among it
//   after_evaluation  of each stage of the step: memory that advances at every evaluation
//   commit            ends a full step at `now` [atoms]: memory takes its next value
// Evaluations of different groups may run at the same time, each with an Eval of its own. x stays
// where it is until the derivative has been asked for.
template <class S>
concept GroupSystem = requires(S& s, GroupIndex g, int i, double t, std::int64_t now,
                               std::span<const typename S::Scalar> x,
                               std::span<typename S::Scalar> out, typename S::Eval& at) {
  { s.groups() } -> std::convertible_to<int>;
  { s.states(g) } -> std::convertible_to<int>;
  { s.published(g) } -> std::convertible_to<int>;
  { s.sources(g) } -> std::convertible_to<std::span<const Source>>;
  { s.state_of_signal(g, i) } -> std::convertible_to<int>;
  { s.make_eval(g) } -> std::same_as<typename S::Eval>;
  { s.bind(g, at) } -> std::same_as<bool>;
  {s.outputs(g, t, x, x, at, out)};
  {s.derivative(g, at, x, out)};
  { s.accept(g, now, at) } -> std::same_as<Accept>;
  { s.needs_accept(g) } -> std::convertible_to<bool>;
  { s.eventful(g) } -> std::convertible_to<bool>;
  {s.after_evaluation(g, at)};
  {s.commit(g, now)};
  { s.limits(g) } -> std::convertible_to<std::span<const double>>;
};

// Rows of n numbers from the last steps of a group, newest first: row k belongs to step n-1-k. The
// row of the present step is filled in place and joins them when the step is done. Part of the
// State.
template <class T>
struct History {
  int depth = 0;  // old rows there is room for
  int count = 0;  // old rows that hold something
  int head = 0;   // where the present row lies
  std::vector<T> rows = {};

  History() = default;
  History(int old, int n) : depth(old), rows(static_cast<std::size_t>((old + 1) * n)) {}

  [[nodiscard]] T* present(int n) { return rows.data() + head * n; }
  [[nodiscard]] const T* row(int k, int n) const { return rows.data() + place(k) * n; }
  [[nodiscard]] T* row(int k, int n) { return rows.data() + place(k) * n; }
  // see(k, row k, or the oldest there is, or the present one) for k = 0 ... most - 1.
  void each_row_or_oldest(int most, int n, auto&& see) const {
    const T* row = rows.data() + head * n;
    const T* const end = rows.data() + rows.size();
    for (int k = 0; k < most; ++k) {
      if (k < count && (row += n) == end) row = rows.data();
      see(k, row);
    }
  }
  // The step is done: its row becomes row 0.
  void push() {
    if (depth == 0) return;
    head = head > 0 ? head - 1 : depth;
    if (count < depth) ++count;
  }
  void push(const T* newest, int n) {
    std::copy(newest, newest + n, present(n));
    push();
  }
  // Room for another number of old rows; the newest that fit stay. Allocates only where more room
  // is needed than there ever was.
  void resize(int old, int n) {
    const bool fits = rows.size() == static_cast<std::size_t>((depth + 1) * n);
    if (fits && depth == old) return;
    if (fits) std::rotate(rows.begin(), rows.begin() + head * n, rows.end());  // row k at k + 1
    rows.resize(static_cast<std::size_t>((old + 1) * n));
    depth = old;
    count = fits ? std::min(count, old) : 0;
    head = 0;
  }
  [[nodiscard]] int place(int k) const {
    const int at = head + 1 + k;
    return at <= depth ? at : at - depth - 1;
  }
  // The same old rows in the same order, wherever each history happens to begin in its store.
  friend bool operator==(const History& a, const History& b) {
    if (a.depth != b.depth || a.count != b.count || a.rows.size() != b.rows.size()) return false;
    const int n = static_cast<int>(a.rows.size()) / (a.depth + 1);
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
  History<T> history;  // derivatives
  History<T> signals;  // what the group publishes, for interpolators
  Counts counts;
  friend bool operator==(const GroupState&, const GroupState&) = default;
};

template <class T>
using GroupStates = PerIndex<GroupIndex, GroupState<T>>;

template <class System>
FirstIndices<GroupIndex> groups_of(const System& system) {
  return FirstIndices<GroupIndex>(system.groups());
}

// A scheme advances all groups by one frame, the step of the slowest: two ticks, so that its half
// is a whole number too.
inline constexpr std::int64_t kTicksPerFrame = 2;

enum class Startup { rk4, build_up };  // how a multistep method gets its first old derivatives
enum class HistoryPolicy { keep, restart };  // what an event that changes a state does to them

// Points a scheme shows to its observer: the start of a frame, where all groups stand; the start of
// a step of faster groups within it; a stage inside a step of a real-time method.
enum class PointKind { full_step, sub_step, inner_stage };

// Whether an observer wants the coming point: where it costs an evaluation more, it is asked first.
template <class Observer>
bool is_due(const Observer& observe) {
  if constexpr (requires { observe.due(); })
    return observe.due();
  else
    return true;
}

// Both halves of an evaluation of a group that reads no other.
template <GroupSystem System>
void evaluate(System& system, GroupIndex g, double t, std::span<const typename System::Scalar> x,
              typename System::Eval& at, std::span<typename System::Scalar> dx) noexcept {
  system.outputs(g, t, x, {}, at, {});
  system.derivative(g, at, {}, dx);
}

// How every full step of a group that reads no other begins: evaluate, let events act, evaluate
// again where they changed something.
template <GroupSystem System>
Accept begin_step(System& system, GroupIndex g, const Clock& clock, HistoryPolicy policy,
                  typename System::Eval& at, GroupState<typename System::Scalar>& s,
                  std::span<typename System::Scalar> dx) noexcept {
  for (;;) {
    system.bind(g, at);
    evaluate<System>(system, g, clock.time(), s.x, at, dx);
    const Accept accepted = system.accept(g, clock.now(), at);
    if (accepted == Accept::unchanged) return accepted;
    ++s.counts.extra;
    if (accepted == Accept::interrupt) return accepted;  // the caller acts and comes back
    if (policy == HistoryPolicy::restart) s.history.count = 0;
  }
}

// A new state must be finite and within the range its model gives it. Returns the first that is
// not, or -1.
template <class T>
int first_bad(std::span<const T> x, std::span<const double> limits) noexcept {
  const auto is_bad = [&](std::size_t i) { return !(std::fabs(value_of(x[i])) <= limits[i]); };
  std::int64_t bad = 0;  // first all of them without a branch: nearly always there is none
  for (std::size_t i = 0; i < x.size(); ++i) bad |= std::int64_t{is_bad(i)};
  for (std::size_t i = 0; bad != 0 && i < x.size(); ++i)
    if (is_bad(i)) return static_cast<int>(i);
  return -1;
}

// Which state a bad status is about: the place-th of its group; -1: none.
struct FailedState {
  GroupIndex group;
  int place = -1;
};

template <class T>
Status judge(std::span<const T> x, std::span<const double> limits, GroupIndex g,
             FailedState& failed) noexcept {
  const int bad = first_bad<T>(x, limits);
  if (bad < 0) return Status::ok;
  failed = {g, bad};
  return std::isfinite(value_of(x[static_cast<std::size_t>(bad)])) ? Status::diverged
                                                                   : Status::not_finite;
}

}  // namespace chicane
