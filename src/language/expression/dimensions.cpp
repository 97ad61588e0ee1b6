// SPDX-License-Identifier: Apache-2.0

// The dimension rules of the operations.

#include <cmath>

#include "language/expression/expression.hpp"

namespace chicane {
namespace {

// Both sides must measure the same; 0 takes the other's dimension.
std::optional<Measure> common(const Measure& a, const Measure& b) {
  if (a.any) return b;
  if (b.any || a.dimension == b.dimension) return a;
  return std::nullopt;
}

std::string mismatch(std::string_view what, const Measure& a, const Measure& b) {
  return fmt::format("{} {} and {}", what, quantity_name(a.dimension), quantity_name(b.dimension));
}

bool plain(const Measure& m) { return m.any || m.dimension.is_none(); }

std::optional<Measure> raised(const Expression& e, const Node& node, const Measure& base,
                              std::string& fault) {
  if (plain(base)) return Measure{};
  const auto exponent = literal_value(e, node.args[1]);
  if (!exponent) {
    fault = fmt::format("{} can only be raised to a literal power", quantity_name(base.dimension));
    return std::nullopt;
  }
  const double twelfths = *exponent * 12;
  if (std::fabs(twelfths - std::round(twelfths)) < 1e-9 && std::fabs(twelfths) < 1000)
    if (const auto d = power(base.dimension, static_cast<int>(std::lround(twelfths)), 12))
      return Measure{*d};
  fault = fmt::format("{} to the power {} has no unit", quantity_name(base.dimension), *exponent);
  return std::nullopt;
}

}  // namespace

std::optional<double> literal_value(const Expression& e, int at) {
  const Node& node = e.nodes[static_cast<std::size_t>(at)];
  if (node.kind == Node::Kind::number) return node.number;
  if (node.kind != Node::Kind::operation) return std::nullopt;
  std::vector<double> v;
  for (const int a : node.args) {
    const auto value = literal_value(e, a);
    if (!value) return std::nullopt;
    v.push_back(*value);
  }
  switch (node.op) {
    case Op::negate:
      return -v[0];
    case Op::add:
      return v[0] + v[1];
    case Op::subtract:
      return v[0] - v[1];
    case Op::multiply:
      return v[0] * v[1];
    case Op::divide:
      return v[0] / v[1];
    default:
      return std::nullopt;
  }
}

std::optional<Measure> apply_rule(const Expression& e, const Node& node,
                                  const std::vector<Measure>& m, std::string& fault) {
  const auto need_plain = [&](std::size_t i, std::string_view what) {
    if (plain(m[i])) return true;
    fault = fmt::format("{} needs a plain number, not {}", what, quantity_name(m[i].dimension));
    return false;
  };
  const auto all_same = [&](std::string_view what) -> std::optional<Measure> {
    Measure together = m[0];
    for (std::size_t i = 1; i < m.size(); ++i) {
      const auto c = common(together, m[i]);
      if (!c) {
        fault = mismatch(what, together, m[i]);
        return std::nullopt;
      }
      together = *c;
    }
    return together;
  };
  switch (node.op) {
    case Op::negate:
    case Op::abs:
    case Op::copy:
      return m[0];
    case Op::add:
      return all_same("cannot add");
    case Op::subtract:
      return all_same("cannot subtract");
    case Op::min:
    case Op::max:
    case Op::sat:
    case Op::deadband:
    case Op::mod:
    case Op::hypot:
      return all_same("cannot compare");
    case Op::multiply:
    case Op::square:
      return Measure{m[0].dimension * m.back().dimension, m[0].any || m.back().any};
    case Op::divide:
      return Measure{m[0].dimension / m[1].dimension, m[0].any};
    case Op::power:
      if (!need_plain(1, "an exponent")) return std::nullopt;
      return raised(e, node, m[0], fault);
    case Op::sqrt: {
      if (m[0].any) return m[0];
      const auto d = power(m[0].dimension, 1, 2);
      if (!d) {
        fault = fmt::format("the root of {} has no unit", quantity_name(m[0].dimension));
        return std::nullopt;
      }
      return Measure{*d};
    }
    case Op::less:
    case Op::less_equal:
    case Op::greater:
    case Op::greater_equal:
    case Op::equal:
    case Op::not_equal:
    case Op::atan2:
      if (!all_same("cannot compare")) return std::nullopt;
      return Measure{};
    case Op::logical_and:
    case Op::logical_or:
      if (!need_plain(0, "a condition") || !need_plain(1, "a condition")) return std::nullopt;
      return Measure{};
    case Op::logical_not:
      if (!need_plain(0, "a condition")) return std::nullopt;
      return Measure{};
    case Op::select: {
      if (!need_plain(0, "a condition")) return std::nullopt;
      const auto c = common(m[1], m[2]);
      if (!c) fault = mismatch("both results of a choice must measure the same, not", m[1], m[2]);
      return c;
    }
    case Op::sign:
      return Measure{};
    default:  // sin, exp, floor ...
      if (!need_plain(0, "this function")) return std::nullopt;
      return Measure{};
  }
}

}  // namespace chicane
