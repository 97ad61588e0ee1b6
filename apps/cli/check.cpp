// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "assembly/assemble.hpp"
#include "blocks/mechanism/describe.hpp"
#include "cli/advice.hpp"
#include "cli/commands.hpp"
#include "cli/json.hpp"
#include "cli/judge.hpp"
#include "cli/say.hpp"
#include "cli/shared.hpp"

namespace chicane::cli {
namespace {

std::string size_of(const Spec& spec, const ModelStructure& s) {
  if (!spec.mechanism || spec.vehicle)
    return fmt::format("{} ODE states, {} memory, {} signals, {} events", s.states.size(),
                       s.memory.size(), s.signals.size(), s.events.size());
  Diagnostics said;  // what there is to say of the mechanism is in the others already
  const auto m = compile_mechanism(spec, said);
  return fmt::format("{}, {}, {}, {}", counted(m->bodies.size(), "body", "bodies"),
                     counted(m->joint_names.size(), "joint", "joints"),
                     counted(m->forces.size(), "force", "forces"),
                     counted(static_cast<std::size_t>(m->freedoms), "freedom", "freedoms"));
}

}  // namespace

int check(const RunOptions& options) {
  Diagnostics diag;
  auto run = prepare_run(options, diag);
  if (!run) return refuse(diag, options.json);
  const auto structure = run->structure;
  const Spec spec = run->spec;
  const Judgement found = judge(std::move(*run));
  const bool good = found.reason.empty();
  say("{}", diag.text());
  for (const RunWarning& w : found.warnings) say("{}\n", in_words(w));
  if (!good) say("{}\n", found.reason);

  Json warnings = to_json(diag.all());
  for (const RunWarning& w : found.warnings) warnings.push_back(to_json(w));
  Json out = {{"status", good ? "ok" : found.reason},
              {"model", structure->name},
              {"warnings", warnings},
              {"judged", {{"until", found.until}, {"of", found.end}, {"frames", found.frames}}}};
  if (found.culprit) out["mode"] = to_json(*found.culprit);
  show(out, options.json, [&] {
    if (good)
      fmt::print("{}: no faults ({})\n  judged along its run to t = {:.6g} s of {:.6g} s\n",
                 structure->name, size_of(spec, *structure), found.until, found.end);
  });
  return good ? kOk : kRunFailed;
}

}  // namespace chicane::cli
