#include "testkit/models.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "io/reader/reader.hpp"

namespace testkit {

using namespace chicane;

std::shared_ptr<const Structure> compiled(const std::string& text) {
  Diagnostics diag;
  const auto spec = read_model_text(text, "test.yaml", diag);
  auto structure = spec ? compile(*spec, Partition::together(*spec), diag) : nullptr;
  EXPECT_NE(structure, nullptr) << diag.text();
  return structure;
}

std::shared_ptr<const Structure> compiled_builtin(const std::string& name) {
  Diagnostics diag;
  const auto spec = read_model(name, diag);
  auto structure = spec ? compile(*spec, Partition::together(*spec), diag) : nullptr;
  EXPECT_NE(structure, nullptr) << diag.text();
  return structure;
}

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

std::vector<double> final_state(const std::shared_ptr<const Structure>& structure, const Plan& plan,
                                int steps) {
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

}  // namespace testkit
