// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>

#include "multibody/dynamics/inverse_dynamics.hpp"
#include "multibody/dynamics/mass_matrix.hpp"
#include "testkit/allocation_counter.hpp"
#include "testkit/mechanisms.hpp"

namespace chicane::multibody::dynamics_test {
namespace {

using testkit::Evaluation;
using testkit::Random;

// Errors of one solve grow with the condition of the mass matrix, some 1e5 for these trees.
constexpr double kSolve = 1e-9;

TEST(ForwardDynamics, UndoesInverseDynamicsForEveryJointKind) {
  Random random(7);
  for (int trial = 0; trial < 1000; ++trial) {
    const Description d = testkit::random_tree(random, random.whole(1, 12), trial % 2 == 0);
    Evaluation<double> e(testkit::compiled(d));
    ASSERT_EQ(e.kinematics(), Status::ok);
    apply_forces(*e.m, e.ws);
    std::vector<double> want(e.v.size()), tau(e.v.size());
    for (double& a : want) a = random.number(-3, 3);
    inverse_dynamics<double>(*e.m, want, e.ws, tau);
    e.ws.tau = tau;
    ASSERT_EQ(accelerations<double>(*e.m, e.choice, e.ws, e.vdot), Status::ok);
    for (std::size_t i = 0; i < want.size(); ++i)
      ASSERT_NEAR(e.vdot[i], want[i], 3 * kSolve) << "tree " << trial << ", " << e.m->v_names[i];
  }
}

TEST(MassMatrix, IsWhatInverseDynamicsMultipliesBy) {
  Random random(8);
  for (int trial = 0; trial < 200; ++trial) {
    const Description d = testkit::random_tree(random, random.whole(1, 8), trial % 2 == 0);
    Evaluation<double> e(testkit::compiled(d));
    ASSERT_EQ(e.kinematics(), Status::ok);
    apply_forces(*e.m, e.ws);
    const std::size_t n = e.v.size();
    std::vector<double> M(n * n), zero(n, 0.0), bias(n), tau(n);
    mass_matrix<double>(*e.m, e.ws, M);
    inverse_dynamics<double>(*e.m, zero, e.ws, bias);
    for (std::size_t k = 0; k < n; ++k) {
      std::vector<double> one(n, 0.0);
      one[k] = 1.0;
      inverse_dynamics<double>(*e.m, one, e.ws, tau);
      for (std::size_t i = 0; i < n; ++i) ASSERT_NEAR(M[i * n + k], tau[i] - bias[i], 1e-10);
    }
    // The kinetic energy is the form that the matrix defines.
    double form = 0.0;
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t k = 0; k < n; ++k) form += 0.5 * e.v[i] * M[i * n + k] * e.v[k];
    EXPECT_NEAR(form, kinetic_energy(*e.m, e.ws), 1e-11 * std::max(1.0, form));
  }
}

TEST(ForwardDynamics, AgreesWithCartesianCoordinatesOnTrees) {
  Random random(9);
  for (int trial = 0; trial < 200; ++trial) {
    const Description d = testkit::random_tree(random, random.whole(1, 6), trial % 2 == 0);
    Evaluation<double> e(testkit::compiled(d));
    ASSERT_EQ(e(), Status::ok);
    const auto other = testkit::cartesian_accelerations(d, testkit::body_states(*e.m, e.ws), {});
    EXPECT_LT(other.position_error, 1e-12);
    EXPECT_LT(other.rate_error, 1e-12);
    EXPECT_EQ(other.freedoms, e.m->nv);
    EXPECT_LT(testkit::difference(*e.m, e.ws, other), kSolve) << trial;
  }
}

TEST(Loops, AgreeWithCartesianCoordinates) {
  Random random(10);
  int compared = 0;
  for (int trial = 0; trial < 600; ++trial) {
    Description d = testkit::random_tree(random, random.whole(2, 8), trial % 3 == 0);
    testkit::add_random_loops(d, random, random.whole(1, 3));
    d.gravity = random.vector(10.0);
    Diagnostics diag;
    const auto m = compile(d, diag);
    if (!m || m->freedoms == 0 || m->clusters.empty()) continue;  // cannot close, or cannot move
    Evaluation<double> e(m);
    ASSERT_EQ(e(), Status::ok) << trial;
    if (e.ws.conditioning < 1e-2) continue;  // near a singular position digits are lost by nature
    const auto other = testkit::cartesian_accelerations(d, testkit::body_states(*m, e.ws), {});
    ASSERT_LT(other.position_error, 1e-9) << trial;
    ASSERT_LT(other.rate_error, 1e-9) << trial;
    ASSERT_EQ(other.freedoms, m->freedoms) << trial;
    const double error = testkit::difference(*m, e.ws, other);
    EXPECT_LT(error, kSolve) << trial << " conditioning " << e.ws.conditioning;
    ++compared;
  }
  EXPECT_GT(compared, 150);
  RecordProperty("compared", compared);
}

}  // namespace
}  // namespace chicane::multibody::dynamics_test
