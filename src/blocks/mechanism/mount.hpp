// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "language/block.hpp"
#include "multibody/mechanism.hpp"

namespace chicane {

// A place on a body where other blocks take hold: they read how it lies and moves, without the
// dynamics of the mechanism, and give the wrench that acts there. All in world axes.
//
//   out  mount.NAME.x y z           the point
//        mount.NAME.d_x d_y d_z     its axis x, "ahead"
//        mount.NAME.e_x e_y e_z     its axis y, that of the spin of a wheel
//        mount.NAME.v_x ... omega_z its velocity
//   in   mount.NAME.F_x ... M_z     wrench on the body, about the point
struct MountDescription {
  std::string name, body;
  Vec3<double> at{};  // [m] from the origin of the body's frame, in its axes
  Vec3<double> x{1.0, 0.0, 0.0}, y{0.0, 1.0, 0.0};
};

// On its link.
struct Mount {
  static constexpr int kOutputs = 15, kInputs = 6;
  std::string name;
  int link = 0;
  Vec3<double> p_L{}, x_L{}, y_L{};
};

std::vector<Mount> on_links(const multibody::Mechanism& m,
                            const std::vector<MountDescription>& mounts);

std::vector<PortInfo> mount_outputs(const Mount& mount);
std::vector<PortInfo> mount_inputs(const Mount& mount);

template <class T>
void write_outputs(const Mount& mount, const multibody::Workspace<T>& ws, std::span<T> y) {
  const multibody::LinkMotion<T>& link = ws.motion[static_cast<std::size_t>(mount.link)];
  const Vec3<T> r = link.R * mount.p_L, x = link.R * mount.x_L, e = link.R * mount.y_L;
  const Vec3<T> p = link.p + r;
  const Motion<T> V = at_point(link.V, r);
  const T values[Mount::kOutputs] = {p.x,        p.y,        p.z,         x.x,         x.y,
                                     x.z,        e.x,        e.y,         e.z,         V.linear.x,
                                     V.linear.y, V.linear.z, V.angular.x, V.angular.y, V.angular.z};
  std::copy(std::begin(values), std::end(values), y.begin());
}

// About the origin of the link.
template <class T>
Wrench<T> on_link(const Mount& mount, const Wrench<T>& at_mount,
                  const multibody::Workspace<T>& ws) {
  return about(at_mount, Vec3<T>(ws.motion[static_cast<std::size_t>(mount.link)].R * mount.p_L));
}

}  // namespace chicane
