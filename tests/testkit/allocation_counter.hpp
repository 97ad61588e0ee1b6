// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace testkit {

// Counts calls of operator new on this thread from its construction on.
class AllocationCounter {
 public:
  AllocationCounter();
  [[nodiscard]] std::int64_t count() const;

 private:
  std::int64_t before_;
};

}  // namespace testkit
