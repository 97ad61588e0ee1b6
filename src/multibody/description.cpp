// SPDX-License-Identifier: Apache-2.0
#include "multibody/description.hpp"

namespace chicane::multibody {

namespace {

struct KindFacts {
  JointKind kind;
  std::string_view name;
  int freedoms;
  bool composite;
};

constexpr std::array kKinds{
    KindFacts{JointKind::weld, "weld", 0, false},
    KindFacts{JointKind::revolute, "revolute", 1, false},
    KindFacts{JointKind::translational, "translational", 1, false},
    KindFacts{JointKind::cylindrical, "cylindrical", 2, false},
    KindFacts{JointKind::screw, "screw", 1, false},
    KindFacts{JointKind::universal, "universal", 2, false},
    KindFacts{JointKind::spherical, "spherical", 3, false},
    KindFacts{JointKind::planar, "planar", 3, false},
    KindFacts{JointKind::free, "free", 6, false},
    KindFacts{JointKind::spherical_spherical, "spherical-spherical", 5, true},
    KindFacts{JointKind::spherical_revolute, "spherical-revolute", 4, true},
    KindFacts{JointKind::spherical_translational, "spherical-translational", 4, true},
};

constexpr const KindFacts& facts(JointKind kind) { return kKinds[static_cast<std::size_t>(kind)]; }

constexpr bool in_order() {
  for (std::size_t i = 0; i < kKinds.size(); ++i)
    if (kKinds[i].kind != static_cast<JointKind>(i)) return false;
  return true;
}
static_assert(in_order());

}  // namespace

int freedoms(JointKind kind) { return facts(kind).freedoms; }
bool is_composite(JointKind kind) { return facts(kind).composite; }
std::string_view to_string(JointKind kind) { return facts(kind).name; }

std::optional<JointKind> joint_kind(std::string_view name) {
  for (const KindFacts& k : kKinds)
    if (k.name == name) return k.kind;
  return std::nullopt;
}

std::vector<std::string_view> joint_kind_names() {
  std::vector<std::string_view> names;
  for (const KindFacts& k : kKinds) names.push_back(k.name);
  return names;
}

}  // namespace chicane::multibody
