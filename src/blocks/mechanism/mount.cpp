// SPDX-License-Identifier: Apache-2.0
#include "blocks/mechanism/mount.hpp"

#include <algorithm>

#include "core/diagnostics.hpp"

namespace chicane {
namespace {

Mount on_link(const multibody::Mechanism& m, const MountDescription& d) {
  const auto body = std::find_if(m.bodies.begin(), m.bodies.end(),
                                 [&](const auto& b) { return b.name == d.body; });
  require(body != m.bodies.end(), "a mount is on a body of the mechanism");
  const Mat3<double>& R = body->R_LB;
  return {d.name, body->link, body->p_LB + R * d.at, R * d.x, R * d.y};
}

}  // namespace

std::vector<Mount> on_links(const multibody::Mechanism& m,
                            const std::vector<MountDescription>& mounts) {
  std::vector<Mount> list;
  for (const MountDescription& d : mounts) list.push_back(on_link(m, d));
  return list;
}

}  // namespace chicane
