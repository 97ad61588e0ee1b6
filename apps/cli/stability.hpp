// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "cli/commands.hpp"
#include "integrators/method.hpp"
#include "io/plot/plane.hpp"
#include "io/plot/plot.hpp"

namespace chicane::cli {

// The region of stability, or several beside each other.
PlanePicture regions_of(const std::vector<Method>& methods);
// The errors of their roots at a damping ratio.
PlotRequest errors_of(const std::vector<Method>& methods, double zeta);

// `chicane stability interpolators`.
int interpolator_errors(const StabilityOptions& options);

}  // namespace chicane::cli
