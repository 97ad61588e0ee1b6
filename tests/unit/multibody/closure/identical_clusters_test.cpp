// SPDX-License-Identifier: Apache-2.0
#include "multibody/closure/identical_clusters.hpp"

#include <gtest/gtest.h>

#include "multibody/closure/choose.hpp"
#include "multibody/closure/lu.hpp"
#include "multibody/closure/project.hpp"
#include "multibody/dynamics/reactions.hpp"
#include "testkit/allocation_counter.hpp"
#include "testkit/mechanisms.hpp"
#include "testkit/vehicle.hpp"

namespace chicane::multibody::identical_clusters_test {
namespace {

using testkit::Evaluation;
using testkit::Random;

// Hinged quadrilaterals on a floating body, each `spread` more different from the first; from the
// given one on they are of another build.
Description quadrilaterals(int count, int different_from = 99, double spread = 0.01) {
  Description d;
  d.bodies.push_back({.name = "carrier", .mass = 200.0, .inertia = {40, 90, 100, 1, 2, 3}});
  const auto joint = [&](const std::string& name, const std::string& a, const std::string& b,
                         const Vec3<double>& at, JointKind kind = JointKind::revolute) {
    d.joints.push_back(
        {.name = name, .kind = kind, .connects = {a, b}, .at = at, .axis = {0, 1, 0}});
  };
  for (int k = 0; k < count; ++k) {
    const std::string n = std::to_string(k);
    const double y = 0.5 * k, more = spread * k;
    const auto body = [&](const std::string& name, double mass, const Vec3<double>& at) {
      d.bodies.push_back({.name = name + n,
                          .mass = mass + more,
                          .com = at,
                          .inertia = {0.3 + more, 0.4, 0.3, 0.001, 0, 0.002}});
    };
    body("crank", 1.0, {0.05, y, 0.15});
    body("coupler", 3.0, {0.35, y, 0.4 + more});
    body("rocker", 2.0, {0.75, y, 0.25});
    joint("a" + n, "carrier", "crank" + n, {0, y, 0});
    joint("b" + n, "crank" + n, "coupler" + n, {0.1, y, 0.3 + more});
    joint("c" + n, "carrier", "rocker" + n, {0.8, y, 0});
    joint("d" + n, "coupler" + n, "rocker" + n, {0.7 + more, y, 0.5},
          k >= different_from ? JointKind::spherical : JointKind::cylindrical);
  }
  return d;
}

std::vector<Wrench<double>> reactions_of(Evaluation<double>& e) {
  std::vector<Wrench<double>> joint(e.m->joint_names.size());
  reactions<double>(*e.m, e.choice, e.ws, joint);
  return joint;
}

// All together and one after the other: the same bits, and all together was really done.
void expect_the_same_bits(const std::shared_ptr<const Mechanism>& m, int steps) {
  Evaluation<double> together(m), apart(m);
  apart.ws.identical.clear();
  for (int k = 0; k < steps; ++k) {
    for (Evaluation<double>* e : {&together, &apart}) {
      ASSERT_EQ(testkit::rk4(*e, 1e-3), Status::ok);
      ASSERT_EQ(project(*m, e->choice, e->q, e->v, e->drives, e->ws).status, Status::ok);
      ASSERT_EQ((*e)(), Status::ok);
    }
    for (const LoopCluster& c : m->clusters) {
      ASSERT_EQ(used(together.ws, c), c.identical >= 0);
      ASSERT_FALSE(used(apart.ws, c));
    }
    ASSERT_EQ(together.q, apart.q) << k;
    ASSERT_EQ(together.v, apart.v) << k;
    ASSERT_EQ(together.vdot, apart.vdot) << k;
    ASSERT_EQ(together.ws.iterations, apart.ws.iterations) << k;
    ASSERT_EQ(together.ws.conditioning, apart.ws.conditioning) << k;
    ASSERT_EQ(reactions_of(together), reactions_of(apart)) << k;
  }
}

// A cluster that is held is not led by coordinates, and those beside it go their own way, too.
TEST(IdenticalClusters, LetOneOfThemBeHeld) {
  Evaluation<double> together(testkit::compiled(quadrilaterals(3))), apart(together.m);
  apart.ws.identical.clear();
  Choice next = together.choice;
  for (Evaluation<double>* e : {&together, &apart}) {
    ASSERT_EQ((*e)(), Status::ok);
    ASSERT_EQ(used(e->ws, e->m->clusters[0]), e == &together);
    // Lanes know as well as others how fast they turn.
    Choice own = e->choice;
    for (double& v : e->v) v *= 30.0;
    ASSERT_EQ((*e)(), Status::ok);
    hold_where_fast(*e->m, own, e->ws, 1e-2);
    if (e == &together) next = own;
    EXPECT_EQ(own, next);
    e->choice[1].held = true;
    ASSERT_EQ((*e)(), Status::ok);
    EXPECT_FALSE(used(e->ws, e->m->clusters[0]));
    EXPECT_TRUE(e->ws.loops[1].multipliers);
    EXPECT_FALSE(e->ws.loops[0].multipliers);
  }
  EXPECT_EQ(together.vdot, apart.vdot);
}

TEST(IdenticalClusters, GiveTheSameBitsAsOneAfterTheOther) {
  for (const int count : {2, 3, 4, 5, 9}) {
    const auto m = testkit::compiled(quadrilaterals(count));
    ASSERT_EQ(m->identical.size(), static_cast<std::size_t>((count + 2) / 4)) << count;
    expect_the_same_bits(m, 50);
  }
}

// By themselves the last would choose other coordinates than the first.
TEST(IdenticalClusters, ShareAChoiceThatIsNearlyAsGood) {
  const auto m = testkit::compiled(quadrilaterals(4, 99, 0.08));
  for (int k = 1; k < 4; ++k) EXPECT_EQ(m->choice[static_cast<std::size_t>(k)], m->choice[0]) << k;
  expect_the_same_bits(m, 20);
}

// The rack is outside the loops of the front wheels; the tie rods of the rear end on the chassis.
TEST(IdenticalClusters, AreTheFourCornersOfAVehicle) {
  const auto m = testkit::compiled(testkit::vehicle::description());
  ASSERT_EQ(m->identical.size(), 1u);
  EXPECT_EQ(m->identical[0].clusters.size(), 4u);
  EXPECT_EQ(m->identical[0].outside.size(), 1u);
  expect_the_same_bits(m, 20);

  Evaluation<double> together(m), apart(m);
  apart.ws.identical.clear();
  for (int k = 0; k < 100; ++k) {
    const double t = 0.01 * k;
    for (Evaluation<double>* e : {&together, &apart}) {
      const auto drive = [](double at, auto& drives) {
        drives[0] = testkit::vehicle::rack<double>(at);
      };
      ASSERT_EQ(testkit::rk4(*e, t, 1e-3, drive), Status::ok);
    }
    ASSERT_EQ(together.vdot, apart.vdot) << t;
  }
}

TEST(IdenticalClusters, OtherBuildsAreEvaluatedByThemselves) {
  const auto m = testkit::compiled(quadrilaterals(3, 2));
  ASSERT_EQ(m->identical.size(), 1u);
  EXPECT_EQ(m->identical[0].clusters.size(), 2u);
  expect_the_same_bits(m, 10);

  Description d = quadrilaterals(4);
  d.loops = Loops::multipliers;
  EXPECT_TRUE(testkit::compiled(d)->identical.empty());
}

// Another choice in one of them, until it is made in all.
TEST(IdenticalClusters, NeedTheSameIndependentCoordinates) {
  const auto m = testkit::compiled(quadrilaterals(4));
  Evaluation<double> e(m), apart(m);
  apart.ws.identical.clear();
  const ClusterChoice old = m->choice[2];
  ClusterChoice other = old;
  std::swap(other.independent[0], other.dependent[0]);
  std::sort(other.dependent.begin(), other.dependent.end());
  for (Evaluation<double>* x : {&e, &apart}) x->choice[2] = other;
  ASSERT_EQ(e(), Status::ok);
  ASSERT_EQ(apart(), Status::ok);
  EXPECT_FALSE(used(e.ws, m->clusters[0]));
  EXPECT_EQ(e.vdot, apart.vdot);
  e.choice[2] = old;
  ASSERT_EQ(e(), Status::ok);
  EXPECT_TRUE(used(e.ws, m->clusters[0]));
}

TEST(IdenticalClusters, EvaluationIsQuietAndForgetsTheLast) {
  Evaluation<double> e(testkit::compiled(quadrilaterals(3)));
  ASSERT_EQ(e(), Status::ok);
  const std::vector<double> first = e.vdot;
  testkit::spoil(e.ws);
  const testkit::AllocationCounter heap;
  ASSERT_EQ(e(), Status::ok);
  EXPECT_EQ(heap.count(), 0);
  EXPECT_EQ(e.vdot, first);
}

// Lanes exchange rows each in their own way.
TEST(IdenticalClusters, FactorsOfLanesAreThoseOfEach) {
  Random random(7);
  constexpr int n = 4;
  for (int trial = 0; trial < 200; ++trial) {
    std::array<std::array<double, n * n>, 4> A;
    std::array<std::array<double, n>, 4> x;
    std::array<Lanes4, n * n> A_all;
    std::array<Lanes4, n> x_all;
    for (int lane = 0; lane < 4; ++lane) {
      for (std::size_t i = 0; i < n * n; ++i)
        A_all[i].set(lane, A[static_cast<std::size_t>(lane)][i] = random.number(-1, 1));
      for (std::size_t i = 0; i < n; ++i)
        x_all[i].set(lane, x[static_cast<std::size_t>(lane)][i] = random.number(-1, 1));
    }
    std::array<LaneMask4, n * n> pivots;
    factor_lu<n>(A_all.data(), pivots.data(), n);
    solve_lu<n>(A_all.data(), pivots.data(), n, x_all.data());
    for (int lane = 0; lane < 4; ++lane) {
      const auto k = static_cast<std::size_t>(lane);
      std::array<int, n> pivot;
      factor_lu<n>(A[k].data(), pivot.data(), n);
      solve_lu<n>(A[k].data(), pivot.data(), n, x[k].data());
      for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(x_all[i][lane], x[k][i]);
    }
  }
}

}  // namespace
}  // namespace chicane::multibody::identical_clusters_test
