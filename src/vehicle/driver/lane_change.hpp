// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string>
#include <variant>
#include <vector>

// The double lane change of ISO 3888-1: gates of cones, and a line to drive through them.
// Docs: docs/theory/driver.md.

namespace chicane::driver {

// Lane between two rows of cones.
struct Gate {
  double x_0, x_1;     // [m] from the beginning of the track
  double right, left;  // [m] y of the cones
};

struct LaneChange {
  std::array<Gate, 3> gates;  // entry, side and exit lane
  std::vector<double> x, y;   // [m] points of the line, from 50 m before the track to 50 m behind
};

// Lengths 15, 30, 25, 25, 30 m; widths 1.1, 1.2, 1.3 times the car's and 0.25 m more; side lane
// 3.5 m to the left. The offset is read as that of the right-hand cones. The line keeps to the
// middle of the lanes and changes over by polynomials of degree 5, which begin and end `overlap`,
// up to 7.5 m, inside the lanes: a car on it still passes between the cones.
std::variant<LaneChange, std::string> double_lane_change(double car_width, double overlap = 5.0);

}  // namespace chicane::driver
