// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <complex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "analysis/compare.hpp"
#include "analysis/forecast.hpp"

namespace chicane {

// What is asked of a way to run a model.
struct AdviceRequest {
  double accuracy = 1e-3;            // [-] largest error at a frame, over the peak of the signal
  std::vector<std::string> signals;  // that are looked at
  std::int64_t until = 0;            // [atoms] length of the runs that verify
  std::optional<double> budget_us;   // CPU time of one frame
};

// One way to run a model, in the words of a run section, and what it is worth.
struct Candidate {
  std::string scheme, method, fast_method, interp, tableau;  // empty where the scheme has none
  std::string slow, fast;                                    // names of the groups
  int ratio = 1;
  Moves moved;
  double step = 0;  // [s]

  double predicted_error = 0;  // by linear theory
  double error = 0;            // by running it beside the reference; infinite: of no use
  std::string worst;           // the signal that has it
  double cost_us = 0;          // CPU time per simulated second
  bool accurate = false;       // as asked for
  std::optional<double>
      stable_step;  // [s] of the best, found by running; looked for up to four times the step

  struct Evaluations {
    std::string group;
    double count = 0;  // a frame
    double us = 0;     // CPU time of one, by itself
  };
  std::vector<Evaluations> evaluations;  // where it is accurate

  [[nodiscard]] bool multirate() const { return scheme != "single-rate"; }
  [[nodiscard]] double frame_us() const { return cost_us * step; }
  [[nodiscard]] double evaluation_us() const;  // of a frame
};

// The Spec of a way: run section and groups changed, all else the same.
Spec applied(const Spec& spec, const Candidate& candidate);

struct Advice {
  // A group, or a block, as it was found.
  struct Finding {
    std::string name;
    std::vector<std::string> blocks;
    double speed = 0;          // [1/s] largest eigenvalue it has alone
    double evaluation_us = 0;  // CPU time of an evaluation
  };
  bool found = false;  // something meets the accuracy: else only `tried` and findings are filled
  Candidate proposal;
  std::optional<Candidate> single_rate, multirate;  // the best with one rate and with several
  std::vector<Candidate> tried;                     // all that were run, cheapest first
  std::vector<Finding> groups, blocks;
  std::optional<double> gain;  // cost of the best single-rate way over that of the proposal
  bool in_budget = true;       // the proposal's frame
};

// What is proposed of ways that were tried, cheapest first: several rates where they are 5 %
// cheaper than one; a frame beyond the budget [us] only where no other is accurate.
Advice choose(std::vector<Candidate> tried, std::optional<double> budget_us);

// Partition, method, interpolator, ratio and step for a model, found in three rounds:
//
//   1  blocks are split into slow and fast: as the file does, and where their own eigenvalues lie
//      furthest apart;
//   2  for each scheme and method the measured cost of its frame, over the step that linear theory
//      allows, gives a cost per second; with one rate the cheapest are run beside the reference,
//      with several all, at the step at which they would be as cheap;
//   3  the steps of the best are put right until they just meet the accuracy, and timed in turns.
//
// Throws where the model cannot be linearised or its reference solution fails.
Advice advise(const Spec& spec, const AdviceRequest& request, const CpuClock& clock);

}  // namespace chicane
