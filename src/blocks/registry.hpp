// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "core/api.hpp"
#include "language/block.hpp"

namespace chicane {

// The kinds of blocks that model files can name with `type:`. Programs may add their own, as long
// as no model that names them is being read; several threads may ask and add at the same time.
class CHICANE_API BlockRegistry {
 public:
  BlockRegistry();  // with the kinds that are built in
  BlockRegistry(const BlockRegistry&) = delete;
  BlockRegistry& operator=(const BlockRegistry&) = delete;

  // Throws a UsageError where the name is taken, or there is no name or no kind.
  void add(const std::string& name, BlockKindPtr kind);
  [[nodiscard]] BlockKindPtr find(std::string_view name) const;  // or nothing
  [[nodiscard]] std::vector<std::string> names() const;          // sorted

 private:
  mutable std::mutex mutex_;
  std::map<std::string, BlockKindPtr, std::less<>> kinds_;
};

// The one that files are read by.
CHICANE_API BlockRegistry& block_registry();

}  // namespace chicane
