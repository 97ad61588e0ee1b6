// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

// Physical dimensions, units and quantities as text.  Inside the program every number is in
// coherent SI; units exist only where files and people are read or written.

namespace chicane {

// Exponents of m, kg, s, A, K.  They are held in twelfths, so that square, cube and fourth roots
// are exact and equality is a comparison of integers.  An angle is a plain number.
struct Dimension {
  static constexpr int kTwelve = 12;
  static constexpr int kMaxExponent = 24;  // of parsed units and of power()

  std::array<int, 5> twelfths{};

  constexpr bool is_none() const { return *this == Dimension{}; }

  friend constexpr bool operator==(const Dimension&, const Dimension&) = default;
  friend constexpr Dimension operator*(Dimension x, const Dimension& y) {
    for (std::size_t i = 0; i < 5; ++i) x.twelfths[i] = saturated(x.twelfths[i] + y.twelfths[i]);
    return x;
  }
  friend constexpr Dimension operator/(Dimension x, const Dimension& y) {
    for (std::size_t i = 0; i < 5; ++i) x.twelfths[i] = saturated(x.twelfths[i] - y.twelfths[i]);
    return x;
  }

 private:
  // A model may square a signal over and over; the exponent must not overflow even then.
  static constexpr int saturated(int twelfths) {
    constexpr int kFarBeyondMeaning = 1'000'000;
    if (twelfths > kFarBeyondMeaning) return kFarBeyondMeaning;
    return twelfths < -kFarBeyondMeaning ? -kFarBeyondMeaning : twelfths;
  }
};

// x^(num/den); nullopt when an exponent is no multiple of 1/12 or exceeds kMaxExponent.
std::optional<Dimension> power(const Dimension& x, int num, int den = 1);

constexpr Dimension make_dimension(int m, int kg, int s, int A = 0, int K = 0) {
  constexpr int k = Dimension::kTwelve;
  return {{m * k, kg * k, s * k, A * k, K * k}};
}

namespace dimensions {
inline constexpr Dimension kNone{};
inline constexpr Dimension kLength = make_dimension(1, 0, 0);
inline constexpr Dimension kMass = make_dimension(0, 1, 0);
inline constexpr Dimension kTime = make_dimension(0, 0, 1);
inline constexpr Dimension kCurrent = make_dimension(0, 0, 0, 1);
inline constexpr Dimension kTemperature = make_dimension(0, 0, 0, 0, 1);
inline constexpr Dimension kRate = kNone / kTime;
inline constexpr Dimension kArea = kLength * kLength;
inline constexpr Dimension kVolume = kArea * kLength;
inline constexpr Dimension kSpeed = kLength / kTime;
inline constexpr Dimension kAcceleration = kSpeed / kTime;
inline constexpr Dimension kForce = kMass * kAcceleration;
inline constexpr Dimension kTorque = kForce * kLength;  // energy too: the dimension is the same
inline constexpr Dimension kPower = kTorque / kTime;
inline constexpr Dimension kPressure = kForce / kArea;
inline constexpr Dimension kStiffness = kForce / kLength;
inline constexpr Dimension kDamping = kForce / kSpeed;
inline constexpr Dimension kRotationalDamping = kTorque * kTime;
inline constexpr Dimension kInertia = kMass * kArea;
inline constexpr Dimension kDensity = kMass / kVolume;
inline constexpr Dimension kVoltage = kPower / kCurrent;
}  // namespace dimensions

// SI value = number * scale_num / scale_den.  The scale is a fraction because 1/1000 is no double:
// 330 mm is 330/1000, correctly rounded, and so is the same double as 0.33.
struct Unit {
  Dimension dimension;
  double scale_num = 1.0;
  double scale_den = 1.0;

  constexpr double to_si(double number) const { return number * scale_num / scale_den; }
  constexpr double from_si(double si) const { return si * scale_den / scale_num; }
};

Unit operator*(const Unit& x, const Unit& y);
Unit operator/(const Unit& x, const Unit& y);

struct UnitError {
  std::string message;
};

// Units as text, e.g. "kN s/m", "rad/s^2", "m^(1/2)", "(m/s)^2", "1/s", "-".
//
//   unit     = "" | "-" | product
//   product  = factor { ( blank | "*" | "." | "/" ) factor }
//   factor   = ( name | "1" | "(" product ")" ) [ "^" exponent ]
//   exponent = integer | "(" integer [ "/" integer ] ")"
//
// "/" divides by the next factor only, so "N s/m" is N*s/m and "m/s/s" is m/s^2.
// Any bytes may be passed; whatever is no unit gives an error.
std::variant<Unit, UnitError> parse_unit(std::string_view text);

struct Quantity {
  double value = 0.0;  // in SI
  Dimension dimension;
  std::string unit;  // as it was written
};

// A number with its unit: "330 mm", "10ms", "-1.5e3 1/s^2", "0.3".
// The number is read the same way under every locale; its value is finite.
std::variant<Quantity, UnitError> parse_quantity(std::string_view text);

// The coherent SI unit, which parse_unit reads back: "N s/m", "kg m^2", "1/s", "-".
std::string to_string(const Dimension& dimension);

// For messages, with its article: "a length", "a stiffness (force/length)"; the unit if nameless.
std::string quantity_name(const Dimension& dimension);

}  // namespace chicane
