// SPDX-License-Identifier: Apache-2.0

// "On any status but ok nothing has advanced": every scheme, in the frames of its start and after
// them, whichever group it is that fails.

#include <gtest/gtest.h>

#include "testkit/schemes.hpp"

namespace failed_step_test {
namespace {

using namespace chicane;
using namespace testkit;

constexpr double kStep = 1e-3;

// A system one of whose groups has no finite derivative any more after a time.
struct Wild : Kpr {
  double from = 0;
  GroupIndex wild;
  void derivative(GroupIndex g, const Eval& at, std::span<const double> u,
                  std::span<double> dx) const noexcept {
    Kpr::derivative(g, at, u, dx);
    if (g == wild && at.t > from) dx[0] = 1e300 * 1e300;
  }
};

// How far into its step a tableau looks, in steps.
double reach_of(const Coefficients<double>& k) {
  double most = 0.0;
  const std::vector<bool> used = used_columns(k);
  for (std::size_t i = 0; i < used.size(); ++i)
    if (used[i]) most = std::max(most, k.c[i]);
  return most;
}

// reach(g, frame): how far into the frame group g is evaluated, in frames. The first frame that
// looks beyond the time must be the one that fails.
template <class Reach, class Make>
void expect_nothing_lost(const std::string& name, Reach&& reach, Make&& make) {
  for (const double good : {1.001, 22.001})  // frames
    for (const GroupIndex wild : {kSlow, kFast}) {
      auto d = make(Wild{{}, good * kStep, wild});
      int frame = 0;
      while (frame + reach(wild, frame) <= good) ++frame;
      for (int i = 0; i < frame; ++i) ASSERT_EQ(d.step(), Status::ok) << name << ", frame " << i;
      const auto before = all_of(d.s);
      EXPECT_EQ(d.step(), Status::not_finite) << name;
      EXPECT_EQ(all_of(d.s), before) << name << ", group " << wild.value;
      EXPECT_NEAR(d.clock.time(), frame * kStep, 1e-12) << name;
    }
}

TEST(FailedStep, OfOneRateLeavesTheStateOfItsStart) {
  for (const std::string_view name : method_names()) {
    const Method& method = *find_method(name);
    expect_nothing_lost(
        std::string(name),
        [&](GroupIndex, int frame) { return frame < method.k.old ? 1.0 : reach_of(method.k); },
        [&](const Wild& system) {
          return SingleRateOf<Wild>(Merged<Wild>(system), kStep, method, Startup::rk4,
                                    HistoryPolicy::keep);
        });
  }
}

TEST(FailedStep, OfAPairLeavesTheStatesOfItsStart) {
  for (const TableauPair& pair : tableau_pairs())
    expect_nothing_lost(
        pair.name, [&](GroupIndex g, int) { return reach_of(g == kSlow ? pair.slow : pair.fast); },
        [&](const Wild& system) { return PrkOf<Wild>(system, kStep, pair); });
}

TEST(FailedStep, OfAMultiframeLeavesTheStatesOfItsStart) {
  expect_nothing_lost(
      "multiframe",
      [](GroupIndex g, int frame) { return frame == 0   ? 1.0
                                           : g == kSlow ? 0.0
                                                        : 0.75; },
      [&](const Wild& system) {
        return MultiframeOf<Wild>(system, kStep, multiframe_plan(system, 4));
      });
}

TEST(FailedStep, OfTwoTracksLeavesTheStatesOfItsStart) {
  for (const bool parallel : {false, true})
    expect_nothing_lost(
        parallel ? "parallel" : "sequential", [](GroupIndex, int) { return 1.0; },
        [&](const Wild& system) {
          return PeceOf<Wild>(system, kStep,
                              PecePlan{.ratio = 4,
                                       .interps = std::vector(1, Interpolator::interp1),
                                       .parallel = parallel,
                                       .threads = 1});
        });
}

}  // namespace
}  // namespace failed_step_test
