// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <variant>

#include "math/curve.hpp"
#include "math/scalar.hpp"
#include "math/table.hpp"

// Engine: torque of the crankshaft over speed and throttle, and the control that keeps it idling.
// Docs: docs/theory/powertrain.md.

namespace chicane::powertrain {

// Torque [N m] over speed [rad/s] and throttle, 0 to 1, in one of the forms data sheets have.
class EngineMap {
 public:
  // torque = (1 - throttle) motoring + throttle full
  static std::variant<EngineMap, std::string> between(const CurveData& full,
                                                      const CurveData& motoring);
  // torque = throttle gross + losses
  static std::variant<EngineMap, std::string> above(const CurveData& gross,
                                                    const CurveData& losses);
  // torque over (speed, throttle), known up to the speed `top`
  explicit EngineMap(Table2D torque, double top = kNoEnd) : law_(std::move(torque)), top_(top) {}

  // [rad/s] where the data end.
  [[nodiscard]] double top() const { return top_; }

  template <class T>
  T operator()(const T& omega, const T& throttle) const {
    const T u = sat(throttle, 0.0, 1.0);
    if (const auto* map = std::get_if<Table2D>(&law_)) return (*map)(omega, u);
    const auto& [upper, lower, net] = std::get<TwoCurves>(law_);
    const T below = lower(omega);
    return u * upper(omega) + (net ? T((1.0 - u) * below) : below);
  }

 private:
  struct TwoCurves {
    Table1D upper, lower;
    bool net;  // the upper curve has the losses in it
  };

  static constexpr double kNoEnd = 1e9;

  EngineMap(TwoCurves curves, double top) : law_(std::move(curves)), top_(top) {}
  static std::variant<EngineMap, std::string> make(CurveOrFault upper, CurveOrFault lower, bool net,
                                                   const CurveData& data);

  std::variant<TwoCurves, Table2D> law_;
  double top_;
};

template <class T>
struct IdleParams {
  T omega;  // [rad/s] speed the engine idles at
  T c;      // [N m s/rad] torque over what is missing of it
};

// The driver's torque, or what holds the idle speed where that is more. It is 0 at the idle speed,
// where an engine without load therefore stays, and falls above, which gives engine braking its
// place.
template <class T>
T engine_torque(const EngineMap& map, const IdleParams<T>& idle, const T& omega,
                const T& throttle) {
  const T holding = min(idle.c * (idle.omega - omega), map(omega, T(1.0)));
  return max(map(omega, throttle), holding);
}

// An engine below `omega` runs no more: it is dragged, until the starter turns it or the wheels
// turn it faster than it idles.
template <class T>
struct StallParams {
  T omega = T(0.0);      // [rad/s]; 0: it never stalls
  T T_starter = T(0.0);  // [N m] at standstill
};

// Of an engine that does not run: what it takes at no throttle, against its turning.
template <class T>
T drag_torque(const EngineMap& map, const T& omega) {
  constexpr double kTurning = 10.0;  // [rad/s] from which it drags fully
  return min(map(T(abs(omega)), T(0.0)), 0.0) * sat(T(omega / kTurning), -1.0, 1.0);
}

// Of the starter, which lets go at half of the idle speed.
template <class T>
T starter_torque(const StallParams<T>& stall, const IdleParams<T>& idle, const T& omega,
                 const T& starter) {
  return sat(starter, 0.0, 1.0) * stall.T_starter *
         sat(T(1.0 - omega / (0.5 * idle.omega)), 0.0, 1.0);
}

// Whether it runs from the next instant on.
template <class T>
T next_running(const StallParams<T>& stall, const IdleParams<T>& idle, const T& running,
               const T& omega, const T& starter) {
  const auto turned = omega > idle.omega, cranked = omega > 0.25 * idle.omega;
  const T started = select(starter > 0.5, select(cranked, T(1.0), running), running);
  const T held = select(starter > 0.5, T(1.0), select(omega < stall.omega, T(0.0), T(1.0)));
  const T next = select(running > 0.5, held, select(turned, T(1.0), started));
  return select(stall.omega > 0.0, next, T(1.0));
}

}  // namespace chicane::powertrain
