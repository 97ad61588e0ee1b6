#include "cli/run/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "cli/say.hpp"

namespace chicane::cli {

Progress::Progress(bool wanted) : on_(wanted && isatty(STDERR_FILENO) != 0) {}

Progress::~Progress() {
  if (shown_) say("\r{:78}\r", "");
}

void Progress::show(double t, double from, double until, double wall) {
  const auto now = Wall::now();
  if (!on_ || now - last_ < std::chrono::milliseconds(100)) return;
  last_ = now;
  constexpr int kWidth = 30;
  const double part = until > from ? std::clamp((t - from) / (until - from), 0.0, 1.0) : 1.0;
  const int full = static_cast<int>(part * kWidth);
  say("\r[{:#<{}}{:.<{}}] {:3.0f} %  t = {:.3g} s  {:.3g} x real time ", "", full, "",
      kWidth - full, 100 * part, t, wall > 0 ? (t - from) / wall : 0.0);
  std::fflush(stderr);
  shown_ = true;
}

}  // namespace chicane::cli
