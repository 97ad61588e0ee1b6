// SPDX-License-Identifier: Apache-2.0

// A vehicle of a model, clamped.

#include "assembly/vehicle.hpp"

#include <algorithm>

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

  // Of the front; unknown where the file gives curves.
  double brake_share() {
    const auto front = number({"brakes", "torque_front"}, kTorque),
               rear = number({"brakes", "torque_rear"}, kTorque);
    return front && rear && *front + *rear > 0.0 ? *front / (*front + *rear) : kUnknown;
  }
  double drive_share() {
    const DataSpec* powertrain = section({"powertrain"});
    if (powertrain == nullptr) return kUnknown;
    const bool engine = powertrain->find("engine") != nullptr;
    return (engine ? number({"powertrain", "center", "share"}, kNone)
                   : number({"powertrain", "front"}, kNone))
        .value_or(0.5);
  }
  double rack_travel() { return number({"steering", "travel"}, kLength).value_or(0.1); }

  // The angle of the steering wheel over the way of the rack.
  std::function<double(double)> steering_wheel() {
    const DataSpec* data = section({"steering"});
    if (data == nullptr) return {};
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

// The chassis stands in the position of the file, the rack goes where it is told.
void clamp(multibody::Description& d) {
  for (multibody::JointDescription& j : d.joints) {
    j.initial.clear();
    j.initial_rate.clear();
    if (j.name == "vehicle") j.kind = multibody::JointKind::weld;
    if (j.name == "rack") j.driven = true;
  }
  std::erase_if(d.forces, [](const auto& f) { return f.name == "rack_force"; });
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
  clamp(v.mechanism);
  v.steered = model->rack.has_value();
  v.arm = model->rack ? model->rack->arm : 0.0;
  v.rack_travel = reader.rack_travel();
  v.steering_wheel = reader.steering_wheel();
  const double brakes = reader.brake_share(), drives = reader.drive_share();
  for (const VehicleModel::NamedAxle& a : model->axles) {
    const auto left = tire_of(*model, a.names.left), right = tire_of(*model, a.names.right);
    const bool front = v.axles.empty();
    v.axles.push_back({.name = a.name,
                       .wheel = {a.names.left, a.names.right},
                       .axle = a.axle,
                       .radius = {left[0], right[0]},
                       .stiffness = {left[1], right[1]},
                       .yields = reader.yields(a.name),
                       .brake_share = front ? brakes : 1.0 - brakes,
                       .drive_share = front ? drives : 1.0 - drives});
  }
  return diag.ok() ? std::optional(std::move(v)) : std::nullopt;
}

}  // namespace chicane::rig
