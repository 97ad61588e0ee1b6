// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "assembly/parts/driver_block.hpp"
#include "assembly/parts/parts.hpp"
#include "assembly/parts/reading.hpp"
#include "assembly/parts/registry.hpp"
#include "vehicle/driver/lane_change.hpp"
#include "vehicle/driver/path.hpp"
#include "vehicle/driver/path_follower.hpp"
#include "vehicle/driver/schedule.hpp"
#include "vehicle/driver/shifting.hpp"
#include "vehicle/driver/speed_control.hpp"

namespace chicane::driver {
namespace {

using namespace dimensions;
using Bound = Field::Bound;

constexpr std::string_view kDriveWord = "drive";

// Rows of these tables stand in the order of the members of the structs.
constexpr std::array kPointFields{
    Field{"preview_time", "s", "time that the driver looks ahead", Bound::not_negative, 0.5},
    Field{"preview_min", "m", "distance that he looks ahead, at least", Bound::positive, 3.0},
    Field{"wheel_base", "m", "wheel base", Bound::positive},
    Field{"understeer", "rad s^2/m", "steer angle over lateral acceleration", Bound::any, 0.0}};
constexpr std::array kOptimalFields{
    Field{"preview_time", "s", "time that the driver looks ahead", Bound::positive, 0.7},
    Field{"speed_min", "m/s", "speed below which his model of the car is not asked",
          Bound::positive, 3.0},
    Field{"mass", "kg", "mass of the car", Bound::positive},
    Field{"yaw_inertia", "kg m^2", "inertia of the car about the vertical", Bound::positive},
    Field{"front_axle", "m", "centre of mass to front axle", Bound::positive},
    Field{"rear_axle", "m", "centre of mass to rear axle", Bound::positive},
    Field{"front_cornering", "N/rad", "cornering stiffness of the front axle", Bound::positive},
    Field{"rear_cornering", "N/rad", "cornering stiffness of the rear axle", Bound::positive}};
constexpr double kOneAndAHalfTurns = 9.42477796076938;  // [rad]
constexpr std::array kHandFields{
    Field{"steering_ratio", "-", "steering wheel over road wheel angle", Bound::positive},
    Field{"angle_max", "rad", "largest angle of the steering wheel", Bound::positive,
          kOneAndAHalfTurns},
    Field{"lag", "s", "time in which the hands follow", Bound::positive, 0.1},
    Field{"ahead", "m", "point that follows the path, before the chassis' origin", Bound::any,
          0.0}};
constexpr std::array kPedalFields{
    Field{"gain", "s/m", "pedal over missing speed", Bound::not_negative, 0.5},
    Field{"integral_gain", "1/m", "the same for its integral", Bound::not_negative, 0.1},
    Field{"weight", "-", "share of the wanted speed that 'gain' sees", Bound::share, 1.0},
    Field{"lowest", "-", "lowest output, -1 is full brake", Bound::any, -1.0},
    Field{"highest", "-", "highest output, 1 is full throttle", Bound::any, 1.0},
    Field{"windup_time", "s", "time in which the integral follows the limits", Bound::positive,
          1.0}};
constexpr std::array kTorqueFields{
    Field{"gain", "N s", "torque over missing speed", Bound::not_negative},
    Field{"integral_gain", "N", "the same for its integral", Bound::not_negative},
    Field{"weight", "-", "share of the wanted speed that 'gain' sees", Bound::share, 1.0},
    Field{"lowest", "N m", "lowest torque on the wheels", Bound::any},
    Field{"highest", "N m", "highest torque on the wheels", Bound::any},
    Field{"windup_time", "s", "time in which the integral follows the limits", Bound::positive,
          1.0}};

// In the order of ShiftingParams. What has no default here has one that depends on the car.
enum ShiftingField { kBlip = 6, kLeverTime = 8 };
constexpr std::array kShiftingFields{
    Field{"idle_speed", "rad/s", "idle speed of the engine", Bound::positive},
    Field{"bite_speed", "rad/s", "engine speed at which he lets the clutch bite", Bound::positive},
    Field{"bite_band", "rad/s", "what more of it closes the clutch", Bound::positive},
    Field{"grip", "-", "share of the clutch that carries the engine's largest torque",
          Bound::share},
    Field{"least_grip", "-", "share at which a slipping clutch is held, at least", Bound::share,
          0.1},
    Field{"slip", "rad/s", "slip over which the accelerator comes back", Bound::positive, 30.0},
    Field{"blip", "s/rad", "accelerator over what the engine is too slow", Bound::not_negative},
    Field{"foot_time", "s", "time in which the feet follow", Bound::positive, 0.06},
    Field{"lever_time", "s", "time that the lever takes", Bound::not_negative},
    Field{"rest", "s", "time from the end of a shift to the next one, at least",
          Bound::not_negative, 0.5}};
constexpr std::array kLaneFields{
    Field{"car_width", "m", "width of the car", Bound::positive},
    Field{"start", "m", "x of the first cones", Bound::any, 50.0},
    Field{"overlap", "m", "way within the lanes on which the line changes", Bound::not_negative,
          5.0}};

class DriverReader {
 public:
  DriverReader(Keys& keys, int gears, const ManualGearbox* manual)
      : keys_(keys), diag_(keys.diagnostics()), gears_(gears), manual_(manual) {}

  BlockKindPtr run() {
    const int before = diag_.errors();
    read_steering();
    channels_.first_of_speed = info_.parameters.size();
    read_speed();
    read_gears();
    channels_.hand_brake = read_pedal(keys_, "hand_brake");
    keys_.refuse_others("a driver");
    if (diag_.errors() > before) return nullptr;
    describe();
    return make_block_kind<DriverBlock>(info_, channels_);
  }

 private:
  // What every value of a signal must be.
  struct Rule {
    std::string must;
    bool (*good)(double value, int gears);
  };

  // A signal over time; a number is a constant one, nothing said another.
  std::optional<Schedule> read_schedule(Keys& keys, std::string_view key,
                                        const Dimension& dimension, double otherwise,
                                        Between between = Between::linear, const Rule& rule = {}) {
    auto curve = read_number_or_curve(keys, key, kTime, dimension, "a driver", false);
    const DataSpec* given = keys.find(key);
    if (!curve && given != nullptr) return std::nullopt;
    if (!curve) curve = CurveData{{0.0}, {otherwise}};
    for (const double y : curve->y)
      if (rule.good != nullptr && given != nullptr && !rule.good(y, gears_))
        diag_.error(given->text.where, "'{}' of a driver cannot be {}: {}", key, y, rule.must);
    return made_of(Schedule::make(curve->x, curve->y, between), keys.where(), diag_);
  }
  std::optional<Schedule> read_pedal(Keys& keys, std::string_view key) {
    return read_schedule(keys, key, kNone, 0.0, Between::linear,
                         {"it goes from 0 to 1", [](double y, int) { return y >= 0 && y <= 1; }});
  }
  std::optional<Schedule> read_gear() {
    const std::string range = gears_ > 0 ? fmt::format(", 1 to {}", gears_) : ", 1 and up";
    return read_schedule(keys_, "gear", kNone, 1.0, Between::hold,
                         {"gears are -1, 0" + range, [](double y, int gears) {
                            return y == std::floor(y) && y >= -1 && (gears == 0 || y <= gears);
                          }});
  }

  // --- gears ---

  // `gear: drive` is the lever of an automatic gearbox, and the whole art of a manual one.
  void read_gears() {
    const DataSpec* gear = keys_.find("gear");
    const bool drives = gear != nullptr && gear->text.text == kDriveWord;
    Section shifting(keys_, "shifting", "the shifting of a driver", "shifting.");
    if (shifting.given() && !drives)
      diag_.error(shifting.keys().where(), "'shifting' is of a driver with 'gear: {}'", kDriveWord);
    if (!drives || manual_ == nullptr) {
      channels_.gear =
          drives ? made_of(Schedule::make({0.0}, {1.0}), keys_.where(), diag_) : read_gear();
      channels_.clutch = read_pedal(keys_, "clutch");
      channels_.starter = read_pedal(keys_, "starter");
      return;
    }
    for (const char* key : {"clutch", "starter"})
      if (const DataSpec* given = keys_.find(key))
        diag_.error(given->text.where,
                    "with 'gear: {}' and a manual gearbox '{}' is the driver's own: remove it, or "
                    "say which gear",
                    kDriveWord, key);
    read_shifting(shifting, *manual_);
    shifting.refuse_others();
  }

  void read_shifting(Section& shifting, const ManualGearbox& m) {
    const std::size_t first = info_.parameters.size();
    auto fields = kShiftingFields;
    const double of_the_car[] = {m.idle, 0.85 * m.idle, 2.0 * m.idle,
                                 std::min(1.0, m.engine_torque / m.clutch_torque)};
    for (std::size_t i = 0; i < std::size(of_the_car); ++i) fields[i].otherwise = of_the_car[i];
    fields[kBlip].otherwise = 10.0 * m.engine_inertia / m.engine_torque;
    fields[kLeverTime].otherwise = m.shift_time;
    shifting.read(fields, info_.parameters);
    const auto bands = read_bands(shifting, m);
    if (!bands) return;
    auto map =
        made_of(powertrain::ShiftMap::make(m.gearbox, *bands), shifting.keys().where(), diag_);
    if (map) channels_.shifting = {m.gearbox, std::move(*map), first};
  }

  // Engine speeds at which he shifts, for all gears alike; if he does not say, the usual ones.
  std::optional<std::vector<powertrain::ShiftBand>> read_bands(Section& shifting,
                                                               const ManualGearbox& m) {
    Keys& keys = shifting.keys();
    const auto speed = [&](std::string_view key) {
      return read_number_or_curve(keys, key, kNone, kRate, shifting.owner(), false);
    };
    const bool up_given = keys.find("up") != nullptr, down_given = keys.find("down") != nullptr;
    auto bands = usual_shifts(m.gearbox, m.idle, m.strongest);
    if (!up_given && !down_given) return bands;
    const auto up = speed("up"), down = speed("down");
    if (up_given != down_given) {
      diag_.error(keys.where(), "a driver says both, 'up' and 'down', or neither");
      return std::nullopt;
    }
    if (!up || !down) return std::nullopt;
    for (auto& band : bands) band = {*down, *up};
    return bands;
  }

  // --- steering ---

  void read_steering() {
    Section steering(keys_, "steering", "the steering of a driver", "steering.");
    if (!steering.given()) {
      channels_.angle = read_schedule(steering.keys(), "angle", kNone, 0.0);
      return;
    }
    const auto type =
        read_word(steering.keys(), "type", {"schedule", "path"}, steering.owner(), true);
    if (type == 0U) {
      steering.keys().require("angle", steering.owner());
      channels_.angle = read_schedule(steering.keys(), "angle", kNone, 0.0);
    } else if (type == 1U) {
      read_follower(steering);
    }
    if (type) steering.refuse_others();
  }

  void read_follower(Section& steering) {
    const auto which = read_word(steering.keys(), "follower", {"preview-point", "optimal-preview"},
                                 steering.owner(), false);
    channels_.follower = which == 1U ? Follower::optimal_preview : Follower::preview_point;
    if (which == 1U)
      steering.read(kOptimalFields, info_.parameters);
    else
      steering.read(kPointFields, info_.parameters);
    steering.read(kHandFields, info_.parameters);
    channels_.path = read_path(steering);
  }

  std::optional<Path> read_path(Section& steering) {
    Keys& keys = steering.keys();
    const DataSpec *points = keys.find("path"), *lanes = keys.find("double_lane_change");
    if ((points == nullptr) == (lanes == nullptr)) {
      diag_.error(keys.where(), "a driver who follows needs either 'path' or 'double_lane_change'");
      return std::nullopt;
    }
    if (lanes != nullptr) return read_lane_change(keys);
    Section path(keys, "path", "a path", "");
    const auto x = read_list(path.keys(), "x", kLength, path.owner()),
               y = read_list(path.keys(), "y", kLength, path.owner());
    path.refuse_others();
    return made_of(Path::make(x, y), points->text.where, diag_);
  }

  // The track begins at `start`; its line 50 m before.
  std::optional<Path> read_lane_change(Keys& keys) {
    Section lanes(keys, "double_lane_change", "a double lane change", "");
    std::vector<NativeParameter> p;
    lanes.read(kLaneFields, p);
    lanes.refuse_others();
    auto track = made_of(double_lane_change(p[0].value, p[2].value), lanes.keys().where(), diag_);
    if (!track) return std::nullopt;
    for (double& x : track->x) x += p[1].value;
    return made_of(Path::make(track->x, track->y), lanes.keys().where(), diag_);
  }

  // --- speed ---

  void read_speed() {
    Section speed(keys_, "speed", "the speed of a driver", "speed.");
    const auto type =
        read_word(speed.keys(), "type", {"schedule", "control"}, speed.owner(), speed.given());
    if (type == 1U) {
      read_control(speed);
    } else if (type == 0U) {
      channels_.accelerator = read_pedal(speed.keys(), "accelerator");
      channels_.brake = read_pedal(speed.keys(), "brake");
      channels_.wheel_torque = read_schedule(speed.keys(), "wheel_torque", kTorque, 0.0);
    }
    if (type) speed.refuse_others();
  }

  void read_control(Section& speed) {
    Keys& keys = speed.keys();
    const auto output = read_word(keys, "output", {"pedals", "torque"}, speed.owner(), false);
    channels_.control = output == 1U ? Control::torque : Control::pedals;
    const std::size_t first = info_.parameters.size();
    if (output == 1U)
      speed.read(kTorqueFields, info_.parameters);
    else
      speed.read(kPedalFields, info_.parameters);
    if (info_.parameters[first + 3].value >= info_.parameters[first + 4].value)
      diag_.error(keys.where(), "'lowest' must be below 'highest'");
    const DataSpec* target = keys.require("speed", speed.owner());
    if (target == nullptr) return;
    if (is_curve(*target, keys.numbers().spec()))
      channels_.target = read_schedule(keys, "speed", kSpeed, 0.0);
    else
      speed.read(std::array{Field{"speed", "m/s", "speed that the driver wants"}},
                 info_.parameters);
  }

  // --- ports ---

  void describe_shifting() {
    const double coupled = manual_->coupled ? 1.0 : 0.0;
    info_.states.push_back({"accelerator_foot", "-", 0, "accelerator pedal"});
    info_.states.push_back({"clutch_foot", "-", 1.0 - coupled, "clutch pedal, 1 is pressed"});
    info_.memory.push_back({"gear_wanted", "-", manual_->gear, "gear of the lever"});
    info_.memory.push_back({"gear_target", "-", manual_->gear, "gear that it is to become"});
    info_.memory.push_back({"phase", "-", manual_->coupled ? kDrive : kLever,
                            "0 driving, 1 clutch down, 2 lever, 3 clutch up, 4 setting off"});
    info_.memory.push_back({"phase_began", "s", -1e9, "when the phase began"});
    info_.memory.push_back({"starting", "-", 0, "1: he turns the starter"});
    for (const PortInfo& gauge : {PortInfo{"omega_e", "rad/s", "speed of the engine"},
                                  {"omega_t", "rad/s", "speed of the clutch disc"},
                                  {"prop_speed", "rad/s", "speed of the gearbox output"},
                                  {"engine_running", "-", "1; 0 if the engine has stalled"}})
      info_.inputs.push_back(gauge);
  }

  void describe() {
    const bool follows = channels_.follows(), controls = channels_.controls(),
               shifts = channels_.shifting.has_value();
    const bool torque = channels_.control == Control::torque;
    info_.description = "driver: steering, pedals and gear lever";
    if (follows) {
      info_.states.push_back({"hand_angle", "rad", 0, "angle of the steering wheel"});
      info_.memory.push_back(
          {.name = "foot", .unit = "m", .description = "way along the path", .bookkeeping = true});
    }
    if (controls)
      info_.states.push_back(
          {"integral", torque ? "N m" : "-", 0, "integral part of the speed control"});
    info_.inputs = {{"x", "m", "position of the chassis"},
                    {"y", "m", "position of the chassis"},
                    {"yaw", "rad", "heading of the chassis"},
                    {"speed", "m/s", "forward speed of the chassis"},
                    {"side_speed", "m/s", "speed of the chassis to the left"},
                    {"yaw_rate", "rad/s", "yaw rate of the chassis"}};
    info_.outputs = {{"steering_angle", "rad", "angle of the steering wheel, to the left"},
                     {"hand_brake", "-", "0 to 1"},
                     {"clutch", "-", "pedal, 0 to 1"},
                     {"gear", "-", "-1 reverse, 0 neutral, 1 and up"},
                     {"starter", "-", "1 turns an engine that has stalled"},
                     {"accelerator", "-", "pedal, 0 to 1"},
                     {"brake", "-", "pedal, 0 to 1"},
                     {"wheel_torque", "N m", "torque on all wheels, of a car without a powertrain"},
                     {"path_offset", "m", "distance to the left of the path"}};
    std::vector<int> reads;
    if (channels_.follower == Follower::optimal_preview)
      reads = {kX, kY, kYaw, kSpeedIn, kSideSpeed, kYawRate};
    else if (follows)
      reads = {kX, kY, kYaw, kSpeedIn};
    else if (controls)
      reads = {kSpeedIn};
    if (shifts) describe_shifting();
    // What a shifting driver does with his right foot is a state: other groups may see it, whatever
    // his ears hear.
    std::vector<int> held{kAngle, kHandBrake, kClutch, kGear, kStarter},
        driven{kBrake, kWheelTorque, kOffset};
    (shifts ? held : driven).push_back(kAccelerator);
    info_.tasks = {{.name = "held", .writes = held},
                   {.name = "following",
                    .reads = reads,
                    .writes = driven,
                    .rates = (follows || controls) && !shifts}};
    if (!follows && !shifts) return;
    info_.scratch = kScratch;
    const std::vector<int> heard = shifts ? ports(kGauges, 4) : std::vector<int>{};
    info_.tasks.push_back(
        {.name = "memory", .reads = heard, .after = {kFollowing}, .memory = true});
    if (shifts)
      info_.tasks.push_back({.name = "feet", .reads = heard, .after = {kFollowing}, .rates = true});
  }

  Keys& keys_;
  Diagnostics& diag_;
  int gears_;
  const ManualGearbox* manual_;
  BlockInfo info_;
  Channels channels_;
};

// The sections of a driver.
std::vector<KeyTable> driver_tables() {
  const auto over_time = [](std::string_view key, std::string_view help,
                            std::string_view when = "") {
    return Key{key, Form::signal, "s -> -", false, help, when};
  };
  constexpr std::string_view kPath = "type=path";
  KeyTable steering{
      "driver-steering",
      "",
      {{"type", Form::choice, "schedule|path", true, "an angle over time, or a path to follow"},
       over_time("angle", "of the steering wheel, to the left", "type=schedule"),
       {"follower", Form::choice, "preview-point|optimal-preview", false,
        "how he follows; default preview-point", kPath},
       {"path", Form::section, "path", false, "what he follows", kPath},
       {"double_lane_change", Form::section, "double-lane-change", false, "or this", kPath}},
      "How a driver steers."};
  add_rows(steering, kPointFields, "type=path follower=preview-point");
  add_rows(steering, kOptimalFields, "type=path follower=optimal-preview");
  add_rows(steering, kHandFields, kPath);
  const KeyTable path{"path",
                      "",
                      {{"x", Form::numbers, "m", true, "of its points, in the world"},
                       {"y", Form::numbers, "m", true, "of its points, in the world"}},
                      "A path of points."};
  KeyTable lanes{"double-lane-change", "", {}, "The line through the track of ISO 3888-1."};
  add_rows(lanes, kLaneFields);

  constexpr std::string_view kControl = "type=control", kSchedule = "type=schedule";
  KeyTable speed{
      "driver-speed",
      "",
      {{"type", Form::choice, "schedule|control", true, "pedals over time, or a speed to hold"},
       over_time("accelerator", "pedal, 0 to 1", kSchedule),
       over_time("brake", "pedal, 0 to 1", kSchedule),
       {"wheel_torque", Form::signal, "s -> N m", false, "on all wheels, without an engine",
        kSchedule},
       {"output", Form::choice, "pedals|torque", false, "what he gives; default pedals", kControl},
       {"speed", Form::signal, "s -> m/s", true, "that he wants", kControl}},
      "How a driver holds his speed."};
  add_rows(speed, kPedalFields, "type=control output=pedals");
  add_rows(speed, kTorqueFields, "type=control output=torque");

  KeyTable shifting{
      "shifting",
      "",
      {{"up", Form::signal, "- -> rad/s", false,
        "engine speed at which he shifts up, or a curve over the accelerator; default the usual"},
       {"down", Form::signal, "- -> rad/s", false, "at which he shifts down"}},
      "How a driver shifts a manual gearbox. Defaults that are not given depend on the car."};
  add_rows(shifting, kShiftingFields);
  for (Key& key : shifting.keys) key.required = false;
  return {steering, path, lanes, speed, shifting};
}

}  // namespace
}  // namespace chicane::driver

namespace chicane {

decltype(PartRegistry::driver) built_in_drivers() {
  using namespace driver;
  const auto over_time = [](std::string_view key, std::string_view help) {
    return Key{key, Form::signal, "s -> -", false, help};
  };
  decltype(PartRegistry::driver) types(
      "a driver", {"driver",
                   "",
                   {{"type", Form::choice, "", false, "default standard"}},
                   "Who drives. A signal is a quantity, or a curve over time."});
  const std::vector<Key> keys{
      {"steering", Form::section, "driver-steering", false, "default straight ahead"},
      {"speed", Form::section, "driver-speed", false, "default no pedal"},
      over_time("gear", "-1 reverse, 0 neutral, 1 and up; or the word drive: he shifts"),
      {"shifting", Form::section, "shifting", false, "with 'gear: drive' and a manual gearbox"},
      over_time("clutch", "pedal, 1 is pressed"),
      over_time("starter", "1: the starter turns"),
      over_time("hand_brake", "0 to 1")};
  types.add(
      {"standard", "follows a path or schedules, holds a speed, shifts", keys, driver_tables()},
      [](Keys& own, int gears, const ManualGearbox* manual) {
        return DriverReader(own, gears, manual).run();
      });
  return types;
}

BlockKindPtr driver_part(Keys& keys, int gears, const ManualGearbox* manual) {
  return part_registry().driver.read(keys, gears, manual);
}

RollingStart rolling_start(const DataSpec* driver, const Spec& spec, double spin) {
  using namespace chicane::driver;
  using namespace dimensions;
  RollingStart start{.spin = spin};
  const DataSpec* gear = driver == nullptr ? nullptr : driver->find("gear");
  if (gear != nullptr && gear->text.text == kDriveWord) {
    start.drives = true;
    return start;
  }
  if (driver == nullptr || driver->kind != DataSpec::Kind::mapping) return start;
  Diagnostics unheard;
  Numbers numbers(spec, unheard);
  Keys keys(*driver, numbers, unheard);
  const auto first = [&](std::string_view key, double otherwise) {
    const auto curve = read_number_or_curve(keys, key, kTime, kNone, "a driver", false);
    const auto made = curve ? chicane::driver::Schedule::make(curve->x, curve->y) : std::string();
    const auto* schedule = std::get_if<chicane::driver::Schedule>(&made);
    return schedule == nullptr ? otherwise : (*schedule)(0.0);
  };
  start.gear = std::floor(first("gear", 1.0));
  start.clutch = first("clutch", 0.0);
  return start;
}

}  // namespace chicane
