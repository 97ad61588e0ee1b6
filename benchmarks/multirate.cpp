// SPDX-License-Identifier: Apache-2.0

// Time to accuracy on two problems with two rates: MRIStep and CVODE of SUNDIALS, a plain RK4 loop,
// and our schemes. Each method's steps are scanned once; the best settings of every method are then
// timed in turns, so that the machine's moods hit all alike, and the least time of each counts.

#include <fmt/core.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <string_view>

#include "integrators/single_rate/single_rate.hpp"
#include "rivals.hpp"
#include "testkit/schemes.hpp"
#include "testkit/two_rate_systems.hpp"

namespace {

using namespace chicane;
using rivals::Problem;
using rivals::Result;

struct Heat {
  std::size_t settings;  // of each method
  int rounds;            // in which each of them is timed
};
struct Effort {
  std::vector<double> tolerances{1e-4, 1e-6};
  std::vector<Heat> heats{{8, 2}, {3, 7}};
  long most_steps = 150'000;  // fast ones in a run
  int reference_steps = 10'000;
};

// Only to see that it runs.
Effort quick() {
  return {.tolerances = {1e-2}, .heats = {{1, 1}}, .most_steps = 12'000, .reference_steps = 1'000};
}

constexpr const char *kMriStep = "MRIStep", *kHandRk4 = "RK4 by hand";

struct Candidate {
  std::string family, method, settings;
  double work;  // in any unit that is the same for all settings of the method
  std::function<Result()> run;
  Result result{};
};

// ---- problems

Problem<testkit::Kpr> kpr() {
  Problem<testkit::Kpr> p{.name = "KPR", .system = {}, .end = 5, .outputs = 50};
  for (int i = 0; i < p.outputs; ++i) p.reference.push_back(p.system.exact(p.output(i)));
  p.scale.fill(1.0);
  return p;
}

Problem<testkit::Vehicle28> vehicle28(int reference_steps) {
  Problem<testkit::Vehicle28> p{.name = "Vehicle28", .system = {}, .end = 2, .outputs = 40};
  auto y = p.system.start();
  p.scale.fill(0.0);
  for (int i = 0; i < p.outputs; ++i) {
    rivals::rk4_interval(p, i, reference_steps, y.data());
    p.reference.push_back(y);
    for (std::size_t k = 0; k < y.size(); ++k) p.scale[k] = std::max(p.scale[k], std::fabs(y[k]));
  }
  return p;
}

// ---- candidates

// Every whole number, then steps of a tenth. Our steps are rounded to 1 ps: that is not seen here.
std::vector<int> numbers(long most) {
  std::vector<int> all;
  for (int n = 1; n <= most; n += std::max(1, n / 10)) all.push_back(n);
  return all;
}

template <class System>
std::vector<Candidate> theirs(const Problem<System>& p, const Effort& effort) {
  std::vector<Candidate> all;
  const long most = effort.most_steps / p.outputs;  // in an interval
  for (const rivals::MriMethod& method : rivals::kMriMethods)
    for (const int inner : std::set<int>{method.order, 4})
      for (const int slow : {1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 24, 32, 40, 48, 64, 80, 112, 160})
        for (const int part : {1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48}) {
          const int fast = part * method.parts;
          if (slow * fast > most) continue;
          all.push_back({kMriStep, method.name,
                         fmt::format("{} slow, each {} fast of order {}", slow, fast, inner),
                         1.0 * slow * (2 * method.order + fast * inner),
                         [&p, &method, inner, slow, fast] {
                           return rivals::mri_step(p, method, inner, slow, fast);
                         }});
        }
  for (int i = 8; i <= 48; ++i)
    for (const auto corrector : {rivals::Corrector::newton, rivals::Corrector::fixed_point}) {
      const double tolerance = std::pow(10.0, -0.25 * i);
      all.push_back({"CVODE", "CVODE Adams",
                     fmt::format("tolerance {:.1e}, {}", tolerance,
                                 corrector == rivals::Corrector::newton ? "Newton" : "fixed point"),
                     std::pow(2.0, 0.25 * i), [&p, corrector, tolerance] {
                       return rivals::cvode_adams(p, corrector, tolerance);
                     }});
    }
  for (const int n : numbers(most))
    all.push_back({kHandRk4, kHandRk4, fmt::format("{} steps", n), 1.0 * n,
                   [&p, n] { return rivals::rk4(p, n); }});
  return all;
}

// Our schemes, with the states of all groups put together for the comparison.
template <class Scheme, class System, class... Plan>
Result driven(const Problem<System>& p, int frames_per_interval, const Plan&... plan) {
  testkit::Driven<Scheme, System> d(p.system, p.interval() / frames_per_interval, plan...);
  std::vector<double> all;
  Result r = timed(p, [&](int, double) -> const double* {
    for (int k = 0; k < frames_per_interval; ++k)
      if (d.scheme.step(d.system, d.clock, d.s, testkit::Nobody{}) != Status::ok) return nullptr;
    all.clear();
    for (const auto& g : d.s) all.insert(all.end(), g.x.begin(), g.x.end());
    return all.data();
  });
  const auto count = [&](GroupIndex g) {
    const Counts& c = d.s[g].counts;
    return c.steps + c.startup + c.extra;
  };
  r.slow = count(testkit::kSlow);
  r.fast = count(testkit::kFast);
  return r;
}

template <class System>
Result single_rate(const Problem<System>& p, const Method& method, int steps_per_interval) {
  using All = testkit::Merged<System>;
  All system(p.system);
  SingleRate<All> scheme(system, method, Startup::rk4, HistoryPolicy::keep);
  Clock clock;
  clock.rebase(*whole_picoseconds(p.interval()) / (kTicksPerFrame * steps_per_interval));
  const auto start = p.system.start();
  GroupStates<double> s(1);
  const GroupIndex all{0};
  s[all].x.assign(start.begin(), start.end());
  scheme.prepare(s);
  Result r = timed(p, [&](int, double) -> const double* {
    for (int k = 0; k < steps_per_interval; ++k)
      if (scheme.step(system, clock, s, testkit::kIgnore) != Status::ok) return nullptr;
    return s[all].x.data();
  });
  const Counts& c = s[all].counts;
  r.slow = r.fast = c.steps + c.startup + c.extra;
  return r;
}

template <class System>
std::vector<Candidate> ours(const Problem<System>& p, const Effort& effort) {
  std::vector<Candidate> all;
  const long most = effort.most_steps / p.outputs;
  for (const std::string_view name : method_names())
    for (const int n : numbers(most))
      all.push_back({"single rate", fmt::format("single rate, {}", name),
                     fmt::format("{} steps", n), 1.0 * n,
                     [&p, name, n] { return single_rate(p, *find_method(name), n); }});
  struct Choice {
    const char *slow, *fast;
    Interpolator interp;
  };
  using enum Interpolator;
  for (const auto& [slow, fast, interp] :
       {Choice{"ab2", "ab2", interp1}, Choice{"ab3", "ab3", interp2}, Choice{"ab4", "ab4", interp3},
        Choice{"ab4", "rk4", interp3}, Choice{"ab4", "am4", interp3}, Choice{"ab2", "rk5", interp1},
        Choice{"ab4", "rk5", interp3}})
    for (const int ratio : {2, 3, 4, 5, 8, 16, 32})
      for (const int n : numbers(most)) {
        if (n % ratio != 0) continue;
        all.push_back({"multiframe", fmt::format("multiframe, {} + {}", slow, fast),
                       fmt::format("{} frames of {}", n / ratio, ratio), 1.0 * n,
                       [&p, slow, fast, interp, ratio, n] {
                         return driven<Multiframe<System>>(
                             p, n / ratio,
                             testkit::multiframe_plan(p.system, ratio, slow, fast, interp));
                       }});
      }
  for (const int ratio : {1, 2, 4, 8, 16})
    for (const int n : numbers(most)) {
      if (n % ratio != 0) continue;
      all.push_back({"pece", "pece-multirate, interp3",
                     fmt::format("{} frames of {}", n / ratio, ratio), 1.0 * n, [&p, ratio, n] {
                       return driven<PeceMultirate<System>>(
                           p, n / ratio,
                           PecePlan{.ratio = ratio,
                                    .interps = std::vector(p.system.sources(testkit::kFast).size(),
                                                           Interpolator::interp3)});
                     }});
    }
  for (const int n : numbers(most))
    all.push_back({"prk", "prk, prk25", fmt::format("{} frames", n), 1.0 * n, [&p, n] {
                     return driven<PartitionedRungeKutta<System>>(p, n, *find_pair("prk25"));
                   }});
  return all;
}

// ---- study

// Runs each candidate once, cheapest first. Left out is what is bound to lose: with much more work
// than was enough for the same method to keep the tightest tolerance, or much slower (by what its
// method took for less work) than the fastest of its own family that keeps it.
void scan(std::vector<Candidate>& all, double tightest) {
  constexpr double kMoreWork = 2, kSlower = 4;
  struct Seen {
    double enough = HUGE_VAL;  // least work that keeps the tolerance
    double seconds_of_work = 0;
  };
  std::map<std::string, Seen> methods;
  std::map<std::string, double> fastest;  // of each family
  std::stable_sort(all.begin(), all.end(),
                   [](const Candidate& a, const Candidate& b) { return a.work < b.work; });
  for (Candidate& c : all) {
    Seen& seen = methods[c.method];
    double& best = fastest.try_emplace(c.family, HUGE_VAL).first->second;
    if (c.work > kMoreWork * seen.enough || c.work * seen.seconds_of_work > kSlower * best)
      continue;
    c.result = c.run();
    if (!std::isfinite(c.result.error)) continue;
    seen.seconds_of_work = c.result.seconds / c.work;
    if (c.result.error > tightest) continue;
    seen.enough = std::min(seen.enough, c.work);
    best = std::min(best, c.result.seconds);
  }
}

// The fastest settings of each method that keep the tolerance, timed again in turns: first many
// settings a few times, then the few best of them often.
std::vector<Candidate> finals(const std::vector<Candidate>& all, double tolerance,
                              const Effort& effort) {
  const auto faster = [](const Candidate& a, const Candidate& b) {
    return a.result.seconds < b.result.seconds;
  };
  std::map<std::string, std::vector<Candidate>> of_method;
  for (const Candidate& c : all)
    if (c.result.error <= tolerance) of_method[c.method].push_back(c);
  for (const auto& [settings, rounds] : effort.heats) {
    for (auto& [method, some] : of_method) {
      std::sort(some.begin(), some.end(), faster);
      if (some.size() > settings) some.resize(settings);
    }
    for (int round = 0; round < rounds; ++round)
      for (auto& [method, some] : of_method)
        for (Candidate& c : some) c.result.seconds = std::min(c.result.seconds, c.run().seconds);
  }
  std::vector<Candidate> best;
  for (const auto& [method, some] : of_method)
    best.push_back(*std::min_element(some.begin(), some.end(), faster));
  std::sort(best.begin(), best.end(), faster);
  return best;
}

void print(const std::string& problem, double tolerance, const std::vector<Candidate>& rows) {
  const auto time_of = [&](std::string_view family) {  // rows: the fastest first
    const auto found = std::find_if(rows.begin(), rows.end(),
                                    [&](const Candidate& c) { return c.family == family; });
    return found != rows.end() ? found->result.seconds : std::nan("");
  };
  const double mri = time_of(kMriStep), rk4 = time_of(kHandRk4);
  fmt::print("\n{} to {:.0e}\n{:<28}{:>10}{:>10}{:>9}{:>9}{:>10}{:>8}  {}\n", problem, tolerance,
             "method", "time ms", "error", "slow", "fast", "MRIStep /", "RK4 /",
             "settings (steps in an output interval)");
  for (const auto& [family, method, settings, work, run, r] : rows)
    fmt::print("{:<28}{:>10.3f}{:>10.1e}{:>9}{:>9}{:>10.2f}{:>8.2f}  {}\n", method, 1e3 * r.seconds,
               r.error, r.slow, r.fast, mri / r.seconds, rk4 / r.seconds, settings);
  std::fflush(stdout);
}

template <class System>
void study(const Problem<System>& p, const Effort& effort) {
  std::vector<Candidate> all = theirs(p, effort);
  for (Candidate& c : ours(p, effort)) all.push_back(std::move(c));
  scan(all, effort.tolerances.back());
  for (const double tolerance : effort.tolerances)
    print(p.name, tolerance, finals(all, tolerance, effort));
}

}  // namespace

// A study of its own; of Google Benchmark's flags, --benchmark_min_time makes it short.
int main(int argc, char** argv) {
  const bool short_run = std::any_of(argv + 1, argv + argc, [](std::string_view flag) {
    return flag.starts_with("--benchmark_min_time");
  });
  const Effort effort = short_run ? quick() : Effort{};
  study(kpr(), effort);
  study(vehicle28(effort.reference_steps), effort);
  return 0;
}
