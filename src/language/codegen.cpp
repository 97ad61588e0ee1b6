// SPDX-License-Identifier: Apache-2.0
#include "language/codegen.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace chicane {

Codegen::Codegen(std::vector<Instruction>& code, std::vector<double>& constants,
                 std::function<Slot(const Node&)> leaf,
                 std::function<bool(const Expression&, const Node&)> is_constant,
                 std::function<Slot(const Node&)> table)
    : code_(code),
      constants_(constants),
      leaf_(std::move(leaf)),
      is_constant_(std::move(is_constant)),
      table_(std::move(table)) {}

Codegen::Slot Codegen::place(Slot slot, Slot variables, Slot temporaries) {
  const Slot index = slot & ~(Slot{3} << 30);
  switch (slot >> 30) {
    case kConstant:
      return index;
    case kVariable:
      return variables + index;
    default:
      return temporaries + index;
  }
}

Codegen::Slot Codegen::new_constant(double value) {
  constants_.push_back(value);
  return encode(kConstant, static_cast<Slot>(constants_.size()) - 1);
}

Codegen::Slot Codegen::literal(double value) {
  const auto bits = std::bit_cast<std::uint64_t>(value);
  const auto it = literal_slots_.find(bits);
  return it != literal_slots_.end() ? it->second : literal_slots_[bits] = new_constant(value);
}

Codegen::Slot Codegen::fresh(bool constant) {
  if (constant) return new_constant(0.0);
  most_temporaries_ = std::max(most_temporaries_, temporaries_ + 1);
  return encode(kTemporary, temporaries_++);
}

void Codegen::assign(Slot to, const Expression& e) {
  temporaries_ = 0;
  begin_ = code_.size();
  const int root = static_cast<int>(e.nodes.size()) - 1;
  const bool computed =
      e.root().kind == Node::Kind::operation || e.root().kind == Node::Kind::table;
  if (computed && !is_constant_(e, e.root()))
    emit(e, e.root(), to, false);
  else
    push(false, {Op::copy, to, value(e, root), 0, 0});
}

Codegen::Slot Codegen::constant(const Expression& e) {
  return value(e, static_cast<int>(e.nodes.size()) - 1);
}

void Codegen::assign_constant(Slot to, const Expression& e) {
  push(true, {Op::copy, to, constant(e), 0, 0});
}

// Where the value of a node stands, after code for it if it needs any.
Codegen::Slot Codegen::value(const Expression& e, int at) {
  const Node& node = e.nodes[static_cast<std::size_t>(at)];
  if (node.kind == Node::Kind::number) return literal(node.number);
  if (node.kind == Node::Kind::name || node.kind == Node::Kind::derivative) return leaf_(node);
  const bool constant = is_constant_(e, node);
  const Slot kept = temporaries_;
  const Slot to = fresh(constant);
  emit(e, node, to, constant);
  if (!constant) temporaries_ = kept + 1;  // operands are spent, the result stays
  return to;
}

void Codegen::emit(const Expression& e, const Node& node, Slot to, bool constant) {
  if (node.kind == Node::Kind::table) {
    const Slot a = value(e, node.args[0]);
    const Slot b = node.args.size() > 1 ? value(e, node.args[1]) : a;
    push(constant, {node.args.size() > 1 ? Op::table2 : Op::table1, to, a, b, table_(node)});
    return;
  }
  if (node.op == Op::power)
    if (const auto exponent = literal_value(e, node.args[1])) {
      emit_power(e, node, *exponent, to, constant);
      return;
    }
  if (fuse(e, node, to, constant)) return;
  Slot operand[3] = {0, 0, 0};
  for (std::size_t i = 0; i < node.args.size(); ++i) operand[i] = value(e, node.args[i]);
  push(constant, {node.op, to, operand[0], operand[1], operand[2]});
}

// Appends an instruction; an operand that the one before has just computed is taken from there.
void Codegen::push(bool constant, Instruction i) {
  std::vector<Instruction>& code = constant ? prepare_ : code_;
  const bool follows = !constant && code.size() > begin_ && code.back().to >> 30 == kTemporary &&
                       !is_function(code.back().op);
  const auto last = [&](Slot operand) { return follows && operand == code.back().to; };
  switch (i.op) {
    case Op::add:
    case Op::multiply:
      if (last(i.b)) std::swap(i.a, i.b);
      if (last(i.a) && i.a != i.b) i.op = i.op == Op::add ? Op::add_last : Op::multiply_last;
      break;
    case Op::subtract:
      if (last(i.a))
        i.op = Op::subtract_last;
      else if (last(i.b))
        i.op = Op::last_subtracted;
      break;
    case Op::divide:
      if (last(i.a)) i.op = Op::divide_last;
      break;
    case Op::multiply_add:
      if (last(i.b)) std::swap(i.a, i.b);
      if (last(i.c))
        i.op = Op::multiply_add_last;
      else if (last(i.a))
        i.op = Op::scale_last_add;
      break;
    case Op::subtract_from:
      if (last(i.c)) i.op = Op::subtract_from_last;
      break;
    default:
      break;
  }
  code.push_back(i);
}

// Small whole powers are products.
void Codegen::emit_power(const Expression& e, const Node& node, double exponent, Slot to,
                         bool constant) {
  const Slot base = value(e, node.args[0]);
  const auto squared = [&](Slot of) {
    const Slot s = fresh(constant);
    push(constant, {Op::square, s, of, of, 0});
    return s;
  };
  if (exponent == 1.0)
    push(constant, {Op::copy, to, base, 0, 0});
  else if (exponent == 2.0)
    push(constant, {Op::square, to, base, base, 0});
  else if (exponent == 3.0)
    push(constant, {Op::multiply, to, squared(base), base, 0});
  else if (exponent == 4.0)
    push(constant, {Op::square, to, squared(base), 0, 0});
  else if (exponent == -1.0)
    push(constant, {Op::divide, to, literal(1.0), base, 0});
  else if (exponent == -2.0)
    push(constant, {Op::divide, to, literal(1.0), squared(base), 0});
  else
    push(constant, {Op::power, to, base, value(e, node.args[1]), 0});
}

// a + b or a - b of values that are there already: the beginning of a longer sum.
const Node* Codegen::plain_sum(const Expression& e, int at, bool constant) const {
  const Node& n = e.nodes[static_cast<std::size_t>(at)];
  if (n.kind != Node::Kind::operation || (n.op != Op::add && n.op != Op::subtract)) return nullptr;
  if (!constant && is_constant_(e, n)) return nullptr;
  for (const int arg : n.args)
    if (const Node& operand = e.nodes[static_cast<std::size_t>(arg)];
        operand.kind == Node::Kind::operation || operand.kind == Node::Kind::table)
      if (constant || !is_constant_(e, operand)) return nullptr;
  return &n;
}

// a b + c, c - a b, a b +- c d and a +- b +- c d in one instruction; everything is rounded as it
// would be alone.
bool Codegen::fuse(const Expression& e, const Node& node, Slot to, bool constant) {
  if (node.op != Op::add && node.op != Op::subtract) return false;
  const auto product = [&](int at) -> const Node* {
    const Node& n = e.nodes[static_cast<std::size_t>(at)];
    const bool is = n.kind == Node::Kind::operation && n.op == Op::multiply;
    return is && (constant || !is_constant_(e, n)) ? &n : nullptr;
  };
  const Node *left = product(node.args[0]), *right = product(node.args[1]);
  if (left != nullptr && right != nullptr) {
    const Slot a = value(e, left->args[0]), b = value(e, left->args[1]);
    const Slot c = value(e, right->args[0]), d = value(e, right->args[1]);
    push(constant, {node.op == Op::add ? Op::add_products : Op::subtract_products, to, a, b, c, d});
    return true;
  }
  if (right == nullptr && (left == nullptr || node.op == Op::subtract)) return false;
  if (const Node* sum = right != nullptr ? plain_sum(e, node.args[0], constant) : nullptr) {
    const Slot a = value(e, sum->args[0]), b = value(e, sum->args[1]);
    const Slot c = value(e, right->args[0]), d = value(e, right->args[1]);
    const bool plus = node.op == Op::add;
    push(constant,
         {sum->op == Op::add ? (plus ? Op::sum_plus_product : Op::sum_minus_product)
                             : (plus ? Op::difference_plus_product : Op::difference_minus_product),
          to, a, b, c, d});
    return true;
  }
  const Node* ab = right != nullptr ? right : left;
  const Slot c = value(e, node.args[right != nullptr ? 0 : 1]);
  const Slot a = value(e, ab->args[0]), b = value(e, ab->args[1]);
  push(constant, {node.op == Op::add ? Op::multiply_add : Op::subtract_from, to, a, b, c});
  return true;
}

}  // namespace chicane
