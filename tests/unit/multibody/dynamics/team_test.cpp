// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "multibody/closure/project.hpp"
#include "testkit/allocation_counter.hpp"
#include "testkit/mechanisms.hpp"
#include "testkit/vehicle.hpp"

namespace chicane::multibody::team_test {
namespace {

using testkit::Evaluation;
using testkit::Random;

void expect_the_same_bits(const std::shared_ptr<const Mechanism>& m, Team& team, int steps) {
  Evaluation<double> alone(m), together(m);
  together.ws.use(*m, &team);
  for (int k = 0; k < steps; ++k) {
    for (Evaluation<double>* e : {&alone, &together}) {
      ASSERT_EQ(testkit::rk4(*e, 1e-3), Status::ok);
      ASSERT_EQ(project(*m, e->choice, e->q, e->v, e->drives, e->ws).status, Status::ok);
    }
    ASSERT_EQ(together.q, alone.q) << k;
    ASSERT_EQ(together.v, alone.v) << k;
    ASSERT_EQ(together.vdot, alone.vdot) << k;
    ASSERT_EQ(together.ws.iterations, alone.ws.iterations) << k;
  }
}

TEST(Team, GivesTheSameBitsForAnyNumberOfThreads) {
  Random random(51);
  int branched = 0;
  for (const int members : {1, 2, 3}) {
    Team team(members);
    expect_the_same_bits(testkit::compiled(testkit::vehicle::description()), team, 20);
    for (int trial = 0; trial < 30; ++trial) {
      Description d = testkit::random_tree(random, random.whole(3, 12), trial % 2 == 0);
      testkit::add_random_loops(d, random, random.whole(0, 2));
      Diagnostics diag;
      const auto m = compile(d, diag);
      if (!m || m->freedoms == 0) continue;
      if (Evaluation<double> e(m); testkit::rk4(e, 1e-3) != Status::ok) continue;  // about to lock
      expect_the_same_bits(m, team, 1);
      branched += m->branches.empty() ? 0 : 1;
    }
  }
  EXPECT_GT(branched, 30);
}

TEST(Team, EachWheelOfAVehicleIsABranch) {
  const auto m = testkit::compiled(testkit::vehicle::description());
  EXPECT_EQ(m->trunk, 2);  // chassis and rack
  ASSERT_EQ(m->branches.size(), 4u);
  for (const Branch& b : m->branches) {
    EXPECT_EQ(b.last, b.first + 1);
    EXPECT_GE(m->nodes[static_cast<std::size_t>(b.first)].cluster, 0);
  }
}

TEST(Team, EvaluationWithItIsQuiet) {
  Team team(2);
  Evaluation<double> e(testkit::compiled(testkit::vehicle::description()));
  e.ws.use(*e.m, &team);
  ASSERT_EQ(e(), Status::ok);
  const std::vector<double> first = e.vdot;
  testkit::spoil(e.ws);
  const testkit::AllocationCounter heap;
  ASSERT_EQ(e(), Status::ok);
  EXPECT_EQ(heap.count(), 0);
  EXPECT_EQ(e.vdot, first);
}

}  // namespace
}  // namespace chicane::multibody::team_test
