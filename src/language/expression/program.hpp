// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "language/expression/expression.hpp"
#include "math/scalar.hpp"
#include "math/table.hpp"

namespace chicane {

// Register code over one flat array of values: v[to] = op(v[a], v[b], v[c], v[d]). Constants,
// parameters, states and intermediate results all live in that array, so that no operand is ever
// pushed or fetched twice. For table look-ups c is the number of the table.
struct Instruction {
  Op op = Op::copy;
  std::uint32_t to = 0, a = 0, b = 0, c = 0, d = 0;
};

struct Tables {
  std::vector<Table1D> one;
  std::vector<Table2D> two;
};

// Run a piece of code: plain arithmetic, or functions that are calls. They are kept apart so that
// the first is a leaf, with no registers to save. No branches on values: `if` computes both sides
// and selects.
template <class T>
void execute_arithmetic(std::span<const Instruction> code, T* v) noexcept;
template <class T>
void execute_functions(std::span<const Instruction> code, T* v, const Tables& tables) noexcept;

}  // namespace chicane
