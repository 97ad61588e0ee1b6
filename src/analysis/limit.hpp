// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <complex>
#include <optional>
#include <string>
#include <vector>

#include "analysis/linearize.hpp"
#include "simulation/simulation.hpp"

namespace chicane {

// How the largest stable step is searched for.
struct LimitSettings {
  double settle = 0;          // [s] the model is left to itself before the search
  int frames = 4000;          // of each run
  double disturbance = 1e-6;  // [-] of each state's scale
  double allowance = 1.05;    // [-] last quarter over second quarter of a stable run
  double accuracy = 1e-3;     // [-] of the step that is found
};

struct Limit {
  enum class Outcome { found, stable_throughout, never_stable };
  Outcome outcome = Outcome::found;
  double stable = 0, unstable = 0;  // [s] the bracket; 0 where there is none
  std::optional<double> predicted;  // [s] from the linearised frame

  // What grows above it.
  std::string state, block, group;                 // group: as the file names it
  std::optional<std::complex<double>> eigenvalue;  // of its mode, in the linearised model
  std::vector<ParameterEffect> parameters;         // behind that mode, largest effect first
  std::optional<double> seen;                      // [Hz] at which it swings at the frames
};

// The largest step at which a model is stable under a plan, found by running it: the plan's own
// step is not used. Two runs, one disturbed; stable where both are finite and their largest
// difference, each state over its scale, is in the last quarter at most `allowance` times that of
// the second, or that of an accurate run: a drift of the model's own is not the step's. The first
// instability from below, by bisection.
//
// The scale of a state is its largest value in a run from the settled state, but at least a tenth
// of what the others' scales come to through the linearised model (balanced, so that it does not
// depend on units). States that nothing depends on are not judged. Sample times of memory need not
// be multiples of the steps that are tried. Throws when the model does not settle.
// `structure`: compiled for the plan's scheme.
Limit find_limit(const std::shared_ptr<const ModelStructure>& structure, const Plan& plan,
                 const LimitSettings& settings = {});

}  // namespace chicane
