// SPDX-License-Identifier: Apache-2.0
#include "io/plot/sparkline.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string_view>
#include <vector>

namespace chicane {

namespace {

constexpr std::array<std::string_view, 8> kBlocks{"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
constexpr double kRoundOff = 1e-12;  // [-] a spread below this part of the values is none

// Mean of the finite values, or NaN. Each value is divided first, so that the sum cannot overflow.
double mean(std::span<const double> y) {
  const auto finite = [](double v) { return std::isfinite(v); };
  const auto count = static_cast<double>(std::count_if(y.begin(), y.end(), finite));
  double sum = count > 0 ? 0.0 : std::numeric_limits<double>::quiet_NaN();
  for (const double v : y) {
    if (finite(v)) sum += v / count;
  }
  return sum;
}

}  // namespace

std::string sparkline(std::span<const double> y, int width) {
  const std::size_t cells = std::min(y.size(), static_cast<std::size_t>(std::max(width, 0)));
  std::vector<double> level(cells);
  double low = std::numeric_limits<double>::infinity();
  double high = -low;
  for (std::size_t i = 0; i < cells; ++i) {
    const std::size_t begin = i * y.size() / cells;
    level[i] = mean(y.subspan(begin, (i + 1) * y.size() / cells - begin));
    if (std::isnan(level[i])) continue;
    low = std::min(low, level[i]);
    high = std::max(high, level[i]);
  }

  // Halved, so that the range of the largest numbers is still a number.
  const double range = high / 2 - low / 2;
  const bool constant = !(range > kRoundOff * std::max(std::fabs(low), std::fabs(high)));
  std::string line;
  for (const double v : level) {
    if (std::isnan(v)) {
      line += ' ';
    } else if (constant) {
      line += kBlocks[kBlocks.size() / 2 - 1];
    } else {
      const double height = (v / 2 - low / 2) / range;  // 0 .. 1
      line += kBlocks[static_cast<std::size_t>(std::lround(height * (kBlocks.size() - 1)))];
    }
  }
  return line;
}

}  // namespace chicane
