// SPDX-License-Identifier: Apache-2.0
#include "testkit/models.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "assembly/assemble.hpp"
#include "io/builtin_models.hpp"
#include "io/reader/reader.hpp"
#include "simulation/plan.hpp"

namespace testkit {

using namespace chicane;

std::shared_ptr<const ModelStructure> compiled(const std::string& text) {
  Diagnostics diag;
  const auto spec = read_model_text(text, "test.yaml", diag);
  auto structure = spec ? compile(*spec, Partition::together(*spec), diag) : nullptr;
  EXPECT_NE(structure, nullptr) << diag.text();
  return structure;
}

std::shared_ptr<const ModelStructure> compiled_builtin(const std::string& name) {
  Diagnostics diag;
  const auto spec = read_model(name, diag);
  auto structure = spec ? compile(*spec, Partition::together(*spec), diag) : nullptr;
  EXPECT_NE(structure, nullptr) << diag.text();
  return structure;
}

namespace {
std::vector<std::string> builtin_names(bool mechanism) {  // vehicles are neither
  std::vector<std::string> names;
  for (const BuiltinModel& m : builtin_models()) {
    Diagnostics diag;
    const auto spec = read_model(std::string(m.name), diag);
    EXPECT_TRUE(spec) << diag.text();
    if (spec && !spec->vehicle && spec->mechanism.has_value() == mechanism)
      names.emplace_back(m.name);
  }
  return names;
}
}  // namespace

std::vector<std::string> equation_models() { return builtin_names(false); }
std::vector<std::string> mechanism_models() { return builtin_names(true); }

std::string faults(const std::string& text) {
  Diagnostics diag;
  const auto spec = read_model_text(text, "test.yaml", diag);
  if (spec) compile(*spec, Partition::together(*spec), diag);
  EXPECT_FALSE(diag.ok()) << "this text has no fault:\n" << text;
  return diag.text();
}

Plan plan(const std::string& method, double step) {
  const Method* m = find_method(method);
  EXPECT_NE(m, nullptr) << method;
  return {.method = *m, .step = whole_picoseconds(step).value()};
}

Planned planned(const std::string& text, const std::string& run) {
  Diagnostics diag;
  auto spec = read_model_text(text + "\nrun: {" + run + "}\n", "test.yaml", diag);
  if (spec) resolve_run_files(*spec, diag);
  Planned out;
  if (spec) out.structure = compile_for_run(*spec, diag);
  auto plan = out.structure ? plan_run(*spec, *out.structure, diag) : std::nullopt;
  EXPECT_TRUE(plan) << diag.text();
  if (plan) out.plan = plan->plan;
  return out;
}

double value_in(const Simulation& s, const std::string& name) {
  for (const StateInfo& x : s.structure().states)
    if (x.name == name) return s.state().groups[x.group].x[static_cast<std::size_t>(x.place)];
  for (const MemoryIndex i : s.structure().memory.indices())
    if (s.structure().memory[i].name == name) return s.state().memory[i].value;
  for (const ParameterInfo& p : s.structure().parameters)
    if (p.name == name) return s.state().constants[p.slot];
  ADD_FAILURE() << "no " << name;
  return 0;
}

int place_of_state(const ModelStructure& structure, const std::string& name) {
  for (const StateInfo& x : structure.states)
    if (x.name == name) return x.place;
  ADD_FAILURE() << "no state " << name;
  return 0;
}

std::vector<double> final_state(const std::shared_ptr<const ModelStructure>& structure,
                                const Plan& plan, int steps) {
  Simulation s(structure, plan);
  for (int i = 0; i < steps; ++i) EXPECT_EQ(s.step(), Status::ok) << "step " << i;
  return s.state().groups[GroupIndex{0}].x;
}

const char* const kKnownSolution = R"yaml(
format: chicane/1
units: none
states:
  x: {der: "-2*t*x^2 + 0.3*(y - exp(sin(t)))", initial: 1}
  y: {der: "y*cos(t)*x*(1 + t^2)", initial: 1}
)yaml";

const char* const kKnownSolutionInTwo = R"yaml(
format: chicane/1
units: none
groups:
  slow: {states: {x: {der: "-2*t*x^2 + 0.3*(y - exp(sin(t)))", initial: 1}}}
  fast: {states: {y: {der: "y*cos(t)*x*(1 + t^2)", initial: 1}}}
)yaml";

std::vector<double> known_solution(double t) { return {1 / (1 + t * t), std::exp(std::sin(t))}; }

const char* const kEverything = R"yaml(
format: chicane/1
parameters: {m: 2 kg, c: 3 N s/m, k: 80 N/m, x_hit: 0.05 m, count: 0}
tables:
  bump: {x: [-0.2, 0, 0.1, 0.3, m], y: [-4, 0, 1, 30, N], interpolation: monotone, extrapolation: linear}
groups:
  mass:
    auxiliaries:
      F: k*(target - x) - c*v - table(bump, x)
    states:
      x: {der: v, unit: m, initial: 0.01 m}
      v: {der: F/m, unit: m/s}
  control:
    auxiliaries: {target: "0.1[m] + 0.02[m]*held*sin(7[1/s]*t)"}
    states:
      work: {der: F*v, unit: J}
    memory:
      steps: {next: steps + 1}
      held: {next: "if(x > x_hit, 1, -1)", sample: 20 ms, initial: 1}
      peak: {next: "max(peak, x)", unit: m}
      evaluations: {next: evaluations + 1, update: every-evaluation}
events:
  hit:
    when: x > x_hit
    repeat: each-time
    do:
      - set: {v: -0.5*v, count: count + 1, k: k*1.01}
  stiffer: {when: "t >= 0.3[s]", do: [{set: {k: 120 N/m}}, {enable: late}]}
  late: {when: "t >= 0.4[s]", enabled: false, do: [{set: {x: "x + 0.001[m]"}}]}
outputs: {power: {value: F*v, unit: W}}
terminal: {largest: {value: peak, unit: mm}}
)yaml";

const char* const kTwoRates = R"yaml(
format: chicane/1
units: none
parameters: {k: 90, gain: 1, hits: 0, kicks: 0}
tables:
  bump: {x: [-2, 0, 1, 3], y: [-4, 0, 1, 9], interpolation: monotone, extrapolation: linear}
groups:
  slow:
    auxiliaries:
      pull: gain*table(bump, p) + 0.1*held
    states:
      p: {der: v, initial: 1}
      v: {der: -k*p - 0.5*v + 2*q + level}
    memory:
      frames: {next: frames + 1}
      held: {next: "if(p > 0.2, 1, -1)", sample: 40 ms, initial: 1}
      lowest: {next: "min(lowest, p - 0.1*q)"}
  fast:
    auxiliaries: {force: 900*(pull - q) - 12*w + 5*v*sin(40*t)}
    states:
      q: {der: w}
      w: {der: force}
    memory:
      steps: {next: steps + 1}
      level: {next: "if(q > 0, 0.5, -0.5)", sample: 20 ms}
      peak: {next: "max(peak, q - 0.1*p)"}
outputs: {power: force*w, sum: p + q + pull}
events:
  kick: {when: p < -0.6, group: slow, repeat: each-time, do: [{set: {v: v + 0.4, w: w - 3, kicks: kicks + 1}}]}
  hit: {when: q > 0.7, group: fast, repeat: each-time, do: [{set: {w: -0.5*w, v: v - 0.02, k: k*1.01, hits: hits + 1}}]}
  nudge: {when: t >= 0.203, group: fast, do: [{set: {p: p + 0.01}}]}
  softer: {when: t >= 0.3, group: fast, do: [{set: {gain: 0.9, lowest: lowest - 0.01}}, {enable: late}]}
  late: {when: t >= 0.4, group: slow, enabled: false, do: [{set: {p: p + 0.05, peak: peak + 0.01}}]}
)yaml";

const char* const kRequests = R"yaml(
  narrower: {when: t >= 0.503, group: fast, do: [{ratio: 5}]}
  other: {when: t >= 0.61, group: slow, do: [{method: am2}]}
  finer: {when: t >= 0.713, group: fast, do: [{step: 5 ms}, {set: {q: q + 0.01}}]}
  end: {when: t >= 1.301, group: fast, do: [{stop: enough}]}
)yaml";

}  // namespace testkit
