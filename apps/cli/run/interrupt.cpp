// SPDX-License-Identifier: Apache-2.0
#include "cli/run/interrupt.hpp"

#include <signal.h>

#include <array>
#include <atomic>
#include <cstddef>

namespace chicane::cli {
namespace {

constexpr std::array kSignals{SIGINT, SIGTERM, SIGHUP};

std::atomic<int> g_asked = 0;
static_assert(std::atomic<int>::is_always_lock_free);  // or a handler could not use it

std::array<struct sigaction, kSignals.size()> g_before;

extern "C" void note(int number) { g_asked.store(number, std::memory_order_relaxed); }

}  // namespace

// A signal that is ignored, as by nohup, stays ignored.
Interrupts::Interrupts() {
  g_asked = 0;
  struct sigaction action {};
  action.sa_handler = note;
  action.sa_flags = static_cast<int>(SA_RESETHAND | SA_RESTART);
  for (std::size_t i = 0; i < kSignals.size(); ++i) {
    sigaction(kSignals[i], nullptr, &g_before[i]);
    if (g_before[i].sa_handler != SIG_IGN) sigaction(kSignals[i], &action, nullptr);
  }
}

Interrupts::~Interrupts() {
  for (std::size_t i = 0; i < kSignals.size(); ++i) sigaction(kSignals[i], &g_before[i], nullptr);
}

int Interrupts::asked() noexcept { return g_asked.load(std::memory_order_relaxed); }
const std::atomic<int>& Interrupts::flag() noexcept { return g_asked; }

const char* signal_name(int number) {
  return number == SIGINT ? "SIGINT" : number == SIGTERM ? "SIGTERM" : "SIGHUP";
}

}  // namespace chicane::cli
