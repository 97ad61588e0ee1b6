// SPDX-License-Identifier: Apache-2.0
#include "math/unit_names.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <numbers>
#include <utility>
#include <vector>

#include "core/utf8.hpp"

namespace chicane::unit_names {
namespace {

using namespace dimensions;

// --- what is known --------------------------------------------------------------------------

// Exact by definition (international yard and pound, 1959; standard gravity, 1901), but for pi.
constexpr double kPi = std::numbers::pi;
constexpr NamedUnit kUnits[] = {
    {"m", {kLength}, true},
    {"g", {kMass, 1, 1000}, true},
    {"s", {kTime}, true},
    {"N", {kForce}, true},
    {"rad", {kNone}, true},
    {"Pa", {kPressure}, true},
    {"J", {kTorque}, true},
    {"W", {kPower}, true},
    {"Hz", {kRate}, true},
    {"V", {kVoltage}, true},
    {"A", {kCurrent}, true},
    {"K", {kTemperature}, true},
    {"bar", {kPressure, 100'000, 1}, true},
    {"l", {kVolume, 1, 1000}, true},
    {"t", {kMass, 1000, 1}},
    {"min", {kTime, 60, 1}},
    {"h", {kTime, 3600, 1}},
    {"deg", {kNone, kPi, 180}},
    {"rev", {kNone, 2 * kPi, 1}},
    {"rpm", {kRate, kPi, 30}},
    {"%", {kNone, 1, 100}},
    {"g0", {kAcceleration, 980'665, 100'000}},
    {"in", {kLength, 254, 10'000}},
    {"ft", {kLength, 3048, 10'000}},
    {"mi", {kLength, 1'609'344, 1000}},
    {"mph", {kSpeed, 44'704, 100'000}},
    {"lb", {kMass, 45'359'237, 100'000'000}},
    {"lbf", {kForce, 44'482'216'152'605, 1e13}},
    {"psi", {kPressure, 44'482'216'152'605, 6'451'600'000}},
};

struct Prefix {
  std::string_view name;
  double num, den;
};

constexpr Prefix kPrefixes[] = {
    {"k", 1e3, 1},      {"m", 1, 1e3},  {"c", 1, 1e2},      {"u", 1, 1e6}, {"n", 1, 1e9},
    {"p", 1, 1e12},     {"f", 1, 1e15}, {"d", 1, 1e1},      {"h", 1e2, 1}, {"M", 1e6, 1},
    {"G", 1e9, 1},      {"T", 1e12, 1}, {"\u00b5", 1, 1e6},  // the micro sign
    {"\u03bc", 1, 1e6},                                      // the Greek letter
};

struct Spelling {
  std::string_view wrong, right;
};

// Likely slips that edit distance would answer badly.
constexpr Spelling kSpellings[] = {
    {"Nm", "N m"},      {"kNm", "kN m"},    {"Nms", "N m s"},  {"Ns", "N s"},
    {"Wh", "W h"},      {"kWh", "kW h"},    {"kph", "km/h"},   {"kmh", "km/h"},
    {"meter", "m"},     {"metre", "m"},     {"meters", "m"},   {"metres", "m"},
    {"sec", "s"},       {"second", "s"},    {"seconds", "s"},  {"hr", "h"},
    {"hour", "h"},      {"hours", "h"},     {"minute", "min"}, {"minutes", "min"},
    {"newton", "N"},    {"kilogram", "kg"}, {"gram", "g"},     {"kelvin", "K"},
    {"degree", "deg"},  {"degrees", "deg"}, {"\u00b0", "deg"}, {"radian", "rad"},
    {"radians", "rad"}, {"inch", "in"},     {"foot", "ft"},    {"feet", "ft"},
    {"mile", "mi"},     {"miles", "mi"},    {"lbs", "lb"},     {"pound", "lb"},
    {"liter", "l"},     {"litre", "l"},     {"tonne", "t"},    {"ton", "t"},
    {"percent", "%"},   {"kmph", "km/h"},   {"watt", "W"},     {"joule", "J"},
    {"pascal", "Pa"},
};

constexpr std::string_view kOffsetScales[] = {"C",    "degC",    "\u00b0C", "\u2103",    "celsius",
                                              "degF", "\u00b0F", "Celsius", "fahrenheit"};

// --- the nearest name -----------------------------------------------------------------------

const NamedUnit* find_plain(std::string_view name) {
  const auto* found = std::ranges::find(kUnits, name, &NamedUnit::name);
  return found == std::end(kUnits) ? nullptr : found;
}

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

// Levenshtein distance in thirds: a letter in the wrong case is a third of an edit.
constexpr int kEdit = 3;
int edit_distance(std::string_view a, std::string_view b) {
  std::vector<int> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = kEdit * static_cast<int>(j);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    int diagonal = std::exchange(row[0], kEdit * static_cast<int>(i));
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const char p = a[i - 1], q = b[j - 1];
      const int change = p == q ? 0 : lower(p) == lower(q) ? 1 : kEdit;
      const int best = std::min({diagonal + change, row[j] + kEdit, row[j - 1] + kEdit});
      diagonal = std::exchange(row[j], best);
    }
  }
  return row[b.size()];
}

std::string nearest_unit(std::string_view name) {
  constexpr std::size_t kLongest = 8;
  if (name.size() > kLongest) return {};
  std::string best;
  int best_distance = kEdit * std::min(2, static_cast<int>(name.size()));  // this is too far
  const auto consider = [&](std::string candidate) {
    const int distance = edit_distance(name, candidate);
    if (distance >= best_distance) return;
    best_distance = distance;
    best = std::move(candidate);
  };
  for (const NamedUnit& unit : kUnits) consider(std::string(unit.name));
  for (const NamedUnit& unit : kUnits) {
    if (!unit.takes_prefix) continue;
    for (const Prefix& prefix : kPrefixes) {
      consider(std::string(prefix.name).append(unit.name));
    }
  }
  return best;
}

std::string suggestion(std::string_view name) {
  std::string small(name);
  std::ranges::transform(small, small.begin(), lower);
  for (const auto& [wrong, right] : kSpellings) {
    if (wrong == name || wrong == small) return std::string(right);
  }
  const std::size_t digits = name.find_last_not_of("0123456789") + 1;
  if (digits < name.size() && find_unit(name.substr(0, digits))) {
    return std::string(name.substr(0, digits)) + "^" + std::string(name.substr(digits));
  }
  return nearest_unit(name);
}

// --- text -----------------------------------------------------------------------------------

bool is_ascii(char c) { return static_cast<unsigned char>(c) < 0x80; }

}  // namespace

std::span<const NamedUnit> known_units() { return kUnits; }

std::vector<std::string_view> known_prefixes() {
  std::vector<std::string_view> list;
  for (const Prefix& prefix : kPrefixes) list.push_back(prefix.name);
  return list;
}

std::optional<Unit> find_unit(std::string_view name) {
  if (const NamedUnit* plain = find_plain(name)) return plain->unit;
  for (const Prefix& prefix : kPrefixes) {
    if (!name.starts_with(prefix.name)) continue;
    const NamedUnit* base = find_plain(name.substr(prefix.name.size()));
    if (base && base->takes_prefix) return Unit{kNone, prefix.num, prefix.den} * base->unit;
  }
  return std::nullopt;
}

std::string unknown_unit(std::string_view name) {
  if (std::ranges::find(kOffsetScales, name) != std::end(kOffsetScales)) {
    return quoted(name) +
           " is a temperature scale with an offset; use K (20 degrees Celsius are 293.15 K)";
  }
  std::string message = "unknown unit " + quoted(name);
  if (const std::string better = suggestion(name); !better.empty()) {
    return message + "; did you mean " + quoted(better) + "?";
  }
  if (!std::ranges::all_of(name, is_ascii)) {
    return message + "; write powers and products plainly, as in m^2 or N m";
  }
  message += "; known are";
  for (const NamedUnit& unit : kUnits) message.append(" ").append(unit.name);
  return message + " and SI prefixes";
}

std::string quoted(std::string_view text) {
  constexpr std::size_t kLongest = 40;
  std::string out = "'";
  while (!text.empty() && out.size() < kLongest) {
    const std::size_t length = utf8_length(text);
    const bool control = static_cast<unsigned char>(text.front()) < 0x20 || text.front() == 0x7f;
    if (length == 0 || control) {
      out += '?';
    } else {
      out += text.substr(0, length);
    }
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return out + (text.empty() ? "'" : "...'");
}

}  // namespace chicane::unit_names
