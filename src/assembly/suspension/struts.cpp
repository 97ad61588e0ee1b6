// SPDX-License-Identifier: Apache-2.0

// Suspensions whose carrier is held by links: double wishbones and MacPherson struts.
//
// Links are bodies, or composite joints without mass: for the strut these are tables 1 and 2 of the
// paper on Real-Time Recursive Dynamics (RTRD) for driving simulators. Both leave the same motion
// to the carrier, one of its six freedoms:
//
//               bodies                                   massless
//   arm         revolute to chassis, ball to carrier     spherical-revolute      takes 2
//   strut       ball to chassis, slides in the carrier   spherical-translational takes 2
//   tie rod     spherical-spherical, or a body           the same                takes 1
//
// Of a double wishbone the upper arm alone can be massless: the lower one then carries.

#include "assembly/suspension/springs.hpp"
#include "assembly/suspension/types.hpp"

namespace chicane::suspension {

using namespace multibody;

namespace {

// Of the left side.
struct Arm {
  std::string name, ball;           // of the body and its hinge; of the joint at its outer end
  Vec3<double> front, rear, outer;  // two points of the hinge, and the ball

  [[nodiscard]] std::optional<Mat3<double>> frame() const { return arm_frame(front, rear, outer); }
};

Arm arm_of(Builder& b, const HardPoints& p, const std::string& which) {
  Arm arm{which + "_arm", which + "_ball", p.at(which + "_front"), p.at(which + "_rear"),
          p.at(which + "_outer")};
  if (b.diagnostics().ok() && !arm.frame())
    b.diagnostics().error(b.keys().find("points")->text.where,
                          "{0}_front, {0}_rear and {0}_outer lie on one line: an arm has a hinge "
                          "through the first two, and its ball beside it",
                          which);
  return arm;
}

void add_arm(Builder& b, const Side& side, const Arm& arm, const BodyDescription& body) {
  b.add(side, body);
  b.add(side, {.name = arm.name,
               .kind = JointKind::revolute,
               .connects = {b.chassis(), side.name(arm.name)},
               .at = 0.5 * (arm.front + arm.rear),
               .axis = arm.front - arm.rear});
  b.add(side, {.name = arm.ball,
               .kind = JointKind::spherical,
               .connects = {side.name(arm.name), side.name("carrier")},
               .at = arm.outer});
}

void add_massless_arm(Builder& b, const Side& side, const Arm& arm) {
  b.add(side, {.name = arm.name,
               .kind = JointKind::spherical_revolute,
               .connects = {side.name("carrier"), b.chassis()},
               .at = arm.outer,
               .second_at = 0.5 * (arm.front + arm.rear),
               .axis = arm.front - arm.rear});
}

// Massless links close loops: the carrier itself hangs on the chassis with all its freedoms.
void add_free_carrier(Builder& b, const Side& side, const Vec3<double>& spindle) {
  b.add(side, {.name = "carrier_motion",
               .kind = JointKind::free,
               .connects = {b.chassis(), side.name("carrier")},
               .at = spindle});
}

// Without mass, or a body where the file has one.
void add_tie_rods(Builder& b, const HardPoints& p, bool steered) {
  const std::string inner = steered ? kRack : b.chassis();
  const bool is_body = b.keys().find("tie_rod") != nullptr;
  const BodyDescription rod = is_body ? b.part("tie_rod") : BodyDescription{};
  for (const Side& side : b.sides())
    if (is_body)
      b.add_rod(side, rod, {inner, side.name("carrier")},
                {p.at("tie_rod_inner"), p.at("tie_rod_outer")});
    else
      b.add(side, {.name = "tie_rod",
                   .kind = JointKind::spherical_spherical,
                   .connects = {inner, side.name("carrier")},
                   .at = p.at("tie_rod_inner"),
                   .second_at = p.at("tie_rod_outer")});
}

}  // namespace

Axle double_wishbone(Builder& b) {
  const HardPoints p =
      b.points({"spindle", "upper_front", "upper_rear", "upper_outer", "lower_front", "lower_rear",
                "lower_outer", "tie_rod_inner", "tie_rod_outer"});
  const bool upper_massless = b.massless_upper();
  const bool massless = !upper_massless && b.massless_links({"upper_arm", "lower_arm"});
  const bool steered = b.steered();
  const BodyDescription carrier = b.part("carrier");
  for (const Side& side : b.sides()) b.add(side, carrier);
  for (const std::string which : {"lower", "upper"}) {
    const Arm arm = arm_of(b, p, which);
    if (massless || (upper_massless && which == "upper")) {
      for (const Side& side : b.sides()) add_massless_arm(b, side, arm);
    } else {
      const BodyDescription body = b.part(arm.name, arm.frame());
      for (const Side& side : b.sides()) add_arm(b, side, arm, body);
    }
  }
  if (massless)
    for (const Side& side : b.sides()) add_free_carrier(b, side, p.at("spindle"));
  add_tie_rods(b, p, steered);
  std::vector<std::string> parts{"carrier"};
  if (!massless) parts.insert(parts.begin(), "lower_arm");
  if (!massless && !upper_massless) parts.insert(parts.begin() + 1, "upper_arm");
  add_springs(b, parts);
  add_anti_roll_bar(b, {parts.rbegin(), parts.rend()}, p.at("spindle"));
  Axle axle = b.wheels("carrier", p.at("spindle"));
  b.steer_about(axle, p.at("lower_outer"), "carrier", p.at("upper_outer"));
  return axle;
}

Axle macpherson(Builder& b) {
  const HardPoints p = b.points({"spindle", "lower_front", "lower_rear", "lower_outer", "strut_top",
                                 "strut_bottom", "tie_rod_inner", "tie_rod_outer"});
  const bool massless = b.massless_links({"lower_arm", "strut"}), steered = b.steered();
  const Arm arm = arm_of(b, p, "lower");
  const Vec3<double>&top = p.at("strut_top"), &bottom = p.at("strut_bottom");
  const BodyDescription carrier = b.part("carrier");
  for (const Side& side : b.sides()) b.add(side, carrier);
  if (massless) {
    for (const Side& side : b.sides()) {
      add_free_carrier(b, side, p.at("spindle"));
      add_massless_arm(b, side, arm);
      b.add(side, {.name = "strut",
                   .kind = JointKind::spherical_translational,
                   .connects = {b.chassis(), side.name("carrier")},
                   .at = top,
                   .axis = top - bottom});
    }
  } else {
    const BodyDescription lower = b.part(arm.name, arm.frame()), strut = b.part("strut");
    for (const Side& side : b.sides()) {
      add_arm(b, side, arm, lower);
      b.add(side, strut);
      b.add(side, {.name = "strut_top",
                   .kind = JointKind::spherical,
                   .connects = {b.chassis(), side.name("strut")},
                   .at = top});
      b.add(side, {.name = "strut",
                   .kind = JointKind::translational,
                   .connects = {side.name("carrier"), side.name("strut")},
                   .at = bottom,
                   .axis = top - bottom});
    }
  }
  add_tie_rods(b, p, steered);
  auto parts = std::vector<std::string>{"carrier"};
  if (!massless) parts.insert(parts.end(), {"lower_arm", "strut"});
  add_springs(b, parts, Seat{"carrier", {top, bottom}});
  add_anti_roll_bar(b, parts, p.at("spindle"));
  Axle axle = b.wheels("carrier", p.at("spindle"));
  b.steer_about(axle, p.at("lower_outer"), b.chassis(), top);
  return axle;
}

}  // namespace chicane::suspension
