#pragma once

#include <chrono>

namespace chicane::cli {

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
