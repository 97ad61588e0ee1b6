// SPDX-License-Identifier: Apache-2.0
#include "analysis/disturbed_pair.hpp"

#include <algorithm>

namespace chicane {

DisturbedPair::DisturbedPair(const Beginning& from, std::int64_t step,
                             std::span<const double> offset, std::vector<double> weight)
    : weight_(std::move(weight)),
      plain_(from.structure, from.plan),
      disturbed_(from.structure, from.plan) {
  Plan plan = from.plan;
  plan.step = step;
  for (Simulation* s : {&plain_, &disturbed_}) {
    s->restore(from.state, from.plan);
    s->replan(plan);
    std::vector<double> x = s->continuous();
    if (s == &disturbed_)
      for (std::size_t i = 0; i < x.size(); ++i) x[i] += offset[i];
    s->set_continuous(x);
  }
}

Status DisturbedPair::step() noexcept {
  const Status status = plain_.step();
  return status == Status::ok ? disturbed_.step() : status;
}

double DisturbedPair::difference() const noexcept {
  double most = 0;
  each_state([&](std::size_t, double, double d) { most = std::max(most, d); });
  return most;
}

double DisturbedPair::size() const noexcept {
  double most = 0;
  each_state(
      [&](std::size_t i, double x, double) { most = std::max(most, weight_[i] * std::fabs(x)); });
  return most;
}

std::vector<double> DisturbedPair::differences() const {
  std::vector<double> d;
  each_pair([&](std::size_t, double a, double b) { d.push_back(b - a); });
  return d;
}

}  // namespace chicane
