// SPDX-License-Identifier: Apache-2.0
#include "assembly/parts/sensors.hpp"

#include <array>
#include <cmath>
#include <numbers>

#include "assembly/parts/layout.hpp"
#include "blocks/template_block.hpp"
#include "language/bundle.hpp"
#include "vehicle/tire/contact.hpp"

namespace chicane {
namespace {

// --- the chassis ---------------------------------------------------------------------------------

constexpr int kPose = 0, kAccelerationIn = 15, kAlpha = 18;  // inputs
enum Output {
  kYaw,
  kPitch,
  kRoll,
  kSpeedAhead,
  kSideSpeed,
  kSideslip,
  kYawRate,
  kPitchRate,
  kRollRate,
  kLongitudinal,
  kLateral,
  kVertical,
  kAlongPath,
  kGroundSpeed,
  kTilt,
  kUpright,
  kClearance
};
enum Task { kMotion, kAttitude, kAccelerations, kStanding, kTurns };

// Below these a direction of travel means nothing: angles fade, and what acts along the path acts
// along the heading.
constexpr double kStandstill = 0.05;  // [m/s]

template <class T>
class ChassisBlock final : public Block<T> {
 public:
  explicit ChassisBlock(const ChassisSensors& sensors)
      : points_(sensors.points), ground_(ground_of<T>(sensors.ground)) {}

  void run(int task, const BlockView<T>& at) const noexcept override {
    if (task == kTurns) {
      at.z_next[0] = at.y[kYaw];
      return;
    }
    const Vec3<T> d = input3(at, kPose + pose::kAhead), e = input3(at, kPose + pose::kAcross),
                  w = input3(at, kPose + pose::kOmega);
    if (task == kStanding) return stand(at, d, e);
    // Heading: the horizontal direction of the axis ahead.
    const T level = sqrt(d.x * d.x + d.y * d.y), c = d.x / level, s = d.y / level;
    const auto ahead = [&](const Vec3<T>& v) { return c * v.x + s * v.y; };
    const auto left = [&](const Vec3<T>& v) { return c * v.y - s * v.x; };
    if (task == kAccelerations) {
      const Vec3<T> up = cross(d, e);
      const Vec3<T> r = at.p[0] * d + at.p[1] * e + at.p[2] * up;
      const Vec3<T> a =
          input3(at, kAccelerationIn) + cross(input3(at, kAlpha), r) + cross(w, cross(w, r));
      at.y[kLongitudinal] = ahead(a);
      at.y[kLateral] = left(a);
      at.y[kVertical] = a.z;
      const Vec3<T> v = input3(at, kPose + pose::kVelocity) + cross(w, r);
      const T fast = sqrt(v.x * v.x + v.y * v.y);
      at.y[kAlongPath] =
          select(fast > kStandstill, (a.x * v.x + a.y * v.y) / max(fast, kStandstill),
                 at.y[kLongitudinal]);
      return;
    }
    const Vec3<T> v = input3(at, kPose + pose::kVelocity);
    if (task == kAttitude) {
      at.y[kPitch] = -atan2(d.z, level);
      at.y[kRoll] = atan2(e.z, cross(d, e).z);
      const T fast = v.x * v.x + v.y * v.y, share = fast / (fast + kStandstill * kStandstill);
      at.y[kSideslip] = share * atan2(left(v), select(fast > 0.0, ahead(v), T(1.0)));
      at.y[kGroundSpeed] = sqrt(fast);
      const Vec3<T> up = cross(d, e);
      at.y[kTilt] = atan2(sqrt(up.x * up.x + up.y * up.y), up.z);
      at.y[kPitchRate] = left(w);
      at.y[kRollRate] = ahead(w);
      return;
    }
    constexpr double kTurn = 2.0 * std::numbers::pi;
    const T yaw = atan2(d.y, d.x);
    at.y[kYaw] = yaw + kTurn * std::round((value_of(at.z[0]) - value_of(yaw)) / kTurn);
    at.y[kSpeedAhead] = ahead(v);
    at.y[kSideSpeed] = left(v);
    at.y[kYawRate] = w.z;
  }

 private:
  // Which way is up, and how far the body is from the ground: cheap, for events look at every
  // frame.
  void stand(const BlockView<T>& at, const Vec3<T>& d, const Vec3<T>& e) const {
    const Vec3<T> up = cross(d, e), p = input3(at, kPose + pose::kPoint);
    at.y[kUpright] = up.z;
    bool first = true;
    int place = 0;
    for (const Vec3<double>& point : points_) {
      const Vec3<T> here = p + T(point.x) * d + T(point.y) * e + T(point.z) * up;
      const terrain::Hit<T> below = ask(ground_, {here.x, here.y, at.t}, place);
      const T over = here.z - below.height;
      place = below.place;
      at.y[kClearance] = first ? over : T(min(at.y[kClearance], over));
      first = false;
    }
  }

  std::vector<Vec3<double>> points_;
  Ground<T> ground_;
};

std::vector<int> numbers(int from, int to) {
  std::vector<int> list;
  for (int i = from; i < to; ++i) list.push_back(i);
  return list;
}

class ChassisKind final : public BlockKind {
 public:
  explicit ChassisKind(ChassisSensors sensors) : sensors_(std::move(sensors)) {}

  [[nodiscard]] BlockInfo info() const override {
    BlockInfo info;
    info.description = "how the chassis moves, as people read it";
    info.parameters = {
        {"com_x", "m", sensors_.com.x, "where accelerations are measured: centre of mass, forward"},
        {"com_y", "m", sensors_.com.y, "... to the left"},
        {"com_z", "m", sensors_.com.z, "... upward"}};
    info.memory = {{.name = "yaw_before",
                    .unit = "rad",
                    .initial = 0.0,
                    .description = "yaw at the last full step: whole turns are counted from it",
                    .internal = true,
                    .bookkeeping = true}};
    add_bundle(BundleInfo::Kind::pose, "chassis", "the chassis", info.inputs, info.takes);
    add_bundle(BundleInfo::Kind::acceleration, "chassis", "the chassis", info.inputs, info.takes);
    info.outputs = {
        {"yaw", "rad", "heading; whole turns are counted"},
        {"pitch", "rad", "positive: the nose points down"},
        {"roll", "rad", "positive: the left side is up"},
        {"speed", "m/s", "of the reference point, along the heading"},
        {"side_speed", "m/s", "of the reference point, to the left"},
        {"sideslip", "rad", "direction of travel less heading"},
        {"yaw_rate", "rad/s", "about the vertical"},
        {"pitch_rate", "rad/s", "about the horizontal axis to the left"},
        {"roll_rate", "rad/s", "about the heading"},
        {"longitudinal_acceleration", "m/s^2", "of the centre of mass, along the heading"},
        {"lateral_acceleration", "m/s^2", "of the centre of mass, to the left"},
        {"vertical_acceleration", "m/s^2", "of the centre of mass, upward"},
        {"path_acceleration", "m/s^2",
         "of the centre of mass, along the direction of travel; at standstill along the heading"},
        {"ground_speed", "m/s", "of the reference point, in whatever direction"},
        {"tilt", "rad", "of the axis upward, against the vertical"},
        {"upright", "-", "cosine of the tilt", true},
        {"clearance", "m", "of the lowest body point, over the ground"}};
    using namespace pose;
    const auto moving = pose_parts(kPose, {kAhead, kVelocity, kOmega}),
               seen = pose_parts(kPose, {kAhead, kAcross, kVelocity, kOmega}),
               standing = pose_parts(kPose, {kAhead, kAcross, kPoint});
    std::vector<int> felt = seen;
    for (const int i : numbers(kAccelerationIn, kAlpha + 3)) felt.push_back(i);
    // What drivers look at apart from what only results show.
    info.tasks = {
        {.name = "motion", .reads = moving, .writes = {kYaw, kSpeedAhead, kSideSpeed, kYawRate}},
        {.name = "attitude",
         .reads = seen,
         .writes = {kPitch, kRoll, kSideslip, kPitchRate, kRollRate, kGroundSpeed, kTilt}},
        {.name = "accelerations", .reads = felt, .writes = numbers(kLongitudinal, kAlongPath + 1)},
        {.name = "standing", .reads = standing, .writes = {kUpright, kClearance}},
        {.name = "turns", .after = {kMotion}, .memory = true}};
    return info;
  }

  [[nodiscard]] std::unique_ptr<Block<double>> make(double) const override {
    return std::make_unique<ChassisBlock<double>>(sensors_);
  }
  [[nodiscard]] std::unique_ptr<Block<Dual>> make(Dual) const override {
    return std::make_unique<ChassisBlock<Dual>>(sensors_);
  }

 private:
  ChassisSensors sensors_;
};

// --- the wheels as seen from the chassis ---------------------------------------------------------

constexpr int kChassis = 0, kFirstWheel = 15, kOfAWheel = 15;  // inputs

template <class T>
class AnglesBlock final : public Block<T> {
 public:
  void run(int /*task*/, const BlockView<T>& at) const noexcept override {
    const Vec3<T> p = input3(at, kChassis + pose::kPoint), d = input3(at, kChassis + pose::kAhead),
                  e = input3(at, kChassis + pose::kAcross);
    const Mat3<T> R{d, e, cross(d, e)};
    const int wheels = (static_cast<int>(at.wires.size()) - kFirstWheel) / kOfAWheel;
    for (int i = 0; i < wheels; ++i) {
      const int first = kFirstWheel + kOfAWheel * i;
      const double side = i % 2 == 0 ? 1.0 : -1.0;
      const auto angles = tire::wheel_angles(R, input3(at, first + pose::kAcross));
      T* y = at.y.data() + 4 * i;
      y[0] = angles.steer;
      y[1] = tire::toe_in(angles, side);
      y[2] = tire::camber(angles, side);
      y[3] = dot(R.z, input3(at, first + pose::kPoint) - p);
    }
  }
};

class AnglesKind final : public TemplateBlockKind<AnglesBlock> {
 public:
  explicit AnglesKind(std::vector<std::string> wheels) : wheels_(std::move(wheels)) {}

  [[nodiscard]] BlockInfo info() const override {
    BlockInfo info;
    info.description = "how wheels stand in the vehicle";
    const auto pose_of = [&](const std::string& name, const std::string& of) {
      return add_bundle(BundleInfo::Kind::pose, name, of, info.inputs, info.takes);
    };
    std::vector<int> reads =
        pose_parts(pose_of("chassis", "the chassis"), {pose::kPoint, pose::kAhead, pose::kAcross});
    for (const std::string& w : wheels_) {
      const int hub = pose_of(w, "the hub");
      for (const int i : pose_parts(hub, {pose::kPoint, pose::kAcross})) reads.push_back(i);
      const std::string of = "wheel." + w + ".";
      info.outputs.push_back(
          {of + "steer_angle", "rad", "about the vehicle's z axis, to the left"});
      info.outputs.push_back({of + "toe", "rad", "toe-in is positive"});
      info.outputs.push_back({of + "camber", "rad", "positive: the top leans outward"});
      info.outputs.push_back({of + "height", "m", "of the hub over the chassis's reference"});
    }
    info.tasks = {{.name = "angles",
                   .reads = std::move(reads),
                   .writes = numbers(0, static_cast<int>(info.outputs.size()))}};
    return info;
  }

 private:
  std::vector<std::string> wheels_;
};

// --- units against one another -------------------------------------------------------------------

constexpr int kAheadPose = 0, kUnitPose = 15;  // inputs

template <class T>
class ArticulationBlock final : public Block<T> {
 public:
  void run(int /*task*/, const BlockView<T>& at) const noexcept override {
    const Vec3<T> a = input3(at, kAheadPose + pose::kAhead),
                  b = input3(at, kUnitPose + pose::kAhead);
    at.y[0] = atan2(b.x * a.y - b.y * a.x, a.x * b.x + a.y * b.y);
    at.y[1] = input3(at, kAheadPose + pose::kOmega).z - input3(at, kUnitPose + pose::kOmega).z;
  }
};

class ArticulationKind final : public TemplateBlockKind<ArticulationBlock> {
 public:
  explicit ArticulationKind(std::string unit) : unit_(std::move(unit)) {}

  [[nodiscard]] BlockInfo info() const override {
    BlockInfo info;
    info.description = "how far a unit is turned against the one ahead";
    std::vector<int> reads;
    for (const char* name : {"ahead", "unit"})
      for (const int i :
           pose_parts(add_bundle(BundleInfo::Kind::pose, name, name, info.inputs, info.takes),
                      {pose::kAhead, pose::kOmega}))
        reads.push_back(i);
    info.outputs = {{unit_ + ".articulation", "rad", "yaw of the unit ahead less that of this one"},
                    {unit_ + ".articulation_rate", "rad/s",
                     "yaw rate of the unit ahead less that of this one"}};
    info.tasks = {{.name = "articulation", .reads = std::move(reads), .writes = {0, 1}}};
    return info;
  }

 private:
  std::string unit_;
};

// --- loads ---------------------------------------------------------------------------------------

template <class T>
class LoadsBlock final : public Block<T> {
 public:
  void run(int /*task*/, const BlockView<T>& at) const noexcept override {
    T least = at.u(0);
    for (int i = 1; i < static_cast<int>(at.wires.size()); ++i) least = min(least, at.u(i));
    at.y[0] = least;
  }
};

class LoadsKind final : public TemplateBlockKind<LoadsBlock> {
 public:
  explicit LoadsKind(const std::vector<std::string>& wheels) : wheels_(wheels) {}

  [[nodiscard]] BlockInfo info() const override {
    BlockInfo info;
    info.description = "loads of all wheels together";
    for (const std::string& w : wheels_)
      info.inputs.push_back({"load_" + w, "N", "load of a wheel, " + w});
    info.outputs = {{"wheels.least_load", "N", "the least of the wheels' loads", true}};
    info.tasks = {
        {.name = "least", .reads = numbers(0, static_cast<int>(wheels_.size())), .writes = {0}}};
    return info;
  }

 private:
  std::vector<std::string> wheels_;
};

}  // namespace

BlockKindPtr articulation_part(const std::string& unit) {
  return std::make_shared<ArticulationKind>(unit);
}

BlockKindPtr loads_part(const std::vector<std::string>& wheels) {
  return std::make_shared<LoadsKind>(wheels);
}

std::string wheels_block(const std::string& unit) {
  return unit == kFirstUnit ? "wheels" : unit + "_wheels";
}

std::string articulation_block(const std::string& unit) { return unit + "_articulation"; }

BlockKindPtr chassis_part(ChassisSensors sensors) {
  return std::make_shared<ChassisKind>(std::move(sensors));
}

BlockKindPtr wheel_angles_part(std::vector<std::string> wheels) {
  return std::make_shared<AnglesKind>(std::move(wheels));
}

}  // namespace chicane
