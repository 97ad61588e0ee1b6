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
// Of a double wishbone the upper arm alone can be massless: the lower one then carries. A mass that
// it is given all the same is shared out between carrier and chassis.

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

// The mass of an arm that is no body. At the ball, as a part of the carrier: as much as has the
// moment of the arm about its hinge. The rest is on the chassis, so that the centre of mass stays.
void share_out(Builder& b, const Arm& arm, const BodyDescription& body) {
  const Vec3<double> hinge = arm.front - arm.rear, axis = (1.0 / norm(hinge)) * hinge;
  const double reach = norm(cross(axis, arm.outer - arm.rear)),
               centre = norm(cross(axis, body.com - arm.rear));
  const double about_hinge = dot(axis, body.inertia * axis) + body.mass * centre * centre;
  const PointMass ball{about_hinge / (reach * reach), arm.outer};
  const double rest = body.mass - ball.mass;
  if (rest <= 0.0) {
    b.diagnostics().error(body.numbers,
                          "as a mass at its ball, {} would weigh {:.4g} kg: it is heavier outside "
                          "than all of it. Check its com and inertia, or say 'links: bodies'",
                          arm.name, ball.mass);
    return;
  }
  const PointMass inner{rest, (1.0 / rest) * (body.mass * body.com - ball.mass * ball.at)};
  for (const Side& side : b.sides()) {
    b.add(side, side.name("carrier"), ball);
    b.add(side, b.chassis(), inner);
  }
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
      if (upper_massless && b.keys().find(arm.name) != nullptr) {
        const BodyDescription body = b.part(arm.name, arm.frame());
        if (b.diagnostics().ok()) share_out(b, arm, body);
      }
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
