// First pass: every name, its unit and its place in the numbering.

#include <algorithm>
#include <set>

#include "core/ticks.hpp"
#include "system/compile/compiler.hpp"

namespace chicane::compiling {

using dimensions::kTime;

namespace {

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
  if (!fresh)
    diag_.error(where, "'{}' is declared twice; the first is at {}:{}", name, it->second.where.file,
                it->second.where.line);
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
  if (const auto it = symbols_.find(p.name); it != symbols_.end() &&
                                             it->second.kind == Symbol::Kind::parameter &&
                                             it->second.where.file.empty()) {
    ParameterInfo& own = s_->parameters[ParameterIndex{it->second.index}];  // of a native block
    if (const auto value = quantity(p.value, own.dimension, to_string(own.dimension)))
      own.value = *value;
    return;
  }
  if (declare(p.name, Symbol::Kind::parameter, s_->parameters.size(), p.value.where))
    s_->parameters.push_back({p.name, q->value, q->dimension, q->unit, 0});
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
  const auto named = [&](const std::string& part) { return b.name + "." + part; };
  for (const NativeParameter& p : info.parameters)
    if (declare(named(p.name), Symbol::Kind::parameter, s_->parameters.size(), {}))
      s_->parameters.push_back({named(p.name), p.value, p.dimension, to_string(p.dimension), 0});
}

void Compiler::declare_block(int block) {
  const BlockSpec& b = spec_.blocks[static_cast<std::size_t>(block)];
  s_->blocks.push_back({b.name, b.group, GroupIndex{group_of(block)}, {}, -1});
  for (const StateSpec& x : b.states)
    add_state(block, x.name, unit_of(x.unit), x.unit.text, x.description, x.der.where, x.limit);
  for (const MemorySpec& z : b.memory) add_memory(block, z);
  for (const VariableSpec& a : b.auxiliaries)
    declare_variable(a, SignalInfo::Kind::auxiliary, block);
  if (!b.native) return;
  const auto native = std::find_if(natives_.begin(), natives_.end(),
                                   [&](const Native& n) { return n.block == block; });
  for (const NativeState& x : native->info.states) {
    const Text limit{x.limit > 0 ? fmt::format("{} {}", x.limit, to_string(x.dimension)) : "",
                     b.where};
    add_state(block, b.name + "." + x.name, Unit{x.dimension}, to_string(x.dimension), "", b.where,
              limit);
  }
  for (const NativeState& z : native->info.memory)
    add_memory(block, {.name = b.name + "." + z.name,
                       .next = {"", b.where},
                       .unit = {to_string(z.dimension), b.where}});
  for (const PortInfo& y : native->info.outputs)
    declare_variable(
        {b.name + "." + y.name, {"", b.where}, {to_string(y.dimension), b.where}, y.description},
        SignalInfo::Kind::auxiliary, block);
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
                  z.description, BlockIndex{block}, group, 0});
  MemoryInfo info{z.name, signal, BlockIndex{block}, group, 0, 0, 0, z.every_evaluation};
  if (!z.sample.empty())
    if (const auto sample = quantity(z.sample, kTime, "10 ms")) {
      info.sample = whole_picoseconds(*sample).value_or(0);
      if (info.sample <= 0)
        diag_.error(z.sample.where, "a sample time must be positive and below 2e6 s");
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
}

}  // namespace chicane::compiling
