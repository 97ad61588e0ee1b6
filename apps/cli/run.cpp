// SPDX-License-Identifier: Apache-2.0
#include "cli/commands.hpp"
#include "cli/run/job.hpp"
#include "session/prepare.hpp"

namespace chicane::cli {

int run(const RunOptions& options) {
  Diagnostics diag;
  auto prepared = prepare_run(options, diag);
  if (!prepared) return refuse(diag, options.json);
  return Job(options, std::move(*prepared)).go(diag);
}

}  // namespace chicane::cli
