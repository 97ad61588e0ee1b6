// SPDX-License-Identifier: Apache-2.0

// What an event waits for, in a logic of three values: an operand that is not a number makes a
// comparison neither true nor false, and an event that depends on it must not pass it over.

#include "language/compile/condition.hpp"

#include <utility>

#include "language/model_structure.hpp"

namespace chicane::compiling {
namespace {

// Kleene's logic in numbers: false 0, unknown 1/2, true 1. So `and` is the least, `or` the greatest
// and `not x` is 1 - x.
class ThreeValued {
 public:
  explicit ThreeValued(const Expression& e) : out_(e) {}

  Expression result() {
    logic(static_cast<int>(out_.nodes.size()) - 1);
    return std::move(out_);
  }

 private:
  // The node with the three-valued truth of node `i`.
  int logic(int i) {
    const Node node = out_.nodes[static_cast<std::size_t>(i)];
    if (node.kind != Node::Kind::operation) return truth(i);
    const auto& a = node.args;
    switch (node.op) {
      case Op::less:
        return between(add(Op::less, a[0], a[1]), add(Op::greater_equal, a[0], a[1]));
      case Op::less_equal:
        return between(add(Op::less_equal, a[0], a[1]), add(Op::greater, a[0], a[1]));
      case Op::greater:
        return between(add(Op::greater, a[0], a[1]), add(Op::less_equal, a[0], a[1]));
      case Op::greater_equal:
        return between(add(Op::greater_equal, a[0], a[1]), add(Op::less, a[0], a[1]));
      case Op::equal:
        return between(add(Op::equal, a[0], a[1]), differ(a[0], a[1]));
      case Op::not_equal:
        return between(differ(a[0], a[1]), add(Op::equal, a[0], a[1]));
      case Op::logical_not:
        return add(Op::subtract, number(1), logic(a[0]));
      case Op::logical_and:
      case Op::logical_or: {
        const int x = logic(a[0]), y = logic(a[1]);
        return add(node.op == Op::logical_and ? Op::min : Op::max, x, y);
      }
      case Op::select: {
        const int c = logic(a[0]), x = logic(a[1]), y = logic(a[2]);
        const int otherwise = add(Op::select, add(Op::less, c, number(0.25)), y, number(kUnknown));
        return add(Op::select, add(Op::greater, c, number(0.75)), x, otherwise);
      }
      default:
        return truth(i);
    }
  }

  // A number: true unless it is zero.
  int truth(int i) {
    const int zero = number(0);
    return between(differ(i, zero), add(Op::equal, i, zero));
  }
  // Where `yes` and `no` are both false, the mean of them is unknown.
  int between(int yes, int no) {
    const int sum = add(Op::add, yes, add(Op::subtract, number(1), no));
    return add(Op::multiply, number(0.5), sum);
  }
  int differ(int a, int b) {
    const int less = add(Op::less, a, b), greater = add(Op::greater, a, b);
    return add(Op::logical_or, less, greater);
  }

  int number(double value) {
    Node node;
    node.number = value;
    return push(std::move(node));
  }
  template <class... Args>
  int add(Op op, Args... args) {
    Node node;
    node.kind = Node::Kind::operation;
    node.op = op;
    node.args = {args...};
    return push(std::move(node));
  }
  int push(Node node) {
    out_.nodes.push_back(std::move(node));
    return static_cast<int>(out_.nodes.size()) - 1;
  }

  Expression out_;
};

}  // namespace

Expression three_valued(const Expression& condition) { return ThreeValued(condition).result(); }

}  // namespace chicane::compiling
