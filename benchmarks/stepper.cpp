// SPDX-License-Identifier: Apache-2.0

// What the stepper itself costs: a system whose derivative is almost free, every method. Counters,
// in ns for each state and evaluation: `all`, with that derivative in it, and `overhead`, without.

#include <benchmark/benchmark.h>

#include <algorithm>
#include <limits>

#include "core/cpu_time.hpp"
#include "integrators/single_rate/single_rate.hpp"

namespace {

using namespace chicane;

// x' = -x, as bare as a system can be.
struct Decay {
  using Scalar = double;
  struct Eval {
    std::vector<double> v;
    std::span<const double> x;
  };
  int n;
  std::vector<double> limit;

  explicit Decay(int size) : n(size), limit(static_cast<std::size_t>(size), 1e12) {}
  [[nodiscard]] int groups() const { return 1; }
  [[nodiscard]] int states(GroupIndex) const { return n; }
  [[nodiscard]] int published(GroupIndex) const { return 0; }
  [[nodiscard]] std::span<const Source> sources(GroupIndex) const { return {}; }
  [[nodiscard]] int state_of_signal(GroupIndex, int) const { return -1; }
  [[nodiscard]] bool needs_accept(GroupIndex) const { return false; }
  [[nodiscard]] bool eventful(GroupIndex) const { return false; }
  [[nodiscard]] Eval make_eval(GroupIndex) const { return {}; }
  [[nodiscard]] std::span<const double> limits(GroupIndex) const { return limit; }
  bool bind(GroupIndex, Eval&) const noexcept { return false; }
  void outputs(GroupIndex, double, std::span<const double> x, std::span<const double>, Eval& at,
               std::span<double>) const noexcept {
    at.x = x;
  }
  void derivative(GroupIndex, Eval& at, std::span<const double>,
                  std::span<double> dx) const noexcept {
    for (std::size_t i = 0; i < dx.size(); ++i) dx[i] = -at.x[i];
  }
  Accept accept(GroupIndex, std::int64_t, Eval&) noexcept { return Accept::unchanged; }
  void after_evaluation(GroupIndex, Eval&) noexcept {}
  void commit(GroupIndex, std::int64_t) noexcept {}
};

// [ns] of one evaluation of the derivative alone, each at what the one before gave; the least of
// some tries.
double derivative_ns(const Decay& system) {
  constexpr int kTries = 50, kPairs = 500;
  constexpr GroupIndex kAll{0};
  std::vector<double> x(system.limit.size(), 1.0), dx(x);
  Decay::Eval at;
  double least = std::numeric_limits<double>::infinity();
  for (int i = 0; i < kTries; ++i) {
    const double begin = cpu_seconds();
    for (int k = 0; k < kPairs; ++k) {
      system.outputs(kAll, 0.0, x, {}, at, {});
      system.derivative(kAll, at, {}, dx);
      benchmark::DoNotOptimize(dx.data());
      benchmark::ClobberMemory();
      system.outputs(kAll, 0.0, dx, {}, at, {});
      system.derivative(kAll, at, {}, x);
      benchmark::DoNotOptimize(x.data());
      benchmark::ClobberMemory();
    }
    least = std::min(least, 1e9 * (cpu_seconds() - begin) / (2 * kPairs));
  }
  return least;
}

void step(benchmark::State& loop, const Method& method) {
  const int n = static_cast<int>(loop.range(0));
  Decay system(n);
  SingleRate<Decay> scheme(system, method, Startup::rk4, HistoryPolicy::keep);
  Clock clock;
  clock.rebase(1'000'000);
  GroupStates<double> s(1);
  s[GroupIndex{0}].x.assign(static_cast<std::size_t>(n), 1.0);
  scheme.prepare(s);
  const auto ignore = [](double, PointKind, auto&&, auto&&) {};
  const double alone = derivative_ns(system), begin = cpu_seconds();
  for (auto _ : loop) {
    benchmark::DoNotOptimize(scheme.step(system, clock, s, ignore));
    benchmark::DoNotOptimize(s[GroupIndex{0}].x.data());
  }
  const double evaluation =
      1e9 * (cpu_seconds() - begin) / (static_cast<double>(loop.iterations()) * method.k.stages);
  loop.counters["all"] = evaluation / n;
  loop.counters["overhead"] = (evaluation - alone) / n;
}

const bool kRegistered = [] {
  for (const std::string_view name : method_names())
    benchmark::RegisterBenchmark(("step/" + std::string(name)).c_str(), step, *find_method(name))
        ->Arg(1)
        ->Arg(2)
        ->Arg(4)
        ->Arg(28);
  return true;
}();

}  // namespace

BENCHMARK_MAIN();
