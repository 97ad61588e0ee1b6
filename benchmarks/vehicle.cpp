// SPDX-License-Identifier: Apache-2.0

// A step of the HMMWV in a double lane change. What each block takes of it: chicane bench.

#include <benchmark/benchmark.h>

#include "assembly/assemble.hpp"
#include "io/reader/reader.hpp"
#include "simulation/plan.hpp"
#include "simulation/simulation.hpp"

namespace {

using namespace chicane;

struct Ride {
  std::shared_ptr<const ModelStructure> structure;
  Plan plan;
};

Ride ride(const std::string& scheme, const std::string& step, const std::string& ratio) {
  Diagnostics diag;
  auto spec = read_model("hmmwv", diag);
  require(spec.has_value(), "{}", diag.text());
  spec = read_manoeuvre("double-lane-change", std::move(*spec), diag);
  require(spec.has_value(), "{}", diag.text());
  spec->run.scheme = {scheme, {}};
  spec->run.step = {step, {}};
  spec->run.ratio = {ratio, {}};
  const auto structure = compile_for_run(*spec, diag);
  const auto plan = structure ? plan_run(*spec, *structure, diag) : std::nullopt;
  require(plan.has_value(), "{}", diag.text());
  return {structure, plan->plan};
}

void steps(benchmark::State& loop, const Ride& r) {
  auto s = std::make_unique<Simulation>(r.structure, r.plan);
  for (auto _ : loop) {
    if (s->time() > 15.0) {
      loop.PauseTiming();
      s = std::make_unique<Simulation>(r.structure, r.plan);
      loop.ResumeTiming();
    }
    if (s->step() != Status::ok) loop.SkipWithError("the run failed");
  }
  loop.counters["real_time"] = benchmark::Counter(
      static_cast<double>(loop.iterations()) * seconds(r.plan.step), benchmark::Counter::kIsRate);
}

}  // namespace

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  const Ride one = ride("single-rate", "0.5 ms", "1"), two = ride("multiframe", "1 ms", "2");
  benchmark::RegisterBenchmark("step/ab2/0.5ms", [&](benchmark::State& l) { steps(l, one); });
  benchmark::RegisterBenchmark("step/multiframe/1ms/2",
                               [&](benchmark::State& l) { steps(l, two); });
  benchmark::RunSpecifiedBenchmarks();
}
