// SPDX-License-Identifier: Apache-2.0
#include "math/units.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <numeric>
#include <system_error>
#include <utility>

#include "math/unit_names.hpp"

namespace chicane {
namespace {

using namespace dimensions;
using unit_names::quoted;

// --- names of dimensions --------------------------------------------------------------------

// `unit` is given where the usual way to write it is not in base units.
struct NamedDimension {
  Dimension dimension;
  std::string_view quantity, unit = {};
};

constexpr NamedDimension kDimensions[] = {
    {kNone, "a plain number", "-"},
    {kLength, "a length"},
    {kArea, "an area"},
    {kVolume, "a volume"},
    {kNone / kLength, "a curvature (1/length)"},
    {kMass, "a mass"},
    {kDensity, "a density (mass/volume)"},
    {kInertia, "a moment of inertia"},
    {kTime, "a time"},
    {kRate, "an angular rate or frequency"},
    {kRate * kRate, "an angular acceleration (1/time^2)"},
    {kSpeed, "a speed"},
    {kAcceleration, "an acceleration"},
    {kAcceleration / kTime, "a jerk"},
    {kForce, "a force", "N"},
    {kTorque, "a torque or an energy", "N m"},
    {kPower, "a power", "W"},
    {kPressure, "a pressure", "Pa"},
    {kStiffness, "a stiffness (force/length)", "N/m"},
    {kDamping, "a damping (force/speed)", "N s/m"},
    {kRotationalDamping, "a rotational damping (torque/angular rate)", "N m s"},
    {kCurrent, "an electric current"},
    {kVoltage, "a voltage", "V"},
    {kTemperature, "a temperature"},
};

const NamedDimension* find_named(const Dimension& dimension) {
  const auto* found = std::ranges::find(kDimensions, dimension, &NamedDimension::dimension);
  return found == std::end(kDimensions) ? nullptr : found;
}

// --- arithmetic of units --------------------------------------------------------------------

// Keeps a scale such as 1000/1000 from costing a rounding.
Unit reduced(Unit u) {
  if (std::fmod(u.scale_num, u.scale_den) == 0.0) {
    u.scale_num /= u.scale_den;
    u.scale_den = 1.0;
  } else if (std::fmod(u.scale_den, u.scale_num) == 0.0) {
    u.scale_den /= u.scale_num;
    u.scale_num = 1.0;
  }
  return u;
}

// Repeated multiplication, because powers of ten stay exact that way up to 10^22.
double raised(double base, int num, int den) {
  if (den != 1) return std::pow(base, static_cast<double>(num) / den);
  double result = 1.0;
  for (int i = 0; i < num; ++i) result *= base;
  return result;
}

std::optional<Unit> unit_power(const Unit& x, int num, int den) {
  const auto dimension = power(x.dimension, num, den);
  if (!dimension) return std::nullopt;
  if (num < 0) {
    const auto positive = unit_power(x, -num, den);
    return positive ? std::optional(Unit{} / *positive) : std::nullopt;
  }
  return reduced({*dimension, raised(x.scale_num, num, den), raised(x.scale_den, num, den)});
}

bool in_range(const Unit& u) {
  constexpr int kMax = Dimension::kMaxExponent * Dimension::kTwelve;
  const auto usable = [](double scale) { return std::isnormal(scale) && scale > 0.0; };
  return usable(u.scale_num) && usable(u.scale_den) &&
         std::ranges::all_of(u.dimension.twelfths, [](int e) { return std::abs(e) <= kMax; });
}

// --- text -----------------------------------------------------------------------------------

bool is_blank(char c) { return c == ' ' || c == '\t'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_ascii(char c) { return static_cast<unsigned char>(c) < 0x80; }
bool starts_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '%' || !is_ascii(c);
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

// --- grammar --------------------------------------------------------------------------------

// Recursive descent over the grammar in the header.  The first fault is kept and ends the parse.
class UnitParser {
 public:
  explicit UnitParser(std::string_view text) : text_(text) {}

  std::variant<Unit, UnitError> parse() {
    auto unit = parse_product(0);
    if (unit && !at_end()) unit = fail("a ')' has no '(' before it");
    if (!unit) return UnitError{std::move(error_)};
    return *unit;
  }

 private:
  static constexpr int kMaxDepth = 16;

  std::optional<Unit> parse_product(int depth) {
    auto result = parse_factor(depth);
    while (result) {
      const bool blank = skip_blanks();
      if (at_end() || peek() == ')') break;
      const bool divide = take('/');
      if (!divide && !take('*') && !take('.') && !blank) {
        return fail("a blank, '*' or '/' is missing before " + quoted(rest()));
      }
      const auto factor = parse_factor(depth);
      if (!factor) return std::nullopt;
      result = divide ? *result / *factor : *result * *factor;
      if (!in_range(*result)) return fail("the unit " + quoted(text_) + " is out of range");
    }
    return result;
  }

  std::optional<Unit> parse_factor(int depth) {
    auto base = parse_base(depth);
    if (!base || !take('^')) return base;
    const auto exponent = parse_exponent();
    if (!exponent) return std::nullopt;
    const auto result = unit_power(*base, exponent->num, exponent->den);
    if (!result || !in_range(*result)) {
      return fail("the exponent in " + quoted(text_) + " gives no usable unit");
    }
    return result;
  }

  std::optional<Unit> parse_base(int depth) {
    skip_blanks();
    if (at_end()) return fail("the unit " + quoted(text_) + " ends where a name should follow");
    if (take('(')) return parse_group(depth);
    if (is_digit(peek())) return parse_one();
    if (starts_name(peek())) return parse_name();
    if (peek() == '/') return fail("nothing stands before '/'; write '1" + ascii_rest() + "'");
    return fail("unexpected " + quoted(rest()) + " in a unit");
  }

  std::optional<Unit> parse_group(int depth) {
    if (depth >= kMaxDepth) return fail("parentheses are nested too deeply in a unit");
    auto unit = parse_product(depth + 1);
    if (unit && !take(')')) return fail("a ')' is missing in " + quoted(text_));
    return unit;
  }

  std::optional<Unit> parse_one() {
    const std::size_t begin = at_;
    while (!at_end() && (is_digit(peek()) || (peek() == '.' && digit_at(at_ + 1)))) ++at_;
    const auto number = text_.substr(begin, at_ - begin);
    if (number == "1") return Unit{};
    return fail("the number " + quoted(number) + " stands inside a unit, where only 1 may");
  }

  std::optional<Unit> parse_name() {
    const std::size_t begin = at_;
    while (!at_end() && (starts_name(peek()) || is_digit(peek()))) ++at_;
    const auto name = text_.substr(begin, at_ - begin);
    const auto unit = unit_names::find_unit(name);
    return unit ? unit : fail(unit_names::unknown_unit(name));
  }

  struct Fraction {
    int num = 1, den = 1;
  };

  std::optional<Fraction> parse_exponent() {
    const bool grouped = take('(');
    const auto num = parse_integer();
    const auto den = grouped && num && take('/') ? parse_integer() : std::optional(1);
    const bool closed = !grouped || take(')');
    const bool decimal = !at_end() && peek() == '.' && digit_at(at_ + 1);
    const bool usable = num && den && *den > 0 && std::abs(*num) <= Dimension::kMaxExponent * *den;
    if (usable && closed && !decimal) return Fraction{*num, *den};
    fail("the exponent in " + quoted(text_) +
         " must be an integer up to 24 or a fraction such as ^(1/2)");
    return std::nullopt;
  }

  std::optional<int> parse_integer() {
    int value = 0;
    const auto [end, fault] =
        std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
    if (fault != std::errc{}) return std::nullopt;
    at_ = static_cast<std::size_t>(end - text_.data());
    constexpr int kMax = Dimension::kMaxExponent * Dimension::kTwelve;  // a numerator, at most
    return value >= -kMax && value <= kMax ? std::optional(value) : std::nullopt;
  }

  bool at_end() const { return at_ == text_.size(); }
  char peek() const { return text_[at_]; }
  bool digit_at(std::size_t i) const { return i < text_.size() && is_digit(text_[i]); }
  std::string_view rest() const { return text_.substr(at_); }

  // The rest without its quotes, for a hint that continues it.
  std::string ascii_rest() const {
    const std::string text = quoted(rest());
    return text.substr(1, text.size() - 2);
  }

  bool take(char c) {
    if (at_end() || peek() != c) return false;
    ++at_;
    return true;
  }

  bool skip_blanks() {
    const std::size_t begin = at_;
    while (!at_end() && is_blank(peek())) ++at_;
    return at_ != begin;
  }

  std::nullopt_t fail(std::string message) {
    if (error_.empty()) error_ = std::move(message);
    return std::nullopt;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::string error_;
};

// One factor of a coherent unit, "m^2" or "s^(1/2)"; `twelfths` is positive.
std::string factor_text(std::string_view symbol, int twelfths) {
  std::string text(symbol);
  if (twelfths == Dimension::kTwelve) return text;
  const int common = std::gcd(twelfths, Dimension::kTwelve);
  const std::string num = std::to_string(twelfths / common);
  const int den = Dimension::kTwelve / common;
  return text + "^" + (den == 1 ? num : "(" + num + "/" + std::to_string(den) + ")");
}

}  // namespace

std::optional<Dimension> power(const Dimension& x, int num, int den) {
  if (den == 0) return std::nullopt;
  constexpr std::int64_t kMax = Dimension::kMaxExponent * Dimension::kTwelve;
  Dimension result;
  for (std::size_t i = 0; i < x.twelfths.size(); ++i) {
    const std::int64_t scaled = std::int64_t{x.twelfths[i]} * num;
    if (scaled % den != 0 || std::abs(scaled / den) > kMax) return std::nullopt;
    result.twelfths[i] = static_cast<int>(scaled / den);
  }
  return result;
}

Unit operator*(const Unit& x, const Unit& y) {
  return reduced({x.dimension * y.dimension, x.scale_num * y.scale_num, x.scale_den * y.scale_den});
}

Unit operator/(const Unit& x, const Unit& y) {
  return reduced({x.dimension / y.dimension, x.scale_num * y.scale_den, x.scale_den * y.scale_num});
}

std::variant<Unit, UnitError> parse_unit(std::string_view text) {
  text = trimmed(text);
  if (text.empty() || text == "-") return Unit{};
  return UnitParser(text).parse();
}

std::variant<Quantity, UnitError> parse_quantity(std::string_view text) {
  text = trimmed(text);
  const auto refuse = [&](std::string_view why) {
    return UnitError{quoted(text).append(" ").append(why)};
  };

  // from_chars knows no '+' but does know "inf" and "nan", which no file may hold.
  std::string_view digits = text;
  if (digits.starts_with('+')) digits.remove_prefix(1);
  const std::string_view unsigned_digits =
      digits.starts_with('-') && digits == text ? digits.substr(1) : digits;
  if (unsigned_digits.empty() || !(is_digit(unsigned_digits[0]) || unsigned_digits[0] == '.')) {
    return refuse("does not begin with a number");
  }
  double number = 0.0;
  const auto [end, fault] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (fault == std::errc::result_out_of_range) return refuse("is out of range");
  if (fault != std::errc{}) return refuse("does not begin with a number");

  const auto unit_text = digits.substr(static_cast<std::size_t>(end - digits.data()));
  if (unit_text.starts_with('-')) return refuse("needs a blank between number and unit");
  if (unit_text.starts_with(',')) return refuse("has a comma; write a decimal point, as in 1.5 m");
  if (unit_text.find_first_of("*+(") == 0)
    return refuse("is a formula; a number with its unit is needed here");
  auto parsed = parse_unit(unit_text);
  if (auto* error = std::get_if<UnitError>(&parsed)) return std::move(*error);
  const Unit& unit = std::get<Unit>(parsed);
  const double value = unit.to_si(number);
  if (!std::isfinite(value) || (value == 0.0 && number != 0.0)) return refuse("is out of range");
  return Quantity{value, unit.dimension, std::string(trimmed(unit_text))};
}

std::string to_string(const Dimension& dimension) {
  if (const auto* named = find_named(dimension); named && !named->unit.empty()) {
    return std::string(named->unit);
  }
  struct Base {
    std::string_view symbol;
    std::size_t index;
  };
  constexpr Base kOrder[] = {{"kg", 1}, {"m", 0}, {"s", 2}, {"A", 3}, {"K", 4}};
  std::string above, below;
  for (const auto& [symbol, index] : kOrder) {
    const int e = dimension.twelfths[index];
    if (e > 0) above.append(above.empty() ? "" : " ").append(factor_text(symbol, e));
    if (e < 0) below.append("/").append(factor_text(symbol, -e));
  }
  return (above.empty() ? "1" : above) + below;
}

std::string quantity_name(const Dimension& dimension) {
  const auto* named = find_named(dimension);
  return named ? std::string(named->quantity) : to_string(dimension);
}

}  // namespace chicane
