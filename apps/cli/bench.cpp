// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>

#include "analysis/costs.hpp"
#include "cli/commands.hpp"
#include "cli/json.hpp"
#include "cli/say.hpp"
#include "cli/shared.hpp"
#include "session/prepare.hpp"

namespace chicane::cli {
namespace {

constexpr double kShare = 0.3;  // of the run: where blocks are evaluated

struct Costs {
  std::string model, scheme;
  double step = 0, frame_us = 0, at = 0;
  std::vector<BlockCost> blocks;

  [[nodiscard]] double speedup() const { return 1e6 * step / frame_us; }
};

Json rows(const Costs& c) {
  Json all = Json::array();
  const auto add = [&](const std::string& name, double value, const char* unit) {
    all.push_back({{"name", name}, {"value", value}, {"unit", unit}});
  };
  add("frame", c.frame_us, "us");
  add("speedup", c.speedup(), "1");
  for (const BlockCost& b : c.blocks) add("block." + b.block, b.us, "us");
  return all;
}

void print(const Costs& c) {
  fmt::print("{}: {}\n", c.model, c.scheme);
  fmt::print("  frame of {:.4g} s   {:.2f} us, {:.4g} times real time\n", c.step, c.frame_us,
             c.speedup());
  fmt::print("\n  one evaluation of each block, by itself, at t = {:.4g} s\n", c.at);
  double sum = 0;
  for (const BlockCost& b : c.blocks) {
    fmt::print("  {:<16} {:8.3f} us\n", b.block, b.us);
    sum += b.us;
  }
  fmt::print("  {:<16} {:8.3f} us\n", "sum", sum);
}

}  // namespace

int bench(const RunOptions& options) {
  Diagnostics diag;
  const auto run = prepare(options, diag);
  if (run) refuse_reference(run->spec, diag);
  if (!run || !diag.ok()) return refuse(diag, options.json);
  say("{}", diag.text());
  const auto& structure = run->structure;
  const RunPlan* plan = &run->plan;

  Costs c{.model = structure->name, .scheme = how(plan->plan, *structure)};
  c.step = seconds(plan->plan.step);
  c.frame_us = frame_cost(structure, plan->plan, seconds(plan->until), cpu_seconds);
  c.at = kShare * seconds(plan->until);
  c.blocks = block_costs(structure, plan->plan, c.at, cpu_seconds);
  if (!std::isfinite(c.frame_us) || c.blocks.empty()) {
    diag.error({"--until", 0, ""},
               "the run fails, or is shorter than 20 frames: see what `run` says of it");
    refuse(diag, options.json);
    return kRunFailed;
  }
  const Json found{
      {"model", c.model}, {"scheme", c.scheme}, {"step", c.step}, {"at", c.at}, {"rows", rows(c)}};
  show(found, options.json, [&] { print(c); });
  return kOk;
}

}  // namespace chicane::cli
