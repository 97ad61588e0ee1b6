// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/rig/statics.hpp"
#include "assembly/suspension/suspension.hpp"
#include "core/diagnostics.hpp"
#include "language/spec.hpp"
#include "multibody/description.hpp"

// Suspensions on a test rig: the chassis is clamped, wheels are lifted and the rack is moved, and
// what wheels then do is read in the terms of suspension engineers. Axes and signs are those of
// ISO 8855: x forward, y left, z up. Docs: docs/theory/rig.md

namespace chicane::rig {

inline constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

// Angles by which a wheel yields to a load beside what the mechanism does, of a left wheel.
struct YieldingAngles {
  double steer_by_force = 0, steer_by_torque = 0;              // [rad/N], [rad/N m]
  double inclination_by_force = 0, inclination_by_torque = 0;  // ...
};

struct RigAxle {
  std::string name;                  // front
  std::array<std::string, 2> wheel;  // fl, fr
  Axle axle;
  std::array<double, 2> radius{};     // [m] unloaded
  std::array<double, 2> stiffness{};  // [N/m] of the tires; 0: they are rigid
  YieldingAngles yields{};
  double brake_share = kUnknown, drive_share = kUnknown;  // of the vehicle's force, 0 to 1
};

// What is put on the rig.
struct RigVehicle {
  multibody::Description mechanism;  // chassis clamped, rack driven
  std::vector<RigAxle> axles;
  bool steered = false;
  double arm = 0.0;                              // [m] of a pitman arm
  double rack_travel = 0.0;                      // [m] to its stops
  std::function<double(double)> steering_wheel;  // [rad] of its angle over the rack; may be empty
};

// Of a model with a vehicle. Every fault goes to `diag`; then there is no result.
std::optional<RigVehicle> rig_vehicle(const Spec& spec, Diagnostics& diag);

// --- what is read --------------------------------------------------------------------------------

// SI; kUnknown: there is no such thing. Signs: docs/theory/rig.md.
struct WheelReading {
  double travel = 0, steer = 0, toe = 0, camber = 0;
  double caster = kUnknown, kingpin = kUnknown, trail = kUnknown, scrub = kUnknown;
  double forward = 0, outward = 0;  // of the contact, against the position of travel 0
  double toe_gain = 0, camber_gain = 0;
  double load = 0, rate = 0, roll_rate = 0;
  double spring_ratio = kUnknown, damper_ratio = kUnknown;
  double brake_support = 0, drive_support = 0;  // angles
  double front_arm = 0, side_arm = 0;           // lengths of the swing arms
  double lateral_steer = 0, lateral_camber = 0, lateral_shift = 0, lateral_load = 0;
  double forward_steer = 0, forward_shift = 0;
  double driving_steer = 0;
  double aligning_steer = 0, aligning_camber = 0;
};

struct AxleReading {
  std::array<WheelReading, 2> wheel{};  // left, right
  double rack = 0, steering_wheel = kUnknown, steering_ratio = kUnknown, mean_steer = 0;
  double ackermann = kUnknown;  // 1: the axes of both wheels and of the other axle meet
  double roll = 0;              // of the chassis against the ground below this axle
  double track = 0, track_change = 0;
  double roll_centre_height = kUnknown, roll_centre_offset = kUnknown;
  double roll_stiffness = 0, roll_steer = 0;
  double anti_brake = kUnknown, anti_drive = kUnknown;
};

// What a column of a table is made of.
template <class Reading>
struct Column {
  std::string_view name, unit;  // SI
  std::string_view shown;       // unit for people
  double scale;                 // ... per SI unit
  double Reading::*member;
  std::string_view description;
};
std::span<const Column<WheelReading>> wheel_columns();
std::span<const Column<AxleReading>> axle_columns();

// --- the rig -------------------------------------------------------------------------------------

enum class Zero { laden, file };  // wheels carry the vehicle's weight; or the position of the file

class Rig {
 public:
  Rig(RigVehicle vehicle, std::shared_ptr<const multibody::Mechanism> m);

  // Where wheels have no travel. False and a fault: springs do not carry the vehicle.
  bool find_zero(Zero zero, Diagnostics& diag);
  // Travel of the wheels, left and right of each axle [m], and the way of the rack [m]. False: it
  // cannot get there, and stays.
  bool move_to(std::span<const std::array<double, 2>> travel, double rack);
  // What each axle does there. Nothing where something hangs loose.
  std::optional<std::vector<AxleReading>> read();

  [[nodiscard]] const RigVehicle& vehicle() const { return vehicle_; }
  [[nodiscard]] Statics& statics() { return statics_; }
  [[nodiscard]] const std::vector<double>& zero_heights() const { return zero_; }
  [[nodiscard]] double mass() const { return mass_; }
  [[nodiscard]] double wheel_base() const { return wheel_base_; }
  [[nodiscard]] double height() const { return height_; }  // [m] centre of mass over ground

 private:
  struct PinPoint {
    int link;
    Vec3<double> at;
  };
  struct Pin {
    PinPoint lower, upper;
  };
  struct SpringAndDamper {
    int spring = -1, damper = -1;  // among the force elements
  };

  bool carry_weight(Diagnostics& diag);
  void take_zero();
  [[nodiscard]] std::vector<Change> changes_of(std::size_t axle) const;
  std::optional<AxleReading> read_axle(std::size_t axle);
  [[nodiscard]] WheelReading read_wheel(std::size_t wheel, const Statics::Tangent& t) const;
  void read_pin(std::size_t wheel, const Statics::Tangent& t, WheelReading& r) const;
  void read_steering(std::size_t axle, double mean_gain, AxleReading& r) const;
  void read_anti(std::size_t axle, AxleReading& r) const;

  RigVehicle vehicle_;
  Statics statics_;
  std::vector<std::optional<Pin>> pins_;  // per wheel
  std::vector<SpringAndDamper> springs_;  // per wheel
  std::vector<double> zero_;              // [m] heights of the wheels
  std::vector<Vec3<double>> contacts_;    // at travel 0
  std::vector<double> steer_;             // [rad] ...
  std::vector<double> track_;             // [m] ... per axle
  double mass_ = 0, wheel_base_ = kUnknown, height_ = kUnknown;
};

// --- a whole visit -------------------------------------------------------------------------------

struct RigRange {
  double travel = 0.08;        // [m] each way
  std::optional<double> rack;  // [m]; none: to the stops, at most 80 mm
  int points = 33;             // of each sweep, odd
  Zero zero = Zero::laden;
};

// One quantity goes through its range.
struct Sweep {
  std::string name;                              // bounce, roll, steer
  std::vector<std::vector<AxleReading>> points;  // per point: per axle
};

struct RigReport {
  std::vector<std::string> axles;
  std::vector<AxleReading> zero;      // at travel 0, per axle
  std::vector<double> radius;         // [m] loaded, per wheel
  std::vector<double> static_travel;  // [m] of the left wheels, from the position of the file
  double mass = 0, wheel_base = kUnknown, height = kUnknown;
  double pitch_centre_behind = kUnknown, pitch_centre_height = kUnknown;  // the front axle
  std::vector<Sweep> sweeps;
};

// Nothing and a fault where the model has no vehicle, or one that cannot stand; a sweep that ends
// early is a warning.
std::optional<RigReport> run_rig(const Spec& spec, const RigRange& range, Diagnostics& diag);

}  // namespace chicane::rig
