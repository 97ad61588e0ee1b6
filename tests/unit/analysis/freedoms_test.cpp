// SPDX-License-Identifier: Apache-2.0

// Mechanisms with loops and balls: as many modes as twice their freedoms, and where they rest.

#include "analysis/freedoms.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "analysis/linearize.hpp"
#include "analysis/trim.hpp"
#include "assembly/assemble.hpp"
#include "io/reader/reader.hpp"
#include "testkit/models.hpp"

namespace freedoms_test {
namespace {

using namespace chicane;
using Structures = std::shared_ptr<const ModelStructure>;

constexpr GroupIndex kAll{0};

// A four-bar linkage of rods, drawn with the coupler above, with a spring, a damper and a torque at
// the crank.
std::string four_bar(const std::string& loops) {
  return R"(
format: chicane/1
run: {method: rk4, step: 1 ms, until: 1 s}
topology:
  bodies: [crank, coupler, rocker]
  loops: )" +
         loops + R"(
  joints:
    A: {type: revolute, connects: [ground, crank]}
    B: {type: revolute, connects: [crank, coupler]}
    C: {type: revolute, connects: [coupler, rocker]}
    D: {type: revolute, connects: [ground, rocker]}
  forces:
    spring: {type: rsda, joint: A}
parameters:
  bodies:
    crank: {mass: 1 kg, com: [0, 0, 0.15, m], inertia: {diagonal: [0.01, 0.01, 0.01, kg m^2]}}
    coupler: {mass: 2 kg, com: [0.5, 0, 0.55, m], inertia: {diagonal: [0.2, 0.2, 0.2, kg m^2]}}
    rocker: {mass: 1.5 kg, com: [1.05, 0, 0.4, m], inertia: {diagonal: [0.1, 0.1, 0.1, kg m^2]}}
  joints:
    A: {at: [0, 0, 0], axis: [0, 1, 0]}
    B: {at: [0, 0, 0.3, m], axis: [0, 1, 0]}
    C: {at: [1, 0, 0.8, m], axis: [0, 1, 0]}
    D: {at: [1.1, 0, 0, m], axis: [0, 1, 0]}
  forces:
    spring: {stiffness: 20 N m/rad, damping: 1 N m s/rad, command: M}
inputs: {M: {value: 0 N m}}
)";
}

// The same model with multipliers and embedded, at the same point of a run.
TEST(Freedoms, WithMultipliersAreThoseOfTheEmbeddedLoops) {
  for (const double until : {0.0, 0.25, 0.8}) {
    std::vector<Linearization> both;
    for (const char* loops : {"embedded", "multipliers"}) {
      const Structures s = testkit::compiled(four_bar(loops));
      Simulation run(s, testkit::plan("rk4", 1e-3));
      while (run.time() < until) ASSERT_EQ(run.step(), Status::ok);
      both.push_back(linearize(s, run.state()));
    }
    ASSERT_EQ(both[0].states.size(), 2u);
    ASSERT_EQ(both[1].states.size(), 2u);
    for (std::size_t i = 0; i < 2; ++i) {
      const auto difference = both[0].eigenvalues[i] - both[1].eigenvalues[i];
      EXPECT_LT(std::abs(difference), 1e-6 * std::abs(both[0].eigenvalues[i])) << until;
    }
  }
}

TEST(Freedoms, OfBuiltInMechanismsWithMultipliersAreTwoStatesEach) {
  for (const char* name :
       {"slider-crank", "four-bar", "bricard", "andrews-squeezer", "double-wishbone"}) {
    Diagnostics faults;
    Spec spec = *read_model(name, faults);
    const auto compiled = [&](const char* loops) {
      spec.mechanism->loops.text = loops;
      Diagnostics diag;
      const auto s = compile(spec, Partition::together(spec), diag);
      EXPECT_TRUE(s) << diag.text();
      return linearize(s, Model<double>(s).initial_state());
    };
    const Linearization a = compiled("embedded"), b = compiled("multipliers");
    ASSERT_EQ(a.eigenvalues.size(), b.eigenvalues.size()) << name;
    double size = 1.0;
    for (const auto& z : a.eigenvalues) size = std::max(size, std::abs(z));
    for (const auto& z : a.eigenvalues) {
      double nearest = 1e300;
      for (const auto& y : b.eigenvalues) nearest = std::min(nearest, std::abs(z - y));
      EXPECT_LT(nearest, 1e-6 * size) << name;
    }
  }
}

// --- trim ----------------------------------------------------------------------------------------

double fastest(const Trim& t) {
  double most = 0.0;
  for (const double rate : t.rates) most = std::max(most, std::fabs(rate));
  return most;
}

// Left where the trim is, it stays there; both forms of the loops find the same place.
TEST(TrimOfALoop, IsWhereItRests) {
  std::vector<double> crank;
  for (const char* loops : {"embedded", "multipliers"}) {
    const Structures s = testkit::compiled(four_bar(loops));
    const Trim t = trim(s, with_default_inputs(*s, Model<double>(s).initial_state()), {});
    ASSERT_TRUE(t.found) << loops << " " << t.residual;
    EXPECT_LT(fastest(t), 1e-9);
    crank.push_back(t.at.state.groups[kAll]
                        .x[static_cast<std::size_t>(testkit::place_of_state(*s, "A.angle"))]);
    EXPECT_GT(std::fabs(crank.back()), 1e-3);  // it is not where it was drawn
    Simulation run(s, testkit::plan("rk4", 1e-3));
    State<double> from = t.at.state;
    from.clock = run.state().clock;
    run.restore(from, testkit::plan("rk4", 1e-3));
    for (int i = 0; i < 200; ++i) ASSERT_EQ(run.step(), Status::ok);
    EXPECT_NEAR(testkit::value_in(run, "A.angle"), crank.back(), 1e-9);
  }
  EXPECT_NEAR(crank[0], crank[1], 1e-9);
}

// Any angle of a loop can be held, whichever is independent; the torque that does it is found, and
// it is what the principle of virtual work says: M = -dV/dA, V the energy of gravity and spring.
TEST(TrimOfALoop, HoldsAnyStateOfIt) {
  for (const char* loops : {"embedded", "multipliers"})
    for (const char* joint : {"A.angle", "B.angle", "D.angle"}) {
      const Structures s = testkit::compiled(four_bar(loops));
      const auto at = [&](double angle) {
        TrimRequest request;
        request.hold = {{testkit::place_of_state(*s, joint), angle}};
        request.free = {{Variable::Kind::input, 0}};
        const Trim t = trim(s, with_default_inputs(*s, Model<double>(s).initial_state()), request);
        EXPECT_TRUE(t.found) << loops << joint << t.residual;
        EXPECT_NEAR(
            t.at.state.groups[kAll].x[static_cast<std::size_t>(testkit::place_of_state(*s, joint))],
            angle, 1e-12);
        EXPECT_LT(fastest(t), 1e-8);
        return t.at;
      };
      const double h = 1e-3;  // errors of h^2 = 1e-6 of the energies' third derivative, about 10
      const OperatingPoint low = at(0.05 - h), here = at(0.05), high = at(0.05 + h);
      const SignalIndex energy = s->find_signal("energy.potential");
      const auto V = [&](const OperatingPoint& p) {
        return differentiate(Model<Dual>(s), p, {}, std::span(&energy, 1)).signals[0];
      };
      const auto A = [&](const OperatingPoint& p) {
        return p.state.groups[kAll]
            .x[static_cast<std::size_t>(testkit::place_of_state(*s, "A.angle"))];
      };
      const double slope = (V(high) - V(low)) / (A(high) - A(low));
      EXPECT_NEAR(std::fabs(here.inputs.u[0]), std::fabs(slope), 1e-4 * std::fabs(slope))
          << loops << joint;
    }
}

// A ball on a spring hangs where its centre is below it, from whatever side it comes.
TEST(TrimOfABall, IsBelowItsPoint) {
  const Structures s = testkit::compiled(R"(
format: chicane/1
topology:
  bodies: [bob]
  joints: {tip: {type: spherical, connects: [ground, bob]}}
parameters:
  bodies:
    bob: {mass: 2 kg, com: [0, 0, -0.3, m], inertia: {diagonal: [0.1, 0.1, 0.02, kg m^2]}}
  joints: {tip: {at: [0, 0, 0, m], initial: [0.6, -0.4, 0.3, rad]}}
)");
  const Trim t = trim(s, with_default_inputs(*s, Model<double>(s).initial_state()), {});
  ASSERT_TRUE(t.found) << t.residual;
  const std::vector<double>& x = t.at.state.groups[kAll].x;
  const auto q = [&](const char* name) {
    return x[static_cast<std::size_t>(testkit::place_of_state(*s, name))];
  };
  // turned about z at most
  EXPECT_NEAR(std::hypot(q("tip.q_x"), q("tip.q_y")), 0.0, 1e-9);
  EXPECT_NEAR(std::hypot(q("tip.q_w"), q("tip.q_z")), 1.0, 1e-12);
}

}  // namespace
}  // namespace freedoms_test
