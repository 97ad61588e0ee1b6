// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "analysis/differentiate.hpp"

namespace chicane {

struct TrimRequest {
  std::vector<std::pair<int, double>> hold;  // place of a state in x, and its value (SI)
  std::vector<Variable> free;                // inputs and parameters that may change
  int most_iterations = 100;
};

struct Trim {
  bool found = false;
  OperatingPoint at;
  int iterations = 0;
  double residual = 0;             // [-] largest rate that should be zero, over its scale
  int worst = -1;                  // the state it belongs to
  std::vector<double> rates;       // of all states there
  std::vector<bool> drifts;        // per state: its rate may be anything
  std::vector<Variable> remedies;  // where not found: inputs that would help
};

// A steady motion near a point: damped Newton on the exact Jacobian, memory and time held.
//
// Steady means that nothing changes but positions on which nothing depends. Which these are is not
// asked of the user:
//   - a state that no rate and no memory depends on is left as it is, and its rate may be anything;
//   - the others may drift as x' = N a, where N spans the directions along which no rate changes,
//     whatever the state: a car that moves along the road with all its parts.
// So f(x, p) = N a is solved for x, a and what is freed, each step being the shortest, over the
// scales of the states, where several would do.
Trim trim(const std::shared_ptr<const ModelStructure>& structure, OperatingPoint start,
          const TrimRequest& request);

}  // namespace chicane
