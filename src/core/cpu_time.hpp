// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <time.h>

namespace chicane {

// [s] of processor time that this thread has used.
inline double cpu_seconds() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

}  // namespace chicane
