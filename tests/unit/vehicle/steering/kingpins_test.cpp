// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>

#include "vehicle/steering/steering.hpp"

namespace kingpins_test {
namespace {

using namespace chicane::steering;

// Ackermann: the lines through the wheels' axes meet the line of the rear axle in one point, so
// that cot(right) - cot(left) is the distance of the kingpins over the wheel base.
TEST(Kingpins, TurnAboutOnePoint) {
  const double a = 0.18;
  for (const double mean : {-0.5, -0.1, 0.01, 0.3, 0.6}) {
    const auto left = turned<double>({mean, 0.0, 0.0}, a),
               right = turned<double>({mean, 0.0, 0.0}, -a);
    EXPECT_NEAR(1.0 / std::tan(right.angle) - 1.0 / std::tan(left.angle), 2.0 * a, 1e-12);
    EXPECT_NEAR(0.5 * (1.0 / std::tan(right.angle) + 1.0 / std::tan(left.angle)),
                1.0 / std::tan(mean), 1e-12);
  }
}

// Rate and acceleration are the derivatives of the angle.
TEST(Kingpins, RatesFollow) {
  const auto mean = [](double t) {
    return Turning<double>{0.3 * std::sin(2.0 * t), 0.6 * std::cos(2.0 * t),
                           -1.2 * std::sin(2.0 * t)};
  };
  const double h = 1e-4;
  for (const double t : {0.0, 0.3, 1.0, 2.5}) {
    const auto at = [&](double s) { return turned(mean(s), 0.2); };
    EXPECT_NEAR(at(t).rate, (at(t + h).angle - at(t - h).angle) / (2.0 * h), 1e-7);
    EXPECT_NEAR(at(t).acceleration, (at(t + h).rate - at(t - h).rate) / (2.0 * h), 1e-6);
  }
}

}  // namespace
}  // namespace kingpins_test
