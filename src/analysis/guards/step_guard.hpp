#pragma once

#include <memory>

#include "system/guard.hpp"
#include "system/spec.hpp"

namespace chicane {

// Watches whether the step fits what the model does. See docs/theory/step-guard.md.
// `spec`: of the model, for what is behind a mode of a run with several rates; or none.
std::unique_ptr<Guard> make_step_guard(const Simulation& simulation, const Spec* spec = nullptr);

}  // namespace chicane
