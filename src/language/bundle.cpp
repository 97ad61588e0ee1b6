// SPDX-License-Identifier: Apache-2.0
#include "language/bundle.hpp"

#include <algorithm>
#include <span>

namespace chicane {
namespace {

struct Triple {
  const char *stem, *unit, *what;
};
constexpr Triple kPose[] = {{"", "m", "position"},
                            {"d_", "-", "axis x"},
                            {"e_", "-", "axis y"},
                            {"v_", "m/s", "velocity"},
                            {"omega_", "rad/s", "turning rate"}};
constexpr Triple kBody[] = {{"v_", "m/s", "velocity"}, {"omega_", "rad/s", "turning rate"}};
constexpr Triple kAcceleration[] = {{"a_", "m/s^2", "acceleration"},
                                    {"alpha_", "rad/s^2", "turning acceleration"}};
constexpr Triple kWrench[] = {{"F_", "N", "force on the body"},
                              {"M_", "N m", "moment on the body"}};

std::span<const Triple> triples(BundleInfo::Kind kind) {
  switch (kind) {
    case BundleInfo::Kind::pose:
      return kPose;
    case BundleInfo::Kind::acceleration:
      return kAcceleration;
    case BundleInfo::Kind::wrench:
      return kWrench;
    case BundleInfo::Kind::body:
      break;
  }
  return kBody;
}

}  // namespace

int add_bundle(BundleInfo::Kind kind, const std::string& name, const std::string& of,
               std::vector<PortInfo>& ports, std::vector<BundleInfo>& bundles, bool on_request) {
  const int first = static_cast<int>(ports.size());
  const auto add = [&](const std::string& port, const char* unit, const std::string& what) {
    ports.push_back({name + "." + port, unit, what + " of " + of, on_request});
  };
  if (kind == BundleInfo::Kind::body) {
    for (const char* axis : {"x", "y", "z"}) add(axis, "m", "position");
    for (const char* q : {"q_w", "q_x", "q_y", "q_z"}) add(q, "-", "orientation");
  }
  for (const Triple& t : triples(kind))
    for (const char* axis : {"x", "y", "z"}) add(std::string(t.stem) + axis, t.unit, t.what);
  bundles.push_back({kind, name, first});
  return first;
}

std::vector<int> pose_parts(int first, std::initializer_list<pose::Part> parts) {
  std::vector<int> list;
  for (const pose::Part part : parts)
    for (int k = 0; k < 3; ++k) list.push_back(first + part + k);
  return list;
}

const BundleInfo* find_bundle(const std::vector<BundleInfo>& bundles, BundleInfo::Kind kind,
                              std::string_view name) {
  const auto it = std::find_if(bundles.begin(), bundles.end(), [&](const BundleInfo& b) {
    return b.kind == kind && b.name == name;
  });
  return it == bundles.end() ? nullptr : &*it;
}

}  // namespace chicane
