// SPDX-License-Identifier: Apache-2.0
#include "assembly/parts/formula_tire.hpp"

#include <algorithm>

#include "assembly/parts/reading.hpp"
#include "assembly/parts/wheel_block.hpp"

namespace chicane {
namespace formula_tire {
namespace {

using namespace dimensions;
using Bound = Field::Bound;

constexpr Field kFormulaFields[] = {
    {"pressure", "Pa", "inflation, if the formulas ask for it", Bound::not_negative, 0.0},
};

struct KnownQuantity {
  const char* name;
  Dimension dimension;
};
// In the order of Quantity.
constexpr KnownQuantity kKnown[] = {
    {"load", kForce},        {"slip_x", kNone},   {"slip_y", kNone}, {"slip_angle", kNone},
    {"inclination", kNone},  {"speed", kSpeed},   {"spin", kRate},   {"deflection", kLength},
    {"pressure", kPressure}, {"friction", kNone},
};
static_assert(std::size(kKnown) == Known::count);

struct FormulaKey {
  std::string_view key;
  const char* unit;
  Dimension dimension;
  int FormulaSet::*item;
  bool required;
  std::string_view instead;  // the key that says the same as a number
  std::string_view help;
};
constexpr FormulaKey kForces[] = {
    {"longitudinal_force", "N", kForce, &FormulaSet::F_x, true, "",
     "formula; it has the sign of slip_x"},
    {"lateral_force", "N", kForce, &FormulaSet::F_y, true, "",
     "formula; to the left, it has the sign of slip_y"},
    {"longitudinal_limit", "N", kForce, &FormulaSet::limit_x, false, "",
     "formula: what no longitudinal force exceeds; default friction * load"},
    {"lateral_limit", "N", kForce, &FormulaSet::limit_y, false, "",
     "formula: the same to the side"},
    {"longitudinal_relaxation", "m", kLength, &FormulaSet::sigma_x, false, "longitudinal_stiffness",
     "formula: relaxation length at no slip, in place of a stiffness"},
    {"lateral_relaxation", "m", kLength, &FormulaSet::sigma_y, false, "lateral_stiffness",
     "formula: the same to the side"},
    {"rolling_radius", "m", kLength, &FormulaSet::R_e, false, "rolling_radius_weight",
     "formula: effective radius, not of slips"},
};
constexpr FormulaKey kMoments[] = {
    {"aligning_moment", "N m", kTorque, &FormulaSet::M_z, true, "",
     "formula, of a wheel that rolls forward; in reverse it changes its sign"},
    {"overturning_moment", "N m", kTorque, &FormulaSet::M_x, false, "overturning",
     "formula; default the moment of a load that moves to the side"},
    {"rolling_moment", "N m", kTorque, &FormulaSet::M_y, false, "rolling_resistance",
     "formula, of a wheel that rolls forward: negative, it resists"},
};

class FormulaReader {
 public:
  FormulaReader(Keys& keys, const std::string& owner, std::vector<NativeParameter>& list)
      : keys_(keys), owner_(owner), list_(list), compiler_(keys.numbers().spec(), owner, diag()) {}

  std::optional<FromFormulas> read() {
    const int before = diag().errors();
    const auto own = read_fields(keys_, kFormulaFields, owner_);
    list_.insert(list_.end(), own.begin(), own.end());
    for (const KnownQuantity& k : kKnown) compiler_.quantity(k.name, k.dimension);
    read_parameters();
    read_auxiliaries();
    for (const FormulaKey& f : kForces) read_formula(f);
    set_.acting_x = compiler_.quantity("longitudinal_force", kForce);
    set_.acting_y = compiler_.quantity("lateral_force", kForce);
    for (const FormulaKey& f : kMoments) read_formula(f);
    refuse("camber_slip", "the formulas know the inclination");
    check_use();
    if (diag().errors() > before) return std::nullopt;
    cut_into_pieces();
    set_.program = compiler_.build();
    if (set_.program.size() > kMost) {
      diag().error(keys_.where(),
                   "the formulas of {} need {} numbers at once; at most {} are there", owner_,
                   set_.program.size(), kMost);
      return std::nullopt;
    }
    auto made = std::make_shared<const FormulaSet>(std::move(set_));
    warn(*made);
    return FromFormulas{std::move(made)};
  }

 private:
  [[nodiscard]] Diagnostics& diag() const { return keys_.diagnostics(); }
  [[nodiscard]] Location place(std::string_view key) {
    const DataSpec* data = keys_.find(key);
    return data == nullptr ? keys_.where() : data->text.where;
  }

  void refuse(std::string_view key, std::string_view why) {
    if (const DataSpec* value = keys_.find(key))
      diag().error(value->text.where, "{} has no use for '{}': {}; take the key out", owner_, key,
                   why);
  }

  void read_parameters() {
    const DataSpec* data = keys_.find("parameters");
    if (data == nullptr) return;
    for (const auto& [name, value] : data->entries) {
      if (!is_name(name) || is_reserved(name) || name.find('.') != std::string::npos ||
          compiler_.knows(name) || taken(name)) {
        diag().error(value.text.where,
                     "'{}' cannot be a parameter of {}: it is no name, or has a meaning already",
                     name, owner_);
        continue;
      }
      const auto q = keys_.numbers().quantity(value);
      if (!q) continue;
      compiler_.quantity(name, q->dimension);
      list_.push_back({name, q->unit.empty() ? "-" : q->unit, q->value, "of the tire's formulas"});
      ++set_.parameters;
    }
  }
  // Names of other parameters of a wheel.
  [[nodiscard]] bool taken(std::string_view name) const {
    return name == "spin_inertia" || name == "shaft_inertia" ||
           std::ranges::any_of(list_, [&](const NativeParameter& p) { return p.name == name; });
  }

  void read_auxiliaries() {
    const DataSpec* data = keys_.find("auxiliaries");
    if (data == nullptr) return;
    for (const auto& [name, value] : data->entries) {
      if (name == "longitudinal_force" || name == "lateral_force")
        diag().error(value.text.where, "'{}' is a key of {} itself", name, owner_);
      else
        compiler_.auxiliary(name, value.text);
    }
  }

  void read_formula(const FormulaKey& f) {
    const DataSpec* data = f.required ? keys_.require(f.key, owner_) : keys_.find(f.key);
    if (data == nullptr) return;
    if (!f.instead.empty()) refuse(f.instead, fmt::format("'{}' says it", f.key));
    set_.*f.item = compiler_.formula(data->text, f.dimension);
  }

  void check_use() {
    for (const int slip :
         std::initializer_list<int>{Known::slip_x, Known::slip_y, Known::slip_angle})
      if (compiler_.uses(set_.R_e, slip)) {
        diag().error(place("rolling_radius"),
                     "the rolling radius cannot depend on a slip: slips are made with it");
        break;
      }
    const auto pressure = std::ranges::find(list_, "pressure", &NativeParameter::name);
    for (const int item : all())
      if (compiler_.uses(item, Known::pressure) && pressure->value == 0.0) {
        diag().error(keys_.where(), "'pressure' is missing: the formulas of {} ask for it", owner_);
        break;
      }
    for (const int item : all()) set_.angle = set_.angle || compiler_.uses(item, Known::slip_angle);
  }
  [[nodiscard]] std::vector<int> all() const {
    return {set_.F_x, set_.F_y, set_.limit_x, set_.limit_y, set_.M_x,
            set_.M_y, set_.M_z, set_.R_e,     set_.sigma_x, set_.sigma_y};
  }

  void cut_into_pieces() {
    const std::set<int> slips{Known::slip_x, Known::slip_y, Known::slip_angle};
    const std::vector<int> forces{set_.F_x, set_.F_y, set_.limit_x, set_.limit_y};
    std::vector<int> with_lengths = forces;
    with_lengths.insert(with_lengths.end(), {set_.sigma_x, set_.sigma_y});
    set_.before = compiler_.piece_before(with_lengths, slips);
    set_.only_x = compiler_.piece({set_.F_x}, slips);
    set_.only_y = compiler_.piece({set_.F_y}, slips);
    set_.both = compiler_.piece(forces, slips);
    set_.lengths = compiler_.piece({set_.sigma_x, set_.sigma_y}, slips);
    set_.moments = compiler_.piece({set_.M_x, set_.M_y, set_.M_z});
    set_.radius = compiler_.piece({set_.R_e});
  }

  void warn(const FormulaSet& set) {
    std::vector<double> values;
    for (const NativeParameter& p : list_) values.push_back(p.value);
    const std::span<const double> all(values);
    const auto p = from_values<tire::Params<double>>(all);
    const auto own = all.subspan(wheel_block::kTireParameters<double>);
    warn_of_broken_laws(p, {&set, own[0], own.subspan(1)},
                        {.whole = keys_.where(),
                         .F_x = place("longitudinal_force"),
                         .F_y = place("lateral_force"),
                         .M_y = place("rolling_moment"),
                         .M_z = place("aligning_moment"),
                         .R_e = place("rolling_radius")},
                        diag());
  }

  Keys& keys_;
  const std::string& owner_;
  std::vector<NativeParameter>& list_;
  FormulaCompiler compiler_;
  FormulaSet set_;
};

}  // namespace
}  // namespace formula_tire

std::optional<FromFormulas> read_formula_tire(Keys& keys, const std::string& owner,
                                              std::vector<NativeParameter>& list) {
  return formula_tire::FormulaReader(keys, owner, list).read();
}

std::vector<Key> formula_tire_rows() {
  using namespace formula_tire;
  std::vector<Key> rows{
      {"parameters", Form::assignments, "", false, "numbers that the formulas know by their names"},
      {"auxiliaries", Form::assignments, "", false,
       "formulas that those below and the others know by their names"}};
  for (const auto& list :
       {std::span<const FormulaKey>(kForces), std::span<const FormulaKey>(kMoments)})
    for (const FormulaKey& f : list)
      rows.push_back({f.key, Form::expression, f.unit, f.required, f.help});
  return joined(rows_of(kFormulaFields), rows);
}

}  // namespace chicane
