// SPDX-License-Identifier: Apache-2.0
#include "realtime/pacer.hpp"

#include <gtest/gtest.h>

#include <thread>

namespace pacer_test {
namespace {

using namespace chicane;
using namespace std::chrono_literals;

TEST(Pacer, NeverLetsALoopRunAheadOfRealTime) {
  const auto begin = Pacer::Clock::now();
  Pacer pacer(Overrun::catch_up);
  for (int i = 0; i < 20; ++i) ASSERT_TRUE(pacer.wait(1ms));
  EXPECT_GE(Pacer::Clock::now() - begin, 20ms);
}

TEST(Pacer, CountsLateFramesAndStopsIfAskedTo) {
  Pacer pacer(Overrun::stop);
  std::this_thread::sleep_for(5ms);
  EXPECT_FALSE(pacer.wait(1ms));
  EXPECT_EQ(pacer.late(), 1);
}

}  // namespace
}  // namespace pacer_test
