// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>

namespace chicane {

// A BlockKind whose memory holds more than plain numbers: what is restored from a file is shown to
// it before any block sees it.
class ChecksMemory {
 public:
  virtual ~ChecksMemory() = default;
  // What is wrong with it; empty: nothing.
  [[nodiscard]] virtual std::string fault_of_memory(std::span<const double> z) const = 0;
};

}  // namespace chicane
