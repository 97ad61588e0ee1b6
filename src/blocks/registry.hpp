#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "language/block.hpp"

namespace chicane {

// The kinds of blocks that model files can name with `type:`. One list; a new kind is a new line.
struct NamedBlockKind {
  std::string_view name;
  std::shared_ptr<const BlockKind> kind;
};

std::span<const NamedBlockKind> block_kinds();
std::shared_ptr<const BlockKind> find_block_kind(std::string_view name);  // or nothing

}  // namespace chicane
