// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <atomic>
#include <cassert>
#include <cstddef>
#include <span>
#include <vector>

#include "core/diagnostics.hpp"

namespace chicane {

// A queue of rows of `width` numbers between one thread that pushes and one that pops. Nothing
// locks, waits or allocates after construction; a full or empty ring says so.
//
// Both counts only grow; a row lives in slot count % rows. Each side owns its count, publishes it
// with release and reads the other's with acquire, and only when its last look is used up.
class RowRing {
 public:
  RowRing(std::size_t width, std::size_t rows) : width_(width), rows_(rows) {
    require(width > 0 && rows > 0, "a ring of {} rows of {} numbers holds nothing", rows, width);
    slots_.resize(width * rows);
  }

  // By the producer only. False: the ring is full and nothing was pushed.
  [[nodiscard]] bool try_push(std::span<const double> row) noexcept {
    assert(row.size() == width_);
    const std::size_t pushed = producer_.count.load(std::memory_order_relaxed);
    if (pushed - producer_.other_seen == rows_) {
      producer_.other_seen = consumer_.count.load(std::memory_order_acquire);
      if (pushed - producer_.other_seen == rows_) return false;
    }
    std::copy_n(row.begin(), width_, slot(pushed));
    producer_.count.store(pushed + 1, std::memory_order_release);
    return true;
  }

  // By the consumer only. False: the ring is empty and `row` is untouched.
  [[nodiscard]] bool try_pop(std::span<double> row) noexcept {
    assert(row.size() == width_);
    const std::size_t popped = consumer_.count.load(std::memory_order_relaxed);
    if (popped == consumer_.other_seen) {
      consumer_.other_seen = producer_.count.load(std::memory_order_acquire);
      if (popped == consumer_.other_seen) return false;
    }
    std::copy_n(slot(popped), width_, row.begin());
    consumer_.count.store(popped + 1, std::memory_order_release);
    return true;
  }

  [[nodiscard]] std::size_t width() const noexcept { return width_; }
  [[nodiscard]] std::size_t capacity() const noexcept { return rows_; }

 private:
  static constexpr std::size_t kCacheLine = 64;  // [byte] so that the sides do not slow each other

  struct alignas(kCacheLine) Side {
    std::atomic<std::size_t> count = 0;  // rows this side has moved
    std::size_t other_seen = 0;          // the other side's count when last looked at
  };

  [[nodiscard]] double* slot(std::size_t count) noexcept {
    return slots_.data() + (count % rows_) * width_;
  }

  std::size_t width_;
  std::size_t rows_;
  std::vector<double> slots_;
  Side producer_;
  Side consumer_;
};

}  // namespace chicane
