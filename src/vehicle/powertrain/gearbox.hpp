// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "math/curve.hpp"
#include "math/scalar.hpp"
#include "math/table.hpp"
#include "vehicle/friction/bristle.hpp"

// Gearbox: ratios, the choice of a gear, and the handing over from one gear to the next.
//
// Gears are numbers: -1 reverse, 0 neutral, 1 to n forward. The gear is memory: `next_gear` says
// what it is from the next instant on. Docs: docs/theory/powertrain.md.

namespace chicane::powertrain {

enum class RatioMeaning { input_over_output, output_over_input };

class Gearbox {
 public:
  // Forward ratios from the first gear on, and a reverse ratio below 0.
  static std::variant<Gearbox, std::string> make(
      std::vector<double> forward, double reverse,
      RatioMeaning meaning = RatioMeaning::input_over_output);

  [[nodiscard]] std::size_t gears() const { return forward_.size(); }

  // Input over output speed; 0 in neutral.
  template <class T>
  T ratio(const T& gear) const {
    T i = select(gear < 0.0, T(reverse_), T(0.0));
    for (std::size_t k = 0; k < forward_.size(); ++k)
      i = select(gear == static_cast<double>(k + 1), T(forward_[k]), i);
    return i;
  }

 private:
  Gearbox(std::vector<double> forward, double reverse)
      : forward_(std::move(forward)), reverse_(reverse) {}

  std::vector<double> forward_;
  double reverse_;
};

// Speeds of the gearbox input [rad/s] over the accelerator: below `down` a gear is too high, above
// `up` too low.
struct ShiftBand {
  CurveData down, up;
};

class ShiftMap {
 public:
  // One band for each gear; `down` of the first and `up` of the last are not looked at. Refuses a
  // map that hunts: one with an accelerator at which shifting up leads below `down` of the next
  // gear.
  static std::variant<ShiftMap, std::string> make(const Gearbox& gearbox,
                                                  const std::vector<ShiftBand>& bands);

  // The forward gear that follows `gear` at a speed of the gearbox output.
  template <class T>
  T next(const Gearbox& gearbox, const T& gear, const T& omega_out, const T& accelerator) const {
    T next = gear;
    for (std::size_t k = 0; k + 1 < gearbox.gears(); ++k) {
      const T low(static_cast<double>(k + 1)), high(static_cast<double>(k + 2));
      const T up = select(gearbox.ratio(low) * omega_out > up_[k](accelerator), high, next);
      next = select(gear == low, up, next);
      const T down = select(gearbox.ratio(high) * omega_out < down_[k](accelerator), low, next);
      next = select(gear == high, down, next);
    }
    return next;
  }

 private:
  ShiftMap(std::vector<Table1D> up, std::vector<Table1D> down)
      : up_(std::move(up)), down_(std::move(down)) {}

  std::vector<Table1D> up_, down_;  // k: between gears k + 1 and k + 2
};

template <class T>
struct GearMemory {
  T gear;      // -1, 0, 1 to n
  T previous;  // the one before the last shift
  T started;   // [s] when that began; long ago at the beginning
};

template <class T>
struct GearIn {
  T t;            // [s]
  T omega_out;    // [rad/s] of the gearbox output, as the wheels turn it
  T accelerator;  // 0 to 1
  T command;      // manual: the gear; automatic: -1, 0, or 1 and above for drive
};

// A shift takes `duration` and is finished before the next. No map: a manual gearbox. The command
// may come from a slower group, whose signals are interpolated: the gear next to it counts.
template <class T>
GearMemory<T> next_gear(const Gearbox& gearbox, const ShiftMap* map, const T& duration,
                        const GearMemory<T>& z, const GearIn<T>& in) {
  const T command = round(in.command);
  T wanted = command;
  if (map != nullptr) {
    const T forward =
        select(z.gear >= 1.0, map->next(gearbox, z.gear, in.omega_out, in.accelerator), T(1.0));
    wanted = select(command >= 1.0, forward, command);
  }
  const T chosen = select(in.t - z.started < duration, z.gear, wanted);
  const auto stays = chosen == z.gear;
  return {chosen, select(stays, z.previous, z.gear), select(stays, z.started, in.t)};
}

template <class T>
struct Mesh {
  T gear;
  T ratio;    // input over output speed
  T engaged;  // 0 to 1: share of what the gear can carry; 0 in neutral
  T settled;  // 0 in the midst of a shift, 1 before and after
};

// In the first half of a shift the old gear lets go, in the second the new one takes hold. With a
// synchroniser, that share of the gear's torque brings its input to speed before the teeth do: it
// acts from a quarter of the second half on, they from three quarters.
template <class T>
Mesh<T> mesh(const Gearbox& gearbox, const T& duration, const T& synchroniser,
             const GearMemory<T>& z, const T& t) {
  using bristle::smooth_step;
  const T x = (t - z.started) / max(duration, 1e-9);
  const T gear = select(x < 0.5, z.previous, z.gear), ratio = gearbox.ratio(gear);
  const T settled = smooth_step(T(abs(2.0 * sat(x, 0.0, 1.0) - 1.0)));
  const T y = 2.0 * x - 1.0;
  const T in_steps =
      synchroniser * smooth_step(T(4.0 * y)) + (1.0 - synchroniser) * smooth_step(T(4.0 * y - 3.0));
  const T engaged = select(y > 0.0, select(synchroniser > 0.0, in_steps, settled), settled);
  return {gear, ratio, select(ratio == 0.0, T(0.0), engaged), settled};
}

}  // namespace chicane::powertrain
