// SPDX-License-Identifier: Apache-2.0
#include "assembly/parts/electric.hpp"

#include <array>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "assembly/parts/data_block.hpp"
#include "assembly/parts/layout.hpp"
#include "assembly/parts/reading.hpp"
#include "language/sections/map.hpp"
#include "vehicle/powertrain/electric.hpp"

namespace chicane::electric {
namespace {

using namespace dimensions;
using Bound = Field::Bound;

constexpr Dimension kResistance = kVoltage / kCurrent;
constexpr std::string_view kElectricOwner = "a powertrain of type electric";

// Rows of these tables stand in the order of the members of Params.
constexpr std::array kBatteryFields{
    Field{"capacity", "A s", "charge that it holds", Bound::positive},
    Field{"empty", "-", "charge at which it gives nothing any more", Bound::share, 0.05},
    Field{"full", "-", "charge at which it takes nothing any more", Bound::share, 0.98},
    Field{"band", "-", "charge over which that comes in", Bound::positive, 0.02},
    Field{"discharge_power", "W", "greatest power that it gives", Bound::positive},
    Field{"charge_power", "W", "greatest power that it takes", Bound::not_negative}};
constexpr Field kNominalVoltage{"nominal_voltage", "V", "voltage that the motors' curves are for",
                                Bound::positive};
constexpr Field kAuxiliary{"auxiliary", "W", "power that is always taken", Bound::not_negative,
                           0.0};
constexpr Field kCharge{"charge", "-", "at the start", Bound::share, 0.8};
constexpr std::array kRegenerationFields{
    Field{"coast", "-", "share of the motors' torque without accelerator", Bound::share, 0.0},
    Field{"blend", "-", "share of the brake pedal that the motors may take", Bound::share, 0.0},
    Field{"brake_torque", "N m", "torque of all brakes together at full pedal", Bound::not_negative,
          0.0},
    Field{"fade", "rad/s", "speed of the wheels below which it fades out", Bound::positive, 5.0}};
constexpr std::array kDriveFields{
    Field{"ratio", "-", "motor over wheel speed", Bound::positive},
    Field{"gear_efficiency", "-", "efficiency of the reduction", Bound::share, 1.0},
    Field{"loss_power", "W", "power at which half of its loss is reached", Bound::positive, 200.0},
    Field{"time", "s", "time in which the torque follows", Bound::positive, 0.02}};
constexpr Field kMotorInertia{"inertia", "kg m^2", "inertia of each motor", Bound::not_negative,
                              0.0};

enum ElectricInput {
  kAcceleratorIn,
  kBrakeIn,
  kGearIn,
  kSpeedsIn,
  kElectricInputs = kSpeedsIn + 4
};

template <class T>
class ElectricBlock final : public DataBlock<T, Maps> {
 public:
  using DataBlock<T, Maps>::DataBlock;

  void run(int /*task*/, const BlockView<T>& at) const noexcept override {
    const Maps& maps = this->data();
    const auto p = from_values<Params<T>>(at.p);
    State<T> x{at.x[0]};
    for (std::size_t k = 0; k < maps.places.size(); ++k) x.torque[k] = at.x[k + 1];
    const In<T> in{
        at.u(kAcceleratorIn),
        at.u(kBrakeIn),
        at.u(kGearIn),
        {at.u(kSpeedsIn), at.u(kSpeedsIn + 1), at.u(kSpeedsIn + 2), at.u(kSpeedsIn + 3)}};
    const auto [rates, out] = evaluate(maps, p, x, in);
    at.dx[0] = rates.charge;
    for (std::size_t k = 0; k < maps.places.size(); ++k) at.dx[k + 1] = rates.torque[k];
    to_values(out, at.y);
  }
};

void describe(BlockInfo& info, const Maps& maps, double charge,
              std::span<const std::string> wheels) {
  info.description = "battery, motors and reductions";
  info.states = {{"charge", "-", charge, "of the battery, 0 to 1"}};
  for (const Place& place : maps.places) {
    const std::string of =
        place.wheels == 1 ? wheels[place.wheel] : std::string(place.wheel == 0 ? "front" : "rear");
    info.states.push_back({"motor_" + of, "N m", 0, "torque of the motor, before the limits"});
  }
  info.inputs = {{"accelerator", "-", "pedal, 0 to 1"},
                 {"brake", "-", "pedal, 0 to 1"},
                 {"gear", "-", "-1 back, 0 none, 1 and up forward"}};
  for (const PortInfo& p : wheel_ports("speed", "rad/s", "speed of a wheel", wheels))
    info.inputs.push_back(p);
  info.outputs = wheel_ports("torque", "N m", "torque on a wheel", wheels);
  const std::vector<PortInfo> more{{"blended", "-", "of the brake pedal: what the motors do"},
                                   {"voltage", "V", "at the terminals"},
                                   {"current", "A", "out of the battery"},
                                   {"power", "W", "at the terminals, out of the battery"},
                                   {"chemical_power", "W", "of the open-circuit voltage", true},
                                   {"battery_loss", "W", "in the resistance", true},
                                   {"motor_loss", "W", "in the motors", true},
                                   {"gear_loss", "W", "in the reductions", true},
                                   {"auxiliary_power", "W", "of what is always on", true},
                                   {"motor_power", "W", "mechanical power of the motors"},
                                   {"empty", "-", "1: the battery gives nothing any more", true},
                                   {"full", "-", "1: the battery takes nothing any more", true}};
  info.outputs.insert(info.outputs.end(), more.begin(), more.end());
  info.tasks = {{.name = "torques",
                 .reads = ports(0, kElectricInputs),
                 .writes = ports(0, static_cast<int>(info.outputs.size())),
                 .rates = true}};
}

class ElectricReader {
 public:
  explicit ElectricReader(Keys& keys) : keys_(keys), diag_(keys.diagnostics()) {}

  PowertrainPart run() {
    const int before = diag_.errors();
    const auto wheels = read_driven(keys_);
    const auto battery = read_battery();
    Section regeneration(keys_, "regeneration", "regeneration", "regeneration.");
    const std::size_t first = parameters_.size();
    regeneration.read(kRegenerationFields, parameters_);
    regeneration.refuse_others();
    if (parameters_[first + 1].value > 0.0 && parameters_[first + 2].value == 0.0)
      diag_.error(
          regeneration.keys().where(),
          "'blend' needs 'brake_torque', that of all brakes together at full pedal, to know "
          "what the pedal asks for");
    read_axle("front", 0);
    read_axle("rear", 2);
    if (places_.empty())
      diag_.error(keys_.where(), "{} needs a motor: 'front' or 'rear', or both", kElectricOwner);
    keys_.refuse_others(kElectricOwner);
    if (diag_.errors() > before) return {};
    BlockInfo info;
    const Maps maps{*battery, motors_, places_};
    describe(info, maps, charge_, wheels);
    info.parameters = parameters_;
    return {.kind = make_block_kind<ElectricBlock>(info, maps),
            .inertia = {inertia_[0], inertia_[1], inertia_[2], inertia_[3]},
            .wheels = wheels,
            .gears = 1};
  }

 private:
  std::optional<BatteryMap> read_battery() {
    keys_.require("battery", kElectricOwner);
    Section battery(keys_, "battery", "a battery", "battery.");
    Keys& keys = battery.keys();
    const std::size_t first = parameters_.size();
    battery.read(kBatteryFields, parameters_);
    const auto voltage = read_curve(keys, "voltage", kNone, kVoltage, battery.owner());
    const auto resistance =
        read_number_or_curve(keys, "resistance", kNone, kResistance, battery.owner());
    Field nominal = kNominalVoltage;
    if (voltage && !voltage->y.empty()) nominal.otherwise = voltage->y.back();
    battery.read(std::array{nominal, kAuxiliary}, parameters_);
    charge_ = read_fields(keys, std::array{kCharge}, battery.owner())[0].value;
    battery.refuse_others();
    const auto value = [&](std::size_t k) { return parameters_[first + k].value; };
    if (!(value(1) < value(2)))
      diag_.error(keys.where(), "'empty' of a battery must be below its 'full'");
    else if (charge_ < value(1) || charge_ > value(2))
      diag_.error(keys.where(), "'charge' of a battery starts between 'empty' and 'full'");
    if (!voltage || !resistance) return std::nullopt;
    return made_of(BatteryMap::make({*voltage, *resistance}), keys.where(), diag_);
  }

  void read_axle(const std::string& name, std::size_t wheel) {
    Section axle(keys_, name, "a motor", name + ".");
    auto fields = kDriveFields;
    if (!axle.given()) fields[0].otherwise = 1.0;
    axle.read(fields, parameters_);
    if (!axle.given()) return;
    Keys& keys = axle.keys();
    const double ratio = parameters_[parameters_.size() - fields.size()].value;
    const double J = read_fields(keys, std::array{kMotorInertia}, axle.owner())[0].value;
    const DataSpec* flag = keys.find("in_wheel");
    const bool in_wheel = flag != nullptr && flag->text.text == "true";
    if (flag != nullptr && !in_wheel && flag->text.text != "false")
      diag_.error(flag->text.where, "'in_wheel' is true or false, not '{}'", flag->text.text);
    const auto torque = read_curve(keys, "torque", kRate, kTorque, axle.owner());
    const auto efficiency = read_map(keys, "efficiency", {kRate, kTorque, kNone}, axle.owner());
    axle.refuse_others();
    if (!torque || !efficiency) return;
    auto motor = made_of(MotorMap::make({*torque, efficiency->x, efficiency->y, efficiency->z}),
                         keys.where(), diag_);
    if (!motor) return;
    motors_.push_back(std::move(*motor));
    const std::size_t index = motors_.size() - 1;
    if (in_wheel)
      for (const std::size_t w : {wheel, wheel + 1}) places_.push_back({index, w, 1});
    else
      places_.push_back({index, wheel, 2});
    for (const std::size_t w : {wheel, wheel + 1})
      inertia_[w] = ratio * ratio * J * (in_wheel ? 1.0 : 0.5);
  }

  Keys& keys_;
  Diagnostics& diag_;
  std::vector<NativeParameter> parameters_;
  std::vector<MotorMap> motors_;
  std::vector<Place> places_;
  std::array<double, 4> inertia_{};
  double charge_ = 0.0;
};

}  // namespace
}  // namespace chicane::electric

namespace chicane {

PowertrainPart read_electric(Keys& keys) { return electric::ElectricReader(keys).run(); }

std::vector<Key> electric_rows() {
  return {{"battery", Form::section, "battery", true, "the battery"},
          {"regeneration", Form::section, "regeneration", false, "default none"},
          {"front", Form::section, "motor", false, "motor of the front axle, or of its wheels"},
          {"rear", Form::section, "motor", false, "motor of the rear axle, or of its wheels"}};
}

std::vector<KeyTable> electric_tables() {
  using namespace electric;
  KeyTable battery{"battery",
                   "",
                   {{"voltage", Form::curve, "- -> V", true, "open-circuit voltage over charge"},
                    {"resistance", Form::signal, "- -> V/A", true, "a number, or over charge"},
                    {kNominalVoltage.key, Form::quantity, kNominalVoltage.unit, false,
                     "voltage that the motors' curves are for; default the last of 'voltage'"}},
                   "A battery."};
  add_rows(battery, kBatteryFields);
  add_rows(battery, std::array{kAuxiliary, kCharge});
  KeyTable regeneration{"regeneration", "", {}, "Braking with the motors."};
  add_rows(regeneration, kRegenerationFields);
  KeyTable motor{"motor",
                 "",
                 {{"torque", Form::curve, "rad/s -> N m", true,
                   "greatest torque over speed, at the nominal voltage"},
                  {"efficiency", Form::map, "rad/s, N m -> -", true,
                   "over speed and torque, driving and regenerating"},
                  {"in_wheel", Form::flag, "", false, "one motor in each wheel of the axle"}},
                 "An electric motor with its reduction."};
  add_rows(motor, kDriveFields);
  add_rows(motor, std::array{kMotorInertia});
  return {battery, regeneration, motor};
}

}  // namespace chicane
