// SPDX-License-Identifier: Apache-2.0
#include "analysis/step_advice.hpp"

#include <gtest/gtest.h>

#include "testkit/models.hpp"

namespace chicane::step_advice_test {
namespace {

std::optional<std::string> stiff(const std::string& rate, double frame) {
  const auto s = testkit::compiled("format: chicane/1\nunits: none\nstates:\n  x: {der: \"" + rate +
                                   "\", initial: 1}\n");
  return stiffness(s, Model<double>(s).initial_state(), frame);
}

// An explicit method of order 8 bears |lambda| h of a few: 1e9 1/s in 20 ms are millions of steps.
TEST(Stiffness, IsAModeFarFasterThanTheFrame) {
  const auto said = stiff("-1e9*(x - cos(t))", 0.02);
  ASSERT_TRUE(said);
  for (const char* part : {"stiff", "-1e+09 1/s", "state 'x'", "4e+06 steps"})
    EXPECT_NE(said->find(part), std::string::npos) << part << " in " << *said;
  EXPECT_FALSE(stiff("-1e9*(x - cos(t))", 1e-6));  // there a frame is a thousand of them
  EXPECT_FALSE(stiff("-10*(x - cos(t))", 0.02));
  EXPECT_FALSE(stiff("1e9*x", 0.02));  // it runs away: that is not stiffness
}

}  // namespace
}  // namespace chicane::step_advice_test
