// SPDX-License-Identifier: Apache-2.0

// Third pass: the order of evaluation, what is constant, and what everything measures.

#include <algorithm>

#include "language/compile/compiler.hpp"

namespace chicane::compiling {

using dimensions::kTime;

std::string Compiler::name_of(const Item& item) const {
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

Location Compiler::place_of(const Item& item) const {
  return item.e ? item.e->source.where : at(spec_.blocks, item.block).where;
}

// Depth first, on a stack of our own: an item comes after all it needs. A path that returns to
// itself is an algebraic loop.
void Compiler::order() {
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

bool Compiler::is_constant(const Expression& e, const Node& node) const {
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

void Compiler::mark_constants() {
  for (const int i : order_) {
    Item& item = at(items_, i);
    item.constant =
        item.kind == Item::Kind::variable && item.e && is_constant(*item.e, item.e->root());
  }
}

std::optional<Measure> Compiler::measure(const Expression& e) {
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
          case Symbol::Kind::metric:
            return at(metrics_, symbol.index).measure;
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

void Compiler::check(const Expression& e, const Dimension& wanted, std::string_view what) {
  const auto m = measure(e);
  if (!m || m->any || m->dimension == wanted || !spec_.check_units) return;
  diag_.error(e.source.where, "'{}' is {} ({}), but {} must be {} ({})", e.source.text,
              quantity_name(m->dimension), to_string(m->dimension), what, quantity_name(wanted),
              to_string(wanted));
}

void Compiler::check_unit(const Text& unit, const Measure& m) {
  const Dimension written = unit_of(unit).dimension;
  if (unit.empty() || m.any || written == m.dimension || !spec_.check_units) return;
  diag_.error(unit.where, "'{}' is {}, but its expression is {} ({})", unit.text,
              quantity_name(written), quantity_name(m.dimension), to_string(m.dimension));
}

void Compiler::measure_natives() {
  for (const Native& n : natives_) {
    const Location& where = at(spec_.blocks, n.block).where;
    const auto dimension = [&](const std::string& unit) {
      return unit_of({unit, where}).dimension;
    };
    for (std::size_t i = 0; i < n.wires.size(); ++i) {
      const Symbol* symbol = nullptr;  // a formula is shown as it was written
      if (const auto it = symbols_.find(n.wires[i]->source.text); it != symbols_.end())
        symbol = &it->second;
      const bool formula = symbol != nullptr && symbol->kind == Symbol::Kind::variable &&
                           at(variables_, symbol->index).wire;
      check(formula ? *at(items_, at(variables_, symbol->index).item).e : *n.wires[i],
            dimension(n.info.inputs[i].unit), "input " + n.info.inputs[i].name);
    }
    for (std::size_t i = 0; i < n.formulas.size(); ++i) {
      if (!n.formulas[i]) continue;
      const Expression& e = *n.formulas[i];
      check(e, dimension(n.info.parameters[i].unit), "parameter " + n.info.parameters[i].name);
      if (!is_constant(e, e.root()))
        diag_.error(e.source.where,
                    "'{}' changes during the run; a parameter is a quantity or a formula of "
                    "parameters",
                    e.source.text);
    }
  }
}

void Compiler::measure() {
  for (Variable& v : variables_)
    if (v.item >= 0 && at(items_, v.item).kind == Item::Kind::task)
      v.measure = {unit_of(v.unit).dimension};
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
      if (!v.wire) check_unit(v.unit, v.measure);
      if (v.measure.any) v.measure = {unit_of(v.unit).dimension, false};
    }
  }
  measure_natives();
  for (const auto& i : initial_) check(*i->e, i->dimension, "this initial value");
  for (const Event& e : events_) {
    check(*e.when, {}, "a condition");
    for (const auto& action : e.settings)
      for (const auto& s : action) check(*s->e, s->dimension, "the value set here");
  }
  measure_summary();
}

}  // namespace chicane::compiling
