// SPDX-License-Identifier: Apache-2.0
#include "core/team.hpp"

namespace chicane {
namespace {

constexpr int kSpins = 20'000;  // some tens of microseconds
constexpr int kYields = 2'000;  // some milliseconds on a busy machine

void pause() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#endif
}

// Until `value` differs from `old`: spin, then yield; then, if allowed, sleep.
std::uint32_t await_change(const std::atomic<std::uint32_t>& value, std::uint32_t old,
                           bool may_sleep) noexcept {
  for (int i = 0; i < kSpins; ++i) {
    if (const auto now = value.load(std::memory_order_acquire); now != old) return now;
    pause();
  }
  for (int i = 0; i < kYields || !may_sleep; ++i) {
    if (const auto now = value.load(std::memory_order_acquire); now != old) return now;
    std::this_thread::yield();
  }
  value.wait(old, std::memory_order_acquire);
  return value.load(std::memory_order_acquire);
}

}  // namespace

Team::Team(int members) {
  for (int i = 1; i < members; ++i) workers_.emplace_back([this] { work(); });
}

Team::~Team() {
  over_.store(true);
  round_.fetch_add(1);
  round_.notify_all();
  for (std::thread& worker : workers_) worker.join();
}

void Team::take_tasks() noexcept {
  constexpr std::uint64_t kLow = 0xffff;
  std::uint64_t ticket = tickets_.load(std::memory_order_acquire);
  while ((ticket & kLow) < (ticket >> 16 & kLow)) {
    if (!tickets_.compare_exchange_weak(ticket, ticket + 1, std::memory_order_acq_rel)) continue;
    go_(call_, static_cast<int>(ticket & kLow));
    done_.fetch_add(1, std::memory_order_release);
    ticket = tickets_.load(std::memory_order_acquire);
  }
}

void Team::run(int n, Go go, void* call) noexcept {
  const auto tasks = static_cast<std::uint32_t>(n);
  go_ = go;
  call_ = call;
  done_.store(0, std::memory_order_relaxed);
  const std::uint32_t round = round_.load(std::memory_order_relaxed) + 1;
  tickets_.store(std::uint64_t{round} << 32 | std::uint64_t{tasks} << 16,
                 std::memory_order_release);
  round_.store(round, std::memory_order_release);
  round_.notify_all();  // a system call only when somebody sleeps
  take_tasks();
  for (auto done = done_.load(std::memory_order_acquire); done != tasks;)
    done = await_change(done_, done, false);
}

void Team::work() noexcept {
  for (std::uint32_t seen = 0;;) {
    seen = await_change(round_, seen, true);
    if (over_.load()) return;
    take_tasks();
  }
}

}  // namespace chicane
