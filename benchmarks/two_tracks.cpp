// SPDX-License-Identifier: Apache-2.0

// What a second thread is worth to the two-track scheme, with slow and fast work made equal: the
// time of a frame on one thread and on two beside the least it can take by the count of its
// evaluations, T = max(N_s T_s, N_f T_f) (002, eq. 2).

#include <fmt/core.h>
#include <sched.h>

#include <algorithm>
#include <chrono>
#include <string_view>

#include "testkit/schemes.hpp"

namespace {

using namespace chicane;
using namespace testkit;
using Slowed = Burn<Kpr>;

constexpr int kRatio = 4;
constexpr int kSlowEvaluations = 3, kFastEvaluations = 4 * kRatio;  // of a frame

template <class Work>
double microseconds(int times, Work&& work) {
  const auto begin = std::chrono::steady_clock::now();
  for (int i = 0; i < times; ++i) work();
  return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin)
             .count() /
         times;
}

// Which processor this thread, and every thread it makes from here on, runs on: a scheduler that
// puts both tracks on one would hide what the scheme does.
void run_on(int processor) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(processor, &set);
  sched_setaffinity(0, sizeof set, &set);
}

struct Frame {
  Frame(const Slowed& system, int threads)
      : worker_elsewhere((run_on(1), true)),
        driven(system, 1e-3,
               PecePlan{.ratio = kRatio,
                        .interps = {Interpolator::interp1},
                        .parallel = true,
                        .threads = threads}) {
    run_on(0);
    for (int i = 0; i < 8; ++i) step();  // past the start
  }
  void step() { driven.scheme.step(driven.system, driven.clock, driven.s, Nobody{}); }
  bool worker_elsewhere;
  PeceOf<Slowed> driven;
};

// One row; the shortest of many rounds, in turns, so that noise hits all alike.
void row(int fast_flops, int rounds, int frames) {
  Slowed system(Kpr{}, fast_flops * kFastEvaluations / kSlowEvaluations, fast_flops);
  const double x[] = {1.2}, u[] = {1.5};
  double y[1], dx[1];
  const auto evaluate = [&](GroupIndex g) {
    auto at = system.make_eval(g);
    system.outputs(g, 0.1, x, u, at, y);
    system.derivative(g, at, u, dx);
  };
  Frame one(system, 1), two(system, 2);
  double slow = HUGE_VAL, fast = HUGE_VAL, alone = HUGE_VAL, together = HUGE_VAL;
  for (int r = 0; r < rounds; ++r) {
    slow = std::min(slow, microseconds(frames, [&] { evaluate(kSlow); }));
    fast = std::min(fast, microseconds(frames, [&] { evaluate(kFast); }));
    alone = std::min(alone, microseconds(frames, [&] { one.step(); }));
    together = std::min(together, microseconds(frames, [&] { two.step(); }));
  }
  const double least = std::max(kSlowEvaluations * slow, kFastEvaluations * fast);
  fmt::print("{:>12.2f}{:>12.2f}{:>14.2f}{:>14.2f}{:>12.2f}{:>12.2f}{:>10.2f}\n", slow, fast, alone,
             together, least, together / least, alone / together);
  std::fflush(stdout);
}

}  // namespace

// Of Google Benchmark's flags, --benchmark_min_time makes it short.
int main(int argc, char** argv) {
  const bool short_run = std::any_of(argv + 1, argv + argc, [](std::string_view flag) {
    return flag.starts_with("--benchmark_min_time");
  });
  fmt::print("{:>12}{:>12}{:>14}{:>14}{:>12}{:>12}{:>10}\n", "slow us", "fast us", "1 thread us",
             "2 threads us", "eq. 2 us", "2 / eq. 2", "gain");
  for (const int flops : {300, 3'000, 30'000})
    short_run ? row(flops, 1, 3) : row(flops, 60, std::max(10, 600'000 / flops));
  return 0;
}
