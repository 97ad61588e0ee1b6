// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <memory>
#include <span>
#include <utility>

#include "blocks/template_block.hpp"

// Kinds of blocks that were made from a section of a file: what they are is known only then.

namespace chicane {

// A block with data, curves and maps: B<T> derives from it.
template <class T, class Data>
class DataBlock : public Block<T> {
 public:
  explicit DataBlock(std::shared_ptr<const Data> data) : data_(std::move(data)) {}

 protected:
  [[nodiscard]] const Data& data() const { return *data_; }

 private:
  std::shared_ptr<const Data> data_;
};

// Its kind: what it is, and the data that all its blocks share.
template <template <class> class B, class Data>
class DataBlockKind final : public BlockKind {
 public:
  DataBlockKind(BlockInfo info, Data data)
      : info_(std::move(info)), data_(std::make_shared<const Data>(std::move(data))) {}

  [[nodiscard]] BlockInfo info() const override { return info_; }
  [[nodiscard]] std::unique_ptr<Block<double>> make(double) const override {
    return std::make_unique<B<double>>(data_);
  }
  [[nodiscard]] std::unique_ptr<Block<Dual>> make(Dual) const override {
    return std::make_unique<B<Dual>>(data_);
  }

 private:
  BlockInfo info_;
  std::shared_ptr<const Data> data_;
};

template <template <class> class B, class Data>
std::shared_ptr<const BlockKind> make_block_kind(BlockInfo info, Data data) {
  return std::make_shared<DataBlockKind<B, Data>>(std::move(info), std::move(data));
}

// A block that has no data.
template <template <class> class B>
class PlainBlockKind final : public TemplateBlockKind<B> {
 public:
  explicit PlainBlockKind(BlockInfo info) : info_(std::move(info)) {}
  [[nodiscard]] BlockInfo info() const override { return info_; }

 private:
  BlockInfo info_;
};

template <template <class> class B>
std::shared_ptr<const BlockKind> make_block_kind(BlockInfo info) {
  return std::make_shared<PlainBlockKind<B>>(std::move(info));
}

// The members of a struct of scalars, in their order, into the values from `first` on.
template <class S, class T>
void to_values(const S& s, std::span<T> values, std::size_t first = 0) {
  const auto members = std::bit_cast<std::array<T, sizeof(S) / sizeof(T)>>(s);
  std::copy(members.begin(), members.end(), values.begin() + static_cast<std::ptrdiff_t>(first));
}

}  // namespace chicane
