// SPDX-License-Identifier: Apache-2.0
#include "realtime/pacer.hpp"

#include <thread>

namespace chicane {

bool Pacer::wait(Clock::duration frame) noexcept {
  constexpr std::chrono::microseconds kSpin{100};  // sleeping is no finer than this
  next_ += frame;
  const auto now = Clock::now();
  if (now > next_) {
    ++late_;
    if (policy_ == Overrun::slip) next_ = now;
    return policy_ != Overrun::stop;
  }
  std::this_thread::sleep_until(next_ - kSpin);
  while (Clock::now() < next_) {
  }
  return true;
}

}  // namespace chicane
