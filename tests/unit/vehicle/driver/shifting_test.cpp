// SPDX-License-Identifier: Apache-2.0

// A driver with a manual gearbox, on a car that is one mass behind its powertrain.

#include "vehicle/driver/shifting.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "unit/vehicle/powertrain/hmmwv.hpp"

namespace shifting_test {
namespace {

using namespace chicane;
using namespace chicane::driver;
namespace pt = chicane::powertrain;
using chicane::hmmwv::kRpm;

constexpr double kIdle = 800 * kRpm, kStrongest = 2100 * kRpm, kLargestTorque = 745.0;
constexpr double kCarInertia = 2600 * 0.47 * 0.47;  // [kg m^2] of a car of 2600 kg, at its wheels

pt::Params<double> params() {
  auto p = chicane::hmmwv::params();
  p.J_t = 0.1, p.eta = 1.0, p.synchroniser = 0.125;
  p.stall = {.omega = 0.5 * kIdle, .T_starter = 190.0};
  return p;
}

ShiftingParams<double> habits() {
  const auto p = params();
  return {.idle = kIdle,
          .bite = 0.85 * kIdle,
          .band = 2.0 * kIdle,
          .grip = kLargestTorque / p.T_clutch,
          .least = 0.1,
          .slip = 30.0,
          .blip = 10.0 * p.J_e / kLargestTorque,
          .t_foot = 0.06,
          .t_lever = p.t_shift,
          .t_rest = 0.5};
}

pt::ShiftMap usual() {
  const auto gearbox = chicane::hmmwv::gearbox();
  return testing_vehicle::made(
      pt::ShiftMap::make(gearbox, usual_shifts(gearbox, kIdle, kStrongest)));
}

struct State {
  pt::State<double> x;
  Feet<double> feet;
  double omega;  // [rad/s] of the wheels
};

// A car and its driver; wheels that stand are held by the brake.
struct Car {
  pt::Maps maps = chicane::hmmwv::manual();
  pt::Params<double> p = params();
  ShiftingParams<double> habit = habits();
  pt::ShiftMap map = usual();
  State s{{kIdle, 0, 0, 0, 0, 0, 0, 0}, {0, 1}, 0};
  pt::Memory<double> z{{1, 1, -1e9}, 0, 1};
  ShiftingMemory mind{1, 1, kLever, -1e9, 0};
  double t = 0;
  bool by_hand = false;            // his feet do nothing: he only moves the lever
  double highest = 0, lowest = 0;  // torque of the wheels over the ratio [N m], so far

  [[nodiscard]] pt::In<double> in(const State& at, double asked) const {
    const PerWheel<double> w{at.omega, at.omega, at.omega, at.omega};
    if (by_hand) return {t, asked, 0.0, mind.gear, w, 0.0};
    return {t, at.feet.accelerator, at.feet.clutch, mind.gear, w, mind.starting};
  }
  [[nodiscard]] Gauges<double> gauges(const State& at) const {
    const PerWheel<double> w{at.omega, at.omega, at.omega, at.omega};
    return {at.x.omega_e, at.x.omega_t, pt::prop_speed(p, w), z.running};
  }
  State rates(const State& at, double asked, double brake) const {
    const auto [x, out] = pt::evaluate(maps, p, at.x, z, in(at, asked));
    const double drive = out.torque.fl + out.torque.fr + out.torque.rl + out.torque.rr;
    const double grip = 16000 * brake * std::tanh(at.omega / 0.05);
    const auto wanted = wanted_feet(maps.gearbox, habit, mind.phase, mind.gear, gauges(at), asked);
    return {x,
            {(wanted.accelerator - at.feet.accelerator) / habit.t_foot,
             (wanted.clutch - at.feet.clutch) / habit.t_foot},
            (drive - grip) / kCarInertia};
  }
  void step(double h, double asked, double brake) {
    const auto out = pt::evaluate(maps, p, s.x, z, in(s, asked)).out;
    highest = std::max(highest, out.T_gear), lowest = std::min(lowest, out.T_gear);
    const auto next = pt::next(maps, p, s.x, z, in(s, asked));
    const auto thought =
        next_shift(maps.gearbox, map, habit, mind, {t, gauges(s), asked, brake, s.feet.clutch});
    s = testing_vehicle::rk4_step(s, t, h,
                                  [&](double, const State& at) { return rates(at, asked, brake); });
    z = next, mind = thought, t += h;
  }
  void drive(double seconds, double asked, double brake) {
    for (const double end = t + seconds; t < end;) step(2e-4, asked, brake);
  }
};

// From rest to the top gear: no torque at the gearbox beyond what the engine can give, but for a
// tenth, and no more drag than a few hundredths; the engine never stalls.
TEST(Shifting, DrivesOffAndShiftsUpWithoutASpike) {
  Car car;
  car.drive(1.0, 0.0, 0.2);
  EXPECT_EQ(car.s.omega, 0.0);
  EXPECT_EQ(car.mind.phase, kLever);  // he stands with the clutch pressed
  for (int k = 0; k < 1200; ++k) {
    car.drive(0.01, 1.0, 0.0);
    EXPECT_GT(car.s.x.omega_e, 0.8 * kIdle);
  }
  EXPECT_EQ(car.z.running, 1.0);
  EXPECT_EQ(car.mind.gear, 3.0);
  EXPECT_EQ(car.mind.phase, kDrive);
  EXPECT_LT(car.highest, 1.1 * kLargestTorque);
  EXPECT_GT(car.lowest, -0.2 * kLargestTorque);

  // Who leaves the clutch alone has the spike: the measure sees it.
  Car rough;
  rough.s.x.closed = 1.0, rough.s.x.omega_e = rough.s.x.omega_t = 2400 * kRpm;
  rough.s.omega = 2400 * kRpm / 25, rough.by_hand = true, rough.mind = {2, 2, kDrive, 0, 0};
  for (int k = 0; k < 5000; ++k) {
    const auto mind = rough.mind;
    rough.step(2e-4, 1.0, 0.0);
    rough.mind = mind;
  }
  EXPECT_GT(rough.highest, 1.5 * kLargestTorque);
}

// Braking from speed: down through the gears, to a stand, in first gear with the engine idling;
// and off again.
TEST(Shifting, StopsWithoutStallingAndGoesOnAgain) {
  Car car;
  car.drive(10.0, 1.0, 0.0);
  EXPECT_GT(car.mind.gear, 1.0);
  car.drive(8.0, 0.0, 0.3);
  EXPECT_NEAR(car.s.omega, 0.0, 1e-6);
  EXPECT_EQ(car.mind.gear, 1.0);
  EXPECT_EQ(car.mind.phase, kLever);
  EXPECT_EQ(car.z.running, 1.0);
  EXPECT_NEAR(car.s.x.omega_e, kIdle, 1e-3 * kIdle);
  car.drive(3.0, 0.3, 0.0);
  EXPECT_GT(car.s.omega, 3.0);
}

// An engine that somebody else has stalled is started again before he goes on.
TEST(Shifting, StartsAStalledEngine) {
  Car car;
  car.s.x.omega_e = 0.0, car.z.running = 0.0, car.mind.phase = kDrive, car.s.feet.clutch = 0.0;
  car.drive(3.0, 0.3, 0.0);
  EXPECT_EQ(car.z.running, 1.0);
  EXPECT_EQ(car.mind.starting, 0.0);
  EXPECT_GT(car.s.omega, 0.5);
}

// Wherever he shifts up he does not shift down at once, whatever his right foot does in between;
// he goes up by one gear at a time and not while he brakes.
TEST(Shifting, DoesNotHunt) {
  const auto gearbox = chicane::hmmwv::gearbox();
  const auto map = usual();
  const auto habit = habits();
  std::mt19937 random(3);
  std::uniform_real_distribution<double> speed(1.0, 300.0), share(0.0, 1.0);
  for (int trial = 0; trial < 3000; ++trial) {
    const double gear = 1.0 + std::floor(3.0 * share(random)), omega_out = speed(random);
    const auto thought = [&](double in, double accelerator, double brake) {
      const double turns = gearbox.ratio(in) * omega_out;
      return next_shift(gearbox, map, habit, {in, in, kDrive, -1e9, 0},
                        {0.0, {turns, turns, omega_out, 1.0}, accelerator, brake, 0.0});
    };
    const auto once = thought(gear, share(random), 0.0);
    if (once.phase != kPress || once.target <= gear) continue;
    EXPECT_EQ(once.target, gear + 1.0);
    EXPECT_GE(thought(once.target, share(random), 0.0).target, once.target);
    EXPECT_LE(thought(gear, 1.0, 0.2).target, gear);
  }
}

// Numbers of a memory that make no sense, as a damaged file may have them, do no harm.
TEST(Shifting, BearsAnyMemory) {
  const auto gearbox = chicane::hmmwv::gearbox();
  const double odd[] = {std::nan(""), -5.0, 1e300, 2.5, INFINITY};
  for (const double gear : odd)
    for (const double phase : odd) {
      const auto feet = wanted_feet(gearbox, habits(), phase, gear, {100.0, 90.0, 20.0, 1.0}, 0.5);
      EXPECT_TRUE(feet.clutch >= 0 && feet.clutch <= 1);
      next_shift(gearbox, usual(), habits(), {gear, gear, phase, gear, phase},
                 {1.0, {100.0, 90.0, 20.0, 1.0}, 0.5, 0.0, 0.0});
    }
}

}  // namespace
}  // namespace shifting_test
