// SPDX-License-Identifier: Apache-2.0

// The two-track algorithm on two threads has the numbers of its sequential emulation, for ever.

#include "integrators/multirate/pece.hpp"

#include <gtest/gtest.h>

#include "testkit/schemes.hpp"

namespace pece_test {
namespace {

using namespace chicane;
using namespace testkit;

// A race shows once in a great many frames: the release build, where this takes seconds, does a
// million.
#ifdef NDEBUG
constexpr int kFrames = 1'000'000;
#else
constexpr int kFrames = 10'000;
#endif

TEST(PeceParallel, OnTwoThreadsEqualsOneBitForBit) {
  const Kpr system;
  PecePlan plan{
      .ratio = 2, .interps = std::vector(1, Interpolator::interp1), .parallel = true, .threads = 1};
  PeceOf<Kpr> one(system, 1e-3, plan);
  plan.threads = 2;
  PeceOf<Kpr> two(system, 1e-3, plan);
  for (int i = 0; i < kFrames; ++i) {
    ASSERT_EQ(one.scheme.step(one.system, one.clock, one.s, Nobody{}), Status::ok);
    ASSERT_EQ(two.scheme.step(two.system, two.clock, two.s, Nobody{}), Status::ok);
    ASSERT_EQ(two.s[kSlow].x[0], one.s[kSlow].x[0]) << "frame " << i;
    ASSERT_EQ(two.s[kFast].x[0], one.s[kFast].x[0]) << "frame " << i;
  }
  EXPECT_EQ(two.s, one.s);
  const auto exact = system.exact(one.clock.time());  // and it is the solution that they share
  EXPECT_NEAR(one.s[kSlow].x[0], exact[0], 1e-3);
  EXPECT_NEAR(one.s[kFast].x[0], exact[1], 1e-3);
}

// The same with all interpolators and iterations, on a system with more than one signal.
TEST(PeceParallel, OnTwoThreadsEqualsOneWithEveryOption) {
  const NonlinearCoupled system{.w = 3, .signals = NonlinearCoupled::Signals::mixed};
  for (const Interpolator interp :
       {Interpolator::interp1, Interpolator::interp2, Interpolator::interp3})
    for (const int iterations : {1, 2}) {
      PecePlan plan{.ratio = 5,
                    .inner = iterations,
                    .outer = iterations,
                    .interps = std::vector(2, interp),
                    .parallel = true,
                    .threads = 1};
      PeceOf<NonlinearCoupled> one(system, 1e-2, plan);
      plan.threads = 2;
      PeceOf<NonlinearCoupled> two(system, 1e-2, plan);
      for (int i = 0; i < 2000; ++i) {
        ASSERT_EQ(one.step(), Status::ok);
        ASSERT_EQ(two.step(), Status::ok);
      }
      EXPECT_EQ(two.s, one.s);
    }
}

}  // namespace
}  // namespace pece_test
