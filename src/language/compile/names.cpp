// SPDX-License-Identifier: Apache-2.0

// First pass: every name, its unit and its place in the numbering.

#include <algorithm>
#include <set>

#include "core/time_base.hpp"
#include "language/compile/compiler.hpp"

namespace chicane::compiling {

using dimensions::kTime;

namespace {

// What to say beside a word that is not among `known`.
std::string advice(const std::string& word, const std::vector<std::string_view>& known) {
  if (!nearest(word, known).empty()) return did_you_mean(word, known);
  return known.empty() ? "" : fmt::format("; it has {}", fmt::join(known, ", "));
}

constexpr double kDefaultLimit = 1e12;  // no state of a sane model in SI units gets there

}  // namespace

bool Compiler::declare(const std::string& name, Symbol::Kind kind, int index,
                       const Location& where) {
  if (!is_name(name)) {
    diag_.error(where, "'{}' is not a name: letters, digits and _, parts joined by dots", name);
    return false;
  }
  if (is_reserved(name)) {
    diag_.error(where, "'{}' is a word of the language; choose another name", name);
    return false;
  }
  const auto [it, fresh] = symbols_.try_emplace(name, Symbol{kind, index, where});
  const Location& first = it->second.where;
  if (!fresh && first.file == where.file && first.line == where.line) {  // of a block, say
    if (twice_.insert(name.substr(0, name.rfind('.'))).second)
      diag_.error(where, "'{}' is declared twice: two parts have the same name; rename one", name);
  } else if (!fresh)
    diag_.error(where, "'{}' is declared twice; the first is at {}:{}", name, first.file,
                first.line);
  return fresh;
}

std::optional<Quantity> Compiler::quantity(const Text& text) {
  auto parsed = parse_quantity(text.text);
  if (const auto* error = std::get_if<UnitError>(&parsed)) {
    diag_.error(text.where, "{}", error->message);
    return std::nullopt;
  }
  return std::get<Quantity>(parsed);
}

std::optional<double> Compiler::quantity(const Text& text, const Dimension& d,
                                         std::string_view example) {
  const auto q = quantity(text);
  if (!q) return std::nullopt;
  if (q->dimension != d && !(q->value == 0.0 && q->dimension.is_none()) && spec_.check_units) {
    diag_.error(text.where, "'{}' is {}, but this is {}, e.g. \"{}\"", text.text,
                quantity_name(q->dimension), quantity_name(d), example);
    return std::nullopt;
  }
  return q->value;
}

Unit Compiler::unit_of(const Text& text) {
  if (text.empty()) return {};
  const auto parsed = parse_unit(text.text);
  if (const auto* error = std::get_if<UnitError>(&parsed)) {
    diag_.error(text.where, "{}", error->message);
    return {};
  }
  return std::get<Unit>(parsed);
}

void Compiler::declare() {
  s_->name = spec_.name;
  s_->description = spec_.description;
  s_->provenance = spec_.provenance;
  s_->methods = spec_.methods;
  for (std::size_t b = 0; b < spec_.blocks.size(); ++b)
    if (spec_.blocks[b].native) declare_native(static_cast<int>(b));
  for (const ParameterSpec& p : spec_.parameters) declare_parameter(p);
  for (const InputSpec& p : spec_.inputs) {
    const auto q = quantity(p.value);
    if (!q) continue;
    if (!declare(p.name, Symbol::Kind::input, s_->inputs.size(), p.value.where)) continue;
    const SignalIndex signal = add_signal({.name = p.name,
                                           .kind = SignalInfo::Kind::input,
                                           .unit = q->unit.empty() ? "-" : q->unit,
                                           .conversion = unit_of({q->unit, p.value.where}),
                                           .description = p.description,
                                           .block = {},
                                           .group = GroupIndex{0}});
    s_->inputs.push_back({p.name, q->value, signal});
    input_measure_.push_back({q->dimension});
  }
  declare_tables();
  for (std::size_t b = 0; b < spec_.blocks.size(); ++b) declare_block(static_cast<int>(b));
  for (const VariableSpec& o : spec_.outputs) declare_variable(o, SignalInfo::Kind::output, -1);
  for (std::size_t i = 0; i < spec_.metrics.size(); ++i)
    declare(spec_.metrics[i].name, Symbol::Kind::metric, static_cast<int>(i),
            spec_.metrics[i].where);
  std::set<std::string> names;
  for (const EventSpec& e : spec_.events) {
    if (!is_name(e.name)) diag_.error(e.when.where, "'{}' is not a name for an event", e.name);
    if (!names.insert(e.name).second)
      diag_.error(e.when.where, "event '{}' is declared twice", e.name);
  }
}

void Compiler::declare_parameter(const ParameterSpec& p) {
  const auto q = quantity(p.value);
  if (!q) return;
  if (declare(p.name, Symbol::Kind::parameter, s_->parameters.size(), p.value.where))
    s_->parameters.push_back({p.name, q->value, q->dimension, q->unit, kNowhere});
}

void Compiler::declare_tables() {
  for (std::size_t i = 0; i < spec_.tables.size(); ++i) {
    const TableSpec& t = spec_.tables[i];
    if (!is_name(t.name) || is_reserved(t.name))
      diag_.error(t.where, "'{}' cannot be the name of a table", t.name);
    if (!table_of_.try_emplace(t.name, i).second) {
      diag_.error(t.where, "table '{}' is declared twice", t.name);
      continue;
    }
    const auto keep = [&](auto made, auto& list) {
      table_place_.push_back(list.size());
      if (const auto* fault = std::get_if<std::string>(&made))
        diag_.error(t.where, "{}", *fault);
      else
        list.push_back(std::get<0>(std::move(made)));
    };
    if (t.two_d)
      keep(Table2D::make(t.x.values, t.y.values, t.z.values, t.interpolation, t.extrapolation),
           s_->tables.two);
    else
      keep(Table1D::make(t.x.values, t.y.values, t.interpolation, t.extrapolation), s_->tables.one);
  }
}

int Compiler::group_of(int block) const {
  return block < 0 ? 0 : partition_.group_of_block[static_cast<std::size_t>(block)];
}

void Compiler::declare_native(int block) {
  const BlockSpec& b = spec_.blocks[static_cast<std::size_t>(block)];
  const BlockInfo info = b.native->info();
  natives_.push_back({block, info});
  const auto known = [&](const std::vector<Assignment>& given, const auto& list, const char* what) {
    std::vector<std::string_view> names;
    for (const auto& entry : list) names.push_back(entry.name);
    for (const Assignment& a : given)
      if (std::find(names.begin(), names.end(), a.target) == names.end())
        diag_.error(a.value.where, "a block of type '{}' has no {} '{}'{}", b.type.text, what,
                    a.target, advice(a.target, names));
  };
  known(b.wiring, info.inputs, "input");
  known(b.parameters, info.parameters, "parameter");
  auto starts = info.states;
  starts.insert(starts.end(), info.memory.begin(), info.memory.end());
  known(b.initial, starts, "state");
  note_feeds(natives_.back(), b);
  declare_native_parameters(natives_.back(), b);
}

// By name where a file says what feeds an input, by place where the maker of the block does.
void Compiler::note_feeds(Native& native, const BlockSpec& b) {
  const auto& inputs = native.info.inputs;
  native.texts.assign(inputs.size(), nullptr);
  native.handles.assign(inputs.size(), nullptr);
  for (const Assignment& a : b.wiring) {
    const auto it = std::find_if(inputs.begin(), inputs.end(),
                                 [&](const PortInfo& p) { return p.name == a.target; });
    if (it == inputs.end()) continue;  // that was said
    const Text*& text = native.texts[static_cast<std::size_t>(it - inputs.begin())];
    if (text == nullptr) text = &a.value;
  }
  for (const Connection& c : b.connected) {
    require(c.input >= 0 && c.input < static_cast<int>(inputs.size()), "block '{}' has no input {}",
            b.name, c.input);
    at(native.handles, c.input) = &c.from;
  }
}

// A quantity makes a parameter BLOCK.NAME of the model; a formula is computed from the others.
void Compiler::declare_native_parameters(Native& native, const BlockSpec& b) {
  for (const NativeParameter& p : native.info.parameters) {
    const std::string name = name_in(b, p.name);
    const Dimension dimension = unit_of({p.unit, b.where}).dimension;
    const auto given = std::find_if(b.parameters.begin(), b.parameters.end(),
                                    [&](const Assignment& a) { return a.target == p.name; });
    ParameterInfo info{name, p.value, dimension, p.unit, kNowhere};
    Location where = b.where;
    if (given != b.parameters.end()) {
      where = given->value.where;
      const auto parsed = parse_quantity(given->value.text);
      if (std::holds_alternative<UnitError>(parsed) && !looks_like_quantity(given->value.text)) {
        native.parameters.push_back(-1);
        continue;
      }
      info.value = quantity(given->value, dimension, fmt::format("{} {}", p.value, p.unit))
                       .value_or(p.value);
      if (const auto* q = std::get_if<Quantity>(&parsed); q != nullptr && !q->unit.empty())
        info.unit = q->unit;
    }
    native.parameters.push_back(s_->parameters.size());
    if (declare(name, Symbol::Kind::parameter, s_->parameters.size(), where))
      s_->parameters.push_back(std::move(info));
  }
}

void Compiler::declare_block(int block) {
  const BlockSpec& b = spec_.blocks[static_cast<std::size_t>(block)];
  s_->blocks.push_back({b.name, b.group, GroupIndex{group_of(block)}, {}, -1});
  for (const StateSpec& x : b.states)
    add_state(block, x.name, unit_of(x.unit), x.unit.text, x.description, x.der.where, x.limit);
  for (const MemorySpec& z : b.memory) add_memory(block, z);
  for (const VariableSpec& a : b.auxiliaries)
    declare_variable(a, SignalInfo::Kind::auxiliary, block);
  for (const Native& n : natives_)
    if (n.block == block) declare_native_signals(n, b);
}

// States, memory and outputs; and a formula that feeds an input is a signal BLOCK.INPUT.
void Compiler::declare_native_signals(const Native& native, const BlockSpec& b) {
  const auto named = [&](const std::string& part) { return name_in(b, part); };
  for (const NativeState& x : native.info.states) {
    const Unit unit = unit_of({x.unit, b.where});
    const Text limit{x.limit > 0 ? fmt::format("{} {}", x.limit, to_string(unit.dimension)) : "",
                     b.where};
    add_state(native.block, named(x.name), unit, x.unit, x.description, b.where, limit);
  }
  for (const NativeState& z : native.info.memory)
    add_memory(native.block, {.name = named(z.name),
                              .next = {"", b.where},
                              .unit = {z.unit, b.where},
                              .description = z.description,
                              .internal = z.internal,
                              .bookkeeping = z.bookkeeping});
  for (const PortInfo& y : native.info.outputs)
    declare_variable({named(y.name), {"", b.where}, {y.unit, b.where}, y.description, y.on_request},
                     SignalInfo::Kind::auxiliary, native.block);
  for (std::size_t i = 0; i < native.info.inputs.size(); ++i) {
    const bool connected = native.texts[i] != nullptr || native.handles[i] != nullptr;
    if (!connected || is_wire(native, i) || !native.reads(i)) continue;
    const PortInfo& u = native.info.inputs[i];
    const Location& where =
        native.handles[i] != nullptr ? native.handles[i]->source.where : native.texts[i]->where;
    declare_variable({named(u.name), {"", where}, {u.unit, where}, u.description},
                     SignalInfo::Kind::auxiliary, native.block);
    if (!variables_.empty()) variables_.back().wire = true;
  }
}

void Compiler::add_state(int block, const std::string& name, const Unit& unit,
                         const std::string& unit_text, const std::string& description,
                         const Location& where, const Text& limit) {
  const int index = s_->states.size();
  if (!declare(name, Symbol::Kind::state, index, where)) return;
  const GroupIndex group{group_of(block)};
  const SignalIndex signal =
      add_signal({name, SignalInfo::Kind::state, unit_text.empty() ? "-" : unit_text, unit,
                  description, BlockIndex{block}, group, 0});
  double most = kDefaultLimit;
  if (!limit.empty()) {
    most =
        quantity(limit, unit.dimension, "1e6 " + to_string(unit.dimension)).value_or(kDefaultLimit);
    if (!(most > 0)) diag_.error(limit.where, "a limit must be positive, '{}' is not", limit.text);
  }
  s_->states.push_back({name, signal, BlockIndex{block}, group, 0, most});
  state_dimension_.push_back(unit.dimension);
}

void Compiler::add_memory(int block, const MemorySpec& z) {
  const int index = s_->memory.size();
  if (!declare(z.name, Symbol::Kind::memory, index, z.next.where)) return;
  const Unit unit = unit_of(z.unit);
  const GroupIndex group{group_of(block)};
  const SignalIndex signal =
      add_signal({z.name, SignalInfo::Kind::memory, z.unit.empty() ? "-" : z.unit.text, unit,
                  z.description, BlockIndex{block}, group, 0, z.internal});
  MemoryInfo info{z.name, signal, BlockIndex{block},  group,        0,
                  0,      0,      z.every_evaluation, z.bookkeeping};
  if (!z.sample.empty())
    if (const auto sample = quantity(z.sample, kTime, "10 ms")) {
      info.sample = stated_picoseconds(*sample).value_or(0);
      if (info.sample <= 0)
        diag_.error(z.sample.where,
                    "a sample time must be positive, below 2e6 s and no finer than picoseconds");
      if (z.every_evaluation)
        diag_.error(z.sample.where,
                    "a memory with a sample time cannot advance at every evaluation");
    }
  s_->memory.push_back(info);
  memory_dimension_.push_back(unit.dimension);
}

void Compiler::declare_variable(const VariableSpec& v, SignalInfo::Kind kind, int block) {
  if (!declare(v.name, Symbol::Kind::variable, static_cast<int>(variables_.size()), v.value.where))
    return;
  variables_.push_back({v.name, kind, v.unit, v.description, v.value.where, -1, block, {}});
  variables_.back().on_request = v.on_request;
}

}  // namespace chicane::compiling
