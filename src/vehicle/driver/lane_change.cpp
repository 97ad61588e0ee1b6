// SPDX-License-Identifier: Apache-2.0
#include "vehicle/driver/lane_change.hpp"

#include <fmt/format.h>

#include <cmath>

namespace chicane::driver {
namespace {

constexpr double kOffset = 3.5, kStep = 1.0, kRun = 50.0;

// From 0 to 1 with no slope and no curvature at either end.
double blend(double u) { return u * u * u * (10.0 + u * (6.0 * u - 15.0)); }

double middle(const Gate& gate) { return 0.5 * (gate.right + gate.left); }

double line(const std::array<Gate, 3>& gates, double overlap, double x) {
  for (std::size_t k = 0; k + 1 < gates.size(); ++k) {
    const double from = gates[k].x_1 - overlap, to = gates[k + 1].x_0 + overlap;
    const double y_0 = middle(gates[k]), y_1 = middle(gates[k + 1]);
    if (x <= from) return y_0;
    if (x < to) return y_0 + (y_1 - y_0) * blend((x - from) / (to - from));
  }
  return middle(gates.back());
}

}  // namespace

std::variant<LaneChange, std::string> double_lane_change(double car_width, double overlap) {
  if (!(car_width >= 0.5) || !std::isfinite(car_width))
    return fmt::format("lane change: the width {} is not that of a car, at least 0.5 m", car_width);
  if (!(overlap >= 0.0 && overlap <= 7.5))
    return fmt::format("lane change: overlap {} is not between 0 and 7.5 m", overlap);
  const auto width = [car_width](double factor) { return factor * car_width + 0.25; };
  const double right = -0.5 * width(1.1);
  LaneChange track{.gates = {Gate{0.0, 15.0, right, right + width(1.1)},
                             Gate{45.0, 70.0, right + kOffset, right + kOffset + width(1.2)},
                             Gate{95.0, 125.0, right, right + width(1.3)}},
                   .x = {},
                   .y = {}};
  for (double x = -kRun; x <= 125.0 + kRun; x += kStep) {
    track.x.push_back(x);
    track.y.push_back(line(track.gates, overlap, x));
  }
  return track;
}

}  // namespace chicane::driver
