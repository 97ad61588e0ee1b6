// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace chicane {

struct Range {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();

  void add(double v) {
    low = std::min(low, v);
    high = std::max(high, v);
  }
};

struct Tick {
  double at;
  std::string label;
};

struct Axis {
  Range range;
  std::vector<Tick> ticks;
  int exponent = 0;  // labels are to be multiplied by 10^exponent
};

// A range one can draw, with `padding` of its size on both sides. Constants get some room, and
// nothing at all gives 0 to 1.
Range with_room(const Range& range, double padding);

// An axis with round ticks, at most so many and one more.
Axis make_axis(const Range& range, int most_ticks);

// The same for a logarithmic axis; the range must be above zero. Ticks are powers of ten, and 2 and
// 5 times these where few would do.
Range with_room_log(const Range& range, double padding);
Axis make_log_axis(const Range& range, int most_ticks);

// "⁻¹²" for "-12".
std::string raised(std::string_view integer);

// "×10⁶", or nothing for 0.
std::string multiplier(int exponent);

}  // namespace chicane
