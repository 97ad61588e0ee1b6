// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cmath>
#include <vector>

#include "integrators/multirate/multiframe.hpp"
#include "integrators/multirate/pece.hpp"
#include "integrators/multirate/prk.hpp"
#include "integrators/single_rate/single_rate.hpp"
#include "testkit/two_rate_systems.hpp"

namespace testkit {

inline constexpr auto kIgnore = [](double, chicane::PointKind, auto&&, auto&&) {};

// An observer that wants nothing, not even to be asked.
struct Nobody {
  static bool due() { return false; }
  template <class Evals, class Fresh>
  void operator()(double, chicane::PointKind, Evals&&, Fresh&&) const {}
};

// All states of a system at its start, by group.
template <class System>
chicane::GroupStates<double> start_of(const System& system) {
  const auto all = system.start();
  chicane::GroupStates<double> s;
  auto at = all.begin();
  for (const GroupIndex g : chicane::groups_of(system)) {
    chicane::GroupState<double> group;
    group.x.assign(at, at + system.states(g));
    at += system.states(g);
    s.push_back(std::move(group));
  }
  return s;
}

// The states of all groups, one after the other.
inline std::vector<double> all_of(const chicane::GroupStates<double>& s) {
  std::vector<double> x;
  for (const auto& g : s) x.insert(x.end(), g.x.begin(), g.x.end());
  return x;
}

// A scheme at work on a system of its own.
template <class Scheme, class System>
struct Driven {
  template <class... Plan>
  Driven(System of, double step, const Plan&... plan)
      : system(std::move(of)), scheme(system, plan...), s(start_of(system)) {
    clock.rebase(chicane::whole_picoseconds(step).value() / chicane::kTicksPerFrame);
    scheme.prepare(s);
  }
  chicane::Status step() { return scheme.step(system, clock, s, kIgnore); }

  System system;
  Scheme scheme;
  chicane::Clock clock;
  chicane::GroupStates<double> s;
};

// A system of two groups as one.
template <class System>
using SingleRateOf = Driven<chicane::SingleRate<Merged<System>>, Merged<System>>;
template <class System>
using MultiframeOf = Driven<chicane::Multiframe<System>, System>;
template <class System>
using PeceOf = Driven<chicane::PeceMultirate<System>, System>;
template <class System>
using PrkOf = Driven<chicane::PartitionedRungeKutta<System>, System>;

// ab2 and interp1 for everything unless said otherwise.
template <class System>
chicane::MultiframePlan multiframe_plan(
    const System& system, int ratio, const std::string& slow = "ab2",
    const std::string& fast = "ab2",
    chicane::Interpolator interp = chicane::Interpolator::interp1) {
  chicane::MultiframePlan plan;
  for (const GroupIndex g : chicane::groups_of(system))
    plan.groups.push_back({*chicane::find_method(g == kSlow ? slow : fast), g == kSlow ? 1 : ratio,
                           std::vector(system.sources(g).size(), interp)});
  return plan;
}

// Errors of the slow and of the fast states at the end.
struct Errors {
  double slow = 0, fast = 0;
};

template <class System>
Errors errors_at(const System& system, double t, const chicane::GroupStates<double>& s) {
  const auto exact = system.exact(t);
  Errors e;
  std::size_t at = 0;
  for (const GroupIndex g : chicane::groups_of(system))
    for (const double x : s[g].x) {
      double& worst = g == kSlow ? e.slow : e.fast;
      worst = std::max(worst, std::fabs(x - exact[at++]));
    }
  return e;
}

}  // namespace testkit
