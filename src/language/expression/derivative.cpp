// SPDX-License-Identifier: Apache-2.0
#include "language/expression/derivative.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <span>

#include "language/expression/program.hpp"

namespace chicane {
namespace {

// A formula and its derivative as text; empty: zero.
struct ValueAndRate {
  std::string value, rate;
};

std::string sum(const std::string& a, const std::string& b) {
  return a.empty() ? b : b.empty() ? a : fmt::format("({} + {})", a, b);
}
std::string negative(const std::string& a) { return a.empty() ? a : fmt::format("(-{})", a); }
std::string product(const std::string& a, const std::string& b) {
  if (a.empty() || b.empty()) return {};
  if (a == "1") return b;
  return b == "1" ? a : fmt::format("({}*{})", a, b);
}
std::string quotient(const std::string& a, const std::string& b) {
  return a.empty() ? a : fmt::format("({}/{})", a, b);
}
std::string or_zero(const std::string& a) { return a.empty() ? "0" : a; }

class Differentiator {
 public:
  Differentiator(const Expression& e, const std::function<bool(std::string_view)>& constant)
      : e_(e), constant_(constant) {}

  std::optional<std::string> run() {
    for (const Node& node : e_.nodes) {
      auto part = of(node);
      if (!part) return std::nullopt;
      parts_.push_back(std::move(*part));
    }
    return or_zero(parts_.back().rate);
  }

 private:
  [[nodiscard]] const ValueAndRate& arg(const Node& node, std::size_t i) const {
    return parts_[static_cast<std::size_t>(node.args[i])];
  }

  std::optional<ValueAndRate> of(const Node& node) const {
    switch (node.kind) {
      case Node::Kind::number:
        return ValueAndRate{number(node), {}};
      case Node::Kind::name:
        if (node.name == "t") return ValueAndRate{node.name, "1"};
        if (constant_(node.name)) return ValueAndRate{node.name, {}};
        return std::nullopt;
      case Node::Kind::operation:
        return node.args.size() == 1 ? unary(node) : several(node);
      default:
        return std::nullopt;
    }
  }

  static std::string number(const Node& node) {
    std::string text = fmt::format("{}", std::fabs(node.number));
    if (!node.dimension.is_none()) text += fmt::format("[{}]", to_string(node.dimension));
    return std::signbit(node.number) ? fmt::format("(-{})", text) : text;
  }

  static std::string_view function_name(Op op) {
    switch (op) {
      case Op::abs:
        return "abs";
      case Op::sign:
        return "sign";
      case Op::sqrt:
        return "sqrt";
      case Op::exp:
        return "exp";
      case Op::log:
        return "log";
      case Op::log10:
        return "log10";
      case Op::sin:
        return "sin";
      case Op::cos:
        return "cos";
      case Op::tan:
        return "tan";
      case Op::asin:
        return "asin";
      case Op::acos:
        return "acos";
      case Op::atan:
        return "atan";
      case Op::atan2:
        return "atan2";
      case Op::sinh:
        return "sinh";
      case Op::cosh:
        return "cosh";
      case Op::tanh:
        return "tanh";
      case Op::hypot:
        return "hypot";
      case Op::floor:
        return "floor";
      case Op::ceil:
        return "ceil";
      case Op::round:
        return "round";
      case Op::mod:
        return "mod";
      case Op::min:
        return "min";
      case Op::max:
        return "max";
      case Op::sat:
        return "sat";
      case Op::deadband:
        return "deadband";
      case Op::select:
        return "if";
      default:
        return {};
    }
  }
  static std::string_view infix(Op op) {
    switch (op) {
      case Op::add:
        return "+";
      case Op::subtract:
        return "-";
      case Op::multiply:
        return "*";
      case Op::divide:
        return "/";
      case Op::power:
        return "^";
      case Op::less:
        return "<";
      case Op::less_equal:
        return "<=";
      case Op::greater:
        return ">";
      case Op::greater_equal:
        return ">=";
      case Op::equal:
        return "==";
      case Op::not_equal:
        return "!=";
      case Op::logical_and:
        return "&&";
      case Op::logical_or:
        return "||";
      default:
        return {};
    }
  }

  [[nodiscard]] std::optional<ValueAndRate> unary(const Node& node) const {
    const auto& [a, da] = arg(node, 0);
    if (node.op == Op::negate) return ValueAndRate{fmt::format("(-{})", a), negative(da)};
    if (node.op == Op::logical_not) return ValueAndRate{fmt::format("(!{})", a), {}};
    if (node.op == Op::copy) return ValueAndRate{a, da};
    const std::string_view name = function_name(node.op);
    if (name.empty()) return std::nullopt;
    const std::string f = fmt::format("{}({})", name, a);
    switch (node.op) {
      case Op::abs:
        return ValueAndRate{f, product(fmt::format("sign({})", a), da)};
      case Op::sqrt:
        return ValueAndRate{f, quotient(da, fmt::format("(2*{})", f))};
      case Op::exp:
        return ValueAndRate{f, product(f, da)};
      case Op::log:
        return ValueAndRate{f, quotient(da, a)};
      case Op::log10:
        return ValueAndRate{f, quotient(da, fmt::format("({}*{})", a, std::numbers::ln10))};
      case Op::sin:
        return ValueAndRate{f, product(fmt::format("cos({})", a), da)};
      case Op::cos:
        return ValueAndRate{f, negative(product(fmt::format("sin({})", a), da))};
      case Op::tan:
        return ValueAndRate{f, product(fmt::format("(1 + {}^2)", f), da)};
      case Op::asin:
        return ValueAndRate{f, quotient(da, fmt::format("sqrt(1 - {}^2)", a))};
      case Op::acos:
        return ValueAndRate{f, negative(quotient(da, fmt::format("sqrt(1 - {}^2)", a)))};
      case Op::atan:
        return ValueAndRate{f, quotient(da, fmt::format("(1 + {}^2)", a))};
      case Op::sinh:
        return ValueAndRate{f, product(fmt::format("cosh({})", a), da)};
      case Op::cosh:
        return ValueAndRate{f, product(fmt::format("sinh({})", a), da)};
      case Op::tanh:
        return ValueAndRate{f, product(fmt::format("(1 - {}^2)", f), da)};
      default:  // sign, floor, ceil, round: steps
        return ValueAndRate{f, {}};
    }
  }

  [[nodiscard]] std::optional<ValueAndRate> several(const Node& node) const {
    const auto& [a, da] = arg(node, 0);
    const auto& [b, db] = arg(node, 1);
    std::string f;
    if (const std::string_view sign = infix(node.op); !sign.empty()) {
      f = fmt::format("({} {} {})", a, sign, b);
    } else {
      const std::string_view name = function_name(node.op);
      if (name.empty()) return std::nullopt;
      f = fmt::format("{}({}, {}{})", name, a, b,
                      node.args.size() == 3 ? ", " + arg(node, 2).value : "");
    }
    switch (node.op) {
      case Op::add:
        return ValueAndRate{f, sum(da, db)};
      case Op::subtract:
        return ValueAndRate{f, sum(da, negative(db))};
      case Op::multiply:
        return ValueAndRate{f, sum(product(da, b), product(a, db))};
      case Op::divide:
        return ValueAndRate{
            f, sum(quotient(da, b), negative(quotient(product(a, db), fmt::format("{}^2", b))))};
      case Op::power:
        return power(node, f);
      case Op::atan2:  // a above, b along
        return ValueAndRate{f, quotient(sum(product(b, da), negative(product(a, db))),
                                        fmt::format("({}^2 + {}^2)", a, b))};
      case Op::hypot:
        return ValueAndRate{f, quotient(sum(product(a, da), product(b, db)), f)};
      case Op::mod:  // a - b times a whole number
        return db.empty() ? std::optional(ValueAndRate{f, da}) : std::nullopt;
      case Op::min:
        return ValueAndRate{f, chosen(fmt::format("{} < {}", a, b), da, db)};
      case Op::max:
        return ValueAndRate{f, chosen(fmt::format("{} > {}", a, b), da, db)};
      case Op::select:
        return ValueAndRate{f, chosen(a, db, arg(node, 2).rate)};
      case Op::sat: {
        const auto& [hi, dhi] = arg(node, 2);
        return ValueAndRate{f, chosen(fmt::format("{} < {}", a, b), db,
                                      chosen(fmt::format("{} > {}", a, hi), dhi, da))};
      }
      case Op::deadband: {
        const auto& [hi, dhi] = arg(node, 2);
        return ValueAndRate{
            f, chosen(fmt::format("{} < {}", a, b), sum(da, negative(db)),
                      chosen(fmt::format("{} > {}", a, hi), sum(da, negative(dhi)), {}))};
      }
      default:  // comparisons
        return ValueAndRate{f, {}};
    }
  }

  static std::string chosen(const std::string& when, const std::string& a, const std::string& b) {
    if (a == b) return a;
    return fmt::format("if({}, {}, {})", when, or_zero(a), or_zero(b));
  }

  [[nodiscard]] std::optional<ValueAndRate> power(const Node& node, const std::string& f) const {
    const auto& [a, da] = arg(node, 0);
    const auto& [b, db] = arg(node, 1);
    if (da.empty() && db.empty()) return ValueAndRate{f, {}};
    if (const auto n = literal_value(e_, node.args[1]); n && std::isfinite(*n)) {
      if (*n == 0.0) return ValueAndRate{f, {}};
      if (*n == 1.0) return ValueAndRate{f, da};
      const std::string less = *n == 2.0 ? a : fmt::format("({}^({}))", a, *n - 1.0);
      return ValueAndRate{f, product(fmt::format("({})", *n), product(less, da))};
    }
    const std::string along = quotient(product(b, da), a);
    const std::string above = product(db, fmt::format("log({})", a));
    return ValueAndRate{f, product(f, sum(along, above))};
  }

  const Expression& e_;
  const std::function<bool(std::string_view)>& constant_;
  std::vector<ValueAndRate> parts_;
};

// One operation of an expression, on numbers.
double operate(const Node& node, const std::vector<double>& values) {
  std::array<double, 4> v{};  // operands, and the result
  for (std::size_t i = 0; i < node.args.size() && i < 3; ++i)
    v[i] = values[static_cast<std::size_t>(node.args[i])];
  const Instruction i{.op = node.op, .to = 3, .a = 0, .b = 1, .c = 2};
  if (is_function(node.op))
    execute_functions(std::span(&i, 1), v.data(), Tables{});
  else
    execute_arithmetic(std::span(&i, 1), v.data());
  return v[3];
}

}  // namespace

std::optional<std::string> time_derivative(const Expression& e,
                                           const std::function<bool(std::string_view)>& constant) {
  return Differentiator(e, constant).run();
}

double evaluate(const Expression& e, const std::function<double(const std::string&)>& value_of) {
  std::vector<double> values;
  for (const Node& node : e.nodes) {
    if (node.kind == Node::Kind::number)
      values.push_back(node.number);
    else if (node.kind == Node::Kind::operation)
      values.push_back(operate(node, values));
    else
      values.push_back(node.kind == Node::Kind::name ? value_of(node.name)
                                                     : std::numeric_limits<double>::quiet_NaN());
  }
  return values.back();
}

}  // namespace chicane
