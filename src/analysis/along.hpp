// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <complex>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "analysis/linearize.hpp"
#include "simulation/simulation.hpp"

namespace chicane {

// A state ran away on the way.
class RunFailed : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Runs to a time, to the picosecond: the last step is shorter where it must be. False when an event
// has ended the run before. Throws RunFailed.
bool run_to(Simulation& simulation, std::int64_t until);

OperatingPoint point_of(Simulation& simulation);

struct SpectrumAt {
  double time = 0;
  std::vector<std::complex<double>> coupled;              // largest magnitude first
  std::vector<std::vector<std::complex<double>>> groups;  // each alone, in the order of the file
};

// Eigenvalues while a model runs, from where it stands, at the first frame at or after each
// multiple of `every`. The simulation must have all blocks together. Ends early when an event ends
// the run.
std::vector<SpectrumAt> spectra_along(Simulation& simulation,
                                      const std::shared_ptr<const ModelStructure>& structure,
                                      std::int64_t until, std::int64_t every);

}  // namespace chicane
