#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
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

  // Runs task(0) ... task(n-1), task i by member i modulo their number, the calling thread being
  // member 0, and returns when all are done.
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
  struct alignas(64) Worker {
    std::atomic<std::uint32_t> done{0};
    std::thread thread;
  };

  void run(int n, Go go, void* call) noexcept;
  void work(int member) noexcept;
  void share(int member) const noexcept;

  alignas(64) std::atomic<std::uint32_t> round_{0};
  std::atomic<bool> over_{false};
  int tasks_ = 0;
  Go go_ = nullptr;
  void* call_ = nullptr;
  std::vector<std::unique_ptr<Worker>> workers_;
};

}  // namespace chicane
