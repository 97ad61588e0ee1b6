// SPDX-License-Identifier: Apache-2.0

// What lanes gain: evaluations per second of cars side by side, and of the same cars one after the
// other. items_per_second counts cars.

#include <benchmark/benchmark.h>

#include "assembly/assemble.hpp"
#include "io/reader/reader.hpp"
#include "simulation/equation_lanes.hpp"
#include "testkit/tires.hpp"

namespace {

using namespace chicane;

std::shared_ptr<const ModelStructure> builtin(std::string_view name) {
  Diagnostics diag;
  const auto spec = read_model(std::string(name), diag);
  auto structure = spec ? compile(*spec, Partition::together(*spec), diag) : nullptr;
  require(structure != nullptr, "{}", diag.text());
  return structure;
}

void cars_one_by_one(benchmark::State& run, const char* name) {
  const auto structure = builtin(name);
  const Model<double> model(structure);
  State<double> state = model.initial_state();
  const Inputs<double> inputs = model.default_inputs();
  const BoundModel<double> bound(model, state, inputs);
  Eval<double> at = model.make_eval(GroupIndex{0});
  std::vector<double> x = state.groups[GroupIndex{0}].x, dx(x.size());
  bound.bind(GroupIndex{0}, at);
  for (auto _ : run) {
    bound.outputs(GroupIndex{0}, 0.1, x, {}, at, {});
    bound.derivative(GroupIndex{0}, at, {}, dx);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] += 1e-9 * dx[i];
    benchmark::DoNotOptimize(x.data());
  }
  run.SetItemsProcessed(run.iterations());
}
template <int N>
void cars_in_lanes(benchmark::State& run, const char* name) {
  EquationLanes<N> cars(builtin(name));
  auto x = cars.start();
  auto dx = x;
  for (auto _ : run) {
    cars.rates(0.1, x, dx);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] += 1e-9 * dx[i];
    benchmark::DoNotOptimize(x.data());
  }
  run.SetItemsProcessed(N * run.iterations());
}
BENCHMARK_CAPTURE(cars_one_by_one, quarter_car, "quarter-car-c");
constexpr auto cars_in_4_lanes = cars_in_lanes<4>, cars_in_8_lanes = cars_in_lanes<8>;
BENCHMARK_CAPTURE(cars_in_4_lanes, quarter_car, "quarter-car-c");
BENCHMARK_CAPTURE(cars_in_8_lanes, quarter_car, "quarter-car-c");

template <class T>
constexpr int kWheels = 1;
template <int N>
constexpr int kWheels<Lanes<N>> = N;

// A TMeasy tire that rolls and slips on a flat road, contact included.
template <class T>
void tire_of(benchmark::State& run) {
  const auto p = testkit::tire_params<T>();
  const auto law = testkit::tmeasy<T>();
  const terrain::Flat<T> road{.height = T(0.0), .cover = {T(0.8), 0}};
  T delta = 0.02;
  tire::States<T> x{T(1e-3), T(-2e-3), T(0.02)};
  for (auto _ : run) {
    const auto c = testkit::on(road, testkit::rolling_wheel<T>(delta, T(15.0), T(-0.4), T(33.0)));
    const auto e = evaluate(p, law, c, x);
    x.u_x += 1e-9 * e.rates.u_x, x.u_y += 1e-9 * e.rates.u_y;
    benchmark::DoNotOptimize(x);
  }
  run.SetItemsProcessed(kWheels<T> * run.iterations());
}
BENCHMARK(tire_of<double>);
BENCHMARK(tire_of<Lanes<4>>);
BENCHMARK(tire_of<Lanes<8>>);

}  // namespace
