// SPDX-License-Identifier: Apache-2.0
#include "assembly/wiring.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "assembly/parts/registry.hpp"
#include "assembly/parts/sensors.hpp"
#include "language/bundle.hpp"
#include "language/expression/formula.hpp"

namespace chicane {
namespace {

using namespace dimensions;
using Kind = BundleInfo::Kind;
using Triple = std::array<Formula, 3>;

constexpr std::array<const char*, 3> kXyz{"x", "y", "z"};

std::string wheel_block(const std::string& wheel) { return "wheel." + wheel; }

Formula dot(const Triple& a, const Triple& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

Triple cross(const Triple& a, const Triple& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

// n of numbers in the axes d, e and d x e: the formula of n . f.
Formula along(const Vec3<double>& n, const Triple& f, const Triple& d, const Triple& e) {
  return Formula(n.x) * dot(f, d) + Formula(n.y) * dot(f, e) + Formula(n.z) * dot(f, cross(d, e));
}

class VehicleWiring {
 public:
  VehicleWiring(Spec& made, const VehicleModel& vehicle, Diagnostics& diag)
      : spec_(made), vehicle_(vehicle), diag_(diag), where_(made.vehicle->text.where) {
    for (std::size_t i = 0; i < made.blocks.size(); ++i) {
      BlockSpec& b = made.blocks[i];
      if (b.type.text != kVehicleType && b.type.text != kMechanismType) continue;
      parts_.push_back({static_cast<int>(i), b, b.native->info()});
      if (b.type.text == kMechanismType) mechanism_ = b.name;
    }
  }

  void run() {
    for (const Wheel& w : vehicle_.wheels) wheel(w);
    if (Part* p = find("powertrain")) powertrain(*p);
    if (Part* p = find("brakes")) brakes(*p);
    if (Part* p = find("steering")) steering(*p);
    if (Part* p = find("aerodynamics")) aerodynamics(*p);
    if (Part* p = find("driver")) driver(*p);
    sensors();
    mounts();
    inputs_of_the_model();
  }

 private:
  using Wheel = VehicleModel::Wheel;
  using Unit = VehicleModel::Unit;

  struct Part {
    int block;  // in the Spec
    BlockSpec& spec;
    BlockInfo info;
  };

  Part* find(std::string_view block) {
    const auto it = std::find_if(parts_.begin(), parts_.end(),
                                 [&](const Part& p) { return p.spec.name == block; });
    return it == parts_.end() ? nullptr : &*it;
  }
  Part& part(std::string_view block) {
    Part* p = find(block);
    require(p != nullptr, "a vehicle has a block '{}'", block);
    return *p;
  }

  // --- what feeds --------------------------------------------------------------------------------

  // An output, a state or a memory of a block; a fault where it has none of that name.
  Formula signal(std::string_view block, std::string_view name) {
    const Part* from = find(block);
    const auto place = [&](const auto& list) {
      const auto it =
          std::find_if(list.begin(), list.end(), [&](const auto& p) { return p.name == name; });
      return it == list.end() ? -1 : static_cast<int>(it - list.begin());
    };
    using Of = SignalHandle::Of;
    if (from != nullptr) {
      if (const int k = place(from->info.outputs); k >= 0)
        return SignalHandle{Of::output, from->block, k};
      if (const int k = place(from->info.states); k >= 0)
        return SignalHandle{Of::state, from->block, k};
      if (const int k = place(from->info.memory); k >= 0)
        return SignalHandle{Of::memory, from->block, k};
    }
    diag_.error(where_, "a part of the vehicle needs '{0}' of its '{1}': {2}", name, block,
                from == nullptr ? "it has none" : "this one does not give it");
    return 0.0;
  }

  Triple three(std::string_view block, const std::string& stem) {
    return {signal(block, stem + "x"), signal(block, stem + "y"), signal(block, stem + "z")};
  }

  // A part of the pose of a mount.
  Triple of_mount(const std::string& mount, pose::Part which) {
    const Part& m = part(mechanism_);
    const BundleInfo* pose = find_bundle(m.info.gives, Kind::pose, mount_port(mount));
    require(pose != nullptr, "a mechanism has the mount '{}'", mount);
    const auto component = [&](int k) {
      return SignalHandle{SignalHandle::Of::output, m.block, pose->first + which + k};
    };
    return {component(0), component(1), component(2)};
  }

  // What the driver gives: his output, or what the model has of the same name.
  Formula control(const std::string& name) {
    return find("driver") == nullptr ? Formula::named(name) : signal("driver", name);
  }

  // Whether a part has to do with a wheel: an engine may drive few of many axles. One that gives no
  // wheel a torque is at fault with all of them.
  bool turns(std::string_view of, const std::string& wheel) {
    const Part* part = find(of);
    if (part == nullptr) return false;
    const auto gives = [&](const std::string& w) {
      const auto& list = part->info.outputs;
      return std::any_of(list.begin(), list.end(),
                         [&](const PortInfo& p) { return p.name == "torque_" + w; });
    };
    return gives(wheel) || std::none_of(vehicle_.wheels.begin(), vehicle_.wheels.end(),
                                        [&](const Wheel& w) { return gives(w.name); });
  }
  // On a wheel.
  Formula torque(const char* of, const std::string& wheel) {
    return turns(of, wheel) ? signal(of, "torque_" + wheel) : 0.0;
  }

  // --- what is fed -------------------------------------------------------------------------------

  static int input(const Part& to, std::string_view name) {
    const auto& list = to.info.inputs;
    const auto it =
        std::find_if(list.begin(), list.end(), [&](const PortInfo& p) { return p.name == name; });
    return it == list.end() ? -1 : static_cast<int>(it - list.begin());
  }

  void connect(Part& to, int place, Formula from) {
    const std::string& name = to.info.inputs[static_cast<std::size_t>(place)].name;
    to.spec.connected.push_back({place, std::move(from).expression(name, where_)});
  }

  // Types of parts differ in what they want to know: an input that this one lacks is no fault.
  template <class Feed>
  void feed(Part& to, std::string_view name, Feed&& from) {
    if (const int place = input(to, name); place >= 0) connect(to, place, from());
  }
  void feed(Part& to, std::string_view name, const char* block, const char* of) {
    feed(to, name, [&] { return signal(block, of); });
  }

  // A bundle of the mechanism as a whole.
  void feed(Part& to, Kind kind, std::string_view name, const std::string& of) {
    const Part& m = part(mechanism_);
    const BundleInfo* in = find_bundle(to.info.takes, kind, name);
    const BundleInfo* out = find_bundle(m.info.gives, kind, of);
    if (in == nullptr) return;
    require(out != nullptr, "a mechanism has '{}'", of);
    for (int k = 0; k < size_of(kind); ++k)
      connect(to, in->first + k, SignalHandle{SignalHandle::Of::output, m.block, out->first + k});
  }
  void feed_pose(Part& to, std::string_view name, const std::string& mount) {
    feed(to, Kind::pose, name, mount_port(mount));
  }

  void feed_wheel_speeds(Part& to, const char* signal_of) {
    for (const Wheel& w : vehicle_.wheels)
      feed(to, "speed_" + w.name, [&] { return signal(wheel_block(w.name), signal_of); });
  }

  // --- the parts ---------------------------------------------------------------------------------

  void wheel(const Wheel& w) {
    Part& to = part(wheel_block(w.name));
    feed_pose(to, "hub", w.name);
    feed_pose(to, "chassis", w.unit);
    feed(to, "drive_torque", [&] { return torque("powertrain", w.name); });
    feed(to, "brake_torque", [&] { return torque("brakes", w.name); });
  }

  void powertrain(Part& to) {
    for (const char* name : {"accelerator", "brake", "clutch", "gear", "starter", "wheel_torque"})
      feed(to, name, [&] { return control(name); });
    feed_wheel_speeds(to, "drive_speed");
  }

  void brakes(Part& to) {
    feed(to, "pedal", [&] { return pedal_left(); });
    feed(to, "hand", [&] { return control("hand_brake"); });
    feed(to, "pressure_front", [] { return Formula::named("brake_pressure_front"); });
    feed(to, "pressure_rear", [] { return Formula::named("brake_pressure_rear"); });
    feed_wheel_speeds(to, "brake_speed");
  }

  // Of the brake pedal: motors may have done a part of it.
  Formula pedal_left() {
    const Part* drive = find("powertrain");
    const bool blends =
        drive != nullptr && std::any_of(drive->info.outputs.begin(), drive->info.outputs.end(),
                                        [](const PortInfo& p) { return p.name == "blended"; });
    return blends ? control("brake") - signal("powertrain", "blended") : control("brake");
  }

  void steering(Part& to) {
    feed(to, "angle", [&] { return control("steering_angle"); });
    feed(to, "torque", [] { return Formula::named("steering_torque"); });
    feed(to, "speed", "chassis", "speed");
    if (!vehicle_.rack) return turn_kingpins();
    const RackWay& way = *vehicle_.rack;
    feed(to, "rack_force", [&] { return tie_rod_force(way); });
    if (way.driven) return move_rack(way);
    feed(to, "rack", [&] { return signal(mechanism_, "rack.displacement"); });
    feed(to, "rack_rate", [&] { return signal(mechanism_, "rack.displacement_rate"); });
    feed(part(mechanism_), "rack_force.command", "steering", "rack_force");
  }

  // A kingpin of the right side has the mirror image of the left one's axis: it turns the other
  // way.
  void turn_kingpins() {
    constexpr std::pair<const char*, const char*> kMotion[] = {
        {"motion", ""}, {"motion_rate", "_rate"}, {"motion_acceleration", "_acceleration"}};
    Part& m = part(mechanism_);
    for (const auto& wheels : vehicle_.kingpins)
      for (const auto& [port, of] : kMotion) {
        feed(m, fmt::format("kingpin_{}.{}", wheels.first, port),
             [&, &of = of] { return signal("steering", std::string("left") + of); });
        feed(m, fmt::format("kingpin_{}.{}", wheels.second, port),
             [&, &of = of] { return -signal("steering", std::string("right") + of); });
      }
  }

  // [N] of the tie rods on the rack, along its way: its joint holds against it. On an arm the
  // tangent turns with the arc.
  Formula tie_rod_force(const RackWay& way) {
    const Triple f = three(mechanism_, "rack.f_");
    const Triple d = of_mount("chassis", pose::kAhead), e = of_mount("chassis", pose::kAcross);
    if (way.arm == 0.0) return -along(way.t, f, d, e);
    const Formula angle = signal("steering", "rack") / Formula(way.arm, kLength);
    return -(cos(angle) * along(way.t, f, d, e) + sin(angle) * along(way.u, f, d, e));
  }

  void move_rack(const RackWay& way) {
    constexpr std::pair<const char*, const char*> kMotion[] = {
        {"motion", "rack"},
        {"motion_rate", "rack_rate"},
        {"motion_acceleration", "rack_acceleration"}};
    Part& m = part(mechanism_);
    for (const auto& motion : kMotion) {
      const auto to = [&](const char* joint) { return fmt::format("{}.{}", joint, motion.first); };
      const Formula moved = signal("steering", motion.second);
      if (way.arm == 0.0) {
        feed(m, to("rack"), [&] { return moved; });
        continue;
      }
      const Formula arm(way.arm, kLength);
      feed(m, to("pitman"), [&] { return moved / arm; });
      feed(m, to("rack"), [&] { return -moved / arm; });
    }
  }

  void aerodynamics(Part& to) {
    feed_pose(to, "body", "chassis");
    const std::array<double, 3> steady{vehicle_.wind.x, vehicle_.wind.y, vehicle_.wind.z};
    for (std::size_t i = 0; i < 3; ++i) {
      const std::string wind = std::string("wind_") + kXyz[i];
      feed(to, wind, [&] { return Formula::named(wind) + Formula(steady[i], kSpeed); });
    }
  }

  void driver(Part& to) {
    const Triple point = of_mount("chassis", pose::kPoint);
    feed(to, "x", [&] { return point[0]; });
    feed(to, "y", [&] { return point[1]; });
    for (const char* name : {"yaw", "speed", "side_speed", "yaw_rate"})
      feed(to, name, "chassis", name);
    for (const char* name : {"omega_e", "omega_t", "prop_speed", "engine_running"})
      feed(to, name, "powertrain", name);
  }

  void sensors() {
    for (const Unit& unit : vehicle_.units) {
      Part& chassis = part(unit.name);
      feed_pose(chassis, "chassis", unit.name);
      feed(chassis, Kind::acceleration, "chassis", unit.name);
      Part& wheels = part(wheels_block(unit.name));
      feed_pose(wheels, "chassis", unit.name);
      for (const Wheel& w : vehicle_.wheels)
        if (w.unit == unit.name) feed_pose(wheels, w.name, w.name);
      if (unit.ahead.empty()) continue;
      Part& articulation = part(articulation_block(unit.name));
      feed_pose(articulation, "ahead", unit.ahead);
      feed_pose(articulation, "unit", unit.name);
    }
    for (const Wheel& w : vehicle_.wheels)
      feed(part(kLoadsBlock), "load_" + w.name,
           [&] { return signal(wheel_block(w.name), "load"); });
  }

  // A brake turns the wheel against its hub, a shaft against the chassis.
  void mounts() {
    Part& m = part(mechanism_);
    const auto load = [&](const std::string& mount, const Triple& force, const Triple& moment) {
      const BundleInfo* in = find_bundle(m.info.takes, Kind::wrench, mount_port(mount));
      require(in != nullptr, "a mechanism has the mount '{}'", mount);
      for (std::size_t k = 0; k < 3; ++k) {
        connect(m, in->first + wrench::kForce + static_cast<int>(k), force[k]);
        connect(m, in->first + wrench::kMoment + static_cast<int>(k), moment[k]);
      }
    };
    for (const Wheel& w : vehicle_.wheels) {
      const Triple axis = three(wheel_block(w.name), "a_");
      Triple on_hub = three(wheel_block(w.name), "M_");
      for (std::size_t k = 0; k < 3; ++k)
        if (turns("brakes", w.name)) on_hub[k] = on_hub[k] - torque("brakes", w.name) * axis[k];
      load(w.name, three(wheel_block(w.name), "F_"), on_hub);
    }
    const Triple none{0.0, 0.0, 0.0};
    for (const Unit& unit : vehicle_.units) {
      const bool air = unit.ahead.empty() && find("aerodynamics") != nullptr;
      load(unit.name, air ? three("aerodynamics", "F_") : none,
           with_shafts(unit, air ? std::optional(three("aerodynamics", "M_")) : std::nullopt));
    }
  }

  // The moment on a unit with those of the shafts to its wheels.
  Triple with_shafts(const Unit& unit, std::optional<Triple> moment) {
    for (const Wheel& w : vehicle_.wheels) {
      if (w.unit != unit.name || !turns("powertrain", w.name)) continue;
      const Triple axis = three(wheel_block(w.name), "a_");
      const Formula shaft = torque("powertrain", w.name);
      if (!moment)
        moment = {-shaft * axis[0], -shaft * axis[1], -shaft * axis[2]};
      else
        for (std::size_t k = 0; k < 3; ++k) (*moment)[k] = (*moment)[k] - shaft * axis[k];
    }
    return moment.value_or(Triple{0.0, 0.0, 0.0});
  }

  // What a type of part asks the model for.
  void inputs_of_the_model() {
    const auto asked = part_registry().inputs_of(*spec_.vehicle);
    for (Part& to : parts_) {
      if (to.spec.type.text != kVehicleType) continue;
      for (const PartInput& i : asked) {
        const int place = input(to, i.name);
        const auto& done = to.spec.connected;
        if (place >= 0 && std::none_of(done.begin(), done.end(),
                                       [&](const Connection& c) { return c.input == place; }))
          connect(to, place, Formula::named(i.name));
      }
    }
  }

  Spec& spec_;
  const VehicleModel& vehicle_;
  Diagnostics& diag_;
  Location where_;
  std::vector<Part> parts_;
  std::string mechanism_;  // the name of its block
};

}  // namespace

void connect_vehicle(Spec& made, const VehicleModel& vehicle, Diagnostics& diag) {
  VehicleWiring(made, vehicle, diag).run();
}

}  // namespace chicane
