#include "cli/commands.hpp"
#include "cli/run/job.hpp"

namespace chicane::cli {

int run(const RunOptions& options) {
  Diagnostics diag;
  auto spec = load(options, diag);
  const auto structure = spec ? compile_for_run(*spec, diag) : nullptr;
  auto plan = structure ? plan_run(*spec, *structure, diag) : std::nullopt;
  if (!plan) return refuse(diag, options.json);
  return Job(options, std::move(*spec), structure, std::move(*plan)).go(diag);
}

}  // namespace chicane::cli
