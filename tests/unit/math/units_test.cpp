// SPDX-License-Identifier: Apache-2.0
#include "math/units.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <limits>
#include <numbers>
#include <random>
#include <string>
#include <vector>

namespace chicane::units_test {
namespace {

using namespace dimensions;

Unit unit(std::string_view text) {
  const auto parsed = parse_unit(text);
  const auto* error = std::get_if<UnitError>(&parsed);
  EXPECT_EQ(error, nullptr) << text << ": " << (error ? error->message : "");
  return error ? Unit{} : std::get<Unit>(parsed);
}

Quantity quantity(std::string_view text) {
  const auto parsed = parse_quantity(text);
  const auto* error = std::get_if<UnitError>(&parsed);
  EXPECT_EQ(error, nullptr) << text << ": " << (error ? error->message : "");
  return error ? Quantity{} : std::get<Quantity>(parsed);
}

template <class Parsed>
std::string error_of(const Parsed& parsed) {
  const auto* error = std::get_if<UnitError>(&parsed);
  return error ? error->message : "";
}
std::string unit_error(std::string_view text) { return error_of(parse_unit(text)); }
std::string quantity_error(std::string_view text) { return error_of(parse_quantity(text)); }

#define EXPECT_HAS(text, part) EXPECT_NE((text).find(part), std::string::npos) << (text)

void expect_same(const Unit& x, const Unit& y, std::string_view what) {
  EXPECT_EQ(x.dimension, y.dimension) << what;
  // a handful of roundings in building the two scales
  const double eps = std::numeric_limits<double>::epsilon();
  EXPECT_NEAR(x.to_si(1.0) / y.to_si(1.0), 1.0, 8 * eps) << what;
}

// --- dimensions -----------------------------------------------------------------------------

TEST(Dimension, FormsAnAbelianGroup) {
  const Dimension all[] = {kNone, kLength, kForce, kVoltage, kDamping, kTemperature};
  for (const auto& x : all) {
    EXPECT_EQ(x * kNone, x);
    EXPECT_EQ(x / x, kNone);
    for (const auto& y : all) {
      EXPECT_EQ(x * y, y * x);
      EXPECT_EQ(x * y / y, x);
      for (const auto& z : all) EXPECT_EQ((x * y) * z, x * (y * z));
    }
  }
}

TEST(Dimension, IsNoneForAnglesAndRatiosOnly) {
  EXPECT_TRUE(kNone.is_none());
  EXPECT_TRUE(unit("rad").dimension.is_none());
  EXPECT_TRUE((kForce / kForce).is_none());
  EXPECT_FALSE(kRate.is_none());
}

TEST(Dimension, PowersAndRootsUndoEachOther) {
  for (const int n : {2, 3, 4, 6, 12}) {
    const auto root = power(kForce, 1, n);
    ASSERT_TRUE(root) << n;
    EXPECT_EQ(power(*root, n), kForce) << n;
  }
  EXPECT_EQ(power(kSpeed, -2), kNone / kSpeed / kSpeed);
  EXPECT_EQ(power(kSpeed, 2, -1), power(kSpeed, -2));
  EXPECT_EQ(power(kSpeed, 0), kNone);
  EXPECT_EQ(power(kNone, 1, 7), kNone);
}

TEST(Dimension, PowerRefusesWhatItCannotHold) {
  EXPECT_EQ(power(kLength, 1, 5), std::nullopt);   // no multiple of 1/12
  EXPECT_EQ(power(kLength, 1, 24), std::nullopt);  // likewise
  EXPECT_EQ(power(kLength, 1, 0), std::nullopt);
  EXPECT_EQ(power(kLength, 25), std::nullopt);
  constexpr int kMax = std::numeric_limits<int>::max();
  EXPECT_EQ(power(kForce, kMax), std::nullopt);
  EXPECT_EQ(power(kForce, std::numeric_limits<int>::min(), -1), std::nullopt);
}

TEST(Dimension, DoesNotOverflowUnderRepeatedSquaring) {
  Dimension x = kSpeed;
  for (int i = 0; i < 100; ++i) x = x * x;
  EXPECT_GT(x.twelfths[0], 0);
  EXPECT_LT(x.twelfths[2], 0);
}

// --- units ----------------------------------------------------------------------------------

TEST(ParseUnit, KnowsEveryNameByItsDefinition) {
  const double pi = std::numbers::pi;
  const struct {
    std::string_view name;
    Dimension dimension;
    double scale;
  } cases[] = {
      {"m", kLength, 1},
      {"kg", kMass, 1},
      {"g", kMass, 1e-3},
      {"s", kTime, 1},
      {"min", kTime, 60},
      {"h", kTime, 3600},
      {"N", kForce, 1},
      {"J", kTorque, 1},
      {"W", kPower, 1},
      {"Pa", kPressure, 1},
      {"bar", kPressure, 1e5},
      {"V", kVoltage, 1},
      {"A", kCurrent, 1},
      {"K", kTemperature, 1},
      {"Hz", kRate, 1},
      {"rad", kNone, 1},
      {"deg", kNone, pi / 180},
      {"rev", kNone, 2 * pi},
      {"rpm", kRate, 2 * pi / 60},
      {"l", kVolume, 1e-3},
      {"t", kMass, 1000},
      {"ft", kLength, 0.3048},
      {"in", kLength, 0.0254},
      {"mi", kLength, 1609.344},
      {"mph", kSpeed, 0.44704},
      {"lbf", kForce, 4.4482216152605},
      {"lb", kMass, 0.45359237},
      {"g0", kAcceleration, 9.80665},
      {"%", kNone, 0.01},
      {"-", kNone, 1},
      {"", kNone, 1},
      {"1", kNone, 1},
  };
  for (const auto& [name, dimension, scale] : cases) {
    expect_same(unit(name), {dimension, scale, 1}, name);
  }
  expect_same(unit("psi"), unit("lbf/in^2"), "psi");
  expect_same(unit("lbf"), unit("lb g0"), "lbf");
  expect_same(unit("mph"), unit("mi/h"), "mph");
  expect_same(unit("rpm"), unit("rev/min"), "rpm");
  expect_same(unit("l"), unit("dm^3"), "l");
  expect_same(unit("V A"), unit("W"), "W");
}

TEST(ParseUnit, AppliesEveryPrefix) {
  const struct {
    std::string_view prefix;
    double scale;
  } prefixes[] = {{"f", 1e-15}, {"p", 1e-12}, {"n", 1e-9},      {"u", 1e-6},     {"m", 1e-3},
                  {"c", 1e-2},  {"d", 1e-1},  {"h", 1e2},       {"k", 1e3},      {"M", 1e6},
                  {"G", 1e9},   {"T", 1e12},  {"\u00b5", 1e-6}, {"\u03bc", 1e-6}};
  for (const auto& [prefix, scale] : prefixes) {
    for (const std::string base : {"m", "s", "N", "Pa", "J", "W", "Hz", "rad", "V", "A", "K"}) {
      const std::string name = std::string(prefix) + base;
      if (name == "min" || name == "ft") continue;
      EXPECT_EQ(unit(name).to_si(1.0), scale) << name;
      EXPECT_EQ(unit(name).dimension, unit(base).dimension) << name;
    }
  }
  EXPECT_EQ(unit("mg").to_si(1.0), 1e-6);
  EXPECT_EQ(unit("ml").to_si(1.0), 1e-6);
  EXPECT_EQ(unit("mbar").to_si(1.0), 100.0);
}

TEST(ParseUnit, PutsWholeNamesBeforePrefixes) {
  EXPECT_EQ(unit("min").to_si(1.0), 60.0);
  EXPECT_EQ(unit("ft").to_si(1.0), 0.3048);
  for (const auto* silly : {"kmin", "kh", "mdeg", "krpm", "kt", "kft", "m%", "kkg", "kmph"}) {
    EXPECT_NE(unit_error(silly), "") << silly;
  }
}

TEST(ParseUnit, SlashDividesByTheNextFactorOnly) {
  EXPECT_EQ(unit("N s/m").dimension, kDamping);
  EXPECT_EQ(unit("N/m s").dimension, kDamping);
  EXPECT_EQ(unit("m/s/s").dimension, kAcceleration);
  EXPECT_EQ(unit("kg/(m s^2)").dimension, kPressure);
  EXPECT_EQ(unit("1/s").dimension, kRate);
}

TEST(ParseUnit, TakesAllSeparatorsAndBlanks) {
  for (const auto* text :
       {"N m", "N*m", "N.m", " N \t m ", "N * m", "(N) (m)", "((N m))", "N m/1"}) {
    EXPECT_EQ(unit(text).dimension, kTorque) << text;
  }
}

TEST(ParseUnit, ReadsExponents) {
  EXPECT_EQ(unit("s^-2").dimension, kRate * kRate);
  EXPECT_EQ(unit("m^(1/2)").dimension, power(kLength, 1, 2));
  EXPECT_EQ(unit("m^(-3/4)").dimension, power(kLength, -3, 4));
  EXPECT_EQ(unit("m^(2)").dimension, kArea);
  EXPECT_EQ(unit("(m/s)^2").dimension, kSpeed * kSpeed);
  EXPECT_EQ(unit("m^0").dimension, kNone);
  expect_same(unit("mm^-2"), unit("1/mm^2"), "mm^-2");
  expect_same(unit("mm^(1/2) mm^(1/2)"), unit("mm"), "roots");
}

TEST(ParseUnit, NamesTheFaultAndTheNearestUnit) {
  EXPECT_HAS(unit_error("Kg"), "did you mean 'kg'?");
  EXPECT_HAS(unit_error("hz"), "did you mean 'Hz'?");
  EXPECT_HAS(unit_error("Nm"), "did you mean 'N m'?");
  EXPECT_HAS(unit_error("kN/meter"), "did you mean 'm'?");
  EXPECT_HAS(unit_error("m2"), "did you mean 'm^2'?");
  EXPECT_HAS(unit_error("Kn"), "did you mean 'kN'?");
  EXPECT_HAS(unit_error("Newton"), "did you mean 'N'?");
  EXPECT_HAS(unit_error("sec"), "did you mean 's'?");
  EXPECT_HAS(unit_error("m\u00b2"), "as in m^2");
  EXPECT_HAS(unit_error("furlong"), "unknown unit 'furlong'; known are m g s");
  EXPECT_HAS(unit_error("2 m"), "number '2'");
  EXPECT_HAS(unit_error("/s"), "write '1/s'");
  EXPECT_HAS(unit_error("m/"), "ends where a name should follow");
  EXPECT_HAS(unit_error("(m"), "')' is missing");
  EXPECT_HAS(unit_error("m)"), "has no '('");
  EXPECT_HAS(unit_error("m(s)"), "missing before '(s)'");
  EXPECT_HAS(unit_error("m,s"), "before ',s'");
  EXPECT_HAS(unit_error("m^0.5"), "such as ^(1/2)");
  EXPECT_HAS(unit_error("m^"), "exponent");
  EXPECT_HAS(unit_error("m^(1/5)"), "gives no usable unit");
}

TEST(ParseUnit, SendsCelsiusToKelvin) {
  for (const auto* text : {"C", "degC", "\u00b0C", "W/degC", "deg C", "degF"}) {
    EXPECT_HAS(unit_error(text), "use K");
  }
}

TEST(ParseUnit, BoundsExponentsScalesAndDepth) {
  EXPECT_EQ(unit_error("m^24"), "");
  EXPECT_NE(unit_error("m^25"), "");
  EXPECT_NE(unit_error("m^24 m"), "");
  EXPECT_NE(unit_error("m^99999999999999999999"), "");
  EXPECT_NE(unit_error("m^(1/0)"), "");
  EXPECT_NE(unit_error("m^(1/-2)"), "");
  EXPECT_HAS(unit_error("Trad^24 Trad^24"), "out of range");  // 10^576
  const auto nested = [](int n) {
    const auto depth = static_cast<std::size_t>(n);
    return std::string(depth, '(') + "m" + std::string(depth, ')');
  };
  EXPECT_EQ(unit_error(nested(16)), "");
  EXPECT_HAS(unit_error(nested(17)), "too deeply");
  EXPECT_HAS(unit_error(std::string(1'000'000, '(')), "too deeply");
}

// Not a fuzzer, but a first sieve: no crash, and messages that any log can show.
TEST(ParseUnit, SurvivesArbitraryBytes) {
  std::mt19937 random(1);
  constexpr char kBytes[] = "mskgNPa1290()^/*.- +e%\xc2\xb5\xff\x80\0\n'";
  const std::string alphabet(kBytes, sizeof kBytes - 1);
  for (int round = 0; round < 10'000; ++round) {
    std::string text(random() % 24, ' ');
    for (char& c : text) c = alphabet[random() % alphabet.size()];
    for (const auto& message : {unit_error(text), quantity_error(text)}) {
      EXPECT_EQ(message.find_first_of(std::string("\xff\n\0", 3)), std::string::npos);
      EXPECT_LT(message.size(), 250U);
    }
  }
}

TEST(UnitScale, RoundTripsThroughSi) {
  for (const auto* text : {"mm", "km/h", "deg", "psi", "kN s/m", "rpm", "in^3", "ms^-2"}) {
    const Unit u = unit(text);
    for (const double x : {0.1, 1.0, -330.0, 12345.678}) {
      EXPECT_DOUBLE_EQ(u.from_si(u.to_si(x)), x) << text;  // two divisions, two products
    }
  }
}

TEST(UnitScale, CancelsExactly) {
  for (const auto* text : {"kg", "km mm", "mm/mm", "kN/kN", "mm^2/mm^2", "g/g"}) {
    const Unit u = unit(text);
    EXPECT_EQ(u.scale_num, 1.0) << text;
    EXPECT_EQ(u.scale_den, 1.0) << text;
  }
}

// --- text -----------------------------------------------------------------------------------

TEST(DimensionText, IsReadBackForRandomDimensions) {
  std::mt19937 random(7);
  std::uniform_int_distribution<int> exponent(-40, 40);  // twelfths
  for (int round = 0; round < 2000; ++round) {
    Dimension x;
    for (int& e : x.twelfths) e = random() % 2 ? exponent(random) : 12 * (exponent(random) / 12);
    const Unit back = unit(to_string(x));
    EXPECT_EQ(back.dimension, x) << to_string(x);
    EXPECT_EQ(back.to_si(1.0), 1.0) << to_string(x);
  }
}

TEST(DimensionText, IsTheUsualUnit) {
  EXPECT_EQ(to_string(kNone), "-");
  EXPECT_EQ(to_string(kRate), "1/s");
  EXPECT_EQ(to_string(kSpeed), "m/s");
  EXPECT_EQ(to_string(kInertia), "kg m^2");
  EXPECT_EQ(to_string(kForce), "N");
  EXPECT_EQ(to_string(kTorque), "N m");
  EXPECT_EQ(to_string(kStiffness), "N/m");
  EXPECT_EQ(to_string(kDamping), "N s/m");
  EXPECT_EQ(to_string(kPressure), "Pa");
  EXPECT_EQ(to_string(make_dimension(1, 1, -3)), "kg m/s^3");
  EXPECT_EQ(to_string(*power(kSpeed, 1, 2)), "m^(1/2)/s^(1/2)");
  for (const auto& x :
       {kForce, kTorque, kPower, kPressure, kStiffness, kDamping, kRotationalDamping, kVoltage}) {
    EXPECT_EQ(unit(to_string(x)).dimension, x);
  }
}

TEST(QuantityName, NamesWhatItKnowsAndFallsBackToTheUnit) {
  EXPECT_EQ(quantity_name(kLength), "a length");
  EXPECT_EQ(quantity_name(kMass), "a mass");
  EXPECT_EQ(quantity_name(kForce), "a force");
  EXPECT_EQ(quantity_name(kStiffness), "a stiffness (force/length)");
  EXPECT_EQ(quantity_name(kNone), "a plain number");
  EXPECT_EQ(quantity_name(kRate), "an angular rate or frequency");
  EXPECT_EQ(quantity_name(make_dimension(1, 1, -3)), "kg m/s^3");
}

// --- quantities -----------------------------------------------------------------------------

TEST(ParseQuantity, ReadsNumberAndUnit) {
  const auto speed = quantity("36 km/h");
  EXPECT_EQ(speed.value, 10.0);
  EXPECT_EQ(speed.dimension, kSpeed);
  EXPECT_EQ(speed.unit, "km/h");
  EXPECT_EQ(quantity("10ms").value, 0.01);
  EXPECT_EQ(quantity("-1.5e3 1/s^2").value, -1500.0);
  EXPECT_EQ(quantity("-1.5e3 1/s^2").dimension, kRate * kRate);
  EXPECT_EQ(quantity("0.3").value, 0.3);
  EXPECT_EQ(quantity("0.3").unit, "");
  EXPECT_EQ(quantity("+.5 -").value, 0.5);
  EXPECT_EQ(quantity("  5%\t").value, 0.05);
  EXPECT_EQ(quantity("0 mm").value, 0.0);
  EXPECT_EQ(quantity("180 deg").value, std::numbers::pi);
}

// Both sides are the double nearest to the same decimal.
TEST(ParseQuantity, IsExactForWholeNumbersOfDecimalUnits) {
  EXPECT_EQ(quantity("330 mm").value, 0.33);
  EXPECT_EQ(quantity("339 mm").value, 0.339);
  EXPECT_EQ(quantity("7 us").value, 7e-6);
  EXPECT_EQ(quantity("3 mm^2").value, 3e-6);
  EXPECT_EQ(quantity("167 kN/m").value, 167e3);
  EXPECT_EQ(quantity("12 N/mm").value, 12e3);
  EXPECT_EQ(quantity("7850 g/l").value, 7850.0);
  for (int i = 0; i < 10'000; ++i) {
    const std::string n = std::to_string(i);
    EXPECT_EQ(quantity(n + " mm").value, std::stod(n + "e-3"));
  }
}

TEST(ParseQuantity, KeepsEveryDoubleInSi) {
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> mantissa(-1.0, 1.0), exponent(-300.0, 300.0);
  for (int i = 0; i < 1000; ++i) {
    const double x = mantissa(random) * std::pow(10.0, exponent(random));
    std::array<char, 40> text;
    std::snprintf(text.data(), text.size(), "%.17g m/s", x);
    EXPECT_EQ(quantity(text.data()).value, x);
  }
}

TEST(ParseQuantity, RefusesWhatIsNoFiniteNumber) {
  for (const auto* text : {"", " ", "mm", "nan", "inf m", "-inf", "-nan", "+", "-", "--1", "+-1 m",
                           "-+1", "e5", ".", ".m", "\xff"}) {
    EXPECT_HAS(quantity_error(text), "does not begin with a number");
  }
  for (const auto* text : {"1e400", "-1e400 m", "1e308 km", "1e-400", "4e-323 mm"}) {
    EXPECT_HAS(quantity_error(text), "out of range");
  }
  for (const auto* text : {"1,5 m", "1_000", "0x10", "5 m 3", "1.2.3", "5e", "5 m;", "5-", "3-2"}) {
    EXPECT_NE(quantity_error(text), "") << text;
  }
}

}  // namespace
}  // namespace chicane::units_test
