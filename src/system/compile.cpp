// Spec -> Structure: names, expressions, wiring order, dimensions, layout, code.

#include <algorithm>
#include <bit>
#include <cmath>
#include <set>

#include "core/ticks.hpp"
#include "system/codegen.hpp"
#include "system/structure.hpp"

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

using dimensions::kTime;

constexpr double kDefaultLimit = 1e12;  // no state of a sane model in SI units gets there

template <class List>
auto& at(List& list, int i) {
  return list[static_cast<std::size_t>(i)];
}

// Something computed at run time: a variable, a state's rate, a memory's next value, a native task.
struct Item {
  enum class Kind { variable, rate, next, task } kind = Kind::variable;
  int index = 0;  // of the variable, state, memory or native block
  int task = 0;
  int block = -1;  // -1: the model as a whole
  int group = 0;
  std::optional<Expression> e;
  std::vector<int> needs;  // items
  bool constant = false;   // depends on parameters alone
  bool full_only = false;
};

struct Variable {
  std::string name;
  SignalInfo::Kind kind = SignalInfo::Kind::auxiliary;
  Text unit;
  std::string description;
  Location where;
  int item = -1;
  int block = -1;
  Measure measure;
};

class Compiler {
 public:
  Compiler(const Spec& spec, const Partition& partition, Diagnostics& diag)
      : spec_(spec), partition_(partition), diag_(diag), s_(std::make_shared<Structure>()) {}

  std::shared_ptr<const Structure> run() {
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

 private:
  // --- names -------------------------------------------------------------------------------------

  struct Symbol {
    enum class Kind { parameter, input, state, memory, variable } kind = Kind::parameter;
    int index = 0;
    Location where;
  };

  bool declare(const std::string& name, Symbol::Kind kind, int index, const Location& where) {
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
      diag_.error(where, "'{}' is declared twice; the first is at {}:{}", name,
                  it->second.where.file, it->second.where.line);
    return fresh;
  }

  std::optional<Quantity> quantity(const Text& text) {
    auto parsed = parse_quantity(text.text);
    if (const auto* error = std::get_if<UnitError>(&parsed)) {
      diag_.error(text.where, "{}", error->message);
      return std::nullopt;
    }
    return std::get<Quantity>(parsed);
  }

  std::optional<double> quantity(const Text& text, const Dimension& d, std::string_view example) {
    const auto q = quantity(text);
    if (!q) return std::nullopt;
    if (q->dimension != d && !(q->value == 0.0 && q->dimension.is_none()) && spec_.check_units) {
      diag_.error(text.where, "'{}' is {}, but this is {}, e.g. \"{}\"", text.text,
                  quantity_name(q->dimension), quantity_name(d), example);
      return std::nullopt;
    }
    return q->value;
  }

  Unit unit_of(const Text& text) {
    if (text.empty()) return {};
    const auto parsed = parse_unit(text.text);
    if (const auto* error = std::get_if<UnitError>(&parsed)) {
      diag_.error(text.where, "{}", error->message);
      return {};
    }
    return std::get<Unit>(parsed);
  }

  void declare() {
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

  void declare_parameter(const ParameterSpec& p) {
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

  void declare_tables() {
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
        keep(Table1D::make(t.x.values, t.y.values, t.interpolation, t.extrapolation),
             s_->tables.one);
    }
  }

  int group_of(int block) const {
    return block < 0 ? 0 : partition_.group_of_block[static_cast<std::size_t>(block)];
  }

  void declare_native(int block) {
    const BlockSpec& b = spec_.blocks[static_cast<std::size_t>(block)];
    const BlockInfo info = b.native->info();
    natives_.push_back({block, info});
    const auto named = [&](const std::string& part) { return b.name + "." + part; };
    for (const NativeParameter& p : info.parameters)
      if (declare(named(p.name), Symbol::Kind::parameter, s_->parameters.size(), {}))
        s_->parameters.push_back({named(p.name), p.value, p.dimension, to_string(p.dimension), 0});
  }

  void declare_block(int block) {
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
      add_state(block, b.name + "." + x.name, Unit{x.dimension}, to_string(x.dimension), "",
                b.where, limit);
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

  SignalIndex add_signal(SignalInfo info) { return s_->signals.push_back(std::move(info)); }

  void add_state(int block, const std::string& name, const Unit& unit, const std::string& unit_text,
                 const std::string& description, const Location& where, const Text& limit) {
    const int index = s_->states.size();
    if (!declare(name, Symbol::Kind::state, index, where)) return;
    const GroupIndex group{group_of(block)};
    const SignalIndex signal =
        add_signal({name, SignalInfo::Kind::state, unit_text.empty() ? "-" : unit_text, unit,
                    description, BlockIndex{block}, group, 0});
    double most = kDefaultLimit;
    if (!limit.empty()) {
      most = quantity(limit, unit.dimension, "1e6 " + to_string(unit.dimension))
                 .value_or(kDefaultLimit);
      if (!(most > 0))
        diag_.error(limit.where, "a limit must be positive, '{}' is not", limit.text);
    }
    s_->states.push_back({name, signal, BlockIndex{block}, group, 0, most});
    state_dimension_.push_back(unit.dimension);
  }

  void add_memory(int block, const MemorySpec& z) {
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
          diag_.error(z.sample.where, "a sample time must be positive and below 4e6 s");
        if (z.every_evaluation)
          diag_.error(z.sample.where,
                      "a memory with a sample time cannot advance at every evaluation");
      }
    s_->memory.push_back(info);
    memory_dimension_.push_back(unit.dimension);
  }

  void declare_variable(const VariableSpec& v, SignalInfo::Kind kind, int block) {
    if (!declare(v.name, Symbol::Kind::variable, static_cast<int>(variables_.size()),
                 v.value.where))
      return;
    variables_.push_back({v.name, kind, v.unit, v.description, v.value.where, -1, block, {}});
  }

  // --- expressions -------------------------------------------------------------------------------

  enum class Where { running, before };  // during the run, or in an initial calculation

  const Symbol* resolve(const Expression& e, const Node& node) {
    const auto it = symbols_.find(node.name);
    if (it != symbols_.end()) return &it->second;
    std::vector<std::string_view> known{"t", "pi"};
    for (const auto& [name, symbol] : symbols_) known.push_back(name);
    diag_.error(e.source.where, "unknown name '{}'{} (column {} of '{}')", node.name,
                did_you_mean(node.name, known), node.column, e.source.text);
    return nullptr;
  }

  // Parses, and sees that every name means something that is known there.
  std::optional<Expression> parsed(const Text& text, Where where = Where::running) {
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

  bool known_table(const Expression& e, const Node& node) {
    const auto it = table_of_.find(node.name);
    if (it == table_of_.end()) {
      std::vector<std::string_view> known;
      for (const auto& [name, place] : table_of_) known.push_back(name);
      diag_.error(e.source.where, "there is no table '{}'{} (column {} of '{}')", node.name,
                  did_you_mean(node.name, known), node.column, e.source.text);
      return false;
    }
    const bool two = spec_.tables[it->second].two_d;
    if (node.args.size() == (two ? 2U : 1U)) return true;
    diag_.error(e.source.where, "table '{}' is a function of {} argument{}", node.name, two ? 2 : 1,
                two ? "s" : "");
    return false;
  }

  int add_item(Item::Kind kind, int index, int block, std::optional<Expression> e) {
    Item item{.kind = kind, .index = index, .block = block, .group = group_of(block)};
    item.e = std::move(e);
    item.full_only = block >= 0 && spec_.blocks[static_cast<std::size_t>(block)].full_step_only;
    items_.push_back(std::move(item));
    return static_cast<int>(items_.size()) - 1;
  }

  void parse() {
    rate_item_.assign(static_cast<std::size_t>(s_->states.size()), -1);
    next_item_.assign(static_cast<std::size_t>(s_->memory.size()), -1);
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
    for (const VariableSpec& v : spec_.terminal) {
      if (!is_name(v.name)) diag_.error(v.value.where, "'{}' is not a name", v.name);
      terminal_.push_back(parsed(v.value));
    }
  }

  void parse_native(int n) {
    Native& native = at(natives_, n);
    const BlockSpec& b = at(spec_.blocks, native.block);
    const int first = static_cast<int>(items_.size());
    for (std::size_t k = 0; k < native.info.tasks.size(); ++k) {
      const TaskInfo& task = native.info.tasks[k];
      const int item = add_item(Item::Kind::task, n, native.block, std::nullopt);
      items_.back().task = static_cast<int>(k);
      for (const int t : task.after) items_.back().needs.push_back(first + t);
      for (const int y : task.writes)
        at(variables_, symbols_.at(b.name + "." + at(native.info.outputs, y).name).index).item =
            item;
      if (task.rates)
        for (const NativeState& x : native.info.states)
          at(rate_item_, symbols_.at(b.name + "." + x.name).index) = item;
      if (task.memory)
        for (const NativeState& z : native.info.memory)
          at(next_item_, symbols_.at(b.name + "." + z.name).index) = item;
    }
    for (const PortInfo& port : native.info.inputs) {
      const auto wire = std::find_if(b.wiring.begin(), b.wiring.end(),
                                     [&](const auto& w) { return w.first == port.name; });
      if (wire == b.wiring.end()) {
        diag_.error(b.where, "input '{}' of block '{}' is not connected", port.name, b.name);
        native.wires.emplace_back();
        continue;
      }
      native.wires.push_back(parsed(wire->second));
      if (native.wires.back() && native.wires.back()->nodes.size() != 1)
        diag_.error(wire->second.where, "an input is fed by the name of a signal, not by '{}'",
                    wire->second.text);
    }
  }

  // The items whose values an expression uses.
  void collect(const Expression& e, std::vector<int>& needs) const {
    for (const Node& node : e.nodes) {
      if (node.kind == Node::Kind::derivative)
        needs.push_back(at(rate_item_, symbols_.at(node.name).index));
      if (node.kind != Node::Kind::name || node.name == "t") continue;
      const Symbol& symbol = symbols_.at(node.name);
      if (symbol.kind == Symbol::Kind::variable) needs.push_back(at(variables_, symbol.index).item);
    }
  }

  void find_needs(Item& item) {
    if (item.e) collect(*item.e, item.needs);
    if (item.kind != Item::Kind::task) return;
    const Native& native = at(natives_, item.index);
    for (const int u : at(native.info.tasks, item.task).reads)
      collect(*at(native.wires, u), item.needs);
  }

  struct Setting {
    ActionInfo::Target target;
    Dimension dimension;
    std::optional<Expression> e;
  };

  std::optional<Setting> setting(const Assignment& a, Where where) {
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

  void parse_initial() {
    for (const BlockSpec& b : spec_.blocks) {
      for (const StateSpec& x : b.states)
        if (!x.initial.empty()) initial_.push_back(setting({x.name, x.initial}, Where::before));
      for (const MemorySpec& z : b.memory)
        if (!z.initial.empty()) initial_.push_back(setting({z.name, z.initial}, Where::before));
    }
    for (const Native& n : natives_) {
      const BlockSpec& b = at(spec_.blocks, n.block);
      const auto start = [&](const NativeState& x) {
        initial_.push_back(
            setting({b.name + "." + x.name,
                     {fmt::format("{}[{}]", x.initial, to_string(x.dimension)), b.where}},
                    Where::before));
      };
      std::for_each(n.info.states.begin(), n.info.states.end(), start);
      std::for_each(n.info.memory.begin(), n.info.memory.end(), start);
    }
    for (const Assignment& a : spec_.initial) initial_.push_back(setting(a, Where::before));
  }

  struct Event {
    std::optional<Expression> when;
    std::vector<std::vector<std::optional<Setting>>> settings;  // per action
    int group = 0;
  };

  int group_named(const std::string& label, const Location& where) {
    if (label.empty()) return 0;
    std::vector<std::string_view> known;
    for (std::size_t b = 0; b < spec_.blocks.size(); ++b) {
      if (spec_.blocks[b].group == label) return group_of(static_cast<int>(b));
      known.push_back(spec_.blocks[b].group);
    }
    diag_.error(where, "there is no group '{}'{}", label, did_you_mean(label, known));
    return 0;
  }

  void parse_event(const EventSpec& e) {
    Event out{parsed(e.when), {}, group_named(e.group, e.when.where)};
    EventInfo info{e.name, GroupIndex{out.group}, e.repeat, e.enabled, 0, {}};
    if (e.actions.empty())
      diag_.error(e.when.where, "event '{}' does nothing; give it actions under 'do:'", e.name);
    for (const ActionSpec& a : e.actions) {
      out.settings.emplace_back();
      for (const Assignment& s : a.assignments)
        out.settings.back().push_back(setting(s, Where::running));
      info.actions.push_back(action(a));
    }
    s_->events.push_back(std::move(info));
    events_.push_back(std::move(out));
  }

  ActionInfo action(const ActionSpec& a) {
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
        info.step = whole_picoseconds(*step).value_or(0);
        if (info.step <= 0)
          diag_.error(a.value.where, "a step must be positive, at least 1 ps and below 4e6 s");
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

  // --- order of evaluation -----------------------------------------------------------------------

  std::string name_of(const Item& item) const {
    switch (item.kind) {
      case Item::Kind::variable:
        return at(variables_, item.index).name;
      case Item::Kind::rate:
        return "der(" + s_->states[StateIndex{item.index}].name + ")";
      case Item::Kind::next:
        return "next(" + s_->memory[MemoryIndex{item.index}].name + ")";
      case Item::Kind::task: {
        const Native& n = at(natives_, item.index);
        return at(spec_.blocks, n.block).name + ":" + at(n.info.tasks, item.task).name;
      }
    }
    return {};
  }

  Location place_of(const Item& item) const {
    return item.e ? item.e->source.where : at(spec_.blocks, item.block).where;
  }

  // Depth first, on a stack of our own: an item comes after all it needs. A path that returns to
  // itself is an algebraic loop.
  void order() {
    enum class Mark { fresh, open, done };
    std::vector<Mark> mark(items_.size(), Mark::fresh);
    struct Visit {
      int item;
      std::size_t next = 0;
    };
    for (std::size_t root = 0; root < items_.size(); ++root) {
      std::vector<Visit> path;
      if (mark[root] == Mark::fresh) path.push_back({static_cast<int>(root)});
      while (!path.empty()) {
        Visit& v = path.back();
        const Item& item = at(items_, v.item);
        at(mark, v.item) = Mark::open;
        if (v.next == item.needs.size()) {
          at(mark, v.item) = Mark::done;
          order_.push_back(v.item);
          path.pop_back();
          continue;
        }
        const int need = item.needs[v.next++];
        if (need < 0) continue;
        if (at(mark, need) == Mark::fresh)
          path.push_back({need});
        else if (at(mark, need) == Mark::open)
          report_loop(path, need);
      }
    }
  }

  template <class Path>
  void report_loop(const Path& path, int closes) {
    auto it =
        std::find_if(path.begin(), path.end(), [&](const auto& v) { return v.item == closes; });
    const Item& first = at(items_, it->item);
    std::string loop;
    for (; it != path.end(); ++it) loop += name_of(at(items_, it->item)) + " -> ";
    diag_.error(place_of(first),
                "algebraic loop: {}{}; each needs the other's present value: put a state or a "
                "memory between them",
                loop, name_of(first));
  }

  // --- constants and dimensions ------------------------------------------------------------------

  bool is_constant(const Expression& e, const Node& node) const {
    switch (node.kind) {
      case Node::Kind::number:
        return true;
      case Node::Kind::derivative:
        return false;
      case Node::Kind::name: {
        if (node.name == "t") return false;
        const Symbol& symbol = symbols_.at(node.name);
        if (symbol.kind == Symbol::Kind::parameter) return true;
        if (symbol.kind != Symbol::Kind::variable) return false;
        const int item = at(variables_, symbol.index).item;
        return item >= 0 && at(items_, item).constant;
      }
      default:
        return std::all_of(node.args.begin(), node.args.end(),
                           [&](int a) { return is_constant(e, at(e.nodes, a)); });
    }
  }

  void mark_constants() {
    for (const int i : order_) {
      Item& item = at(items_, i);
      item.constant =
          item.kind == Item::Kind::variable && item.e && is_constant(*item.e, item.e->root());
    }
  }

  std::optional<Measure> measure(const Expression& e) {
    if (!spec_.check_units) return Measure{};
    return infer(
        e,
        [&](const std::string& name, bool rate) -> Measure {
          if (name == "t") return {kTime};
          const Symbol& symbol = symbols_.at(name);
          switch (symbol.kind) {
            case Symbol::Kind::parameter:
              return {s_->parameters[ParameterIndex{symbol.index}].dimension};
            case Symbol::Kind::input:
              return at(input_measure_, symbol.index);
            case Symbol::Kind::state:
              return {rate ? at(state_dimension_, symbol.index) / kTime
                           : at(state_dimension_, symbol.index)};
            case Symbol::Kind::memory:
              return {at(memory_dimension_, symbol.index)};
            case Symbol::Kind::variable:
              return at(variables_, symbol.index).measure;
          }
          return {};
        },
        [&](const std::string& name) -> std::vector<Measure> {
          const TableSpec& t = spec_.tables[table_of_.at(name)];
          if (t.two_d) return {{t.x.dimension}, {t.y.dimension}, {t.z.dimension}};
          return {{t.x.dimension}, {t.y.dimension}};
        },
        diag_);
  }

  void check(const Expression& e, const Dimension& wanted, std::string_view what) {
    const auto m = measure(e);
    if (!m || m->any || m->dimension == wanted || !spec_.check_units) return;
    diag_.error(e.source.where, "'{}' is {} ({}), but {} must be {} ({})", e.source.text,
                quantity_name(m->dimension), to_string(m->dimension), what, quantity_name(wanted),
                to_string(wanted));
  }

  void measure() {
    for (const int i : order_) {
      const Item& item = at(items_, i);
      if (!item.e) continue;
      if (item.kind == Item::Kind::rate) {
        const std::string& name = s_->states[StateIndex{item.index}].name;
        check(*item.e, at(state_dimension_, item.index) / kTime, "the rate of " + name);
      } else if (item.kind == Item::Kind::next) {
        check(*item.e, at(memory_dimension_, item.index),
              "the next value of " + s_->memory[MemoryIndex{item.index}].name);
      } else {
        Variable& v = at(variables_, item.index);
        v.measure = measure(*item.e).value_or(Measure{{}, true});
        const Unit unit = unit_of(v.unit);
        if (!v.unit.empty() && !v.measure.any && unit.dimension != v.measure.dimension &&
            spec_.check_units)
          diag_.error(v.unit.where, "'{}' is {}, but its expression is {} ({})", v.unit.text,
                      quantity_name(unit.dimension), quantity_name(v.measure.dimension),
                      to_string(v.measure.dimension));
        if (v.measure.any) v.measure = {unit.dimension, false};
      }
    }
    for (Variable& v : variables_)
      if (v.item >= 0 && at(items_, v.item).kind == Item::Kind::task)
        v.measure = {unit_of(v.unit).dimension};
    for (const Native& n : natives_)
      for (std::size_t i = 0; i < n.wires.size(); ++i)
        check(*n.wires[i], n.info.inputs[i].dimension, "input " + n.info.inputs[i].name);
    for (const auto& i : initial_) check(*i->e, i->dimension, "this initial value");
    for (const Event& e : events_) {
      check(*e.when, {}, "a condition");
      for (const auto& action : e.settings)
        for (const auto& s : action) check(*s->e, s->dimension, "the value set here");
    }
    for (std::size_t i = 0; i < terminal_.size(); ++i) {
      const auto m = measure(*terminal_[i]);
      const VariableSpec& v = spec_.terminal[i];
      const Unit unit = unit_of(v.unit);
      if (m && !v.unit.empty() && !m->any && unit.dimension != m->dimension && spec_.check_units)
        diag_.error(v.unit.where, "'{}' is {}, but its expression is {}", v.unit.text,
                    quantity_name(unit.dimension), quantity_name(m->dimension));
      terminal_measure_.push_back(m.value_or(Measure{}));
    }
  }

  // --- layout ------------------------------------------------------------------------------------

  struct GroupCode {
    Slot used = 0;          // variables laid out so far
    std::map<int, Slot> u;  // signal -> where its value from another group stands
    std::vector<int> outputs, derivative, accept, report;  // items, in order
  };

  static Slot var(Slot index) { return Codegen::encode(Codegen::kVariable, index); }

  Slot allocate(int g, std::size_t n = 1) {
    const Slot first = at(code_, g).used;
    at(code_, g).used += static_cast<Slot>(n);
    return var(first);
  }

  void lay_out() {
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
                      BlockIndex{v.block}, GroupIndex{group_of(v.block)}, 0}));
    }
    for (int g = 0; g < s_->groups.size(); ++g) lay_out_group(g);
    for (InputInfo& i : s_->inputs)
      s_->signals[i.signal].slot =
          at(input_slot_, 0) + static_cast<Slot>(&i - &*s_->inputs.begin());
    for (std::size_t n = 0; n < natives_.size(); ++n) lay_out_native(static_cast<int>(n));
    note_foreign_reads();
  }

  void lay_out_group(int g) {
    GroupLayout& layout = s_->groups[GroupIndex{g}];
    layout.t = allocate(g);
    layout.x = allocate(g, layout.states.size());
    layout.dx = allocate(g, layout.states.size());
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
  void lay_out_native(int n) {
    const Native& native = at(natives_, n);
    const BlockSpec& b = at(spec_.blocks, native.block);
    const int g = group_of(native.block);
    NativePlace place;
    place.kind = b.native;
    place.np = static_cast<std::uint32_t>(native.info.parameters.size());
    place.nx = static_cast<std::uint32_t>(native.info.states.size());
    place.nz = static_cast<std::uint32_t>(native.info.memory.size());
    place.ny = static_cast<std::uint32_t>(native.info.outputs.size());
    place.nscratch = static_cast<std::uint32_t>(native.info.scratch);
    const auto first = [&](const auto& list) {
      return symbols_.at(b.name + "." + list.front().name).index;
    };
    if (place.nx > 0) {
      const StateInfo& x = s_->states[StateIndex{first(native.info.states)}];
      place.x = s_->groups[GroupIndex{g}].x + static_cast<Slot>(x.place);
      place.dx = s_->groups[GroupIndex{g}].dx + static_cast<Slot>(x.place);
    }
    if (place.nz > 0) {
      const MemoryInfo& z = s_->memory[MemoryIndex{first(native.info.memory)}];
      place.z = z.value;
      place.z_next = z.next;
    }
    if (place.ny > 0) place.y = s_->signals[at(variable_signal_, first(native.info.outputs))].slot;
    if (place.np > 0) native_parameter_.emplace_back(n, first(native.info.parameters));
    place.scratch = allocate(g, place.nscratch);
    s_->blocks[BlockIndex{native.block}].native = n;
    s_->natives.push_back(std::move(place));
  }

  // The signal behind a symbol that lives in a group; invalid for parameters and inputs.
  SignalIndex signal_of(const Symbol& symbol) const {
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

  template <class Visitor>
  void for_each_expression(Visitor&& visit) {  // visit(expression, group, block)
    for (const Item& item : items_) {
      if (item.e) visit(*item.e, item.group, item.block);
      if (item.kind == Item::Kind::task)
        for (const int u : at(at(natives_, item.index).info.tasks, item.task).reads)
          visit(*at(at(natives_, item.index).wires, u), item.group, item.block);
    }
    for (const Event& e : events_) {
      visit(*e.when, e.group, -1);
      for (const auto& action : e.settings)
        for (const auto& s : action) visit(*s->e, e.group, -1);
    }
    for (const auto& e : terminal_) visit(*e, 0, -1);
  }

  void note_foreign_reads() {
    for_each_expression([&](const Expression& e, int g, int block) {
      for (const Node& node : e.nodes) {
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
        layout.reads.push_back(SignalIndex{signal});
      }
    }
  }

  // --- code --------------------------------------------------------------------------------------

  // All items of group g that `roots` need, roots included, and not yet taken.
  std::vector<int> closure(int g, const std::vector<int>& roots, std::vector<bool>& taken) const {
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

  void generate() {
    coder_.emplace(
        s_->code, s_->constants, [this](const Node& node) { return leaf(node); },
        [this](const Expression& e, const Node& node) { return is_constant(e, node); },
        [this](const Node& node) {
          return static_cast<Slot>(table_place_[table_of_.at(node.name)]);
        });
    for (ParameterInfo& p : s_->parameters) p.slot = coder_->new_constant();
    for (const int i : order_) {  // constants, in an order in which they can be computed
      const Item& item = at(items_, i);
      if (!item.constant) continue;
      const Slot k = coder_->constant(*item.e);
      constant_slot_[item.index] = k;
      s_->signals[at(variable_signal_, item.index)].slot = k;
    }
    for (int g = 0; g < s_->groups.size(); ++g) generate_group(g);
    generate_initial();
  }

  // Where the value of a name stands, in the group being generated (or in the initial calculation).
  Slot leaf(const Node& node) {
    if (node.kind == Node::Kind::derivative) {
      const StateInfo& x = s_->states[StateIndex{symbols_.at(node.name).index}];
      return s_->groups[x.group].dx + static_cast<Slot>(x.place);
    }
    if (node.name == "t") return s_->groups[GroupIndex{group_}].t;
    const Symbol& symbol = symbols_.at(node.name);
    if (symbol.kind == Symbol::Kind::parameter)
      return s_->parameters[ParameterIndex{symbol.index}].slot;
    if (symbol.kind == Symbol::Kind::variable) {
      if (const auto it = constant_slot_.find(symbol.index); it != constant_slot_.end())
        return it->second;
    }
    if (group_ < 0) return initial_leaf(symbol);
    if (symbol.kind == Symbol::Kind::input)
      return at(input_slot_, group_) + static_cast<Slot>(symbol.index);
    const SignalIndex signal = signal_of(symbol);
    const SignalInfo& info = s_->signals[signal];
    return info.group.value == group_ ? info.slot : at(code_, group_).u.at(signal.value);
  }

  Slot initial_leaf(const Symbol& symbol) const {
    if (symbol.kind == Symbol::Kind::state) return var(static_cast<Slot>(symbol.index));
    if (symbol.kind == Symbol::Kind::memory)
      return var(static_cast<Slot>(s_->states.size() + symbol.index));
    return kNowhere;
  }

  void emit_item(int i) {
    const Item& item = at(items_, i);
    const auto begin = static_cast<std::uint32_t>(s_->code.size());
    if (item.kind == Item::Kind::task) {
      calls_[i] = {item.index, item.task, s_->groups[GroupIndex{item.group}].t, 0};
      for (const auto& wire : at(natives_, item.index).wires)  // filled once, in port order
        if (at(s_->natives, item.index).wires.size() < at(natives_, item.index).wires.size())
          at(s_->natives, item.index).wires.push_back(static_cast<int>(leaf(wire->root())));
      return;
    }
    Slot to = 0;
    if (item.kind == Item::Kind::rate) {
      const StateInfo& x = s_->states[StateIndex{item.index}];
      to = s_->groups[x.group].dx + static_cast<Slot>(x.place);
    } else if (item.kind == Item::Kind::next) {
      to = s_->memory[MemoryIndex{item.index}].next;
    } else {
      to = s_->signals[at(variable_signal_, item.index)].slot;
    }
    coder_->assign(to, *item.e);
    calls_[i] = {-1, -1, begin, static_cast<std::uint32_t>(s_->code.size())};
  }

  static void append(Schedule& schedule, const Call& call) {
    if (call.block < 0 && call.begin == call.end) return;
    if (call.block < 0 && !schedule.empty() && schedule.back().block < 0 &&
        schedule.back().end == call.begin)
      schedule.back().end = call.end;
    else
      schedule.push_back(call);
  }

  Schedule emitted(const std::vector<int>& items) {
    Schedule schedule;
    for (const int i : items) {
      emit_item(i);
      append(schedule, calls_[i]);
    }
    return schedule;
  }

  Schedule inner(const std::vector<int>& items) const {
    Schedule schedule;
    for (const int i : items)
      if (!at(items_, i).full_only) append(schedule, calls_.at(i));
    return schedule;
  }

  template <class Emit>
  Call coded(Emit&& emit) {
    const auto begin = static_cast<std::uint32_t>(s_->code.size());
    emit();
    return {-1, -1, begin, static_cast<std::uint32_t>(s_->code.size())};
  }

  void generate_group(int g) {
    group_ = g;
    GroupLayout& layout = s_->groups[GroupIndex{g}];
    std::vector<bool> taken(items_.size(), false);
    std::vector<int> published, rates, every, accept, rest;
    for (const SignalIndex signal : layout.publishes)
      for (std::size_t v = 0; v < variables_.size(); ++v)
        if (variable_signal_[v] == signal) published.push_back(variables_[v].item);
    for (const StateIndex x : layout.states) rates.push_back(at(rate_item_, x.value));
    for (const MemoryIndex m : layout.memory)
      (s_->memory[m].every_evaluation ? every : accept).push_back(at(next_item_, m.value));
    for (std::size_t e = 0; e < events_.size(); ++e) {
      if (events_[e].group != g) continue;
      collect(*events_[e].when, accept);
      for (const auto& action : events_[e].settings)
        for (const auto& s : action) collect(*s->e, accept);
    }
    for (std::size_t i = 0; i < items_.size(); ++i)
      if (items_[i].group == g && items_[i].kind == Item::Kind::variable)
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
    layout.report = emitted(closure(g, rest, taken));
    if (g == 0) generate_terminal(layout);
    at(code_, g).used = std::max(at(code_, g).used, Slot{1});
    layout.size = coder_->temporaries();
    coder_->reset_temporaries();
  }

  // A slow group is advanced before its faster neighbours: what it publishes may not need them.
  void check_feed_through(int g, const std::vector<int>& published) {
    std::vector<bool> taken(items_.size(), false);
    for (const int root : published) {
      if (root < 0) continue;
      for (const int i : closure(g, {root}, taken)) {
        if (!at(items_, i).e) continue;
        for (const Node& node : at(items_, i).e->nodes) {
          if (node.kind != Node::Kind::name || node.name == "t") continue;
          const SignalIndex signal = signal_of(symbols_.at(node.name));
          if (!signal.valid() || s_->signals[signal].group.value <= g) continue;
          diag_.error(
              place_of(at(items_, root)),
              "'{}' of group '{}' is read by other groups, but needs '{}' of the faster group '{}' "
              "at the same instant; move one of them, or put a state or a memory between them",
              name_of(at(items_, root)), s_->groups[GroupIndex{g}].name, node.name,
              s_->groups[s_->signals[signal].group].name);
        }
      }
    }
  }

  void generate_event(int e, GroupLayout& layout) {
    EventInfo& info = s_->events[EventIndex{e}];
    info.condition = allocate(group_);
    append(layout.accept, coded([&] { coder_->assign(info.condition, *at(events_, e).when); }));
    for (std::size_t a = 0; a < info.actions.size(); ++a) {
      for (const auto& s : at(events_, e).settings[a]) {
        ActionInfo::Target target = s->target;
        target.from = allocate(group_);
        append(action_code(e, a), coded([&] { coder_->assign(target.from, *s->e); }));
        info.actions[a].targets.push_back(target);
      }
    }
  }
  Schedule& action_code(int e, std::size_t a) { return s_->events[EventIndex{e}].actions[a].code; }

  void generate_terminal(GroupLayout& layout) {
    for (std::size_t i = 0; i < terminal_.size(); ++i) {
      const VariableSpec& v = spec_.terminal[i];
      const Slot to = allocate(0);
      append(layout.report, coded([&] { coder_->assign(to, *terminal_[i]); }));
      s_->terminal.push_back(
          {v.name, v.unit.empty() ? to_string(terminal_measure_[i].dimension) : v.unit.text,
           unit_of(v.unit), to});
    }
  }

  void generate_initial() {
    group_ = -1;
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

  // --- final addresses ---------------------------------------------------------------------------

  // Slots have so far been (region, index); now the regions get their places.
  void finish() {
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
    for (TerminalInfo& t : s_->terminal) t.slot = Codegen::place(t.slot, k, 0);
    for (const auto& [n_of, parameter] : native_parameter_)
      at(s_->natives, n_of).p = s_->parameters[ParameterIndex{parameter}].slot;
    for (NativePlace& p : s_->natives) {
      for (Slot* slot : {&p.x, &p.dx, &p.z, &p.z_next, &p.y, &p.scratch})
        *slot = Codegen::place(*slot, k, 0);
      for (int& wire : p.wires)
        wire = static_cast<int>(Codegen::place(static_cast<Slot>(wire), k, 0));
    }
  }

  void finish_group(int g) {
    const auto k = static_cast<Slot>(s_->constants.size());
    GroupLayout& layout = s_->groups[GroupIndex{g}];
    const Slot temporaries = k + at(code_, g).used;
    layout.size += temporaries;
    for (Slot* slot : {&layout.t, &layout.x, &layout.dx, &layout.inputs, &layout.u})
      *slot = Codegen::place(*slot, k, 0);
    std::set<std::pair<std::uint32_t, std::uint32_t>> ranges;
    const auto gather = [&](Schedule& schedule) {
      for (Call& c : schedule) {
        if (c.block < 0)
          ranges.emplace(c.begin, c.end);
        else
          c.begin = Codegen::place(c.begin, k, 0);
      }
    };
    for (Schedule* schedule :
         {&layout.outputs, &layout.derivative, &layout.every, &layout.accept, &layout.report})
      gather(*schedule);
    for (const EventIndex e : layout.events)
      for (ActionInfo& a : s_->events[e].actions) gather(a.code);
    for (const auto& range : ranges) place_code(range, k, temporaries);
    for (Schedule* schedule : {&layout.outputs_inner, &layout.derivative_inner})
      for (Call& c : *schedule)
        if (c.block >= 0) c.begin = Codegen::place(c.begin, k, 0);
  }

  void place_code(std::pair<std::uint32_t, std::uint32_t> range, Slot variables, Slot temporaries) {
    for (std::uint32_t i = range.first; i < range.second; ++i) {
      Instruction& in = s_->code[i];
      in.to = Codegen::place(in.to, variables, temporaries);
      in.a = Codegen::place(in.a, variables, temporaries);
      in.b = Codegen::place(in.b, variables, temporaries);
      if (in.op != Op::table1 && in.op != Op::table2)
        in.c = Codegen::place(in.c, variables, temporaries);
    }
  }

  struct Native {
    int block = 0;
    BlockInfo info;
    std::vector<std::optional<Expression>> wires;
  };
  static constexpr Slot kNowhere = ~Slot{0};

  const Spec& spec_;
  const Partition& partition_;
  Diagnostics& diag_;
  std::shared_ptr<Structure> s_;

  std::map<std::string, Symbol, std::less<>> symbols_;
  std::map<std::string, std::size_t, std::less<>> table_of_;
  std::vector<std::size_t> table_place_;
  std::vector<Variable> variables_;
  std::vector<SignalIndex> variable_signal_;
  std::vector<Native> natives_;
  std::vector<Item> items_;
  std::vector<int> order_, rate_item_, next_item_;
  std::vector<Dimension> state_dimension_, memory_dimension_;
  std::vector<Measure> input_measure_, terminal_measure_;
  std::vector<std::optional<Setting>> initial_;
  std::vector<Event> events_;
  std::vector<std::optional<Expression>> terminal_;

  std::optional<Codegen> coder_;
  std::vector<GroupCode> code_;
  std::vector<Slot> input_slot_;
  std::map<int, Slot> constant_slot_;
  std::map<int, Call> calls_;
  std::vector<std::pair<int, int>> native_parameter_;
  Slot initial_temporaries_ = 0;
  int group_ = 0;
};

}  // namespace

std::shared_ptr<const Structure> compile(const Spec& spec, const Partition& partition,
                                         Diagnostics& diag) {
  if (!diag.ok()) return nullptr;
  return Compiler(spec, partition, diag).run();
}

}  // namespace chicane
