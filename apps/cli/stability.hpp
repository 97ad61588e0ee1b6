#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "analysis/dynamic_error.hpp"
#include "cli/commands.hpp"
#include "integrators/method.hpp"

namespace chicane::cli {

// A name or file of the command line: a method, or the slow and the fast tableau of a pair.
struct StabilityItem {
  std::string name;
  int order = 1;
  std::vector<Method> methods;  // one, or slow and fast

  [[nodiscard]] bool pair() const { return methods.size() == 2; }
};

// Dynamic errors at one size of the step, exact and asymptotic.
struct Both {
  double exact = 0, asymptotic = 0;
};
struct ErrorRow {
  double size = 0;
  std::complex<double> root, asymptotic_root;
  Both frequency, damping;  // of the mode
  Both integrator_gain, integrator_phase;
  Both first_gain, first_phase;    // first-order system
  Both second_gain, second_phase;  // second-order system
};
// The mode has no frequency at zeta = 1, and no response at its resonance without damping.
bool swings(double zeta);
bool responds(double zeta, double omega);
ErrorRow error_row(const DynamicError& e, double zeta, double size, double omega);

// stability.png and stability.svg: the region, or several beside each other; and with errors
// errors.png and errors.svg.
void draw_regions(const std::vector<Method>& methods, const std::string& directory);
void draw_errors(const std::vector<Method>& methods, double zeta, const std::string& directory);

// `chicane stability interpolators`.
int interpolator_errors(const StabilityOptions& options);

}  // namespace chicane::cli
