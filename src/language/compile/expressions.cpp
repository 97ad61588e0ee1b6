// SPDX-License-Identifier: Apache-2.0

// Second pass: expressions are parsed and their names resolved.

#include <algorithm>

#include "core/time_base.hpp"
#include "language/compile/compiler.hpp"

namespace chicane::compiling {

using dimensions::kTime;

// A name can feed an input as it stands; anything else is computed first.
bool Compiler::is_wire(const Native& native, std::size_t input) {
  if (const Expression* e = native.handles[input])
    return e->nodes.size() == 1 && e->root().kind == Node::Kind::name;
  const std::string& text = native.texts[input]->text;
  return text == "t" || (is_name(text) && !is_reserved(text));
}

// What feeds an input: handles are the symbols of their signals, formulas of a file are parsed.
std::optional<Expression> Compiler::fed(const Native& native, std::size_t input) {
  if (native.handles[input] == nullptr) return parsed(*native.texts[input]);
  Expression e = *native.handles[input];
  bool good = true;
  for (Node& node : e.nodes) {
    if (node.kind != Node::Kind::name) continue;
    if (node.signal.block >= 0) node.name = name_of(node.signal);
    good &= resolve(e, node) != nullptr;
  }
  if (e.nodes.size() == 1) e.source.text = e.root().name;
  return good ? std::optional(std::move(e)) : std::nullopt;
}

std::string Compiler::name_of(const SignalHandle& signal) const {
  const auto native = std::find_if(natives_.begin(), natives_.end(),
                                   [&](const Native& n) { return n.block == signal.block; });
  require(native != natives_.end(), "a handle is of a block that was made");
  const BlockInfo& info = native->info;
  const auto named = [&](const auto& list) {
    return name_in(at(spec_.blocks, signal.block), at(list, signal.place).name);
  };
  return signal.of == SignalHandle::Of::output  ? named(info.outputs)
         : signal.of == SignalHandle::Of::state ? named(info.states)
                                                : named(info.memory);
}

const Symbol* Compiler::resolve(const Expression& e, const Node& node) {
  const auto it = symbols_.find(node.name);
  if (it != symbols_.end()) {
    used_.insert(node.name);
    return &it->second;
  }
  std::vector<std::string_view> known{"t", "pi"};
  for (const auto& [name, symbol] : symbols_) known.push_back(name);
  diag_.error(e.source.where, "unknown name '{}'{} ({})", node.name, did_you_mean(node.name, known),
              at_column(e.source, node.column));
  return nullptr;
}

// Parses, and sees that every name means something that is known there.
std::optional<Expression> Compiler::parsed(const Text& text, Where where) {
  auto e = parse_expression(text, diag_);
  if (!e) return e;
  bool good = true;
  for (const Node& node : e->nodes) {
    if (node.kind == Node::Kind::table) good &= known_table(*e, node);
    if (node.kind == Node::Kind::name && node.name == "t") {
      if (where == Where::before) {
        diag_.error(text.where, "there is no time before the run; use parameters and states");
        good = false;
      }
      continue;
    }
    if (node.kind != Node::Kind::name && node.kind != Node::Kind::derivative) continue;
    const Symbol* symbol = resolve(*e, node);
    good &= symbol != nullptr;
    if (symbol == nullptr) continue;
    if (symbol->kind == Symbol::Kind::metric) {
      good &= knows_metric(text, node, *symbol);
      continue;
    }
    if (node.kind == Node::Kind::derivative && symbol->kind != Symbol::Kind::state) {
      diag_.error(text.where, "der({0}): '{0}' is not a state", node.name);
      good = false;
    }
    if (where == Where::before &&
        (node.kind == Node::Kind::derivative || symbol->kind == Symbol::Kind::input)) {
      diag_.error(text.where, "'{}' has no value before the run; use parameters and states",
                  node.name);
      good = false;
    }
  }
  return good ? std::move(e) : std::nullopt;
}

bool Compiler::known_table(const Expression& e, const Node& node) {
  const auto it = table_of_.find(node.name);
  if (it == table_of_.end()) {
    std::vector<std::string_view> known;
    for (const auto& [name, place] : table_of_) known.push_back(name);
    diag_.error(e.source.where, "there is no table '{}'{} ({})", node.name,
                did_you_mean(node.name, known), at_column(e.source, node.column));
    return false;
  }
  const bool two = spec_.tables[it->second].two_d;
  if (node.args.size() == (two ? 2U : 1U)) return true;
  diag_.error(e.source.where, "table '{}' is a function of {} argument{}", node.name, two ? 2 : 1,
              two ? "s" : "");
  return false;
}

int Compiler::add_item(Item::Kind kind, int index, int block, std::optional<Expression> e) {
  Item item{.kind = kind, .index = index, .block = block, .group = group_of(block)};
  item.e = std::move(e);
  item.full_only = block >= 0 && spec_.blocks[static_cast<std::size_t>(block)].full_step_only;
  items_.push_back(std::move(item));
  return static_cast<int>(items_.size()) - 1;
}

void Compiler::parse() {
  rate_item_.assign(static_cast<std::size_t>(s_->states.size()), -1);
  next_item_.assign(static_cast<std::size_t>(s_->memory.size()), -1);
  completing_item_.assign(rate_item_.size(), -1);
  for (std::size_t b = 0; b < spec_.blocks.size(); ++b) {
    const BlockSpec& block = spec_.blocks[b];
    const auto each = [&](const std::string& name, const Text& text, Item::Kind kind,
                          std::vector<int>* place) {
      auto e = parsed(text);
      const auto it = symbols_.find(name);
      if (it == symbols_.end()) return;  // its declaration was refused
      const int index = it->second.index;
      const int item = add_item(kind, index, static_cast<int>(b), std::move(e));
      if (place == nullptr)
        at(variables_, index).item = item;
      else if (index < static_cast<int>(place->size()))
        at(*place, index) = item;
    };
    for (const VariableSpec& a : block.auxiliaries)
      each(a.name, a.value, Item::Kind::variable, nullptr);
    for (const StateSpec& x : block.states) each(x.name, x.der, Item::Kind::rate, &rate_item_);
    for (const MemorySpec& z : block.memory) each(z.name, z.next, Item::Kind::next, &next_item_);
  }
  for (const VariableSpec& o : spec_.outputs)
    if (const auto it = symbols_.find(o.name);
        it != symbols_.end() && it->second.kind == Symbol::Kind::variable)
      at(variables_, it->second.index).item =
          add_item(Item::Kind::variable, it->second.index, -1, parsed(o.value));
  for (std::size_t n = 0; n < natives_.size(); ++n) parse_native(static_cast<int>(n));
  for (std::size_t i = 0; diag_.ok() && i < items_.size(); ++i) find_needs(items_[i]);
  parse_initial();
  for (const EventSpec& e : spec_.events) parse_event(e);
  parse_summary();
  if (diag_.ok()) warn_of_unused_parameters();
}

// A parameter that nothing uses is a slip; one that a manoeuvre brings was meant to be one of the
// model's. What a vehicle says of itself with a description is there for manoeuvres to use.
void Compiler::warn_of_unused_parameters() {
  for (const BlockSpec& b : spec_.blocks) used_.insert(b.made_of.begin(), b.made_of.end());
  for (const ParameterSpec& p : spec_.parameters)
    if (!used_.contains(p.name) && (!spec_.vehicle || p.description.empty()))
      diag_.warning(p.value.where, "nothing uses the parameter '{}'{}: {}", p.name,
                    did_you_mean(p.name, {used_.begin(), used_.end()}),
                    p.of_manoeuvre
                        ? "it is new in the manoeuvre; remove it, or name one of the model"
                        : "a name in a formula may be misspelt; otherwise remove it");
}

void Compiler::parse_native(int n) {
  Native& native = at(natives_, n);
  const BlockSpec& b = at(spec_.blocks, native.block);
  parse_tasks(n);
  const auto given = [](const std::vector<Assignment>& list, const std::string& name) {
    const auto it = std::find_if(list.begin(), list.end(),
                                 [&](const Assignment& a) { return a.target == name; });
    return it == list.end() ? nullptr : &it->value;
  };
  for (std::size_t i = 0; i < native.info.inputs.size(); ++i) {
    const PortInfo& port = native.info.inputs[i];
    if (native.texts[i] == nullptr && native.handles[i] == nullptr) {
      diag_.error(b.where, "input '{}' of block '{}' is not connected: {}", port.name, b.name,
                  port.description);
      native.wires.emplace_back();
      continue;
    }
    auto e = fed(native, i);
    if (!is_wire(native, i) &&
        native.reads(i)) {  // the formula is a variable of its own, the wire its name
      const std::string name = name_in(b, port.name);
      const Location where = e ? e->source.where : b.where;
      if (const auto it = symbols_.find(name); it != symbols_.end()) {
        const int index = it->second.index;
        at(variables_, index).item =
            add_item(Item::Kind::variable, index, native.block, std::move(e));
      }
      Expression own{{name, where}, {{.kind = Node::Kind::name, .name = name}}};
      e = resolve(own, own.root()) != nullptr ? std::optional(std::move(own)) : std::nullopt;
    }
    native.wires.push_back(std::move(e));
  }
  for (std::size_t i = 0; i < native.info.parameters.size(); ++i) {
    const bool formula = native.parameters[i] < 0;
    native.formulas.push_back(
        formula ? parsed(*given(b.parameters, native.info.parameters[i].name), Where::before)
                : std::nullopt);
  }
}

void Compiler::parse_tasks(int n) {
  const Native& native = at(natives_, n);
  const BlockSpec& b = at(spec_.blocks, native.block);
  const int first = static_cast<int>(items_.size());
  for (std::size_t k = 0; k < native.info.tasks.size(); ++k) {
    const TaskInfo& task = native.info.tasks[k];
    const int item = add_item(Item::Kind::task, n, native.block, std::nullopt);
    items_.back().task = static_cast<int>(k);
    for (const int t : task.after) items_.back().needs.push_back(first + t);
    for (const int y : task.writes)
      at(variables_, symbols_.at(name_in(b, at(native.info.outputs, y).name)).index).item = item;
    const auto note = [&](const std::vector<NativeState>& list, std::vector<int>& items) {
      for (const NativeState& x : list) at(items, symbols_.at(name_in(b, x.name)).index) = item;
    };
    if (task.rates) note(native.info.states, rate_item_);
    if (task.completes) note(native.info.states, completing_item_);
    if (task.memory) note(native.info.memory, next_item_);
  }
}

// The items whose values an expression uses.
void Compiler::collect(const Expression& e, std::vector<int>& needs) const {
  for (const Node& node : e.nodes) {
    if (node.kind == Node::Kind::derivative)
      needs.push_back(at(rate_item_, symbols_.at(node.name).index));
    if (node.kind != Node::Kind::name || node.name == "t") continue;
    const Symbol& symbol = symbols_.at(node.name);
    if (symbol.kind == Symbol::Kind::variable) needs.push_back(at(variables_, symbol.index).item);
    if (symbol.kind == Symbol::Kind::state) needs.push_back(at(completing_item_, symbol.index));
  }
}

void Compiler::find_needs(Item& item) {
  if (item.e) collect(*item.e, item.needs);
  if (item.kind != Item::Kind::task) return;
  const Native& native = at(natives_, item.index);
  for (const int u : at(native.info.tasks, item.task).reads)
    collect(*at(native.wires, u), item.needs);
}

std::optional<Setting> Compiler::setting(const Assignment& a, Where where) {
  const auto it = symbols_.find(a.target);
  const auto kinds = "a parameter, a state or a memory";
  if (it == symbols_.end()) {
    std::vector<std::string_view> known;
    for (const auto& [name, symbol] : symbols_) known.push_back(name);
    diag_.error(a.value.where, "there is no '{}' to set{}", a.target,
                did_you_mean(a.target, known));
    return std::nullopt;
  }
  Setting out;
  out.target.index = it->second.index;
  switch (it->second.kind) {
    case Symbol::Kind::parameter:
      out.target.kind = ActionInfo::Target::Kind::parameter;
      out.dimension = s_->parameters[ParameterIndex{out.target.index}].dimension;
      break;
    case Symbol::Kind::state:
      out.target.kind = ActionInfo::Target::Kind::state;
      out.dimension = at(state_dimension_, out.target.index);
      break;
    case Symbol::Kind::memory:
      out.target.kind = ActionInfo::Target::Kind::memory;
      out.dimension = at(memory_dimension_, out.target.index);
      break;
    default:
      diag_.error(a.value.where, "'{}' cannot be set: only {} can", a.target, kinds);
      return std::nullopt;
  }
  out.e = parsed(a.value, where);
  if (!out.e) return std::nullopt;
  return out;
}

// What would have no effect: a native block has been made with the values that the file gives.
void Compiler::refuse_what_is_fixed(const Assignment& a) {
  for (const Native& n : natives_) {
    const BlockSpec& b = at(spec_.blocks, n.block);
    if (std::find(b.made_of.begin(), b.made_of.end(), a.target) != b.made_of.end())
      diag_.error(
          a.value.where,
          "'{}' cannot be set: the {} is made with it before the run; change it in the file "
          "or on the command line",
          a.target, b.name);
    for (const auto* list : {&n.info.states, &n.info.memory})
      for (const NativeState& x : *list)
        if ((x.tied || x.internal) && name_in(b, x.name) == a.target)
          diag_.error(a.value.where,
                      "'{}' cannot be set: it depends on other states of the {}; give it a start "
                      "value in the file",
                      a.target, b.name);
  }
}

void Compiler::parse_initial() {
  for (const BlockSpec& b : spec_.blocks) {
    for (const StateSpec& x : b.states)
      if (!x.initial.empty()) initial_.push_back(setting({x.name, x.initial}, Where::before));
    for (const MemorySpec& z : b.memory)
      if (!z.initial.empty()) initial_.push_back(setting({z.name, z.initial}, Where::before));
  }
  for (const Native& n : natives_) {
    const BlockSpec& b = at(spec_.blocks, n.block);
    const auto start = [&](const NativeState& x) {
      const std::string unit = to_string(unit_of({x.unit, b.where}).dimension);
      Text value{fmt::format("{}[{}]", x.initial, unit), b.where};
      for (const Assignment& a : b.initial)
        if (a.target == x.name) value = a.value;
      initial_.push_back(setting({name_in(b, x.name), value}, Where::before));
    };
    std::for_each(n.info.states.begin(), n.info.states.end(), start);
    std::for_each(n.info.memory.begin(), n.info.memory.end(), start);
  }
  for (const Assignment& a : spec_.initial) {
    refuse_what_is_fixed(a);
    initial_.push_back(setting(a, Where::before));
  }
}

int Compiler::group_named(const std::string& label, const Location& where) {
  if (label.empty()) return 0;
  std::vector<std::string_view> known;
  for (std::size_t b = 0; b < spec_.blocks.size(); ++b) {
    if (spec_.blocks[b].group == label) return group_of(static_cast<int>(b));
    known.push_back(spec_.blocks[b].group);
  }
  diag_.error(where, "there is no group '{}'{}", label, did_you_mean(label, known));
  return 0;
}

void Compiler::parse_event(const EventSpec& e) {
  Event out{parsed(e.when), {}, group_named(e.group, e.when.where)};
  EventInfo info{e.name, GroupIndex{out.group}, e.repeat, e.enabled, 0, {}};
  if (e.actions.empty())
    diag_.error(e.when.where, "event '{}' does nothing; give it actions under 'do:'", e.name);
  for (const ActionSpec& a : e.actions) {
    out.settings.emplace_back();
    for (const Assignment& s : a.assignments) {
      refuse_what_is_fixed(s);
      out.settings.back().push_back(setting(s, Where::running));
    }
    info.actions.push_back(action(a));
  }
  s_->events.push_back(std::move(info));
  events_.push_back(std::move(out));
}

ActionInfo Compiler::action(const ActionSpec& a) {
  ActionInfo info;
  info.kind = a.kind;
  info.on = a.on;
  info.text = a.value.text;
  for (const std::string& name : a.events) {
    std::vector<std::string_view> known;
    int found = -1;
    for (std::size_t i = 0; i < spec_.events.size(); ++i) {
      known.push_back(spec_.events[i].name);
      if (spec_.events[i].name == name) found = static_cast<int>(i);
    }
    if (found < 0)
      diag_.error(a.where, "there is no event '{}'{}", name, did_you_mean(name, known));
    info.events.push_back(EventIndex{found});
  }
  if (a.kind == ActionSpec::Kind::step)
    if (const auto step = quantity(a.value, kTime, "1 ms")) {
      info.step = stated_picoseconds(*step).value_or(0);
      if (info.step <= 0)
        diag_.error(a.value.where,
                    "a step must be positive, at least 1 ps and below 2e6 s, and no finer than "
                    "picoseconds");
      for (const MemoryInfo& m : s_->memory)
        if (info.step > 0 && m.sample % info.step != 0)
          diag_.error(a.value.where,
                      "the sample time of '{}', {} s, is not a multiple of this step", m.name,
                      seconds(m.sample));
    }
  if (a.kind == ActionSpec::Kind::ratio) {
    const auto ratio = quantity(a.value);
    info.ratio =
        ratio && ratio->value >= 1 && ratio->value <= 1e6 ? static_cast<int>(ratio->value) : 0;
    if (ratio && (info.ratio == 0 || info.ratio != ratio->value || !ratio->dimension.is_none()))
      diag_.error(a.value.where, "a ratio is a whole number from 1 to 1000000, not '{}'",
                  a.value.text);
  }
  if (a.kind == ActionSpec::Kind::method && s_->find_method(a.value.text) == nullptr)
    diag_.error(a.value.where, "there is no method '{}'{}", a.value.text,
                did_you_mean(a.value.text, method_names()));
  return info;
}

}  // namespace chicane::compiling
