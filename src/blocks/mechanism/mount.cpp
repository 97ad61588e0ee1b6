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

std::vector<PortInfo> named(const Mount& mount, std::vector<PortInfo> ports) {
  for (PortInfo& p : ports) {
    p.name = "mount." + mount.name + "." + p.name;
    p.description += " of mount " + mount.name;
    p.on_request = true;
  }
  return ports;
}

}  // namespace

std::vector<Mount> on_links(const multibody::Mechanism& m,
                            const std::vector<MountDescription>& mounts) {
  std::vector<Mount> list;
  for (const MountDescription& d : mounts) list.push_back(on_link(m, d));
  return list;
}

std::vector<PortInfo> mount_outputs(const Mount& mount) {
  return named(mount, {{"x", "m", "position"},
                       {"y", "m", "position"},
                       {"z", "m", "position"},
                       {"d_x", "-", "axis x"},
                       {"d_y", "-", "axis x"},
                       {"d_z", "-", "axis x"},
                       {"e_x", "-", "axis y"},
                       {"e_y", "-", "axis y"},
                       {"e_z", "-", "axis y"},
                       {"v_x", "m/s", "velocity"},
                       {"v_y", "m/s", "velocity"},
                       {"v_z", "m/s", "velocity"},
                       {"omega_x", "rad/s", "turning rate"},
                       {"omega_y", "rad/s", "turning rate"},
                       {"omega_z", "rad/s", "turning rate"}});
}

std::vector<PortInfo> mount_inputs(const Mount& mount) {
  return named(mount, {{"F_x", "N", "force on the body"},
                       {"F_y", "N", "force on the body"},
                       {"F_z", "N", "force on the body"},
                       {"M_x", "N m", "moment on the body"},
                       {"M_y", "N m", "moment on the body"},
                       {"M_z", "N m", "moment on the body"}});
}

}  // namespace chicane
