// SPDX-License-Identifier: Apache-2.0

// A vehicle of a model, clamped.

#include "assembly/vehicle.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "analysis/rig/rig.hpp"
#include "assembly/assemble.hpp"
#include "assembly/parts/reading.hpp"
#include "language/sections/fields.hpp"
#include "math/table.hpp"

namespace chicane::rig {
namespace {

using namespace dimensions;
constexpr std::string_view kSteering = "a steering";

// Numbers of sections that the vehicle's reader has found right.
class RigReader {
 public:
  RigReader(const Spec& spec, Diagnostics& diag)
      : vehicle_(*spec.vehicle), diag_(diag), numbers_(spec, diag) {}

  YieldingAngles yields(const std::string& axle) {
    const DataSpec* data = section({"axles", axle, "compliance"});
    if (data == nullptr) return {};
    Keys keys(*data, numbers_, diag_);
    const auto slope = [&](const char* key, const Dimension& over) {
      const auto curve = read_curve(keys, key, over, kNone, "a compliance", false);
      const auto table = curve ? table_of(*curve) : std::nullopt;
      return table ? table->lookup(0.0).slope : 0.0;
    };
    return {slope("steer_by_force", kForce), slope("steer_by_torque", kTorque),
            slope("inclination_by_force", kForce), slope("inclination_by_torque", kTorque)};
  }

  // Of the force of all axles; unknown where the file gives curves.
  double brake_share(const std::vector<std::string>& axles, std::size_t axle) {
    std::vector<std::optional<double>> torques;
    const bool by_axle = section({"brakes", "axles"}) != nullptr;
    for (const std::string& name : axles)
      torques.push_back(by_axle ? number({"brakes", "axles", name, "torque"}, kTorque)
                                : number({"brakes", "torque_" + name}, kTorque));
    double sum = 0.0;
    for (const auto& torque : torques) sum += torque.value_or(kUnknown);
    return sum > 0.0 ? *torques[axle] / sum : kUnknown;
  }
  // The same of what drives: of an engine by the differential between two axles; of motors where
  // one axle alone has them.
  double drive_share(const std::vector<std::string>& axles, std::size_t axle) {
    const DataSpec* powertrain = section({"powertrain"});
    if (powertrain == nullptr) return kUnknown;
    std::vector<std::string> driven{axles.front(), axles.back()};
    if (const DataSpec* names = powertrain->find("axles"))
      for (std::size_t i = 0; i < std::min<std::size_t>(2, names->list.size()); ++i)
        driven[i] = names->list[i].text.text;
    const auto place = std::find(driven.begin(), driven.end(), axles[axle]);
    if (place == driven.end()) return 0.0;
    const bool first = place == driven.begin();
    double share = 0.5;  // of the first
    if (powertrain->find("engine") != nullptr)
      share = number({"powertrain", "center", "share"}, kNone).value_or(0.5);
    else if (powertrain->find("battery") == nullptr)
      share = number({"powertrain", "front"}, kNone).value_or(0.5);
    else if (powertrain->find("front") != nullptr && powertrain->find("rear") != nullptr)
      return kUnknown;
    else
      share = powertrain->find("front") != nullptr ? 1.0 : 0.0;
    return first ? share : 1.0 - share;
  }
  double rack_travel() { return number({"steering", "travel"}, kLength).value_or(0.1); }

  // The angle of the steering wheel over the way of the rack; kingpins that a steering turns by
  // itself have no rack.
  std::function<double(double)> steering_wheel() {
    const DataSpec* data = section({"steering"});
    if (data == nullptr) return {};
    const DataSpec* type = data->find("type");
    if (type != nullptr && type->text.text == "kingpins") return {};
    Keys keys(*data, numbers_, diag_);
    if (keys.find("rack") != nullptr) {
      const auto curve = read_curve(keys, "rack", kNone, kLength, kSteering, false);
      const auto table = curve ? table_of({curve->y, curve->x}) : std::nullopt;
      if (!table) return {};
      return [table](double s) { return (*table)(s); };
    }
    const auto ratio =
        read_number_or_curve(keys, "ratio", kLength, kNone / kLength, kSteering, false);
    const auto table = ratio ? table_of(*ratio) : std::nullopt;
    if (!table) return {};
    return [table](double s) { return table->integral(s) - table->integral(0.0); };
  }

 private:
  const DataSpec* section(std::initializer_list<std::string> path) {
    const DataSpec* at = &vehicle_;
    for (const std::string& key : path)
      if (at = at->find(key); at == nullptr) return nullptr;
    return at;
  }
  std::optional<double> number(std::initializer_list<std::string> path, const Dimension& of) {
    const DataSpec* data = section(path);
    if (data == nullptr || data->kind != DataSpec::Kind::text || is_curve(*data, numbers_.spec()))
      return std::nullopt;
    return numbers_.number(*data, of);
  }
  static std::optional<Table1D> table_of(const CurveData& curve) {
    auto made = Table1D::make(curve.x, curve.y, Interpolation::linear, Extrapolation::linear);
    auto* table = std::get_if<Table1D>(&made);
    return table == nullptr ? std::nullopt : std::optional(std::move(*table));
  }

  const DataSpec& vehicle_;
  Diagnostics& diag_;
  Numbers numbers_;
};

// The chassis of every unit stands in the position of the file, the rack goes where it is told.
void clamp(const VehicleModel& model, multibody::Description& d) {
  std::vector<std::string> held{"vehicle"};  // joints, and the dampers of couplings
  for (const VehicleModel::Unit& u : model.units)
    for (const char* end : {"_plate", "_coupling", "_coupling_damper"})
      held.push_back(u.name + end);
  const auto holds = [&](const std::string& name) {
    return std::find(held.begin(), held.end(), name) != held.end();
  };
  for (multibody::JointDescription& j : d.joints) {
    j.initial.clear();
    j.initial_rate.clear();
    if (holds(j.name)) j.kind = multibody::JointKind::weld;
    if (j.name == "rack") j.driven = true;
  }
  std::erase_if(d.forces, [&](const auto& f) { return f.name == "rack_force" || holds(f.name); });
  d.base.reset();
  d.loops = multibody::Loops::embedded;
}

std::array<double, 2> tire_of(const VehicleModel& model, const std::string& wheel) {
  std::array<double, 2> found{};
  for (const NativeParameter& p : model.part("wheel." + wheel).kind->info().parameters) {
    if (p.name == "radius") found[0] = p.value;
    if (p.name == "stiffness") found[1] = p.value;
  }
  return found;
}

}  // namespace

std::optional<RigVehicle> rig_vehicle(const Spec& spec, Diagnostics& diag) {
  if (!spec.vehicle) {
    diag.error({spec.name, 0, ""},
               "this model has no vehicle: only one with 'vehicle:' can be put on the rig");
    return std::nullopt;
  }
  const auto model = read_vehicle(spec, diag);
  if (!model) return std::nullopt;
  RigReader reader(spec, diag);
  RigVehicle v;
  v.mechanism = model->mechanism;
  clamp(*model, v.mechanism);
  v.steered = model->rack.has_value();
  v.arm = model->rack ? model->rack->arm : 0.0;
  v.rack_travel = reader.rack_travel();
  v.steering_wheel = reader.steering_wheel();
  std::vector<std::string> names;
  for (const VehicleModel::NamedAxle& a : model->axles) names.push_back(a.name);
  for (const VehicleModel::NamedAxle& a : model->axles) {
    const auto left = tire_of(*model, a.names.left), right = tire_of(*model, a.names.right);
    const std::size_t place = v.axles.size();
    v.axles.push_back({.name = a.name,
                       .wheel = {a.names.left, a.names.right},
                       .axle = a.axle,
                       .radius = {left[0], right[0]},
                       .stiffness = {left[1], right[1]},
                       .yields = reader.yields(a.name),
                       .brake_share = reader.brake_share(names, place),
                       .drive_share = reader.drive_share(names, place)});
  }
  return diag.ok() ? std::optional(std::move(v)) : std::nullopt;
}

}  // namespace chicane::rig
