// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "simulation/simulation.hpp"

namespace testkit {

// Compiles a model text with all blocks together; a fault in it is a failure of the test.
std::shared_ptr<const chicane::ModelStructure> compiled(const std::string& text);
std::shared_ptr<const chicane::ModelStructure> compiled_builtin(const std::string& name);
// The built-in models that are equations, and those that are mechanisms.
std::vector<std::string> equation_models();
std::vector<std::string> mechanism_models();
// The faults of a text that must not compile, as the user would see them.
std::string faults(const std::string& text);

chicane::Plan plan(const std::string& method, double step);

// A model with the run section it is given ("scheme: prk, step: 1 ms"), compiled and planned as the
// program does it.
struct Planned {
  std::shared_ptr<const chicane::ModelStructure> structure;
  chicane::Plan plan;
};
Planned planned(const std::string& text, const std::string& run);

// A state, memory or parameter of a simulation, whatever its group.
double value_in(const chicane::Simulation& s, const std::string& name);

// Where a state stands among those of its group.
int place_of_state(const chicane::ModelStructure& structure, const std::string& name);

// x at the end of `steps` steps.
std::vector<double> final_state(const std::shared_ptr<const chicane::ModelStructure>& structure,
                                const chicane::Plan& plan, int steps);

// Nonlinear, not autonomous, coupled both ways, with a known solution:
//   x = 1/(1 + t^2),  y = exp(sin t)
// The terms with y - exp(sin t) and x (1 + t^2) - 1 vanish on the solution and couple beside it.
extern const char* const kKnownSolution;
std::vector<double> known_solution(double t);
// The same with x in group slow and y in group fast.
extern const char* const kKnownSolutionInTwo;

// Events, memory of every kind, a table, tests in a row: everything a restart must carry.
extern const char* const kEverything;

// The same in two rate groups: states, sampled memory and events of either set what belongs to the
// other. Ends with its events, so that a test can add some; kRequests are such that change step,
// ratio and method, and stop the run at 1.3 s.
extern const char* const kTwoRates;
extern const char* const kRequests;

}  // namespace testkit
