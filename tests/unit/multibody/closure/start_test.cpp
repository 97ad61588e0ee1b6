// SPDX-License-Identifier: Apache-2.0
#include "multibody/closure/start.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "testkit/mechanisms.hpp"

namespace chicane::multibody::start_test {
namespace {

using testkit::Evaluation;
using testkit::Random;

constexpr double kDegree = std::numbers::pi / 180;

std::string faults_of(const Description& d) {
  Diagnostics diag;
  EXPECT_FALSE(compile(d, diag));
  return diag.text();
}

// Values of all joints at the start.
std::vector<JointValues> values(const std::shared_ptr<const Mechanism>& mechanism) {
  const Mechanism& m = *mechanism;
  Evaluation<double> e(mechanism);
  EXPECT_EQ(e.kinematics(), Status::ok);
  std::vector<JointValues> all;
  for (int i = 0; i < static_cast<int>(m.joint_names.size()); ++i)
    all.push_back(values_of(m, JointIndex{i}, e.ws));
  return all;
}

// Where a point of a body is whose frame is the global one in the drawing.
Vec3<double> place(const std::shared_ptr<const Mechanism>& mechanism, const char* body,
                   const Vec3<double>& drawn) {
  const Mechanism& m = *mechanism;
  Evaluation<double> e(mechanism);
  EXPECT_EQ(e.kinematics(), Status::ok);
  for (int i = 0; i < static_cast<int>(m.bodies.size()); ++i) {
    if (m.bodies[static_cast<std::size_t>(i)].name != body) continue;
    const Transform<double> X = pose(m, BodyIndex{i}, e.ws);
    return X * drawn;
  }
  return {};
}

// A crank-rocker goes all the way round and keeps its side: B-C-D turns one way for ever.
TEST(Start, ACrankIsWhereItIsAskedOnTheBranchOfTheDrawing) {
  for (const Loops form : {Loops::embedded, Loops::multipliers})
    for (double asked = -350; asked <= 350; asked += 70) {
      Description d = testkit::four_bar();
      d.loops = form;
      for (BodyDescription& b : d.bodies) b.reference = Vec3<double>{};
      d.joints[0].initial = {asked * kDegree};
      const auto m = testkit::compiled(d);
      EXPECT_EQ(values(m)[0].q[0], asked * kDegree);
      EXPECT_NEAR(values(m)[0].v[0], 4.0, 1e-13);
      const Vec3<double> B = place(m, "crank", {0, 0, 0.3}), C = place(m, "rocker", {1, 0, 0.8});
      EXPECT_NEAR(norm(C - B), std::hypot(1.0, 0.5), 1e-12);
      EXPECT_NEAR(norm(C - place(m, "coupler", {1, 0, 0.8})), 0.0, 1e-12);
      const Vec3<double> D{1.1, 0, 0};
      EXPECT_GT(cross(C - B, D - C).y, 0.1) << asked;
    }
}

// What a joint is asked does not depend on where its loop is cut, nor which joint says it.
TEST(Start, ValuesOfACutJointAreHeldLikeOthers) {
  Description d = testkit::four_bar();
  d.joints[0].initial = {0.7};
  d.joints[0].initial_rate = {-3.0};
  const auto first = values(testkit::compiled(d));
  for (const char* cut : {"a", "b", "c", "d"})
    for (std::size_t asked = 0; asked < 4; ++asked) {
      Description other = testkit::four_bar();
      other.cut = {cut};
      other.joints[0].initial_rate.clear();
      other.joints[asked].initial = first[asked].q;
      other.joints[asked].initial_rate = first[asked].v;
      const auto found = values(testkit::compiled(other));
      for (std::size_t k = 0; k < 4; ++k) {
        EXPECT_NEAR(found[k].q[0], first[k].q[0], 1e-9) << cut << asked << k;
        EXPECT_NEAR(found[k].v[0], first[k].v[0], 1e-9) << cut << asked << k;
      }
      EXPECT_NEAR(found[asked].q[0], first[asked].q[0], 1e-14);
      EXPECT_NEAR(found[asked].v[0], first[asked].v[0], 1e-13);
    }
}

TEST(Start, ValuesThatOthersImplyAreAcceptedAndConflictsNamed) {
  Description d = testkit::four_bar();
  d.joints[0].initial = {0.7};
  const auto fit = values(testkit::compiled(d));
  for (std::size_t k = 0; k < 4; ++k)
    d.joints[k].initial = fit[k].q, d.joints[k].initial_rate = fit[k].v;
  const auto all = testkit::compiled(d);
  EXPECT_EQ(values(all)[1].q, fit[1].q);

  Description wrong = d;
  wrong.joints[3].initial[0] += 0.02;
  std::string text = faults_of(wrong);
  EXPECT_NE(text.find("joint 'd' cannot start with initial"), std::string::npos) << text;
  EXPECT_NE(text.find("'a' 0.7"), std::string::npos) << text;

  wrong = d;
  wrong.joints[3].initial_rate[0] += 0.02;
  text = faults_of(wrong);
  EXPECT_NE(text.find("joint 'd' cannot start with initial_rate"), std::string::npos) << text;
  EXPECT_EQ(text.find("with initial "), std::string::npos) << text;
}

// The rocker turns back where crank and coupler are in line: |BD| is then known, and the angle.
TEST(Start, BeyondTheEndOfAWayTheNearestValueIsNamed) {
  Description d = testkit::four_bar();
  d.joints[3].initial = {2.0};
  Diagnostics diag;
  EXPECT_FALSE(compile(d, diag));
  const double a = 0.3, b = std::hypot(1.0, 0.5), c = std::hypot(0.1, 0.8), g = 1.1;
  // The angle at D between DA and DC, in the triangle A-C-D with |AC| = b + a; drawn: DC = (-0.1,
  // 0.8). A turn about y takes z to x.
  const double most = std::acos((c * c + g * g - (b + a) * (b + a)) / (2 * c * g));
  const double drawn = std::acos(0.1 / c);
  const std::string nearest = fmt::format("as near as {:.6g}", most - drawn);
  EXPECT_NE(diag.text().find(nearest), std::string::npos) << diag.text() << nearest;
  d.joints[3].initial = {most - drawn - 1e-6};
  EXPECT_NEAR(values(testkit::compiled(d))[3].q[0], most - drawn - 1e-6, 1e-15);
}

// Drawn at its dead point, where no rate of the crank moves the piston.
TEST(Start, APistonLeavesADeadPoint) {
  Description d;
  const double r = 0.045, l = 0.14, way = 0.03;
  const auto body = [&](const char* name) {
    d.bodies.push_back({name, 1.0, {}, {1, 1, 1, 0, 0, 0}});
  };
  body("crank"), body("rod"), body("piston");
  d.joints = {
      {.name = "main",
       .kind = JointKind::revolute,
       .connects = {"ground", "crank"},
       .axis = {0, 1, 0}},
      {.name = "big", .kind = JointKind::spherical, .connects = {"crank", "rod"}, .at = {r, 0, 0}},
      {.name = "small",
       .kind = JointKind::universal,
       .connects = {"rod", "piston"},
       .at = {r + l, 0, 0},
       .axis = {0, 1, 0},
       .second_axis = Vec3<double>{0, 0, 1}},
      {.name = "bore",
       .kind = JointKind::translational,
       .connects = {"ground", "piston"},
       .at = {r + l, 0, 0},
       .axis = {1, 0, 0}}};
  d.joints[3].initial = {-way};
  d.joints[3].initial_rate = {-2.0};
  const auto found = values(testkit::compiled(d));
  EXPECT_NEAR(found[3].q[0], -way, 1e-15);
  EXPECT_NEAR(found[3].v[0], -2.0, 1e-12);
  const double x = r + l - way, cosine = (r * r + x * x - l * l) / (2 * r * x);
  EXPECT_NEAR(std::cos(found[0].q[0]), cosine, 1e-12);
  d.joints[3].initial.clear();  // at the dead point no rate of the piston is possible
  EXPECT_NE(faults_of(d).find("as near as"), std::string::npos);
}

// Random loops of all kinds. Values that fit are accepted however many there are; others too where
// freedoms are left; whatever is accepted is exact, with the loops closed.
TEST(Start, RandomLoopsStartAtWhatIsAskedOrAreRefused) {
  Random random(20261);
  int accepted = 0, refused = 0, tested = 0;
  for (int trial = 0; trial < 60; ++trial) {
    Description d = testkit::random_tree(random, random.whole(2, 6), trial % 3 == 0);
    testkit::add_random_loops(d, random, random.whole(1, 3));
    d.loops = trial % 2 == 0 ? Loops::embedded : Loops::multipliers;
    Diagnostics unheard;
    if (!compile(d, unheard)) {  // nothing moves, or a chain without mass
      EXPECT_EQ(unheard.text().find("cannot start"), std::string::npos) << unheard.text();
      continue;
    }
    ++tested;
    for (const bool fits : {true, false}) {
      Description some = d;
      const bool places = random.number(0, 1) < 0.5;  // some places alone; or all, and some rates
      for (JointDescription& j : some.joints) {
        const bool off = !fits && random.number(0, 1) < 0.3;
        for (double& q : j.initial) q += off ? random.number(-0.1, 0.1) : 0.0;
        if (places && random.number(0, 1) < 0.5) j.initial.clear();
        if (places || random.number(0, 1) < 0.5) j.initial_rate.clear();
      }
      Diagnostics diag;
      const auto m = compile(some, diag);
      ++(m ? accepted : refused);
      if (fits) {
        EXPECT_TRUE(m) << trial << "\n" << diag.text();
      }
      if (!m) {
        EXPECT_NE(diag.text().find("cannot start with"), std::string::npos) << diag.text();
        continue;
      }
      const auto found = values(m);
      Evaluation<double> e(m);
      ASSERT_EQ(e.kinematics(), Status::ok);
      for (const auto& loop : e.ws.loops)
        for (const double gap : loop.residual) EXPECT_NEAR(gap, 0.0, 1e-10);
      for (std::size_t k = 0; k < some.joints.size(); ++k) {
        const JointDescription& j = some.joints[k];
        for (std::size_t i = 0; i < j.initial.size(); ++i)
          EXPECT_NEAR(found[k].q[i], j.initial[i], 1e-9) << trial << " " << j.name;
        for (std::size_t i = 0; i < j.initial_rate.size(); ++i)
          EXPECT_NEAR(found[k].v[i], j.initial_rate[i], 1e-7) << trial << " " << j.name;
      }
    }
  }
  EXPECT_GT(tested, 30);
  EXPECT_GT(refused, 3);
  EXPECT_GT(accepted, tested);
}

}  // namespace
}  // namespace chicane::multibody::start_test
