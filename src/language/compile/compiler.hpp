// SPDX-License-Identifier: Apache-2.0
#pragma once

// The inside of compile(): one object that goes through the passes. Not for users.

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "language/codegen.hpp"
#include "language/model_structure.hpp"

namespace chicane::compiling {

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
  bool wire = false;        // a formula that feeds an input of a native block
  bool on_request = false;  // written only where it is named
};

// What a name stands for.
struct Symbol {
  enum class Kind { parameter, input, state, memory, variable, metric } kind = Kind::parameter;
  int index = 0;
  Location where;
};

enum class Where { running, before };  // during the run, or in an initial calculation

// An assignment to a parameter, a state or a memory.
struct Setting {
  ActionInfo::Target target;
  Dimension dimension;
  std::optional<Expression> e;
};

struct Event {
  std::optional<Expression> when;
  std::vector<std::vector<std::optional<Setting>>> settings;  // per action
  int group = 0;
};

// The formulas of a metric: what it watches, and what says when and where.
struct Metric {
  std::optional<Expression> value, from, until, level, at;
  Measure measure;
};

struct GroupCode {
  Slot used = 0;          // variables laid out so far
  std::map<int, Slot> u;  // signal -> where its value from another group stands
};

// A block written in C++.
struct Native {
  int block = 0;
  BlockInfo info;
  std::vector<const Text*> texts;                   // per input: the formula that feeds it ...
  std::vector<const Expression*> handles;           // ... or whoever made the block has connected
  std::vector<std::optional<Expression>> wires;     // per input: the name of what feeds it
  std::vector<std::optional<Expression>> formulas;  // per parameter; nothing: a number of its own
  std::vector<int> parameters;                      // per parameter: its number, or -1
  Slot p = 0;                                       // where the parameters stand, side by side

  [[nodiscard]] bool reads(std::size_t input) const {  // whether any task does
    return std::any_of(info.tasks.begin(), info.tasks.end(), [&](const TaskInfo& t) {
      return std::find(t.reads.begin(), t.reads.end(), static_cast<int>(input)) != t.reads.end();
    });
  }
};

class Compiler {
 public:
  Compiler(const Spec& spec, const Partition& partition, Diagnostics& diag)
      : spec_(spec), partition_(partition), diag_(diag), s_(std::make_shared<ModelStructure>()) {}

  std::shared_ptr<ModelStructure> run();

 private:
  // --- names -------------------------------------------------------------------------------------
  bool declare(const std::string& name, Symbol::Kind kind, int index, const Location& where);
  std::optional<Quantity> quantity(const Text& text);
  std::optional<double> quantity(const Text& text, const Dimension& d, std::string_view example);
  Unit unit_of(const Text& text);
  void declare();
  void declare_parameter(const ParameterSpec& p);
  void declare_tables();
  int group_of(int block) const;
  static std::string name_in(const BlockSpec& b, const std::string& part) {
    return b.plain_names ? part : b.name + "." + part;
  }
  void declare_native(int block);
  void note_feeds(Native& native, const BlockSpec& b);
  void declare_native_parameters(Native& native, const BlockSpec& b);
  void declare_native_signals(const Native& native, const BlockSpec& b);
  void declare_block(int block);
  SignalIndex add_signal(SignalInfo info) { return s_->signals.push_back(std::move(info)); }
  void add_state(int block, const std::string& name, const Unit& unit, const std::string& unit_text,
                 const std::string& description, const Location& where, const Text& limit);
  void add_memory(int block, const MemorySpec& z);
  void declare_variable(const VariableSpec& v, SignalInfo::Kind kind, int block);

  // --- expressions -------------------------------------------------------------------------------
  const Symbol* resolve(const Expression& e, const Node& node);
  std::optional<Expression> parsed(const Text& text, Where where = Where::running);
  bool known_table(const Expression& e, const Node& node);
  static bool is_wire(const Native& native, std::size_t input);
  std::optional<Expression> fed(const Native& native, std::size_t input);
  std::string name_of(const SignalHandle& signal) const;
  int add_item(Item::Kind kind, int index, int block, std::optional<Expression> e);
  void parse();
  void warn_of_unused_parameters();
  void parse_native(int n);
  void parse_tasks(int n);
  void collect(const Expression& e, std::vector<int>& needs) const;
  void find_needs(Item& item);
  std::optional<Setting> setting(const Assignment& a, Where where);
  void refuse_what_is_fixed(const Assignment& a);
  void parse_initial();
  int group_named(const std::string& label, const Location& where);
  void parse_event(const EventSpec& e);
  ActionInfo action(const ActionSpec& a);
  bool knows_metric(const Text& text, const Node& node, const Symbol& symbol);
  void parse_summary();

  // --- order of evaluation -----------------------------------------------------------------------
  std::string name_of(const Item& item) const;
  Location place_of(const Item& item) const;
  void order();
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
  bool is_constant(const Expression& e, const Node& node) const;
  void mark_constants();
  std::optional<Measure> measure(const Expression& e);
  void check(const Expression& e, const Dimension& wanted, std::string_view what);
  void check_unit(const Text& unit, const Measure& m);
  void measure();
  void measure_natives();
  void measure_summary();
  Measure measure(const MetricSpec& spec, const Metric& m);
  void check_constant(const std::optional<Expression>& e);

  // --- layout ------------------------------------------------------------------------------------
  static Slot var(Slot index) { return Codegen::encode(Codegen::kVariable, index); }
  Slot allocate(int g, std::size_t n = 1);
  void lay_out();
  void lay_out_group(int g);
  void lay_out_native(int n);
  SignalIndex signal_of(const Symbol& symbol) const;
  template <class Visitor>
  void for_each_expression(Visitor&& visit) {  // visit(expression, group, block)
    for (const Item& item : items_) {
      for (const Expression* e : expressions_of(item)) visit(*e, item.group, item.block);
    }
    for (const Event& e : events_) {
      visit(*e.when, e.group, -1);
      for (const auto& action : e.settings)
        for (const auto& s : action) visit(*s->e, e.group, -1);
    }
  }
  void note_foreign_reads();

  // --- code --------------------------------------------------------------------------------------
  std::vector<int> closure(int g, const std::vector<int>& roots, std::vector<bool>& taken) const;
  void generate();
  Slot leaf(const Node& node);
  Slot initial_leaf(const Symbol& symbol) const;
  void emit_item(int i);
  static void append(Schedule& schedule, const Call& call);
  Schedule emitted(const std::vector<int>& items);
  Schedule inner(const std::vector<int>& items) const;
  template <class Emit>
  Call coded(Emit&& emit) {
    const auto begin = static_cast<std::uint32_t>(s_->code.size());
    emit();
    return {-1, -1, begin, static_cast<std::uint32_t>(s_->code.size())};
  }
  void generate_group(int g);
  void check_feed_through(int g, const std::vector<int>& published);
  std::vector<const Expression*> expressions_of(const Item& item) const;
  void generate_event(int e, GroupLayout& layout);
  Schedule& action_code(int e, std::size_t a) { return s_->events[EventIndex{e}].actions[a].code; }
  void generate_initial();
  void generate_summary();
  Slot summary_leaf(const Node& node);
  Slot gathered(GroupIndex group, Slot from);
  Slot summary_slot() { return var(summary_used_++); }
  std::vector<int> metrics_in(const std::optional<Expression>& e) const;

  // --- final addresses ---------------------------------------------------------------------------
  void finish();
  void separate_functions();
  void finish_group(int g);
  void finish_summary();
  void place_code(std::pair<std::uint32_t, std::uint32_t> range, Slot variables, Slot temporaries);

  static constexpr Slot kNowhere = ~Slot{0};
  static constexpr int kNone = -1;
  static constexpr int kInitial = -1, kSummary = -2;  // what is generated instead of a group

  const Spec& spec_;
  const Partition& partition_;
  Diagnostics& diag_;
  std::shared_ptr<ModelStructure> s_;

  // names, expressions, order
  std::map<std::string, Symbol, std::less<>> symbols_;
  std::set<std::string> twice_;  // parts whose names were said to collide
  std::set<std::string> used_;   // names that formulas use
  std::map<std::string, std::size_t, std::less<>> table_of_;
  std::vector<std::size_t> table_place_;
  std::vector<Variable> variables_;
  std::vector<SignalIndex> variable_signal_;
  std::vector<Native> natives_;
  std::vector<Item> items_;
  std::vector<int> order_, rate_item_, next_item_;
  std::vector<int> completing_item_;  // per state: the task that completes it, or -1
  std::vector<Dimension> state_dimension_, memory_dimension_;
  std::vector<Measure> input_measure_, terminal_measure_;
  std::vector<Metric> metrics_;
  int metrics_known_ = kNone;  // to the formula being parsed: those above it
  std::vector<std::optional<Setting>> initial_;
  std::vector<Event> events_;
  std::vector<std::optional<Expression>> terminal_;

  // layout and code
  std::optional<Codegen> coder_;
  std::vector<GroupCode> code_;
  std::vector<Slot> input_slot_;
  std::map<int, Slot> constant_slot_;
  std::map<int, Call> calls_;
  Slot initial_temporaries_ = 0, summary_temporaries_ = 0, summary_used_ = 0;
  int group_ = 0;  // being generated, or one of the above
};

}  // namespace chicane::compiling
