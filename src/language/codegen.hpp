// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <vector>

#include "language/expression/program.hpp"

namespace chicane {

// From expressions to three-address code. While code is being generated a slot is a region and an
// index in it; place() makes it an address once the sizes of the regions are known. Subexpressions
// of constants are computed apart, once per change of parameters, and not at run time.
class Codegen {
 public:
  using Slot = std::uint32_t;
  enum Region : Slot { kConstant = 0, kVariable = 1, kTemporary = 2 };

  static Slot encode(Region region, Slot index) { return region << 30 | index; }
  static Slot place(Slot slot, Slot variables, Slot temporaries);

  Codegen(std::vector<Instruction>& code, std::vector<double>& constants,
          std::function<Slot(const Node&)> leaf,
          std::function<bool(const Expression&, const Node&)> is_constant,
          std::function<Slot(const Node&)> table);

  void assign(Slot to, const Expression& e);           // code that puts e's value there
  Slot constant(const Expression& e);                  // e's value as a derived constant
  void assign_constant(Slot to, const Expression& e);  // the same, at a place of its own
  Slot new_constant(double value = 0.0);               // a place among the constants

  [[nodiscard]] Slot temporaries() const { return most_temporaries_; }
  void reset_temporaries() { most_temporaries_ = 0; }
  // What computes the derived constants.
  [[nodiscard]] const std::vector<Instruction>& prepare_code() const { return prepare_; }

 private:
  Slot value(const Expression& e, int node);
  Slot literal(double value);
  Slot fresh(bool constant);
  void emit(const Expression& e, const Node& node, Slot to, bool constant);
  void emit_power(const Expression& e, const Node& node, double exponent, Slot to, bool constant);
  [[nodiscard]] const Node* plain_sum(const Expression& e, int at, bool constant) const;
  bool fuse(const Expression& e, const Node& node, Slot to, bool constant);
  void push(bool constant, Instruction i);

  std::vector<Instruction>& code_;
  std::vector<Instruction> prepare_;
  std::vector<double>& constants_;
  std::function<Slot(const Node&)> leaf_;
  std::function<bool(const Expression&, const Node&)> is_constant_;
  std::function<Slot(const Node&)> table_;
  std::map<std::uint64_t, Slot> literal_slots_;
  Slot temporaries_ = 0, most_temporaries_ = 0;
  std::size_t begin_ = 0;  // where the code of this expression starts
};

}  // namespace chicane
