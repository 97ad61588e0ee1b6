// SPDX-License-Identifier: Apache-2.0

// Fourth pass: where every value stands in its group.

#include <algorithm>

#include "language/compile/compiler.hpp"

namespace chicane::compiling {

Slot Compiler::allocate(int g, std::size_t n) {
  const Slot first = at(code_, g).used;
  at(code_, g).used += static_cast<Slot>(n);
  return var(first);
}

void Compiler::lay_out() {
  for (std::size_t g = 0; g < partition_.names.size(); ++g) {
    s_->groups.push_back({.name = partition_.names[g]});
    code_.emplace_back();
  }
  for (int i = 0; i < s_->states.size(); ++i) {
    StateInfo& x = s_->states[StateIndex{i}];
    GroupLayout& g = s_->groups[x.group];
    x.place = static_cast<int>(g.states.size());
    g.states.push_back(StateIndex{i});
    g.limits.push_back(x.limit);
  }
  for (int i = 0; i < s_->memory.size(); ++i)
    s_->groups[s_->memory[MemoryIndex{i}].group].memory.push_back(MemoryIndex{i});
  for (int i = 0; i < s_->events.size(); ++i)
    s_->groups[s_->events[EventIndex{i}].group].events.push_back(EventIndex{i});
  for (Variable& v : variables_) {
    std::string unit = v.unit.empty() ? to_string(v.measure.dimension) : v.unit.text;
    variable_signal_.push_back(
        add_signal({v.name, v.kind, std::move(unit), unit_of(v.unit), v.description,
                    BlockIndex{v.block}, GroupIndex{group_of(v.block)}, 0, v.on_request}));
  }
  for (int g = 0; g < s_->groups.size(); ++g) lay_out_group(g);
  for (InputInfo& i : s_->inputs)
    s_->signals[i.signal].slot = at(input_slot_, 0) + static_cast<Slot>(&i - &*s_->inputs.begin());
  for (std::size_t n = 0; n < natives_.size(); ++n) lay_out_native(static_cast<int>(n));
  note_foreign_reads();
}

void Compiler::lay_out_group(int g) {
  GroupLayout& layout = s_->groups[GroupIndex{g}];
  layout.t = allocate(g);
  layout.x = allocate(g, layout.states.size());
  const Slot dx = allocate(g, layout.states.size());
  for (std::size_t i = 0; i < layout.states.size(); ++i)
    layout.rates.push_back(dx + static_cast<Slot>(i));
  for (std::size_t i = 0; i < layout.states.size(); ++i)
    s_->signals[s_->states[layout.states[i]].signal].slot = layout.x + static_cast<Slot>(i);
  for (const MemoryIndex m : layout.memory)
    s_->memory[m].value = s_->signals[s_->memory[m].signal].slot = allocate(g);
  for (const MemoryIndex m : layout.memory) s_->memory[m].next = allocate(g);
  layout.inputs = allocate(g, static_cast<std::size_t>(s_->inputs.size()));
  input_slot_.push_back(layout.inputs);
  for (std::size_t i = 0; i < variables_.size(); ++i)
    if (group_of(variables_[i].block) == g) s_->signals[variable_signal_[i]].slot = allocate(g);
}

// The states, memory and outputs of one block stand side by side because they were declared so.
void Compiler::lay_out_native(int n) {
  const Native& native = at(natives_, n);
  const BlockSpec& b = at(spec_.blocks, native.block);
  const int g = group_of(native.block);
  NativePlace place;
  place.kind = b.native;
  place.group = GroupIndex{g};
  place.np = static_cast<std::uint32_t>(native.info.parameters.size());
  place.nx = static_cast<std::uint32_t>(native.info.states.size());
  place.nz = static_cast<std::uint32_t>(native.info.memory.size());
  place.ny = static_cast<std::uint32_t>(native.info.outputs.size());
  place.nscratch = static_cast<std::uint32_t>(native.info.scratch);
  const auto first = [&](const auto& list) {
    return symbols_.at(name_in(b, list.front().name)).index;
  };
  if (place.nx > 0) {
    const StateInfo& x = s_->states[StateIndex{first(native.info.states)}];
    place.x = s_->groups[GroupIndex{g}].x + static_cast<Slot>(x.place);
    place.dx = at(s_->groups[GroupIndex{g}].rates, x.place);
    if (std::any_of(native.info.tasks.begin(), native.info.tasks.end(),
                    [](const TaskInfo& t) { return t.completes; }))
      s_->groups[GroupIndex{g}].completed.emplace_back(x.place, static_cast<int>(place.nx));
  }
  if (place.nz > 0) {
    const MemoryInfo& z = s_->memory[MemoryIndex{first(native.info.memory)}];
    place.z = z.value;
    place.z_next = z.next;
  }
  if (place.ny > 0) place.y = s_->signals[at(variable_signal_, first(native.info.outputs))].slot;
  for (const BundleInfo& bundle : native.info.gives) {
    const std::string& port = at(native.info.outputs, bundle.first).name;
    s_->bundles.push_back({bundle.kind, name_in(b, bundle.name),
                           at(variable_signal_, symbols_.at(name_in(b, port)).index)});
  }
  place.scratch = allocate(g, place.nscratch);
  s_->blocks[BlockIndex{native.block}].native = n;
  s_->natives.push_back(std::move(place));
}

// The signal behind a symbol that lives in a group; invalid for parameters and inputs.
SignalIndex Compiler::signal_of(const Symbol& symbol) const {
  switch (symbol.kind) {
    case Symbol::Kind::state:
      return s_->states[StateIndex{symbol.index}].signal;
    case Symbol::Kind::memory:
      return s_->memory[MemoryIndex{symbol.index}].signal;
    case Symbol::Kind::variable: {
      const int item = at(variables_, symbol.index).item;
      if (item >= 0 && at(items_, item).constant) return {};
      return at(variable_signal_, symbol.index);
    }
    default:
      return {};
  }
}

void Compiler::note_foreign_reads() {
  for_each_expression([&](const Expression& e, int g, int block) {
    for (const Node& node : e.nodes) {
      if (node.kind == Node::Kind::derivative &&
          s_->states[StateIndex{symbols_.at(node.name).index}].group.value != g)
        diag_.error(e.source.where, "der({}) is known only in the group of '{}'", node.name,
                    node.name);
      if (node.kind != Node::Kind::name || node.name == "t") continue;
      const SignalIndex signal = signal_of(symbols_.at(node.name));
      if (!signal.valid()) continue;
      const SignalInfo& info = s_->signals[signal];
      if (block >= 0 && info.block.value != block && info.block.valid()) {
        auto& reads = s_->blocks[BlockIndex{block}].reads;
        if (std::find(reads.begin(), reads.end(), info.name) == reads.end())
          reads.push_back(info.name);
      }
      if (info.group.value == g || at(code_, g).u.count(signal.value) != 0) continue;
      at(code_, g).u.emplace(signal.value, 0);
      auto& publishes = s_->groups[info.group].publishes;
      if (std::find(publishes.begin(), publishes.end(), signal) == publishes.end())
        publishes.push_back(signal);
    }
  });
  for (int g = 0; g < s_->groups.size(); ++g) {
    GroupLayout& layout = s_->groups[GroupIndex{g}];
    layout.u = allocate(g, at(code_, g).u.size());
    Slot next = layout.u;
    for (auto& [signal, slot] : at(code_, g).u) {
      slot = next++;
      const SignalIndex read{signal};
      const GroupIndex from = s_->signals[read].group;
      const auto& published = s_->groups[from].publishes;
      const auto place = std::find(published.begin(), published.end(), read) - published.begin();
      layout.reads.push_back(read);
      layout.sources.push_back({from, static_cast<int>(place)});
    }
    for (const SignalIndex signal : layout.publishes) {
      layout.published_states.push_back(-1);
      for (const StateIndex x : layout.states)
        if (s_->states[x].signal == signal) layout.published_states.back() = s_->states[x].place;
    }
  }
}

}  // namespace chicane::compiling
