// SPDX-License-Identifier: Apache-2.0
#include "blocks/registry.hpp"

#include <utility>

#include "blocks/planar_rigid_ring.hpp"
#include "blocks/planar_spacecraft.hpp"
#include "core/diagnostics.hpp"
#include "language/spec.hpp"

namespace chicane {

BlockRegistry::BlockRegistry() {
  add("planar-rigid-ring", planar_rigid_ring_kind(RingFrame::relative));
  add("planar-rigid-ring-inertial", planar_rigid_ring_kind(RingFrame::inertial));
  add("planar-spacecraft-body", planar_spacecraft_body_kind());
  add("planar-spacecraft-panels", planar_spacecraft_panels_kind());
}

void BlockRegistry::add(const std::string& name, BlockKindPtr kind) {
  require(!name.empty() && name.find_first_of(" \t\n:#'\"{}[],") == std::string::npos,
          "'{}' is no name for a kind of block", name);
  require(kind != nullptr, "there is no kind of block to go by the name '{}'", name);
  const std::lock_guard lock(mutex_);
  const bool fresh = name != kMechanismType && kinds_.try_emplace(name, std::move(kind)).second;
  require(fresh, "there is already a kind of block '{}'", name);
}

BlockKindPtr BlockRegistry::find(std::string_view name) const {
  const std::lock_guard lock(mutex_);
  const auto it = kinds_.find(name);
  return it == kinds_.end() ? nullptr : it->second;
}

std::vector<std::string> BlockRegistry::names() const {
  const std::lock_guard lock(mutex_);
  std::vector<std::string> list;
  for (const auto& [name, kind] : kinds_) list.push_back(name);
  return list;
}

BlockRegistry& block_registry() {
  static BlockRegistry registry;
  return registry;
}

}  // namespace chicane
