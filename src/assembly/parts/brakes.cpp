// SPDX-License-Identifier: Apache-2.0
#include "vehicle/brakes/brakes.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>
#include <vector>

#include "assembly/parts/axle_brakes.hpp"
#include "assembly/parts/data_block.hpp"
#include "assembly/parts/layout.hpp"
#include "assembly/parts/parts.hpp"
#include "assembly/parts/reading.hpp"
#include "assembly/parts/registry.hpp"

namespace chicane::brakes {
namespace {

using namespace dimensions;
using Bound = Field::Bound;

// --- block ------------------------------------------------------------------------------------

template <class T, bool by_pedal>
class BrakesBlock : public DataBlock<T, Maps> {
 public:
  using DataBlock<T, Maps>::DataBlock;

  void run(int /*task*/, const BlockView<T>& at) const noexcept override {
    const Maps& maps = this->data();
    const auto p = from_values<Params<T>>(at.p);
    const auto x = from_values<State<T>>(at.x);
    constexpr int kHand = by_pedal ? 1 : 2;
    const auto speed = [&](int wheel) { return at.u(kHand + 1 + wheel); };
    const In<T> in{demand(at), at.u(kHand), {speed(0), speed(1), speed(2), speed(3)}};
    const auto [rates, out] = evaluate(maps, p, x, in);
    to_values(rates, at.dx);
    to_values(out, at.y);
  }

 private:
  Pressures<T> demand(const BlockView<T>& at) const {
    if constexpr (by_pedal)
      return demand_of_pedal(this->data(), at.u(0));
    else
      return {at.u(0), at.u(1)};
  }
};

template <class T>
using PedalBrakes = BrakesBlock<T, true>;
template <class T>
using PressureBrakes = BrakesBlock<T, false>;

BlockInfo described(bool by_pedal, const std::string& pressure) {
  BlockInfo info;
  info.description = by_pedal ? "brakes by a pedal" : "brakes by given pressures";
  info.states = {{"line_front", pressure, 0, "pressure of the front line"},
                 {"line_rear", pressure, 0, "pressure of the rear line"}};
  for (const std::string_view wheel : kWheelNames)
    info.states.push_back({fmt::format("zeta_{}", wheel), "-", 0,
                           fmt::format("bend between pad and disc, {}", wheel)});
  if (by_pedal)
    info.inputs = {{"pedal", "-", "0 to 1"}};
  else
    info.inputs = {{"pressure_front", "Pa", "pressure for the front line"},
                   {"pressure_rear", "Pa", "pressure for the rear line"}};
  info.inputs.push_back({"hand", "-", "hand brake, 0 to 1"});
  for (const PortInfo& p : wheel_ports("speed", "rad/s", "speed of a wheel"))
    info.inputs.push_back(p);
  info.outputs = wheel_ports("torque", "N m", "torque on a wheel");
  for (PortInfo& p : wheel_ports("capacity", "N m", "torque that a brake can hold")) {
    p.on_request = true;
    info.outputs.push_back(std::move(p));
  }
  info.tasks = {{.name = "torques",
                 .reads = ports(0, static_cast<int>(info.inputs.size())),
                 .writes = ports(0, static_cast<int>(info.outputs.size())),
                 .rates = true}};
  return info;
}

// --- file -------------------------------------------------------------------------------------

enum Type { kSimple, kByPedal, kByPressure };

// Rows stand in the order of the members of Params, before the friction. What the gains multiply:
// of a simple brake the pedal, so that they are its torques, otherwise the curves.
constexpr std::array kTorqueFields{
    Field{"torque_front", "N m", "torque of a front brake at full pedal", Bound::not_negative},
    Field{"torque_rear", "N m", "torque of a rear brake at full pedal", Bound::not_negative}};
constexpr std::array kGainFields{
    Field{"gain_front", "-", "torque of a front brake over that of its curve", Bound::not_negative,
          1.0},
    Field{"gain_rear", "-", "torque of a rear brake over that of its curve", Bound::not_negative,
          1.0}};
constexpr std::array kOtherFields{
    Field{"line_time", "s", "time in which the pressure follows", Bound::positive, 0.05},
    Field{"hand_fl", "N m", "torque of the hand brake, front left", Bound::not_negative, 0.0},
    Field{"hand_fr", "N m", "torque of the hand brake, front right", Bound::not_negative, 0.0},
    Field{"hand_rl", "N m", "torque of the hand brake, rear left", Bound::not_negative, 0.0},
    Field{"hand_rr", "N m", "torque of the hand brake, rear right", Bound::not_negative, 0.0}};
constexpr FrictionDefaults kPads{"rad", 0.01, 0.8, 0.005, 0.002};
constexpr std::string_view kOwner = "a brake system";

const CurveData kIdentity{{0.0, 1.0}, {0.0, 1.0}};

// Nothing said: the rear line has the pressure of the front line.
std::optional<CurveData> read_proportioning(Keys& keys, const CurveData& pressure) {
  const bool said = keys.find("proportioning") != nullptr;
  if (said) return read_curve(keys, "proportioning", kPressure, kPressure, kOwner);
  const double most = *std::max_element(pressure.y.begin(), pressure.y.end());
  return CurveData{{0.0, most}, {0.0, most}};
}

// The curves of a type; those it does not have are never looked at.
std::optional<MapData> read_curves(Keys& keys, std::size_t type) {
  if (type == kSimple) return MapData{kIdentity, kIdentity, kIdentity, kIdentity};
  const auto front = read_curve(keys, "torque_front", kPressure, kTorque, kOwner),
             rear = read_curve(keys, "torque_rear", kPressure, kTorque, kOwner);
  std::optional pressure = kIdentity, proportioning = kIdentity;
  if (type == kByPedal) {
    pressure = read_curve(keys, "pressure", kNone, kPressure, kOwner);
    if (pressure) proportioning = read_proportioning(keys, *pressure);
  }
  if (!front || !rear || !pressure || !proportioning) return std::nullopt;
  return MapData{*pressure, *proportioning, *front, *rear};
}

std::vector<NativeParameter> read_parameters(Keys& keys, std::size_t type) {
  auto list = read_fields(keys, type == kSimple ? kTorqueFields : kGainFields, kOwner);
  const auto others = read_fields(keys, kOtherFields, kOwner);
  list.insert(list.end(), others.begin(), others.end());
  read_friction(keys, "", kPads, list);
  return list;
}

// These know front and rear, and would leave other wheels alone.
void require_two_axles(Keys& keys) {
  std::vector<std::string> names;
  for (const AxleLayout& a : axles_of(keys.numbers().spec())) names.push_back(a.name);
  if (names != std::vector<std::string>{"front", "rear"})
    keys.diagnostics().error(keys.where(),
                             "brakes of this type are of the axles front and rear, but the vehicle "
                             "has {}: take type by-axle",
                             fmt::join(names, ", "));
}

BlockKindPtr read_brakes(Keys& keys, Type type) {
  const int before = keys.diagnostics().errors();
  require_two_axles(keys);
  const bool by_pedal = type != kByPressure;
  BlockInfo info = described(by_pedal, type == kSimple ? "-" : "Pa");
  info.parameters = read_parameters(keys, type);
  const auto data = read_curves(keys, type);
  keys.refuse_others(kOwner);
  const auto maps =
      data ? made_of(Maps::make(*data), keys.where(), keys.diagnostics()) : std::nullopt;
  if (keys.diagnostics().errors() > before) return nullptr;
  return by_pedal ? make_block_kind<PedalBrakes>(info, *maps)
                  : make_block_kind<PressureBrakes>(info, *maps);
}

}  // namespace
}  // namespace chicane::brakes

namespace chicane {

decltype(PartRegistry::brakes) built_in_brakes() {
  using namespace brakes;
  KeyTable common{"brakes",
                  "",
                  {{"type", Form::choice, "", true, "what their torques follow"},
                   {"friction", Form::section, "brake-friction", false, "between pads and discs"}},
                  "Brakes of all wheels."};
  const std::vector<Key> others = rows_of(kOtherFields);
  decltype(PartRegistry::brakes) types(std::string(kOwner), common,
                                       {friction_table("brake-friction", kPads)});
  const std::vector<Key> curves = joined(
      joined({{"torque_front", Form::curve, "Pa -> N m", true, "of a front brake over pressure"},
              {"torque_rear", Form::curve, "Pa -> N m", true, "of a rear brake over pressure"}},
             rows_of(kGainFields)),
      others);
  const std::vector<Key> pedal{
      {"pressure", Form::curve, "- -> Pa", true, "of the front line over the pedal"},
      {"proportioning", Form::curve, "Pa -> Pa", false,
       "pressure of the rear over that of the front line; default the same"}};
  const auto reader = [](Type type) {
    return [type](Keys& keys) { return read_brakes(keys, type); };
  };
  types
      .add({"simple", "torques proportional to the pedal", joined(rows_of(kTorqueFields), others)},
           reader(kSimple))
      .add({"pedal", "pressures over the pedal, torques over the pressures", joined(curves, pedal)},
           reader(kByPedal))
      .add({"pressure",
            "torques over pressures, which are inputs of the model",
            curves,
            {},
            {{"brake_pressure_front", "0 Pa", "of the front line"},
             {"brake_pressure_rear", "0 Pa", "of the rear line"}}},
           reader(kByPressure))
      .add({"by-axle", "torques proportional to the pedal, axle by axle", axle_brakes_rows(),
            axle_brakes_tables()},
           read_axle_brakes);
  return types;
}

BlockKindPtr brakes_part(Keys& keys) { return part_registry().brakes.read(keys); }

}  // namespace chicane
