// SPDX-License-Identifier: Apache-2.0

// The benchmarks of the RTRD paper, section 7: what a step of the passenger car (table 6) and of
// the tractor-semitrailer (table 7) costs with one thread and with two, and what further iterations
// of Newton's method in the loops add. The truck is an open tree: it has none.

#include <benchmark/benchmark.h>

#include <algorithm>
#include <string>
#include <utility>

#include "assembly/assemble.hpp"
#include "core/at.hpp"
#include "io/reader/reader.hpp"
#include "simulation/plan.hpp"
#include "simulation/simulation.hpp"

namespace {

using namespace chicane;

struct Vehicle {
  const char *model, *manoeuvre;
};
constexpr Vehicle kCar{"passenger-car", "rack-step"}, kTruck{"tractor-semitrailer", "wheel-step"};

Spec benchmark_spec(const Vehicle& vehicle) {
  Diagnostics diag;
  auto spec = read_model(vehicle.model, diag);
  require(spec.has_value(), "{}", diag.text());
  spec = read_manoeuvre(vehicle.manoeuvre, std::move(*spec), diag);
  require(spec.has_value(), "{}", diag.text());
  return std::move(*spec);
}

void steps(benchmark::State& loop, const Vehicle& vehicle, const std::string& step,
           const std::string& threads) {
  Diagnostics diag;
  Spec spec = benchmark_spec(vehicle);
  spec.run.step = {step, {}};
  spec.run.threads = {threads, {}};
  const auto structure = compile_for_run(spec, diag);
  const auto plan = structure ? plan_run(spec, *structure, diag) : std::nullopt;
  require(plan.has_value(), "{}", diag.text());
  Simulation s(structure, plan->plan);
  for (auto _ : loop)
    if (s.step() != Status::ok) loop.SkipWithError("the run failed");
  loop.counters["times_real_time"] =
      benchmark::Counter(static_cast<double>(loop.iterations()) * seconds(plan->plan.step),
                         benchmark::Counter::kIsRate);
}

// Kinematics, forces and accelerations of the mechanism. Dependent coordinates begin so far from
// where they belong that Newton's method takes that many iterations in every loop.
void evaluations(benchmark::State& loop, const Vehicle& vehicle, double off, int threads) {
  using namespace multibody;
  Diagnostics diag;
  const auto m = compile_mechanism(benchmark_spec(vehicle), diag);
  require(m != nullptr, "{}", diag.text());
  Team team(threads);
  Workspace<double> ws(*m);
  if (threads > 1) ws.use(*m, &team);
  std::vector<double> q = m->q, v = m->v, vdot(v.size());
  const std::vector<Drive<double>> drives(m->drives.size());
  long iterations = 0;
  for (auto _ : loop) {
    q = m->q, v = m->v;
    for (std::size_t k = 0; k < m->clusters.size(); ++k)
      for (int i = m->clusters[k].first; i < m->clusters[k].first + m->clusters[k].links; ++i) {
        const multibody::Link& link = m->links[at(i)];
        const bool plain = link.nq == link.nv && !link.driven;
        const auto& dependent = m->choice[k].dependent;
        for (int j = 0; plain && j < link.nv; ++j)
          if (std::find(dependent.begin(), dependent.end(), link.v + j - m->clusters[k].v) !=
              dependent.end())
            q[at(link.q + j)] += off;
      }
    if (kinematics<double>(*m, m->choice, q, v, drives, ws) != Status::ok)
      loop.SkipWithError("the loops stay open");
    iterations += ws.iterations;
    apply_forces(*m, ws);
    benchmark::DoNotOptimize(accelerations<double>(*m, m->choice, ws, vdot));
  }
  const auto loops = loop.iterations() * static_cast<long>(m->clusters.size());
  loop.counters["newton_per_loop"] =
      loops == 0 ? 0.0 : static_cast<double>(iterations) / static_cast<double>(loops);
}

}  // namespace

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  for (const Vehicle& vehicle : {kCar, kTruck})
    for (const char* step : {"0.5 ms", "1 ms"})
      for (const char* threads : {"1", "2"})
        benchmark::RegisterBenchmark(
            (std::string(vehicle.model) + "/step/ab2/" + step + "/threads:" + threads).c_str(),
            [=](benchmark::State& l) { steps(l, vehicle, step, threads); })
            ->UseRealTime();
  const auto evaluation = [](const Vehicle& vehicle, int iterations, double off) {
    for (const int threads : {1, 2})
      benchmark::RegisterBenchmark(
          (std::string(vehicle.model) + "/evaluation/newton:" + std::to_string(iterations) +
           "/threads:" + std::to_string(threads))
              .c_str(),
          [=](benchmark::State& l) { evaluations(l, vehicle, off, threads); })
          ->UseRealTime();
  };
  constexpr std::pair<int, double> kOff[] = {{0, 0.0}, {1, 1e-7}, {2, 1e-4}};
  for (const auto& [iterations, off] : kOff) evaluation(kCar, iterations, off);
  evaluation(kTruck, 0, 0.0);
  benchmark::RunSpecifiedBenchmarks();
}
