// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <string>

namespace chicane::cli {

// "[####............]  25 %  t = 2.5 s  80 x real time  1:30 min left", in less than 80 letters.
std::string progress_line(double t, double from, double until, double wall);  // [s]

// How far a run is: one line on a terminal, nothing on a pipe.
class Progress {
 public:
  explicit Progress(bool wanted);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void show(double t, double from, double until, double wall);  // [s]

 private:
  using Wall = std::chrono::steady_clock;

  bool on_, shown_ = false;
  Wall::time_point last_ = Wall::now();
};

}  // namespace chicane::cli
