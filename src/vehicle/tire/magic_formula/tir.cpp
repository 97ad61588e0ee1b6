// SPDX-License-Identifier: Apache-2.0
#include "vehicle/tire/magic_formula/tir.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>
#include <numbers>

namespace chicane::tire {
namespace {

constexpr int kMostFaults = 20;

// --- lines ---------------------------------------------------------------------------------------

struct Entry {
  std::string section, key, text;
  bool quoted = false;
  int line = 0;
};

std::string_view trimmed(std::string_view s) {
  const auto blank = [](char c) { return c == ' ' || c == '\t' || c == '\r'; };
  while (!s.empty() && blank(s.front())) s.remove_prefix(1);
  while (!s.empty() && blank(s.back())) s.remove_suffix(1);
  return s;
}

std::string upper(std::string_view s) {
  std::string u(s);
  for (char& c : u)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  return u;
}

// What stands before a comment; signs within quotes begin none.
std::string_view without_comment(std::string_view line) {
  char quote = 0;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (quote != 0 ? c == quote : c == '\'' || c == '"')
      quote = quote != 0 ? 0 : c;
    else if (quote == 0 && (c == '$' || c == '!'))
      return line.substr(0, i);
  }
  return line;
}

bool is_word(std::string_view s) {
  return !s.empty() && std::ranges::all_of(s, [](char c) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-' || c == '.';
  });
}

// Fortran writes 1.5D-3.
std::optional<double> number_of(std::string_view text) {
  std::string s(text);
  std::ranges::replace(s, 'D', 'E');
  std::ranges::replace(s, 'd', 'e');
  const char* first = s.data() + (s.starts_with('+') ? 1 : 0);
  double value = 0.0;
  const auto [at, error] = std::from_chars(first, s.data() + s.size(), value);
  if (error != std::errc{} || at != s.data() + s.size()) return std::nullopt;
  return value;
}

class Lines {
 public:
  Lines(std::string_view text, const std::string& file, Diagnostics& diag)
      : text_(text), file_(file), diag_(diag) {}

  std::vector<Entry> read() {
    for (int line = 1; !text_.empty() && faults_ < kMostFaults; ++line) {
      const std::size_t end = std::min(text_.find('\n'), text_.size());
      take(text_.substr(0, end), line);
      text_.remove_prefix(std::min(end + 1, text_.size()));
    }
    if (faults_ == kMostFaults) diag_.error({file_, 0, ""}, "further faults are not listed");
    return std::move(entries_);
  }

 private:
  template <class... Args>
  void fault(int line, const std::string& key, fmt::format_string<Args...> text, Args&&... args) {
    ++faults_;
    diag_.error({file_, line, key}, text, std::forward<Args>(args)...);
  }

  void take(std::string_view raw, int line) {
    const auto control = [](char c) {
      const auto u = static_cast<unsigned char>(c);
      return u == 127 || (u < 32 && c != '\t' && c != '\r');
    };
    if (std::ranges::any_of(raw, control)) {
      fault(line, "", "this is no text: a .tir file has lines KEY = VALUE in sections [NAME]");
      text_ = {};
      return;
    }
    const std::string_view s = trimmed(without_comment(raw));
    if (s.empty()) return;
    if (s.front() == '[') return open_section(s, line);
    if (s.front() == '{') {
      table_ = true;
      return;
    }
    if (table_) return;
    const std::size_t equals = s.find('=');
    if (equals == std::string_view::npos || !is_word(trimmed(s.substr(0, equals))))
      return fault(line, section_, "this line is no KEY = VALUE; a comment begins with $ or !");
    const std::string key = upper(trimmed(s.substr(0, equals)));
    if (section_.empty())
      return fault(line, key, "it stands in no section; a line [NAME] begins one");
    std::string_view value = trimmed(s.substr(equals + 1));
    Entry e{.section = section_, .key = key, .text = {}, .quoted = false, .line = line};
    if (!value.empty() && (value.front() == '\'' || value.front() == '"')) {
      if (value.size() < 2 || value.back() != value.front())
        return fault(line, key, "its quotes do not close");
      e.quoted = true;
      value = trimmed(value.substr(1, value.size() - 2));
    }
    if (value.empty() && !e.quoted)
      return fault(line, key, "it has no value; give one or take the line out");
    e.text = std::string(value);
    const auto [first, fresh] = lines_.try_emplace(section_ + "." + key, line);
    if (!fresh) return fault(line, key, "it stands here and in line {}; keep one", first->second);
    entries_.push_back(std::move(e));
  }

  void open_section(std::string_view s, int line) {
    table_ = false;
    if (s.back() != ']' || !is_word(trimmed(s.substr(1, s.size() - 2))))
      return fault(line, "", "a section is a line [NAME]");
    section_ = upper(trimmed(s.substr(1, s.size() - 2)));
  }

  std::string_view text_;
  const std::string& file_;
  Diagnostics& diag_;
  std::vector<Entry> entries_;
  std::map<std::string, int> lines_;
  std::string section_;
  bool table_ = false;
  int faults_ = 0;
};

// --- units ---------------------------------------------------------------------------------------

struct UnitName {
  std::string_view quantity, name;
  double si;
};
constexpr double kInch = 0.0254, kFoot = 0.3048, kPound = 0.45359237, kGravity = 9.80665;
constexpr UnitName kUnits[] = {{"LENGTH", "METER", 1},
                               {"LENGTH", "M", 1},
                               {"LENGTH", "MM", 1e-3},
                               {"LENGTH", "CM", 1e-2},
                               {"LENGTH", "KM", 1e3},
                               {"LENGTH", "INCH", kInch},
                               {"LENGTH", "IN", kInch},
                               {"LENGTH", "FOOT", kFoot},
                               {"LENGTH", "FT", kFoot},
                               {"LENGTH", "MILE", 5280 * kFoot},
                               {"FORCE", "NEWTON", 1},
                               {"FORCE", "N", 1},
                               {"FORCE", "KILONEWTON", 1e3},
                               {"FORCE", "KN", 1e3},
                               {"FORCE", "KILOPOUND_FORCE", 1e3 * kPound* kGravity},
                               {"FORCE", "POUND_FORCE", kPound* kGravity},
                               {"FORCE", "POUND", kPound* kGravity},
                               {"FORCE", "LBF", kPound* kGravity},
                               {"FORCE", "KG_FORCE", kGravity},
                               {"FORCE", "KGF", kGravity},
                               {"FORCE", "DYNE", 1e-5},
                               {"ANGLE", "RADIAN", 1},
                               {"ANGLE", "RAD", 1},
                               {"ANGLE", "DEGREE", std::numbers::pi / 180},
                               {"ANGLE", "DEG", std::numbers::pi / 180},
                               {"MASS", "KG", 1},
                               {"MASS", "KILOGRAM", 1},
                               {"MASS", "GRAM", 1e-3},
                               {"MASS", "G", 1e-3},
                               {"MASS", "TONNE", 1e3},
                               {"MASS", "POUND_MASS", kPound},
                               {"MASS", "LBM", kPound},
                               {"MASS", "SLUG", kPound* kGravity / kFoot},
                               {"TIME", "SECOND", 1},
                               {"TIME", "SEC", 1},
                               {"TIME", "S", 1},
                               {"TIME", "MILLISECOND", 1e-3},
                               {"TIME", "MS", 1e-3},
                               {"TIME", "MINUTE", 60},
                               {"TIME", "HOUR", 3600},
                               {"PRESSURE", "PASCAL", 1},
                               {"PRESSURE", "PA", 1},
                               {"PRESSURE", "KPA", 1e3},
                               {"PRESSURE", "KILOPASCAL", 1e3},
                               {"PRESSURE", "MPA", 1e6},
                               {"PRESSURE", "MEGAPASCAL", 1e6},
                               {"PRESSURE", "BAR", 1e5},
                               {"PRESSURE", "PSI", kPound* kGravity / (kInch * kInch)},
                               {"PRESSURE", "KSI", 1e3 * kPound* kGravity / (kInch * kInch)}};

struct Units {
  double length = 1, force = 1, angle = 1, mass = 1, time = 1;
  std::optional<double> pressure;

  double* of(std::string_view quantity) {
    if (quantity == "LENGTH") return &length;
    if (quantity == "FORCE") return &force;
    if (quantity == "ANGLE") return &angle;
    if (quantity == "MASS") return &mass;
    if (quantity == "TIME") return &time;
    return quantity == "PRESSURE" ? &pressure.emplace(1.0) : nullptr;
  }
  [[nodiscard]] double factor(TirKind kind) const {
    switch (kind) {
      case TirKind::angle:
        return angle;
      case TirKind::length:
        return length;
      case TirKind::speed:
        return length / time;
      case TirKind::force:
        return force;
      case TirKind::stiffness:
        return force / length;
      case TirKind::damping:
        return force * time / length;
      case TirKind::pressure:
        return pressure.value_or(force / (length * length));
      case TirKind::per_length:
        return 1.0 / length;
      case TirKind::per_area:
        return 1.0 / (length * length);
      default:
        return 1.0;
    }
  }
};

// --- keys that are no coefficients ---------------------------------------------------------------

// Of the belt, read where the mode asks for it.
struct BeltKey {
  std::string_view name;
  double TirBelt::*member;
  enum class Of { mass, inertia, frequency, ratio, time } of;
};
constexpr BeltKey kBelt[] = {{"BELT_MASS", &TirBelt::BELT_MASS, BeltKey::Of::mass},
                             {"BELT_IXX", &TirBelt::BELT_IXX, BeltKey::Of::inertia},
                             {"BELT_IYY", &TirBelt::BELT_IYY, BeltKey::Of::inertia},
                             {"FREQ_LONG", &TirBelt::FREQ_LONG, BeltKey::Of::frequency},
                             {"FREQ_LAT", &TirBelt::FREQ_LAT, BeltKey::Of::frequency},
                             {"FREQ_YAW", &TirBelt::FREQ_YAW, BeltKey::Of::frequency},
                             {"FREQ_WINDUP", &TirBelt::FREQ_WINDUP, BeltKey::Of::frequency},
                             {"DAMP_LONG", &TirBelt::DAMP_LONG, BeltKey::Of::ratio},
                             {"DAMP_LAT", &TirBelt::DAMP_LAT, BeltKey::Of::ratio},
                             {"DAMP_YAW", &TirBelt::DAMP_YAW, BeltKey::Of::ratio},
                             {"DAMP_WINDUP", &TirBelt::DAMP_WINDUP, BeltKey::Of::ratio},
                             {"DAMP_RESIDUAL", &TirBelt::DAMP_RESIDUAL, BeltKey::Of::time}};

// Known, and for models that are not here: enveloping of obstacles, motorcycles, Adams's own
// solver. A * stands for any end.
constexpr std::string_view kUnused[] = {"MDI_HEADER.*",
                                        "FILE_*",
                                        "USER_SUB_ID",
                                        "N_TIRE_STATES",
                                        "ROAD_*",
                                        "HMAX_LOCAL",
                                        "TIME_SWITCH_INTEG",
                                        "SWITCH_INTEG",
                                        "FUNCTION_NAME",
                                        "BELT_*",
                                        "CONTACT_MODEL",
                                        "MASS",
                                        "IXX",
                                        "IYY",
                                        "GRAVITY",
                                        "MC_CONTOUR_*",
                                        "RIM_WIDTH",
                                        "YAW_STIFFNESS",
                                        "FREQ_*",
                                        "DAMP_*",
                                        "Q_BV*",
                                        "PCMZ1",
                                        "ELLIPS_*",
                                        "ENV_*",
                                        "Q_CAM",
                                        "BOTTOMING_RADIUS",
                                        "DYNAMIC_*",
                                        "LGYR",
                                        "LIP",
                                        "QTZ1",
                                        "MBELT",
                                        "TYPE",
                                        "NAME",
                                        "MANUFACTURER",
                                        "NOM_SECTION_WIDTH",
                                        "NOM_ASPECT_RATIO",
                                        "INFLATION_PRESSURE",
                                        "RATIO"};

bool is_unused(std::string_view section, std::string_view key) {
  return std::ranges::any_of(kUnused, [&](std::string_view pattern) {
    if (const std::size_t dot = pattern.find('.'); dot != std::string_view::npos)
      return section == pattern.substr(0, dot);
    return pattern.ends_with('*') ? key.starts_with(pattern.substr(0, pattern.size() - 1))
                                  : key == pattern;
  });
}

// --- the file ------------------------------------------------------------------------------------

class Reader {
 public:
  Reader(std::vector<Entry> entries, const std::string& file, Diagnostics& diag)
      : entries_(std::move(entries)), file_(file), diag_(diag) {}

  std::optional<TirFile> read() {
    const int before = diag_.errors();
    read_units();
    read_model();
    if (diag_.errors() > before) return std::nullopt;
    for (const Entry& e : entries_)
      if (e.section != "UNITS" && e.section != "MODEL") take(e);
    for (const Entry& e : entries_)
      if (e.section == "MODEL" && !is_word_of_model(e.key)) take(e);
    find_missing();
    if (t_.use.dynamics == 3 || t_.use.dynamics == 4) read_belt();
    if (diag_.errors() > before) return std::nullopt;
    for (const MagicFault& f : faults_in(t_.k))
      diag_.error({file_, line_of(f.name), std::string(f.name)}, "{}, and is {:g}", f.message,
                  t_.k.*find_magic_coefficient(f.name)->member);
    if (diag_.errors() > before) return std::nullopt;
    return std::move(t_);
  }

 private:
  [[nodiscard]] Location at(const Entry& e) const { return {file_, e.line, e.key}; }
  [[nodiscard]] const Entry* find(std::string_view section, std::string_view key) const {
    for (const Entry& e : entries_)
      if (e.section == section && e.key == key) return &e;
    return nullptr;
  }
  static bool is_word_of_model(std::string_view key) {
    return key == "FITTYP" || key == "TYRESIDE" || key == "PROPERTY_FILE_FORMAT" ||
           key == "USE_MODE";
  }

  void read_units() {
    bool any = false;
    for (const Entry& e : entries_) {
      if (e.section != "UNITS") continue;
      any = true;
      double* factor = units_.of(e.key);
      if (factor == nullptr) {
        t_.unknown.push_back({e.key, e.line});
        continue;
      }
      std::string name = upper(e.text);
      if (name.size() > 3 && name.ends_with('S')) name.pop_back();  // meters, radians
      const auto* unit = std::ranges::find_if(kUnits, [&](const UnitName& u) {
        return u.quantity == e.key && (u.name == name || u.name == upper(e.text));
      });
      if (unit == std::end(kUnits)) {
        diag_.error(at(e), "the unit '{}' is not known; in SI it is {}", e.text, si_name(e.key));
        continue;
      }
      *factor = unit->si;
      t_.units.push_back(fmt::format("{} {}", e.key, e.text));
    }
    if (!any)
      diag_.error({file_, 0, "[UNITS]"},
                  "the section is missing: without LENGTH, FORCE, ANGLE, MASS and TIME nobody "
                  "knows what the numbers are");
  }
  static std::string_view si_name(std::string_view quantity) {
    for (const UnitName& u : kUnits)
      if (u.quantity == quantity && u.si == 1.0) return u.name;
    return "";
  }

  void read_model() {
    if (const Entry* e = find("MODEL", "PROPERTY_FILE_FORMAT")) t_.format = upper(e->text);
    read_version();
    if (const Entry* e = find("MODEL", "TYRESIDE")) {
      const std::string side = upper(e->text);
      t_.says_side = true;
      t_.side = side == "RIGHT" ? TirSide::right : TirSide::left;
      if (side != "RIGHT" && side != "LEFT" && side != "SYMMETRIC")
        diag_.error(at(*e), "it is 'LEFT' or 'RIGHT', not '{}'", e->text);
      if (side == "SYMMETRIC") t_.says_side = false;
    }
    if (const Entry* e = find("MODEL", "USE_MODE")) {
      const auto number = number_of(e->text);
      const bool whole = number && *number >= 0 && *number < 1e5 && *number == std::floor(*number);
      const auto use = whole ? decode_use_mode(static_cast<int>(*number)) : std::nullopt;
      if (use)
        t_.use = *use;
      else
        diag_.error(at(*e),
                    "'{}' is no mode: hundreds 0 to 5 (contact), tens 0 to 5 (dynamics), ones 0 to "
                    "5 (forces), such as 14",
                    e->text);
    }
  }

  void read_version() {
    const Entry* e = find("MODEL", "FITTYP");
    const auto number = e == nullptr ? std::nullopt : number_of(e->text);
    if (e != nullptr && number) {
      for (const double old : {5.0, 6.0, 21.0, 51.0, 52.0})
        if (*number == old) t_.k.version = MagicVersion::v52;
      if (*number == 62.0) t_.k.version = MagicVersion::v62;
      if (*number == 5.0 || *number == 6.0 || *number == 21.0 || *number == 51.0 ||
          *number == 52.0 || *number == 61.0 || *number == 62.0)
        return;
    }
    if (e != nullptr)
      return diag_.error(at(*e),
                         "'{}' is no version that can be read: 5, 6, 21, 51 and 52 are Magic "
                         "Formula 5.2, 61 is 6.1, 62 is 6.2",
                         e->text);
    for (const std::string_view old : {"PAC2002", "PACEJKA2002", "MF_05", "MF-TYRE", "MF05"})
      if (t_.format == old) {
        t_.k.version = MagicVersion::v52;
        return;
      }
    diag_.error({file_, 0, "[MODEL] FITTYP"},
                "it is missing: 52, 61 or 62 says which Magic Formula the coefficients belong to");
  }

  void take(const Entry& e) {
    const MagicCoefficient* what = find_magic_coefficient(e.key);
    if (what == nullptr) {
      (is_unused(e.section, e.key) ? t_.unused : t_.unknown).push_back({e.key, e.line});
      return;
    }
    const auto number = number_of(e.text);
    if (!number || !std::isfinite(*number))
      return diag_.error(at(e), "'{}' is not a finite number", e.text);
    for (const TirFile::Given& g : t_.given)
      if (g.what == what)
        return diag_.error(at(e), "line {} says {} already; keep one", g.line, what->name);
    const double value = *number * units_.factor(what->kind);
    if (!std::isfinite(value)) return diag_.error(at(e), "'{}' is too large in SI", e.text);
    t_.k.*what->member = value;
    t_.given.push_back({what, value, e.line});
  }

  // Mass, inertias and frequencies must be there, and positive; damping has defaults.
  void read_belt() {
    TirBelt& belt = t_.belt.emplace();
    for (const BeltKey& k : kBelt) {
      const auto e = std::ranges::find(entries_, k.name, &Entry::key);
      const bool needed = k.of != BeltKey::Of::ratio && k.of != BeltKey::Of::time;
      if (e == entries_.end()) {
        if (needed)
          diag_.error({file_, 0, std::string(k.name)},
                      "it is missing, and USE_MODE {} asks for the belt as a rigid ring; 14 does "
                      "without",
                      t_.use.number);
        else
          t_.missing.emplace_back(k.name);
        continue;
      }
      std::erase_if(t_.unused, [&](const TirFile::Other& o) { return o.key == k.name; });
      const auto number = number_of(e->text);
      if (!number || !std::isfinite(*number) || *number < 0.0 || (needed && *number == 0.0)) {
        diag_.error(at(*e), "it is a {} number, not '{}'", needed ? "positive" : "not negative",
                    e->text);
        continue;
      }
      belt.*k.member = *number * factor_of(k.of);
    }
  }
  [[nodiscard]] double factor_of(BeltKey::Of of) const {
    switch (of) {
      case BeltKey::Of::mass:
        return units_.mass;
      case BeltKey::Of::inertia:
        return units_.mass * units_.length * units_.length;
      case BeltKey::Of::frequency:
        return 1.0 / units_.time;
      case BeltKey::Of::time:
        return units_.time;
      default:
        return 1.0;
    }
  }

  [[nodiscard]] int line_of(std::string_view name) const {
    for (const TirFile::Given& g : t_.given)
      if (g.what->name == name) return g.line;
    return 0;
  }

  void find_missing() {
    std::string_view blamed;
    for (const MagicCoefficient& c : magic_coefficients()) {
      if (!c.belongs_to(t_.k.version) || line_of(c.name) != 0) continue;
      if (!c.required) {
        t_.missing.emplace_back(c.name);
        continue;
      }
      const bool section =
          std::ranges::any_of(entries_, [&](const Entry& e) { return e.section == c.section; });
      if (!section && blamed != c.section)
        diag_.error({file_, 0, fmt::format("[{}]", c.section)},
                    "the section is missing; it has {} and others", c.name);
      else if (section)
        diag_.error({file_, 0, fmt::format("[{}] {}", c.section, c.name)},
                    "it is missing, and there is no default for it");
      blamed = c.section;
    }
    if (line_of("INFLPRES") == 0) t_.k.INFLPRES = t_.k.NOMPRES;
    warn_of_common_weights();
  }

  // Files of pure slip alone have no weights of combined slip; forces without any would pass the
  // friction together.
  void warn_of_common_weights() {
    std::string taken;
    for (const std::string_view name : {"RBX1", "RBX2", "RCX1", "RBY1", "RBY2", "RCY1"})
      if (line_of(name) == 0)
        taken += fmt::format("{}{} {:g}", taken.empty() ? "" : ", ", name,
                             t_.k.*find_magic_coefficient(name)->member);
    if (!taken.empty())
      diag_.warning({file_, 0, "combined slip"},
                    "weights that the file does not have are those of a common tire: {}", taken);
  }

  std::vector<Entry> entries_;
  const std::string& file_;
  Diagnostics& diag_;
  Units units_;
  TirFile t_;
};

}  // namespace

std::optional<TirUseMode> decode_use_mode(int number) {
  const TirUseMode use{.number = number,
                       .contact = number / 100 % 10,
                       .dynamics = number / 10 % 10,
                       .forces = number % 10};
  if (number < 0 || number >= 10000 || use.contact > 5 || use.dynamics > 5 || use.forces > 5)
    return std::nullopt;
  return use;
}

std::string describe(const TirUseMode& use) {
  constexpr std::array kContact{"smooth road",
                                "smooth road",
                                "smooth road, circular cross section",
                                "moving road, circular cross section",
                                "enveloping, one track",
                                "enveloping, several tracks"};
  constexpr std::array kDynamics{"steady",
                                 "relaxation",
                                 "relaxation that shortens with slip",
                                 "rigid ring",
                                 "rigid ring, settled at the start",
                                 "advanced transient"};
  constexpr std::array kForces{"load alone",           "longitudinal forces alone",
                               "lateral forces alone", "both forces, each by itself",
                               "combined forces",      "combined forces and turn slip"};
  const auto word = [](const auto& list, int i) { return list[static_cast<std::size_t>(i)]; };
  return fmt::format("{}; {}; {}", word(kContact, use.contact), word(kDynamics, use.dynamics),
                     word(kForces, use.forces));
}

std::optional<TirFile> read_tir(std::string_view text, const std::string& file, Diagnostics& diag) {
  if (text.size() > kMostTirBytes) {
    diag.error({file, 0, ""}, "a .tir file has at most {} bytes, this one {}: is it one?",
               kMostTirBytes, text.size());
    return std::nullopt;
  }
  const int before = diag.errors();
  auto entries = Lines(text, file, diag).read();
  if (diag.errors() > before) return std::nullopt;
  if (entries.empty()) {
    diag.error({file, 0, ""}, "there is nothing in it: a .tir file has lines KEY = VALUE");
    return std::nullopt;
  }
  return Reader(std::move(entries), file, diag).read();
}

}  // namespace chicane::tire
