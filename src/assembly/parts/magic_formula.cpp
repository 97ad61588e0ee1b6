// SPDX-License-Identifier: Apache-2.0
#include "assembly/parts/magic_formula.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "assembly/parts/reading.hpp"
#include "vehicle/tire/magic_formula/evaluate.hpp"
#include "vehicle/tire/magic_formula/tir.hpp"
#include "vehicle/tire/relaxation.hpp"

namespace chicane {
namespace {

using tire::MagicCoefficients;
using tire::MagicVersion;
using Bound = Field::Bound;

constexpr Field kFields[] = {
    {"pressure", "Pa", "inflation", Bound::positive},
    {"road_friction", "-", "of the ground the coefficients belong to", Bound::positive, 1.0},
};

// Keys of the section that say the same, so that there is one place for each number.
constexpr std::string_view kElsewhere[] = {
    "UNLOADED_RADIUS",  "WIDTH", "INFLPRES", "VERTICAL_DAMPING", "LONGITUDINAL_STIFFNESS",
    "LATERAL_STIFFNESS"};

// --- from the file -------------------------------------------------------------------------------

DataSpec text_of(std::string text, const Location& where) {
  return {.kind = DataSpec::Kind::text, .text = {std::move(text), where}};
}

std::string_view fit_type(MagicVersion v) {
  return v == MagicVersion::v52 ? "52" : v == MagicVersion::v61 ? "61" : "62";
}

void warn(const tire::TirFile& t, const std::string& file, Diagnostics& diag) {
  if (!t.unknown.empty()) {
    std::vector<std::string> names;
    for (const auto& u : t.unknown) names.push_back(fmt::format("{} (line {})", u.key, u.line));
    diag.warning({file, t.unknown.front().line, ""}, "keys that mean nothing here: {}",
                 fmt::join(names, ", "));
  }
  if (t.use.contact > 1 || t.use.dynamics > 4)
    diag.warning({file, 0, "USE_MODE"},
                 "{} asks for: {}. The tire here meets the road in one point, with {}",
                 t.use.number, describe(t.use), t.belt ? "a rigid ring" : "relaxation");
}

// Frequency and damping ratio of each motion of the belt against the rim say its sidewalls; the
// residual springs are damped in proportion.
class BeltSection {
 public:
  BeltSection(const tire::TirBelt& b, const MagicCoefficients& k) : b_(b), k_(k) {
    k_r_ = stiffness(b.FREQ_LONG, b.BELT_MASS);
    k_y_ = stiffness(b.FREQ_LAT, b.BELT_MASS);
    k_t_ = stiffness(b.FREQ_YAW, b.BELT_IXX);
    k_w_ = stiffness(b.FREQ_WINDUP, b.BELT_IYY);
  }

  template <class Say>
  void say_ring(Say&& say) const {
    say("mass", b_.BELT_MASS, "kg");
    say("spin_inertia", b_.BELT_IYY, "kg m^2");
    say("cross_inertia", b_.BELT_IXX, "kg m^2");
    say("radial_stiffness", k_r_, "N/m");
    say("radial_damping", damping(b_.DAMP_LONG, k_r_, b_.BELT_MASS), "N s/m");
    say("lateral_stiffness", k_y_, "N/m");
    say("lateral_damping", damping(b_.DAMP_LAT, k_y_, b_.BELT_MASS), "N s/m");
    say("tilt_stiffness", k_t_, "N m/rad");
    say("tilt_damping", damping(b_.DAMP_YAW, k_t_, b_.BELT_IXX), "N m s/rad");
    say("windup_stiffness", k_w_, "N m/rad");
    say("windup_damping", damping(b_.DAMP_WINDUP, k_w_, b_.BELT_IYY), "N m s/rad");
  }
  // Of the patch.
  template <class Say>
  void say_damping(Say&& say) const {
    const double R = k_.UNLOADED_RADIUS, c_z = tire::magic::vertical_stiffness(k_);
    const auto residual = [&](double c, double give) {
      return b_.DAMP_RESIDUAL * tire::stiffer(c, give);
    };
    say("damping", residual(c_z, 1.0 / k_r_), "N s/m");
    if (b_.DAMP_RESIDUAL == 0.0) return;
    say("longitudinal_damping", residual(k_.LONGITUDINAL_STIFFNESS, 1.0 / k_r_ + R * R / k_w_),
        "N s/m");
    say("lateral_damping", residual(k_.LATERAL_STIFFNESS, 1.0 / k_y_ + R * R / k_t_), "N s/m");
  }

 private:
  static double stiffness(double frequency, double inertia) {
    const double w = 2.0 * std::numbers::pi * frequency;
    return w * w * inertia;
  }
  static double damping(double ratio, double k, double inertia) {
    return 2.0 * ratio * std::sqrt(k * inertia);
  }

  const tire::TirBelt& b_;
  const MagicCoefficients& k_;
  double k_r_, k_y_, k_t_, k_w_;
};

// --- from the section ----------------------------------------------------------------------------

std::optional<MagicVersion> version_of(const DataSpec* fit) {
  const std::string text = fit == nullptr ? "" : fit->text.text;
  for (const MagicVersion v : {MagicVersion::v52, MagicVersion::v61, MagicVersion::v62})
    if (text == fit_type(v)) return v;
  return std::nullopt;
}

class CoefficientReader {
 public:
  CoefficientReader(const DataSpec& data, Keys& keys) : data_(data), keys_(keys) {}

  // The common parameters have radius and width already.
  bool read(tire::MagicSet& set, tire::TirSigns signs, const std::vector<NativeParameter>& common) {
    const int before = diag().errors();
    const auto version = version_of(data_.find("FITTYP"));
    if (!version)
      diag().error(data_.text.where, "FITTYP is 52, 61 or 62: the version of the Magic Formula");
    set.k.version = version.value_or(MagicVersion::v61);
    for (const auto& [name, value] : data_.entries) take(name, value, set.k);
    set.k.UNLOADED_RADIUS = parameter(common, "radius");
    set.k.WIDTH = parameter(common, "width");
    set.k.INFLPRES = parameter(common, "pressure");
    find_missing(set.k);
    read_side(set, signs);
    read_mode(set);
    if (diag().errors() > before) return false;
    for (const tire::MagicFault& f : faults_in(set.k))
      diag().error(place_of(f.name), "{}: {}, and is {:g}", f.name, f.message,
                   set.k.*tire::find_magic_coefficient(f.name)->member);
    if (set.signs.stiffness() * set.k.PKY1 < 0.0)
      diag().error(place_of("PKY1"),
                   "PKY1 is {:g}: with signs: {} the lateral force would not oppose the slip; {} "
                   "would fit",
                   set.k.PKY1, tire::kTirSigns[static_cast<std::size_t>(signs)],
                   signs == tire::TirSigns::adapted_sae ? "iso" : "adapted-sae");
    return diag().errors() == before;
  }

 private:
  [[nodiscard]] Diagnostics& diag() const { return keys_.diagnostics(); }
  [[nodiscard]] Location place_of(std::string_view name) const {
    const DataSpec* value = data_.find(name);
    return value == nullptr ? data_.text.where : value->text.where;
  }
  static double parameter(const std::vector<NativeParameter>& list, std::string_view name) {
    return std::ranges::find(list, name, &NativeParameter::name)->value;
  }

  void take(const std::string& name, const DataSpec& value, MagicCoefficients& k) {
    if (name == "FITTYP" || name == "TYRESIDE" || name == "USE_MODE") return;
    const tire::MagicCoefficient* what = tire::find_magic_coefficient(name);
    if (what == nullptr || what->name != name) {
      std::vector<std::string_view> known;
      for (const auto& c : tire::magic_coefficients()) known.push_back(c.name);
      return diag().error(value.text.where, "'{}' is no coefficient of the Magic Formula{}", name,
                          did_you_mean(name, known));
    }
    if (std::ranges::find(kElsewhere, name) != std::end(kElsewhere))
      return diag().error(value.text.where,
                          "'{}' is said beside the coefficients: radius, width, pressure, damping, "
                          "longitudinal_stiffness or lateral_stiffness",
                          name);
    k.*what->member = keys_.numbers().number(value, dimensions::kNone);
  }

  void find_missing(const MagicCoefficients& k) const {
    for (const tire::MagicCoefficient& c : tire::magic_coefficients())
      if (c.required && c.belongs_to(k.version) && data_.find(c.name) == nullptr &&
          std::ranges::find(kElsewhere, c.name) == std::end(kElsewhere))
        diag().error(data_.text.where, "'{}' is missing: a Magic Formula tire needs it", c.name);
  }

  void read_side(tire::MagicSet& set, tire::TirSigns signs) const {
    const DataSpec* side = data_.find("TYRESIDE");
    const std::string text = side == nullptr ? "LEFT" : side->text.text;
    if (text != "LEFT" && text != "RIGHT")
      diag().error(side->text.where, "TYRESIDE is LEFT or RIGHT, not '{}'", text);
    set.signs = tire::MagicSigns::of(signs, text == "RIGHT");
  }

  void read_mode(tire::MagicSet& set) const {
    const DataSpec* mode = data_.find("USE_MODE");
    const double number = mode == nullptr ? 14.0 : keys_.numbers().number(*mode, dimensions::kNone);
    const bool whole = number >= 0.0 && number < 1e5 && number == std::floor(number);
    const auto use = whole ? tire::decode_use_mode(static_cast<int>(number)) : std::nullopt;
    if (!use)
      return diag().error(place_of("USE_MODE"), "USE_MODE {:g} is no mode, such as 14", number);
    set.x = use->forces != 0 && use->forces != 2;
    set.y = use->forces != 0 && use->forces != 1;
    set.combined = use->forces >= 4;
    set.turn_slip = use->forces == 5;
  }

  const DataSpec& data_;
  Keys& keys_;
};

}  // namespace

std::optional<DataSpec> tir_section(std::string_view text, const std::string& file,
                                    const Location& where, Diagnostics& diag) {
  const auto t = tire::read_tir(text, file, diag);
  if (!t) return std::nullopt;
  warn(*t, file, diag);
  const MagicCoefficients& k = t->k;
  DataSpec section{.kind = DataSpec::Kind::mapping, .text = {"", where}};
  const auto saying = [&](DataSpec& into) {
    return [&](std::string_view key, double value, std::string_view unit) {
      into.entries.emplace_back(
          key, text_of(fmt::format("{} {}", value, unit), {file, 0, std::string(key)}));
    };
  };
  const auto say = saying(section);
  section.entries.emplace_back("type", text_of("magic-formula", where));
  const double R = k.UNLOADED_RADIUS, q = tire::magic::vertical_stiffness(k) * R / k.FNOMIN;
  say("radius", R, "m");
  say("width", k.WIDTH, "m");
  say("pressure", k.INFLPRES, "Pa");
  // Besselink et al. 2010, (4): the slope that the curve has at the nominal load.
  say("stiffness", std::sqrt(q * q - 4.0 * k.Q_FZ2) * k.FNOMIN / R, "N/m");
  say("stiffness_growth", k.Q_FZ2 * k.FNOMIN / (R * R), "N/m^2");
  if (t->belt) {
    DataSpec ring{.kind = DataSpec::Kind::mapping, .text = {"", where}};
    const BeltSection belt(*t->belt, k);
    belt.say_damping(say);
    belt.say_ring(saying(ring));
    section.entries.emplace_back("ring", std::move(ring));
  } else {
    say("damping", k.VERTICAL_DAMPING, "N s/m");
  }
  if (k.BOTTOM_STIFF > 0.0 && k.RIM_RADIUS > 0.0 && k.RIM_RADIUS + k.BOTTOM_OFFST < R) {
    say("bottom_deflection", R - k.RIM_RADIUS - k.BOTTOM_OFFST, "m");
    say("bottom_stiffness", k.BOTTOM_STIFF, "N/m");
  }
  say("longitudinal_stiffness", k.LONGITUDINAL_STIFFNESS, "N/m");
  say("lateral_stiffness", k.LATERAL_STIFFNESS, "N/m");
  const tire::MagicPoint<double> nominal{k.FNOMIN, 0, 0, 0, 0, k.LONGVL, k.NOMPRES};
  const double half = 0.5 * tire::evaluate(k, nominal, {}).length;
  if (half > 0.0) say("trail_length", half, "m");

  DataSpec numbers{.kind = DataSpec::Kind::mapping, .text = {"", where}};
  const auto put = [&](std::string_view key, std::string value, int line) {
    numbers.entries.emplace_back(key, text_of(std::move(value), {file, line, std::string(key)}));
  };
  put("FITTYP", std::string(fit_type(k.version)), 0);
  put("TYRESIDE", t->side == tire::TirSide::right ? "RIGHT" : "LEFT", 0);
  put("USE_MODE", std::to_string(t->use.number), 0);
  for (const tire::TirFile::Given& g : t->given)
    if (std::ranges::find(kElsewhere, g.what->name) == std::end(kElsewhere))
      put(g.what->name, fmt::format("{}", g.value), g.line);
  section.entries.emplace_back("coefficients", std::move(numbers));
  return section;
}

std::optional<FromCoefficients> read_magic_formula(Keys& keys, const std::string& owner,
                                                   std::vector<NativeParameter>& list) {
  const auto own = read_fields(keys, kFields, owner);
  list.insert(list.end(), own.begin(), own.end());
  for (const std::string_view key : {"rolling_radius_weight", "camber_slip", "rolling_resistance",
                                     "rolling_onset", "overturning"})
    if (const DataSpec* value = keys.find(key))
      keys.diagnostics().error(value->text.where,
                               "{} has this in its coefficients; take the key out", owner);
  const auto signs =
      read_word(keys, "signs", {tire::kTirSigns.begin(), tire::kTirSigns.end()}, owner, false);
  const DataSpec* data = keys.require("coefficients", owner);
  if (data == nullptr || !signs) return std::nullopt;
  auto set = std::make_shared<tire::MagicSet>();
  if (!CoefficientReader(*data, keys).read(*set, static_cast<tire::TirSigns>(*signs), list))
    return std::nullopt;
  return FromCoefficients{std::move(set)};
}

std::vector<Key> magic_formula_rows() {
  return joined(rows_of(kFields),
                {{"signs", Form::choice, "iso|sae|adapted-sae", false,
                  "axes that the coefficients belong to; default iso"},
                 {"coefficients", Form::data, "", true,
                  "FITTYP (52, 61 or 62), TYRESIDE, USE_MODE and the coefficients by their names "
                  "in .tir files, in SI; `file: NAME.tir` brings them in"}});
}

}  // namespace chicane
