// Spec -> Structure.

#include <algorithm>

#include "system/compile/compiler.hpp"
#include "system/mechanism/block.hpp"
#include "system/mechanism/describe.hpp"
#include "system/vehicle/settle.hpp"

namespace chicane {

Partition Partition::together(const Spec& spec) {
  return {{"all"}, std::vector<int>(spec.blocks.size(), 0)};
}

Partition Partition::as_written(const Spec& spec) {
  Partition p;
  for (const BlockSpec& b : spec.blocks) {
    const auto it = std::find(p.names.begin(), p.names.end(), b.group);
    p.group_of_block.push_back(static_cast<int>(it - p.names.begin()));
    if (it == p.names.end()) p.names.push_back(b.group);
  }
  if (p.names.empty()) p.names.emplace_back("all");
  return p;
}

SignalIndex Structure::find_signal(std::string_view name_of) const {
  for (int i = 0; i < signals.size(); ++i)
    if (signals[SignalIndex{i}].name == name_of) return SignalIndex{i};
  return {};
}

const Method* Structure::find_method(std::string_view name_of) const {
  for (const Method& m : methods)
    if (m.name == name_of) return &m;
  return chicane::find_method(name_of);
}

namespace {

// A vehicle starts as it would go on, whatever its groups: the motion is found with all of them
// together.
std::shared_ptr<const Structure> settled(std::shared_ptr<Structure> structure, const Spec& spec,
                                         const VehicleStart& start, Diagnostics& diag) {
  std::shared_ptr<const Structure> together = structure;
  if (structure->groups.size() > 1) {
    Diagnostics said;
    together = compiling::Compiler(spec, Partition::together(spec), said).run();
  }
  structure->start = settle(together, start, diag);
  return structure->start ? structure : nullptr;
}

}  // namespace

std::shared_ptr<const Structure> compile(const Spec& spec, const Partition& partition,
                                         Diagnostics& diag) {
  if (!diag.ok()) return nullptr;
  if (has_mechanism(spec)) {
    VehicleStart start;
    const auto own = with_native_blocks(spec, diag, &start);
    if (!own) return nullptr;
    auto structure = compiling::Compiler(*own, partition, diag).run();
    return structure && start.settled ? settled(std::move(structure), *own, start, diag)
                                      : structure;
  }
  return compiling::Compiler(spec, partition, diag).run();
}

namespace compiling {

std::shared_ptr<Structure> Compiler::run() {
  declare();
  parse();
  if (!diag_.ok()) return nullptr;
  order();
  if (!diag_.ok()) return nullptr;
  mark_constants();
  measure();
  if (!diag_.ok()) return nullptr;
  lay_out();
  generate();
  if (!diag_.ok()) return nullptr;
  finish();
  return s_;
}

}  // namespace compiling
}  // namespace chicane
