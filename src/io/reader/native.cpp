// SPDX-License-Identifier: Apache-2.0
#include "io/reader/native.hpp"

#include <algorithm>

#include "blocks/registry.hpp"

namespace chicane {
namespace {

void replace(BlockSpec& block, const Text& type, Diagnostics& diag) {
  const auto ports = [](const BlockKind& kind) {
    const BlockInfo info = kind.info();
    std::string list;
    for (const PortInfo& u : info.inputs) list += u.name + ", ";
    for (const PortInfo& y : info.outputs) list += y.name + ", ";
    for (const NativeState& x : info.states) list += x.name + ", ";
    return list.substr(0, list.size() - std::min<std::size_t>(list.size(), 2));
  };
  const std::string was = ports(*block.native);
  set_type(block, type, diag);
  if (block.native && ports(*block.native) != was)
    diag.error(type.where, "type '{}' does not fit: it has {}, but block '{}' has {}", type.text,
               ports(*block.native), block.name, was);
}

}  // namespace

void set_type(BlockSpec& block, const Text& type, Diagnostics& diag) {
  block.type = type;
  block.native = block_registry().find(type.text);
  if (block.native) return;
  const std::vector<std::string> known = block_registry().names();
  diag.error(type.where, "there is no type of block '{}'{} ('chicane list blocks' lists them)",
             type.text, did_you_mean(type.text, {known.begin(), known.end()}));
}

void replace_types(const Cursor& c, Spec& spec, Diagnostics& diag) {
  std::vector<std::string_view> known;
  for (const BlockSpec& b : spec.blocks)
    if (b.native) known.push_back(b.name);
  for (const auto& [name, type] : c.entries(diag)) {
    const auto it =
        std::find_if(spec.blocks.begin(), spec.blocks.end(),
                     [&n = name](const BlockSpec& b) { return b.native && b.name == n; });
    if (it == spec.blocks.end())
      diag.error(type.where(), "the base has no block '{}' with a type{}", name,
                 did_you_mean(name, known));
    else
      replace(*it, type.text(), diag);
  }
}

}  // namespace chicane
