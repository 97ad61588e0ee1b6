#include "blocks/registry.hpp"

#include "blocks/planar_rigid_ring.hpp"
#include "blocks/planar_spacecraft.hpp"

namespace chicane {

std::span<const NamedBlockKind> block_kinds() {
  static const NamedBlockKind kKinds[] = {
      {"planar-rigid-ring", planar_rigid_ring_kind(RingFrame::relative)},
      {"planar-rigid-ring-inertial", planar_rigid_ring_kind(RingFrame::inertial)},
      {"planar-spacecraft-body", planar_spacecraft_body_kind()},
      {"planar-spacecraft-panels", planar_spacecraft_panels_kind()},
  };
  return kKinds;
}

std::shared_ptr<const BlockKind> find_block_kind(std::string_view name) {
  for (const NamedBlockKind& k : block_kinds())
    if (k.name == name) return k.kind;
  return nullptr;
}

}  // namespace chicane
