// SPDX-License-Identifier: Apache-2.0
#include <optional>
#include <type_traits>

#include "assembly/parts/formula_tire.hpp"
#include "assembly/parts/magic_formula.hpp"
#include "assembly/parts/reading.hpp"
#include "assembly/parts/registry.hpp"
#include "assembly/parts/ring.hpp"
#include "assembly/parts/tire_of.hpp"

namespace chicane {
namespace {

using namespace dimensions;
using namespace wheel_block;
using Bound = Field::Bound;

// In the order of tire::Params. Patch stiffness, damping and floors have no place in most data
// sheets; their defaults give relaxation lengths of a few tenths of a metre.
constexpr Field kTireFields[] = {
    {"radius", "m", "unloaded radius", Bound::positive},
    {"width", "m", "of the tread", Bound::positive},
    {"rolling_radius_weight", "-", "weight of the unloaded in the rolling radius", Bound::share,
     2.0 / 3.0},
    {"stiffness", "N/m", "vertical, at small deflection", Bound::positive},
    {"stiffness_growth", "N/m^2", "half of what it gains per deflection", Bound::any, 0.0},
    {"damping", "N s/m", "vertical", Bound::not_negative, 0.0},
    {"damping_onset", "m", "deflection from which the damper acts fully", Bound::positive, 5e-3},
    {"bottom_deflection", "m", "at which the rim touches", Bound::positive, 1.0},
    {"bottom_stiffness", "N/m", "of the rim's stop", Bound::not_negative, 0.0},
    {"longitudinal_stiffness", "N/m", "patch to rim", Bound::positive, 4e5},
    {"longitudinal_damping", "N s/m", "patch to rim", Bound::positive, 4e3},
    {"lateral_stiffness", "N/m", "patch to rim", Bound::positive, 2e5},
    {"lateral_damping", "N s/m", "patch to rim", Bound::positive, 4e3},
    {"trail_length", "m", "way over which the trail follows the slip", Bound::positive, 0.2},
    {"camber_slip", "-", "lateral slip per inclination", Bound::any, 0.0},
    {"rolling_resistance", "-", "moment over load and radius", Bound::not_negative, 0.0},
    {"rolling_onset", "rad/s", "spin over which moments of rolling change their sign",
     Bound::positive, 1.0},
    {"creep_speed", "m/s", "floor of the speed that slips are divided by", Bound::positive, 1e-4},
    {"overturning", "-", "share of the overturning moment: 0 switches it off", Bound::share, 1.0},
};
static_assert(std::size(kTireFields) == kTireParameters<double>);

constexpr Field kLinearFields[] = {
    {"slip_stiffness", "N", "longitudinal force over slip", Bound::positive},
    {"cornering_stiffness", "N", "lateral force over the tangent of the slip angle",
     Bound::positive},
    {"trail", "m", "pneumatic trail", Bound::any, 0.0},
};
constexpr Field kFialaFields[] = {
    {"slip_stiffness", "N", "longitudinal force over slip", Bound::positive},
    {"cornering_stiffness", "N", "lateral force over the tangent of the slip angle",
     Bound::positive},
    {"friction_max", "-", "without slip", Bound::positive},
    {"friction_min", "-", "in full slip", Bound::positive},
    {"road_friction", "-", "of the ground these belong to", Bound::positive, 1.0},
    {"trail_width", "m", "scales the aligning torque", Bound::positive},
};
constexpr Field kTmeasyFields[] = {
    {"nominal_load", "N", "load of the first set of points", Bound::positive},
    {"largest_load", "N", "beyond it the curves stay", Bound::positive},
    {"road_friction", "-", "of the ground the points belong to", Bound::positive, 1.0},
};
// In the order of tire::TmeasyPoints.
constexpr Field kTmeasyPoints[] = {
    {"dfx0", "N", "longitudinal slope at no slip"},
    {"fxm", "N", "largest longitudinal force"},
    {"fxs", "N", "longitudinal sliding force"},
    {"sxm", "-", "slip of the largest longitudinal force"},
    {"sxs", "-", "slip from which all slides, longitudinal"},
    {"dfy0", "N", "lateral slope at no slip"},
    {"fym", "N", "largest lateral force"},
    {"fys", "N", "lateral sliding force"},
    {"sym", "-", "slip of the largest lateral force"},
    {"sys", "-", "slip from which all slides, lateral"},
    {"nL0", "-", "trail over contact length at no slip"},
    {"sq0", "-", "slip at which the trail passes 0"},
    {"sqe", "-", "slip from which the trail stays 0"},
};

// The points at one load; numbers without unit are forces over that load.
std::vector<NativeParameter> read_points(Keys& keys, std::string_view key, double load) {
  const DataSpec* data = keys.require(key, "a TMeasy tire");
  if (data == nullptr) return {};
  Keys own(*data, keys.numbers(), keys.diagnostics());
  std::vector<NativeParameter> list;
  for (const Field& f : kTmeasyPoints) {
    const DataSpec* value = own.require(f.key, "the set of points");
    const std::string text = value == nullptr ? "0" : value->text.text;
    const auto parsed = parse_quantity(text);
    const auto* q = std::get_if<Quantity>(&parsed);
    const bool relative = f.unit == "N" && q != nullptr && q->dimension.is_none();
    const Dimension d = f.unit == "N" && !relative ? kForce : kNone;
    const double x = value == nullptr ? 0.0 : own.numbers().number(*value, d);
    list.push_back({fmt::format("{}.{}", key, f.key), std::string(f.unit), relative ? x * load : x,
                    std::string(f.description)});
  }
  own.refuse_others("the set of points");
  return list;
}

void append(std::vector<NativeParameter>& to, const std::vector<NativeParameter>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

template <class S>
S struct_of(const std::vector<NativeParameter>& list) {
  std::vector<double> values;
  for (const NativeParameter& p : list) values.push_back(p.value);
  return from_values<S>(std::span<const double>(values));
}

std::vector<NativeParameter> read_tmeasy(Keys& keys) {
  auto list = read_fields(keys, kTmeasyFields, "a TMeasy tire");
  const double load = list[0].value;
  const auto once = read_points(keys, "at_load", load),
             twice = read_points(keys, "at_double_load", 2.0 * load);
  if (once.empty() || twice.empty()) return {};
  append(list, once);
  append(list, twice);
  if (const auto fault = tire::fault_in(struct_of<tire::Tmeasy<double>>(list)))
    keys.diagnostics().error(keys.where(), "the points of this TMeasy tire make no curve: {}",
                             *fault);
  return list;
}

std::optional<tire::Carpet> read_carpet(Keys& keys) {
  const std::string owner = "a carpet tire";
  tire::CarpetData d;
  d.load = read_list(keys, "load", kForce, owner);
  d.kappa = read_list(keys, "slip", kNone, owner);
  d.tan_alpha = read_list(keys, "tan_slip_angle", kNone, owner);
  d.F_x = read_list(keys, "longitudinal_force", kForce, owner);
  d.F_y = read_list(keys, "lateral_force", kForce, owner);
  d.M_z = read_list(keys, "aligning_moment", kTorque, owner);
  d.mu_0 = keys.number("road_friction", kNone, 1.0);
  auto made = tire::Carpet::make(std::move(d));
  if (auto* ready = std::get_if<tire::Carpet>(&made)) return std::move(*ready);
  keys.diagnostics().error(keys.where(), "the tables of this tire: {}",
                           std::get<std::string>(made));
  return std::nullopt;
}

std::shared_ptr<const tire::Compliance> read_compliance(Keys& keys) {
  std::vector<Table1D> tables;
  struct Entry {
    const char* key;
    Dimension over;
  };
  for (const Entry& e :
       {Entry{"steer_by_force", kForce}, Entry{"steer_by_torque", kTorque},
        Entry{"inclination_by_force", kForce}, Entry{"inclination_by_torque", kTorque}}) {
    const auto curve = read_curve(keys, e.key, e.over, kNone, "a compliance", false);
    const CurveData data = curve.value_or(CurveData{{0.0, 1.0}, {0.0, 0.0}});
    auto made = Table1D::make(data.x, data.y, Interpolation::linear, Extrapolation::linear);
    if (auto* table = std::get_if<Table1D>(&made)) tables.push_back(std::move(*table));
  }
  keys.refuse_others("a compliance");
  if (tables.size() != 4) return nullptr;  // the faulty one has been named
  return std::make_shared<tire::Compliance>(
      tire::Compliance{tables[0], tables[1], tables[2], tables[3]});
}

// A tire of any law: what all have in common is read first, then what `read_law` adds, which gives
// where the law has its numbers from.
template <class ReadLaw>
std::shared_ptr<const TireKind> read_with(Keys& keys, Keys* compliance, std::string_view type,
                                          ReadLaw&& read_law) {
  const int before = keys.diagnostics().errors();
  const std::string owner = fmt::format("a tire of type {}", type);
  auto list = read_fields(keys, kTireFields, owner);
  const auto give = compliance == nullptr ? nullptr : read_compliance(*compliance);
  auto ring = read_ring(keys, list);
  auto source = read_law(list, owner);
  if (!source) return nullptr;
  keys.refuse_others(owner);
  if (keys.diagnostics().errors() > before) return nullptr;
  return std::make_shared<TireOf<std::remove_cvref_t<decltype(*source)>>>(std::move(*source), list,
                                                                          give, std::move(ring));
}

// A law whose numbers are all fields.
template <template <class> class Law>
auto reader_of(std::string_view type, std::span<const Field> fields) {
  return [type, fields](Keys& keys, Keys* compliance) {
    return read_with(keys, compliance, type, [&](auto& list, const std::string& owner) {
      append(list, read_fields(keys, fields, owner));
      return std::optional(Parametric<Law>{});
    });
  };
}

std::shared_ptr<const TireKind> read_tmeasy_tire(Keys& keys, Keys* compliance) {
  return read_with(keys, compliance, "tmeasy", [&](auto& list, const std::string&) {
    append(list, read_tmeasy(keys));
    return std::optional(Parametric<tire::Tmeasy>{});
  });
}

std::shared_ptr<const TireKind> read_carpet_tire(Keys& keys, Keys* compliance) {
  return read_with(keys, compliance, "carpet", [&](auto&, const std::string&) {
    auto carpet = read_carpet(keys);
    return carpet ? std::optional(FromCarpet{std::move(*carpet)}) : std::nullopt;
  });
}

std::shared_ptr<const TireKind> read_tire_of_formulas(Keys& keys, Keys* compliance) {
  return read_with(keys, compliance, "formula", [&](auto& list, const std::string& owner) {
    return read_formula_tire(keys, owner, list);
  });
}

std::shared_ptr<const TireKind> read_magic_formula_tire(Keys& keys, Keys* compliance) {
  return read_with(keys, compliance, "magic-formula", [&](auto& list, const std::string& owner) {
    return read_magic_formula(keys, owner, list);
  });
}

KeyTable points_table() {
  KeyTable points{"tire-points",
                  "",
                  {},
                  "Points of a TMeasy tire at one load; forces without a "
                  "unit are forces over that load."};
  for (const Field& f : kTmeasyPoints)
    points.keys.push_back(
        {f.key, Form::quantity, f.unit == "N" ? "N|-" : f.unit, true, f.description});
  return points;
}

KeyTable compliance_table() {
  return {
      "compliance",
      "",
      {{"steer_by_force", Form::curve, "N -> rad", false, "steer angle over lateral force"},
       {"steer_by_torque", Form::curve, "N m -> rad", false, "steer angle over aligning moment"},
       {"inclination_by_force", Form::curve, "N -> rad", false, "inclination over lateral force"},
       {"inclination_by_torque", Form::curve, "N m -> rad", false,
        "inclination over aligning moment"}},
      "How the wheels of an axle turn under load."};
}

}  // namespace

std::span<const Field> wheel_block::common_fields() { return kTireFields; }

decltype(PartRegistry::tires) built_in_tires() {
  KeyTable common{"tire", "", {{"type", Form::choice, "", true, "law of its forces"}}, "A tire."};
  add_rows(common, kTireFields);
  common.keys.push_back({"ring", Form::section, "ring", false,
                         "its tread band as a rigid ring on sidewalls; without it the tire is a "
                         "point with springs"});
  decltype(PartRegistry::tires) tires("a tire", common, {compliance_table(), ring_table()});
  const std::vector<Key> carpet{
      {"load", Form::numbers, "N", true, "loads of the tables"},
      {"slip", Form::numbers, "-", true, "longitudinal slips of the tables"},
      {"tan_slip_angle", Form::numbers, "-", true, "lateral slips of the tables"},
      {"longitudinal_force", Form::numbers, "N", true, "load by load, over the slips"},
      {"lateral_force", Form::numbers, "N", true, "load by load, over the slips"},
      {"aligning_moment", Form::numbers, "N m", true, "load by load, over the slips"},
      {"road_friction", Form::quantity, "-", false, "of the ground the tables belong to", "", 1.0}};
  const std::vector<Key> points{
      {"at_load", Form::section, "tire-points", true, "points at the nominal load"},
      {"at_double_load", Form::section, "tire-points", true, "points at twice that load"}};
  tires.add({"carpet", "forces and moment from tables", carpet}, read_carpet_tire)
      .add({"fiala", "brush model with friction that falls with slip", rows_of(kFialaFields)},
           reader_of<tire::Fiala>("fiala", kFialaFields))
      .add({"formula", "forces and moments as formulas of the file", formula_tire_rows()},
           read_tire_of_formulas)
      .add({"linear", "forces proportional to slips", rows_of(kLinearFields)},
           reader_of<tire::Linear>("linear", kLinearFields))
      .add({"magic-formula", "Magic Formula 5.2, 6.1 or 6.2, from a .tir file",
            magic_formula_rows()},
           read_magic_formula_tire)
      .add({"tmeasy",
            "characteristics through a few points, at two loads",
            joined(rows_of(kTmeasyFields), points),
            {points_table()}},
           read_tmeasy_tire);
  return tires;
}

std::shared_ptr<const TireKind> read_tire(Keys& keys, Keys* compliance) {
  return part_registry().tires.read(keys, compliance);
}

}  // namespace chicane
