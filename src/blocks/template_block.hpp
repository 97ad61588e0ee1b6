// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <utility>

#include "language/block.hpp"

namespace chicane {

// The makers of a BlockKind whose block is the template B<T>.
template <template <class> class B>
class TemplateBlockKind : public BlockKind {
 public:
  // A B for that scalar.
  [[nodiscard]] std::unique_ptr<Block<double>> make(double) const override {
    return std::make_unique<B<double>>();
  }
  [[nodiscard]] std::unique_ptr<Block<Dual>> make(Dual) const override {
    return std::make_unique<B<Dual>>();
  }
};

// A struct of scalars from the values that stand side by side in the order of its members.
template <class S, class T>
constexpr S from_values(std::span<const T> values) {
  return [&]<std::size_t... i>(std::index_sequence<i...>) { return S{values[i]...}; }
  (std::make_index_sequence<sizeof(S) / sizeof(T)>{});
}

// The same from the inputs of a block, first to last.
template <class S, class T>
constexpr S from_inputs(const BlockView<T>& at) {
  return [&]<std::size_t... i>(std::index_sequence<i...>) {
    return S{at.u(static_cast<int>(i))...};
  }
  (std::make_index_sequence<sizeof(S) / sizeof(T)>{});
}

}  // namespace chicane
