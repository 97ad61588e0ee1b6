// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>

namespace chicane::cli {

// While one of these lives, SIGINT, SIGTERM and SIGHUP ask a run to end in good order; a second
// signal of the same kind ends the program at once.
class Interrupts {
 public:
  Interrupts();
  ~Interrupts();
  Interrupts(const Interrupts&) = delete;
  Interrupts& operator=(const Interrupts&) = delete;

  // The number of the signal that has come, or 0; and where it will stand.
  [[nodiscard]] static int asked() noexcept;
  [[nodiscard]] static const std::atomic<int>& flag() noexcept;
};

// "SIGINT"
const char* signal_name(int number);

}  // namespace chicane::cli
