#pragma once

#include <memory>
#include <vector>

#include "system/guard.hpp"
#include "system/plan.hpp"

namespace chicane {

// All guards that a run of this model under this plan should have. They refer to the simulation
// and to the Spec of its model, which tells them more of causes where it is given.
std::vector<std::unique_ptr<Guard>> make_guards(Simulation& simulation, const Spec* spec = nullptr);

// What the guards of a run would find: the run is made, or its first `most` frames, and thrown
// away. So what it says of a step is said of the states that a manoeuvre reaches.
std::vector<RunWarning> rehearse(const std::shared_ptr<const Structure>& structure,
                                 const RunPlan& plan, const Spec* spec = nullptr,
                                 std::int64_t most = 100'000);

}  // namespace chicane
