#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "system/vehicle/part_kind.hpp"
#include "system/vehicle/parts.hpp"
#include "system/vehicle/reading.hpp"
#include "vehicle/driver/lane_change.hpp"
#include "vehicle/driver/path.hpp"
#include "vehicle/driver/path_follower.hpp"
#include "vehicle/driver/schedule.hpp"
#include "vehicle/driver/speed_control.hpp"

namespace chicane {
namespace {

using namespace driver;
using namespace dimensions;
using Bound = Field::Bound;

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
  std::optional<Schedule> gear, clutch, hand_brake;
  std::size_t first_of_speed = 0;
};

// --- block ------------------------------------------------------------------------------------

enum Input { kX, kY, kYaw, kSpeedIn, kSideSpeed, kYawRate };
enum Output { kAngle, kHandBrake, kClutch, kGear, kAccelerator, kBrake, kWheelTorque, kOffset };
enum Task { kHeld, kFollowing, kFoot };

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

template <class S, class T>
S parameters_from(const BlockView<T>& at, std::size_t first) {
  return from_values<S>(at.p.subspan(first, sizeof(S) / sizeof(T)));
}

template <class T>
class DriverBlock final : public PartBlock<T, Channels> {
 public:
  using PartBlock<T, Channels>::PartBlock;

  void run(int task, const BlockView<T>& at) const noexcept override {
    if (task == kHeld) return held(at);
    if (task == kFoot) {
      at.z_next[0] = at.scratch[0];  // the next search starts where the foot is now
      return;
    }
    steer(at);
    drive(at);
  }

 private:
  [[nodiscard]] const Channels& channels() const { return this->data(); }
  [[nodiscard]] bool follows() const { return channels().follower != Follower::none; }

  void held(const BlockView<T>& at) const {
    at.y[kAngle] = follows() ? at.x[0] : (*channels().angle)(at.t);
    at.y[kHandBrake] = (*channels().hand_brake)(at.t);
    at.y[kClutch] = (*channels().clutch)(at.t);
    at.y[kGear] = (*channels().gear)(at.t);
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
    at.scratch[0] = s;
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
      const T v_set = c.target ? (*c.target)(at.t) : at.p.back();
      const std::size_t integral = follows() ? 1 : 0;
      const auto out = speed_control(p, at.x[integral], v_set, at.u(kSpeedIn));
      at.dx[integral] = out.integral_rate;
      if (c.control == Control::pedals)
        feet = pedals(out.u);
      else
        torque = out.u;
    }
    at.y[kAccelerator] = feet.accelerator;
    at.y[kBrake] = feet.brake;
    at.y[kWheelTorque] = torque;
  }
};

// --- file -------------------------------------------------------------------------------------

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

class DriverReader {
 public:
  DriverReader(Keys& keys, int gears) : keys_(keys), diag_(keys.diagnostics()), gears_(gears) {}

  Part run() {
    const int before = diag_.errors();
    read_steering();
    channels_.first_of_speed = info_.parameters.size();
    read_speed();
    channels_.gear = read_gear();
    channels_.clutch = read_pedal(keys_, "clutch");
    channels_.hand_brake = read_pedal(keys_, "hand_brake");
    keys_.refuse_others("a driver");
    if (diag_.errors() > before) return nullptr;
    describe();
    return part_kind<DriverBlock>(info_, channels_);
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
    lanes.read(std::array{Field{"car_width", "m", "width of the car", Bound::positive},
                          Field{"start", "m", "x of the first cones", Bound::any, 50.0},
                          Field{"overlap", "m", "way within the lanes on which the line changes",
                                Bound::not_negative, 5.0}},
               p);
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

  void describe() {
    const bool follows = channels_.follower != Follower::none,
               controls = channels_.control != Control::none;
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
    info_.tasks = {{.name = "held", .writes = {kAngle, kHandBrake, kClutch, kGear}},
                   {.name = "following",
                    .reads = reads,
                    .writes = {kAccelerator, kBrake, kWheelTorque, kOffset},
                    .rates = follows || controls}};
    if (!follows) return;
    info_.tasks.push_back({.name = "foot", .after = {kFollowing}, .memory = true});
    info_.scratch = 1;
  }

  Keys& keys_;
  Diagnostics& diag_;
  int gears_;
  BlockInfo info_;
  Channels channels_;
};

}  // namespace

Part driver_part(Keys& keys, int gears) { return DriverReader(keys, gears).run(); }

}  // namespace chicane
