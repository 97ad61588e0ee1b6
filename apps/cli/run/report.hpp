// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "analysis/linearize.hpp"
#include "cli/check_step.hpp"
#include "cli/json.hpp"
#include "cli/run/rows.hpp"
#include "io/run_directory.hpp"
#include "session/recorder.hpp"
#include "session/session.hpp"
#include "simulation/simulation.hpp"

namespace chicane::cli {

// What is said of a run at its end: on the terminal, as JSON, in the manifest.
struct RunReport {
  const Simulation& simulation;
  const RunPlan& plan;
  const Recorder& recorder;
  const Columns& rows;
  std::string scheme, how;                // its name; what the plan does, in a few words
  RunStatus status = RunStatus::ok;       //
  std::string reason = {};                // why it is not ok
  std::optional<NamedMode> culprit = {};  // the mode that ran away
  std::vector<RunWarning> warnings = {};  // in the order in which they came
  std::vector<RunAccount> accounts = {};  // what guards measured
  std::vector<MetricValue> metrics = {};  // of a run that came to its end
  std::optional<StepAgreement> agreement = {};
  double start = 0, cpu = 0, wall = 0;  // [s] simulated time at the start; what the run took
  std::int64_t first_frame = 0;
  std::optional<std::int64_t> late = {};  // frames, of a run in real time
  std::filesystem::path directory = {};
  bool plotted = false;
};

Json to_json(const RunReport& report);
// What a manifest says of a run beside its status and its files: at its start and at its end.
Json start_facts(const std::vector<std::string>& arguments);
Json end_facts(const RunReport& report, const std::vector<std::string>& arguments);
void print_summary(const RunReport& report);

}  // namespace chicane::cli
