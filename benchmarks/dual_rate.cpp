// SPDX-License-Identifier: Apache-2.0

// A vehicle on rigid-ring tires at one rate and at two: rk2 of all together beside pairs of
// tableaus, each at its largest stable step, which every run here verifies. CPU times of a second
// of motion, taken by turns, beside what counts of evaluations and their costs, measured in the
// same run, come to. Table 9 of the paper on dual-rate partitioned Runge-Kutta methods.

#include <benchmark/benchmark.h>

#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "analysis/costs.hpp"
#include "analysis/disturbed_pair.hpp"
#include "assembly/assemble.hpp"
#include "core/cpu_time.hpp"
#include "integrators/multirate/coupled_groups.hpp"
#include "io/reader/reader.hpp"
#include "simulation/plan.hpp"
#include "simulation/simulation.hpp"

namespace {

using namespace chicane;

// A way to advance the vehicle, and the largest step at which it is stable, as `chicane limit` has
// it.
struct Way {
  const char *scheme, *choice;  // method, or pair of tableaus
  double step;                  // [s]
};
constexpr Way kWays[] = {
    {"single-rate", "rk2", 2.36e-3}, {"prk", "prk25", 6.29e-3}, {"prk", "damped25", 8.44e-3}};
constexpr double kClear = 1.05;  // times the limit, and part of it: grows, and does not

Beginning beginning(const std::string& vehicle, const Way& way) {
  Diagnostics diag;
  auto spec = read_model(vehicle, diag);
  require(spec.has_value(), "{}", diag.text());
  spec->run.scheme = {way.scheme, {}};
  (spec->run.scheme.text == "prk" ? spec->run.tableau : spec->run.method) = {way.choice, {}};
  const auto structure = compile_for_run(*spec, diag);
  const auto plan = structure ? plan_run(*spec, *structure, diag) : std::nullopt;
  require(plan.has_value(), "{}", diag.text());
  return {structure, plan->plan, Simulation(structure, plan->plan).state()};
}

// Whether a small disturbance of all states is much larger at the end of 20 s than before.
bool grows(const Beginning& from, double h) {
  const auto n = static_cast<std::size_t>(from.structure->states.size());
  std::vector<double> offset(n, 0.0), weight(n, 1.0);
  for (const StateIndex i : from.structure->states.indices())
    if (from.structure->states[i].name.find(".ring_v_") != std::string::npos)
      offset[static_cast<std::size_t>(i.value)] = 1e-6 * (1 + i.value % 7);  // [m/s]
  for (const StateIndex i : from.structure->states.indices())
    weight[static_cast<std::size_t>(i.value)] = offset[static_cast<std::size_t>(i.value)] > 0;
  DisturbedPair pair(from, whole_picoseconds(h).value(), offset, weight);
  constexpr double kEnd = 20;
  double early = 0, late = 0;
  for (double t = 0; t < kEnd; t += h) {
    if (pair.step() != Status::ok) return true;
    double& most = t < 0.5 * kEnd ? early : late;
    most = std::max(most, pair.difference());
  }
  return late > early;
}

// One way, made ready to be measured again and again.
class Ride {
 public:
  Ride(const std::string& vehicle, const Way& way) : from_(beginning(vehicle, way)) {
    from_.plan.step = whole_picoseconds(way.step).value() & ~std::int64_t{1};
    simulation_ = std::make_unique<Simulation>(from_.structure, from_.plan);
  }
  // [s] of processor time for a second of motion.
  void measure() {
    constexpr double kTime = 0.5;
    const double begin = cpu_seconds(), from = simulation_->time();
    while (simulation_->time() < from + kTime)
      require(simulation_->step() == Status::ok, "the run failed");
    times_.push_back((cpu_seconds() - begin) / (simulation_->time() - from));
  }
  [[nodiscard]] double time() { return lower_quarter(times_); }

 private:
  Beginning from_;
  std::unique_ptr<Simulation> simulation_;
  std::vector<double> times_;
};

// What evaluations cost, as in the stages of a step: of all groups, and without the derivatives of
// the slow one, which then gives its outputs only.
class Costs {
 public:
  explicit Costs(const Beginning& from)
      : model_(from.structure),
        state_(from.state),
        inputs_(model_.default_inputs()),
        bound_(model_, state_, inputs_),
        coupled_(bound_) {
    for (const GroupIndex g : groups_of(bound_)) {
      dx_.push_back(std::vector<double>(static_cast<std::size_t>(bound_.states(g))));
      bound_.bind(g, coupled_.eval(g));
    }
  }
  void measure() {
    all_.push_back(evaluation(GroupIndex{0}));
    fast_.push_back(evaluation(GroupIndex{1}));
  }
  [[nodiscard]] double all() { return lower_quarter(all_); }    // [s]
  [[nodiscard]] double fast() { return lower_quarter(fast_); }  // [s]

 private:
  double evaluation(GroupIndex first) {
    constexpr int kTimes = 1000;
    const double begin = cpu_seconds();
    for (int k = 0; k < kTimes; ++k) {
      for (const GroupIndex g : dx_.indices()) coupled_.outputs(bound_, g, 1e-9 * k, point(g, k));
      for (const GroupIndex g : dx_.indices())
        if (g.value >= first.value) coupled_.derivative(bound_, g, dx_[g]);
    }
    return (cpu_seconds() - begin) / kTimes;
  }
  // Another one each time: nothing that was computed before is found.
  std::span<const double> point(GroupIndex g, int k) {
    std::vector<double>& x = state_.groups[g].x;
    for (double& v : x) v += k % 2 == 0 ? 1e-12 : -1e-12;
    return x;
  }

  Model<double> model_;
  State<double> state_;
  Inputs<double> inputs_;
  BoundModel<double> bound_;
  CoupledGroups<BoundModel<double>> coupled_;
  PerIndex<GroupIndex, std::vector<double>> dx_;
  std::vector<double> all_, fast_;
};

// CPU time of the ways at their limits, by turns.
void table(const std::string& vehicle, int rounds) {
  std::vector<Ride> rides;
  for (const Way& way : kWays) rides.emplace_back(vehicle, way);
  Costs together(beginning(vehicle, kWays[0])), apart(beginning(vehicle, kWays[1]));
  for (int k = 0; k < rounds; ++k) {
    for (Ride& r : rides) r.measure();
    together.measure();
    apart.measure();
  }
  const double slow = apart.all() - apart.fast();  // derivatives of the slow group
  std::printf(
      "%s: an evaluation of all %.2f us; in two groups %.2f us, %.2f us without the slow "
      "derivatives\n",
      vehicle.c_str(), 1e6 * together.all(), 1e6 * apart.all(), 1e6 * apart.fast());
  const double one = 2 * together.all() / kWays[0].step, two = 5 * apart.fast() + 2 * slow;
  for (std::size_t i = 0; i < rides.size(); ++i) {
    const double step = kWays[i].step;
    std::printf(
        "  %-9s %5.2f ms, %4.2f times that of rk2; %7.3f ms of CPU a second, gain %4.2f; by counts "
        "and costs %4.2f\n",
        kWays[i].choice, 1e3 * step, step / kWays[0].step, 1e3 * rides[i].time(),
        rides[0].time() / rides[i].time(), i == 0 ? 1.0 : one * step / two);
  }
}

void seconds_of(benchmark::State& loop, const std::string& vehicle, const Way& way) {
  const Beginning from = beginning(vehicle, way);
  if (grows(from, way.step / kClear)) return loop.SkipWithError("unstable below its limit");
  if (!grows(from, way.step * kClear)) return loop.SkipWithError("stable above its limit");
  Ride ride(vehicle, way);
  for (auto _ : loop) ride.measure();
  loop.counters["step_ms"] = 1e3 * way.step;
}

}  // namespace

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  constexpr int kRounds = 40;
  for (const char* vehicle : {"hmmwv-rigid-ring", "hmmwv-rigid-ring-10"}) {
    table(vehicle, kRounds);
    for (const Way& way : kWays)
      benchmark::RegisterBenchmark((std::string(vehicle) + "/" + way.choice).c_str(),
                                   [=](benchmark::State& l) { seconds_of(l, vehicle, way); });
  }
  benchmark::RunSpecifiedBenchmarks();
}
