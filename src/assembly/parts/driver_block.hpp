// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstddef>
#include <optional>
#include <utility>

#include "assembly/parts/data_block.hpp"
#include "vehicle/driver/path.hpp"
#include "vehicle/driver/path_follower.hpp"
#include "vehicle/driver/schedule.hpp"
#include "vehicle/driver/shifting.hpp"
#include "vehicle/driver/speed_control.hpp"

// The block of a driver; driver.cpp reads what he does from the file.

namespace chicane::driver {

enum class Follower { none, preview_point, optimal_preview };
enum class Control { none, pedals, torque };

// The channels of a driver. Those that follow have their numbers among the parameters: the follower
// first, then the hand and the point that follows; the speed control from `first_of_speed` on.
struct Channels {
  Follower follower = Follower::none;
  std::optional<Path> path;       // of a follower
  std::optional<Schedule> angle;  // otherwise
  Control control = Control::none;
  std::optional<Schedule> target;  // of a control whose speed is no parameter
  std::optional<Schedule> accelerator, brake, wheel_torque;
  std::optional<Schedule> gear, clutch, hand_brake, starter;
  std::size_t first_of_speed = 0;
  // Of one who shifts: the gearbox, when, and where his numbers begin.
  struct Shifting {
    powertrain::Gearbox gearbox;
    powertrain::ShiftMap map;
    std::size_t first = 0;
  };
  std::optional<Shifting> shifting;

  [[nodiscard]] bool follows() const { return follower != Follower::none; }
  [[nodiscard]] bool controls() const { return control != Control::none; }
  // Where among the states the feet are, and where among the memory the gear is.
  [[nodiscard]] std::size_t feet() const {
    return std::size_t{follows()} + std::size_t{controls()};
  }
  [[nodiscard]] std::size_t shift() const { return follows() ? 1 : 0; }
};

enum Input { kX, kY, kYaw, kSpeedIn, kSideSpeed, kYawRate, kGauges, kInputs = kGauges + 4 };
enum Output {
  kAngle,
  kHandBrake,
  kClutch,
  kGear,
  kStarter,
  kAccelerator,
  kBrake,
  kWheelTorque,
  kOffset
};
enum Task { kHeld, kFollowing, kMemory, kFeet };
enum Scratch { kFootNow, kAsked, kBraking, kScratch };

// Where the point is that is to follow, `ahead` of the chassis' origin.
template <class T>
CarMotion<T> place_of(const BlockView<T>& at, const T& ahead) {
  const T& yaw = at.u(kYaw);
  return {at.u(kX) + ahead * cos(yaw), at.u(kY) + ahead * sin(yaw), yaw, T(0.0), T(0.0), T(0.0)};
}

template <class T>
struct HandAndPoint {
  HandParams<T> hand;
  T ahead;
};

inline constexpr std::size_t kSpeedNumbers = sizeof(SpeedParams<double>) / sizeof(double);

template <class S, class T>
S parameters_from(const BlockView<T>& at, std::size_t first) {
  return from_values<S>(at.p.subspan(first, sizeof(S) / sizeof(T)));
}

template <class T>
class DriverBlock final : public DataBlock<T, Channels> {
 public:
  using DataBlock<T, Channels>::DataBlock;

  void run(int task, const BlockView<T>& at) const noexcept override {
    if (task == kHeld) return held(at);
    if (task == kMemory) return remember(at);
    if (task == kFeet) return move_feet(at);
    steer(at);
    drive(at);
  }

 private:
  [[nodiscard]] const Channels& channels() const { return this->data(); }
  [[nodiscard]] bool follows() const { return channels().follows(); }

  void held(const BlockView<T>& at) const {
    const Channels& c = channels();
    at.y[kAngle] = follows() ? at.x[0] : (*c.angle)(at.t);
    at.y[kHandBrake] = (*c.hand_brake)(at.t);
    if (c.shifting) {
      at.y[kAccelerator] = at.x[c.feet()];
      at.y[kClutch] = at.x[c.feet() + 1];
      at.y[kGear] = at.z[c.shift()];
      at.y[kStarter] = at.z[c.shift() + 4];
      return;
    }
    at.y[kClutch] = (*c.clutch)(at.t);
    at.y[kGear] = (*c.gear)(at.t);
    at.y[kStarter] = (*c.starter)(at.t);
  }

  // --- shifting ---

  static Gauges<T> gauges(const BlockView<T>& at) {
    return {at.u(kGauges), at.u(kGauges + 1), at.u(kGauges + 2), at.u(kGauges + 3)};
  }

  void move_feet(const BlockView<T>& at) const {
    const Channels& c = channels();
    const auto p = parameters_from<ShiftingParams<T>>(at, c.shifting->first);
    const auto wanted = wanted_feet(c.shifting->gearbox, p, value_of(at.z[c.shift() + 2]),
                                    value_of(at.z[c.shift()]), gauges(at), T(at.scratch[kAsked]));
    at.dx[c.feet()] = (wanted.accelerator - at.x[c.feet()]) / p.t_foot;
    at.dx[c.feet() + 1] = (wanted.clutch - at.x[c.feet() + 1]) / p.t_foot;
  }

  void remember(const BlockView<T>& at) const {
    const Channels& c = channels();
    if (follows()) at.z_next[0] = at.scratch[kFootNow];  // the next search starts there
    if (!c.shifting) return;
    constexpr std::size_t n = sizeof(ShiftingParams<T>) / sizeof(T);
    std::array<double, n> p{};
    for (std::size_t i = 0; i < n; ++i) p[i] = value_of(at.p[c.shifting->first + i]);
    const auto z = [&](std::size_t i) { return value_of(at.z[c.shift() + i]); };
    const auto seen = gauges(at);
    const ShiftingMemory next =
        next_shift(c.shifting->gearbox, c.shifting->map, std::bit_cast<ShiftingParams<double>>(p),
                   {z(0), z(1), z(2), z(3), z(4)},
                   {value_of(at.t),
                    {value_of(seen.omega_e), value_of(seen.omega_in), value_of(seen.omega_out),
                     value_of(seen.running)},
                    value_of(at.scratch[kAsked]),
                    value_of(at.scratch[kBraking]),
                    value_of(at.x[c.feet() + 1])});
    const double values[] = {next.gear, next.target, next.phase, next.since, next.starting};
    for (std::size_t i = 0; i < std::size(values); ++i) at.z_next[c.shift() + i] = T(values[i]);
  }

  void steer(const BlockView<T>& at) const {
    at.y[kOffset] = T(0.0);
    if (!follows()) return;
    const bool point = channels().follower == Follower::preview_point;
    point ? follow<PointParams<T>>(at) : follow<OptimalParams<T>>(at);
  }

  template <class P>
  void follow(const BlockView<T>& at) const {
    const Path& path = *channels().path;
    const auto p = parameters_from<P>(at, 0);
    const auto [hand, ahead] = parameters_from<HandAndPoint<T>>(at, sizeof(P) / sizeof(T));
    auto car = place_of(at, ahead);
    car.v = at.u(kSpeedIn);
    if constexpr (std::is_same_v<P, OptimalParams<T>>) {
      car.r = at.u(kYawRate);
      car.v_y = at.u(kSideSpeed) + ahead * car.r;
    }
    const T s = path.foot(car.x, car.y, value_of(at.z[0]));
    at.dx[0] = hand_rate(hand, at.x[0], wanted(p, s, car));
    at.y[kOffset] = offset(path, s, car);
    at.scratch[kFootNow] = s;
  }
  T wanted(const PointParams<T>& p, const T& s, const CarMotion<T>& car) const {
    return preview_point(*channels().path, p, s, car);
  }
  T wanted(const OptimalParams<T>& p, const T& s, const CarMotion<T>& car) const {
    return optimal_preview(*channels().path, p, s, car);
  }

  void drive(const BlockView<T>& at) const {
    const Channels& c = channels();
    Pedals<T> feet{T(0.0), T(0.0)};
    T torque(0.0);
    if (c.control == Control::none) {
      feet = {(*c.accelerator)(at.t), (*c.brake)(at.t)};
      torque = (*c.wheel_torque)(at.t);
    } else {
      const auto p = parameters_from<SpeedParams<T>>(at, c.first_of_speed);
      const T v_set = c.target ? (*c.target)(at.t) : at.p[c.first_of_speed + kSpeedNumbers];
      const std::size_t integral = follows() ? 1 : 0;
      const auto out = speed_control(p, at.x[integral], v_set, at.u(kSpeedIn));
      at.dx[integral] = out.integral_rate;
      if (c.control == Control::pedals)
        feet = standing(pedals(out.u), v_set, at.u(kSpeedIn));
      else
        torque = out.u;
    }
    if (c.shifting) {
      at.scratch[kAsked] = feet.accelerator;
      at.scratch[kBraking] = feet.brake;
    } else {
      at.y[kAccelerator] = feet.accelerator;
    }
    at.y[kBrake] = feet.brake;
    at.y[kWheelTorque] = torque;
  }
};

}  // namespace chicane::driver
