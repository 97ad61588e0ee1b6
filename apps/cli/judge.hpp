// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/linearize.hpp"
#include "session/prepare.hpp"
#include "simulation/guard.hpp"

namespace chicane::cli {

// What a run comes to, as far as a few seconds of computing show it.
struct Judgement {
  double until = 0, end = 0;         // [s] of the run: judged so far, and as long as it is
  std::int64_t frames = 0;           // ... judged
  std::string reason;                // why it fails, in the words of the run; empty: it does not
  std::optional<NamedMode> culprit;  // the mode behind that, or behind the first warning
  std::vector<RunWarning> warnings;
};

// Takes the run as `run` would, with its guards, but writes nothing; and judges the step where the
// run begins and in states that it reaches.
Judgement judge(Prepared run);

}  // namespace chicane::cli
