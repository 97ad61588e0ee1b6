#pragma once

#include <fmt/format.h>

#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/commands.hpp"
#include "cli/prepare.hpp"
#include "cli/recorder.hpp"
#include "cli/run/report.hpp"
#include "cli/run/rows.hpp"
#include "io/checkpoint.hpp"
#include "io/files.hpp"
#include "io/run_directory.hpp"
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
  int go(Diagnostics& diag);

 private:
  static constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();

  static std::size_t frames_per_chunk(std::size_t signals);
  static std::size_t rows_of(std::size_t frames, std::int64_t every, const Plan& plan);

  template <class... Args>
  void log(fmt::format_string<Args...> text, Args&&... args) {
    write_log(fmt::format(text, std::forward<Args>(args)...));
  }
  void write_log(const std::string& line);

  void warn(const Diagnostics& diag);
  void warn(RunWarning warning);
  void say(const RunWarning& warning);
  bool open_directory(Diagnostics& diag);
  void carry_out(const Diagnostics& diag);
  [[nodiscard]] std::string echo() const;
  [[nodiscard]] bool at_end() const;
  Status advance(Metrics& metrics, EventWatch& events);
  void note_fault(const Metrics& metrics, const EventWatch& events);
  void ask_guards();
  void save_checkpoint();
  void save_checkpoint_if_due();
  void note_events();
  void push_rows();
  void explain(Status status);
  void fail(const std::string& reason);
  void interrupt(const std::string& what);
  void plot(const std::vector<Column>& columns);
  void compare_with_half_the_step();
  int tell();

  const RunOptions& options_;
  Prepared prepared_;
  const Spec& spec_ = prepared_.spec;
  const std::shared_ptr<const Structure>& structure_ = prepared_.structure;
  RunPlan& plan_ = prepared_.plan;
  Simulation& simulation_ = *prepared_.simulation;
  std::size_t chunk_;  // frames between looks at the clock
  Recorder recorder_;
  KeptRows rows_;
  RunReport report_;
  std::vector<std::unique_ptr<Guard>> guards_;
  std::unique_ptr<RunDirectory> directory_;
  std::unique_ptr<RowWriter> writer_;
  std::optional<LineFile> log_;
  std::int64_t next_checkpoint_ = kNever;  // [atoms]
  std::vector<std::int64_t> fired_;
  bool doubted_ = false;
  bool left_model_ = false;  // the vehicle is where its model does not hold: that ends the run
  std::optional<NotFinite> not_finite_;  // a result that is none ends the run
};

}  // namespace chicane::cli
