// SPDX-License-Identifier: Apache-2.0

// The rig against geometry that is drawn by hand, against forward dynamics, and against itself.

#include "analysis/rig/rig.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "blocks/mechanism/describe.hpp"
#include "core/at.hpp"
#include "testkit/axles.hpp"

namespace rig_test {
namespace {

using namespace chicane;
using namespace chicane::rig;
using namespace testkit::axles;

constexpr double kRadius = 0.31;  // [m]

// One axle on the rig, from the position of its file.
struct OneAxle {
  explicit OneAxle(const std::string& text) : made(text) {
    EXPECT_TRUE(made.axle) << made.diag.text();
    RigVehicle v;
    v.mechanism = made.d;
    v.steered = true;
    v.axles.push_back(
        {.name = "front", .wheel = {"fl", "fr"}, .axle = *made.axle, .radius = {kRadius, kRadius}});
    m = compile_mechanism(std::optional(v.mechanism), made.diag);
    EXPECT_TRUE(m) << made.diag.text();
    rig.emplace(std::move(v), m);
    EXPECT_TRUE(rig->find_zero(Zero::file, made.diag)) << made.diag.text();
  }
  AxleReading at(double left, double right, double rack = 0.0) {
    const std::array<std::array<double, 2>, 1> travel{{{left, right}}};
    EXPECT_TRUE(rig->move_to(travel, rack));
    const auto r = rig->read();
    EXPECT_TRUE(r);
    return r ? r->front() : AxleReading{};
  }

  Made made;
  std::shared_ptr<const multibody::Mechanism> m;
  std::optional<Rig> rig;
};

// Hinges along x and a tie rod that is the lower arm's twin: everything moves in planes x = const.
const std::string kPlanar = kWheel + R"yaml(
at: [0, 0, 0, m]
suspension:
  type: double-wishbone
  points:
    spindle: [0, 0.75, 0.31, m]
    upper_front: [0.1, 0.42, 0.44, m]
    upper_rear: [-0.1, 0.42, 0.44, m]
    upper_outer: [0, 0.66, 0.48, m]
    lower_front: [0.1, 0.30, 0.20, m]
    lower_rear: [-0.1, 0.30, 0.20, m]
    lower_outer: [0, 0.70, 0.17, m]
    tie_rod_inner: [-0.15, 0.30, 0.20, m]
    tie_rod_outer: [-0.15, 0.70, 0.17, m]
  carrier: {mass: 20 kg, com: [0, 0.7, 0.3, m], inertia: {diagonal: [0.2, 0.2, 0.1, kg m^2]}}
  upper_arm: {mass: 3 kg, com: [0, 0.54, 0.46, m], inertia: {diagonal: [0.02, 0.02, 0.03, kg m^2]}}
  lower_arm: {mass: 6 kg, com: [0, 0.5, 0.185, m], inertia: {diagonal: [0.1, 0.05, 0.1, kg m^2]}}
  spring: {points: [[0, 0.46, 0.60, m], [0, 0.56, 0.18, m]], on: lower_arm, stiffness: 40 kN/m, preload: 5 kN}
  damper: {damping: 2 kN s/m}
)yaml";

struct Plane {
  double y, z;
};
// Where the line through a and b meets that through c and d.
Plane crossing(Plane a, Plane b, Plane c, Plane d) {
  const double ux = b.y - a.y, uz = b.z - a.z, vx = d.y - c.y, vz = d.z - c.z;
  const double s = ((c.y - a.y) * vz - (c.z - a.z) * vx) / (ux * vz - uz * vx);
  return {a.y + s * ux, a.z + s * uz};
}

// By ruler: the arms' lines meet in the instant centre of the carrier; the line from the contact to
// it cuts the middle plane in the roll centre.
TEST(Rig, APlanarDoubleWishboneIsAsDrawnByHand) {
  constexpr double kBar = 1e-6;  // of each; 0.1 % is asked for
  OneAxle axle(kPlanar);
  const AxleReading r = axle.at(0.0, 0.0);
  const Plane hinge{0.30, 0.20}, ball{0.70, 0.17}, centre{0.75, 0.31};
  const Plane ic = crossing({0.42, 0.44}, {0.66, 0.48}, hinge, ball);
  const Plane contact{centre.y, centre.z - kRadius};
  const double roll_centre =
      contact.z + (ic.z - contact.z) * contact.y / (contact.y - ic.y) - contact.z;
  EXPECT_NEAR(r.roll_centre_height / roll_centre, 1.0, kBar);
  EXPECT_NEAR(r.roll_centre_offset, 0.0, 1e-9);
  const double camber_gain = -1.0 / (centre.y - ic.y);  // the wheel leans in as it rises
  // The arm goes at the rate with which its ball moves about the instant centre; the foot of the
  // spring with the arm.
  const double arm = -camber_gain * (ball.y - ic.y) / (ball.y - hinge.y);
  const Plane top{0.46, 0.60}, foot{0.56, 0.18};
  const double length = std::hypot(top.y - foot.y, top.z - foot.z);
  const double motion =
      arm * (-(foot.z - hinge.z) * (top.y - foot.y) + (foot.y - hinge.y) * (top.z - foot.z)) /
      length;
  for (const WheelReading& w : r.wheel) {
    EXPECT_NEAR(w.camber_gain / camber_gain, 1.0, kBar);
    EXPECT_NEAR(w.spring_ratio / motion, 1.0, kBar);
    EXPECT_NEAR(w.damper_ratio / motion, 1.0, kBar);
    EXPECT_NEAR(w.front_arm / (contact.y - ic.y), 1.0, kBar);
    EXPECT_NEAR(w.toe_gain, 0.0, 1e-9);
    EXPECT_NEAR(w.kingpin, std::atan2(0.70 - 0.66, 0.48 - 0.17), 1e-12);
    EXPECT_NEAR(w.caster, 0.0, 1e-12);
    EXPECT_NEAR(w.scrub, 0.75 - (0.70 + 0.17 * (0.70 - 0.66) / (0.48 - 0.17)), 1e-9);
    EXPECT_NEAR(w.trail, 0.0, 1e-12);
    EXPECT_NEAR(w.brake_support, 0.0, 1e-9);
  }
}

// A wheel rate by forward dynamics: what the wheels accelerate by when they are out of balance by
// some travel, over what they do under a force.
TEST(Rig, WheelRateIsThatOfTheEquationsOfMotion) {
  constexpr double kStep = 1e-5, kForce = 1.0, kBar = 1e-4;  // [m], [N]; 0.5 % is asked for
  for (const std::string& text : {kPlanar, kMacpherson, kTrailingArm}) {
    OneAxle axle(text);
    const AxleReading r = axle.at(0.0, 0.0);
    const std::vector<double> F = axle.rig->statics().forces();
    multibody::Workspace<double> ws(*axle.m);
    // [m/s^2] of the left wheel, both wheels with that travel and force beside the balance of 0.
    const auto rises = [&](double travel, double force) {
      axle.at(travel, travel);
      const Statics& s = axle.rig->statics();
      std::vector<double> q = s.coordinates(), v(at(axle.m->nv)), vdot(at(axle.m->nv));
      const std::vector<multibody::Drive<double>> drives(axle.m->drives.size());
      EXPECT_EQ(multibody::kinematics<double>(*axle.m, s.choice(), q, v, drives, ws), Status::ok);
      multibody::apply_forces(*axle.m, ws);
      for (std::size_t w = 0; w < 2; ++w) {
        const HeldWheel& wheel = s.wheels()[w];
        const auto& link = ws.motion[at(wheel.link)];
        const Vec3<double> f{0.0, 0.0, F[w] + force};
        ws.force[at(wheel.link)] += {cross(pose_of(wheel, link).contact - link.p, f), f};
      }
      EXPECT_EQ(multibody::accelerations<double>(*axle.m, s.choice(), ws, vdot), Status::ok);
      const HeldWheel& wheel = s.wheels()[0];
      const Motion<double> a = multibody::link_acceleration(*axle.m, ws, wheel.link);
      return at_point(a, ws.motion[at(wheel.link)].R * wheel.centre).linear.z;
    };
    const double by_travel = (rises(kStep, 0.0) - rises(-kStep, 0.0)) / (2.0 * kStep);
    const double by_force = (rises(0.0, kForce) - rises(0.0, -kForce)) / (2.0 * kForce);
    EXPECT_NEAR(r.wheel[0].rate / (-by_travel / by_force), 1.0, kBar);
  }
}

const std::map<std::string, std::string> kTypes{{"planar", kPlanar},
                                                {"wishbone", kWishbone},
                                                {"massless wishbone", kMasslessWishbone},
                                                {"upper link", kWishboneLinked},
                                                {"macpherson", kMacpherson},
                                                {"massless macpherson", kMasslessMacpherson},
                                                {"trailing arm", kTrailingArm},
                                                {"twist beam", kTwistBeam},
                                                {"track bar", kTrackBarBeam},
                                                {"four links", kSolidAxle},
                                                {"Panhard rod", kPanhardAxle},
                                                {"leaf springs", kLeafAxle},
                                                {"steered axle", kSteeredAxle}};

// Derivatives are those of the values over the range, in every type there is.
TEST(Rig, GainsAreTheSlopesOfTheCurves) {
  constexpr double h = 1e-4;
  for (const auto& [name, text] : kTypes) {
    SCOPED_TRACE(name);
    OneAxle axle(text);
    for (const double z : {-0.03, 0.0, 0.04}) {
      const AxleReading r = axle.at(z, z), up = axle.at(z + h, z + h), down = axle.at(z - h, z - h);
      for (const std::size_t side : {0U, 1U}) {
        const WheelReading &w = r.wheel[side], &a = up.wheel[side], &b = down.wheel[side];
        EXPECT_NEAR(w.travel, z, 1e-9);
        EXPECT_NEAR(w.toe_gain, (a.toe - b.toe) / (2 * h), 1e-5);
        EXPECT_NEAR(w.camber_gain, (a.camber - b.camber) / (2 * h), 1e-5);
        EXPECT_NEAR(w.rate, (a.load - b.load) / (2 * h), 1e-4 * std::fabs(w.rate) + 1.0);
      }
      const AxleReading left = axle.at(z - h, z + h), right = axle.at(z + h, z - h);
      const double roll = left.roll - right.roll;
      EXPECT_NEAR(r.roll_steer, (left.mean_steer - right.mean_steer) / roll, 1e-5);
      const double moment =
          0.5 * r.track *
          ((left.wheel[1].load - left.wheel[0].load) - (right.wheel[1].load - right.wheel[0].load));
      EXPECT_NEAR(r.roll_stiffness, moment / roll, 1e-5 * std::fabs(r.roll_stiffness) + 1.0);
    }
  }
}

TEST(Rig, SidesAreMirrorImages) {
  for (const auto& [name, text] : kTypes) {
    if (name == "Panhard rod" || name == "steered axle" || name == "track bar") continue;
    SCOPED_TRACE(name);
    OneAxle axle(text);
    const AxleReading a = axle.at(0.03, -0.01, 0.01), b = axle.at(-0.01, 0.03, -0.01);
    for (const auto& c : wheel_columns()) {
      const double left = a.wheel[0].*c.member, right = b.wheel[1].*c.member;
      if (!std::isfinite(left)) continue;
      const std::string_view column = c.name;
      const bool turns = column == "steer" || column == "lateral_camber" ||
                         column == "lateral_load" || column == "forward_steer" ||
                         column == "driving_steer" || column == "aligning_camber";
      EXPECT_NEAR(left, turns ? -right : right, 1e-7 * (1.0 + std::fabs(left))) << column;
    }
    EXPECT_NEAR(a.roll_centre_height, b.roll_centre_height, 1e-7);
    EXPECT_NEAR(a.roll_centre_offset, -b.roll_centre_offset, 1e-6);
    EXPECT_NEAR(a.roll, -b.roll, 1e-9);
  }
}

// Trailing arms: contacts go round the hinge, seen from the side, and stay in their planes.
TEST(Rig, TrailingArmsSupportByTheirHinge) {
  OneAxle axle(kTwistBeam);
  const AxleReading r = axle.at(0.0, 0.0);
  const double x = -0.42, z = 0.3 - kRadius - 0.32;  // of the contact from the hinge
  for (const WheelReading& w : r.wheel) {
    EXPECT_NEAR(std::tan(w.brake_support), z / -x, 1e-9);
    EXPECT_NEAR(std::tan(w.drive_support), (0.3 - 0.32) / -x, 1e-9);
    EXPECT_NEAR(w.side_arm, x, 1e-9);
  }
  EXPECT_NEAR(r.roll_centre_height, 0.0, 1e-9);
}

// Two pads of 500 kN/m hold the axle that both wheels push sideways, at held heights.
TEST(Rig, LeafSpringsYieldSideways) {
  OneAxle axle(kLeafAxle);
  const AxleReading r = axle.at(0.0, 0.0);
  for (const WheelReading& w : r.wheel) {
    EXPECT_NEAR(w.lateral_shift, 1.0 / 500e3, 1e-3 / 500e3);
    EXPECT_NEAR(w.lateral_steer, 0.0, 1e-9);
    EXPECT_GT(w.forward_shift, 1.0 / 2e6);  // ... and winds up
  }
}

// Ideal joints at held heights give way to nothing.
TEST(Rig, IdealJointsDoNotYield) {
  for (const std::string& text : {kPlanar, kMacpherson, kTwistBeam, kSolidAxle}) {
    OneAxle axle(text);
    const AxleReading r = axle.at(0.01, 0.01);
    for (const WheelReading& w : r.wheel)
      for (const double yields : {w.lateral_steer, w.lateral_camber, w.lateral_shift,
                                  w.forward_steer, w.forward_shift, w.aligning_steer})
        EXPECT_NEAR(yields, 0.0, 1e-12);
  }
}

// Jacking by the n-line: a lateral force is worth its slope in load, which is the height of the
// roll centre over half the track.
TEST(Rig, JackingIsTheSlopeToTheRollCentre) {
  OneAxle axle(kPlanar);
  const AxleReading r = axle.at(0.0, 0.0);
  const double slope = r.roll_centre_height / (0.5 * r.track);
  EXPECT_NEAR(r.wheel[0].lateral_load / -slope, 1.0, 1e-6);
  EXPECT_NEAR(r.wheel[1].lateral_load / slope, 1.0, 1e-6);
}

TEST(Rig, YieldingOfTheFileIsAdded) {
  OneAxle axle(kPlanar);
  RigVehicle v = axle.rig->vehicle();
  v.axles[0].yields = {1e-6, 2e-6, 3e-6, 4e-6};
  Rig rig(v, axle.m);
  ASSERT_TRUE(rig.find_zero(Zero::file, axle.made.diag));
  const AxleReading r = rig.read()->front();
  EXPECT_NEAR(r.wheel[0].lateral_steer, 1e-6, 1e-12);
  EXPECT_NEAR(r.wheel[1].aligning_steer, 2e-6, 1e-12);
  EXPECT_NEAR(r.wheel[0].lateral_camber, -3e-6, 1e-12);  // to the right is outwards on the right
  EXPECT_NEAR(r.wheel[1].aligning_camber, 4e-6, 1e-12);
}

}  // namespace
}  // namespace rig_test
