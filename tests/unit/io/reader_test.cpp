// SPDX-License-Identifier: Apache-2.0

// Files: what is read is what was said; the echo says the same; models stand on models.

#include "io/reader/reader.hpp"

#include <gtest/gtest.h>

#include <map>

#include "assembly/assemble.hpp"
#include "io/builtin_models.hpp"
#include "io/checkpoint.hpp"
#include "io/writer/echo.hpp"
#include "simulation/plan.hpp"
#include "testkit/files.hpp"
#include "testkit/models.hpp"

namespace reader_test {
namespace {

using namespace chicane;
using testkit::Files;
using testkit::read;

TEST(Echo, OfAModelIsReadBackAsTheSameModel) {
  std::vector<std::string> texts{testkit::kEverything};
  for (const BuiltinModel& m : builtin_models()) texts.emplace_back(m.text);
  texts.emplace_back(R"yaml(
format: chicane/1
description: "quotes \" and \\ and: colons"
run: {method: mine, signals: [x*, F]}
methods: {mine: {order: 2, A: [[], [2/3]], b: [1/4, 3/4], source: Ralston}}
tables: {map: {x: [1, 2, cm], y: [0, 5, s], z: [[1, 2], [3, 5], N], interpolation: spline}}
groups:
  one: {states: {x: {der: v, unit: mm, limit: 3 m}, v: {der: "table(map, x, t)/1[kg]", unit: m/s}}}
  two: {apply: full-step, auxiliaries: {F: {value: "table(map, x, 2[s])", description: held}}}
metrics:
  most: {max: abs(x), from: 1 s, until: 2 s, unit: mm, description: "the \"most\""}
  there: {crosses: x, level: 0.5*most, direction: falling}
  then: {value_at: v, at: there}
terminal: {ratio: {value: "then/1[m/s]", unit: "%"}}
)yaml");
  for (const std::string& text : texts) {
    Diagnostics diag;
    const auto spec = read_model_text(text, "model.yaml", diag);
    ASSERT_TRUE(spec) << diag.text();
    const std::string echo = write_model(*spec);
    const auto again = read_model_text(echo, "model.yaml", diag);
    ASSERT_TRUE(again) << diag.text() << echo;
    EXPECT_EQ(write_model(*again), echo);
    if (spec->mechanism) continue;  // see mechanism_test.cpp
    const auto a = compile(*spec, Partition::together(*spec), diag),
               b = compile(*again, Partition::together(*again), diag);
    ASSERT_TRUE(a && b) << diag.text();
    ASSERT_EQ(a->signals.size(), b->signals.size());
    EXPECT_EQ(a->constants, b->constants);
    EXPECT_EQ(a->code.size(), b->code.size());
  }
}

TEST(Base, TakesNewValuesAndAddedEquations) {
  const Files files{{{"dir/mine.yaml", R"yaml(
format: chicane/1
base: pitch-control
run: {step: 5 ms}
parameters: {Kth: 0.5}
equations:
  group: slow
  parameters: {amplitude: 0.1 rad, rate: 2 rad/s}
  drives: {theta_i: amplitude*sin(rate*t)}
  states: {effort: {der: abs(des), unit: rad s}}
  outputs: {lag: {value: theta_i - theta, unit: deg}}
)yaml"}}};
  Diagnostics diag;
  const auto spec = read(files, "dir/mine.yaml", diag);
  ASSERT_TRUE(spec) << diag.text();
  EXPECT_EQ(spec->name, "mine");
  EXPECT_EQ(spec->run.step.text, "5 ms");
  EXPECT_EQ(spec->run.method.text, "ab2");  // from the base
  const auto structure = compile(*spec, Partition::together(*spec), diag);
  ASSERT_TRUE(structure) << diag.text();
  EXPECT_EQ(structure->inputs.size(), 0);  // theta_i is driven now
  EXPECT_TRUE(structure->find_signal("lag").valid());
  EXPECT_EQ(structure->states.size(), 6);
}

TEST(Base, MayBeAFileBesideAndStandsOnOthers) {
  const Files files{
      {{"dir/a.yaml", "format: chicane/1\nbase: b.yaml\nparameters: {k: 3}\n"},
       {"dir/b.yaml", "format: chicane/1\nbase: c.yaml\n"},
       {"dir/c.yaml",
        "format: chicane/1\nunits: none\nparameters: {k: 1}\nstates: {x: {der: k}}\n"}}};
  Diagnostics diag;
  const auto spec = read(files, "dir/a.yaml", diag);
  ASSERT_TRUE(spec) << diag.text();
  EXPECT_EQ(spec->parameters[0].value.text, "3");
  EXPECT_FALSE(spec->check_units);
}

// A table is replaced as a whole: points, units, and how it goes between them.
TEST(Base, LendsItsTablesToBeReplaced) {
  const std::string base =
      "format: chicane/1\ntables: {force: {x: [0, 1, m], y: [0, 5, N], interpolation: spline}}\n"
      "states: {x: {der: 'table(force, 1[m])', unit: N s}}\n";
  Diagnostics diag;
  const auto spec = read(
      Files{{{"b.yaml", base},
             {"a.yaml",
              "format: chicane/1\nbase: b.yaml\ntables: {force: {x: [0, 1, 2, m], y: [0, 7, 9, "
              "N]}}\n"}}},
      "a.yaml", diag);
  ASSERT_TRUE(spec) << diag.text();
  ASSERT_EQ(spec->tables.size(), 1U);
  EXPECT_EQ(spec->tables[0].y.values, (std::vector<double>{0, 7, 9}));
  EXPECT_EQ(spec->tables[0].interpolation, Interpolation::linear);
  EXPECT_TRUE(compile(*spec, Partition::together(*spec), diag)) << diag.text();
  Diagnostics wrong;
  read(Files{{{"b.yaml", base},
              {"a.yaml",
               "format: chicane/1\nbase: b.yaml\ntables:\n  froce: {x: [0, m], y: [0, N]}\n"}}},
       "a.yaml", wrong);
  EXPECT_NE(wrong.text().find("a.yaml:4"), std::string::npos) << wrong.text();
  EXPECT_NE(wrong.text().find("did you mean 'force'?"), std::string::npos) << wrong.text();
}

TEST(Manoeuvre, IsAFileWhoseBaseIsGiven) {
  const Files files{{{"dir/wave.yaml", R"yaml(
format: chicane/1
parameters: {Kth: 0.5, amplitude: 0.1 rad, rate: 2 rad/s}
run: {step: 5 ms, method: own.yaml}
equations:
  group: slow
  drives: {theta_i: amplitude*sin(rate*t)}
  outputs: {lag: {value: theta_i - theta, unit: deg}}
metrics: {worst: {max: abs(lag)}}
terminal: {twice: 2*worst}
)yaml"},
                     {"dir/own.yaml", "format: chicane/1\nname: own\norder: 1\nb: [1]\n"}}};
  const Loader load = [&](const std::string& path) { return files(path); };
  Diagnostics diag;
  auto model = read_model("pitch-control", diag);
  const auto spec = read_manoeuvre("dir/wave.yaml", std::move(*model), diag, load);
  ASSERT_TRUE(spec) << diag.text();
  EXPECT_EQ(spec->name, "pitch-control+wave");
  EXPECT_EQ(spec->run.step.text, "5 ms");
  EXPECT_EQ(spec->methods.size(), 1U);  // found beside the manoeuvre
  const auto structure = compile(*spec, Partition::together(*spec), diag);
  ASSERT_TRUE(structure) << diag.text();
  EXPECT_EQ(structure->inputs.size(), 0);  // theta_i is driven now
  EXPECT_EQ(structure->summary.metrics.size(), 1U);
  EXPECT_EQ(testkit::value_in(Simulation(structure, testkit::plan("ab2", 1e-3)), "Kth"), 0.5);
  EXPECT_EQ(testkit::value_in(Simulation(structure, testkit::plan("ab2", 1e-3)), "rate"), 2);
}

TEST(Manoeuvre, OfTheProgramHasADescriptionAndNoBase) {
  for (const BuiltinModel& m : builtin_manoeuvres()) {
    Diagnostics diag;
    EXPECT_FALSE(read_description(m.text, std::string(m.name), diag).empty()) << m.name;
    EXPECT_TRUE(diag.ok()) << diag.text();
    for (const BuiltinModel& model : builtin_models()) EXPECT_NE(m.name, model.name);
    EXPECT_EQ(m.text.find("\nbase:"), std::string_view::npos) << m.name;
  }
}

TEST(Settings, OfAnEventAreReadOnceAndBecomePartOfTheModel) {
  const Files files{{{"m.yaml", R"yaml(
format: chicane/1
parameters: {k: 1 N/m}
states: {x: {der: "k*x/1[N s/m]", unit: m, initial: 1 m}}
events: {e: {when: "t > 1[s]", do: [{load: soft.yaml}]}}
)yaml"},
                     {"soft.yaml", "format: chicane/1\nset: {k: 500 N/m, x: 20 mm}\n"}}};
  Diagnostics diag;
  const auto spec = read(files, "m.yaml", diag);
  ASSERT_TRUE(spec) << diag.text();
  ASSERT_EQ(spec->events[0].actions[0].assignments.size(), 2U);
  EXPECT_NE(write_model(*spec).find("500 [N/m]"), std::string::npos);
}

TEST(Set, ReplacesParametersInputsAndInitialValuesAndChecksUnits) {
  Diagnostics diag;
  auto spec = read_model("pitch-control", diag);
  ASSERT_TRUE(spec);
  const auto set = [&](const char* name, const char* value) {
    return override_value(*spec, name, {value, {"--set", 0, name}}, diag);
  };
  EXPECT_TRUE(set("Kth", "0.9"));
  EXPECT_TRUE(set("theta_i", "10 deg"));
  EXPECT_TRUE(set("alpha", "1 deg"));
  EXPECT_TRUE(diag.ok()) << diag.text();
  const auto structure = compile(*spec, Partition::together(*spec), diag);
  ASSERT_TRUE(structure) << diag.text();
  EXPECT_NEAR(Model<double>(structure).initial_state().groups[GroupIndex{0}].x[0], M_PI / 180,
              1e-15);
  set("Za", "3 kg");
  EXPECT_NE(diag.text().find("'3 kg' is a mass, but Za is"), std::string::npos) << diag.text();
  EXPECT_FALSE(set("Kht", "1"));
  EXPECT_NE(diag.text().find("did you mean 'Kth'?"), std::string::npos) << diag.text();
}

TEST(Set, ReachesTheParametersAndStatesOfNativeBlocks) {
  Diagnostics diag;
  auto spec = read_model("planar-vehicle", diag);
  ASSERT_TRUE(spec);
  const auto set = [&](const char* name, const char* value) {
    return override_value(*spec, name, {value, {"--set", 0, name}}, diag);
  };
  EXPECT_TRUE(set("tire_f.K_res", "500 kN/m"));  // was a formula
  EXPECT_TRUE(set("tire_r.sigma_min", "5 mm"));  // was the default
  EXPECT_TRUE(set("tire_r.s", "0.01"));
  ASSERT_TRUE(diag.ok()) << diag.text();
  const auto structure = compile(*spec, Partition::together(*spec), diag);
  ASSERT_TRUE(structure) << diag.text();
  const auto value = [&](const char* name) {
    for (const ParameterInfo& p : structure->parameters)
      if (p.name == name) return p.value;
    return 0.0;
  };
  EXPECT_EQ(value("tire_f.K_res"), 5e5);
  EXPECT_EQ(value("tire_r.sigma_min"), 0.005);
  set("tire_f.R", "3 kg");
  EXPECT_NE(diag.text().find("'3 kg' is a mass, but tire_f.R is a length"), std::string::npos)
      << diag.text();
  EXPECT_FALSE(set("tire_f.K_rse", "1"));
  EXPECT_NE(diag.text().find("did you mean 'tire_f.K_res'?"), std::string::npos) << diag.text();
}

TEST(MethodFile, IsReadWithExactFractionsAndItsOrderVerified) {
  Diagnostics diag;
  const auto m = read_method_text(
      "format: chicane/1\nname: kutta3\norder: 3\nA: [[], [1/2], [-1, 2]]\nb: [1/6, 2/3, 1/6]\n",
      "k.yaml", diag);
  ASSERT_TRUE(m) << diag.text();
  EXPECT_EQ(m->k.c[2], 1.0);
  EXPECT_EQ(m->k.b[1], 2.0 / 3.0);
  // two-step Adams-Bashforth as a file
  const auto ab2 = read_method_text(
      "format: chicane/1\nname: mine\norder: 2\nb: [3/2]\ne: [-1/2]\n", "k.yaml", diag);
  ASSERT_TRUE(ab2) << diag.text();
  EXPECT_EQ(ab2->k.old, 1);
  const auto wrong =
      read_method_text("format: chicane/1\nname: w\norder: 2\nb: [1]\n", "w.yaml", diag);
  EXPECT_FALSE(wrong);
  EXPECT_EQ(diag.text(), "w.yaml:3: order: these coefficients have order 1, not 2\n");
}

TEST(Plan, FillsInDefaultsAndChoosesSignalsByPattern) {
  Diagnostics diag;
  auto spec = read_model_text(
      "format: chicane/1\nunits: none\nrun: {signals: [\"x*\"]}\n"
      "states: {x1: {der: 1}, x2: {der: 1}, y: {der: 1}}\n",
      "m.yaml", diag);
  ASSERT_TRUE(spec) << diag.text();
  const auto structure = compile(*spec, Partition::together(*spec), diag);
  const auto plan = plan_run(*spec, *structure, diag);
  ASSERT_TRUE(plan) << diag.text();
  EXPECT_EQ(plan->signals.size(), 2U);
  EXPECT_EQ(plan->plan.method.name, "ab2");
  EXPECT_EQ(plan->plan.step, whole_picoseconds(0.5e-3));
  EXPECT_EQ(spec->run.step.text, "0.5 ms");  // so that the echo says it
}

TEST(Patterns, MatchAsInAShell) {
  EXPECT_TRUE(matches("wheel.*.slip", "wheel.fl.slip"));
  EXPECT_TRUE(matches("x?", "x1"));
  EXPECT_TRUE(matches("*", ""));
  EXPECT_FALSE(matches("x?", "x"));
  EXPECT_FALSE(matches("*.slip", "wheel.fl.slip_angle"));
}

TEST(Checkpoint, OfAnotherModelIsRefusedByName) {
  const auto a = testkit::compiled("format: chicane/1\nunits: none\nstates: {x: {der: 1}}\n");
  const auto b = testkit::compiled("format: chicane/1\nunits: none\nstates: {y: {der: 1}}\n");
  const Simulation one(a, testkit::plan("ab2", 0.1)), two(b, testkit::plan("ab2", 0.1));
  Diagnostics diag;
  EXPECT_FALSE(read_checkpoint(write_checkpoint(one), "c.json", two, diag));
  EXPECT_NE(diag.text().find("it has no state 'y': it belongs to another model"), std::string::npos)
      << diag.text();
  for (const char* damaged :
       {"", "{", "[]", "{\"format\": \"chicane-checkpoint/1\"}", "{\"format\": 3}"}) {
    Diagnostics more;
    EXPECT_FALSE(read_checkpoint(damaged, "c.json", two, more));
    EXPECT_FALSE(more.ok());
  }
}

}  // namespace
}  // namespace reader_test
