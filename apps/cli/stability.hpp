#pragma once

#include <string>
#include <vector>

#include "cli/commands.hpp"
#include "integrators/method.hpp"

namespace chicane::cli {

// stability.png and stability.svg: the region, or several beside each other; and with errors
// errors.png and errors.svg.
void draw_regions(const std::vector<Method>& methods, const std::string& directory);
void draw_errors(const std::vector<Method>& methods, double zeta, const std::string& directory);

// `chicane stability interpolators`.
int interpolator_errors(const StabilityOptions& options);

}  // namespace chicane::cli
