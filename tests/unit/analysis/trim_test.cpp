// SPDX-License-Identifier: Apache-2.0

// Steady motions: known ones, and that a model left there does not move.

#include "analysis/trim.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "analysis/linearize.hpp"
#include "testkit/models.hpp"

namespace trim_test {
namespace {

using namespace chicane;
using Structures = std::shared_ptr<const ModelStructure>;

constexpr GroupIndex kAll{0};

Variable input(const Structures& s, const std::string& name) {
  for (const InputIndex i : s->inputs.indices())
    if (s->inputs[i].name == name) return {Variable::Kind::input, i.value};
  ADD_FAILURE() << "no input " << name;
  return {};
}

Variable parameter(const Structures& s, const std::string& name) {
  for (const ParameterIndex i : s->parameters.indices())
    if (s->parameters[i].name == name) return {Variable::Kind::parameter, i.value};
  ADD_FAILURE() << "no parameter " << name;
  return {};
}

OperatingPoint start(const Structures& s) {
  return with_default_inputs(*s, Model<double>(s).initial_state());
}

double x(const Trim& t, const Structures& s, const std::string& name) {
  return t.at.state.groups[kAll].x[static_cast<std::size_t>(testkit::place_of_state(*s, name))];
}

Structures model(const std::string& text) {
  return testkit::compiled("format: chicane/1\nunits: none\n" + text);
}

// How far a model moves from its trim in some time, but for the drift: over the states' sizes.
double moved(const Structures& s, const Trim& t, double step, double until) {
  const Plan plan = testkit::plan("rk4", step);
  Simulation run(s, plan);
  State<double> from = t.at.state;
  from.clock = run.state().clock;
  run.restore(from, plan);
  run.inputs() = t.at.inputs;
  while (run.time() < until) EXPECT_EQ(run.step(), Status::ok);
  double most = 0;
  for (std::size_t i = 0; i < t.rates.size(); ++i) {
    const double x0 = t.at.state.groups[kAll].x[i], x1 = run.state().groups[kAll].x[i];
    const double drift = t.drifts[i] ? run.time() * t.rates[i] : 0.0;
    most = std::max(most, std::fabs(x1 - x0 - drift) / (1e-3 + std::fabs(x0) + std::fabs(drift)));
  }
  return most;
}

class Vehicle : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Frames, Vehicle,
                         testing::Values("planar-vehicle", "planar-vehicle-inertial"));

TEST_P(Vehicle, IsTrimmedAtConstantSpeed) {
  const Structures s = testkit::compiled_builtin(GetParam());
  const Trim t = trim(
      s, start(s),
      {{{testkit::place_of_state(*s, "chassis.vx"), 20.0}}, {input(s, "T_f"), input(s, "T_r")}});
  ASSERT_TRUE(t.found);
  EXPECT_LT(t.residual, 1e-10);
  EXPECT_EQ(x(t, s, "chassis.vx"), 20.0);
  // The torques overcome rolling resistance alone: c_rr times the weight.
  const double torque = t.at.inputs.u[static_cast<std::size_t>(input(s, "T_f").index)] +
                        t.at.inputs.u[static_cast<std::size_t>(input(s, "T_r").index)];
  EXPECT_NEAR(torque, -0.005 * (800 + 2 * (35 + 5)) * 9.81, 1e-9);
  EXPECT_NEAR(t.rates[static_cast<std::size_t>(testkit::place_of_state(*s, "chassis.x"))], 20.0,
              1e-12);
  EXPECT_TRUE(t.drifts[static_cast<std::size_t>(testkit::place_of_state(*s, "hub_f.theta"))]);
  EXPECT_FALSE(t.drifts[static_cast<std::size_t>(testkit::place_of_state(*s, "chassis.y"))]);
  EXPECT_LT(moved(s, t, 2e-4, 3.0), 1e-9);  // rounding of the trim, kept small by the damping
}

TEST_P(Vehicle, HasTheSameTrimFromAnotherStart) {
  const Structures s = testkit::compiled_builtin(GetParam());
  const TrimRequest request{{{testkit::place_of_state(*s, "chassis.vx"), 20.0}}, {input(s, "T_f")}};
  OperatingPoint other = start(s);
  for (const auto& [name, shift] : {std::pair{"chassis.y", 0.01},
                                    {"chassis.pitch", 0.01},
                                    {"hub_f.vy", 0.3},
                                    {"hub_r.omega", 0.5},
                                    {"tire_f.s", 1e-3}})
    other.state.groups[kAll].x[static_cast<std::size_t>(testkit::place_of_state(*s, name))] +=
        shift;
  const Trim a = trim(s, start(s), request), b = trim(s, other, request);
  ASSERT_TRUE(a.found && b.found);
  const auto T_f = static_cast<std::size_t>(input(s, "T_f").index);
  EXPECT_NEAR(a.at.inputs.u[T_f], b.at.inputs.u[T_f], 1e-9);
  for (const StateInfo& info : s->states) {
    const auto i = static_cast<std::size_t>(info.place);
    if (a.drifts[i]) continue;  // where a position begins is free
    EXPECT_NEAR(a.at.state.groups[kAll].x[i], b.at.state.groups[kAll].x[i], 1e-9) << info.name;
  }
}

TEST(TrimOfAVehicle, WithoutAFreeTorqueFailsAndNamesTheTorques) {
  const Structures s = testkit::compiled_builtin("planar-vehicle");
  const Trim t = trim(s, start(s), {});
  EXPECT_FALSE(t.found);
  EXPECT_GE(t.worst, 0);
  EXPECT_EQ(t.remedies, (std::vector{input(s, "T_f"), input(s, "T_r")}));
}

TEST(TrimOfEveryLinearModel, IsItsSteadyState) {
  const Structures two = testkit::compiled_builtin("two-scale");
  EXPECT_NEAR(x(trim(two, start(two), {}), two, "x3"), 0.9007, 5e-5);  // R. M. Howe's example
  const Structures jet = testkit::compiled_builtin("pitch-control");
  EXPECT_NEAR(x(trim(jet, start(jet), {}), jet, "theta"), 0.15, 1e-15);
  for (const auto& s : {two, jet}) {
    const Trim t = trim(s, start(s), {});
    EXPECT_TRUE(t.found);
    EXPECT_LT(moved(s, t, 1e-3, 5.0), 1e-11);  // rounding of 5000 steps
  }
}

TEST(TrimOfAPendulum, IsWhereTheTorqueHoldsIt) {
  const Structures s = model(
      "parameters: {g: 9.81, l: 2}\ninputs: {u: 0}\n"
      "states: {phi: {der: w, initial: 1}, w: {der: -g/l*sin(phi) - 0.1*w + u}}\n");
  const Trim down = trim(s, start(s), {});
  EXPECT_TRUE(down.found);
  EXPECT_NEAR(std::sin(x(down, s, "phi")), 0, 1e-12);
  const Trim aside =
      trim(s, start(s), {{{testkit::place_of_state(*s, "phi"), 0.5}}, {input(s, "u")}});
  EXPECT_TRUE(aside.found);
  EXPECT_NEAR(aside.at.inputs.u[0], 9.81 / 2 * std::sin(0.5), 1e-13);
}

// The derived constant w2 must follow the parameter.
TEST(TrimOfASpring, FindsAParameterThroughDerivedConstants) {
  const Structures s = model(
      "parameters: {k: 100, m: 2, g: 9.81}\nauxiliaries: {w2: k/m}\n"
      "states: {x: {der: v}, v: {der: -w2*x - v - g}}\n");
  const Trim t =
      trim(s, start(s), {{{testkit::place_of_state(*s, "x"), -0.1}}, {parameter(s, "k")}});
  ASSERT_TRUE(t.found);
  const auto slot = s->parameters[ParameterIndex{parameter(s, "k").index}].slot;
  EXPECT_NEAR(t.at.state.constants[slot], 2 * 9.81 / 0.1, 1e-9);
  EXPECT_LT(moved(s, t, 1e-3, 2.0), 1e-12);
}

// Two masses on a spring, nothing else: they go on together, at the speed they have.
TEST(TrimOfAFreeBody, LeavesItsSpeed) {
  const Structures s = model(
      "states: {x1: {der: v1}, x2: {der: v2, initial: 1.3}, v1: {der: 9*(x2 - x1 - 1), initial: 4},"
      " v2: {der: -9*(x2 - x1 - 1), initial: 2}}\n");
  const Trim t = trim(s, start(s), {});
  ASSERT_TRUE(t.found);
  EXPECT_NEAR(x(t, s, "x2") - x(t, s, "x1"), 1, 1e-12);
  EXPECT_NEAR(x(t, s, "v1"), x(t, s, "v2"), 1e-12);
  EXPECT_NEAR(x(t, s, "v1"), 3, 1);  // between the two, not at rest
  EXPECT_LT(moved(s, t, 1e-2, 5.0), 1e-10);
}

TEST(TrimOfPositions, ThatNothingReadsLeavesThemAlone) {
  const Structures s =
      model("inputs: {u: 6}\nstates: {way: {der: v, initial: 5}, v: {der: u - 2*v}}\n");
  const Trim t = trim(s, start(s), {});
  ASSERT_TRUE(t.found);
  EXPECT_EQ(x(t, s, "way"), 5);
  EXPECT_NEAR(x(t, s, "v"), 3, 1e-14);
}

TEST(TrimOfAFallingBody, FailsAndNamesItsSpeed) {
  const Structures s = model("inputs: {u: 0}\nstates: {y: {der: v}, v: {der: u - 9.81}}\n");
  const Trim t = trim(s, start(s), {});
  EXPECT_FALSE(t.found);
  EXPECT_EQ(t.worst, testkit::place_of_state(*s, "v"));
  EXPECT_EQ(t.remedies, std::vector{input(s, "u")});
  const Trim held =
      trim(s, start(s), {{{testkit::place_of_state(*s, "v"), -2.0}}, {input(s, "u")}});
  ASSERT_TRUE(held.found);  // sinks steadily
  EXPECT_NEAR(held.at.inputs.u[0], 9.81, 1e-14);
}

// A sampled controller reads the state: it is not free to drift, and its memory is held.
TEST(TrimOfSampledModels, HoldsTheMemory) {
  const Structures s = model(
      "states: {y: {der: v}, v: {der: u}}\n"
      "memory: {u: {next: -y - v, initial: 2, sample: 0.1}}\n");
  const Trim t = trim(s, start(s), {});
  EXPECT_FALSE(t.found);
  EXPECT_EQ(t.worst, testkit::place_of_state(*s, "v"));
}

TEST(TrimOfNothing, IsFound) {
  const Structures s = model("inputs: {u: 1}\noutputs: {y: {value: 2*u}}\n");
  EXPECT_TRUE(trim(s, start(s), {}).found);
}

}  // namespace
}  // namespace trim_test
