// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/commands.hpp"
#include "cli/run/report.hpp"
#include "cli/run/rows.hpp"
#include "io/checkpoint.hpp"
#include "io/files.hpp"
#include "io/run_directory.hpp"
#include "session/prepare.hpp"
#include "session/session.hpp"

namespace chicane::cli {

// A run from its Spec to its directory.
class Job {
 public:
  Job(const RunOptions& options, Prepared prepared);

  // Gives the exit code; `diag` has the warnings about the model.
  int go(Diagnostics& diag);

 private:
  static constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();

  template <class... Args>
  void log(fmt::format_string<Args...> text, Args&&... args) {
    write_log(fmt::format(text, std::forward<Args>(args)...));
  }
  void write_log(const std::string& line);

  bool open_directory(Diagnostics& diag);
  void carry_out(const Diagnostics& diag);
  [[nodiscard]] std::vector<std::pair<std::string, std::string>> attributes() const;
  [[nodiscard]] std::string echo() const;
  void advance();
  void warn(RunWarning warning);
  void pass_on_warnings();
  void save_checkpoint();
  void save_checkpoint_if_due();
  void note_events();
  void explain();
  void fail(const std::string& reason);
  void interrupt(const std::string& what);
  void plot(const std::vector<Column>& columns);
  void compare_with_half_the_step();
  int tell();

  const RunOptions& options_;
  const std::string resumed_from_;             // the checkpoint's text, if there is one
  const std::vector<std::string> changes_;     // what differs from its model
  const std::int64_t checkpoint_every_;        // [atoms] 0: never
  std::optional<std::int64_t> checkpoint_at_;  // [atoms]
  Session session_;
  Simulation& simulation_ = session_.simulation();
  RunReport report_;
  std::unique_ptr<RunDirectory> directory_;
  std::unique_ptr<RowWriter> writer_;
  ColumnPairs pairs_;  // of the picture
  std::optional<LineFile> log_;
  std::int64_t next_checkpoint_ = kNever;  // [atoms]
  std::vector<std::int64_t> fired_;
  std::size_t warned_ = 0;  // of the session's warnings
  bool doubted_ = false;
};

}  // namespace chicane::cli
