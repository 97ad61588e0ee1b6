// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <exception>
#include <memory>
#include <span>
#include <thread>
#include <vector>

#include "core/ring.hpp"
#include "io/sinks/sink.hpp"

namespace chicane {

// Takes rows from one thread and hands them, in order, to every sink on a thread of its own.
//
// A sink that throws gets no more rows; the others go on. The first exception is thrown by the next
// push() and by finish().
class RowWriter {
 public:
  // `rows` may wait for the sinks; 0: as many as are 32 MB, up to 4096.
  RowWriter(std::size_t width, std::vector<std::unique_ptr<Sink>> sinks, std::size_t rows = 0);
  ~RowWriter();  // as finish(), but a failure stays unheard
  RowWriter(const RowWriter&) = delete;
  RowWriter& operator=(const RowWriter&) = delete;

  // For real time: never waits, allocates or throws. False: the row was not taken, because the ring
  // is full or the writer has finished.
  [[nodiscard]] bool try_push(std::span<const double> row) noexcept;

  // For batch runs: waits while the ring is full.
  void push(std::span<const double> row);

  // Writes what is left, flushes and closes the sinks.
  void finish();

  // A sink has thrown; for users of try_push(), who hear of it only from finish() otherwise.
  [[nodiscard]] bool failed() const noexcept { return failed_.load(std::memory_order_acquire); }

 private:
  void drain() noexcept;
  template <class Action>
  void each_sink(Action action) noexcept;
  void join() noexcept;
  void rethrow() const;

  RowRing ring_;
  std::vector<std::unique_ptr<Sink>> sinks_;  // the thread's own until it is joined
  std::vector<double> row_;                   // likewise
  std::exception_ptr error_;                  // written once, before failed_
  std::atomic<bool> failed_ = false;
  std::atomic<bool> stop_ = false;
  std::thread thread_;  // last: starts when all else is there
};

}  // namespace chicane
