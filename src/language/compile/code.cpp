// SPDX-License-Identifier: Apache-2.0

// Last pass: code, schedules and final addresses.

#include <algorithm>
#include <map>
#include <set>

#include "language/compile/compiler.hpp"
#include "language/compile/condition.hpp"

namespace chicane::compiling {

namespace {

// 'a', 'b', 'c' and 7 more
std::string first_of(const std::vector<std::string>& names) {
  constexpr std::size_t kFew = 3;
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), kFew); ++i)
    text += fmt::format("{}'{}'", i > 0 ? ", " : "", names[i]);
  if (names.size() > kFew) text += fmt::format(" and {} more", names.size() - kFew);
  return text;
}

}  // namespace

// All items of group g that `roots` need, roots included, and not yet taken.
std::vector<int> Compiler::closure(int g, const std::vector<int>& roots,
                                   std::vector<bool>& taken) const {
  std::vector<bool> wanted(items_.size(), false);
  std::vector<int> stack = roots;
  while (!stack.empty()) {
    const int i = stack.back();
    stack.pop_back();
    if (i < 0 || wanted[static_cast<std::size_t>(i)] || at(items_, i).group != g) continue;
    wanted[static_cast<std::size_t>(i)] = true;
    for (const int need : at(items_, i).needs) stack.push_back(need);
  }
  std::vector<int> list;
  for (const int i : order_) {
    const auto k = static_cast<std::size_t>(i);
    if (!wanted[k] || taken[k] || items_[k].constant) continue;
    taken[k] = true;
    list.push_back(i);
  }
  return list;
}

void Compiler::generate() {
  coder_.emplace(
      s_->code, s_->constants, [this](const Node& node) { return leaf(node); },
      [this](const Expression& e, const Node& node) { return is_constant(e, node); },
      [this](const Node& node) {
        return static_cast<Slot>(table_place_[table_of_.at(node.name)]);
      });
  for (Native& n : natives_) {  // side by side, as the block wants to see them
    n.p = static_cast<Slot>(s_->constants.size());
    for (const int p : n.parameters) {
      const Slot slot = coder_->new_constant();
      if (p >= 0) s_->parameters[ParameterIndex{p}].slot = slot;
    }
  }
  for (ParameterInfo& p : s_->parameters)
    if (p.slot == kNowhere) p.slot = coder_->new_constant();
  for (const int i : order_) {  // constants, in an order in which they can be computed
    const Item& item = at(items_, i);
    if (!item.constant) continue;
    const Slot k = coder_->constant(*item.e);
    constant_slot_[item.index] = k;
    s_->signals[at(variable_signal_, item.index)].slot = k;
  }
  for (const Native& n : natives_)
    for (std::size_t i = 0; i < n.formulas.size(); ++i)
      if (n.formulas[i])
        coder_->assign_constant(Codegen::encode(Codegen::kConstant, n.p + static_cast<Slot>(i)),
                                *n.formulas[i]);
  for (int g = 0; g < s_->groups.size(); ++g) generate_group(g);
  generate_initial();
  generate_summary();
}

// Where the value of a name stands, in the group being generated (or in the initial calculation).
Slot Compiler::leaf(const Node& node) {
  if (group_ == kSummary) return summary_leaf(node);
  if (node.kind == Node::Kind::derivative) {
    const StateInfo& x = s_->states[StateIndex{symbols_.at(node.name).index}];
    return at(s_->groups[x.group].rates, x.place);
  }
  if (node.name == "t") return s_->groups[GroupIndex{group_}].t;
  const Symbol& symbol = symbols_.at(node.name);
  if (symbol.kind == Symbol::Kind::parameter)
    return s_->parameters[ParameterIndex{symbol.index}].slot;
  if (symbol.kind == Symbol::Kind::variable) {
    if (const auto it = constant_slot_.find(symbol.index); it != constant_slot_.end())
      return it->second;
  }
  if (group_ == kInitial) return initial_leaf(symbol);
  if (symbol.kind == Symbol::Kind::input)
    return at(input_slot_, group_) + static_cast<Slot>(symbol.index);
  const SignalIndex signal = signal_of(symbol);
  const SignalInfo& info = s_->signals[signal];
  return info.group.value == group_ ? info.slot : at(code_, group_).u.at(signal.value);
}

Slot Compiler::initial_leaf(const Symbol& symbol) const {
  if (symbol.kind == Symbol::Kind::state) return var(static_cast<Slot>(symbol.index));
  if (symbol.kind == Symbol::Kind::memory)
    return var(static_cast<Slot>(s_->states.size() + symbol.index));
  return kNowhere;
}

void Compiler::emit_item(int i) {
  const Item& item = at(items_, i);
  const auto begin = static_cast<std::uint32_t>(s_->code.size());
  if (item.kind == Item::Kind::task) {
    calls_[i] = {item.index, item.task, s_->groups[GroupIndex{item.group}].t, 0};
    const Native& native = at(natives_, item.index);
    auto& wires = at(s_->natives, item.index).wires;
    wires.resize(native.wires.size());  // an input that no task reads stays unconnected
    for (const int u : at(native.info.tasks, item.task).reads)
      at(wires, u) = static_cast<int>(leaf(at(native.wires, u)->root()));
    return;
  }
  Slot to = 0;
  if (item.kind == Item::Kind::rate) {
    const StateInfo& x = s_->states[StateIndex{item.index}];
    to = at(s_->groups[x.group].rates, x.place);
    if (item.e->root().kind == Node::Kind::name && !item.full_only) {  // x' = v needs no code
      at(s_->groups[x.group].rates, x.place) = leaf(item.e->root());
      calls_[i] = {-1, -1, begin, begin};
      return;
    }
  } else if (item.kind == Item::Kind::next) {
    to = s_->memory[MemoryIndex{item.index}].next;
  } else {
    to = s_->signals[at(variable_signal_, item.index)].slot;
  }
  coder_->assign(to, *item.e);
  calls_[i] = {-1, -1, begin, static_cast<std::uint32_t>(s_->code.size())};
}

void Compiler::append(Schedule& schedule, const Call& call) {
  if (call.block < 0 && call.begin == call.end) return;
  if (call.block < 0 && !schedule.empty() && schedule.back().block < 0 &&
      schedule.back().end == call.begin)
    schedule.back().end = call.end;
  else
    schedule.push_back(call);
}

Schedule Compiler::emitted(const std::vector<int>& items) {
  Schedule schedule;
  for (const int i : items) {
    emit_item(i);
    append(schedule, calls_[i]);
  }
  return schedule;
}

Schedule Compiler::inner(const std::vector<int>& items) const {
  Schedule schedule;
  for (const int i : items)
    if (!at(items_, i).full_only) append(schedule, calls_.at(i));
  return schedule;
}

void Compiler::generate_group(int g) {
  group_ = g;
  GroupLayout& layout = s_->groups[GroupIndex{g}];
  std::vector<bool> taken(items_.size(), false);
  std::vector<int> published, rates, every, accept, watched, rest;
  for (const SignalIndex signal : layout.publishes)
    for (std::size_t v = 0; v < variables_.size(); ++v)
      if (variable_signal_[v] == signal) published.push_back(variables_[v].item);
  for (const StateIndex x : layout.states)
    if (std::find(layout.publishes.begin(), layout.publishes.end(), s_->states[x].signal) !=
        layout.publishes.end())
      published.push_back(at(completing_item_, x.value));
  for (const StateIndex x : layout.states) rates.push_back(at(rate_item_, x.value));
  for (const MemoryIndex m : layout.memory)
    (s_->memory[m].every_evaluation ? every : accept).push_back(at(next_item_, m.value));
  for (std::size_t e = 0; e < events_.size(); ++e) {
    if (events_[e].group != g) continue;
    collect(*events_[e].when, accept);
    for (const auto& action : events_[e].settings)
      for (const auto& s : action) collect(*s->e, accept);
  }
  for (const Metric& m : metrics_) collect(*m.value, watched);
  for (std::size_t i = 0; i < items_.size(); ++i)
    if (items_[i].group == g &&
        (items_[i].kind == Item::Kind::variable || items_[i].kind == Item::Kind::task))
      rest.push_back(static_cast<int>(i));
  check_feed_through(g, published);

  const std::vector<int> first = closure(g, published, taken);
  layout.outputs = emitted(first);
  layout.outputs_inner = inner(first);
  const std::vector<int> second = closure(g, rates, taken);
  layout.derivative = emitted(second);
  layout.derivative_inner = inner(second);
  layout.every = emitted(closure(g, every, taken));
  layout.accept = emitted(closure(g, accept, taken));
  for (std::size_t e = 0; e < events_.size(); ++e)
    if (events_[e].group == g) generate_event(static_cast<int>(e), layout);
  layout.watch = emitted(closure(g, watched, taken));
  layout.report = emitted(closure(g, rest, taken));
  layout.size = coder_->temporaries();
  coder_->reset_temporaries();
}

// A slow group is advanced before its faster neighbours: what it publishes may not need them.
void Compiler::check_feed_through(int g, const std::vector<int>& published) {
  std::vector<bool> taken(items_.size(), false);
  for (const int root : published) {
    if (root < 0) continue;
    std::map<GroupIndex, std::vector<std::string>> needed;  // signals of faster groups
    for (const int i : closure(g, {root}, taken))
      for (const Expression* e : expressions_of(at(items_, i)))
        for (const Node& node : e->nodes) {
          if (node.kind != Node::Kind::name || node.name == "t") continue;
          const SignalIndex signal = signal_of(symbols_.at(node.name));
          if (!signal.valid() || s_->signals[signal].group.value <= g) continue;
          std::vector<std::string>& names = needed[s_->signals[signal].group];
          if (std::find(names.begin(), names.end(), node.name) == names.end())
            names.push_back(node.name);
        }
    for (const auto& [group, names] : needed)
      diag_.error(
          place_of(at(items_, root)),
          "'{}' of group '{}' is read by other groups, but needs {} of the faster group '{}' at "
          "the same instant; move one of them, or put a state or a memory between them",
          name_of(at(items_, root)), s_->groups[GroupIndex{g}].name, first_of(names),
          s_->groups[group].name);
  }
}

std::vector<const Expression*> Compiler::expressions_of(const Item& item) const {
  std::vector<const Expression*> list;
  if (item.e) list.push_back(&*item.e);
  if (item.kind == Item::Kind::task)
    for (const int u : at(at(natives_, item.index).info.tasks, item.task).reads)
      list.push_back(&*at(at(natives_, item.index).wires, u));
  return list;
}

void Compiler::generate_event(int e, GroupLayout& layout) {
  EventInfo& info = s_->events[EventIndex{e}];
  info.condition = allocate(group_);
  append(layout.accept,
         coded([&] { coder_->assign(info.condition, three_valued(*at(events_, e).when)); }));
  for (std::size_t a = 0; a < info.actions.size(); ++a) {
    for (const auto& s : at(events_, e).settings[a]) {
      ActionInfo::Target target = s->target;
      target.from = allocate(group_);
      append(action_code(e, a), coded([&] { coder_->assign(target.from, *s->e); }));
      info.actions[a].targets.push_back(target);
    }
  }
}

void Compiler::generate_initial() {
  group_ = kInitial;
  const auto n = static_cast<Slot>(s_->states.size() + s_->memory.size());
  for (const auto& setting : initial_) {
    for (const Node& node : setting->e->nodes)
      if (node.kind == Node::Kind::name && leaf(node) == kNowhere) {
        diag_.error(setting->e->source.where,
                    "'{}' is computed during the run; initial values can use parameters, "
                    "constants, states "
                    "and memory",
                    node.name);
        return;
      }
    InitialInfo info{setting->target, {}};
    info.target.from = var(n);
    append(info.code, coded([&] { coder_->assign(info.target.from, *setting->e); }));
    s_->initial.push_back(std::move(info));
  }
  initial_temporaries_ = coder_->temporaries();
}

// Slots have so far been (region, index); now the regions get their places.
void Compiler::finish() {
  const auto k = static_cast<Slot>(s_->constants.size());
  // Code of the derived constants was gathered apart; it goes to the end.
  const auto begin = static_cast<std::uint32_t>(s_->code.size());
  for (const Instruction& i : coder_->prepare_code()) s_->code.push_back(i);
  append(s_->prepare, {-1, -1, begin, static_cast<std::uint32_t>(s_->code.size())});
  place_code({begin, static_cast<std::uint32_t>(s_->code.size())}, k, 0);

  for (int g = 0; g < s_->groups.size(); ++g) finish_group(g);
  const auto n = static_cast<Slot>(s_->states.size() + s_->memory.size());
  s_->initial_states = k;
  s_->initial_memory = k + static_cast<Slot>(s_->states.size());
  s_->initial_size = k + n + 1 + initial_temporaries_;
  for (InitialInfo& i : s_->initial) {
    i.target.from = Codegen::place(i.target.from, k, k + n + 1);
    for (const Call& c : i.code) place_code({c.begin, c.end}, k, k + n + 1);
  }
  for (SignalInfo& signal : s_->signals) signal.slot = Codegen::place(signal.slot, k, 0);
  for (MemoryInfo& m : s_->memory) {
    m.value = Codegen::place(m.value, k, 0);
    m.next = Codegen::place(m.next, k, 0);
  }
  for (EventInfo& e : s_->events) {
    e.condition = Codegen::place(e.condition, k, 0);
    for (ActionInfo& a : e.actions)
      for (ActionInfo::Target& t : a.targets) t.from = Codegen::place(t.from, k, 0);
  }
  finish_summary();
  separate_functions();
  for (std::size_t i = 0; i < natives_.size(); ++i) s_->natives[i].p = natives_[i].p;
  for (NativePlace& p : s_->natives) {
    for (Slot* slot : {&p.x, &p.dx, &p.z, &p.z_next, &p.y, &p.scratch})
      *slot = Codegen::place(*slot, k, 0);
    for (int& wire : p.wires)
      wire = static_cast<int>(Codegen::place(static_cast<Slot>(wire), k, 0));
  }
}

// Splits every stretch of code into arithmetic and functions.
void Compiler::separate_functions() {
  const auto split = [&](Schedule& schedule) {
    Schedule parts;
    for (const Call& call : schedule) {
      if (call.block >= 0) {
        parts.push_back(call);
        continue;
      }
      for (std::uint32_t i = call.begin; i < call.end; ++i) {
        const int kind = is_function(s_->code[i].op) ? Call::kFunctions : Call::kArithmetic;
        if (i > call.begin && parts.back().block == kind)
          parts.back().end = i + 1;
        else
          parts.push_back({kind, -1, i, i + 1});
      }
    }
    schedule = std::move(parts);
  };
  for (GroupLayout& g : s_->groups)
    for (Schedule* schedule : {&g.outputs, &g.outputs_inner, &g.derivative, &g.derivative_inner,
                               &g.every, &g.accept, &g.watch, &g.report})
      split(*schedule);
  for (EventInfo& e : s_->events)
    for (ActionInfo& a : e.actions) split(a.code);
  for (InitialInfo& i : s_->initial) split(i.code);
  split(s_->prepare);
  for (MetricInfo& m : s_->summary.metrics) split(m.code);
  split(s_->summary.watch);
  split(s_->summary.finish);
}

void Compiler::finish_group(int g) {
  const auto k = static_cast<Slot>(s_->constants.size());
  GroupLayout& layout = s_->groups[GroupIndex{g}];
  const Slot temporaries = k + at(code_, g).used;
  layout.size += temporaries;
  for (Slot* slot : {&layout.t, &layout.x, &layout.inputs, &layout.u})
    *slot = Codegen::place(*slot, k, 0);
  for (Slot& slot : layout.rates) slot = Codegen::place(slot, k, 0);
  std::set<std::pair<std::uint32_t, std::uint32_t>> ranges;
  const auto gather = [&](Schedule& schedule) {
    for (Call& c : schedule) {
      if (c.block < 0)
        ranges.emplace(c.begin, c.end);
      else
        c.begin = Codegen::place(c.begin, k, 0);
    }
  };
  for (Schedule* schedule : {&layout.outputs, &layout.derivative, &layout.every, &layout.accept,
                             &layout.watch, &layout.report})
    gather(*schedule);
  for (const EventIndex e : layout.events)
    for (ActionInfo& a : s_->events[e].actions) gather(a.code);
  for (const auto& range : ranges) place_code(range, k, temporaries);
  for (Schedule* schedule : {&layout.outputs_inner, &layout.derivative_inner})
    for (Call& c : *schedule)
      if (c.block >= 0) c.begin = Codegen::place(c.begin, k, 0);
}

void Compiler::place_code(std::pair<std::uint32_t, std::uint32_t> range, Slot variables,
                          Slot temporaries) {
  for (std::uint32_t i = range.first; i < range.second; ++i) {
    Instruction& in = s_->code[i];
    in.to = Codegen::place(in.to, variables, temporaries);
    in.a = Codegen::place(in.a, variables, temporaries);
    in.b = Codegen::place(in.b, variables, temporaries);
    in.d = Codegen::place(in.d, variables, temporaries);
    if (in.op != Op::table1 && in.op != Op::table2)
      in.c = Codegen::place(in.c, variables, temporaries);
  }
}

}  // namespace chicane::compiling
