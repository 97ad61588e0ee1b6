// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "language/model_structure.hpp"
#include "simulation/plan.hpp"

// What a run costs, frame by frame, and which block takes it.

namespace chicane {

using CpuClock = std::function<double()>;  // [s] of the stepping thread

// Of times of the same work: other work on the machine adds to most of them, and a clock of
// processor time may stand still during the least. Infinite if there are none.
double lower_quarter(std::vector<double>& times);

struct BlockCost {
  std::string block;  // `equations`: all that is written as formulas
  double us = 0;      // one evaluation, outputs and derivatives
};

// CPU time of one frame [us], over whole runs. Infinite if the run fails or has not 20 frames.
double frame_cost(const std::shared_ptr<const ModelStructure>& structure, const Plan& plan,
                  double until, const CpuClock& clock);

// The blocks of a structure, all in one group, each evaluated again and again by itself at the
// point that the run reaches at the time. Empty if it does not get there.
std::vector<BlockCost> block_costs(const std::shared_ptr<const ModelStructure>& structure,
                                   const Plan& plan, double at, const CpuClock& clock);

}  // namespace chicane
