// SPDX-License-Identifier: Apache-2.0
#include "vehicle/powertrain/powertrain.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "assembly/parts/electric.hpp"
#include "assembly/parts/layout.hpp"
#include "assembly/parts/parts.hpp"
#include "assembly/parts/powertrain_block.hpp"
#include "assembly/parts/reading.hpp"
#include "assembly/parts/registry.hpp"
#include "language/sections/map.hpp"
#include "vehicle/driver/shifting.hpp"
#include "vehicle/driver/speed_control.hpp"

namespace chicane::powertrain {
namespace {

using namespace dimensions;
using Bound = Field::Bound;

// --- what a file leaves open ------------------------------------------------------------------

constexpr double kLongAgo = -1e9;  // [s] when a shift began that is over

// [rad/s] where the engine gives its largest power.
double strongest_speed(const EngineMap& map, double idle) {
  constexpr int kPoints = 400;
  const double top = std::clamp(map.top(), idle, 10.0 * idle);
  double best = idle, most = 0.0;
  for (int k = 0; k <= kPoints; ++k) {
    const double omega = idle + (top - idle) * k / kPoints;
    const double power = omega * map(omega, 1.0);
    if (power > most) most = power, best = omega;
  }
  return best;
}

// [N m] the largest torque of the engine.
double largest_torque(const EngineMap& map, double idle) {
  double most = map(idle, 1.0);
  for (double omega = idle; omega < std::min(map.top(), 10.0 * idle); omega *= 1.02)
    most = std::max(most, map(omega, 1.0));
  return most;
}

ShiftMap usual_shift_map(const Maps& maps, const Params<double>& p) {
  const double strongest = strongest_speed(maps.engine, p.idle.omega);
  auto made =
      ShiftMap::make(maps.gearbox, driver::usual_shifts(maps.gearbox, p.idle.omega, strongest));
  return std::get<ShiftMap>(std::move(made));  // never hunts
}

// How it begins. With a converter: in the gear of the shift map, turned by the wheels. Otherwise in
// the driver's gear; engine and wheels are coupled if the wheels turn it and his foot is off the
// clutch. One who drives off by himself has it pressed where the car is too slow for first gear.
struct Start {
  double omega_e, omega_t, gear, closed;
};

Start start_of(const Maps& maps, const Params<double>& p, const RollingStart& at) {
  constexpr double kCruising = 0.3;  // [-] of the accelerator
  const double idle = p.idle.omega,
               prop = prop_speed(p, PerWheel<double>{at.spin, at.spin, at.spin, at.spin});
  if (!maps.converter) {
    const bool drives = at.drives && !maps.shift;
    const double gear =
        drives ? driver::gear_for(maps.gearbox, usual_shift_map(maps, p), prop) : at.gear;
    const double disc = gear == 0.0 ? idle : maps.gearbox.ratio(gear) * prop;
    const double closed = drives ? (disc > idle ? 1.0 : 0.0) : 1.0 - at.clutch;
    const bool coupled = closed > 0.5 && disc > p.stall.omega;
    return {coupled ? disc : idle, disc, gear, closed};
  }
  double gear = at.spin < 0.0 ? -1.0 : 1.0;
  for (std::size_t k = 1; maps.shift && at.spin > 0.0 && k < maps.gearbox.gears(); ++k)
    gear = maps.shift->next(maps.gearbox, gear, prop, kCruising);
  const double turbine = maps.gearbox.ratio(gear) * prop;
  return {std::max(idle, turbine), turbine, gear, 0.0};
}

void describe_states(BlockInfo& info, const Start& start) {
  info.states = {{"omega_e", "rad/s", start.omega_e, "speed of the engine"},
                 {"omega_t", "rad/s", start.omega_t, "speed of turbine or clutch disc"},
                 {"closed", "-", start.closed, "clutch: 0 open, 1 closed"},
                 {"zeta_c", "-", 0, "bend in the clutch"},
                 {"zeta_g", "-", 0, "bend in the gear: twist of the driveline"},
                 {"zeta_center", "-", 0, "bend in the centre differential"},
                 {"zeta_front", "-", 0, "bend in the front differential"},
                 {"zeta_rear", "-", 0, "bend in the rear differential"}};
  info.memory = {{"gear_chosen", "-", start.gear, "gear: -1, 0, 1 and up"},
                 {"gear_before", "-", start.gear, "gear before the last shift"},
                 {"shift_began", "s", kLongAgo, "when the last shift began"},
                 {"locked_up", "-", 0, "lock-up clutch: 0 or 1"},
                 {"running", "-", 1, "engine: 0 or 1"}};
}

void describe_ports(BlockInfo& info, std::span<const std::string> wheels) {
  info.inputs = {{"accelerator", "-", "pedal, 0 to 1"},
                 {"clutch", "-", "pedal, 1 is pressed; not looked at with a converter"},
                 {"gear", "-", "gear lever: -1, 0, 1 and up; with a shift map 1 and up is drive"}};
  for (const PortInfo& p : wheel_ports("speed", "rad/s", "speed of a wheel", wheels))
    info.inputs.push_back(p);
  info.inputs.push_back({"starter", "-", "1 turns an engine that has stalled"});
  info.outputs = wheel_ports("torque", "N m", "torque on a wheel", wheels);
  const bool on_request = true;
  const std::vector<PortInfo> more{
      {"engine_speed", "rpm", "speed of the engine"},
      {"engine_torque", "N m", "torque of the engine"},
      {"gear_in_mesh", "-", "gear in mesh"},
      {"ratio", "-", "input over output speed of the gear in mesh, 0 in neutral"},
      {"engine_running", "-", "1; 0 if the engine has stalled"},
      {"pump_torque", "N m", "torque of the converter's pump", on_request},
      {"turbine_torque", "N m", "torque of the converter's turbine", on_request},
      {"clutch_torque", "N m", "torque through the clutch", on_request},
      {"gear_torque", "N m", "torque into the gear", on_request},
      {"prop_torque", "N m", "torque into the centre differential", on_request},
      {"prop_speed", "rad/s", "speed of the gearbox output, as the wheels turn it", on_request},
      {"converter_loss", "W", "power lost in the converter", on_request},
      {"clutch_loss", "W", "power into the clutch", on_request},
      {"gear_loss", "W", "power into the gear that is being changed or twists", on_request},
      {"mesh_loss", "W", "power lost by the efficiency of the gears", on_request},
      {"center_loss", "W", "power into the coupling of the centre differential", on_request},
      {"front_loss", "W", "power into the coupling of the front differential", on_request},
      {"rear_loss", "W", "power into the coupling of the rear differential", on_request},
      {"engine_speed_limit", "rpm", "speed at which the engine's data end", on_request}};
  info.outputs.insert(info.outputs.end(), more.begin(), more.end());
}

// --- file -------------------------------------------------------------------------------------

// Rows of these tables stand in the order of the members of Params.
constexpr double kIdleSpeed = 83.77580409572781;  // [rad/s] 800 rpm
constexpr double kNever = 1e6;                    // [rad/s] no turbine turns so fast
constexpr std::array kEngineFields{
    Field{"inertia", "kg m^2", "inertia of the engine, with the pump", Bound::positive},
    Field{"idle_speed", "rad/s", "speed the engine idles at", Bound::positive, kIdleSpeed},
    Field{"idle_gain", "N m s/rad", "torque over what is missing of it", Bound::not_negative,
          20.0}};
constexpr Field kStallSpeed{"stall_speed", "rad/s", "speed below which it stalls; 0: never",
                            Bound::not_negative};
constexpr Field kStarterTorque{"starter_torque", "N m", "torque of the starter at standstill",
                               Bound::not_negative};
constexpr std::array kConverterFields{
    Field{"fade", "-", "slip below which the torque fades", Bound::positive, 0.02},
    Field{"lock_speed", "rad/s", "turbine speed at which the lock-up closes", Bound::positive,
          kNever},
    Field{"unlock_speed", "rad/s", "turbine speed at which it opens", Bound::not_negative, 0.0},
    Field{"lock_gear", "-", "lowest gear with lock-up", Bound::not_negative, 1.0}};
constexpr Field kClutchTorque{"torque", "N m", "torque that the clutch can carry", Bound::positive};
constexpr Field kClutchTime{"time", "s", "time in which it follows its pedal", Bound::positive,
                            0.1};
constexpr std::array kGearboxFields{
    Field{"inertia", "kg m^2", "inertia of turbine or clutch disc, with the gears",
          Bound::positive},
    Field{"torque", "N m", "torque at the input that an engaged gear can carry", Bound::positive},
    Field{"shift_time", "s", "time that a shift takes", Bound::not_negative, 0.5},
    Field{"shift_rest", "s", "time from the beginning of a shift to that of the next, at least",
          Bound::not_negative, 0.0},
    Field{"throttle_cut", "-", "share of the accelerator taken away in the midst of a shift",
          Bound::share, 0.0},
    Field{"efficiency", "-", "efficiency of the gears", Bound::share, 1.0},
    Field{"loss_power", "W", "power at which half of their loss is reached", Bound::positive,
          200.0}};
constexpr Field kSynchroniser{"synchroniser", "-",
                              "share of the gear's torque that brings it to speed; 0: all of it",
                              Bound::share};
constexpr std::array kDifferentialFields{
    Field{"ratio", "-", "input over mean output speed", Bound::positive, 1.0},
    Field{"share", "-", "share of the torque to the front, or to the left", Bound::share, 0.5}};
constexpr std::array kCouplingFields{
    Field{"viscous", "N m s/rad", "torque over the difference of speeds", Bound::not_negative, 0.0},
    Field{"preload", "N m", "torque of the plates without load", Bound::not_negative, 0.0},
    Field{"bias", "-", "torque of the plates over that of the differential", Bound::not_negative,
          0.0}};

constexpr Field kCaseInertia{"inertia", "kg m^2", "inertia of the case, at the outputs",
                             Bound::not_negative, 0.0};
constexpr std::array kShaftFields{
    Field{"prop", "kg m^2", "inertia from the gear to the centre differential", Bound::not_negative,
          0.0},
    Field{"front", "kg m^2", "inertia of the shaft to the front axle", Bound::not_negative, 0.0},
    Field{"rear", "kg m^2", "inertia of the shaft to the rear axle", Bound::not_negative, 0.0}};
constexpr Field kFrontShare{"front", "-", "share of the torque to the front", Bound::share, 0.5};

constexpr FrictionDefaults kPlates{"rad", 0.02, 0.8, 0.004, 0.005};
constexpr FrictionDefaults kShafts{"rad", 0.1, 0.9, 0.01, 0.005};
constexpr double kLockTorque = 5000.0;  // [N m] more than tires of a car can set against each other

class PowertrainReader {
 public:
  PowertrainReader(Keys& keys, const RollingStart& start)
      : keys_(keys), diag_(keys.diagnostics()), start_(start) {}

  PowertrainPart run() {
    const int before = diag_.errors();
    const auto wheels = read_driven(keys_);
    const auto engine = read_engine();
    const auto converter = read_converter();
    read_clutch(converter.has_value());
    const auto gearbox = read_gearbox();
    const auto shift = read_shift(gearbox);
    ShaftInertias<double> J = read_shafts();
    for (const auto& [name, inertia] :
         {std::pair{"center", &J.prop}, {"front", &J.front}, {"rear", &J.rear}})
      *inertia += read_differential(name);
    keys_.refuse_others("a powertrain");
    if (diag_.errors() > before) return {};

    BlockInfo info;
    info.description = "engine, converter or clutch, gearbox and differentials";
    info.parameters = parameters_;
    const Maps maps{*engine, converter, *gearbox, shift};
    const Start start = start_of(maps, params(), start_);
    describe_states(info, start);
    describe_ports(info, wheels);
    info.tasks = {{.name = "torques",
                   .reads = ports(0, kInputs),
                   .writes = ports(0, static_cast<int>(info.outputs.size())),
                   .rates = true},
                  {.name = "memory", .reads = ports(0, kInputs), .memory = true}};
    PowertrainPart part{make_block_kind<PowertrainBlock>(info, maps), wheel_inertias(params(), J),
                        wheels, static_cast<int>(gearbox->gears())};
    if (!converter && !shift) part.manual = manual_gearbox(maps, start);
    return part;
  }

 private:
  [[nodiscard]] Params<double> params() const {
    std::vector<double> values;
    for (const NativeParameter& p : parameters_) values.push_back(p.value);
    return from_values<Params<double>>(std::span<const double>(values));
  }

  [[nodiscard]] ManualGearbox manual_gearbox(const Maps& maps, const Start& start) const {
    const Params<double> p = params();
    return {.gearbox = maps.gearbox,
            .idle = p.idle.omega,
            .strongest = strongest_speed(maps.engine, p.idle.omega),
            .engine_inertia = p.J_e,
            .engine_torque = largest_torque(maps.engine, p.idle.omega),
            .clutch_torque = p.T_clutch,
            .shift_time = p.t_shift,
            .gear = start.gear,
            .coupled = start.closed > 0.5};
  }

  [[nodiscard]] bool has_shift_map() const { return keys_.find("shift") != nullptr; }
  [[nodiscard]] bool has_converter() const { return keys_.find("converter") != nullptr; }

  std::optional<EngineMap> read_engine() {
    keys_.require("engine", "a powertrain");
    Section engine(keys_, "engine", "an engine", "engine.");
    engine.read(kEngineFields, parameters_);
    auto map = read_engine_map(engine);
    read_stall(engine, map);
    engine.refuse_others();
    return map;
  }

  // An engine stalls at half of its idle speed, and a starter has half of its torque there. With a
  // clutch that nobody moves while gears change by themselves it would stall at every stop: not
  // there.
  void read_stall(Section& engine, const std::optional<EngineMap>& map) {
    const double idle = parameters_[1].value;
    const bool by_itself = has_shift_map() && !has_converter();
    Field stall = kStallSpeed, starter = kStarterTorque;
    stall.otherwise = by_itself ? 0.0 : 0.5 * idle;
    starter.otherwise = map ? 0.5 * std::max((*map)(idle, 1.0), 0.0) : 0.0;
    const std::size_t first = parameters_.size();
    engine.read(std::array{stall, starter}, parameters_);
    const DataSpec* given = engine.keys().find("stall_speed");
    if (given != nullptr && parameters_[first].value >= idle)
      diag_.error(given->text.where, "'stall_speed' must be below 'idle_speed'");
  }

  std::optional<EngineMap> read_engine_map(Section& engine) {
    Keys& keys = engine.keys();
    const auto curve = [&](std::string_view key) {
      return read_curve(keys, key, kRate, kTorque, engine.owner());
    };
    const bool above = keys.find("gross") != nullptr, between = keys.find("full") != nullptr,
               map = keys.find("map") != nullptr;
    if (int{above} + int{between} + int{map} != 1) {
      diag_.error(keys.where(),
                  "an engine has its torque either by 'gross' and 'losses', by 'full' and "
                  "'motoring', or by 'map'");
      return std::nullopt;
    }
    if (map) {
      const auto data = read_map(keys, "map", {kRate, kNone, kTorque}, engine.owner());
      if (!data) return std::nullopt;
      return EngineMap(std::get<Table2D>(Table2D::make(data->x, data->y, data->z)), data->x.back());
    }
    const auto upper = curve(above ? "gross" : "full"),
               lower = curve(above ? "losses" : "motoring");
    if (!upper || !lower) return std::nullopt;
    return made_of(above ? EngineMap::above(*upper, *lower) : EngineMap::between(*upper, *lower),
                   keys.where(), diag_);
  }

  std::optional<ConverterMap> read_converter() {
    Section converter(keys_, "converter", "a converter", "converter.");
    const std::size_t first = parameters_.size();
    converter.read(kConverterFields, parameters_);
    if (!converter.given()) return std::nullopt;
    Keys& keys = converter.keys();
    if ((keys.find("lock_speed") == nullptr) != (keys.find("unlock_speed") == nullptr))
      diag_.error(keys.where(), "a lock-up clutch needs both 'lock_speed' and 'unlock_speed'");
    locks_ = keys.find("lock_speed") != nullptr;
    const double lock = parameters_[first + 1].value, unlock = parameters_[first + 2].value;
    if (unlock >= lock) diag_.error(keys.where(), "'unlock_speed' must be below 'lock_speed'");
    const auto capacity =
        read_curve(keys, "capacity", kNone, kRate / *power(kTorque, 1, 2), converter.owner());
    const auto ratio = read_curve(keys, "torque_ratio", kNone, kNone, converter.owner());
    converter.refuse_others();
    if (!capacity || !ratio) return std::nullopt;
    return made_of(ConverterMap::make(*capacity, *ratio), keys.where(), diag_);
  }

  // A converter that never locks up needs no clutch.
  void read_clutch(bool converter) {
    if (!converter || locks_)
      keys_.require("clutch", locks_ ? "a lock-up" : "a powertrain without a converter");
    Section clutch(keys_, "clutch", "a clutch", "clutch.");
    Field torque = kClutchTorque;
    if (!clutch.given()) torque.otherwise = 0.0;
    clutch.read(std::array{torque, kClutchTime}, parameters_);
    read_friction(clutch.keys(), "clutch.", kPlates, parameters_);
    clutch.refuse_others();
  }

  std::optional<Gearbox> read_gearbox() {
    keys_.require("gearbox", "a powertrain");
    Section gearbox(keys_, "gearbox", "a gearbox", "gearbox.");
    Keys& keys = gearbox.keys();
    gearbox.read(kGearboxFields, parameters_);
    Field synchroniser = kSynchroniser;
    synchroniser.otherwise = has_shift_map() || has_converter() ? 0.0 : 0.125;
    gearbox.read(std::array{synchroniser}, parameters_);
    read_friction(keys, "gearbox.", kShafts, parameters_);
    const auto forward = read_list(keys, "forward", kNone, gearbox.owner());
    keys.require("reverse", gearbox.owner());
    const double reverse = keys.number("reverse", kNone);
    const auto meaning =
        read_word(keys, "ratios", {"input/output", "output/input"}, gearbox.owner(), false);
    gearbox.refuse_others();
    if (!gearbox.given() || !meaning) return std::nullopt;
    return made_of(Gearbox::make(forward, reverse,
                                 *meaning == 0 ? RatioMeaning::input_over_output
                                               : RatioMeaning::output_over_input),
                   keys.where(), diag_);
  }

  // One band {down, up} for each gear, or one for all.
  std::optional<ShiftMap> read_shift(const std::optional<Gearbox>& gearbox) {
    const DataSpec* data = keys_.find("shift");
    if (data == nullptr || !gearbox) return std::nullopt;
    const bool alike = data->kind == DataSpec::Kind::mapping;
    const std::size_t n = gearbox->gears();
    if (!alike && data->list.size() != n) {
      diag_.error(data->text.where,
                  "'shift' is a list with one {{down: ..., up: ...}} for each of {} gears, or one "
                  "for all",
                  n);
      return std::nullopt;
    }
    const int before = diag_.errors();
    std::vector<ShiftBand> bands;
    for (std::size_t k = 0; k < n; ++k)
      if (k == 0 || !alike)
        bands.push_back(
            read_band(alike ? *data : data->list[k], alike || k > 0, alike || k + 1 < n));
      else
        bands.push_back(bands.front());
    if (diag_.errors() > before) return std::nullopt;
    return made_of(ShiftMap::make(*gearbox, bands), data->text.where, diag_);
  }

  ShiftBand read_band(const DataSpec& data, bool down, bool up) {
    Keys keys(data, keys_.numbers(), diag_);
    const auto speed = [&](std::string_view key, bool required) {
      return read_number_or_curve(keys, key, kNone, kRate, "a band of shift speeds", required)
          .value_or(CurveData{{0.0}, {0.0}});
    };
    ShiftBand band{speed("down", down), speed("up", up)};
    keys.refuse_others("a band of shift speeds");
    return band;
  }

  ShaftInertias<double> read_shafts() {
    Section shafts(keys_, "shafts", "the shafts", "shafts.");
    std::vector<NativeParameter> J;
    shafts.read(kShaftFields, J);
    shafts.refuse_others();
    return {J[0].value, J[1].value, J[2].value};
  }

  // Gives the inertia of its case, which turns as the outputs do, as one at the input.
  double read_differential(const std::string& name) {
    Section d(keys_, name, "a differential", name + ".");
    Keys& keys = d.keys();
    const auto type = read_word(keys, "type", {"open", "locked", "limited-slip"}, d.owner(), false);
    const std::size_t first = parameters_.size();
    d.read(kDifferentialFields, parameters_);
    const double ratio = parameters_[first].value;
    read_coupling(d, name, type.value_or(0));
    std::vector<NativeParameter> J;
    d.read(std::array{kCaseInertia}, J);
    d.refuse_others();
    return J[0].value / (ratio * ratio);
  }

  // Every differential has the numbers of a coupling; which of them a file may give says its type.
  void read_coupling(Section& d, const std::string& name, std::size_t type) {
    enum { kOpen, kLocked, kLimitedSlip };
    auto fields = kCouplingFields;
    if (type == kLocked) fields[1].otherwise = kLockTorque;
    const std::size_t first = parameters_.size();
    d.read(fields, parameters_);
    read_friction(d.keys(), name + ".", kPlates, parameters_);
    for (const std::string_view key : {"viscous", "bias", "preload", "friction"}) {
      const bool has =
          type == kLimitedSlip || (type == kLocked && (key == "preload" || key == "friction"));
      const DataSpec* given = d.keys().find(key);
      if (given != nullptr && !has)
        diag_.error(given->text.where, "a differential that is {} has no '{}'; take limited-slip",
                    type == kOpen ? "open" : "locked", key);
    }
    const auto value = [&](std::size_t k) { return parameters_[first + k].value; };
    if (type == kLimitedSlip && value(0) == 0.0 && value(1) == 0.0 && value(2) == 0.0)
      diag_.error(d.keys().where(),
                  "a limited-slip differential needs 'viscous', 'preload' or 'bias'");
  }

  Keys& keys_;
  Diagnostics& diag_;
  RollingStart start_;
  std::vector<NativeParameter> parameters_;
  bool locks_ = false;
};

// --- no engine --------------------------------------------------------------------------------

template <class T>
class WheelTorqueBlock final : public Block<T> {
 public:
  void run(int /*task*/, const BlockView<T>& at) const noexcept override {
    to_values(driver::wheel_torques(at.u(0), at.p[0]), at.y);
  }
};

PowertrainPart wheel_torque_part(Keys& keys) {
  const int before = keys.diagnostics().errors();
  BlockInfo info;
  info.description = "torques on the wheels without a powertrain";
  info.parameters = read_fields(keys, std::array{kFrontShare}, "a powertrain of type wheel-torque");
  const auto wheels = read_driven(keys);
  keys.refuse_others("a powertrain of type wheel-torque");
  info.inputs = {{"wheel_torque", "N m", "sum of the torques on the wheels"}};
  info.outputs = wheel_ports("torque", "N m", "torque on a wheel", wheels);
  info.tasks = {{.name = "torques", .reads = {0}, .writes = ports(0, 4)}};
  if (keys.diagnostics().errors() > before) return {};
  return {.kind = make_block_kind<WheelTorqueBlock>(info), .wheels = wheels};
}

// The sections of a powertrain of type engine.
std::vector<KeyTable> engine_tables() {
  const auto curve = [](std::string_view key, std::string_view help) {
    return Key{key, Form::curve, "rad/s -> N m", false, help};
  };
  KeyTable engine{
      "engine",
      "",
      {curve("gross", "torque at full accelerator, without losses"),
       curve("losses", "with 'gross': torque that is always lost"),
       curve("full", "instead: torque at full accelerator"),
       curve("motoring", "with 'full': torque without accelerator"),
       {"map", Form::map, "rad/s, - -> N m", false, "instead: torque over speed and accelerator"},
       {kStallSpeed.key, Form::quantity, kStallSpeed.unit, false,
        "speed below which it stalls; 0: never; default half of the idle speed"},
       {kStarterTorque.key, Form::quantity, kStarterTorque.unit, false,
        "torque of the starter at standstill; default half of the engine's at idle"}},
      "An engine."};
  add_rows(engine, kEngineFields);

  KeyTable converter{"converter",
                     "",
                     {{"capacity", Form::curve, "- -> rad/s/(N m)^(1/2)", true,
                       "pump speed over the root of its torque, over the speed ratio"},
                      {"torque_ratio", Form::curve, "- -> -", true,
                       "turbine over pump torque, over the speed ratio"}},
                     "A torque converter."};
  add_rows(converter, kConverterFields);

  KeyTable clutch{"clutch", "", {}, "A clutch."};
  add_rows(clutch, std::array{kClutchTorque, kClutchTime});
  const Key plates{"friction", Form::section, "plate-friction", false, "of its plates"};
  clutch.keys.push_back(plates);

  KeyTable gearbox{
      "gearbox",
      "",
      {{"forward", Form::numbers, "-", true, "ratios of the forward gears"},
       {"reverse", Form::quantity, "-", true, "ratio of the reverse gear, negative"},
       {"ratios", Form::choice, "input/output|output/input", false, "what the ratios are"},
       {kSynchroniser.key, Form::quantity, kSynchroniser.unit, false, kSynchroniser.description},
       {"friction", Form::section, "shaft-friction", false, "of the gear that carries"}},
      "A gearbox."};
  add_rows(gearbox, kGearboxFields);

  const KeyTable band{"shift-band",
                      "",
                      {{"down", Form::signal, "- -> rad/s", false,
                        "speed of the input below which it shifts down; or over the accelerator"},
                       {"up", Form::signal, "- -> rad/s", false, "above which it shifts up"}},
                      "Speeds at which gears change."};
  KeyTable shafts{"shafts", "", {}, "Inertias of the shafts."};
  add_rows(shafts, kShaftFields);

  constexpr std::string_view kSlips = "type=limited-slip", kHolds = "type=locked|limited-slip";
  KeyTable differential{"differential",
                        "",
                        {{"type", Form::choice, "open|locked|limited-slip", false, "default open"}},
                        "A differential."};
  add_rows(differential, kDifferentialFields);
  add_rows(differential, std::array{kCouplingFields[0]}, kSlips);
  add_rows(differential, std::array{kCouplingFields[1]}, kHolds);
  add_rows(differential, std::array{kCouplingFields[2]}, kSlips);
  add_rows(differential, std::array{kCaseInertia});
  differential.keys.push_back(plates);
  differential.keys.back().when = kHolds;
  return {engine,
          converter,
          clutch,
          gearbox,
          band,
          shafts,
          differential,
          friction_table("plate-friction", kPlates),
          friction_table("shaft-friction", kShafts)};
}

}  // namespace
}  // namespace chicane::powertrain

namespace chicane {

decltype(PartRegistry::powertrain) built_in_powertrains() {
  using namespace powertrain;
  const auto section = [](std::string_view key, std::string_view of, std::string_view help,
                          bool required = false) {
    return Key{key, Form::section, of, required, help};
  };
  decltype(PartRegistry::powertrain) types(
      "a powertrain", {"powertrain",
                       "",
                       {{"type", Form::choice, "", true,
                         "wheel-torque: no engine, torques on the wheels are an input"},
                        {"axles", Form::names, "", false,
                         "the two that it turns, in 'front' and 'rear'; default [front, rear]"}},
                       "From the accelerator to torques on the wheels."});
  const std::vector<Key> engine{
      section("engine", "engine", "the engine", true),
      section("converter", "converter", "torque converter"),
      section("clutch", "clutch", "clutch, or the lock-up clutch of a converter"),
      section("gearbox", "gearbox", "the gearbox", true),
      {"shift", Form::one_or_list, "shift-band", false,
       "when gears change by themselves, for all alike or gear by gear"},
      section("shafts", "shafts", "inertias"),
      section("center", "differential", "between the axles"),
      section("front", "differential", "of the front axle"),
      section("rear", "differential", "of the rear axle")};
  types
      .add(
          {"engine", "engine, converter or clutch, gearbox, differentials", engine,
           engine_tables()},
          [](Keys& keys, const RollingStart& start) { return PowertrainReader(keys, start).run(); })
      .add({"wheel-torque", "torques on the wheels without an engine",
            rows_of(std::array{kFrontShare})},
           [](Keys& keys, const RollingStart&) { return wheel_torque_part(keys); })
      .add({"electric", "battery, motors and reductions", electric_rows(), electric_tables()},
           [](Keys& keys, const RollingStart&) { return read_electric(keys); });
  return types;
}

PowertrainPart powertrain_part(Keys& keys) { return rolling_powertrain_part(keys, {}); }

PowertrainPart rolling_powertrain_part(Keys& keys, const RollingStart& start) {
  return part_registry().powertrain.read(keys, start);
}

}  // namespace chicane
