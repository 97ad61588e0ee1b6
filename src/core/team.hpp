// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

namespace chicane {

// A few threads that work together on small pieces again and again. Hand-over is by spinning, for
// some microseconds; then the waiting side yields, and after some milliseconds without work it
// sleeps. While everybody is busy nothing here is a system call, and nothing ever allocates.
class Team {
 public:
  // `members` take part, the calling thread among them.
  explicit Team(int members);
  ~Team();
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;

  [[nodiscard]] int members() const { return static_cast<int>(workers_.size()) + 1; }

  // Runs task(0) ... task(n-1) and returns when all are done. Whoever is free takes the next: a
  // member that sleeps, or that the machine lets wait, holds nobody up. n is below 65536.
  template <class Task>
  void run(int n, Task&& task) noexcept {
    struct OneCall {
      Task& task;
      static void go(void* self, int i) noexcept { static_cast<OneCall*>(self)->task(i); }
    } bound{task};
    run(n, &OneCall::go, &bound);
  }

 private:
  using Go = void (*)(void*, int) noexcept;

  void run(int n, Go go, void* call) noexcept;
  void work() noexcept;
  void take_tasks() noexcept;

  alignas(64) std::atomic<std::uint32_t> round_{0};  // what members wait for
  // Round, number of tasks, next task: one word, so that a member that comes late cannot take a
  // task of another round. What belongs to the round stays as it is while one of its tasks is
  // taken and not done.
  alignas(64) std::atomic<std::uint64_t> tickets_{0};
  alignas(64) std::atomic<std::uint32_t> done_{0};  // tasks of the round
  std::atomic<bool> over_{false};
  Go go_ = nullptr;
  void* call_ = nullptr;
  std::vector<std::thread> workers_;
};

}  // namespace chicane
