// SPDX-License-Identifier: Apache-2.0
#include "core/ring.hpp"

#include <gtest/gtest.h>

#include <array>
#include <thread>
#include <vector>

namespace chicane::ring_test {
namespace {

TEST(RowRing, TakesExactlyItsCapacityAndGivesItBackInOrder) {
  RowRing ring(2, 3);
  std::array<double, 2> row{};
  EXPECT_FALSE(ring.try_pop(row));
  for (int turn = 0; turn < 5; ++turn) {  // 15 rows: the slots wrap at different rows
    for (int i = 0; i < 3; ++i) {
      EXPECT_TRUE(ring.try_push(std::array{10.0 * turn + i, -1.0 * i}));
    }
    EXPECT_FALSE(ring.try_push(std::array{99.0, 99.0}));
    for (int i = 0; i < 3; ++i) {
      ASSERT_TRUE(ring.try_pop(row));
      EXPECT_EQ(row, (std::array{10.0 * turn + i, -1.0 * i}));
    }
    EXPECT_FALSE(ring.try_pop(row));
  }
}

TEST(RowRing, LosesAndTearsNothingBetweenTwoThreads) {
  constexpr int kRows = 100'000;
  constexpr std::size_t kWidth = 7;
  RowRing ring(kWidth, 8);  // small, so that both sides run into its ends
  std::thread producer([&] {
    std::vector<double> row(kWidth);
    for (int k = 0; k < kRows; ++k) {
      for (std::size_t i = 0; i < kWidth; ++i) row[i] = k + 0.125 * static_cast<double>(i);
      while (!ring.try_push(row)) std::this_thread::yield();
    }
  });

  int wrong = 0;
  std::vector<double> row(kWidth);
  for (int k = 0; k < kRows; ++k) {
    while (!ring.try_pop(row)) std::this_thread::yield();
    for (std::size_t i = 0; i < kWidth; ++i) {
      wrong += row[i] == k + 0.125 * static_cast<double>(i) ? 0 : 1;
    }
  }
  producer.join();
  EXPECT_EQ(wrong, 0);
  EXPECT_FALSE(ring.try_pop(row));
}

TEST(RowRing, RefusesToHoldNothing) {
  EXPECT_THROW(RowRing(0, 4), UsageError);
  EXPECT_THROW(RowRing(4, 0), UsageError);
}

}  // namespace
}  // namespace chicane::ring_test
