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
  for (int i = 1; i < members; ++i) workers_.push_back(std::make_unique<Worker>());
  // The list stands before anybody looks at it.
  for (int i = 1; i < members; ++i)
    workers_[static_cast<std::size_t>(i - 1)]->thread = std::thread([this, i] { work(i); });
}

Team::~Team() {
  over_.store(true);
  round_.fetch_add(1);
  round_.notify_all();
  for (const auto& worker : workers_) worker->thread.join();
}

void Team::share(int member) const noexcept {
  for (int i = member; i < tasks_; i += members()) go_(call_, i);
}

void Team::run(int n, Go go, void* call) noexcept {
  tasks_ = n;
  go_ = go;
  call_ = call;
  const std::uint32_t round = round_.fetch_add(1, std::memory_order_release) + 1;
  round_.notify_all();  // a system call only when somebody sleeps
  share(0);
  for (const auto& worker : workers_)
    while (worker->done.load(std::memory_order_acquire) != round)
      await_change(worker->done, round - 1, false);
}

void Team::work(int member) noexcept {
  Worker& self = *workers_[static_cast<std::size_t>(member - 1)];
  for (std::uint32_t seen = 0;;) {
    seen = await_change(round_, seen, true);
    if (over_.load()) return;
    share(member);
    self.done.store(seen, std::memory_order_release);
  }
}

}  // namespace chicane
