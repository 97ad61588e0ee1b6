// SPDX-License-Identifier: Apache-2.0

// Brakes axle by axle: of a vehicle with any number of axles.

#include "assembly/parts/axle_brakes.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "assembly/parts/data_block.hpp"
#include "assembly/parts/layout.hpp"
#include "assembly/parts/reading.hpp"
#include "vehicle/brakes/brakes.hpp"

namespace chicane {
namespace {

using Bound = Field::Bound;

constexpr std::string_view kAxleOwner = "the brakes of an axle";
// Rows stand in the order of the members of brakes::AxleParams, before the friction.
constexpr std::array kAxleFields{
    Field{"torque", "N m", "torque of each of its brakes at full pedal", Bound::not_negative, 0.0},
    Field{"time", "s", "time in which its pressure follows the pedal", Bound::positive, 0.05},
    Field{"hand", "N m", "torque of each of its brakes by the hand brake", Bound::not_negative,
          0.0}};
constexpr FrictionDefaults kAxlePads{"rad", 0.01, 0.8, 0.005, 0.002};

// States: the pressure of each axle over that of the full pedal, then the bend of each wheel.
// Inputs: pedal, hand, speed of each wheel. Parameters: those of each axle, then the friction.
template <class T>
class AxleBrakes final : public Block<T> {
 public:
  void run(int /*task*/, const BlockView<T>& at) const noexcept override {
    constexpr std::size_t kOfAnAxle = kAxleFields.size();
    const std::size_t axles = at.x.size() / 3;
    const auto friction = from_values<bristle::Params<T>>(at.p.subspan(axles * kOfAnAxle));
    const T pedal = sat(at.u(0), 0.0, 1.0), hand = sat(at.u(1), 0.0, 1.0);
    for (std::size_t i = 0; i < axles; ++i) {
      const auto p = from_values<brakes::AxleParams<T>>(at.p.subspan(i * kOfAnAxle, kOfAnAxle));
      const T F = brakes::capacity(p, at.x[i], hand);
      at.dx[i] = (pedal - at.x[i]) / p.t_line;
      for (const std::size_t w : {2 * i, 2 * i + 1}) {
        const T &zeta = at.x[axles + w], &omega = at.u(2 + static_cast<int>(w));
        at.dx[axles + w] = bristle::rate(friction, zeta, omega);
        at.y[w] = -F * bristle::force(friction, zeta, omega);
        at.y[2 * axles + w] = F;
      }
    }
  }
};

BlockInfo described(const std::vector<AxleLayout>& axles) {
  BlockInfo info;
  info.description = "brakes axle by axle";
  const std::vector<std::string> wheels = wheels_of(axles);
  for (const AxleLayout& a : axles)
    info.states.push_back(
        {"line_" + a.name, "-", 0, "pressure of the axle over that of the pedal"});
  for (const std::string& w : wheels)
    info.states.push_back({"zeta_" + w, "-", 0, "bend between pad and disc, " + w});
  info.inputs = {{"pedal", "-", "0 to 1"}, {"hand", "-", "hand brake, 0 to 1"}};
  for (const PortInfo& p : wheel_ports("speed", "rad/s", "speed of a wheel", wheels))
    info.inputs.push_back(p);
  info.outputs = wheel_ports("torque", "N m", "torque on a wheel", wheels);
  for (PortInfo& p : wheel_ports("capacity", "N m", "torque that a brake can hold", wheels)) {
    p.on_request = true;
    info.outputs.push_back(std::move(p));
  }
  info.tasks = {{.name = "torques",
                 .reads = ports(0, static_cast<int>(info.inputs.size())),
                 .writes = ports(0, static_cast<int>(info.outputs.size())),
                 .rates = true}};
  return info;
}

}  // namespace

std::vector<Key> axle_brakes_rows() {
  return {{"axles", Form::entries, "axle-brakes", true,
           "by the name of the axle; one that is not named has no brakes"}};
}

std::vector<KeyTable> axle_brakes_tables() {
  KeyTable table{"axle-brakes", "", {}, "Brakes of one axle."};
  add_rows(table, kAxleFields);
  return {table};
}

BlockKindPtr read_axle_brakes(Keys& keys) {
  const int before = keys.diagnostics().errors();
  const auto known = axles_of(keys.numbers().spec());
  const DataSpec* given = keys.require("axles", "brakes of type by-axle");
  std::vector<AxleLayout> axles;
  std::vector<NativeParameter> parameters;
  std::vector<std::string_view> names;
  for (const AxleLayout& a : known) names.push_back(a.name);
  for (const AxleLayout& a : known) {
    const DataSpec* data = given == nullptr ? nullptr : given->find(a.name);
    if (data == nullptr) continue;
    Keys own(*data, keys.numbers(), keys.diagnostics());
    const auto read = read_fields(own, kAxleFields, kAxleOwner, a.name + ".");
    own.refuse_others(kAxleOwner);
    parameters.insert(parameters.end(), read.begin(), read.end());
    axles.push_back(a);
  }
  if (given != nullptr)
    for (const auto& [name, data] : given->entries)
      if (std::find(names.begin(), names.end(), name) == names.end())
        keys.diagnostics().error(data.text.where, "the vehicle has no axle '{}'{}; it has {}", name,
                                 did_you_mean(name, names), fmt::join(names, ", "));
  if (given != nullptr && axles.empty())
    keys.diagnostics().error(given->text.where, "no axle has brakes here: name one of {}",
                             fmt::join(names, ", "));
  read_friction(keys, "", kAxlePads, parameters);
  keys.refuse_others("brakes of type by-axle");
  if (keys.diagnostics().errors() > before) return nullptr;
  BlockInfo info = described(axles);
  info.parameters = std::move(parameters);
  return make_block_kind<AxleBrakes>(info);
}

}  // namespace chicane
