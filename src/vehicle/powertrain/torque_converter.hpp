// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <variant>

#include "math/curve.hpp"
#include "math/scalar.hpp"
#include "math/table.hpp"

// Torque converter: a pump on the engine drives a turbine on the gearbox through oil.
//
// Source: the usual description by two curves over the speed ratio r = omega_t/omega_p (for example
// Wong, Theory of Ground Vehicles, ch. 3): capacity factor K and torque ratio,
//   T_p = (omega_p / K(r))^2        T_t = ratio(r) T_p
// On the overrun the turbine drives: the same capacity with the parts exchanged, torques equal.
//
// Deviation: measured curves do not reach T = 0 at r = 1, where the torque must change its sign.
// Within the slip `band` both sides fall smoothly to 0. Docs: docs/theory/powertrain.md.

namespace chicane::powertrain {

class ConverterMap {
 public:
  // capacity: K [rad/s / sqrt(N m)] over r; ratio: T_t/T_p over r.  Refuses K <= 0, a ratio below 0
  // and one that gives more power than it takes.
  static std::variant<ConverterMap, std::string> make(const CurveData& capacity,
                                                      const CurveData& ratio);

  template <class T>
  T capacity(const T& r) const {
    return capacity_(r);
  }
  template <class T>
  T ratio(const T& r) const {
    return ratio_(r);
  }

 private:
  ConverterMap(Table1D capacity, Table1D ratio)
      : capacity_(std::move(capacity)), ratio_(std::move(ratio)) {}

  Table1D capacity_, ratio_;
};

template <class T>
struct ConverterTorques {
  T pump;     // [N m] taken from the engine
  T turbine;  // [N m] given to the gearbox
};

template <class T>
ConverterTorques<T> converter(const ConverterMap& map, const T& band, const T& omega_p,
                              const T& omega_t) {
  const auto driven = omega_p >= omega_t;
  const T fast = select(driven, omega_p, omega_t), slow = select(driven, omega_t, omega_p);
  const auto turns = abs(fast) > 0.0;
  const T safe = select(turns, fast, T(1.0));
  const T r = slow / safe;
  const T x = min((fast - slow) / (band * abs(safe)), 1.0);
  const T fade = 0.5 * x * (3.0 - x * x);
  const T root = fast / map.capacity(r);
  const T torque = fade * root * root;
  return {select(driven, torque, -torque), select(driven, map.ratio(r) * torque, -torque)};
}

}  // namespace chicane::powertrain
