// SPDX-License-Identifier: Apache-2.0

// Order, evaluations per step and stability limits of every single-rate method.

#include <gtest/gtest.h>

#include <cmath>

#include "analysis/stability.hpp"
#include "integrators/order.hpp"
#include "testkit/models.hpp"

namespace single_rate_order_test {
namespace {

using namespace chicane;

class EveryMethod : public testing::TestWithParam<std::string> {
 protected:
  const Method& method() const { return *find_method(GetParam()); }
};

std::vector<std::string> names() {
  const auto list = method_names();
  return {list.begin(), list.end()};
}

INSTANTIATE_TEST_SUITE_P(Methods, EveryMethod, testing::ValuesIn(names()),
                         [](const auto& m) { return m.param; });

double error_after(const std::shared_ptr<const ModelStructure>& model, Plan plan, double until,
                   int steps) {
  plan.step = whole_picoseconds(until / steps).value();
  const auto x = testkit::final_state(model, plan, steps), exact = testkit::known_solution(until);
  return std::max(std::fabs(x[0] - exact[0]), std::fabs(x[1] - exact[1]));
}

// Slope of log(error) over log(h) for the finer half of a sequence of halvings.
double observed_order(const Plan& plan, int coarsest, int halvings) {
  const auto model = testkit::compiled(testkit::kKnownSolution);
  const double until = 2.0;
  std::vector<double> errors;
  for (int i = 0; i <= halvings; ++i)
    errors.push_back(error_after(model, plan, until, coarsest << i));
  return std::log2(errors[errors.size() - 2] / errors.back());
}

TEST_P(EveryMethod, HasItsOrderOnANonlinearProblem) {
  // fine enough for the leading term to rule (0.1), coarse enough to stay clear of rounding (1e-13)
  const int coarsest = method().order > 4 ? 16 : method().order == 4 ? 64 : 256;
  EXPECT_NEAR(observed_order(testkit::plan(GetParam(), 1), coarsest, 3), method().order, 0.1);
}

TEST_P(EveryMethod, HasItsOrderExactlyInRationalArithmetic) {
  for (const MethodTable& t : method_tables())
    if (t.name == GetParam()) {
      EXPECT_EQ(order_of(t.k, 6), t.order);  // neither less nor more
    }
}

TEST_P(EveryMethod, DropsToOrderTwoAtMostWithABuildUpStart) {
  if (method().k.old == 0) return;  // nothing to start
  Plan plan = testkit::plan(GetParam(), 1);
  plan.startup = Startup::build_up;
  // The first step is of order one, its error O(h^2) stays: orders above two are lost.
  EXPECT_NEAR(observed_order(plan, 512, 3), std::min(2, method().order), 0.1);
}

TEST_P(EveryMethod, EvaluatesExactlyAsOftenAsItSays) {
  constexpr int kSteps = 50;
  Simulation s(testkit::compiled(testkit::kKnownSolution), testkit::plan(GetParam(), 0.01));
  for (int i = 0; i < kSteps; ++i) ASSERT_EQ(s.step(), Status::ok);
  const Counts& counts = s.state().groups[GroupIndex{0}].counts;
  const int old = method().k.old, stages = method().k.stages;
  EXPECT_EQ(counts.startup, 4 * old);  // one step of rk4 for every old derivative that is needed
  EXPECT_EQ(counts.steps, (kSteps - old) * stages);
  EXPECT_EQ(counts.extra, 0);
}

TEST(Evaluations, AreOneForAdamsBashforthAndTwoForHalfStepMethods) {
  for (const char* name : {"euler", "ab2", "ab3", "ab4"})
    EXPECT_EQ(find_method(name)->k.stages, 1) << name;
  for (const char* name : {"am2", "am3", "am4", "rk2", "am2p", "am3p", "am4p", "heun2"})
    EXPECT_EQ(find_method(name)->k.stages, 2) << name;
  for (const char* name : {"am2", "am3", "am4", "rk2"})
    EXPECT_TRUE(find_method(name)->half_step()) << name;
}

// Records the times at which a method evaluates.
struct Times final : Observer {
  std::vector<double> t;
  void observe(const Point& point) noexcept override { t.push_back(point.t); }
};

TEST_P(EveryMethod, EvaluatesAtIncreasingTimesIfItIsForRealTime) {
  if (!method().real_time()) return;
  Simulation s(testkit::compiled(testkit::kKnownSolution), testkit::plan(GetParam(), 0.01));
  Times times;
  times.t.reserve(100);
  for (int i = 0; i < 8; ++i) ASSERT_EQ(s.step(&times), Status::ok);
  for (std::size_t i = 1; i < times.t.size(); ++i) EXPECT_LT(times.t[i - 1], times.t[i]);
  if (method().half_step()) {
    EXPECT_EQ(times.t.back(), 0.075);  // exactly the half step
  }
}

// Limits of lambda h per full step. Sources: the printed table of the VS integration memo for
// euler, ab2, rk2, am2, am3, am4; classical values for the others (Hairer, Wanner II, ch. IV.2,
// V.1).
struct Limit {
  const char* method;
  double real, imaginary, tolerance;
};

TEST(StabilityLimits, AreTheKnownOnes) {
  for (const Limit& l :
       {Limit{"euler", 2, 0, 1e-6}, Limit{"ab2", 1, 0, 1e-6}, Limit{"ab3", 6.0 / 11, 0.72363, 1e-4},
        Limit{"ab4", 0.3, 0.42999, 1e-4}, Limit{"rk2", 2, 0, 1e-6}, Limit{"am2", 2, 1.1125, 1e-4},
        Limit{"am3", 1.8, 1.3138, 1e-4}, Limit{"am4", 5.0 / 3, 0, 1e-6}, Limit{"heun2", 2, 0, 1e-6},
        Limit{"rtrk3", 2.51275, 1.73205, 1e-4}, Limit{"rk4", 2.78529, 2.82843, 1e-4}}) {
    EXPECT_NEAR(real_limit(*find_method(l.method)), l.real, l.tolerance) << l.method;
    EXPECT_NEAR(imaginary_limit(*find_method(l.method)), l.imaginary, l.tolerance) << l.method;
  }
}

TEST(StabilityLimits, GrowthNearTheImaginaryAxisIsTheKnownOne) {
  EXPECT_NEAR(growth(*find_method("ab2"), {0, 0.1}) - 1, 2.6e-5, 0.1e-5);
  EXPECT_NEAR(growth(*find_method("am4"), {0, 0.1}) - 1, 3.5e-8, 0.1e-8);
  EXPECT_NEAR(growth(*find_method("am4"), {0, 0.2}) - 1, 1.9e-6, 0.1e-6);
}

// A run is bounded just inside the limit that the theory gives and grows just outside.
TEST_P(EveryMethod, IsStableInARunJustInsideItsRealLimitAndNotOutside) {
  const auto decay =
      testkit::compiled("format: chicane/1\nunits: none\nstates: {x: {der: -x, initial: 1}}\n");
  const double limit = real_limit(method());
  const auto size = [&](double h) {
    Simulation s(decay, testkit::plan(GetParam(), h));
    for (int i = 0; i < 4000 && s.step() == Status::ok; ++i) {
    }
    return std::fabs(s.state().groups[GroupIndex{0}].x[0]);
  };
  EXPECT_LT(size(0.995 * limit), 1e-3);
  EXPECT_GT(size(1.02 * limit), 1e3);
}

}  // namespace
}  // namespace single_rate_order_test
