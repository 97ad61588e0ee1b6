// SPDX-License-Identifier: Apache-2.0
#include "assembly/vehicle.hpp"

#include <algorithm>
#include <map>
#include <numbers>
#include <tuple>

#include "assembly/grammar.hpp"
#include "assembly/parts/coupling.hpp"
#include "assembly/parts/layout.hpp"
#include "assembly/parts/rack.hpp"
#include "assembly/parts/reading.hpp"
#include "assembly/parts/registry.hpp"
#include "assembly/parts/sensors.hpp"
#include "assembly/parts/wheel.hpp"
#include "assembly/suspension/suspension.hpp"
#include "blocks/mechanism/describe.hpp"
#include "blocks/mechanism/laws.hpp"
#include "language/expression/expression.hpp"

namespace chicane {
namespace {

using namespace dimensions;
using multibody::JointKind;

// What the driver does, and what it is while nobody drives.
struct Control {
  const char *name, *value, *description;
};
constexpr Control kControls[] = {
    {"steering_angle", "0 rad", "angle of the steering wheel, to the left"},
    {"accelerator", "0", "pedal, 0 to 1"},
    {"brake", "0", "pedal, 0 to 1"},
    {"hand_brake", "0", "0 to 1"},
    {"clutch", "0", "pedal, 1 is pressed"},
    {"gear", "0", "-1 reverse, 0 neutral, 1 and above forward"},
    {"starter", "0", "1 turns an engine that has stalled"},
    {"wheel_torque", "0 N m", "on all wheels together, without an engine"},
};
// Gusts, in the world, on top of the steady wind of the file.
constexpr Control kWinds[] = {{"wind_x", "0 m/s", "velocity of the air, x in the world"},
                              {"wind_y", "0 m/s", "velocity of the air, y in the world"},
                              {"wind_z", "0 m/s", "velocity of the air, upwards"}};

struct BlockName {
  const char *name, *section, *group;
};
// Blocks of parts that a vehicle may have; those of the wheels and of the chassis it always has.
constexpr BlockName kPartBlocks[] = {
    {"steering", "steering", "slow"},     {"aerodynamics", "aerodynamics", "slow"},
    {"driver", "driver", "slow"},         {"brakes", "brakes", "fast"},
    {"powertrain", "powertrain", "fast"},
};

// Axis times angle of a rotation by less than half a turn.
Vec3<double> rotation_vector(const Quaternion<double>& q) {
  const double s = norm(q.vector());
  return (s > 0.0 ? 2.0 * std::atan2(s, q.w) / s : 2.0) * q.vector();
}

std::string group_of(const DataSpec& vehicle, const std::string& block, const char* otherwise) {
  const DataSpec* groups = vehicle.find("groups");
  const DataSpec* own = groups == nullptr ? nullptr : groups->find(block);
  return own == nullptr ? otherwise : own->text.text;
}

class VehicleReader {
 public:
  VehicleReader(const Spec& spec, Diagnostics& diag)
      : spec_(spec), diag_(diag), numbers_(spec, diag), vehicle_(*spec.vehicle) {
    hold_to_grammar(vehicle_, numbers_);
  }

  std::optional<VehicleModel> run() {
    const int before = diag_.errors();
    if (spec_.mechanism) {
      auto own = describe_topology(spec_, diag_);
      if (!own) return std::nullopt;
      m_.mechanism = std::move(*own);
    }
    m_.mechanism.where = vehicle_.text.where;
    m_.mechanism.gravity = {0.0, 0.0, -root().number("gravity", kAcceleration, 9.80665)};
    section("terrain", [&](Keys& keys) {
      if (const auto ground = read_ground(keys)) ground_ = *ground;
    });
    start();
    chassis();
    units();
    section("steering", [&](Keys& keys) { steering(keys); });
    axles();
    section("powertrain", [&](Keys& keys) { powertrain(keys); });
    for (const PlacedWheel& w : wheels_) add_wheel(w, shafts_[w.name]);
    judge_ground();
    section("brakes", [&](Keys& keys) { add_part("brakes", brakes_part(keys)); });
    section("aerodynamics", [&](Keys& keys) {
      m_.wind = root().vector("wind", kSpeed);
      add_part("aerodynamics", aerodynamics_part(keys));
    });
    section("driver", [&](Keys& keys) {
      add_part("driver", driver_part(keys, gears_, manual_ ? &*manual_ : nullptr));
    });
    sensors();
    groups();
    bend_joints();
    describe_start();
    if (diag_.errors() > before) return std::nullopt;
    return std::move(m_);
  }

 private:
  Keys root() { return {vehicle_, numbers_, diag_}; }

  template <class F>
  void section(std::string_view name, F&& read) {
    Keys of = root();
    section_of(of, name, [&](const DataSpec& data) {
      Keys keys(data, numbers_, diag_);
      read(keys);
    });
  }
  template <class F>
  void section_of(Keys& of, std::string_view name, F&& read) {
    const DataSpec* data = of.find(name);
    if (data == nullptr) return;
    if (data->kind == DataSpec::Kind::mapping)
      read(*data);
    else
      diag_.error(data->text.where, "'{}' is a mapping: {}: {{...}}", name, name);
  }

  void add_part(const std::string& name, BlockKindPtr kind) {
    if (kind) m_.parts.push_back({name, std::move(kind)});
  }

  void groups() {
    const DataSpec* groups = vehicle_.find("groups");
    if (groups == nullptr) return;
    std::vector<std::string_view> known;
    for (const BlockSpec& b : spec_.blocks)
      if (b.type.text == kVehicleType || b.type.text == kMechanismType) known.push_back(b.name);
    for (const auto& [name, value] : groups->entries)
      if (std::find(known.begin(), known.end(), name) == known.end())
        diag_.error(value.text.where, "the vehicle has no block '{}'{}; it has {}", name,
                    did_you_mean(name, known), fmt::join(known, ", "));
  }

  // --- parts -------------------------------------------------------------------------------------

  void start() {
    section("start", [&](Keys& keys) {
      position_ = keys.vector("position", kLength);
      const double heading = keys.number("heading", kNone), pitch = keys.number("pitch", kNone);
      speed_ = keys.number("speed", kSpeed);
      heading_ = heading;
      dropped_ =
          read_word(keys, "state", {"settled", "dropped"}, "the start of a vehicle", false) == 1U;
      m_.start.where = keys.where();
      section_of(keys, "joints", [&](const DataSpec& joints) { start_joints_ = joints; });
      keys.refuse_others("the start of a vehicle");
      turn_ = from_rotation_vector({0.0, 0.0, heading}) * from_rotation_vector({0.0, pitch, 0.0});
    });
  }

  // What is solved for once all blocks are there.
  void describe_start() {
    VehicleStart& s = m_.start;
    if (s.where.file.empty()) s.where = vehicle_.text.where;
    s.settled = !dropped_;
    s.speed = speed_;
    s.heading = heading_;
    s.position = position_;
    s.ground = ground_;
    auto own = axles_of(vehicle_);
    std::erase_if(own, [](const AxleLayout& a) { return a.unit != kFirstUnit; });
    s.wheels = wheels_of(own.size() > 1 ? own : axles_of(vehicle_));
    for (const PlacedWheel& w : wheels_)
      s.wheel_radius += unloaded_radius(*w.tire) / static_cast<double>(wheels_.size());
    for (const BlockSpec& b : spec_.blocks)
      if (b.type.text == kVehicleType || b.type.text == kMechanismType) s.blocks.push_back(b.name);
  }

  // Where the joints of the suspension are at the start, by name: angles or displacements.
  void bend_joints() {
    std::vector<std::string_view> known;
    for (const auto& j : m_.mechanism.joints) known.push_back(j.name);
    for (const auto& [name, value] : start_joints_.entries) {
      const auto joint = std::find(known.begin(), known.end(), name);
      if (joint == known.end()) {
        if (all_axles_)  // else it may be of one with faults
          diag_.error(value.text.where, "there is no joint '{}'{}", name,
                      did_you_mean(name, known));
        continue;
      }
      auto& j = m_.mechanism.joints[static_cast<std::size_t>(joint - known.begin())];
      if (freedoms(j.kind) != 1)
        diag_.error(value.text.where, "joint '{}' has more than one coordinate", name);
      else
        j.initial = {numbers_.number(value, j.kind == JointKind::translational ? kLength : kNone)},
        j.initial_where = value.text.where;
    }
  }

  // The body of a unit, whose reference is there, and its limits.
  std::optional<multibody::BodyDescription> unit_body(Keys& of, const std::string& unit,
                                                      const std::string& ahead,
                                                      const Vec3<double>& reference) {
    const DataSpec* data = of.require("chassis", unit == kFirstUnit ? "a vehicle" : "a unit");
    if (data == nullptr) return std::nullopt;
    Keys keys(*data, numbers_, diag_);
    multibody::BodyDescription body = read_body(keys);
    sensors_.push_back({body.com, read_limits(keys, unit, body.com), ground_});
    keys.refuse_others("a chassis");
    body.name = unit;
    body.com += reference;
    body.reference = reference;
    references_.emplace_back(unit, reference);
    m_.units.push_back({unit, ahead});
    m_.mounts.push_back({.name = unit, .body = unit});
    return body;
  }

  void chassis() {
    Keys own = root();
    auto body = unit_body(own, kFirstUnit, "", {});
    if (!body) return;
    const Location where = body->where;
    m_.mechanism.bodies.insert(m_.mechanism.bodies.begin(), std::move(*body));
    add_payloads(own, kFirstUnit, {}, m_.mechanism);
    const Vec3<double> a = rotation_vector(turn_), v = speed_ * rotation(turn_).x;
    m_.mechanism.joints.push_back(
        {.name = "vehicle",
         .kind = JointKind::free,
         .connects = {std::string(multibody::kGround), "chassis"},
         .initial = {a.x, a.y, a.z, position_.x, position_.y, position_.z},
         .initial_rate = {0.0, 0.0, 0.0, v.x, v.y, v.z},
         .where = where,
         .numbers = where});
  }

  // Those that hang on the first one, or on one another.
  void units() {
    if (references_.empty()) return;
    for (const UnitLayout& unit : units_of(vehicle_))
      if (unit.name != kFirstUnit || unit.section != &vehicle_) add_unit(unit);
  }

  void add_unit(const UnitLayout& unit) {
    const auto taken = [&](const multibody::BodyDescription& b) { return b.name == unit.name; };
    const bool twice = std::any_of(m_.mechanism.bodies.begin(), m_.mechanism.bodies.end(), taken) ||
                       std::any_of(std::begin(kPartBlocks), std::end(kPartBlocks),
                                   [&](const BlockName& b) { return unit.name == b.name; });
    if (twice)
      diag_.error(unit.section->text.where,
                  "'{}' is the name of something else in the vehicle: rename the unit", unit.name);
    if (!is_name(unit.name))
      diag_.error(unit.section->text.where, "'{}' is not a name for a unit", unit.name);
    if (unit.section->kind != DataSpec::Kind::mapping)
      diag_.error(unit.section->text.where, "a unit is a mapping: {}: {{coupling: ...}}",
                  unit.name);
    if (!is_name(unit.name) || twice || unit.section->kind != DataSpec::Kind::mapping) return;
    Keys keys(*unit.section, numbers_, diag_);
    keys.find("axles");
    const DataSpec* given = keys.require("coupling", "a unit");
    if (given == nullptr) return;
    Keys own(*given, numbers_, diag_);
    const std::size_t first = m_.mechanism.joints.size();
    const Coupling coupling = add_coupling(own, unit.name, references_, m_.mechanism);
    auto body = unit_body(keys, unit.name, coupling.ahead, coupling.at);
    if (!body) {  // nothing that hangs on it can be looked at
      m_.mechanism.joints.resize(first);
      return;
    }
    m_.mechanism.bodies.push_back(std::move(*body));
    add_payloads(keys, unit.name, coupling.at, m_.mechanism);
    keys.refuse_others("a unit");
  }

  // Where the run ends because the vehicle lies on its side, or its body is in the ground: there is
  // no contact of the body that could go on from there.
  std::vector<Vec3<double>> read_limits(Keys& keys, const std::string& unit,
                                        const Vec3<double>& com) {
    constexpr double kMostTilt = std::numbers::pi / 3.0;
    std::vector<Vec3<double>> body_points{com};
    if (const DataSpec* points = keys.find("points")) {
      body_points.clear();
      for (const DataSpec& p : points->list)
        body_points.push_back(vector_of(numbers_.list(p, kLength, 3)));
      if (body_points.empty())
        diag_.error(
            points->text.where,
            "'points' of a chassis is a list of points of its body, e.g. [[2, 0.9, 0.1, m]]");
    }
    const double tilt = keys.number("tilt_limit", kNone, kMostTilt);
    if (!(tilt > 0.0) || tilt > std::numbers::pi)
      diag_.error(keys.find("tilt_limit")->text.where,
                  "'tilt_limit' of a chassis goes from 0 to 180 deg, at which nothing ends");
    m_.limits.push_back({unit, tilt, vehicle_.text.where});
    return body_points;
  }

  void sensors() {
    for (std::size_t i = 0; i < m_.units.size(); ++i) {
      const VehicleModel::Unit& unit = m_.units[i];
      std::vector<std::string> own;
      for (const VehicleModel::Wheel& w : m_.wheels)
        if (w.unit == unit.name) own.push_back(w.name);
      add_part(unit.name, chassis_part(sensors_[i]));
      add_part(wheels_block(unit.name), wheel_angles_part(own));
      if (!unit.ahead.empty())
        add_part(articulation_block(unit.name), articulation_part(unit.name));
    }
    add_part(std::string(kLoadsBlock), loads_part(wheels_of(vehicle_)));
  }

  void steering(Keys& keys) {
    turns_kingpins_ = keys.text("type") == "kingpins";
    if (turns_kingpins_) return add_part("steering", steering_part(keys).kind);
    const DataSpec* rack = keys.require("body", "a steering");
    if (rack == nullptr) return;
    Keys own(*rack, numbers_, diag_);
    const SteeringPart part = steering_part(keys);
    m_.rack = add_rack(own, part, m_.mechanism);
    if (!part.driven)
      m_.mechanism.forces.push_back({.name = "rack_force",
                                     .law = multibody::JointSpringDescription{.joint = "rack"},
                                     .command = "steering.rack_force",
                                     .where = rack->text.where,
                                     .numbers = rack->text.where});
    add_part("steering", part.kind);
  }

  void powertrain(Keys& keys) {
    const double spin = wheels_.empty() ? 0.0 : wheels_.front().d.spin;
    PowertrainPart part =
        rolling_powertrain_part(keys, rolling_start(vehicle_.find("driver"), spec_, spin));
    gears_ = part.gears;
    manual_ = part.manual;
    const double shafts[] = {part.inertia.fl, part.inertia.fr, part.inertia.rl, part.inertia.rr};
    for (std::size_t i = 0; i < part.wheels.size(); ++i) shafts_[part.wheels[i]] += shafts[i];
    add_part("powertrain", std::move(part.kind));
  }

  // --- axles and wheels --------------------------------------------------------------------------

  void axles() {
    constexpr std::size_t kLeast = 2;
    const DataSpec* data = root().require("axles", "a vehicle");
    if (data == nullptr) return;
    const auto all = axles_of(vehicle_);
    if (all.size() < kLeast)
      diag_.error(data->text.where,
                  "a vehicle has two axles at least: axles: {{front: {{...}}, rear: {{...}}}}");
    for (const AxleLayout& axle : all) check_axle(axle);
    for (const AxleLayout& axle : all) {
      const auto unit = std::find_if(references_.begin(), references_.end(),
                                     [&](const auto& r) { return r.first == axle.unit; });
      if (unit == references_.end() || axle.section->kind != DataSpec::Kind::mapping) continue;
      Keys own(*axle.section, numbers_, diag_);
      add_axle(own, axle.name, {axle.suffix, axle.left, axle.right, axle.unit, unit->second});
    }
    if (turns_kingpins_ && m_.kingpins.empty())
      diag_.error(vehicle_.find("steering")->text.where,
                  "a steering of type kingpins turns those of solid axles with 'steered: true' and "
                  "'linkage: none': there are none");
  }

  // An axle of one name; others were left out.
  void check_axle(const AxleLayout& axle) {
    if (!is_name(axle.name))
      diag_.error(axle.section->text.where, "'{}' is not a name for an axle", axle.name);
    if (axle.section->kind != DataSpec::Kind::mapping)
      diag_.error(axle.section->text.where, "an axle is a mapping: {}: {{at: ...}}", axle.name);
    for (const UnitLayout& unit : units_of(vehicle_)) {
      const DataSpec* axles = unit.section->find("axles");
      if (axles == nullptr) continue;
      for (const auto& [name, section] : axles->entries)
        if (name == axle.name && &section != axle.section)
          diag_.error(section.text.where,
                      "there are two axles '{}': wheels are named by their axles, rename one",
                      name);
    }
  }

  // Kingpins without rods are turned by a steering made for that.
  void find_kingpins(const AxleNames& names, const DataSpec& section) {
    const auto& joints = m_.mechanism.joints;
    const bool driven = std::any_of(joints.begin(), joints.end(), [&](const auto& j) {
      return j.name == "kingpin_" + names.left && j.driven;
    });
    if (!driven) return;
    m_.kingpins.emplace_back(names.left, names.right);
    if (!turns_kingpins_)
      diag_.error(section.text.where,
                  "nothing turns the kingpins of this axle, which has 'linkage: none': give the "
                  "vehicle a steering of type kingpins, or the axle its rods");
  }

  std::shared_ptr<const TireKind> tire_of(Keys& axle) {
    const DataSpec* tire = axle.require("tire", "an axle");
    const DataSpec* compliance = axle.find("compliance");
    if (tire == nullptr) return nullptr;
    Keys tire_keys(*tire, numbers_, diag_);
    std::optional<Keys> compliance_keys;
    if (compliance != nullptr) compliance_keys.emplace(*compliance, numbers_, diag_);
    return read_tire(tire_keys, compliance_keys ? &*compliance_keys : nullptr);
  }

  void add_axle(Keys& keys, const std::string& section, const AxleNames& names) {
    const auto kind = tire_of(keys);
    const RingInertia ring = kind ? kind->ring() : RingInertia{};
    const DataSpec* tire = keys.find("tire");
    const DataSpec* ring_section = tire != nullptr ? tire->find("ring") : nullptr;
    WheelInertia apart{ring.mass, ring.spin, ring.cross};
    if (tire != nullptr) apart.where = (ring_section != nullptr ? ring_section : tire)->text.where;
    const auto axle = add_suspension(keys, names, m_.mechanism, apart);
    all_axles_ &= axle.has_value();
    if (const DataSpec* suspension = keys.find("suspension")) find_kingpins(names, *suspension);
    keys.refuse_others("an axle");
    if (!axle || !kind) return;
    m_.axles.push_back({section, names, *axle});
    for (const auto& [name, mount, side] :
         {std::tuple{names.left, axle->left, 1.0}, {names.right, axle->right, -1.0}}) {
      place_wheel(name, mount, kind,
                  {.spin_inertia = axle->spin_inertia, .side = side, .dual = axle->dual});
      m_.wheels.push_back({name, names.chassis});
    }
  }

  struct PlacedWheel {
    std::string name;
    std::shared_ptr<const TireKind> tire;
    WheelDescription d;
  };

  void place_wheel(const std::string& name, const WheelMount& mount,
                   std::shared_ptr<const TireKind> tire, WheelDescription d) {
    m_.mounts.push_back({.name = name,
                         .body = mount.body,
                         .at = mount.centre - origin_of(mount.body),
                         .x = ahead_of(mount.axis),
                         .y = mount.axis});
    const Vec3<double> hub = position_ + rotation(turn_) * mount.centre;
    d.spin = speed_ / tire->rolling_radius(ground_, hub);
    d.speed = speed_;
    d.gravity = -m_.mechanism.gravity.z;
    wheels_.push_back({name, std::move(tire), d});
  }

  // One point stands for the whole contact: where the ground is rounder than the wheel there are
  // several such points, and the search for one of them does not close in.
  void judge_ground() {
    const double curvature = sharpest(ground_);
    double radius = 0.0;
    for (const PlacedWheel& w : wheels_) radius = std::max(radius, unloaded_radius(*w.tire));
    if (!(curvature * radius > 1.0)) return;
    const DataSpec* terrain = vehicle_.find("terrain");
    diag_.warning(terrain->text.where,
                  "the ground bends more sharply (radius {:.3g} m) than its wheels (radius {:.3g} "
                  "m), which touch it at one point: loads jump there; make its bumps lower or "
                  "longer, as long as the tire spreads them",
                  1.0 / curvature, radius);
  }
  [[nodiscard]] double unloaded_radius(const TireKind& tire) const {
    constexpr double kAloft = 1e3;  // [m] over the ground a wheel has its unloaded radius
    return tire.rolling_radius(ground_, position_ + Vec3<double>{0, 0, kAloft});
  }

  void add_wheel(const PlacedWheel& wheel, double shaft_inertia) {
    WheelDescription d = wheel.d;
    d.shaft_inertia = shaft_inertia;
    add_part("wheel." + wheel.name, wheel.tire->wheel(ground_, d));
  }

  [[nodiscard]] Vec3<double> origin_of(const std::string& body) const {
    for (const multibody::BodyDescription& b : m_.mechanism.bodies)
      if (b.name == body) return b.reference.value_or(b.com);
    return {};
  }

  // Horizontal, and square to the axis of the wheel.
  static Vec3<double> ahead_of(const Vec3<double>& axis) {
    const Vec3<double> x = cross(axis, Vec3<double>{0.0, 0.0, 1.0});
    return (1.0 / norm(x)) * x;
  }

  const Spec& spec_;
  Diagnostics& diag_;
  Numbers numbers_;
  const DataSpec& vehicle_;
  VehicleModel m_;
  Ground<double> ground_ = terrain::Flat<double>{};
  Vec3<double> position_{};
  std::vector<std::pair<std::string, Vec3<double>>> references_;  // of the units
  std::vector<ChassisSensors> sensors_;                           // ... of each
  Quaternion<double> turn_{1.0, 0.0, 0.0, 0.0};
  double speed_ = 0.0, heading_ = 0.0;
  bool dropped_ = false;
  std::vector<PlacedWheel> wheels_;
  DataSpec start_joints_;
  std::map<std::string, double> shafts_;  // [kg m^2] by wheel
  bool turns_kingpins_ = false, all_axles_ = true;
  int gears_ = 0;
  std::optional<ManualGearbox> manual_;
};

}  // namespace

void declare_vehicle(Spec& spec) {
  const DataSpec& vehicle = *spec.vehicle;
  const Location where = vehicle.text.where;
  std::erase_if(spec.blocks, [](const BlockSpec& b) { return b.type.text == kVehicleType; });
  const auto add = [&](const std::string& name, const char* group, std::string_view type,
                       bool plain) {
    BlockSpec block;
    block.name = name;
    block.group = group_of(vehicle, name, group);
    block.where = where;
    block.plain_names = plain;
    block.type = {std::string(type), where};
    spec.blocks.push_back(std::move(block));
  };
  if (std::none_of(spec.blocks.begin(), spec.blocks.end(),
                   [](const BlockSpec& b) { return b.type.text == kMechanismType; }))
    add("mechanism", "slow", kMechanismType, true);
  for (const UnitLayout& unit : units_of(vehicle)) {
    add(unit.name, "slow", kVehicleType, false);
    add(wheels_block(unit.name), "slow", kVehicleType, true);
    if (unit.section != &vehicle) add(articulation_block(unit.name), "slow", kVehicleType, true);
  }
  for (const BlockName& b : kPartBlocks)
    if (vehicle.find(b.section) != nullptr) add(b.name, b.group, kVehicleType, false);
  for (const std::string& w : wheels_of(vehicle)) add("wheel." + w, "fast", kVehicleType, false);
  add(std::string(kLoadsBlock), "fast", kVehicleType, true);
  const auto declare = [&](const std::string& name, const std::string& value,
                           const std::string& description) {
    if (std::none_of(spec.inputs.begin(), spec.inputs.end(),
                     [&](const InputSpec& i) { return i.name == name; }))
      spec.inputs.push_back({name, {value, where}, description});
  };
  for (const PartInput& i : part_registry().inputs_of(vehicle))
    declare(i.name, i.value, i.description);
  if (vehicle.find("aerodynamics") != nullptr)
    for (const Control& c : kWinds) declare(c.name, c.value, c.description);
  if (vehicle.find("driver") == nullptr)
    for (const Control& c : kControls) declare(c.name, c.value, c.description);
}

const VehicleModel::PartBlock& VehicleModel::part(std::string_view name) const {
  const auto it =
      std::find_if(parts.begin(), parts.end(), [&](const PartBlock& p) { return p.name == name; });
  require(it != parts.end(), "a vehicle has a part for each of its blocks");
  return *it;
}

std::optional<VehicleModel> read_vehicle(const Spec& spec, Diagnostics& diag) {
  return VehicleReader(spec, diag).run();
}

}  // namespace chicane
