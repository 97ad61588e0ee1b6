// SPDX-License-Identifier: Apache-2.0
#include "analysis/costs.hpp"

#include <algorithm>
#include <limits>

#include "language/blueprint.hpp"
#include "simulation/model.hpp"
#include "simulation/simulation.hpp"

namespace chicane {
namespace {

constexpr double kTimePerFigure = 0.1;  // [s] for one figure
constexpr double kBatch = 50e-6;  // [s] between looks at the clock: much more than a look takes

// The time of one call [us].
template <class Work>
double time_of(const CpuClock& clock, Work&& work) {
  std::vector<double> times;
  double total = 0;
  for (int calls = 1; total < kTimePerFigure;) {
    const double begin = clock();
    for (int k = 0; k < calls; ++k) work();
    const double used = clock() - begin;
    total += used;
    if (used < kBatch)
      calls *= 2;
    else
      times.push_back(1e6 * used / calls);
  }
  return lower_quarter(times);
}

}  // namespace

double lower_quarter(std::vector<double>& times) {
  if (times.empty()) return std::numeric_limits<double>::infinity();
  const auto quarter = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 4);
  std::nth_element(times.begin(), quarter, times.end());
  return *quarter;
}

double frame_cost(const std::shared_ptr<const ModelStructure>& structure, const Plan& plan,
                  double until, const CpuClock& clock) {
  constexpr int kFrames = 20;  // of one look at the clock
  std::vector<double> times;
  for (double total = 0; total < kTimePerFigure;) {
    Simulation s(structure, plan);
    while (s.time() + kFrames * seconds(plan.step) <= until) {
      const double begin = clock();
      for (int k = 0; k < kFrames; ++k)
        if (s.step() != Status::ok) return std::numeric_limits<double>::infinity();
      const double used = clock() - begin;
      total += used;
      times.push_back(1e6 * used / kFrames);
    }
    if (s.time() == 0) break;  // the run is shorter than that
  }
  return lower_quarter(times);
}

std::vector<BlockCost> block_costs(const std::shared_ptr<const ModelStructure>& structure,
                                   const Plan& plan, double at, const CpuClock& clock) {
  Simulation s(structure, plan);
  while (s.time() < at)
    if (s.step() != Status::ok) return {};
  const auto together = structure->groups.size() == 1 ? structure : all_together(structure);
  if (!together) return {};
  const Model<double> model(together);
  State<double> state = carried_over(s.state(), *structure, model);
  const Inputs<double> inputs = model.default_inputs();
  const GroupIndex g{0};
  const GroupLayout& group = together->groups[g];
  BoundModel<double> bound(model, state, inputs);
  Eval<double> point = model.make_eval(g);
  std::vector<double> dx(static_cast<std::size_t>(bound.states(g)));
  bound.bind(g, point);
  bound.outputs(g, s.time(), state.groups[g].x, {}, point, {});
  bound.derivative(g, point, {}, dx);

  std::vector<BlockCost> costs;
  const auto measure = [&](const std::string& name, auto&& belongs) {
    Schedule own;
    for (const Schedule* all : {&group.outputs, &group.derivative})
      std::copy_if(all->begin(), all->end(), std::back_inserter(own), belongs);
    if (!own.empty()) costs.push_back({name, time_of(clock, [&] { model.run(own, point); })});
  };
  for (const BlockPlace& b : together->blocks)
    if (b.native >= 0) measure(b.name, [&](const Call& call) { return call.block == b.native; });
  measure("equations", [](const Call& call) { return call.block < 0; });
  std::stable_sort(costs.begin(), costs.end(),
                   [](const BlockCost& a, const BlockCost& b) { return a.us > b.us; });
  return costs;
}

}  // namespace chicane
