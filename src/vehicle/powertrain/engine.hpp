#pragma once

#include <string>
#include <utility>
#include <variant>

#include "math/scalar.hpp"
#include "math/table.hpp"
#include "vehicle/curve.hpp"

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
  // torque over (speed, throttle)
  explicit EngineMap(Table2D torque) : law_(std::move(torque)) {}

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

  explicit EngineMap(TwoCurves curves) : law_(std::move(curves)) {}
  static std::variant<EngineMap, std::string> make(CurveOrFault upper, CurveOrFault lower,
                                                   bool net);

  std::variant<TwoCurves, Table2D> law_;
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

}  // namespace chicane::powertrain
