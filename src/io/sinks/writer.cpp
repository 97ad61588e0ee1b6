// SPDX-License-Identifier: Apache-2.0
#include "io/sinks/writer.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include "core/diagnostics.hpp"

namespace chicane {

namespace {

using SteadyClock = std::chrono::steady_clock;

constexpr auto kFlushEvery = std::chrono::milliseconds(500);  // what a killed run may lose
constexpr int kFlushShare = 10;  // a flush that takes long comes later: a tenth of the time at most
constexpr auto kEmptyPause = std::chrono::milliseconds(1);   // between looks at an empty ring
constexpr auto kFullPause = std::chrono::microseconds(100);  // between looks at a full ring
constexpr int kSpins = 64;                                   // looks before the first pause

std::size_t room_for(std::size_t width) {
  return std::clamp<std::size_t>(4'000'000 / std::max<std::size_t>(width, 1), 4, 4096);
}

}  // namespace

RowWriter::RowWriter(std::size_t width, std::vector<std::unique_ptr<Sink>> sinks, std::size_t rows)
    : ring_(width, rows > 0 ? rows : room_for(width)),
      sinks_(std::move(sinks)),
      row_(width),
      thread_([this] { drain(); }) {}

RowWriter::~RowWriter() { join(); }

bool RowWriter::try_push(std::span<const double> row) noexcept {
  return !stop_.load(std::memory_order_relaxed) && ring_.try_push(row);
}

void RowWriter::push(std::span<const double> row) {
  require(row.size() == ring_.width(), "a row of {} numbers for a writer of {}", row.size(),
          ring_.width());
  require(thread_.joinable(), "a row for a writer that has finished");
  for (int looks = 0;; ++looks) {
    rethrow();
    if (ring_.try_push(row)) return;
    if (looks < kSpins) {
      std::this_thread::yield();
    } else {
      std::this_thread::sleep_for(kFullPause);
    }
  }
}

void RowWriter::finish() {
  join();
  rethrow();
}

void RowWriter::join() noexcept {
  if (!thread_.joinable()) return;
  stop_.store(true, std::memory_order_release);
  thread_.join();
  sinks_.clear();
}

void RowWriter::rethrow() const {
  if (failed()) std::rethrow_exception(error_);
}

void RowWriter::drain() noexcept {
  SteadyClock::time_point due;  // at once: the files can be read from the beginning
  bool dirty = true;
  const auto flush_if_due = [&] {
    const auto begin = SteadyClock::now();
    if (begin < due) return;
    if (dirty) each_sink([](Sink& sink) { sink.flush(); });
    dirty = false;
    const auto end = SteadyClock::now();
    due = end + std::max<SteadyClock::duration>(kFlushEvery, kFlushShare * (end - begin));
  };

  for (bool last = false; !last;) {
    last = stop_.load(std::memory_order_acquire);  // before the look: no row can come after it
    while (ring_.try_pop(row_)) {
      dirty = true;
      each_sink([this](Sink& sink) { sink.write(row_); });
      flush_if_due();
    }
    flush_if_due();
    if (!last) std::this_thread::sleep_for(kEmptyPause);
  }
  each_sink([](Sink& sink) { sink.close(); });
}

// Calls action(sink) for every sink, and drops those that throw.
template <class Action>
void RowWriter::each_sink(Action action) noexcept {
  bool dropped = false;
  for (std::unique_ptr<Sink>& sink : sinks_) {
    try {
      action(*sink);
    } catch (...) {
      if (!failed()) {
        error_ = std::current_exception();
        failed_.store(true, std::memory_order_release);
      }
      sink.reset();
      dropped = true;
    }
  }
  if (dropped) std::erase(sinks_, nullptr);
}

}  // namespace chicane
