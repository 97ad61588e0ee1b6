// SPDX-License-Identifier: Apache-2.0

// Spec -> ModelStructure.

#include <algorithm>

#include "language/blueprint.hpp"
#include "language/compile/compiler.hpp"

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

SignalIndex ModelStructure::find_signal(std::string_view name_of) const {
  for (int i = 0; i < signals.size(); ++i)
    if (signals[SignalIndex{i}].name == name_of) return SignalIndex{i};
  return {};
}

const Method* ModelStructure::find_method(std::string_view name_of) const {
  for (const Method& m : methods)
    if (m.name == name_of) return &m;
  return chicane::find_method(name_of);
}

std::shared_ptr<const ModelStructure> Blueprint::compile(const Partition& partition,
                                                         Diagnostics& diag) const {
  auto structure = compiling::Compiler(spec_, partition, diag).run();
  if (!structure) return nullptr;
  structure->start = start_;
  structure->blueprint = shared_from_this();
  return structure;
}

std::shared_ptr<const Blueprint> Blueprint::grouped_as(const Spec& like) const {
  Spec spec = spec_;
  for (BlockSpec& b : spec.blocks)
    for (const BlockSpec& l : like.blocks)
      if (l.name == b.name) b.group = l.group;
  spec.methods = like.methods;
  spec.pairs = like.pairs;
  return of(std::move(spec), start_);
}

std::shared_ptr<const ModelStructure> all_together(
    const std::shared_ptr<const ModelStructure>& structure) {
  if (structure->groups.size() == 1) return structure;
  Diagnostics diag;
  const Blueprint& blueprint = *structure->blueprint;
  return blueprint.compile(Partition::together(blueprint.spec()), diag);
}

namespace compiling {

std::shared_ptr<ModelStructure> Compiler::run() {
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
