// SPDX-License-Identifier: Apache-2.0
#include "cli/run/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "cli/say.hpp"
#include "cli/wrap.hpp"

namespace chicane::cli {

Progress::Progress(bool wanted) : on_(wanted && isatty(STDERR_FILENO) != 0) {}

Progress::~Progress() {
  if (shown_) say("\r{:{}}\r", "", kLineWidth - 1);
}

std::string remaining(double seconds) {
  const auto s = static_cast<long long>(std::ceil(std::clamp(seconds, 0.0, 3.6e9)));
  if (s < 60) return fmt::format("{} s", s);
  if (s < 3600) return fmt::format("{}:{:02} min", s / 60, s % 60);
  return fmt::format("{}:{:02} h", s / 3600, s / 60 % 60);
}

std::string progress_line(double t, double from, double until, double wall) {
  constexpr int kWidth = 16;
  const double part = until > from ? std::clamp((t - from) / (until - from), 0.0, 1.0) : 1.0;
  const int full = static_cast<int>(part * kWidth);
  std::string line =
      fmt::format("[{:#<{}}{:.<{}}] {:3.0f} %  t = {:.3g} s  {:.3g} x real time", "", full, "",
                  kWidth - full, 100 * part, t, wall > 0 ? (t - from) / wall : 0.0);
  // What a run has taken says little of it at its very beginning.
  if (part > 0.01 && part < 1.0) line += "  " + remaining(wall * (1 - part) / part) + " left";
  return line;
}

void Progress::show(double t, double from, double until, double wall) {
  const auto now = Wall::now();
  if (!on_ || now - last_ < std::chrono::milliseconds(100)) return;
  last_ = now;
  say("\r{:<{}}", progress_line(t, from, until, wall), kLineWidth - 1);
  std::fflush(stderr);
  shown_ = true;
}

}  // namespace chicane::cli
