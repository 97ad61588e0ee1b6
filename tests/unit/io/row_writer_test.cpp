// SPDX-License-Identifier: Apache-2.0

// Rows go to the sinks on a thread of the writer's own: in order, all of them, whatever one does.

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <chrono>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "core/diagnostics.hpp"
#include "io/sinks/writer.hpp"
#include "testkit/messages.hpp"

namespace chicane::row_writer_test {
namespace {

struct Record {
  std::vector<double> rows;
  int flushes = 0;
  bool closed = false;
};

// Keeps the rows; slow or faulty on demand.
class TestSink : public Sink {
 public:
  explicit TestSink(Record& record, int throw_at = -1, bool slow = false, bool bad_flush = false)
      : record_(record), throw_at_(throw_at), slow_(slow), bad_flush_(bad_flush) {}
  ~TestSink() override { record_.closed = true; }

  void write(std::span<const double> row) override {
    if (static_cast<int>(record_.rows.size()) == throw_at_) throw std::runtime_error("disk full");
    if (slow_ && record_.rows.size() % 16 == 0) {
      std::this_thread::sleep_for(std::chrono::microseconds(200));
    }
    record_.rows.push_back(row[0]);
  }
  void flush() override {
    if (bad_flush_) throw std::runtime_error("cannot flush");
    ++record_.flushes;
  }

 private:
  Record& record_;
  int throw_at_;
  bool slow_;
  bool bad_flush_;
};

template <class... Made>
std::vector<std::unique_ptr<Sink>> list(Made... sinks) {
  std::vector<std::unique_ptr<Sink>> v;
  (v.push_back(std::move(sinks)), ...);
  return v;
}

std::vector<double> counted(int n) {
  std::vector<double> v;
  for (int k = 0; k < n; ++k) v.push_back(k);
  return v;
}

TEST(RowWriter, DeliversEveryRowInOrderToEverySinkUnderPressure) {
  Record a;
  Record b;
  RowWriter writer(1, list(std::make_unique<TestSink>(a, -1, true), std::make_unique<TestSink>(b)),
                   4);  // rows: far fewer than are pushed
  for (int k = 0; k < 5000; ++k) writer.push(std::array{1.0 * k});
  writer.finish();
  EXPECT_EQ(a.rows, counted(5000));
  EXPECT_EQ(b.rows, counted(5000));
  EXPECT_GE(a.flushes, 1);
  EXPECT_TRUE(a.closed && b.closed);  // files are whole when finish returns
}

TEST(RowWriter, TryPushTellsOfEveryRowItDidNotTake) {
  Record record;
  RowWriter writer(1, list(std::make_unique<TestSink>(record, -1, true)), 4);
  std::vector<double> taken;
  for (int k = 0; k < 20'000; ++k) {
    if (writer.try_push(std::array{1.0 * k})) taken.push_back(k);
  }
  writer.finish();
  EXPECT_EQ(record.rows, taken);
  EXPECT_FALSE(writer.try_push(std::array{1.0}));  // nobody would write it
  EXPECT_THROW(writer.push(std::array{1.0}), UsageError);
}

TEST(RowWriter, FinishThrowsWhatASinkThrewAndTheOthersGetAll) {
  Record bad;
  Record good;
  RowWriter writer(1, list(std::make_unique<TestSink>(bad, 3), std::make_unique<TestSink>(good)));
  int taken = 0;
  for (int k = 0; k < 100; ++k) taken += writer.try_push(std::array{1.0 * k}) ? 1 : 0;
  EXPECT_EQ(testkit::message_of([&] { writer.finish(); }), "disk full");
  EXPECT_TRUE(writer.failed());
  EXPECT_EQ(bad.rows, counted(3));
  EXPECT_EQ(good.rows, counted(taken));
}

TEST(RowWriter, PushThrowsWhatASinkThrew) {
  Record record;
  RowWriter writer(1, list(std::make_unique<TestSink>(record, 3)), 4);
  const std::string message = testkit::message_of([&] {
    for (int k = 0; k < 1'000'000; ++k) writer.push(std::array{1.0 * k});
  });
  EXPECT_EQ(message, "disk full");
  EXPECT_EQ(testkit::message_of([&] { writer.finish(); }), "disk full");
}

// The first flush comes at once: before the first row is pushed, or after it.
TEST(RowWriter, ThrowsAFailedFlushAtItsEndAtTheLatest) {
  Record record;
  RowWriter writer(1, list(std::make_unique<TestSink>(record, -1, false, true)));
  const auto use = [&] {
    writer.push(std::array{0.0});
    writer.finish();
  };
  EXPECT_EQ(testkit::message_of(use), "cannot flush");
}

TEST(RowWriter, WritesWhatWasPushedEvenWhenNobodyFinishesIt) {
  Record record;
  {
    RowWriter writer(1, list(std::make_unique<TestSink>(record)));
    for (int k = 0; k < 100; ++k) writer.push(std::array{1.0 * k});
  }
  EXPECT_EQ(record.rows, counted(100));
  EXPECT_GE(record.flushes, 1);

  Record bad;
  { RowWriter writer(1, list(std::make_unique<TestSink>(bad, 0))); }  // and does not throw
  EXPECT_TRUE(bad.closed);
}

TEST(RowWriter, FlushesWhileTheRunGoesOn) {
  Record record;
  std::atomic<int> flushes = 0;
  struct Counting : TestSink {
    Counting(Record& r, std::atomic<int>& n) : TestSink(r), count(n) {}
    void flush() override { ++count; }
    std::atomic<int>& count;
  };
  RowWriter writer(1, list(std::make_unique<Counting>(record, flushes)));
  // Once at the beginning, and again within a second; up to 10 s are waited.
  for (int k = 0; k < 1000 && flushes == 0; ++k)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  EXPECT_EQ(flushes, 1);
  writer.push(std::array{0.0});
  for (int k = 0; k < 1000 && flushes == 1; ++k)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  EXPECT_EQ(flushes, 2);
  writer.finish();
}

}  // namespace
}  // namespace chicane::row_writer_test
