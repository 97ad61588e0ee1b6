// SPDX-License-Identifier: Apache-2.0

// Multiframe: at ratio 1 nothing but a single-rate method, with any number of groups of its order,
// and the same numbers on any number of threads.

#include "integrators/multirate/multiframe.hpp"

#include <gtest/gtest.h>

#include "integrators/single_rate/single_rate.hpp"
#include "testkit/schemes.hpp"

namespace multiframe_test {
namespace {

using namespace chicane;
using namespace testkit;

// --- ratio 1 ---

// Every single-pass method reads signals where they were sampled: interpolators have no part.
template <class System>
void expect_single_rate(const System& system, double step) {
  for (const std::string_view name : method_names()) {
    const Method& method = *find_method(name);
    if (method.k.stages > 1) continue;
    for (const Startup startup : {Startup::rk4, Startup::build_up}) {
      std::vector<std::vector<double>> expected;
      SingleRateOf<System> single(Merged<System>(system), step, method, startup,
                                  HistoryPolicy::keep);
      for (int i = 0; i < 1000; ++i) {
        ASSERT_EQ(single.step(), Status::ok);
        expected.push_back(all_of(single.s));
      }
      for (const InterpolatorInfo& interp : kInterpolators)
        for (const FrameOrder order : {FrameOrder::slow_first, FrameOrder::fast_first}) {
          if (interp.ahead && order == FrameOrder::fast_first) continue;
          if (interp.rate && system.state_of_signal(kSlow, system.published(kSlow) - 1) < 0)
            continue;
          MultiframePlan plan = multiframe_plan(system, 1, method.name, method.name, interp.kind);
          plan.startup = startup;
          plan.order = order;
          MultiframeOf<System> multi(system, step, plan);
          for (const auto& x : expected) {
            ASSERT_EQ(multi.step(), Status::ok);
            ASSERT_EQ(all_of(multi.s), x)
                << method.name << ", " << interp.name << ", t = " << multi.clock.time();
          }
        }
    }
  }
}

TEST(Multiframe, AtRatioOneIsTheSingleRateMethodBitForBit) {
  expect_single_rate(NonlinearCoupled{.w = 3}, 2e-3);
  expect_single_rate(NonlinearCoupled{.w = 3, .signals = NonlinearCoupled::Signals::mixed}, 2e-3);
  expect_single_rate(Kpr(), 1e-3);
}

// --- several groups ---

// N groups with one state each, nonlinear, coupled as `reads` says, with a solution that is known:
//   x_g = 1 + sin(w_g t)/2,   x_g' = (...)' - (x_g^2 - ...^2) + sum of (x_j x_g - ...)/4
template <int n>
struct Several : TwoRates {
  std::array<double, n> w;
  std::array<std::vector<int>, n> reads;

  Several(std::array<double, n> frequencies, std::array<std::vector<int>, n> read)
      : w(frequencies), reads(std::move(read)) {
    for (std::size_t g = 0; g < n; ++g)
      for (const int j : reads[g]) sources_[g].push_back({GroupIndex{j}, 0});
  }
  [[nodiscard]] std::array<double, n> exact(double t) const {
    std::array<double, n> x;
    for (std::size_t g = 0; g < n; ++g) x[g] = 1 + 0.5 * std::sin(w[g] * t);
    return x;
  }
  [[nodiscard]] std::array<double, n> start() const { return exact(0.0); }
  [[nodiscard]] static int groups() { return n; }
  [[nodiscard]] static int states(GroupIndex) { return 1; }
  [[nodiscard]] static int published(GroupIndex) { return 1; }
  [[nodiscard]] static int state_of_signal(GroupIndex, int) { return 0; }
  [[nodiscard]] std::span<const Source> sources(GroupIndex g) const {
    return sources_[static_cast<std::size_t>(g.value)];
  }
  [[nodiscard]] static std::span<const double> limits(GroupIndex) { return {kLimits.data(), 1}; }
  static void outputs(GroupIndex, double t, std::span<const double> x, std::span<const double>,
                      Eval& at, std::span<double> y) noexcept {
    at = {t, x};
    y[0] = x[0];
  }
  void derivative(GroupIndex group, const Eval& at, std::span<const double> u,
                  std::span<double> dx) const noexcept {
    const auto g = static_cast<std::size_t>(group.value);
    const std::array<double, n> e = exact(at.t);
    const double x = at.x[0];
    double rate = 0.5 * w[g] * std::cos(w[g] * at.t) - (x * x - e[g] * e[g]);
    for (std::size_t i = 0; i < u.size(); ++i) {
      const double other = e[static_cast<std::size_t>(reads[g][i])];
      rate += 0.25 * (u[i] * x - other * e[g]);
    }
    dx[0] = rate;
  }

 private:
  std::array<std::vector<Source>, n> sources_;
};

struct Part {
  const char* method;
  int ratio;
};

template <int n>
MultiframePlan plan_of(const Several<n>& system, const std::array<Part, n>& parts,
                       Interpolator interp) {
  MultiframePlan plan;
  for (const GroupIndex g : groups_of(system)) {
    const Part& p = parts[static_cast<std::size_t>(g.value)];
    plan.groups.push_back(
        {*find_method(p.method), p.ratio, std::vector(system.sources(g).size(), interp)});
  }
  return plan;
}

// The slope of each group's error between n and 2 n frames.
template <int n>
std::array<double, n> observed(const Several<n>& system, const MultiframePlan& plan, int frames) {
  std::array<std::array<double, n>, 2> error;
  for (std::size_t i = 0; i < 2; ++i) {
    const int count = frames << i;
    MultiframeOf<Several<n>> d(system, 2.0 / count, plan);
    for (int k = 0; k < count; ++k) EXPECT_EQ(d.step(), Status::ok);
    const auto x = all_of(d.s);
    const auto exact = system.exact(2.0);
    for (std::size_t g = 0; g < n; ++g) error[i][g] = std::fabs(x[g] - exact[g]);
  }
  std::array<double, n> order;
  for (std::size_t g = 0; g < n; ++g) order[g] = std::log2(error[0][g] / error[1][g]);
  return order;
}

TEST(Multiframe, KeepsItsOrderWithThreeGroupsAndNestedOrEqualRates) {
  using enum Interpolator;
  struct Case {
    std::array<Part, 3> parts;
    Interpolator interp;
    FrameOrder order;
    int expected, frames;
  };
  constexpr auto slow = FrameOrder::slow_first, fast = FrameOrder::fast_first;
  const Case cases[] = {
      {{{{"ab2", 1}, {"ab2", 2}, {"ab2", 6}}}, interp1, slow, 2, 800},
      {{{{"ab4", 1}, {"ab4", 2}, {"ab4", 6}}}, interp3, slow, 4, 400},
      {{{{"ab4", 1}, {"ab4", 2}, {"rk4", 6}}}, interp3, slow, 4, 400},
      {{{{"ab4", 1}, {"ab4", 1}, {"rk4", 1}}}, interp3, slow, 4, 400},
      {{{{"ab3", 1}, {"ab4", 3}, {"rk4", 3}}}, interp3, slow, 3, 400},
      {{{{"ab4", 1}, {"ab4", 3}, {"ab4", 3}}}, interp3, slow, 4, 400},
      {{{{"ab2", 1}, {"rk2", 2}, {"am2", 6}}}, interp1, slow, 2, 800},
      {{{{"ab2", 1}, {"rk2", 2}, {"am2p", 2}}}, interp1, slow, 2, 800},
      {{{{"ab2", 1}, {"ab2", 2}, {"ab2", 6}}}, extrap1, fast, 2, 800},
      {{{{"ab3", 1}, {"ab3", 2}, {"ab3", 6}}}, extrap2, fast, 3, 400},
      {{{{"am2", 1}, {"rk2", 2}, {"ab2", 6}}}, extrap1, fast, 2, 800},
  };
  // all read all; and a chain, in which the slowest and the fastest never meet
  const std::array<std::vector<int>, 3> couplings[] = {{{{1, 2}, {0, 2}, {0, 1}}},
                                                       {{{1}, {0, 2}, {1}}}};
  for (const auto& reads : couplings) {
    const Several<3> system({1.0, 1.7, 2.3}, reads);
    for (const Case& c : cases) {
      MultiframePlan plan = plan_of<3>(system, c.parts, c.interp);
      plan.order = c.order;
      const auto order = observed<3>(system, plan, c.frames);
      for (std::size_t g = 0; g < 3; ++g)
        EXPECT_NEAR(order[g], c.expected, 0.15)
            << "group " << g << " of " << c.parts[0].method << " x1, " << c.parts[1].method << " x"
            << c.parts[1].ratio << ", " << c.parts[2].method << " x" << c.parts[2].ratio;
    }
  }
}

// --- threads ---

// One slow group; three faster ones that meet only in it, one of which has a group of its own.
TEST(Multiframe, GivesTheSameBitsOnAnyNumberOfThreads) {
  const Several<5> system({0.5, 1.0, 1.7, 2.3, 3.1}, {{{1, 2, 3}, {0}, {0}, {0, 4}, {3}}});
  for (const FrameOrder order : {FrameOrder::slow_first, FrameOrder::fast_first}) {
    MultiframePlan plan =
        plan_of<5>(system, {{{"ab2", 1}, {"ab3", 2}, {"rk2", 4}, {"am3", 4}, {"ab4", 8}}},
                   order == FrameOrder::slow_first ? Interpolator::interp3 : Interpolator::extrap2);
    plan.order = order;
    MultiframeOf<Several<5>> one(system, 0.01, plan);
    std::vector<std::vector<double>> expected;
    for (int i = 0; i < 2000; ++i) {
      ASSERT_EQ(one.step(), Status::ok);
      expected.push_back(all_of(one.s));
    }
    for (const int threads : {2, 3}) {
      plan.threads = threads;
      MultiframeOf<Several<5>> several(system, 0.01, plan);
      for (std::size_t i = 0; i < expected.size(); ++i) {
        ASSERT_EQ(several.step(), Status::ok);
        ASSERT_EQ(all_of(several.s), expected[i]) << threads << " threads, frame " << i;
      }
      EXPECT_EQ(several.s, one.s);  // histories and counts, too
    }
  }
}

// A branch that fails ends the frame; whichever thread it was on, nothing has moved.
TEST(Multiframe, FailsAlikeOnAnyNumberOfThreads) {
  struct Wild : Several<3> {
    using Several<3>::Several;
    void derivative(GroupIndex g, const Eval& at, std::span<const double> u,
                    std::span<double> dx) const noexcept {
      Several<3>::derivative(g, at, u, dx);
      if (g == GroupIndex{2} && at.t > 0.505) dx[0] = 1e300 * 1e300;
    }
  };
  const Wild system({0.5, 1.0, 1.7}, {{{1, 2}, {0}, {0}}});
  for (const int threads : {1, 2}) {
    MultiframePlan plan =
        plan_of<3>(system, {{{"ab2", 1}, {"ab2", 2}, {"ab2", 2}}}, Interpolator::interp1);
    plan.threads = threads;
    MultiframeOf<Wild> d(system, 0.1, plan);
    for (int i = 0; i < 5; ++i) ASSERT_EQ(d.step(), Status::ok);
    const auto before = all_of(d.s);
    EXPECT_EQ(d.step(), Status::not_finite);
    EXPECT_EQ(d.scheme.failed_state().group, GroupIndex{2});
    EXPECT_EQ(all_of(d.s), before);
    EXPECT_EQ(d.clock.time(), 0.5);
  }
}

}  // namespace
}  // namespace multiframe_test
