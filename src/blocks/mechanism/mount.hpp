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
//   out  mount.NAME  its pose; axis x is "ahead", axis y that of the spin of a wheel
//   in   mount.NAME  the wrench on the body, about the point
struct MountDescription {
  std::string name, body;
  Vec3<double> at{};  // [m] from the origin of the body's frame, in its axes
  Vec3<double> x{1.0, 0.0, 0.0}, y{0.0, 1.0, 0.0};
};

// The bundles of a mount among the ports of the mechanism's block.
inline std::string mount_port(const std::string& name) { return "mount." + name; }

// On its link.
struct Mount {
  static constexpr int kOutputs = size_of(BundleInfo::Kind::pose);
  static constexpr int kInputs = size_of(BundleInfo::Kind::wrench);
  std::string name;
  int link = 0;
  Vec3<double> p_L{}, x_L{}, y_L{};
};

std::vector<Mount> on_links(const multibody::Mechanism& m,
                            const std::vector<MountDescription>& mounts);

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
