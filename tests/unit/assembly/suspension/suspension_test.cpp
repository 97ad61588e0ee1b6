// SPDX-License-Identifier: Apache-2.0

// Suspension templates: what they leave free, how wheels move, and what they weigh.

#include "assembly/suspension/suspension.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <numbers>

#include "assembly/assemble.hpp"
#include "blocks/mechanism/describe.hpp"
#include "io/reader/reader.hpp"
#include "testkit/axles.hpp"
#include "testkit/data.hpp"
#include "testkit/mechanisms.hpp"

namespace suspension_test {
namespace {

using namespace chicane;
using multibody::BodyIndex;
using multibody::Description;
using multibody::JointKind;
using namespace testkit::axles;
using testkit::compiled;
using testkit::Evaluation;

Made made(const std::string& text) {
  Made m(text);
  EXPECT_TRUE(m.axle) << m.diag.text();
  return m;
}

BodyIndex index_of(const multibody::Mechanism& m, const std::string& name) {
  for (std::size_t i = 0; i < m.bodies.size(); ++i)
    if (m.bodies[i].name == name) return BodyIndex{static_cast<int>(i)};
  ADD_FAILURE() << name;
  return {};
}

// A test rig: pads that are lifted carry the wheel centres, which may slide and turn on them. It
// takes one freedom from each wheel: what the suspension leaves is then seen as a function of the
// heights.
class Rig {
 public:
  explicit Rig(const Made& made) : axle_(*made.axle), m_(compiled(with_pads(made))), e_(m_) {
    EXPECT_EQ(m_->freedoms, 0);
    e_.ws.close_to_rounding = true;
  }

  // Moves there in steps that Newton's method follows.
  void move(double left, double right, double rack = 0.0) {
    constexpr int kSteps = 20;
    const std::map<std::string, double> to{
        {"rack", rack}, {"lift_left", left}, {"lift_right", right}};
    const auto from = e_.drives;
    for (int i = 1; i <= kSteps; ++i) {
      for (std::size_t k = 0; k < from.size(); ++k)
        e_.drives[k].q = from[k].q + (to.at(m_->drives[k]) - from[k].q) * i / kSteps;
      ASSERT_EQ(e_.kinematics(), Status::ok);
    }
  }
  // Where a point of a body is now, that was there in the position of the description.
  Vec3<double> now(const std::string& body, const Vec3<double>& point) const {
    const auto X = pose(*m_, index_of(*m_, body), e_.ws);
    return X * (point - start(body));
  }
  Mat3<double> rotation(const std::string& body) const {
    return pose(*m_, index_of(*m_, body), e_.ws).R;
  }
  Vec3<double> wheel(bool left) const {
    const WheelMount& w = left ? axle_.left : axle_.right;
    return now(w.body, w.centre);
  }
  Vec3<double> axis(bool left) const {
    const WheelMount& w = left ? axle_.left : axle_.right;
    return rotation(w.body) * w.axis;
  }
  double energy() const { return multibody::force_energy<double>(*m_, e_.ws); }

 private:
  Description with_pads(const Made& made) {
    Description d = made.d;
    for (const WheelMount* w : {&made.axle->left, &made.axle->right}) {
      const std::string side = w == &made.axle->left ? "left" : "right";
      // up, then along, then across, and a ball
      const std::array<std::string, 4> chain{"ground", "lift_" + side, "along_" + side,
                                             "across_" + side};
      const std::array<Vec3<double>, 3> ways{{{0, 0, 1}, {1, 0, 0}, {0, 1, 0}}};
      for (std::size_t i = 0; i < 3; ++i) {
        auto& b = d.bodies.emplace_back();
        b.name = chain[i + 1];
        b.mass = 1.0;
        b.com = w->centre;
        d.joints.push_back({.name = chain[i + 1],
                            .kind = JointKind::translational,
                            .connects = {chain[i], chain[i + 1]},
                            .at = w->centre,
                            .axis = ways[i],
                            .driven = i == 0});
      }
      d.joints.push_back({.name = "hub_" + side,
                          .kind = JointKind::spherical,
                          .connects = {chain[3], w->body},
                          .at = w->centre});
    }
    for (const auto& b : d.bodies) start_[b.name] = b.com;
    return d;
  }
  Vec3<double> start(const std::string& body) const { return start_.at(body); }

  Axle axle_;
  std::map<std::string, Vec3<double>> start_;
  std::shared_ptr<const multibody::Mechanism> m_;
  Evaluation<double> e_;
};

Vec3<double> mirror(const Vec3<double>& p) { return {p.x, -p.y, p.z}; }

// Loops are closed to rounding; a metre of lever and some ten joints multiply it.
constexpr double kClosed = 1e-12;
// Half the travel of a wheel [m], and of a rack [m].
constexpr double kTravel = 0.08, kRackTravel = 0.04;

const std::map<std::string, std::string> kTypes{{"wishbone", kWishbone},
                                                {"massless wishbone", kMasslessWishbone},
                                                {"upper link", kWishboneLinked},
                                                {"macpherson", kMacpherson},
                                                {"massless macpherson", kMasslessMacpherson},
                                                {"trailing arm", kTrailingArm},
                                                {"twist beam", kTwistBeam},
                                                {"track bar", kTrackBarBeam},
                                                {"rods as bodies", kMacpherson + kTieRodBody},
                                                {"four links", kSolidAxle},
                                                {"Panhard rod", kPanhardAxle},
                                                {"steered axle", kSteeredAxle}};

TEST(Suspension, LeavesOneFreedomToEachWheelAndSaysNothingTwice) {
  for (const auto& [name, text] : kTypes) {
    const auto m = compiled(made(text).d);
    EXPECT_EQ(m->freedoms, 2) << name;
    EXPECT_TRUE(m->redundant.empty()) << name;
  }
  EXPECT_EQ(compiled(made(kLeafAxle).d)->freedoms, 6);
}

TEST(Suspension, SidesAreMirrorImages) {
  for (const auto& [name, text] : kTypes) {
    if (name == "Panhard rod" || name == "steered axle" || name == "track bar")
      continue;  // not alike by construction
    SCOPED_TRACE(name);
    Rig a(made(text)), b(made(text));
    a.move(kTravel, -0.5 * kTravel, kRackTravel);
    b.move(-0.5 * kTravel, kTravel, -kRackTravel);
    for (const bool left : {true, false}) {
      EXPECT_LT(norm(a.wheel(left) - mirror(b.wheel(!left))), kClosed);
      EXPECT_LT(norm(a.axis(left) + mirror(b.axis(!left))), kClosed);  // both to the left
    }
  }
}

// A tie rod with mass guides as one without does.
TEST(Suspension, TieRodsGuideAlikeAsBodies) {
  for (const std::string& text : {kMacpherson, kWishbone}) {
    Rig rods(made(text + kTieRodBody)), massless(made(text));
    for (Rig* rig : {&rods, &massless}) rig->move(kTravel, -kTravel, kRackTravel);
    for (const bool left : {true, false}) {
      EXPECT_LT(norm(rods.wheel(left) - massless.wheel(left)), kClosed);
      EXPECT_LT(norm(rods.axis(left) - massless.axis(left)), kClosed);
    }
  }
}

// The end of a track bar goes round its end on the chassis, and takes the axle along sideways.
TEST(Suspension, ATrackBarKeepsItsLengthAndHoldsTheAxle) {
  const Vec3<double> at{-1.2, 0.0, 0.0}, first = at + Vec3<double>{-0.08, -0.5, 0.36},
                                         second = at + Vec3<double>{-0.08, 0.52, 0.31};
  Rig rig(made(kTrackBarBeam));
  for (const double travel : {-kTravel, 0.5 * kTravel, kTravel}) {
    rig.move(travel, travel);
    const Vec3<double> end = rig.now("arm_fl", second);
    EXPECT_NEAR(norm(end - first), norm(second - first), kClosed);
    EXPECT_NEAR(rig.wheel(true).y + rig.wheel(false).y, 2.0 * (end.y - second.y), kClosed);
  }
}

// By the one coordinate of an arm, as a user sees it: the same angle is the same travel.
TEST(Suspension, EqualAnglesLiftBothWheelsAlike) {
  const Made arms = made(kTrailingArm);
  Evaluation<double> e(compiled(arms.d));
  for (std::size_t i = 0; i < e.q.size(); ++i) e.q[i] = 0.2;
  ASSERT_EQ(e.kinematics(), Status::ok);
  const auto height = [&](const WheelMount& w) {
    const BodyIndex body = index_of(*e.m, w.body);
    Vec3<double> com{};
    for (const auto& b : arms.d.bodies)
      if (b.name == w.body) com = b.com;
    return (pose(*e.m, body, e.ws) * (w.centre - com)).z - w.centre.z;
  };
  EXPECT_GT(height(arms.axle->left), 0.05);  // positive is upwards
  EXPECT_NEAR(height(arms.axle->left), height(arms.axle->right), kClosed);
}

// The points a carrier is held by stay as far from those on chassis and rack as they were.
void expect_lengths(const Rig& rig, const std::vector<std::pair<std::string, std::string>>& links,
                    const std::map<std::string, Vec3<double>>& p, double rack) {
  for (const auto& [inner, outer] : links)
    for (const bool left : {true, false}) {
      const Vec3<double> a = left ? p.at(inner) : mirror(p.at(inner));
      const Vec3<double> b = left ? p.at(outer) : mirror(p.at(outer));
      const Vec3<double> moved =
          inner == "tie_rod_inner" ? Vec3<double>{0, rack, 0} : Vec3<double>{};
      const Vec3<double> now = rig.now(left ? "carrier_fl" : "carrier_fr", b);
      EXPECT_NEAR(norm(now - (a + moved)), norm(b - a), kClosed) << inner << ' ' << left;
    }
}

std::map<std::string, Vec3<double>> points_of(const std::string& text) {
  const DataSpec data = testkit::data_of(text);
  const auto vector = [](const DataSpec& v) {
    return Vec3<double>{std::stod(v.list[0].text.text), std::stod(v.list[1].text.text),
                        std::stod(v.list[2].text.text)};
  };
  std::map<std::string, Vec3<double>> out;
  for (const auto& [name, value] : data.find("suspension")->find("points")->entries)
    out[name] = vector(*data.find("at")) + vector(value);
  return out;
}

TEST(DoubleWishbone, LinksKeepTheirLengths) {
  for (const std::string& text : {kWishbone, kMasslessWishbone})
    for (const double travel : {-kTravel, kTravel}) {
      Rig rig(made(text));
      rig.move(travel, travel, kRackTravel);
      expect_lengths(rig,
                     {{"upper_front", "upper_outer"},
                      {"upper_rear", "upper_outer"},
                      {"lower_front", "lower_outer"},
                      {"lower_rear", "lower_outer"},
                      {"tie_rod_inner", "tie_rod_outer"}},
                     points_of(text), kRackTravel);
    }
}

TEST(Macpherson, LinksKeepTheirLengthsAndTheStrutMeetsItsTop) {
  for (const std::string& text : {kMacpherson, kMasslessMacpherson}) {
    Rig rig(made(text));
    const auto p = points_of(text);
    rig.move(kTravel, kTravel, kRackTravel);
    expect_lengths(rig,
                   {{"lower_front", "lower_outer"},
                    {"lower_rear", "lower_outer"},
                    {"tie_rod_inner", "tie_rod_outer"}},
                   p, kRackTravel);
    const Vec3<double> top = p.at("strut_top"), bottom = p.at("strut_bottom");
    const Vec3<double> line =
        rig.rotation("carrier_fl") * ((1.0 / norm(top - bottom)) * (top - bottom));
    EXPECT_LT(norm(cross(line, top - rig.now("carrier_fl", bottom))), kClosed);
  }
}

TEST(Suspension, MasslessLinksGuideAWheelAsBodiesDo) {
  for (const auto& [bodies, massless] :
       {std::pair{kWishbone, kMasslessWishbone}, std::pair{kWishbone, kWishboneLinked},
        std::pair{kMacpherson, kMasslessMacpherson}})
    for (const double rack : {-kRackTravel, 0.0, kRackTravel}) {
      Rig a(made(bodies)), b(made(massless));
      for (const double travel : {-kTravel, -0.02, 0.0, 0.03, kTravel}) {
        a.move(travel, -travel, rack);
        b.move(travel, -travel, rack);
        for (const bool left : {true, false}) {
          EXPECT_LT(norm(a.wheel(left) - b.wheel(left)), kClosed);
          EXPECT_LT(norm(a.axis(left) - b.axis(left)), kClosed);
        }
      }
    }
}

Vec3<double> com_of(const Description& d, std::string_view body) {
  const auto it =
      std::find_if(d.bodies.begin(), d.bodies.end(), [&](const auto& b) { return b.name == body; });
  EXPECT_NE(it, d.bodies.end()) << body;
  return it->com;
}

// A mass that a massless arm is given has the moment about its hinge that the arm would have,
// weighs as much, and its centre of mass is where it was.
TEST(Suspension, AMassOfAMasslessArmIsSharedOut) {
  Description bodies = made(kWishbone).d, shared = made(kWishboneShared).d;
  const auto weighed = [](const Description& d) {
    std::pair<double, Vec3<double>> all{};
    for (const auto& b : d.bodies) {
      all.first += b.mass;
      all.second += b.mass * b.com;
    }
    return all;
  };
  const auto [mass, moment] = weighed(bodies);
  EXPECT_NEAR(weighed(shared).first, mass, 1e-12 * mass);
  EXPECT_LT(norm(weighed(shared).second - moment), 1e-12 * norm(moment));
  for (Description* d : {&bodies, &shared}) {
    d->forces.clear();
    d->gravity = {};
  }
  Evaluation<double> a(compiled(bodies)), b(compiled(shared));
  a.drives[0].a = b.drives[0].a = 5.0;  // at rest in the position of the file
  ASSERT_EQ(a(), Status::ok);
  ASSERT_EQ(b(), Status::ok);
  for (const char* carrier : {"carrier_fl", "carrier_fr"}) {
    const auto A = acceleration(*a.m, index_of(*a.m, carrier), a.ws);
    const auto B = acceleration(*b.m, index_of(*b.m, carrier), b.ws);
    // Of the centres of mass, which the ball's mass has moved.
    const Vec3<double> moved = com_of(bodies, carrier) - com_of(shared, carrier);
    EXPECT_GT(norm(A.angular), 1.0);
    EXPECT_LT(norm(A.linear - B.linear - cross(B.angular, moved)), 1e-9 * norm(A.linear));
    EXPECT_LT(norm(A.angular - B.angular), 1e-9 * norm(A.angular));
  }
}

// With links that weigh next to nothing, wheels fall as with those that have no mass.
TEST(Suspension, MasslessLinksAreTheLimitOfLightOnes) {
  for (const auto& [bodies, massless] :
       {std::pair{kWishbone, kMasslessWishbone}, std::pair{kWishbone, kWishboneLinked},
        std::pair{kMacpherson, kMasslessMacpherson}}) {
    constexpr double kLight = 1e-7;  // of the mass
    Description light = made(bodies).d, none = made(massless).d;
    light.forces.clear();
    for (auto& b : light.bodies) {
      if (massless == kWishboneLinked && b.name.starts_with("lower_arm")) continue;
      if (!b.name.starts_with("lower_arm") && !b.name.starts_with("upper_arm") &&
          !b.name.starts_with("strut"))
        continue;
      auto& J = b.inertia;
      b.mass *= kLight;
      J = {kLight * J.xx, kLight * J.yy, kLight * J.zz,
           kLight * J.xy, kLight * J.xz, kLight * J.yz};
    }
    Evaluation<double> a(compiled(light)), b(compiled(none));
    a.drives[0].a = b.drives[0].a = 5.0;  // at rest in the position of the file
    ASSERT_EQ(a(), Status::ok);
    ASSERT_EQ(b(), Status::ok);
    for (const char* carrier : {"carrier_fl", "carrier_fr"}) {
      const auto A = acceleration(*a.m, index_of(*a.m, carrier), a.ws);
      const auto B = acceleration(*b.m, index_of(*b.m, carrier), b.ws);
      EXPECT_LT(norm(A.linear - B.linear), 10 * kLight * norm(A.linear));
      EXPECT_LT(norm(A.angular - B.angular), 10 * kLight * norm(A.angular));
    }
  }
}

// Where the tie rod's inner end is moved to the left, wheels turn: behind the axle, to the right.
TEST(Suspension, RackSteersBothWheelsTheSameWay) {
  for (const std::string& text : {kWishbone, kMacpherson}) {
    Rig rig(made(text));
    rig.move(0, 0, kRackTravel);
    EXPECT_GT(rig.axis(true).x, 0.1);
    EXPECT_GT(rig.axis(false).x, 0.1);
  }
  Rig axle(made(kSteeredAxle));  // the drag link is before the kingpin
  axle.move(0, 0, kRackTravel);
  EXPECT_LT(axle.axis(true).x, -0.1);
  EXPECT_LT(axle.axis(false).x, -0.1);
  EXPECT_NE(axle.axis(false).x, axle.axis(true).x);
}

// A wheel on a hinge stays on a circle: about the hinge by the angle that lifts it so far.
TEST(TrailingArm, WheelMovesOnACircleAboutTheHinge) {
  Rig rig(made(kTrailingArm));
  const auto p = points_of(kTrailingArm);
  const Vec3<double> inner = p.at("hinge_inner"), hinge = p.at("hinge_outer") - inner;
  const Vec3<double> n = (1.0 / norm(hinge)) * hinge;
  rig.move(kTravel, 0.0);
  const Vec3<double> r0 = p.at("spindle") - inner, r = rig.wheel(true) - inner;
  EXPECT_NEAR(dot(r, n), dot(r0, n), kClosed);
  EXPECT_NEAR(norm(r), norm(r0), kClosed);
  EXPECT_NEAR(r.z - r0.z, kTravel, kClosed);
  EXPECT_LT(norm(rig.wheel(false) - mirror(p.at("spindle"))), kClosed);  // the other one rests
}

TEST(TrailingArm, ToeTurnsWheelsInwardsAndNegativeCamberLeansThemIn) {
  const Axle axle = *made(kTrailingArm).axle;
  const double deg = std::numbers::pi / 180;
  // Forward is perpendicular to axis and vertical: for the left wheel it points to the right.
  EXPECT_NEAR(std::atan2(axle.left.axis.x, axle.left.axis.y), 0.2 * deg, kClosed);
  EXPECT_NEAR(std::atan2(axle.right.axis.x, axle.right.axis.y), -0.2 * deg, kClosed);
  EXPECT_NEAR(std::asin(axle.left.axis.z), 1 * deg, kClosed);  // outer end high: top leans in
  EXPECT_NEAR(std::asin(axle.right.axis.z), -1 * deg, kClosed);
  EXPECT_NEAR(norm(axle.left.axis), 1.0, kClosed);
}

TEST(TwistBeam, HoldsTheEnergyOfItsTwist) {
  Rig rig(made(kTwistBeam));
  const auto p = points_of(kTwistBeam);
  const Vec3<double> r = p.at("spindle") - p.at("hinge");
  const double radius = std::hypot(r.x, r.z), start = std::asin(r.z / radius);
  const auto angle = [&](double travel) { return std::asin((r.z + travel) / radius) - start; };
  rig.move(0.06, 0.06);
  EXPECT_NEAR(rig.energy(), 0.0, 1e-9);  // J; both arms alike
  rig.move(0.06, -0.04);
  const double twist = angle(0.06) - angle(-0.04);
  EXPECT_NEAR(rig.energy(), 0.5 * 2400 * twist * twist, 1e-9);
}

TEST(AntiRollBar, HoldsTheEnergyOfTheDifferenceOfHeights) {
  std::string bar_alone = kTrailingArm;
  bar_alone.erase(bar_alone.find("  spring:"),
                  bar_alone.find("anti_roll") - bar_alone.find("  spring:"));
  Rig rig(made(bar_alone));
  rig.move(0.05, -0.03);
  EXPECT_NEAR(rig.energy(), 0.5 * 12e3 * 0.08 * 0.08, 1e-9);
}

TEST(AntiRollBar, OnASolidAxleIsTheSameForSmallAngles) {
  Rig rig(made(kSolidAxle));
  const double height = 0.005;  // [m] of either wheel, 0.75 m from the middle; the bar is at 0.5 m
  rig.move(height, -height);
  const double difference = 2 * height * 0.5 / 0.75, roll = height / 0.75;
  // sine and angle differ by roll^2/6; the axle also steers a little as it rolls, about as much
  EXPECT_NEAR(rig.energy() / (0.5 * 9e3 * difference * difference), 1.0, roll);
}

// Mass, first moment and inertia about the origin of the vehicle.
struct Total {
  double m = 0;
  Vec3<double> h{};
  Sym3<double> J{};

  void add(double mass, const Vec3<double>& r, const Sym3<double>& own = {}) {
    m += mass;
    h += mass * r;
    J += own;
    J += {mass * (r.y * r.y + r.z * r.z),
          mass * (r.x * r.x + r.z * r.z),
          mass * (r.x * r.x + r.y * r.y),
          -mass * r.x * r.y,
          -mass * r.x * r.z,
          -mass * r.y * r.z};
  }
};
Total whole(const Description& d, const std::string& suffix) {
  Total sum;
  for (const auto& b : d.bodies)
    if (b.name.ends_with("_" + suffix)) sum.add(b.mass, b.com, b.inertia);
  return sum;
}

TEST(Suspension, WeighsWhatItsPartsWeigh) {
  const Made m = made(kTrailingArm);
  const auto left = whole(m.d, "fl"), right = whole(m.d, "fr");
  Total parts;
  parts.add(12.0, {-1.2 + 0.15, 0.6, 0.3}, {0.2, 0.3, 0.4, -0.01, 0.02, -0.03});
  // a wheel without spin inertia is two points on its axis
  const double r = std::sqrt(0.04117 / 14.705);
  for (const double s : {-r, r})
    parts.add(14.705 / 2, Vec3<double>{-1.2, 0.72, 0.3} + s * m.axle->left.axis);
  EXPECT_NEAR(left.m, parts.m, 1e-12);
  constexpr double kRounding = 1e-12;  // of sums of some 10 kg m^2
  EXPECT_LT(norm(left.h - parts.h), kRounding);
  EXPECT_NEAR(left.J.xx, parts.J.xx, kRounding);
  EXPECT_NEAR(left.J.yy, parts.J.yy, kRounding);
  EXPECT_NEAR(left.J.zz, parts.J.zz, kRounding);
  EXPECT_NEAR(left.J.xy, parts.J.xy, kRounding);
  EXPECT_NEAR(left.J.xz, parts.J.xz, kRounding);
  EXPECT_NEAR(left.J.yz, parts.J.yz, kRounding);
  // and the other side is its mirror image
  EXPECT_LT(norm(left.h - mirror(right.h)), kRounding);
  EXPECT_NEAR(left.J.xx, right.J.xx, kRounding);
  EXPECT_NEAR(left.J.xy, -right.J.xy, kRounding);
  EXPECT_NEAR(left.J.xz, right.J.xz, kRounding);
  EXPECT_NEAR(left.J.yz, -right.J.yz, kRounding);
  EXPECT_EQ(m.axle->spin_inertia, 0.07352);
}

TEST(Suspension, ASolidAxleCarriesBothWheels) {
  const Made m = made(kSolidAxle);
  const auto axle = whole(m.d, "f");
  EXPECT_NEAR(axle.m, 120 + 2 * 14.705, 1e-12);
  EXPECT_NEAR(axle.h.y, 0.0, 1e-12);
  EXPECT_EQ(m.axle->left.body, "axle_f");
  EXPECT_EQ(m.axle->right.body, "axle_f");
}

TEST(Suspension, ArmsMayHaveTheirInertiaInTheirOwnFrame) {
  const Made m = made(kMacpherson);
  const auto p = points_of(kMacpherson);
  for (const auto& b : m.d.bodies) {
    if (b.name != "lower_arm_fl") continue;
    // the moment about the hinge's direction, and about the normal of the plane of its points
    const auto moment = [&](const Vec3<double>& a) { return dot(a, b.inertia * a) / dot(a, a); };
    const Vec3<double> hinge = p.at("lower_front") - p.at("lower_rear");
    EXPECT_NEAR(moment(hinge), 0.05, 1e-15);
    EXPECT_NEAR(moment(cross(hinge, p.at("lower_outer") - p.at("lower_rear"))), 0.08, 1e-15);
  }
}

const multibody::TsdaDescription& tsda(const Description& d, const std::string& name) {
  for (const auto& f : d.forces)
    if (f.name == name) return std::get<multibody::TsdaDescription>(f.law);
  throw std::runtime_error("no force " + name);
}

TEST(Suspension, DampersMayDifferInBumpAndRebound) {
  const Made m = made(kMacpherson);
  const auto& e = tsda(m.d, "damper_fr");
  EXPECT_EQ(e.damper(-0.5), -400.0);  // bump: it is shortened, and pushes
  EXPECT_EQ(e.damper(0.5), 800.0);
  EXPECT_EQ(e.damper(2.0), 3200.0);  // straight on
}

// Between its points a curve goes as its section says: on the chord, or on a smooth curve through
// the same points; beyond them straight on, or not.
TEST(Suspension, CurvesGoAsTheirSectionSays) {
  const auto spring = [](const std::string& more) {
    return "spring: {stiffness: 25 kN/m, preload: 3.5 kN, " + more +
           "spring: {x: [0, 10, 20, mm], y: [0, 100, 400, N]}}";
  };
  const std::string plain = "spring: {stiffness: 25 kN/m, preload: 3.5 kN}";
  const auto curve = [&](const std::string& more) {
    std::string text = kMacpherson;
    const Made m = made(text.replace(text.find(plain), plain.size(), spring(more)));
    return tsda(m.d, "spring_fl").spring;
  };
  for (const auto& linear : {curve(""), curve("interpolation: linear, ")}) {
    EXPECT_NEAR(linear(0.005), 50.0, 1e-12);
    EXPECT_NEAR(linear(0.015), 250.0, 1e-12);
    EXPECT_NEAR(linear(0.030), 700.0, 1e-9);
  }
  const auto smooth = curve("interpolation: monotone, extrapolation: hold, ");
  EXPECT_NEAR(smooth(0.010), 100.0, 1e-12);
  EXPECT_LT(smooth(0.015), 249.0);
  EXPECT_NEAR(smooth(0.030), 400.0, 1e-12);
  std::string text = kMacpherson;
  Made wrong(text.replace(text.find(plain), plain.size(), spring("interpolation: cubic, ")));
  EXPECT_FALSE(wrong.axle);
  EXPECT_NE(wrong.diag.text().find("linear, monotone, spline"), std::string::npos);
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const auto at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

TEST(Suspension, DampersMayHaveOtherRatesNearTheEndsOfTheirStroke) {
  const std::string plain = "damper: {damper: {x: [-1, 0, 1, m/s], y: [-800, 0, 1600, N]}}";
  const Made m = made(replaced(
      kMacpherson, plain,
      plain.substr(0, plain.size() - 1) +
          ", ends: {shorter_than: 0.4 m, longer_than: 60 cm, over: 8 mm, damping: 100 N s/m, "
          "damper: {x: [-1, 0, 1, m/s], y: [-300, 0, 5000, N]}}}"));
  EXPECT_TRUE(m.diag.text().empty()) << m.diag.text();
  for (const char* name : {"damper_fl", "damper_fr"}) {
    const auto& e = tsda(m.d, name);
    EXPECT_EQ(e.damper(1.0), 1600.0);
    ASSERT_TRUE(e.ends);
    EXPECT_EQ(e.ends->shortest, 0.4);
    EXPECT_EQ(e.ends->longest, 0.6);
    EXPECT_EQ(e.ends->over, 0.008);
    EXPECT_EQ(e.ends->c, 100.0);
    EXPECT_EQ(e.ends->damper(1.0), 5000.0);
    EXPECT_EQ(e.ends->damper(-2.0), -600.0);
  }
}

// A spring along the chassis' z axis, whatever its foot does along and across: with one wheel up
// and the other down it holds what the heights of its feet say, and mirrored the same.
TEST(Suspension, ForcesMayActAlongAnAxisOfTheChassis) {
  const std::string plain = "free_length: 400 mm";
  const Vec3<double> top{-1.2 + 0.1, 0.55, 0.6}, foot{-1.2 + 0.1, 0.55, 0.3};
  for (const std::string axis : {"[0, 0, 1]", "[0, 0.6, 0.8]"}) {
    const Made m = made(replaced(replaced(kTrailingArm, plain, plain + ", axis: " + axis),
                                 "stiffness: 12 kN/m", "stiffness: 0 kN/m"));
    Rig rig(m);
    double mirrored = 0.0;
    for (const bool left_up : {true, false}) {
      rig.move(left_up ? 0.07 : -0.02, left_up ? -0.02 : 0.07);
      double held = 0.0;
      for (const bool left : {true, false}) {
        const Vec3<double> d = rig.now(left ? "arm_fl" : "arm_fr", left ? foot : mirror(foot)) -
                               (left ? top : mirror(top));
        const Vec3<double> a =
            axis == "[0, 0, 1]" ? Vec3<double>{0, 0, 1} : Vec3<double>{0, left ? 0.6 : -0.6, 0.8};
        held += 0.5 * 30e3 * std::pow(std::fabs(dot(a, d)) - 0.4, 2);
      }
      EXPECT_NEAR(rig.energy(), held, 1e-8);  // 1e-12 m of closure at 3 kN
      if (left_up) mirrored = rig.energy();
      EXPECT_NEAR(rig.energy(), mirrored, 1e-8);
    }
  }
}

// One section's axis holds for those that act where it does.
TEST(Suspension, AnAxisGoesOnToTheSectionsWithoutPoints) {
  const Made m =
      made(replaced(kTrailingArm, "free_length: 400 mm}",
                    "free_length: 400 mm, axis: [0, 0.6, 0.8]}\n"
                    "  damper: {damping: 1 kN s/m}\n"
                    "  bump_stop: {axis: [0, 0, 2], contact: 100 mm, stiffness: 1 kN/m}"));
  EXPECT_EQ(tsda(m.d, "damper_fl").axis, (Vec3<double>{0, 0.6, 0.8}));
  EXPECT_EQ(tsda(m.d, "damper_fr").axis, (Vec3<double>{0, -0.6, 0.8}));
  for (const auto& f : m.d.forces)
    if (f.name == "bump_stop_fr") {
      const auto& stop = std::get<multibody::BumpStopDescription>(f.law);
      EXPECT_EQ(stop.axis, (Vec3<double>{0, 0, 2}));
      EXPECT_EQ(stop.points[0], tsda(m.d, "spring_fr").points[0]);
    }
}

TEST(Macpherson, SpringAndDamperActAlongTheStrut) {
  const Made m = made(kMacpherson);
  const auto p = points_of(kMacpherson);
  for (const char* name : {"spring_fl", "damper_fl"}) {
    const auto& e = tsda(m.d, name);
    EXPECT_EQ(e.connects[1], "carrier_fl");
    EXPECT_EQ(e.points[0], p.at("strut_top"));
    EXPECT_EQ(e.points[1], p.at("strut_bottom"));
  }
  // Its preload pushes the wheel down.
  const auto falls = [](const Description& d) {
    Evaluation<double> e(compiled(d));
    EXPECT_EQ(e(), Status::ok);
    return acceleration(*e.m, index_of(*e.m, "carrier_fl"), e.ws).linear.z;
  };
  Description hanging = m.d;
  hanging.forces.clear();
  EXPECT_LT(falls(m.d), 2 * falls(hanging));
  EXPECT_LT(falls(hanging), 0.0);
}

// Free axle on its leaves, chassis held: leaves push with their load, nothing else holds it up.
TEST(SolidAxle, LeafSpringsPushWithTheirLoad) {
  const Made m = made(kLeafAxle);
  Evaluation<double> e(compiled(m.d));
  ASSERT_EQ(e(), Status::ok);
  const double mass = 120 + 2 * 14.705;
  const auto A = acceleration(*e.m, index_of(*e.m, "axle_f"), e.ws);
  EXPECT_NEAR(A.linear.z, -9.80665 - 2 * 9000 / mass, 1e-10);
}

// The corner of the built-in model was written by hand with the same numbers.
TEST(DoubleWishbone, IsTheCornerWrittenByHand) {
  Diagnostics diag;
  const auto spec = read_model("double-wishbone", diag);
  ASSERT_TRUE(spec) << diag.text();
  auto by_hand = describe_mechanism(*spec, diag);
  ASSERT_TRUE(by_hand) << diag.text();
  std::erase_if(by_hand->forces, [](const auto& f) { return f.name != "spring"; });
  for (auto& b : by_hand->bodies)
    if (b.name == "carrier") b.inertia.yy -= 0.07352;  // ours lets the wheel spin
  Evaluation<double> hand(compiled(*by_hand));

  Description d = made(kWishbone).d;
  multibody::ForceDescription spring;
  for (const auto& f : by_hand->forces) spring = f;
  std::get<multibody::TsdaDescription>(spring.law).connects = {"chassis", "lower_arm_fl"};
  d.forces = {spring};
  Evaluation<double> ours(compiled(d));

  hand.drives[0].q = ours.drives[0].q = 0.03;
  hand.drives[0].v = ours.drives[0].v = 0.2;
  ASSERT_EQ(hand(), Status::ok);
  ASSERT_EQ(ours(), Status::ok);
  const auto a = acceleration(*hand.m, index_of(*hand.m, "lca"), hand.ws);
  const auto b = acceleration(*ours.m, index_of(*ours.m, "lower_arm_fl"), ours.ws);
  EXPECT_LT(norm(a.linear - b.linear), 1e-4 * norm(a.linear));  // digits of its carrier's numbers
  EXPECT_LT(norm(a.angular - b.angular), 1e-4 * norm(a.angular));
}

TEST(FreeSuspension, MountsWheelsOnBodiesOfTheUser) {
  const Made m = made(kWheel + R"yaml(
at: [1, 0, 0, m]
suspension: {type: free, carriers: [chassis, rack], centres: [[0, 0.7, 0.3, m], [0, -0.7, 0.3, m]]}
)yaml");
  EXPECT_EQ(m.axle->right.body, "rack");
  EXPECT_EQ(m.axle->right.centre, (Vec3<double>{1, -0.7, 0.3}));
  EXPECT_EQ(m.axle->right.axis, (Vec3<double>{0, 1, 0}));
  EXPECT_NEAR(m.d.bodies[1].mass, 24.705, 1e-12);
}

// Every yaml block of the reference page is a whole axle, and moves as the page says.
TEST(SuspensionPage, EveryExampleIsAnAxle) {
  std::ifstream page(CHICANE_SOURCE_DIR "/docs/reference/suspensions.md");
  int examples = 0;
  std::string text;
  bool inside = false;
  for (std::string line; std::getline(page, line);) {
    if (inside && line == "```") {
      const Made m = made(text);
      const auto mechanism = compiled(m.d);
      const bool leaves = text.find("leaf_spring") != std::string::npos;
      const bool free = text.find("type: free") != std::string::npos;
      EXPECT_EQ(mechanism->freedoms, free ? 0 : leaves ? 6 : 2) << text;
      ++examples;
      inside = false;
    } else if (line == "```yaml") {
      inside = true;
      text.clear();
    } else if (inside) {
      text += line + "\n";
    }
  }
  EXPECT_EQ(examples, 9);
}

}  // namespace
}  // namespace suspension_test
