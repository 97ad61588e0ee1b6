// SPDX-License-Identifier: Apache-2.0

// From text to code: formulas mean what C++ means by them, wiring is ordered, units are checked.

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "assembly/assemble.hpp"
#include "io/reader/reader.hpp"
#include "simulation/model.hpp"
#include "testkit/models.hpp"

namespace compile_test {
namespace {

using namespace chicane;
using testkit::compiled;
using testkit::faults;

constexpr GroupIndex kAll{0};

// All signals of a model at its initial state and time t.
std::map<std::string, double> signals(const std::shared_ptr<const ModelStructure>& structure,
                                      double t = 0) {
  const Model<double> model(structure);
  State<double> state = model.initial_state();
  const Inputs<double> inputs = model.default_inputs();
  BoundModel<double> bound(model, state, inputs);
  Eval<double> eval = model.make_eval(kAll);
  std::vector<double> dx(state.groups[GroupIndex{0}].x.size());
  bound.bind(kAll, eval);
  evaluate<BoundModel<double>>(bound, kAll, t, state.groups[GroupIndex{0}].x, eval, dx);
  model.report(kAll, eval);
  std::map<std::string, double> out;
  for (const SignalInfo& s : structure->signals) out[s.name] = eval.v[s.slot];
  for (std::size_t i = 0; i < dx.size(); ++i)
    out["der " + structure->states[StateIndex{static_cast<int>(i)}].name] = dx[i];
  return out;
}

struct Formula {
  const char* text;
  std::function<double(double, double, double)> meaning;  // of x = 1.7, y = -0.6, p = 2.5
};

// x and y are states and p a parameter, so that nothing, a part or all of it is folded beforehand.
TEST(Expressions, MeanWhatTheSameFormulaMeansInCpp) {
  const std::vector<Formula> formulas = {
      {"x + y*p - 3", [](double x, double y, double p) { return x + y * p - 3; }},
      {"x - y - p", [](double x, double y, double p) { return x - y - p; }},
      {"x*y - y*p", [](double x, double y, double p) { return x * y - y * p; }},
      {"x*y + p*x", [](double x, double y, double p) { return x * y + p * x; }},
      {"p*(x + y) + x*y*p", [](double x, double y, double p) { return p * (x + y) + x * y * p; }},
      {"(x - y)*(x - y) - (x + y)*(x + y)",
       [](double x, double y, double) { return (x - y) * (x - y) - (x + y) * (x + y); }},
      {"x/y/p", [](double x, double y, double p) { return x / y / p; }},
      {"x/(y/p)", [](double x, double y, double p) { return x / (y / p); }},
      {"p/(x*y)", [](double x, double y, double p) { return p / (x * y); }},
      {"x - (y - (p - x))", [](double x, double y, double p) { return x - (y - (p - x)); }},
      {"-x^2", [](double x, double, double) { return -(x * x); }},
      {"2^3^2 + 0*x", [](double x, double, double) { return 512.0 + 0 * x; }},
      {"x^-1", [](double x, double, double) { return 1 / x; }},
      {"x^-2", [](double x, double, double) { return 1 / (x * x); }},
      {"x^3 + y^4", [](double x, double y, double) { return x * x * x + (y * y) * (y * y); }},
      {"x^0.5", [](double x, double, double) { return std::pow(x, 0.5); }},
      {"x^y", [](double x, double y, double) { return std::pow(x, y); }},
      {"p^2 - 2*p*x", [](double x, double, double p) { return p * p - 2 * p * x; }},
      {"-2*p*x - p^2*y + x",
       [](double x, double y, double p) { return -2 * p * x - p * p * y + x; }},
      {"x > y ? x : y", [](double x, double y, double) { return std::max(x, y); }},
      {"if(x < y or p > 2, 1, 2) + 0*x", [](double x, double, double) { return 1 + 0 * x; }},
      {"if(x < y and p > 2, 1, 2) + 0*x", [](double x, double, double) { return 2 + 0 * x; }},
      {"if(not x < y, 1, 2) + 0*x", [](double x, double, double) { return 1 + 0 * x; }},
      {"(x >= 1.7) + 2*(x <= y) + 4*(x != y) + 8*(x == y)",
       [](double, double, double) { return 5.0; }},
      {"!x + 1", [](double, double, double) { return 1.0; }},
      {"sat(x, -1, 1) + sat(y, -1, 1)", [](double, double y, double) { return 1 + y; }},
      {"deadband(x, -1, 1) + deadband(y, -1, 1)", [](double x, double, double) { return x - 1; }},
      {"min(x, y) - max(x, p)", [](double, double y, double p) { return y - p; }},
      {"sin(x)*cos(y) + tan(x)",
       [](double x, double y, double) { return std::tan(x) + std::sin(x) * std::cos(y); }},
      {"asin(y) + acos(y) - atan(x)",
       [](double x, double y, double) { return std::asin(y) + std::acos(y) - std::atan(x); }},
      {"atan2(y, x) + hypot(x, y)",
       [](double x, double y, double) { return std::atan2(y, x) + std::hypot(x, y); }},
      {"exp(y) - log(x) + log10(p)*x",
       [](double x, double y, double p) {
         return (std::exp(y) - std::log(x)) + std::log10(p) * x;
       }},
      {"sinh(x) + cosh(y)*tanh(x)",
       [](double x, double y, double) { return std::sinh(x) + std::cosh(y) * std::tanh(x); }},
      {"floor(x) + 10*ceil(y) + 100*round(x)",
       [](double, double, double) { return 1.0 - 0.0 + 200.0; }},
      {"mod(x, 0.5) + sign(y) + abs(y)",
       [](double x, double y, double) { return std::fmod(x, 0.5) - 1 + std::fabs(y); }},
      {"sqrt(x*x + y*y)", [](double x, double y, double) { return std::sqrt(x * x + y * y); }},
      {"pi*x", [](double x, double, double) { return M_PI * x; }},
      {"1.5e-3*x + .25", [](double x, double, double) { return 1.5e-3 * x + .25; }},
  };
  for (const Formula& f : formulas) {
    const std::string text =
        "format: chicane/1\nunits: none\nparameters: {p: 2.5}\n"
        "states: {x: {der: 0, initial: 1.7}, y: {der: 0, initial: -0.6}}\n"
        "auxiliaries: {result: \"" +
        std::string(f.text) + "\"}\n";
    // The products and sums are done in the same order: the same bits, whatever was folded.
    EXPECT_DOUBLE_EQ(signals(compiled(text)).at("result"), f.meaning(1.7, -0.6, 2.5)) << f.text;
  }
}

TEST(Expressions, SeeTimeTablesRatesAndConstantsOfConstants) {
  const auto s = signals(compiled(R"yaml(
format: chicane/1
parameters: {k: 3 N/m}
tables: {curve: {x: [0, 10, 20, mm], y: [0, 5, 20, N]}, map: {x: [0, 1], y: [0, 1], z: [[0, 1], [2, 5]]}}
auxiliaries:
  k2: 2*k
  k4: 2*k2
  F: k4*x + table(curve, x)
  corner: table(map, 1, 0.5)
  rate: der(x)
states: {x: {der: "7[mm/s] + 0*v", unit: mm, initial: 15 mm}, v: {der: "1[m/s^2]", unit: m/s}}
)yaml"));
  EXPECT_DOUBLE_EQ(s.at("F"), 12 * 0.015 + 12.5);
  EXPECT_DOUBLE_EQ(s.at("corner"), 3.5);
  EXPECT_DOUBLE_EQ(s.at("rate"), 0.007);
}

TEST(Wiring, OrdersBlocksByWhatFeedsThroughWhateverTheirPlaceInTheFile) {
  const auto s = signals(compiled(R"yaml(
format: chicane/1
units: none
groups:
  last: {auxiliaries: {c: b + 1}, states: {z: {der: c}}}
  first: {auxiliaries: {a: x + 1}, states: {x: {der: 0, initial: 1}}}
  middle: {auxiliaries: {b: 10*a, back: 2*c}}
outputs: {out: back + a}
)yaml"));
  EXPECT_EQ(s.at("c"), 21.0);
  EXPECT_EQ(s.at("back"), 42.0);
  EXPECT_EQ(s.at("out"), 44.0);
  EXPECT_EQ(s.at("der z"), 21.0);
}

TEST(Wiring, NamesTheMembersOfAnAlgebraicLoop) {
  const std::string text = faults(R"yaml(
format: chicane/1
units: none
groups:
  one: {auxiliaries: {a: b + x}, states: {x: {der: a}}}
  two: {auxiliaries: {b: 2*c, c: a - 1}}
)yaml");
  EXPECT_NE(text.find("algebraic loop: a -> b -> c -> a"), std::string::npos) << text;
  EXPECT_NE(text.find("test.yaml:5: groups.one.auxiliaries.a"), std::string::npos) << text;
}

TEST(Wiring, AMemoryBreaksALoop) {
  compiled(
      "format: chicane/1\nunits: none\nauxiliaries: {a: z + 1, b: 2*a}\nmemory: {z: {next: b}}\n"
      "states: {x: {der: b}}\n");
}

TEST(Initial, CalculationsRunInOrderAndMaySetParameters) {
  const auto structure = compiled(R"yaml(
format: chicane/1
parameters: {m: 400 kg, g: 9.81 m/s^2, k: 50 kN/m, sag: 0 m}
auxiliaries: {k2: 2*k}
states: {x: {der: v, unit: m, initial: -sag}, v: {der: "0[m/s^2]", unit: m/s, initial: "2*3[m/s]"}}
initial: {sag: m*g/k2, x: -sag}
)yaml");
  const auto s = signals(structure);
  EXPECT_DOUBLE_EQ(s.at("x"), -400 * 9.81 / 100e3);
  EXPECT_DOUBLE_EQ(s.at("v"), 6.0);
}

// --- groups --------------------------------------------------------------------------------------

// Evaluating group by group, with signals handed over, gives what evaluating all together gives.
TEST(Groups, GiveTheSameRatesApartAsTogether) {
  for (const char* name : {"two-scale", "pitch-control", "quarter-car-b", "quarter-car-c", "kpr",
                           "planar-spacecraft", "planar-vehicle", "planar-vehicle-inertial"}) {
    Diagnostics diag;
    const auto spec = read_model(name, diag);
    const auto together = compile(*spec, Partition::together(*spec), diag);
    const auto apart = compile(*spec, Partition::as_written(*spec), diag);
    ASSERT_TRUE(together && apart) << diag.text();
    ASSERT_EQ(apart->groups.size(), 2);
    const Model<double> model(apart);
    State<double> state = model.initial_state();
    const Inputs<double> inputs = model.default_inputs();
    BoundModel<double> bound(model, state, inputs);
    std::vector<Eval<double>> evals;
    std::vector<std::vector<double>> x(2), y(2), dx(2);
    std::map<std::string, double> value, rate;
    for (int g = 0; g < 2; ++g) {
      const GroupLayout& layout = apart->groups[GroupIndex{g}];
      evals.push_back(model.make_eval(GroupIndex{g}));
      for (const StateIndex i : layout.states)
        x[static_cast<std::size_t>(g)].push_back(0.1 + 0.07 * i.value);
      y[static_cast<std::size_t>(g)].resize(layout.publishes.size());
      dx[static_cast<std::size_t>(g)].resize(layout.states.size());
    }
    const auto inputs_of = [&](int g) {
      std::vector<double> u;
      for (const SignalIndex s : apart->groups[GroupIndex{g}].reads)
        u.push_back(value[apart->signals[s].name]);
      return u;
    };
    // slow outputs first; a slow group's outputs need no fast ones
    for (int round = 0; round < 2; ++round)
      for (int g = 0; g < 2; ++g) {
        const auto k = static_cast<std::size_t>(g);
        bound.bind(GroupIndex{g}, evals[k]);
        bound.outputs(GroupIndex{g}, 0.3, x[k], inputs_of(g), evals[k], y[k]);
        for (std::size_t i = 0; i < y[k].size(); ++i)
          value[apart->signals[apart->groups[GroupIndex{g}].publishes[i]].name] = y[k][i];
      }
    for (int g = 0; g < 2; ++g) {
      const auto k = static_cast<std::size_t>(g);
      bound.outputs(GroupIndex{g}, 0.3, x[k], inputs_of(g), evals[k], y[k]);
      bound.derivative(GroupIndex{g}, evals[k], inputs_of(g), dx[k]);
      for (std::size_t i = 0; i < dx[k].size(); ++i)
        rate[apart->states[apart->groups[GroupIndex{g}].states[i]].name] = dx[k][i];
    }

    const Model<double> whole(together);
    State<double> all = whole.initial_state();
    const Inputs<double> same = whole.default_inputs();
    BoundModel<double> bound_all(whole, all, same);
    Eval<double> eval = whole.make_eval(kAll);
    std::vector<double> x_all, dx_all(static_cast<std::size_t>(together->states.size()));
    for (int i = 0; i < together->states.size(); ++i) x_all.push_back(0.1 + 0.07 * i);
    bound_all.bind(kAll, eval);
    evaluate<BoundModel<double>>(bound_all, kAll, 0.3, x_all, eval, dx_all);
    for (int i = 0; i < together->states.size(); ++i)
      EXPECT_EQ(rate.at(together->states[StateIndex{i}].name), dx_all[static_cast<std::size_t>(i)])
          << name;
  }
}

TEST(Groups, RefuseASlowOutputThatFeedsThroughFromAFasterGroup) {
  Diagnostics diag;
  const auto spec = read_model_text(R"yaml(
format: chicane/1
units: none
groups:
  slow: {auxiliaries: {s: 2*f}, states: {x: {der: s}}}
  fast: {states: {f: {der: s}}}
)yaml",
                                    "test.yaml", diag);
  ASSERT_TRUE(spec) << diag.text();
  EXPECT_EQ(compile(*spec, Partition::as_written(*spec), diag), nullptr);
  EXPECT_NE(
      diag.text().find(
          "'s' of group 'slow' is read by other groups, but needs 'f' of the faster group 'fast'"),
      std::string::npos)
      << diag.text();
}

// One fault is one line, however much of it there is.
TEST(Groups, WhatASlowSignalNeedsOfFasterGroupsIsSaidOnce) {
  Diagnostics diag;
  const auto spec = read_model_text(R"yaml(
format: chicane/1
units: none
groups:
  slow: {auxiliaries: {s: a + b + a + c + d + e}, states: {x: {der: s}}}
  fast: {states: {a: {der: s}, b: {der: s}, c: {der: s}, d: {der: s}, e: {der: s}}}
)yaml",
                                    "test.yaml", diag);
  ASSERT_TRUE(spec) << diag.text();
  EXPECT_EQ(compile(*spec, Partition::as_written(*spec), diag), nullptr);
  ASSERT_EQ(diag.errors(), 1) << diag.text();
  EXPECT_NE(diag.text().find("needs 'a', 'b', 'c' and 2 more of the faster group 'fast'"),
            std::string::npos)
      << diag.text();
}

// --- blocks in C++ -------------------------------------------------------------------------------

// A mass with a force as input: position and speed are known before the force, acceleration after.
template <class T>
struct MassBlock final : Block<T> {
  void run(int task, const BlockView<T>& at) const noexcept override {
    if (task == 0) {  // kinematics
      at.y[0] = at.x[0];
      at.y[1] = at.x[1];
    } else if (task == 1) {  // dynamics
      at.dx[0] = at.x[1];
      at.y[2] = at.dx[1] = at.u(0) / at.p[0];
    } else {
      at.z_next[0] = at.z[0] + T(1.0);
    }
  }
};

struct MassKind final : BlockKind {
  BlockInfo info() const override {
    return {
        .parameters = {{"mass", "kg", 2.0}},
        .states = {{"q", "mm", 0.5}, {"w", "m/s", 0.0}},
        .memory = {{"steps", "-", 0.0}},
        .inputs = {{"force", "N", "what moves it"}},
        .outputs = {{"position", "mm"}, {"speed", "m/s"}, {"acceleration", "m/s^2"}},
        .tasks = {{.name = "kinematics", .writes = {0, 1}},
                  {.name = "dynamics", .reads = {0}, .writes = {2}, .after = {0}, .rates = true},
                  {.name = "memory", .memory = true}}};
  }
  std::unique_ptr<Block<double>> make(double) const override {
    return std::make_unique<MassBlock<double>>();
  }
  std::unique_ptr<Block<Dual>> make(Dual) const override {
    return std::make_unique<MassBlock<Dual>>();
  }
};

Spec mass_on_spring() {
  Diagnostics diag;
  Spec spec = read_model_text(R"yaml(
format: chicane/1
parameters: {k: 8 N/m}
groups:
  spring: {auxiliaries: {F: -k*mass.position, check: mass.acceleration}}
)yaml",
                              "test.yaml", diag)
                  .value();
  BlockSpec mass;
  mass.name = mass.group = "mass";
  mass.where = {"test.yaml", 1, "mass"};
  mass.native = std::make_shared<MassKind>();
  mass.wiring.push_back({"force", {"F", mass.where}});
  spec.blocks.push_back(mass);
  return spec;
}

TEST(NativeBlocks, RunTheirTasksWhenTheirInputsAreThere) {
  Diagnostics diag;
  const Spec spec = mass_on_spring();
  const auto structure = compile(spec, Partition::together(spec), diag);
  ASSERT_TRUE(structure) << diag.text();
  const auto s = signals(structure);
  EXPECT_EQ(s.at("F"), -4.0);
  EXPECT_EQ(s.at("mass.acceleration"), -2.0);
  EXPECT_EQ(s.at("check"), -2.0);

  // w = 2 rad/s: after half a period the mass is at the other end
  Simulation sim(structure, testkit::plan("rk4", 1e-3));
  for (int i = 0; i < 1571; ++i) ASSERT_EQ(sim.step(), Status::ok);
  EXPECT_NEAR(sim.state().groups[GroupIndex{0}].x[0], -0.5, 1e-6);
  EXPECT_EQ(sim.state().memory[MemoryIndex{0}].value, 1571.0);
}

TEST(NativeBlocks, MustHaveTheirInputsConnectedWithTheRightDimension) {
  Spec spec = mass_on_spring();
  spec.blocks.back().wiring.clear();
  Diagnostics missing;
  EXPECT_EQ(compile(spec, Partition::together(spec), missing), nullptr);
  EXPECT_NE(missing.text().find("input 'force' of block 'mass' is not connected"),
            std::string::npos);

  spec = mass_on_spring();
  spec.blocks.back().wiring[0].value.text = "k";
  Diagnostics wrong;
  EXPECT_EQ(compile(spec, Partition::together(spec), wrong), nullptr);
  EXPECT_NE(wrong.text().find("must be a force"), std::string::npos) << wrong.text();
}

TEST(NativeBlocks, AreInAlgebraicLoopsByTheNameOfTheirTasks) {
  Spec spec = mass_on_spring();
  spec.blocks[0].auxiliaries[0].value.text = "-k*mass.position - 1[kg]*mass.acceleration";
  Diagnostics diag;
  EXPECT_EQ(compile(spec, Partition::together(spec), diag), nullptr);
  EXPECT_NE(diag.text().find("mass:dynamics"), std::string::npos) << diag.text();
}

// What the file says, not only what a Spec can hold.
const char* const kTwoPanels = R"yaml(
format: chicane/1
parameters: {k: 5e4 N m/rad, arm: 700 mm}
groups:
  slow:
    auxiliaries: {w: "0.1[rad/s]"}
    states: {turn: {der: "w + 0.5*one.omega_R", unit: rad}}
  fast:
    blocks:
      one:
        type: planar-spacecraft-panels
        inputs: {omega: "w + 0.2[rad/s]*sin(turn)"}
        parameters: {k: k, l: 2*arm, m: 20 kg}
        initial: {theta_R: 2 deg, omega_L: "0.3*one.theta_R/1[s]"}
)yaml";

TEST(NativeBlocks, InFilesTakeFormulasForInputsParametersAndInitialValues) {
  const auto structure = compiled(kTwoPanels);
  ASSERT_TRUE(structure);
  const auto s = signals(structure);
  EXPECT_DOUBLE_EQ(s.at("one.omega"), 0.1);  // the formula at the input is a signal
  EXPECT_DOUBLE_EQ(s.at("one.theta_R"), 2 * M_PI / 180);
  EXPECT_DOUBLE_EQ(s.at("one.omega_L"), 0.3 * 2 * M_PI / 180);
  const Model<double> model(structure);
  const State<double> state = model.initial_state();
  const NativePlace& place = structure->natives.at(0);
  EXPECT_EQ(state.constants[place.p + 0], 36.0);  // the default of m_B
  EXPECT_EQ(state.constants[place.p + 2], 20.0);
  EXPECT_EQ(state.constants[place.p + 5], 1.4);
  EXPECT_EQ(state.constants[place.p + 6], 5e4);
}

// A parameter that an event changes reaches the formulas of native blocks.
TEST(NativeBlocks, FollowTheParametersTheirFormulasUse) {
  const auto structure = compiled(
      std::string(kTwoPanels) + "events: {soft: {when: \"t >= 0.1[s]\", do: [{set: {k: k/2}}]}}\n");
  ASSERT_TRUE(structure);
  Simulation sim(structure, testkit::plan("rk4", 1e-3));
  for (int i = 0; i < 200; ++i) ASSERT_EQ(sim.step(), Status::ok);
  EXPECT_EQ(sim.state().constants[structure->natives.at(0).p + 6], 2.5e4);
}

TEST(NativeBlocks, MayNotFeedThroughFromAFasterGroup) {
  Diagnostics diag;
  const auto spec = read_model_text(R"yaml(
format: chicane/1
groups:
  slow:
    blocks:
      tire:
        type: planar-rigid-ring
        inputs: {x_H: 0, y_H: 0, theta_H: 0, vx_H: v, vy_H: 0, omega_H: 0, y_road: 0}
  fast: {states: {v: {der: "tire.F_x/1[kg]", unit: m/s}}}
)yaml",
                                    "test.yaml", diag);
  ASSERT_TRUE(spec) << diag.text();
  EXPECT_NE(compile(*spec, Partition::together(*spec), diag), nullptr) << diag.text();
  EXPECT_EQ(compile(*spec, Partition::as_written(*spec), diag), nullptr);
  EXPECT_NE(diag.text().find("needs 'v' of the faster group 'fast'"), std::string::npos)
      << diag.text();
}

// An input that a kind of block does not read is not carried from group to group.
TEST(NativeBlocks, ReadOnlyWhatTheirTasksRead) {
  Diagnostics diag;
  for (const auto& [name, count] :
       {std::pair{"planar-vehicle", 7}, {"planar-vehicle-inertial", 10}}) {
    const auto spec = read_model(name, diag);
    const auto s = compile(*spec, Partition::as_written(*spec), diag);
    ASSERT_TRUE(s) << diag.text();
    EXPECT_EQ(s->groups[GroupIndex{0}].publishes.size(), static_cast<std::size_t>(count)) << name;
    EXPECT_EQ(s->groups[GroupIndex{1}].publishes.size(), 6U) << name;
  }
}

}  // namespace
}  // namespace compile_test
