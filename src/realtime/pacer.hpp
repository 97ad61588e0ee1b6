// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>

namespace chicane {

enum class Overrun { catch_up, slip, stop };

// Holds a loop to real time. It stands outside the step: sleeps, then spins for the last stretch.
class Pacer {
 public:
  using Clock = std::chrono::steady_clock;

  explicit Pacer(Overrun policy) : policy_(policy), next_(Clock::now()) {}

  // Waits for the end of a frame that lasts so long; false: the run must stop.
  bool wait(Clock::duration frame) noexcept;
  [[nodiscard]] std::int64_t late() const { return late_; }  // frames that were not ready in time

 private:
  Overrun policy_;
  Clock::time_point next_;
  std::int64_t late_ = 0;
};

}  // namespace chicane
