// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "assembly/parts/data_block.hpp"
#include "vehicle/per_wheel.hpp"
#include "vehicle/powertrain/powertrain.hpp"

// The block of a powertrain with an engine; powertrain.cpp reads it from the file.

namespace chicane::powertrain {

enum Input { kAccelerator, kClutch, kGear, kSpeeds, kStarter = kSpeeds + 4, kInputs };
enum Task { kTorques, kMemory };

// What results show of a powertrain, in the order of the outputs.
template <class T>
struct Shown {
  PerWheel<T> torque;
  T engine_speed, engine_torque, gear, ratio, running;
  T T_pump, T_turbine, T_clutch, T_gear, T_prop, omega_prop;
  Losses<T> losses;
  T top;
};

template <class T>
class PowertrainBlock final : public DataBlock<T, Maps> {
 public:
  using DataBlock<T, Maps>::DataBlock;

  void run(int task, const BlockView<T>& at) const noexcept override {
    const Maps& maps = this->data();
    const auto p = from_values<Params<T>>(at.p);
    const auto x = from_values<State<T>>(at.x);
    const auto z = from_values<Memory<T>>(at.z);
    const In<T> in{at.t,        at.u(kAccelerator), at.u(kClutch),
                   at.u(kGear), speeds(at),         at.u(kStarter)};
    if (task == kMemory) {
      to_values(next(maps, p, x, z, in), at.z_next);
      return;
    }
    const auto [rates, out] = evaluate(maps, p, x, z, in);
    to_values(rates, at.dx);
    to_values(Shown<T>{out.torque, x.omega_e, out.T_engine, out.gear, out.ratio, z.running,
                       out.T_pump, out.T_turbine, out.T_clutch, out.T_gear, out.T_prop,
                       out.omega_prop, out.losses, T(maps.engine.top())},
              at.y);
  }

 private:
  static PerWheel<T> speeds(const BlockView<T>& at) {
    return {at.u(kSpeeds), at.u(kSpeeds + 1), at.u(kSpeeds + 2), at.u(kSpeeds + 3)};
  }
};

}  // namespace chicane::powertrain
