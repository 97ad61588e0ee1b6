#pragma once

#include <fmt/format.h>

#include <memory>
#include <string>
#include <vector>

#include "cli/commands.hpp"
#include "cli/prepare.hpp"
#include "cli/recorder.hpp"
#include "cli/run/report.hpp"
#include "cli/run/rows.hpp"
#include "system/event_watch.hpp"
#include "system/guard.hpp"
#include "system/metrics.hpp"
#include "system/plan.hpp"

namespace chicane::cli {

// A run from its Spec to its directory.
class Job {
 public:
  Job(const RunOptions& options, Prepared prepared);

  // Gives the exit code; `diag` has the warnings about the model.
  int go(const Diagnostics& diag);

 private:
  static constexpr std::size_t kChunk = 256;  // frames between looks at the clock

  static std::size_t rows_per_chunk(const RunPlan& plan);

  template <class... Args>
  void log(fmt::format_string<Args...> text, Args&&... args) {
    log_ += fmt::format(text, std::forward<Args>(args)...) + "\n";
  }

  void warn(const Diagnostics& diag);
  void warn(RunWarning warning);
  void say(const RunWarning& warning);
  void write_echo();
  [[nodiscard]] bool at_end() const;
  Status advance(Metrics& metrics, EventWatch& events);
  void note_fault(const Metrics& metrics, const EventWatch& events);
  void ask_guards();
  void save_checkpoint();
  void note_events();
  void push_rows();
  void explain(Status status);
  void compare_with_half_the_step();
  int tell();

  const RunOptions& options_;
  Prepared prepared_;
  const Spec& spec_ = prepared_.spec;
  const std::shared_ptr<const Structure>& structure_ = prepared_.structure;
  RunPlan& plan_ = prepared_.plan;
  Simulation& simulation_ = *prepared_.simulation;
  Recorder recorder_;
  KeptRows rows_;
  RunReport report_;
  std::vector<std::unique_ptr<Guard>> guards_;
  std::unique_ptr<RowWriter> writer_;
  std::string log_;
  std::vector<std::int64_t> fired_;
  bool doubted_ = false;
  bool left_model_ = false;  // the vehicle is where its model does not hold: that ends the run
  std::optional<NotFinite> not_finite_;  // a result that is none ends the run
};

}  // namespace chicane::cli
