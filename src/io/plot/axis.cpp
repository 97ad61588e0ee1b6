// SPDX-License-Identifier: Apache-2.0
#include "io/plot/axis.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <string_view>

namespace chicane {

namespace {

constexpr double kRoundOff = 1e-12;   // [-] a spread below this part of the values is none
constexpr double kSmallest = 1e-280;  // below is zero

// The round number, 1, 2 or 5 times a power of ten, that is not below v.
double round_step(double v) {
  const double power = std::pow(10.0, std::floor(std::log10(v)));
  for (const double digit : {1.0, 2.0, 5.0}) {
    if (digit * power >= v * (1 - 1e-9)) return digit * power;
  }
  return 10 * power;
}

std::string number(double v, int decimals) {
  std::string s = fmt::format("{:.{}f}", v, decimals);
  if (s.front() == '-') {
    const bool zero = s.find_first_of("123456789") == std::string::npos;
    s.replace(0, 1, zero ? "" : "−");
  }
  return s;
}

}  // namespace

Range with_room(const Range& r, double padding) {
  if (!(r.low <= r.high)) return {0.0, 1.0};
  const double size = std::max(std::fabs(r.low), std::fabs(r.high));
  const double spread = r.high - r.low;
  double room = padding * spread;
  if (!(spread > std::max(kRoundOff * size, kSmallest))) room = size > kSmallest ? 0.1 * size : 1.0;
  return {r.low - room, r.high + room};
}

Axis make_axis(const Range& range, int most_ticks) {
  Axis axis{.range = range};
  const double step = round_step((range.high - range.low) / most_ticks);
  const double size = std::max(std::fabs(range.low), std::fabs(range.high));
  if (size >= 1e5 || size < 1e-2) {
    axis.exponent = 3 * static_cast<int>(std::floor(std::log10(size) / 3));
  }
  const double scale = std::pow(10.0, axis.exponent);
  const int decimals = std::max(0, -static_cast<int>(std::floor(std::log10(step / scale) + 1e-9)));
  // Counted from the first tick: far from zero k * step loses the counts.
  const double first = std::ceil(range.low / step - 1e-9) * step;
  for (int k = 0; k <= most_ticks + 1; ++k) {
    const double at = first + k * step;
    if (at > range.high + 1e-9 * step) break;
    axis.ticks.push_back({at, number(at / scale, decimals)});
  }
  return axis;
}

Range with_room_log(const Range& r, double padding) {
  if (!(r.low <= r.high)) return {1.0, 10.0};
  const double room = std::max(padding * std::log(r.high / r.low), std::log(1.2));
  return {r.low * std::exp(-room), r.high * std::exp(room)};
}

Axis make_log_axis(const Range& range, int most_ticks) {
  Axis axis{.range = range};
  const double low = std::log10(range.low), high = std::log10(range.high);
  const int every = std::max(1, static_cast<int>(std::ceil((high - low) / most_ticks)));
  const bool between = 3 * (high - low) <= most_ticks;
  for (int decade = static_cast<int>(std::floor(low)); decade <= high; ++decade) {
    if (decade % every != 0) continue;
    for (const int digit : {1, 2, 5}) {
      const double at = digit * std::pow(10.0, decade);
      if ((digit > 1 && !between) || at < range.low || at > range.high) continue;
      std::string label = fmt::format("{:g}", at);
      if (decade < -2 || decade > 4)
        label =
            (digit > 1 ? fmt::format("{}×", digit) : "") + "10" + raised(fmt::format("{}", decade));
      axis.ticks.push_back({at, std::move(label)});
    }
  }
  return axis;
}

std::string raised(std::string_view integer) {
  constexpr std::array<std::string_view, 10> kDigits{"⁰", "¹", "²", "³", "⁴",
                                                     "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string s;
  for (const char c : integer) {
    s += c == '-' ? std::string_view("⁻") : kDigits.at(static_cast<std::size_t>(c - '0'));
  }
  return s;
}

std::string multiplier(int exponent) {
  return exponent == 0 ? std::string{} : "×10" + raised(fmt::format("{}", exponent));
}

}  // namespace chicane
