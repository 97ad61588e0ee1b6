// SPDX-License-Identifier: Apache-2.0

// The same formulas as expressions and as C++, in one run: an expression may take five times as
// long.

#include <benchmark/benchmark.h>

#include <cmath>

#include "assembly/assemble.hpp"
#include "io/builtin_models.hpp"
#include "io/reader/reader.hpp"
#include "simulation/model.hpp"

namespace {

using namespace chicane;

std::string_view builtin_text(std::string_view name) {
  for (const BuiltinModel& m : builtin_models())
    if (m.name == name) return m.text;
  return {};
}

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

// All equations of pitch-control, five states.
const std::string kPitch(builtin_text("pitch-control"));

constexpr double kStart[] = {0.3, 0.2, 0.1, 0.2, 0.3}, kStep = 1e-9;

enum class Mode { chained, apart };

// The states of the next evaluation, where the compiler may not see through.
template <std::size_t n>
void advance(Mode mode, double (&x)[n], const double (&dx)[n]) {
  if (mode == Mode::chained)
    for (std::size_t k = 0; k < n; ++k) x[k] += kStep * dx[k];
  else
    x[0] += kStep;
  benchmark::DoNotOptimize(x);
  benchmark::DoNotOptimize(dx);
}

struct Bench {
  explicit Bench(const std::string& text) {
    Diagnostics diag;
    const auto spec = read_model_text(text, "bench.yaml", diag);
    structure = compile(*spec, Partition::together(*spec), diag);
    require(structure != nullptr, "{}", diag.text());
    model = std::make_unique<Model<double>>(structure);
    state = model->initial_state();
    inputs = model->default_inputs();
  }
  std::shared_ptr<const ModelStructure> structure;
  std::unique_ptr<Model<double>> model;
  State<double> state;
  Inputs<double> inputs;
};

void expression(benchmark::State& loop, const std::string& text, Mode mode) {
  Bench b(text);
  const GroupIndex all{0};
  Eval<double> eval = b.model->make_eval(all);
  const BoundModel<double> bound(*b.model, b.state, b.inputs);
  bound.bind(all, eval);
  const GroupLayout& g = b.structure->groups[all];
  double* v = eval.v.data();
  for (std::size_t k = 0; k < g.states.size(); ++k) v[g.x + k] = kStart[k];
  for (auto _ : loop) {
    b.model->run(g.derivative, eval);
    if (mode == Mode::chained)
      for (std::size_t k = 0; k < g.rates.size(); ++k) v[g.x + k] += kStep * v[g.rates[k]];
    else
      v[g.x] += kStep;
    benchmark::ClobberMemory();
  }
}

struct Linear {
  double z1 = 0.3, w1 = 35, k1 = 1000, kf = 1, r = 1, x3 = 0.5;
};

void cpp_linear(benchmark::State& loop, Mode mode) {
  Linear p;
  benchmark::DoNotOptimize(p);
  double x[2] = {0.3, 0.2}, dx[2];
  for (auto _ : loop) {
    const double e = p.r - p.kf * p.x3 * x[0];
    dx[0] = x[1];
    dx[1] = -2 * p.z1 * p.w1 * x[1] - p.w1 * p.w1 * x[0] + p.k1 * e;
    advance(mode, x, dx);
  }
}

struct Pitch {
  double Za = -0.775713, Ma = -7.448157, Mq = -1.112287, Md = 16.94618654073200, Kth = 0.847,
         Cq = 0.106547, Kde = 1000, Cde = 0.033, theta_i = 0.15;
};

void cpp_pitch(benchmark::State& loop, Mode mode) {
  Pitch p;
  benchmark::DoNotOptimize(p);
  double x[5] = {0.3, 0.2, 0.1, 0.2, 0.3}, dx[5];
  for (auto _ : loop) {
    const double alpha = x[0], q = x[1], theta = x[2], dedot = x[3], des = x[4];
    const double dei = p.Kth * (p.theta_i - theta - p.Cq * q);
    dx[0] = p.Za * alpha + q;
    dx[1] = p.Ma * alpha + p.Mq * q + p.Md * des;
    dx[2] = q;
    dx[3] = p.Kde * (dei - des - p.Cde * dedot);
    dx[4] = dedot;
    advance(mode, x, dx);
  }
}

struct Tire {
  double B = 10, C = 1.3, D = 4000, E = -0.5, m = 400, vx = 20;
};

void cpp_tire(benchmark::State& loop, Mode mode) {
  Tire p;
  benchmark::DoNotOptimize(p);
  double x[2] = {0.3, 0.2}, dx[2];
  for (auto _ : loop) {
    const double alpha = std::atan2(x[1], p.vx);
    const double s = p.B * std::fmin(std::fmax(alpha, -0.5), 0.5);
    const double F = p.D * std::sin(p.C * std::atan(s - p.E * (s - std::atan(s))));
    dx[0] = x[1];
    dx[1] = -(std::fabs(x[0]) > 1 ? 2 * F : F) / p.m;
    advance(mode, x, dx);
  }
}

BENCHMARK_CAPTURE(expression, linear_chained, kLinear, Mode::chained);
BENCHMARK_CAPTURE(cpp_linear, chained, Mode::chained);
BENCHMARK_CAPTURE(expression, pitch_chained, kPitch, Mode::chained);
BENCHMARK_CAPTURE(cpp_pitch, chained, Mode::chained);
BENCHMARK_CAPTURE(expression, tire_chained, kTire, Mode::chained);
BENCHMARK_CAPTURE(cpp_tire, chained, Mode::chained);
BENCHMARK_CAPTURE(expression, linear_apart, kLinear, Mode::apart);
BENCHMARK_CAPTURE(cpp_linear, apart, Mode::apart);
BENCHMARK_CAPTURE(expression, pitch_apart, kPitch, Mode::apart);
BENCHMARK_CAPTURE(cpp_pitch, apart, Mode::apart);
BENCHMARK_CAPTURE(expression, tire_apart, kTire, Mode::apart);
BENCHMARK_CAPTURE(cpp_tire, apart, Mode::apart);

}  // namespace

BENCHMARK_MAIN();
