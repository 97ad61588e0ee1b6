// "On any status but ok nothing has advanced": every scheme, in the frames of its start and after
// them, whichever group it is that fails.

#include <gtest/gtest.h>

#include "testkit/schemes.hpp"

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

// Where every group is evaluated inside a frame it is the one that fails; else it may be the next.
enum class Looks { inside, at_the_start_only };

template <class Make>
void expect_nothing_lost(const std::string& name, Looks looks, Make&& make) {
  for (const double steps : {1.0, 22.0})  // good ones
    for (const GroupIndex wild : {kSlow, kFast}) {
      auto d = make(Wild{{}, (steps + 0.001) * kStep, wild});
      std::vector<double> before;
      Status status = Status::ok;
      for (int i = 0; i < 30 && status == Status::ok; ++i) {
        before = all_of(d.s);
        status = d.step();
      }
      EXPECT_EQ(status, Status::not_finite) << name;
      const bool later =
          looks == Looks::at_the_start_only && d.clock.time() > (steps + 0.5) * kStep;
      EXPECT_NEAR(d.clock.time(), (steps + later) * kStep, 1e-12) << name;
      EXPECT_EQ(all_of(d.s), before) << name << ", group " << wild.value;
    }
}

TEST(FailedStep, OfOneRateLeavesTheStateOfItsStart) {
  for (const std::string_view name : method_names()) {
    const Method& method = *find_method(name);
    const Looks looks = method.k.stages > 1 ? Looks::inside : Looks::at_the_start_only;
    expect_nothing_lost(std::string(name), looks, [&](const Wild& system) {
      return SingleRateOf<Wild>(Merged<Wild>(system), kStep, method, Startup::rk4,
                                HistoryPolicy::keep);
    });
  }
}

TEST(FailedStep, OfAPairLeavesTheStatesOfItsStart) {
  for (const TableauPair& pair : tableau_pairs())
    expect_nothing_lost(pair.name, Looks::inside,
                        [&](const Wild& system) { return PrkOf<Wild>(system, kStep, pair); });
}

TEST(FailedStep, OfAMultiframeLeavesTheStatesOfItsStart) {
  expect_nothing_lost("multiframe", Looks::at_the_start_only, [&](const Wild& system) {
    return MultiframeOf<Wild>(system, kStep, multiframe_plan(system, 4));
  });
}

TEST(FailedStep, OfTwoTracksLeavesTheStatesOfItsStart) {
  for (const bool parallel : {false, true})
    expect_nothing_lost(
        parallel ? "parallel" : "sequential", Looks::inside, [&](const Wild& system) {
          return PeceOf<Wild>(system, kStep,
                              PecePlan{.ratio = 4,
                                       .interps = std::vector(1, Interpolator::interp1),
                                       .parallel = parallel,
                                       .threads = 1});
        });
}

}  // namespace
