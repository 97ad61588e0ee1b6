// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <complex>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "analysis/dynamic_error.hpp"
#include "analysis/linearize.hpp"
#include "integrators/multirate/interpolator.hpp"
#include "simulation/simulation.hpp"

namespace chicane {

// Blocks that are put into a group other than the file's.
using Moves = std::vector<std::pair<std::string, std::string>>;
Spec regrouped(const Spec& spec, const Moves& moved);

// Two groups of blocks, slow and fast, with the eigenvalues that each has alone.
struct Split {
  struct Group {
    std::string name;
    std::vector<std::string> blocks;
    std::vector<bool> states;  // whether a state is in it
    std::vector<std::complex<double>> eigenvalues;
    double speed = 0;  // [1/s] the largest of them
  };
  Moves moved;
  Group slow, fast;
  [[nodiscard]] double apart() const { return fast.speed / slow.speed; }
};

// A method that advances some of the states, `ratio` times a frame.
struct GroupMethod {
  GroupMethod(Method by, int steps, std::vector<bool> which,
              std::vector<std::complex<double>> lambda)
      : method(std::move(by)),
        ratio(steps),
        states(std::move(which)),
        eigenvalues(std::move(lambda)),
        root(DynamicError(method).root_term()) {}

  Method method;
  int ratio;
  std::vector<bool> states;
  std::vector<std::complex<double>> eigenvalues;
  ErrorSeries::Term root;  // relative error of a root, C (lambda h)^p
};

// What linear theory expects of ways to run a model: its modes, how large they are in the signals
// along a run, and what methods and interpolators make of them (R. M. Howe, 004).
class LinearForecast {
 public:
  // Signals by name; `until` in atoms. Throws where the model cannot be linearised.
  LinearForecast(const Spec& spec, const std::vector<std::string>& signals, std::int64_t until);

  // The file's own two groups, then cuts between blocks where their speeds are furthest apart.
  // Only those that compile.
  [[nodiscard]] std::vector<Split> splits() const;
  [[nodiscard]] GroupMethod everything(const Method& method) const;
  [[nodiscard]] const std::vector<std::complex<double>>& eigenvalues() const {
    return l_.eigenvalues;
  }
  // [1/s] the largest eigenvalue that each block has alone, slowest first.
  [[nodiscard]] std::vector<std::pair<double, std::string>> blocks() const;

  // The largest error of a signal over its peak: of every mode, whose root is off by
  // lambda e(lambda h), the largest difference of e^{lambda t}; and of the slow modes, what the
  // interpolator loses of them.
  [[nodiscard]] double error(double h, const std::vector<GroupMethod>& parts,
                             std::optional<Interpolator> interp) const;
  // [s] The largest at which every part is stable alone, with a margin, and the error as asked for.
  [[nodiscard]] double step(double accuracy, const std::vector<GroupMethod>& parts,
                            std::optional<Interpolator> interp) const;

 private:
  struct Mode {
    std::complex<double> lambda;
    double size = 0;  // in the signals, over their peaks
    Eigen::VectorXd participation;
  };
  void measure_modes(const std::vector<SignalIndex>& signals);
  void find_modes(const std::vector<std::vector<double>>& rates, const std::vector<double>& peaks);
  [[nodiscard]] Split::Group group(const std::string& name,
                                   const std::vector<std::string>& blocks) const;
  [[nodiscard]] std::vector<Split> candidates() const;

  const Spec& spec_;
  std::shared_ptr<const ModelStructure> structure_;
  double end_;  // [s]
  Linearization l_;
  std::vector<Mode> modes_;
};

}  // namespace chicane
