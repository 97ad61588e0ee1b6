// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstddef>
#include <utility>
#include <vector>

namespace chicane {

// An index that knows what it counts: a StateIndex cannot address a table of blocks.
template <class Tag>
struct Index {
  int value = -1;
  [[nodiscard]] constexpr bool valid() const { return value >= 0; }
  constexpr auto operator<=>(const Index&) const = default;
};

using BlockIndex = Index<struct BlockTag>;
using GroupIndex = Index<struct GroupTag>;
using StateIndex = Index<struct StateTag>;
using MemoryIndex = Index<struct MemoryTag>;
using ParameterIndex = Index<struct ParameterTag>;
using InputIndex = Index<struct InputTag>;
using EventIndex = Index<struct EventTag>;
using SignalIndex = Index<struct SignalTag>;

// The first n indexes of a kind, to go through: for (const GroupIndex g :
// FirstIndices<GroupIndex>(n)).
template <class I>
class FirstIndices {
 public:
  struct Iterator {
    I at;
    constexpr I operator*() const { return at; }
    constexpr Iterator& operator++() {
      ++at.value;
      return *this;
    }
    constexpr bool operator==(const Iterator&) const = default;
  };
  constexpr explicit FirstIndices(int n) : n_(n) {}
  [[nodiscard]] constexpr Iterator begin() const { return {I{0}}; }
  [[nodiscard]] constexpr Iterator end() const { return {I{n_}}; }

 private:
  int n_;
};

// A vector addressed only by its own kind of index.
template <class I, class T>
class PerIndex {
 public:
  PerIndex() = default;
  explicit PerIndex(std::size_t n, const T& value = T{}) : items_(n, value) {}

  [[nodiscard]] T& operator[](I i) { return items_[static_cast<std::size_t>(i.value)]; }
  [[nodiscard]] const T& operator[](I i) const { return items_[static_cast<std::size_t>(i.value)]; }
  [[nodiscard]] int size() const { return static_cast<int>(items_.size()); }
  [[nodiscard]] bool empty() const { return items_.empty(); }
  [[nodiscard]] FirstIndices<I> indices() const { return FirstIndices<I>(size()); }
  I push_back(T item) {
    items_.push_back(std::move(item));
    return I{size() - 1};
  }
  [[nodiscard]] auto begin() { return items_.begin(); }
  [[nodiscard]] auto end() { return items_.end(); }
  [[nodiscard]] auto begin() const { return items_.begin(); }
  [[nodiscard]] auto end() const { return items_.end(); }

  friend bool operator==(const PerIndex&, const PerIndex&) = default;

 private:
  std::vector<T> items_;
};

}  // namespace chicane
