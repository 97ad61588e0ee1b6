// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <memory>
#include <span>
#include <vector>

#include "simulation/simulation.hpp"

namespace chicane {

// Where runs begin: a state, and the plan it stands under.
struct Beginning {
  std::shared_ptr<const ModelStructure> structure;
  Plan plan;
  State<double> state;
};

// The same run twice, one of them disturbed at its beginning: what becomes of the difference.
class DisturbedPair {
 public:
  // `offset` per state is the disturbance, `weight` per state how much its difference counts; both
  // in the order of the ModelStructure.
  DisturbedPair(const Beginning& from, std::int64_t step, std::span<const double> offset,
                std::vector<double> weight);

  // One frame of both. The status of the first that is not ok.
  Status step() noexcept;

  [[nodiscard]] double difference() const noexcept;  // the largest, weighted
  [[nodiscard]] double size() const noexcept;        // the largest weighted state
  [[nodiscard]] std::vector<double> differences() const;
  // Calls each(i, x, d) with every state of the run that was not disturbed, and its difference,
  // weighted.
  template <class Each>
  void each_state(Each&& each) const noexcept {
    each_pair(
        [&](std::size_t i, double a, double b) { each(i, a, weight_[i] * std::fabs(b - a)); });
  }

 private:
  // Calls each(i, a, b) with every state of both.
  template <class Each>
  void each_pair(Each&& each) const noexcept {
    const GroupStates<double>&a = plain_.state().groups, &b = disturbed_.state().groups;
    std::size_t i = 0;
    for (const StateInfo& s : plain_.structure().states) {
      const auto place = static_cast<std::size_t>(s.place);
      each(i++, a[s.group].x[place], b[s.group].x[place]);
    }
  }

  std::vector<double> weight_;
  Simulation plain_, disturbed_;
};

}  // namespace chicane
