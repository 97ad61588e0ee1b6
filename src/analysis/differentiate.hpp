// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "simulation/model.hpp"

namespace chicane {

using RealMatrix = std::vector<std::vector<double>>;  // by row

// The one group of a model that has all its blocks together.
inline constexpr GroupIndex kAllTogether{0};

// Where a model is looked at: a state of all blocks together, and what comes in from outside.
struct OperatingPoint {
  State<double> state;
  Inputs<double> inputs;
};

// What is varied.
struct Variable {
  enum class Kind { state, input, parameter };
  Kind kind = Kind::state;
  int index = 0;  // of the ModelStructure; of a state: its place in x

  friend bool operator==(const Variable&, const Variable&) = default;
};

std::vector<Variable> all_states(const ModelStructure& structure);
std::vector<Variable> all_inputs(const ModelStructure& structure);

// Rates, signals and the memory's next values at a point, and their derivatives: column j is along
// variable j.
struct Derivatives {
  std::vector<double> rates, signals;
  RealMatrix rates_by, signals_by, next_by;
};

// Exact (dual numbers); time and memory are held. The derived constants follow their parameters.
// The model must have been compiled with all blocks together.
Derivatives differentiate(const Model<Dual>& model, const OperatingPoint& at,
                          std::span<const Variable> along,
                          std::span<const SignalIndex> signals = {});

// The same of the rates alone by the states, some columns at a time:
// take(first column, how many, rates) with the derivatives in the numbers of each rate.
void columns_of_rates(
    const Model<Dual>& model, const OperatingPoint& at,
    const std::function<void(std::size_t, std::size_t, const std::vector<Dual>&)>& take);

// The same of the rates alone, along directions of all states together: column j of the result is
// along direction j.
RealMatrix rates_along(const Model<Dual>& model, const OperatingPoint& at,
                       std::span<const std::vector<double>> directions);

}  // namespace chicane
