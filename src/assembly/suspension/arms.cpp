// SPDX-License-Identifier: Apache-2.0

// Suspensions whose arms carry the wheels.

#include "assembly/suspension/springs.hpp"
#include "assembly/suspension/types.hpp"
#include "blocks/mechanism/laws.hpp"

namespace chicane::suspension {

using namespace multibody;

namespace {

void add_hinged_arms(Builder& b) {
  b.massless_links({});
  const BodyDescription arm = b.part("arm");
  for (const Side& side : b.sides()) b.add(side, arm);
}

// Carriers that are bolted to the arms, if the file has them; what the wheels are on.
std::string add_bolted_carriers(Builder& b, const Vec3<double>& spindle) {
  if (b.keys().find("carrier") == nullptr) return "arm";
  const BodyDescription carrier = b.part("carrier");
  for (const Side& side : b.sides()) {
    b.add(side, carrier);
    b.add(side, {.name = "carrier",
                 .kind = JointKind::weld,
                 .connects = {side.name("arm"), side.name("carrier")},
                 .at = spindle});
  }
  return "carrier";
}

}  // namespace

Axle trailing_arm(Builder& b) {
  const HardPoints p = b.points({"spindle", "hinge_inner", "hinge_outer"});
  const Vec3<double>&inner = p.at("hinge_inner"), &outer = p.at("hinge_outer");
  add_hinged_arms(b);
  for (const Side& side : b.sides())
    b.add(side, {.name = "arm",
                 .kind = JointKind::revolute,
                 .connects = {b.chassis(), side.name("arm")},
                 .at = 0.5 * (inner + outer),
                 .axis = outer - inner});
  add_springs(b, {"arm"});
  add_anti_roll_bar(b, {"arm"}, p.at("spindle"));
  return b.wheels(add_bolted_carriers(b, p.at("spindle")), p.at("spindle"));
}

// The left arm turns on the chassis and the right one on the left one, about the same line: the
// right one then turns on the chassis as well, no constraint is said twice, and the second angle is
// the twist of the beam. Its moment follows the twist at any angle, as that of an anti-roll bar,
// which measures heights, would not. With a track bar the axle slides along its hinges, which are
// soft that way, and the bar holds it sideways.
Axle twist_beam(Builder& b) {
  const bool bar = b.keys().find("track_bar") != nullptr;
  const HardPoints p = bar ? b.points({"spindle", "hinge", "track_bar_chassis", "track_bar_axle"})
                           : b.points({"spindle", "hinge"});
  const Vec3<double>& hinge = p.at("hinge");
  add_hinged_arms(b);
  const auto& [left, right] = b.sides();
  const Vec3<double> across{0.0, 1.0, 0.0};
  b.add(left, {.name = "arm",
               .kind = bar ? JointKind::cylindrical : JointKind::revolute,
               .connects = {b.chassis(), left.name("arm")},
               .at = hinge,
               .axis = across});
  b.add(b.middle(), {.name = "beam",
                     .kind = JointKind::revolute,
                     .connects = {left.name("arm"), right.name("arm")},
                     .at = 0.5 * (hinge + right.point(hinge)),
                     .axis = across});
  if (bar) {
    const Vec3<double>&first = p.at("track_bar_chassis"), &second = p.at("track_bar_axle");
    b.add_rod(b.middle(), b.part("track_bar"),
              {b.chassis(), (second.y > 0.0 ? left : right).name("arm")}, {first, second});
  }
  if (auto beam = Builder::section(b.keys(), "beam", b.owner())) {
    JointSpringDescription e;
    e.joint = b.middle().name("beam");
    read_spring_damper(*beam, kRotational, e);
    require_law(*beam, "stiffness", "spring", e.stiffness, "a beam");
    beam->refuse_others("a beam");
    b.add(b.middle(), "beam", e, beam->where());
  }
  add_springs(b, {"arm"});
  add_anti_roll_bar(b, {"arm"}, p.at("spindle"));
  return b.wheels(add_bolted_carriers(b, p.at("spindle")), p.at("spindle"));
}

}  // namespace chicane::suspension
