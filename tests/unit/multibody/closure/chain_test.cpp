// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/at.hpp"
#include "multibody/closure/band.hpp"
#include "multibody/closure/project.hpp"
#include "multibody/dynamics/reactions.hpp"
#include "testkit/allocation_counter.hpp"
#include "testkit/mechanisms.hpp"

// Many loops in a row: the work of each body does not depend on how many there are.

namespace chicane::multibody::chain_test {
namespace {

using testkit::Evaluation;
using testkit::Random;

// Joints and bodies in an order that has nothing to do with the row.
Description shuffled(Description d) {
  Random random(5);
  const auto shuffle = [&](auto& list) {
    for (std::size_t i = list.size() - 1; i > 0; --i)
      std::swap(list[i], list[static_cast<std::size_t>(random.number(0, static_cast<double>(i)))]);
  };
  shuffle(d.bodies);
  shuffle(d.joints);
  return d;
}

TEST(Chain, HasEquationsAlongTheDiagonalInWhateverOrderItIsDescribed) {
  for (const int n : {6, 60}) {
    for (const Description& d :
         {testkit::windows(n, Loops::embedded), shuffled(testkit::windows(n, Loops::embedded))}) {
      Evaluation<double> e(testkit::compiled(d));
      ASSERT_EQ(e(), Status::ok);
      ASSERT_EQ(e.m->clusters.size(), 1u);
      EXPECT_EQ(e.m->freedoms, 1);
      const ClusterScratch<double>& s = e.ws.loops[0];
      ASSERT_EQ(s.band.n, 2 * n);
      EXPECT_LE(s.band.below + s.band.above, 6) << n;
      EXPECT_LE(s.G.size(), at(5 * 3 * n));  // five rows of a hinge by three rates
    }
  }
}

// Small loops, and loops that all touch most rates, have a matrix that is full.
TEST(Chain, IsNoSmallCluster) {
  EXPECT_FALSE(testkit::compiled(testkit::four_bar())->clusters[0].chain);
  EXPECT_FALSE(testkit::compiled(testkit::windows(3, Loops::embedded))->clusters[0].chain);
}

// The form with multipliers knows nothing of the band.
TEST(Chain, MovesAsWithMultipliers) {
  constexpr int kWindows = 9;
  Description d = shuffled(testkit::windows(kWindows, Loops::embedded));
  Evaluation<double> band(testkit::compiled(d));
  d.loops = Loops::multipliers;
  Evaluation<double> other(testkit::compiled(d));
  ASSERT_TRUE(band.m->clusters[0].chain);
  const double angle = -0.7;  // all turn together: posts one way, beams against it
  for (Evaluation<double>* e : {&band, &other}) {
    for (std::size_t k = 0; k < e->q.size(); ++k) {
      e->q[k] = angle * e->m->v[k] / -1.0;
      e->v[k] = 2.5 * e->m->v[k];
    }
    testkit::spoil(e->ws);
    ASSERT_EQ((*e)(), Status::ok);
  }
  EXPECT_EQ(band.ws.multiplier_evaluations, 0);
  ASSERT_EQ(band.m->v_names, other.m->v_names);
  for (std::size_t k = 0; k < band.vdot.size(); ++k)
    EXPECT_NEAR(band.vdot[k], other.vdot[k], 1e-10) << band.m->v_names[k];
}

// Powers of the forces that hold each joint sum up to nothing, and each body moves as they say.
TEST(Chain, IsHeldByForcesThatDoNoWork) {
  Evaluation<double> e(testkit::compiled(shuffled(testkit::windows(9, Loops::embedded))));
  ASSERT_EQ(e(), Status::ok);
  std::vector<Wrench<double>> joint(e.m->joint_names.size());
  reactions<double>(*e.m, e.choice, e.ws, joint);
  // The beam between two posts hangs on both ends alike, where all posts turn alike.
  double weight = 0.0;
  for (std::size_t k = 0; k < joint.size(); ++k)
    if (e.m->joint_names[k].starts_with("foot")) weight += joint[k].force.y;
  double rise = 0.0;  // of the middle of all, times their masses
  for (std::size_t b = 0; b < e.m->bodies.size(); ++b)
    rise += acceleration(*e.m, BodyIndex{static_cast<int>(b)}, e.ws).linear.y;
  EXPECT_NEAR(weight, rise + 9.81 * static_cast<double>(e.m->bodies.size()),
              1e-9 * std::fabs(weight));
}

// Also where rates are chosen anew, near the positions in which all loops are singular.
TEST(Chain, IsQuietInAndAroundSingularPositions) {
  Evaluation<double> e(testkit::compiled(testkit::windows(8, Loops::embedded)));
  ASSERT_TRUE(e.m->clusters[0].chain);
  for (int step = 0; step < 1000; ++step) {
    ASSERT_EQ(testkit::rk4(e, 2e-3), Status::ok);
    const testkit::AllocationCounter heap;
    const Status evaluated = e();
    const Status projected = project(*e.m, e.choice, e.q, e.v, e.drives, e.ws).status;
    ASSERT_EQ(heap.count(), 0) << step;
    ASSERT_EQ(evaluated, Status::ok);
    ASSERT_EQ(projected, Status::ok);
  }
  EXPECT_GT(e.ws.bridged_evaluations, 0);
}

// --- the factors ---------------------------------------------------------------------------------

TEST(Band, SolvesWithAndWithoutExchanges) {
  Random random(17);
  for (const auto& [n, below, above] :
       {std::array{1, 0, 0}, std::array{12, 2, 1}, std::array{12, 0, 3}, std::array{20, 4, 0},
        std::array{7, 6, 6}, std::array{30, 1, 2}}) {
    const Band band{n, below, above};
    std::vector<double> A(at(n * n)), LU(at(n * n), std::nan(""));
    clear(band, LU.data());
    for (int i = 0; i < n; ++i)
      for (int k = std::max(0, i - below); k <= std::min(n - 1, i + above); ++k)
        LU[at(band(i, k))] = A[at(i * n + k)] = random.number(-1, 1);
    std::vector<int> pivot(at(n));
    factor_band(band, LU.data(), pivot.data());
    std::vector<double> x(at(n));
    for (double& number : x) number = random.number(-1, 1);
    std::vector<double> right(at(n)), left(at(n));
    for (int i = 0; i < n; ++i)
      for (int k = 0; k < n; ++k) {
        right[at(i)] += A[at(i * n + k)] * x[at(k)];
        left[at(k)] += A[at(i * n + k)] * x[at(i)];
      }
    solve_band(band, LU.data(), pivot.data(), right.data());
    solve_band_transposed(band, LU.data(), pivot.data(), left.data());
    for (int k = 0; k < n; ++k) {  // a matrix of random numbers may be ill-conditioned
      EXPECT_NEAR(right[at(k)], x[at(k)], 1e-9) << n;
      EXPECT_NEAR(left[at(k)], x[at(k)], 1e-9) << n;
    }
  }
}

}  // namespace
}  // namespace chicane::multibody::chain_test
