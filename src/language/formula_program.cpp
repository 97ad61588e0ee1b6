// SPDX-License-Identifier: Apache-2.0
#include "language/formula_program.hpp"

#include <algorithm>

namespace chicane {

int FormulaCompiler::find(std::string_view name) const {
  const auto it = std::ranges::find(items_, name, &Item::name);
  return name.empty() || it == items_.end() ? -1 : static_cast<int>(it - items_.begin());
}

int FormulaCompiler::quantity(const std::string& name, const Dimension& dimension) {
  items_.push_back({.name = name, .measure = {dimension}});
  return static_cast<int>(items_.size()) - 1;
}

int FormulaCompiler::auxiliary(const std::string& name, const Text& text) {
  if (!is_name(name) || is_reserved(name) || name.find('.') != std::string::npos) {
    diag_.error(text.where, "'{}' cannot be a name in {}", name, owner_);
    return -1;
  }
  if (knows(name)) {
    diag_.error(text.where, "'{}' has a meaning in {} already; choose another name", name, owner_);
    return -1;
  }
  auto e = parsed(text);
  const auto measure = e ? measured(*e) : std::nullopt;
  return measure ? add(name, *measure, std::move(*e)) : -1;
}

int FormulaCompiler::formula(const Text& text, const Dimension& dimension) {
  auto e = parsed(text);
  const auto measure = e ? measured(*e) : std::nullopt;
  if (!measure) return -1;
  if (spec_.check_units && !measure->any && measure->dimension != dimension) {
    diag_.error(text.where, "'{}' is {} ({}), but this is {} ({})", text.text,
                quantity_name(measure->dimension), to_string(measure->dimension),
                quantity_name(dimension), to_string(dimension));
    return -1;
  }
  return add("", *measure, std::move(*e));
}

int FormulaCompiler::add(std::string name, Measure measure, Expression e) {
  Item item{.name = std::move(name), .measure = measure};
  for (const Node& node : e.nodes) {
    if (node.kind != Node::Kind::name) continue;
    const int need = find(node.name);
    item.needs.insert(need);
    item.needs.insert(at(need).needs.begin(), at(need).needs.end());
  }
  item.e = std::move(e);
  items_.push_back(std::move(item));
  return static_cast<int>(items_.size()) - 1;
}

// A quantity is a formula, too: "30 mm" beside "30[mm]".
std::optional<Expression> FormulaCompiler::parsed(const Text& text) {
  const auto number = parse_quantity(text.text);
  if (const auto* q = std::get_if<Quantity>(&number))
    return Expression{text, {{.number = q->value, .dimension = q->dimension}}};
  auto e = parse_expression(text, diag_);
  if (!e) return e;
  const bool good =
      std::ranges::all_of(e->nodes, [&](const Node& node) { return known(*e, node); });
  return good ? std::move(e) : std::nullopt;
}

bool FormulaCompiler::known(const Expression& e, const Node& node) {
  if (node.kind == Node::Kind::table) return take_table(e, node);
  if (node.kind == Node::Kind::derivative) {
    diag_.error(e.source.where, "der(...) means nothing in {} ({})", owner_,
                at_column(e.source, node.column));
    return false;
  }
  if (node.kind != Node::Kind::name || knows(node.name)) return true;
  std::vector<std::string_view> names;
  for (const Item& item : items_)
    if (!item.name.empty()) names.push_back(item.name);
  const bool of_model = std::ranges::any_of(
      spec_.parameters, [&](const ParameterSpec& p) { return p.name == node.name; });
  diag_.error(e.source.where, "'{}' means nothing in {}{} ({}); it knows {}{}", node.name, owner_,
              did_you_mean(node.name, names), at_column(e.source, node.column),
              fmt::join(names, ", "),
              of_model ? fmt::format("; the model's '{0}' gets in as one of its own parameters, "
                                     "{0}: {0}",
                                     node.name)
                       : "");
  return false;
}

// The table of that name, built when it is first asked for.
bool FormulaCompiler::take_table(const Expression& e, const Node& node) {
  const auto t = std::ranges::find(spec_.tables, node.name, &TableSpec::name);
  if (t == spec_.tables.end()) {
    std::vector<std::string_view> names;
    for (const TableSpec& each : spec_.tables) names.push_back(each.name);
    diag_.error(e.source.where, "there is no table '{}'{} ({})", node.name,
                did_you_mean(node.name, names), at_column(e.source, node.column));
    return false;
  }
  if (node.args.size() != (t->two_d ? 2U : 1U)) {
    diag_.error(e.source.where, "table '{}' is a function of {} argument{}", node.name,
                t->two_d ? 2 : 1, t->two_d ? "s" : "");
    return false;
  }
  if (std::ranges::any_of(tables_, [&](const auto& known) { return known.first == node.name; }))
    return true;
  const auto keep = [&](auto made, auto& list) {
    if (const auto* fault = std::get_if<std::string>(&made)) {
      diag_.error(t->where, "{}", *fault);
      return false;
    }
    tables_.emplace_back(node.name, static_cast<std::uint32_t>(list.size()));
    list.push_back(std::get<0>(std::move(made)));
    return true;
  };
  Tables& into = program_.tables_;
  return t->two_d
             ? keep(Table2D::make(t->x.values, t->y.values, t->z.values, t->interpolation,
                                  t->extrapolation),
                    into.two)
             : keep(Table1D::make(t->x.values, t->y.values, t->interpolation, t->extrapolation),
                    into.one);
}

std::optional<Measure> FormulaCompiler::measured(const Expression& e) {
  if (!spec_.check_units) return Measure{};
  return infer(
      e, [&](const std::string& name, bool) { return at(find(name)).measure; },
      [&](const std::string& name) {
        const TableSpec& t = *std::ranges::find(spec_.tables, name, &TableSpec::name);
        std::vector<Measure> axes{{t.x.dimension}, {t.y.dimension}};
        if (t.two_d) axes.push_back({t.z.dimension});
        return axes;
      },
      diag_);
}

bool FormulaCompiler::uses(int formula, int quantity) const {
  return formula >= 0 && at(formula).needs.contains(quantity);
}

int FormulaCompiler::add_piece(const std::set<int>& wanted) {
  std::vector<int> order;
  for (const int i : wanted)
    if (at(i).e) order.push_back(i);
  pieces_.push_back(std::move(order));
  return static_cast<int>(pieces_.size()) - 1;
}

int FormulaCompiler::piece(const std::vector<int>& formulas, const std::set<int>& after) {
  const auto depends = [&](int i) {
    return after.empty() ||
           std::ranges::any_of(after, [&](int q) { return at(i).needs.contains(q); });
  };
  std::set<int> wanted;
  for (const int f : formulas) {
    if (f < 0) continue;
    wanted.insert(f);
    for (const int need : at(f).needs)
      if (depends(need)) wanted.insert(need);
  }
  return add_piece(wanted);
}

int FormulaCompiler::piece_before(const std::vector<int>& formulas, const std::set<int>& without) {
  std::set<int> wanted;
  for (const int f : formulas) {
    if (f < 0) continue;
    for (const int need : at(f).needs)
      if (std::ranges::none_of(without, [&](int q) { return at(need).needs.contains(q); }))
        wanted.insert(need);
  }
  return add_piece(wanted);
}

bool FormulaCompiler::literal(const Expression& e, const Node& node) {
  if (node.kind == Node::Kind::number) return true;
  return node.kind == Node::Kind::operation && std::ranges::all_of(node.args, [&](int arg) {
           return literal(e, e.nodes[static_cast<std::size_t>(arg)]);
         });
}

Codegen::Slot FormulaCompiler::table_slot(const Node& node) const {
  return std::ranges::find_if(tables_, [&](const auto& t) { return t.first == node.name; })->second;
}

FormulaProgram FormulaCompiler::build() {
  using Slot = Codegen::Slot;
  FormulaProgram& p = program_;
  std::vector<Instruction> code;
  const auto variable = [](int item) {
    return Codegen::encode(Codegen::kVariable, static_cast<Slot>(item));
  };
  Codegen coder(
      code, p.constants_, [&](const Node& node) { return variable(find(node.name)); }, literal,
      [this](const Node& node) { return table_slot(node); });
  for (std::size_t i = 0; i < items_.size(); ++i) {
    if (!items_[i].e) continue;
    code.clear();
    coder.assign(variable(static_cast<int>(i)), *items_[i].e);
    items_[i].code = code;
  }
  const auto variables = static_cast<Slot>(p.constants_.size());
  p.temporaries_ = p.constants_.size() + items_.size();
  p.temporary_count_ = coder.temporaries();
  const auto placed = [&](Instruction i) {
    const bool table = i.op == Op::table1 || i.op == Op::table2;
    for (Slot* slot : {&i.to, &i.a, &i.b, &i.c, &i.d})
      if (!table || slot != &i.c)
        *slot = Codegen::place(*slot, variables, static_cast<Slot>(p.temporaries_));
    return i;
  };
  for (Instruction i : coder.prepare_code()) {
    i = placed(i);
    const std::span one(&i, 1);
    if (is_function(i.op))
      execute_functions<double>(one, p.constants_.data(), p.tables_);
    else
      execute_arithmetic<double>(one, p.constants_.data());
  }
  for (const std::vector<int>& items : pieces_) {
    auto& stretches = p.pieces_.emplace_back();
    for (const int item : items)
      for (const Instruction& i : at(item).code) {
        const bool function = is_function(i.op);
        if (stretches.empty() || stretches.back().functions != function)
          stretches.push_back({p.code_.size(), p.code_.size(), function});
        p.code_.push_back(placed(i));
        stretches.back().end = p.code_.size();
      }
  }
  return std::move(program_);
}

}  // namespace chicane
