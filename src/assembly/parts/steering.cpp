// SPDX-License-Identifier: Apache-2.0
#include "vehicle/steering/steering.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "assembly/parts/data_block.hpp"
#include "assembly/parts/parts.hpp"
#include "assembly/parts/reading.hpp"
#include "assembly/parts/registry.hpp"
#include "language/sections/map.hpp"

namespace chicane::steering {
namespace {

using namespace dimensions;
using Bound = Field::Bound;

constexpr std::string_view kOwner = "a steering";
constexpr Dimension kPerLength = kNone / kLength;

// --- a rack that is moved ---------------------------------------------------------------------

struct Moved {
  Maps maps;                    // for the assist alone
  std::optional<Table1D> rack;  // over the steering wheel, where the ratio is not constant
  bool assisted;                // there is an input `speed`, the last one
};

enum MovedTask { kMotion, kFeeling };

// The last two parameters of a rack that is moved: it goes so far, and beyond it pushes back.
template <class T>
struct Stops {
  explicit Stops(const BlockView<T>& at)
      : travel(at.p[at.p.size() - 2]), stiffness(at.p[at.p.size() - 1]) {}
  // Force on the hand that wants it farther.
  [[nodiscard]] T push(const T& command) const {
    return stiffness * deadband(command, -travel, travel);
  }

  const T &travel, &stiffness;
};

// The steering wheel sets where the rack is to be. The motion follows a command within the stops
// without overshoot, and so stays within them.
template <class T>
class AngleRack final : public DataBlock<T, Moved> {
 public:
  using DataBlock<T, Moved>::DataBlock;

  void run(int task, const BlockView<T>& at) const noexcept override {
    const auto& [maps, curve, assisted] = this->data();
    const T &frequency = at.p[0], &angle = at.u(0);
    const T command = curve ? (*curve)(angle) : T(angle / at.p[1]);
    const Stops<T> stops(at);
    if (task == kMotion) {
      const T within = sat(command, -stops.travel, stops.travel);
      at.y[0] = following(frequency, within, at.x[0], at.x[1]);
      at.dx[0] = at.x[1];
      at.dx[1] = at.y[0];
      return;
    }
    // virtual work: the load at the steering wheel is the force by the rack's way per angle
    const T per_angle = curve ? T(curve->lookup(value_of(angle)).slope) : T(1.0 / at.p[1]);
    const T load = (stops.push(command) - at.u(1)) * per_angle;
    at.y[1] = torque_of_load(maps, load, assisted ? at.u(2) : T(0.0));
  }
};

// Somebody else says where the rack is; at its stops it stands.
template <class T>
class SignalRack final : public DataBlock<T, Moved> {
 public:
  using DataBlock<T, Moved>::DataBlock;

  void run(int task, const BlockView<T>& at) const noexcept override {
    const Stops<T> stops(at);
    if (task == kMotion) {
      at.y[0] = sat(at.u(0), -stops.travel, stops.travel);
      at.y[1] = select(abs(at.u(0)) > stops.travel, T(0.0), at.u(1));
      at.y[2] = T(0.0);
      return;
    }
    const T load = (stops.push(at.u(0)) - at.u(2)) / at.p[0];
    at.y[3] = torque_of_load(this->data().maps, load, this->data().assisted ? at.u(3) : T(0.0));
  }
};

// --- no rack ----------------------------------------------------------------------------------

// The steering wheel sets the mean angle of the wheels, which follows it as a rack does; left and
// right differ by the geometry of Ackermann.
template <class T>
class KingpinBlock final : public Block<T> {
 public:
  void run(int /*task*/, const BlockView<T>& at) const noexcept override {
    const T &frequency = at.p[0], &ratio = at.p[1], &ackermann = at.p[2], &most = at.p[3];
    const T command = sat(T(at.u(0) / ratio), -most, most);
    const T acceleration = following(frequency, command, at.x[0], at.x[1]);
    at.dx[0] = at.x[1];
    at.dx[1] = acceleration;
    const Turning<T> mean{at.x[0], at.x[1], acceleration};
    const Turning<T> left = turned(mean, ackermann), right = turned(mean, T(-ackermann));
    to_values(left, at.y);
    to_values(right, at.y, 3);
  }
};

enum Input { kCommand, kRack, kRackRate, kCarSpeed, kInputs };

template <class T, bool by_torque>
class FreeRack : public DataBlock<T, Maps> {
 public:
  using DataBlock<T, Maps>::DataBlock;

  void run(int /*task*/, const BlockView<T>& at) const noexcept override {
    constexpr std::size_t n = sizeof(Params<T>) / sizeof(T);
    const Maps& maps = this->data();
    const auto p = from_values<Params<T>>(at.p.first(n));
    const Column<T> wheel{at.x[0], at.x[1]};
    const Rack<T> rack{at.u(kRack), at.u(kRackRate)};
    const T T_bar = bar_torque(maps, p, wheel, rack);
    const T felt = hand_torque(p, T_bar, wheel.omega);
    at.dx[0] = wheel.omega;
    if constexpr (by_torque)
      at.dx[1] = column_acceleration(p, at.u(kCommand), T_bar, wheel.omega);
    else
      at.dx[1] = following(at.p[n], at.u(kCommand), wheel.theta, wheel.omega);
    at.dx[2] = bristle::rate(p.friction, at.x[2], rack.v);
    at.y[0] = rack_force(maps, p, rack, at.x[2], T_bar, at.u(kCarSpeed));
    at.y[1] = by_torque ? felt : T(felt + p.J * at.dx[1]);
    at.y[2] = wheel.theta;
  }
};

template <class T>
using AngleColumn = FreeRack<T, false>;
template <class T>
using TorqueColumn = FreeRack<T, true>;

// --- file -------------------------------------------------------------------------------------

// Rows of the tables stand in the order in which the blocks read their parameters. The motion must
// be slow against the steps of a run, fast against the driver: 30 Hz lags by 11 ms.
constexpr Field kFrequency{"frequency", "Hz", "frequency with which the motion follows its command",
                           Bound::positive, 30.0};
constexpr Field kRatio{"ratio", "rad/m", "steering-wheel angle over rack displacement",
                       Bound::positive};
constexpr Field kTravel{"travel", "m", "displacement of the rack at which the stops begin",
                        Bound::positive};
constexpr Field kUsualTravel{kTravel.key, kTravel.unit, kTravel.description, kTravel.bound, 0.1};
constexpr Field kStopStiffness{"stop_stiffness", "N/m", "stiffness of the stops",
                               Bound::not_negative, 1e6};
constexpr std::array kColumnFields{
    Field{"wheel_inertia", "kg m^2", "inertia of steering wheel and column", Bound::positive, 0.04},
    Field{"wheel_damping", "N m s/rad", "damping of the column", Bound::not_negative, 0.1},
    Field{"bar_stiffness", "N m/rad", "stiffness of the torsion bar", Bound::positive, 120.0},
    Field{"bar_damping", "N m s/rad", "damping of the torsion bar", Bound::not_negative, 0.4},
    Field{"rack_damping", "N s/m", "damping of the rack", Bound::not_negative, 3000.0},
    Field{"rack_friction", "N", "dry friction of the rack", Bound::not_negative, 0.0},
    kTravel,
    kStopStiffness};
constexpr Field kRackMass{"rack_mass", "kg", "mass that pinion and motor add to the rack",
                          Bound::not_negative, 0.0};
constexpr FrictionDefaults kRackFriction{"m", 1e-4, 0.8, 0.002, 0.002};

std::optional<AssistData> read_assist(Keys& keys) {
  if (keys.find("assist") == nullptr) return AssistData{{0.0}, {0.0}, {0.0}};
  const auto map = read_map(keys, "assist", {kTorque, kSpeed, kTorque}, kOwner);
  if (!map) return std::nullopt;
  return AssistData{map->x, map->y, map->z};
}

std::optional<Maps> read_maps(Keys& keys, const std::optional<CurveData>& ratio) {
  const auto assist = read_assist(keys);
  if (!ratio || !assist) return std::nullopt;
  return made_of(Maps::make(*ratio, *assist), keys.where(), keys.diagnostics());
}

constexpr bool kRequired = true;
const CurveData kNoRatio{{0.0}, {1.0}};

// The rack over the steering wheel, if the file has it in place of a ratio.
std::optional<Table1D> read_rack_curve(Keys& keys) {
  const auto curve = read_curve(keys, "rack", kNone, kLength, kOwner, !kRequired);
  if (!curve) return std::nullopt;
  const auto& y = curve->y;
  if (std::adjacent_find(y.begin(), y.end(), std::greater_equal<>()) != y.end() || y.size() < 2) {
    keys.diagnostics().error(keys.find("rack")->text.where,
                             "'rack' must rise with the angle of the steering wheel");
    return std::nullopt;
  }
  return made_of(make_curve("rack", *curve, Interpolation::linear, Extrapolation::linear),
                 keys.where(), keys.diagnostics());
}

// What both racks that are moved have: the force on them, felt at the steering wheel.
void add_feeling(BlockInfo& info, bool assisted) {
  const int force = static_cast<int>(info.inputs.size());
  info.inputs.push_back({"rack_force", "N", "force of the tie rods on the rack, to the left"});
  if (assisted) info.inputs.push_back({"speed", "m/s", "speed of the car"});
  info.outputs.push_back({"hand_torque", "N m", "torque of the driver that carries it"});
  info.tasks.push_back({.name = "feeling",
                        .reads = ports(force, assisted ? 2 : 1),
                        .writes = {static_cast<int>(info.outputs.size()) - 1}});
}

SteeringPart rack_part(Keys& keys) {
  const int before = keys.diagnostics().errors();
  BlockInfo info;
  info.description = "a rack that follows the steering wheel";
  const auto curve = read_rack_curve(keys);
  std::vector<Field> fields{kFrequency};
  if (keys.find("rack") == nullptr) fields.push_back(kRatio);
  fields.insert(fields.end(), {kUsualTravel, kStopStiffness});
  info.parameters = read_fields(keys, fields, kOwner);
  const bool assisted = keys.find("assist") != nullptr;
  const auto maps = read_maps(keys, kNoRatio);
  keys.refuse_others("a steering of type rack");
  if (keys.diagnostics().errors() > before) return {};

  info.states = {{"rack", "m", 0, "displacement of the rack, to the left"},
                 {"rack_rate", "m/s", 0, "speed of the rack"}};
  info.inputs = {{"angle", "rad", "angle of the steering wheel, to the left"}};
  info.outputs = {{"rack_acceleration", "m/s^2", "acceleration of the rack"}};
  info.tasks = {{.name = "motion", .reads = {0}, .writes = {0}, .rates = true}};
  add_feeling(info, assisted);
  info.tasks[kFeeling].reads.push_back(0);
  return {.kind = make_block_kind<AngleRack>(info, Moved{*maps, curve, assisted})};
}

SteeringPart signal_part(Keys& keys) {
  const int before = keys.diagnostics().errors();
  BlockInfo info;
  info.description = "a rack whose motion is given";
  info.parameters = read_fields(keys, std::array{kRatio, kUsualTravel, kStopStiffness}, kOwner);
  const bool assisted = keys.find("assist") != nullptr;
  const auto maps = read_maps(keys, kNoRatio);
  keys.refuse_others("a steering of type rack-signal");
  if (keys.diagnostics().errors() > before) return {};

  info.inputs = {{"rack_command", "m", "displacement of the rack, to the left"},
                 {"rack_command_rate", "m/s", "speed of the rack"}};
  info.outputs = {{"rack", "m", "displacement of the rack, to the left"},
                  {"rack_rate", "m/s", "speed of the rack"},
                  {"rack_acceleration", "m/s^2", "0: nobody knows it"}};
  info.tasks = {{.name = "motion", .reads = {0, 1}, .writes = {0, 1, 2}}};
  add_feeling(info, assisted);
  info.tasks[kFeeling].reads.push_back(0);
  return {.kind = make_block_kind<SignalRack>(info, Moved{*maps, std::nullopt, assisted})};
}

constexpr std::array kKingpinFields{
    kFrequency,
    Field{"ratio", "-", "steering-wheel angle over mean angle of the wheels", Bound::positive},
    Field{"ackermann", "-",
          "distance of the kingpins over twice the wheel base: wheels on one circle; 0: parallel",
          Bound::share, 0.0},
    Field{"angle_max", "rad", "largest mean angle of the wheels", Bound::positive, 0.7}};

SteeringPart kingpins_part(Keys& keys) {
  const int before = keys.diagnostics().errors();
  BlockInfo info;
  info.description = "kingpins that follow the steering wheel";
  info.parameters = read_fields(keys, kKingpinFields, kOwner);
  keys.refuse_others("a steering of type kingpins");
  if (keys.diagnostics().errors() > before) return {};
  info.states = {{"wheel_angle", "rad", 0, "mean angle of the wheels, to the left"},
                 {"wheel_angle_rate", "rad/s", 0, "its rate"}};
  info.inputs = {{"angle", "rad", "angle of the steering wheel, to the left"}};
  for (const std::string side : {"left", "right"}) {
    info.outputs.push_back({side, "rad", "angle of the " + side + " kingpin, to the left"});
    info.outputs.push_back({side + "_rate", "rad/s", "its rate", true});
    info.outputs.push_back({side + "_acceleration", "rad/s^2", "its acceleration", true});
  }
  info.tasks = {{.name = "motion", .reads = {0}, .writes = ports(0, 6), .rates = true}};
  return {.kind = make_block_kind<KingpinBlock>(info)};
}

SteeringPart power_assist_part(Keys& keys) {
  const int before = keys.diagnostics().errors();
  const auto by = read_word(keys, "by", {"angle", "torque"}, kOwner, !kRequired);
  const bool by_torque = by == 1U;
  BlockInfo info;
  info.description = "steering wheel, torsion bar and power assist on a rack that moves by itself";
  info.parameters = read_fields(keys, kColumnFields, kOwner);
  read_friction(keys, "", kRackFriction, info.parameters);
  if (!by_torque) info.parameters.push_back(read_fields(keys, std::array{kFrequency}, kOwner)[0]);
  const auto mass = read_fields(keys, std::array{kRackMass}, kOwner);
  const auto maps =
      read_maps(keys, read_number_or_curve(keys, "ratio", kLength, kPerLength, kOwner, kRequired));
  keys.refuse_others("a steering of type power-assist");
  if (keys.diagnostics().errors() > before) return {};

  info.states = {{"theta", "rad", 0, "angle of the steering wheel"},
                 {"omega", "rad/s", 0, "speed of the steering wheel"},
                 {"zeta", "-", 0, "bend of the rack's friction"}};
  info.inputs = {by_torque ? PortInfo{"torque", "N m", "torque of the driver, to the left"}
                           : PortInfo{"angle", "rad", "angle at which the driver wants the wheel"},
                 {"rack", "m", "displacement of the rack, to the left"},
                 {"rack_rate", "m/s", "speed of the rack"},
                 {"speed", "m/s", "speed of the car"}};
  info.outputs = {{"rack_force", "N", "force on the rack, to the left"},
                  {"hand_torque", "N m", "torque that the driver feels"},
                  {"wheel_angle", "rad", "angle of the steering wheel"}};
  info.tasks = {
      {.name = "column", .reads = ports(0, kInputs), .writes = ports(0, 3), .rates = true}};
  return {.kind = by_torque ? make_block_kind<TorqueColumn>(info, *maps)
                            : make_block_kind<AngleColumn>(info, *maps),
          .driven = false,
          .by_torque = by_torque,
          .rack_mass = mass[0].value};
}

std::vector<KeyTable> rack_tables() {
  const KeyTable rack{
      "rack",
      "",
      {{"mass", Form::quantity, "kg", true, "its mass"},
       {"com", Form::vector, "m", true, "its centre of mass"},
       {"inertia", Form::section, "body-inertia", false, "about the centre of mass; default none"},
       {"reference", Form::vector, "m", false, "origin of its frame; default the centre of mass"},
       {"at", Form::vector, "m", false, "where it slides"},
       {"axis", Form::vector, "-", false, "along which it slides; default [0, 1, 0]"},
       {"pitman", Form::section, "pitman", false, "the arm on whose arc it goes"}},
      "The rack of a steering."};
  const KeyTable pitman{
      "pitman",
      "",
      {{"pivot", Form::vector, "m", true, "where the arm turns on the chassis"},
       {"mass", Form::quantity, "kg", true, "its mass"},
       {"com", Form::vector, "m", true, "its centre of mass"},
       {"inertia", Form::section, "body-inertia", false, "about the centre of mass; default none"},
       {"reference", Form::vector, "m", false, "origin of its frame; default the centre of mass"}},
      "A pitman arm, whose idler is as long."};
  return {rack, pitman};
}

}  // namespace
}  // namespace chicane::steering

namespace chicane {

decltype(PartRegistry::steering) built_in_steering() {
  using namespace steering;
  decltype(PartRegistry::steering) types(
      std::string(kOwner),
      {"steering",
       "",
       {{"type", Form::choice, "", true,
         "rack: follows the steering wheel; rack-signal: an input of the model; power-assist: "
         "moves by itself; kingpins: there is no rack"}},
       "From the steering wheel to the rack, or to the kingpins."},
      rack_tables());
  const std::vector<Key> rack{
      {"body", Form::section, "rack", true, "the rack"},
      {"assist", Form::map, "N m, m/s -> N m", false, "torque over that of the driver and speed"}};
  const std::vector<Key> moved =
      joined(rack, rows_of(std::array{kRatio, kUsualTravel, kStopStiffness}));
  const Key curve{"rack", Form::curve, "rad -> m", false,
                  "instead of a ratio: its displacement over the angle of the steering wheel"};
  const std::vector<Key> by{
      {"by", Form::choice, "angle|torque", false, "what the driver gives; default angle"},
      {"ratio", Form::signal, "m -> rad/m", true,
       "steering-wheel angle over rack displacement, or a curve over the displacement"},
      {"friction", Form::section, "rack-friction", false, "of the rack"}};
  types
      .add({"rack", "a rack that follows the steering wheel",
            joined(joined({curve}, rows_of(std::array{kFrequency})), moved)},
           rack_part)
      .add({"rack-signal",
            "a rack whose motion is an input of the model",
            moved,
            {},
            {{"rack_command", "0 m", "displacement of the rack"},
             {"rack_command_rate", "0 m/s", "speed of the rack"}}},
           signal_part)
      .add({"power-assist",
            "steering wheel, torsion bar and assist on a rack that moves by itself",
            joined(joined(joined(rack, by), rows_of(std::array{kFrequency}, "by=angle")),
                   joined(rows_of(kColumnFields), rows_of(std::array{kRackMass}))),
            {friction_table("rack-friction", kRackFriction)},
            {{"steering_torque", "0 N m", "of the driver, to the left", "by", "torque"}}},
           power_assist_part)
      .add({"kingpins", "kingpins without rods, which follow the steering wheel",
            rows_of(kKingpinFields)},
           kingpins_part);
  return types;
}

SteeringPart steering_part(Keys& keys) { return part_registry().steering.read(keys); }

}  // namespace chicane
