// What the stepper itself costs: a system whose derivative is almost free, every method. The
// counter `ns_per_state_eval` is the time per state and evaluation, with that derivative in it;
// `derivative/n` is that derivative alone, each evaluation at what the one before gave.

#include <benchmark/benchmark.h>

#include <algorithm>

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
  [[nodiscard]] int state_behind(GroupIndex, int) const { return -1; }
  [[nodiscard]] bool attentive(GroupIndex) const { return false; }
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
  void staged(GroupIndex, Eval&) noexcept {}
  void commit(GroupIndex, std::int64_t) noexcept {}
};

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
  for (auto _ : loop) {
    benchmark::DoNotOptimize(scheme.step(system, clock, s, ignore));
    benchmark::DoNotOptimize(s[GroupIndex{0}].x.data());
  }
  const double work = static_cast<double>(n) * method.k.stages;
  loop.counters["ns_per_state_eval"] = benchmark::Counter(
      work * 1e-9, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

void derivative(benchmark::State& loop) {
  const Decay system(static_cast<int>(loop.range(0)));
  std::vector<double> x(system.limit.size(), 1.0), dx(x);
  Decay::Eval at;
  for (auto _ : loop) {
    system.outputs(GroupIndex{0}, 0.0, x, {}, at, {});
    system.derivative(GroupIndex{0}, at, {}, dx);
    benchmark::DoNotOptimize(dx.data());
    system.outputs(GroupIndex{0}, 0.0, dx, {}, at, {});
    system.derivative(GroupIndex{0}, at, {}, x);
    benchmark::DoNotOptimize(x.data());
  }
  loop.counters["ns_per_state_eval"] = benchmark::Counter(
      2e-9 * system.n, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}
BENCHMARK(derivative)->Arg(1)->Arg(2)->Arg(4)->Arg(28);

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
