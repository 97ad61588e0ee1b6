// SPDX-License-Identifier: Apache-2.0

// What a session does to itself while it runs: other plans and groups, saved states, branches.
// First everything is made that could fail; then the session takes it.

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "io/checkpoint.hpp"
#include "io/reader/reader.hpp"
#include "language/blueprint.hpp"
#include "session/load.hpp"
#include "session/run.hpp"
#include "simulation/start.hpp"

namespace chicane {
namespace {

// Events have changed step, methods or ratios: what is not asked to change stays as they left it.
void take_over(RunSpec& run, const Plan& planned, const Plan& now, const ModelStructure& s) {
  const Location where{"run", 0, ""};
  if (now.step != planned.step)
    run.step = {fmt::format("{} ps", now.step / (kAtomsPerSecond / 1'000'000'000'000)), where};
  if (now.method.name != planned.method.name) run.method = {now.method.name, where};
  for (const GroupIndex g : now.groups.indices()) {
    const Plan::Group &a = planned.groups[g], &b = now.groups[g];
    const std::string& name = s.groups[g].name;
    auto own = std::find_if(run.groups.begin(), run.groups.end(),
                            [&](const RunGroupSpec& r) { return r.name == name; });
    if (a.ratio == b.ratio && a.method.name == b.method.name) continue;
    if (own == run.groups.end()) own = run.groups.insert(own, {name, where, {}, {}});
    if (a.ratio != b.ratio) own->ratio = {std::to_string(b.ratio), where};
    if (a.method.name != b.method.name) own->method = {b.method.name, where};
  }
}

bool same(const Partition& a, const Partition& b) {
  return a.names == b.names && a.group_of_block == b.group_of_block;
}

Partition partition_of(const Spec& spec) {
  return partition_for(find_scheme(spec.run.scheme.text).value_or(SchemeKind::single_rate), spec);
}

}  // namespace

struct Session::Snapshot::Content {
  std::uint64_t model = 0;
  Spec spec;
  std::shared_ptr<const ModelStructure> structure;
  RunPlan plan;
  State<double> state;
  Plan in_force;  // events may have changed it
  Inputs<double> inputs;
};

// The Spec as `edit` leaves it, compiled and planned as at the start of a run.
template <class Edit>
Result<void> Session::change_spec(Edit&& edit) {
  Prepared& now = run_->prepared;
  Diagnostics diag;
  Spec spec = now.spec;
  take_over(spec.run, now.plan.plan, now.simulation->plan(), *now.structure);
  edit(spec, diag);
  if (diag.ok()) resolve_run_files(spec, diag);
  if (!diag.ok()) return Error::of(diag);

  auto structure = now.structure;
  const bool blocks_moved =
      !std::equal(spec.blocks.begin(), spec.blocks.end(), now.spec.blocks.begin(),
                  [](const BlockSpec& a, const BlockSpec& b) { return a.group == b.group; });
  const bool regroups = blocks_moved || !same(partition_of(spec), partition_of(now.spec)) ||
                        spec.methods.size() != now.spec.methods.size();
  if (regroups)
    structure = now.structure->blueprint->grouped_as(spec)->compile(partition_of(spec), diag);
  auto plan = structure && diag.ok() ? plan_run(spec, *structure, diag) : std::nullopt;
  if (!plan || !diag.ok()) return Error::of(diag);
  plan->signals = now.plan.signals;  // what is being recorded stays
  plan->until = now.plan.until;

  const auto before = now.structure;  // guards look at it until they are replaced
  try {
    if (regroups)
      now.simulation->regroup(structure, plan->plan);
    else
      now.simulation->replan(plan->plan);
  } catch (const UsageError& e) {
    return Error{e.what()};
  }
  now.spec = std::move(spec);
  now.structure = std::move(structure);
  now.plan = std::move(*plan);
  now.fingerprint = fingerprint_of(now.spec);
  if (regroups) run_->follow_groups(*before);
  run_->moved();
  return {};
}

Result<void> Session::change(const std::string& key, const std::string& value) {
  constexpr std::string_view kKeys[] = {"scheme", "method",     "step",    "ratio",   "interp",
                                        "order",  "iterations", "tableau", "startup", "history"};
  if (std::find(std::begin(kKeys), std::end(kKeys), key) == std::end(kKeys))
    return Error{fmt::format("'{}' cannot be changed while a run goes on: only {} can", key,
                             fmt::join(kKeys, ", "))};
  if (value.empty()) return Error{fmt::format("--{}: an empty value", key)};
  return change_spec([&](Spec& spec, Diagnostics& diag) {
    // One for all groups or signals: what was said of single ones is over.
    if (value.find('=') == std::string::npos) {
      if (key == "interp") spec.run.interps.clear();
      for (RunGroupSpec& g : spec.run.groups) {
        if (key == "method") g.method = {};
        if (key == "ratio") g.ratio = {};
      }
    }
    set_run_key(spec.run, key, value, diag);
  });
}

Result<void> Session::move(const std::string& block, const std::string& group) {
  if (group.empty()) return Error{"--group: write BLOCK=GROUP"};
  return change_spec([&](Spec& spec, Diagnostics& diag) {
    put_into_group(spec, block, group, diag);
    // Numbers of a group that is empty now would be faults.
    std::erase_if(spec.run.groups, [&](const RunGroupSpec& g) {
      return std::none_of(spec.blocks.begin(), spec.blocks.end(),
                          [&](const BlockSpec& b) { return b.group == g.name; });
    });
  });
}

Session::Snapshot Session::save() const {
  const Prepared& p = run_->prepared;
  Snapshot out;
  out.content_ = std::make_shared<Snapshot::Content>(
      Snapshot::Content{run_->model, p.spec, p.structure, p.plan, p.simulation->state(),
                        p.simulation->plan(), p.simulation->inputs()});
  return out;
}

Result<void> Session::restore(const Snapshot& snapshot) {
  if (!snapshot.content_) return Error{"an empty snapshot has no state"};
  const Snapshot::Content& from = *snapshot.content_;
  if (from.model != run_->model) return Error{"the snapshot is of another model"};
  Prepared& now = run_->prepared;
  const auto before = now.structure;
  try {
    if (from.structure != now.structure) {
      // Beside, so that a refusal changes nothing.
      Simulation there(from.structure, from.in_force);
      there.restore(from.state, from.in_force);
      now.simulation->regroup(from.structure, from.in_force);
    }
    now.simulation->restore(from.state, from.in_force);
  } catch (const UsageError& e) {
    return Error{e.what()};
  }
  now.simulation->inputs() = from.inputs;
  now.spec = from.spec;
  now.structure = from.structure;
  now.plan = from.plan;
  now.fingerprint = fingerprint_of(now.spec);
  run_->begin_anew();
  return {};
}

Session Session::branch() const {
  const Prepared& p = run_->prepared;
  Prepared copy{p.spec, p.structure, p.plan,
                std::make_unique<Simulation>(p.structure, p.simulation->plan())};
  copy.simulation->restore(p.simulation->state(), p.simulation->plan());
  copy.simulation->inputs() = p.simulation->inputs();
  copy.fingerprint = p.fingerprint;
  Session out(std::move(copy));
  out.run_->model = run_->model;
  return out;
}

std::string Session::checkpoint() const {
  return write_checkpoint(simulation(), run_->prepared.fingerprint);
}

Result<void> Session::restore(std::string_view checkpoint) {
  Prepared& now = run_->prepared;
  Diagnostics diag;
  const auto saved =
      read_checkpoint(checkpoint, "checkpoint", *now.simulation, diag, {now.fingerprint, false});
  if (!saved) return Error::of(diag);
  try {
    // Beside, so that a refusal changes nothing.
    Simulation there(now.structure, saved->plan);
    there.inputs() = now.simulation->inputs();
    there.restore(saved->state, saved->plan);
    if (const std::string misfit = misfit_of_state(there); !misfit.empty())
      return Error{fmt::format("cannot go on from this checkpoint: {}", misfit)};
    now.simulation->restore(saved->state, saved->plan);
  } catch (const UsageError& e) {
    return Error{e.what()};
  }
  run_->begin_anew();
  return {};
}

}  // namespace chicane
