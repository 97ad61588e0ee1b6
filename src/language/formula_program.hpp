// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "language/codegen.hpp"
#include "language/spec.hpp"

// Formulas that stand apart from the equations of a model: the law of a part of a vehicle, over
// quantities that the part gives. They have the grammar, the functions, the tables and the check of
// units of all formulas, and become the same code.

namespace chicane {

// The code. Values stand in an array that whoever runs it brings along: no memory is taken.
class FormulaProgram {
 public:
  // How many numbers the array has.
  [[nodiscard]] std::size_t size() const { return temporaries_ + temporary_count_; }
  // Where quantity, auxiliary or formula number `item` stands in it.
  [[nodiscard]] std::size_t place(int item) const {
    return constants_.size() + static_cast<std::size_t>(item);
  }
  // Puts the constants into a new array.
  template <class T>
  void begin(std::span<T> v) const noexcept {
    for (std::size_t i = 0; i < constants_.size(); ++i) v[i] = T(constants_[i]);
  }
  // Computes what piece number `piece` was made for, of what stands there.
  template <class T>
  void run(int piece, std::span<T> v) const noexcept {
    for (const Stretch& s : pieces_[static_cast<std::size_t>(piece)]) {
      const std::span code(code_.data() + s.begin, s.end - s.begin);
      if (s.functions)
        execute_functions<T>(code, v.data(), tables_);
      else
        execute_arithmetic<T>(code, v.data());
    }
  }

 private:
  friend class FormulaCompiler;
  struct Stretch {
    std::size_t begin, end;
    bool functions;
  };

  std::vector<double> constants_;
  std::size_t temporaries_ = 0, temporary_count_ = 0;  // where they begin, how many
  std::vector<Instruction> code_;
  std::vector<std::vector<Stretch>> pieces_;
  Tables tables_;
};

// Makes one. Quantities, auxiliaries and formulas are numbered together, in the order in which they
// are declared; a formula knows the names declared before it. Faults go to the diagnostics, with
// the place; what has one is item -1, and nobody may build the program then.
class FormulaCompiler {
 public:
  // `owner`: "a tire of type formula", for messages.
  FormulaCompiler(const Spec& spec, std::string owner, Diagnostics& diag)
      : spec_(spec), owner_(std::move(owner)), diag_(diag) {}

  // What the part gives; set before code runs that uses it.
  int quantity(const std::string& name, const Dimension& dimension);
  // A formula with a name that later formulas know.
  int auxiliary(const std::string& name, const Text& text);
  // A formula that measures `dimension`.
  int formula(const Text& text, const Dimension& dimension);

  // Whether a formula needs this quantity, itself or through auxiliaries.
  [[nodiscard]] bool uses(int formula, int quantity) const;
  // Code for these formulas and the auxiliaries they need; with `after`, only those auxiliaries
  // that depend on one of its quantities: the others stand there from a piece before.
  int piece(const std::vector<int>& formulas, const std::set<int>& after = {});
  // Code for the auxiliaries that these formulas need and that depend on none of `without`.
  int piece_before(const std::vector<int>& formulas, const std::set<int>& without);

  [[nodiscard]] bool knows(std::string_view name) const { return find(name) >= 0; }
  [[nodiscard]] FormulaProgram build();

 private:
  struct Item {
    std::string name;                 // empty: a formula that others do not know
    Measure measure;                  // what it measures
    std::optional<Expression> e{};    // none: a quantity
    std::set<int> needs{};            // items, and theirs
    std::vector<Instruction> code{};  // with slots that have no place yet
  };

  [[nodiscard]] int find(std::string_view name) const;
  [[nodiscard]] const Item& at(int i) const { return items_[static_cast<std::size_t>(i)]; }
  std::optional<Expression> parsed(const Text& text);
  bool known(const Expression& e, const Node& node);
  bool take_table(const Expression& e, const Node& node);
  std::optional<Measure> measured(const Expression& e);
  int add(std::string name, Measure measure, Expression e);
  int add_piece(const std::set<int>& wanted);
  static bool literal(const Expression& e, const Node& node);
  [[nodiscard]] Codegen::Slot table_slot(const Node& node) const;

  const Spec& spec_;
  std::string owner_;
  Diagnostics& diag_;
  std::vector<Item> items_;
  std::vector<std::vector<int>> pieces_;
  std::vector<std::pair<std::string, std::uint32_t>> tables_;  // by name, their numbers
  FormulaProgram program_;
};

}  // namespace chicane
