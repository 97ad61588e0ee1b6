// The same formulas as expressions and as C++, in one run: an expression may take five times as
// long.

#include <benchmark/benchmark.h>

#include <cmath>

#include "io/reader/reader.hpp"
#include "system/model.hpp"

namespace {

using namespace chicane;

// The fast half of two-scale: two states, one auxiliary.
constexpr const char* kLinear = R"(
format: chicane/1
units: none
parameters: {z1: 0.3, w1: 35, k1: 1000, kf: 1, r: 1, x3: 0.5}
auxiliaries: {e: r - kf*x3*x1}
states:
  x1: {der: x2}
  x2: {der: -2*z1*w1*x2 - w1^2*x1 + k1*e}
)";

// A tire-like formula: transcendental functions, a saturation and a choice.
constexpr const char* kTire = R"(
format: chicane/1
units: none
parameters: {B: 10, C: 1.3, D: 4000, E: -0.5, m: 400, vx: 20}
auxiliaries:
  alpha: atan2(x2, vx)
  s: B*sat(alpha, -0.5, 0.5)
  F: D*sin(C*atan(s - E*(s - atan(s))))
states:
  x1: {der: x2}
  x2: {der: "-if(abs(x1) > 1, 2*F, F)/m"}
)";

struct Bench {
  explicit Bench(const char* text) {
    Diagnostics diag;
    const auto spec = read_model_text(text, "bench.yaml", diag);
    structure = compile(*spec, Partition::together(*spec), diag);
    require(structure != nullptr, "{}", diag.text());
    model = std::make_unique<Model<double>>(structure);
    state = model->initial_state();
    inputs = model->default_inputs();
  }
  std::shared_ptr<const Structure> structure;
  std::unique_ptr<Model<double>> model;
  State<double> state;
  Inputs<double> inputs;
};

void expression(benchmark::State& loop, const char* text) {
  Bench b(text);
  const GroupIndex all{0};
  Eval<double> eval = b.model->make_eval(all);
  const BoundModel<double> bound(*b.model, b.state, b.inputs);
  bound.bind(all, eval);
  const GroupLayout& g = b.structure->groups[all];
  double* v = eval.v.data();
  v[g.x] = 0.3;
  v[g.x + 1] = 0.2;
  for (auto _ : loop) {
    benchmark::DoNotOptimize(v[g.x] += 1e-9);
    b.model->run(g.derivative, v);
    benchmark::DoNotOptimize(v[g.rates[1]]);
  }
}

struct Linear {
  double z1 = 0.3, w1 = 35, k1 = 1000, kf = 1, r = 1, x3 = 0.5;
};

void cpp_linear(benchmark::State& loop) {
  Linear p;
  benchmark::DoNotOptimize(p);
  double x[2] = {0.3, 0.2}, dx[2];
  for (auto _ : loop) {
    benchmark::DoNotOptimize(x[0] += 1e-9);
    const double e = p.r - p.kf * p.x3 * x[0];
    dx[0] = x[1];
    dx[1] = -2 * p.z1 * p.w1 * x[1] - p.w1 * p.w1 * x[0] + p.k1 * e;
    benchmark::DoNotOptimize(dx);
  }
}

struct Tire {
  double B = 10, C = 1.3, D = 4000, E = -0.5, m = 400, vx = 20;
};

void cpp_tire(benchmark::State& loop) {
  Tire p;
  benchmark::DoNotOptimize(p);
  double x[2] = {0.3, 0.2}, dx[2];
  for (auto _ : loop) {
    benchmark::DoNotOptimize(x[0] += 1e-9);
    const double alpha = std::atan2(x[1], p.vx);
    const double s = p.B * std::fmin(std::fmax(alpha, -0.5), 0.5);
    const double F = p.D * std::sin(p.C * std::atan(s - p.E * (s - std::atan(s))));
    dx[0] = x[1];
    dx[1] = -(std::fabs(x[0]) > 1 ? 2 * F : F) / p.m;
    benchmark::DoNotOptimize(dx);
  }
}

BENCHMARK_CAPTURE(expression, linear, kLinear);
BENCHMARK(cpp_linear);
BENCHMARK_CAPTURE(expression, tire, kTire);
BENCHMARK(cpp_tire);

}  // namespace

BENCHMARK_MAIN();
