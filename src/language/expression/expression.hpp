// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/diagnostics.hpp"
#include "math/units.hpp"

namespace chicane {

// A piece of the user's text and where it stands.
struct Text {
  std::string text;
  Location where;
  [[nodiscard]] bool empty() const { return text.empty(); }
  friend bool operator==(const Text& a, const Text& b) {
    return a.text == b.text && same_place(a.where, b.where);
  }
  static bool same_place(const Location& a, const Location& b) {
    return a.line == b.line && a.file == b.file && a.key == b.key;
  }
};

// The operations of expressions. One list for the parser, the dimension rules and the machine.
enum class Op : std::uint16_t {
  copy,
  negate,
  add,
  subtract,
  multiply,
  divide,
  square,
  multiply_add,              // a b + c
  subtract_from,             // c - a b
  add_products,              // a b + c d
  subtract_products,         // a b - c d
  sum_plus_product,          // a + b + c d
  sum_minus_product,         // a + b - c d
  difference_plus_product,   // a - b + c d
  difference_minus_product,  // a - b - c d
  // The same with the result of the instruction before, which is still in a register, as an
  // operand:
  add_last,            // last + b
  subtract_last,       // last - b
  last_subtracted,     // a - last
  multiply_last,       // last b
  divide_last,         // last / b
  multiply_add_last,   // a b + last
  subtract_from_last,  // last - a b
  scale_last_add,      // last b + c
  less,
  less_equal,
  greater,
  greater_equal,
  equal,
  not_equal,
  logical_and,
  logical_or,
  logical_not,
  select,  // if(a, b, c)
  sat,
  deadband,
  min,
  max,
  abs,
  sign,
  // From here on functions that are calls:
  power,
  sqrt,
  exp,
  log,
  log10,
  sin,
  cos,
  tan,
  asin,
  acos,
  atan,
  atan2,
  sinh,
  cosh,
  tanh,
  hypot,
  floor,
  ceil,
  round,
  mod,
  table1,  // table c at a
  table2,  // table c at (a, b)
};

constexpr bool is_function(Op op) { return op >= Op::power; }

// A signal of a block written in C++, by its place: nobody has to spell it or to look it up.
struct SignalHandle {
  enum class Of { state, memory, output };
  Of of = Of::output;
  int block = -1;  // among those of the Spec; -1: none
  int place = -1;  // among the block's states, memory or outputs
};

struct Node {
  enum class Kind { number, name, operation, table, derivative };
  Kind kind = Kind::number;
  Op op = Op::copy;       // operation
  double number = 0;      // number, in SI
  Dimension dimension;    // number
  std::string name;       // name, table, derivative
  std::vector<int> args;  // places of the operands
  int column = 1;         // in the expression's text
  SignalHandle signal{};  // name: which signal it is, where that is known without its name
};

// A parsed expression: nodes in the order in which they can be evaluated, the root last.
struct Expression {
  Text source;
  std::vector<Node> nodes;
  [[nodiscard]] const Node& root() const { return nodes.back(); }
};

// Grammar, from loose to tight:   c ? a : b   or   and   not   == != < <= > >=   + -   * /   - ! ^
// Numbers may carry a unit, 300[mm]; names may contain dots; calls are f(a, b). Faults go to `diag`
// with the column.
std::optional<Expression> parse_expression(const Text& text, Diagnostics& diag);

// "column 7 of 'a + * b'": where something stands, with the text around it.
std::string at_column(const Text& text, int column);

// Words that a model may not use as names: functions, constants, `t`.
bool is_reserved(std::string_view name);
// A name is a letter or _ followed by letters, digits, _ and, between parts, dots.
bool is_name(std::string_view name);

// A number, blanks and a letter: not a formula, whatever is wrong with the unit.
bool looks_like_quantity(std::string_view text);

struct FunctionInfo {
  std::string_view name, arguments, meaning;
};
std::vector<FunctionInfo> function_list();  // for the reference page

// --- dimensions ---------------------------------------------------------------------------------

// What a value measures. The number 0 without a unit fits every dimension, as in max(x, 0).
struct Measure {
  Dimension dimension;
  bool any = false;
};

// Infers the measure of an expression. `measure_of(name, derivative)` gives that of a name (or of
// its rate); `table_of(name)` the measures of a table's axes followed by its values. Faults name
// both sides.
template <class NameMeasure, class TableMeasures>
std::optional<Measure> infer(const Expression& e, NameMeasure&& measure_of,
                             TableMeasures&& table_of, Diagnostics& diag);

// The rule of one operation, given its operands' measures; nullopt and a message on a mismatch.
std::optional<Measure> apply_rule(const Expression& e, const Node& node,
                                  const std::vector<Measure>& operands, std::string& fault);

// The value of a subtree of literals, if it is one.
std::optional<double> literal_value(const Expression& e, int node);

template <class NameMeasure, class TableMeasures>
std::optional<Measure> infer(const Expression& e, NameMeasure&& measure_of,
                             TableMeasures&& table_of, Diagnostics& diag) {
  std::vector<Measure> measures;
  const auto fail = [&](const Node& node, std::string_view fault) {
    diag.error(e.source.where, "{} ({})", fault, at_column(e.source, node.column));
    return std::nullopt;
  };
  for (const Node& node : e.nodes) {
    Measure m;
    std::string fault;
    std::vector<Measure> operands;
    for (const int a : node.args) operands.push_back(measures[static_cast<std::size_t>(a)]);
    switch (node.kind) {
      case Node::Kind::number:
        m = {node.dimension, node.number == 0.0 && node.dimension.is_none()};
        break;
      case Node::Kind::name:
      case Node::Kind::derivative:
        m = measure_of(node.name, node.kind == Node::Kind::derivative);
        break;
      case Node::Kind::table: {
        const std::vector<Measure> axes = table_of(node.name);
        for (std::size_t i = 0; i < operands.size(); ++i)
          if (!operands[i].any && operands[i].dimension != axes[i].dimension)
            return fail(node, fmt::format("table '{}' is over {}, but its argument {} is {}",
                                          node.name, quantity_name(axes[i].dimension), i + 1,
                                          quantity_name(operands[i].dimension)));
        m = axes.back();
        break;
      }
      case Node::Kind::operation: {
        const auto result = apply_rule(e, node, operands, fault);
        if (!result) return fail(node, fault);
        m = *result;
        break;
      }
    }
    measures.push_back(m);
  }
  return measures.back();
}

}  // namespace chicane
