// SPDX-License-Identifier: Apache-2.0

// Conditions of events in three values, against Kleene's tables on random formulas.

#include "language/compile/condition.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <random>

#include "language/expression/program.hpp"
#include "language/model_structure.hpp"

namespace chicane::condition_test {
namespace {

using Values = std::map<std::string, double>;

double applied(const Node& node, double a, double b, double c) {
  std::array<double, 4> v{a, b, c, 0.0};
  const Instruction i{.op = node.op, .to = 3, .a = 0, .b = 1, .c = 2};
  execute_arithmetic(std::span(&i, 1), v.data());
  return v[3];
}

double plain(const Expression& e, int i, const Values& values) {
  const Node& node = e.nodes[static_cast<std::size_t>(i)];
  if (node.kind == Node::Kind::number) return node.number;
  if (node.kind == Node::Kind::name) return values.at(node.name);
  std::array<double, 3> v{};
  for (std::size_t k = 0; k < node.args.size(); ++k) v[k] = plain(e, node.args[k], values);
  return applied(node, v[0], v[1], v[2]);
}

double kleene(const Expression& e, int i, const Values& values) {
  const Node& node = e.nodes[static_cast<std::size_t>(i)];
  const auto truth = [&](std::size_t k) { return kleene(e, node.args[k], values); };
  if (node.kind == Node::Kind::operation) {
    if (node.op == Op::logical_and) return std::min(truth(0), truth(1));
    if (node.op == Op::logical_or) return std::max(truth(0), truth(1));
    if (node.op == Op::logical_not) return 1 - truth(0);
    if (node.op == Op::select)
      return truth(0) == kUnknown ? kUnknown : truth(0) == 1 ? truth(1) : truth(2);
    if (node.op >= Op::less && node.op <= Op::not_equal)
      for (const int operand : node.args)
        if (std::isnan(plain(e, operand, values))) return kUnknown;
  }
  const double value = plain(e, i, values);
  return std::isnan(value) ? kUnknown : value != 0.0 ? 1 : 0;
}

class Formulas {
 public:
  std::string operand() { return pick({"a", "b", "c", "0", "1", "(a + b)", "(a - c)", "(b*c)"}); }
  std::string condition(int depth) {
    const int kind = depth == 0 ? 0 : static_cast<int>(random_() % 6);
    const auto inner = [&] { return condition(depth - 1); };
    if (kind == 1) return "(" + inner() + " and " + inner() + ")";
    if (kind == 2) return "(" + inner() + " or " + inner() + ")";
    if (kind == 3) return "(not " + inner() + ")";
    if (kind == 4) return "if(" + inner() + ", " + inner() + ", " + inner() + ")";
    return "(" + operand() + pick({" < ", " <= ", " > ", " >= ", " == ", " != "}) + operand() + ")";
  }
  double value() {
    constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    constexpr std::array kValues{-1.0, 0.0, 1.0, 2.0, kNaN, kNaN, kInfinity, -kInfinity};
    return kValues[random_() % kValues.size()];
  }

 private:
  std::string pick(std::vector<const char*> words) { return words[random_() % words.size()]; }
  std::mt19937 random_{20};
};

TEST(ThreeValuedCondition, FollowsKleenesTables) {
  Formulas formulas;
  std::map<double, int> seen;
  for (int n = 0; n < 2000; ++n) {
    Diagnostics diag;
    const auto e = parse_expression({formulas.condition(n % 5), {}}, diag);
    ASSERT_TRUE(e) << diag.text();
    const Expression three = compiling::three_valued(*e);
    const Values values{{"a", formulas.value()}, {"b", formulas.value()}, {"c", formulas.value()}};
    const double wanted = kleene(*e, static_cast<int>(e->nodes.size()) - 1, values);
    const double got = plain(three, static_cast<int>(three.nodes.size()) - 1, values);
    EXPECT_EQ(got, wanted) << e->source.text << " a = " << values.at("a")
                           << ", b = " << values.at("b") << ", c = " << values.at("c");
    // what is known is what two values say
    if (wanted != kUnknown) {
      EXPECT_EQ(wanted == 1, plain(*e, static_cast<int>(e->nodes.size()) - 1, values) != 0.0)
          << e->source.text;
    }
    ++seen[wanted];
  }
  for (const double truth : {0.0, kUnknown, 1.0}) EXPECT_GT(seen[truth], 100);
}

}  // namespace
}  // namespace chicane::condition_test
