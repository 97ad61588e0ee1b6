// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <vector>

#include "integrators/multirate/multiframe.hpp"
#include "integrators/multirate/pece.hpp"
#include "integrators/multirate/prk.hpp"
#include "integrators/reference/reference.hpp"
#include "integrators/single_rate/single_rate.hpp"
#include "simulation/simulation.hpp"

namespace chicane {

// The schemes behind one interface, so that they can be exchanged.
template <GroupSystem System, class ObservePoint>
class AnyScheme {
 public:
  using T = typename System::Scalar;
  virtual ~AnyScheme() = default;
  virtual void prepare(GroupStates<T>& groups) = 0;
  virtual Status step(System& system, Clock& clock, GroupStates<T>& groups,
                      const ObservePoint& observe) = 0;
  [[nodiscard]] virtual FailedState failed_state() const = 0;
  virtual void poison(const T& value) = 0;
  virtual void each_eval(const std::function<void(const typename System::Eval&)>& visit) const = 0;
};

template <GroupSystem System, class ObservePoint, class Kind>
class SchemeOf final : public AnyScheme<System, ObservePoint> {
 public:
  using T = typename System::Scalar;
  template <class... Args>
  explicit SchemeOf(Args&&... args) : scheme_(std::forward<Args>(args)...) {}

  void prepare(GroupStates<T>& groups) override { scheme_.prepare(groups); }
  Status step(System& system, Clock& clock, GroupStates<T>& groups,
              const ObservePoint& observe) override {
    return scheme_.step(system, clock, groups, observe);
  }
  [[nodiscard]] FailedState failed_state() const override { return scheme_.failed_state(); }
  void poison(const T& value) override {
    if constexpr (requires { scheme_.poison(value); }) scheme_.poison(value);
  }
  void each_eval(const std::function<void(const typename System::Eval&)>& visit) const override {
    scheme_.each_eval(visit);
  }

 private:
  Kind scheme_;
};

// The scheme of a plan, for a system with the groups and signals of the structure.
template <class ObservePoint, GroupSystem System>
std::unique_ptr<AnyScheme<System, ObservePoint>> make_scheme(const System& system, const Plan& plan,
                                                             const ModelStructure& structure) {
  const auto make = [&]<class Kind>(std::type_identity<Kind>, auto&&... args) {
    return std::make_unique<SchemeOf<System, ObservePoint, Kind>>(
        system, std::forward<decltype(args)>(args)...);
  };
  const auto interps = [&](GroupIndex g) {
    std::vector<Interpolator> list;
    for (const SignalIndex s : structure.groups[g].reads) list.push_back(plan.interp_of(s));
    return list;
  };
  switch (plan.scheme) {
    case SchemeKind::reference:
      if constexpr (std::is_same_v<typename System::Scalar, double>)
        return make(std::type_identity<ReferenceScheme<System>>{}, plan.history);
      throw std::logic_error("the reference scheme is for plain numbers");
    case SchemeKind::single_rate:
      return make(std::type_identity<SingleRate<System>>{}, plan.method, plan.startup,
                  plan.history);
    case SchemeKind::prk:
      return make(std::type_identity<PartitionedRungeKutta<System>>{}, plan.pair);
    case SchemeKind::multiframe: {
      MultiframePlan p{{}, plan.order, plan.startup, plan.history, plan.threads};
      for (const GroupIndex g : plan.groups.indices())
        p.groups.push_back({plan.groups[g].method, plan.groups[g].ratio, interps(g)});
      return make(std::type_identity<Multiframe<System>>{}, std::move(p));
    }
    case SchemeKind::pece_multirate:
    case SchemeKind::pece_multirate_parallel:
      break;
  }
  const GroupIndex fast{1};
  return make(std::type_identity<PeceMultirate<System>>{},
              PecePlan{.ratio = plan.groups[fast].ratio,
                       .inner = plan.inner,
                       .outer = plan.outer,
                       .interps = interps(fast),
                       .parallel = plan.scheme == SchemeKind::pece_multirate_parallel,
                       .threads = plan.threads,
                       .history = plan.history});
}

}  // namespace chicane
