// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "language/expression/expression.hpp"

namespace chicane {

// An expression that a program puts together, of handles and numbers: what a file says in text.
class Formula {
 public:
  Formula(double number, const Dimension& dimension = {})
      : nodes_{{.number = number, .dimension = dimension}} {}
  Formula(const SignalHandle& signal) : nodes_{{.kind = Node::Kind::name, .signal = signal}} {}
  // A signal of the model that the file decides what it is: an input, or what drives it.
  static Formula named(std::string name) {
    Formula f(0.0);
    f.nodes_ = {{.kind = Node::Kind::name, .name = std::move(name)}};
    return f;
  }

  friend Formula operator+(Formula a, const Formula& b) { return joined(Op::add, std::move(a), b); }
  friend Formula operator-(Formula a, const Formula& b) {
    return joined(Op::subtract, std::move(a), b);
  }
  friend Formula operator*(Formula a, const Formula& b) {
    return joined(Op::multiply, std::move(a), b);
  }
  friend Formula operator/(Formula a, const Formula& b) {
    return joined(Op::divide, std::move(a), b);
  }
  friend Formula operator-(Formula a) { return of(Op::negate, std::move(a)); }
  friend Formula sin(Formula a) { return of(Op::sin, std::move(a)); }
  friend Formula cos(Formula a) { return of(Op::cos, std::move(a)); }

  // `text`: what stands for it in a message.
  [[nodiscard]] Expression expression(std::string text, const Location& where) && {
    return {{std::move(text), where}, std::move(nodes_)};
  }

 private:
  [[nodiscard]] int last() const { return static_cast<int>(nodes_.size()) - 1; }

  static Formula of(Op op, Formula a) {
    a.nodes_.push_back({.kind = Node::Kind::operation, .op = op, .args = {a.last()}});
    return a;
  }
  static Formula joined(Op op, Formula a, const Formula& b) {
    const int left = a.last(), before = left + 1;
    for (Node node : b.nodes_) {
      for (int& arg : node.args) arg += before;
      a.nodes_.push_back(std::move(node));
    }
    a.nodes_.push_back({.kind = Node::Kind::operation, .op = op, .args = {left, a.last()}});
    return a;
  }

  std::vector<Node> nodes_;  // each after its operands
};

}  // namespace chicane
