#pragma once

#include <complex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "analysis/compare.hpp"
#include "analysis/prospect.hpp"

namespace chicane {

// What is asked of a way to run a model.
struct AdviceRequest {
  double accuracy = 1e-3;            // [-] largest error at a frame, over the peak of the signal
  std::vector<std::string> signals;  // that are looked at
  std::int64_t until = 0;            // [atoms] length of the runs that verify
  std::optional<double> budget_us;   // CPU time of one frame
};

// One way to run a model, in the words of a run section, and what it is worth.
struct Way {
  std::string scheme, method, fast_method, interp, tableau;  // empty where the scheme has none
  std::string slow, fast;                                    // names of the groups
  int ratio = 1;
  Moves moved;
  double step = 0;  // [s]

  double predicted_error = 0;         // by linear theory
  double error = 0;                   // by running it beside the reference
  double cost_us = 0;                 // CPU time per simulated second
  bool accurate = false;              // as asked for
  std::optional<double> stable_step;  // [s] predicted by the linearised frame

  [[nodiscard]] bool multirate() const { return scheme != "single-rate"; }
  [[nodiscard]] double frame_us() const { return cost_us * step; }
};

// The Spec of a way: run section and groups changed, all else the same.
Spec applied(const Spec& spec, const Way& way);

struct Advice {
  // A group, or a block, as it was found.
  struct Finding {
    std::string name;
    std::vector<std::string> blocks;
    double speed = 0;          // [1/s] largest eigenvalue it has alone
    double evaluation_us = 0;  // CPU time of an evaluation
  };
  bool found = false;  // something meets the accuracy: else only `tried` and findings are filled
  Way proposal;
  Way single_rate;               // the best with one rate
  std::optional<Way> multirate;  // the best with several, proposed or not
  std::vector<Way> tried;        // all that were run, cheapest first
  std::vector<Finding> groups, blocks;
  double gain = 1;        // cost of the best single-rate way over that of the proposal
  bool in_budget = true;  // the proposal's frame
};

// Partition, method, interpolator, ratio and step for a model, found in three rounds:
//
//   1  blocks are split into slow and fast: as the file does, and where their own eigenvalues lie
//      furthest apart;
//   2  for each scheme and method the step that linear theory allows, over the measured cost of its
//      frame, gives a cost per second;
//   3  the cheapest are run beside the reference, their steps put right until they just meet the
//      accuracy, and timed in turns.
//
// Throws where the model cannot be linearised or its reference solution fails.
Advice advise(const Spec& spec, const AdviceRequest& request, const Comparison::CpuClock& clock);

}  // namespace chicane
