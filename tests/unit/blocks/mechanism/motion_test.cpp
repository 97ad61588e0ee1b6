// SPDX-License-Identifier: Apache-2.0
#include "blocks/mechanism/motion.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "language/expression/derivative.hpp"
#include "testkit/models.hpp"
#include "testkit/recorder.hpp"

namespace motion_test {
namespace {

using namespace chicane;
using testkit::compiled;
using testkit::plan;
using testkit::seen;

// --- the derivative of a formula -----------------------------------------------------------------

double at(const std::string& text, double t) {
  Diagnostics diag;
  const auto e = parse_expression({text, {}}, diag);
  EXPECT_TRUE(e) << text << diag.text();
  return e ? evaluate(*e, [&](const std::string& name) { return name == "t" ? t : 0.7; }) : 0.0;
}

std::optional<std::string> derivative(const std::string& text) {
  Diagnostics diag;
  const auto e = parse_expression({text, {}}, diag);
  EXPECT_TRUE(e) << diag.text();
  return time_derivative(*e, [](std::string_view name) { return name == "a"; });
}

TEST(TimeDerivative, EqualsCentralDifferencesTwice) {
  for (const std::string text : {"a*t",
                                 "3 - t",
                                 "a*sin(2*t)*cos(t)^2",
                                 "exp(-a*t)/(1 + t^2)",
                                 "sqrt(1 + t^4)",
                                 "log(2 + t) + log10(3 + t)",
                                 "tan(t/3) - tanh(t) + sinh(t/2)*cosh(t/2)",
                                 "asin(t/4) + acos(t/5) + atan(2*t)",
                                 "atan2(sin(t), 2 + t)",
                                 "hypot(t, a + t^2)",
                                 "if(t < 1.05, t^3, 2*t)",
                                 "abs(t - 2)*t",
                                 "min(t^2, 2*t) + max(t, t^3)",
                                 "sat(t^2, 0.2*t, 1.5*t)",
                                 "deadband(t^2, 0.1*t, 0.5)",
                                 "mod(t^2, 0.9)",
                                 "t^a",
                                 "a^t",
                                 "(1 + t)^t",
                                 "-t^2",
                                 "t > 1 ? t^2 : -t",
                                 "round(t)*t^2",
                                 "2^-t",
                                 "t^2.5/(-3)"}) {
    std::string f = text;
    for (int order = 1; order <= 2; ++order) {
      const auto d = derivative(f);
      ASSERT_TRUE(d) << f;
      for (const double t : {0.31, 0.77, 1.23, 1.61, 2.27}) {
        const double h = 1e-4;
        const double slope =
            (8 * (at(f, t + h) - at(f, t - h)) - (at(f, t + 2 * h) - at(f, t - 2 * h))) / (12 * h);
        // h^4 of the fifth derivative, and rounding over h
        EXPECT_NEAR(at(*d, t), slope, 1e-8 * (1 + std::fabs(slope))) << text << " " << order << t;
      }
      f = *d;
    }
  }
}

TEST(TimeDerivative, IsNotGuessedWhereASignalOrATableIs) {
  EXPECT_FALSE(derivative("a*t + u"));
  EXPECT_FALSE(derivative("table(road, t)"));
  EXPECT_FALSE(derivative("der(x)"));
}

// --- driven joints -------------------------------------------------------------------------------

// A slider on a slider that is driven: what it does is plain to see.
std::string slider(const std::string& motion) {
  return R"(
format: chicane/1
run: {method: rk4, step: 1 ms, until: 2 s}
parameters:
  s: {value: 20 mm}
  w: {value: 3 rad/s}
  bodies:
    cart: {mass: 1 kg, com: [0, 0, 0]}
  joints:
    rail: {at: [0, 0, 0], axis: [1, 0, 0], motion: )" +
         motion + R"(}
inputs: {u: {value: 0 m}}
topology:
  bodies: [cart]
  joints:
    rail: {type: translational, connects: [ground, cart], driven: true}
)";
}

TEST(Motion, OfThePositionAloneHasItsDerivatives) {
  Simulation s(compiled(slider("s*sin(w*t + 0.5)")), plan("rk4", 1e-3));
  for (int i = 0; i < 700; ++i) ASSERT_EQ(s.step(), Status::ok);
  const double a = 3 * 0.7 + 0.5;
  EXPECT_NEAR(seen(s, "cart.x"), 0.02 * std::sin(a), 1e-15);
  EXPECT_NEAR(seen(s, "cart.v_x"), 0.06 * std::cos(a), 1e-15);
  EXPECT_NEAR(seen(s, "cart.a_x"), -0.18 * std::sin(a), 1e-15);
  EXPECT_NEAR(seen(s, "rail.f_x"), -0.18 * std::sin(a), 1e-14);
}

TEST(Motion, WhoseRateIsNotItsDerivativeIsRefused) {
  EXPECT_TRUE(compiled(slider("[s*sin(w*t), s*w*cos(w*t)]")));
  EXPECT_TRUE(compiled(slider("[s*sin(w*t), s*w*cos(w*t), -s*w^2*sin(w*t)]")));
  std::string text = testkit::faults(slider("[s*sin(w*t), 2*s*w*cos(w*t), 0]"));
  EXPECT_NE(text.find("parameters.joints.rail.motion"), std::string::npos) << text;
  EXPECT_NE(text.find("the rate of joint 'rail' is not the derivative of the coordinate"),
            std::string::npos)
      << text;
  text = testkit::faults(slider("[s*sin(w*t), s*w*cos(w*t), s*w^2*sin(w*t)]"));
  EXPECT_NE(text.find("the acceleration of joint 'rail' is not the derivative of the rate"),
            std::string::npos)
      << text;
}

TEST(Motion, OfASignalNeedsAllThree) {
  EXPECT_NE(testkit::faults(slider("u")).find("give motion, rate and acceleration"),
            std::string::npos);
  EXPECT_TRUE(compiled(slider("[u, 0, 0]")));
}

// Where the crank begins half way round, the piston is there from the first frame.
TEST(Motion, ThatBeginsElsewhereTakesItsLoopAlong) {
  constexpr const char* kCrank = R"(
format: chicane/1
parameters:
  r: {value: 0.1 m}
  l: {value: 0.3 m}
  w: {value: 20 rad/s}
  bodies:
    crank: {mass: 1 kg, com: [0, 0, 0], inertia: {diagonal: [0.01, 0.01, 0.01, kg m^2]}}
    rod: {mass: 1 kg, com: [r + l/2, 0, 0], inertia: {diagonal: [0.001, 0.01, 0.01, kg m^2]}}
    piston: {mass: 1 kg, com: [r + l, 0, 0], inertia: {diagonal: [0.01, 0.01, 0.01, kg m^2]}}
  joints:
    main: {at: [0, 0, 0], axis: [0, -1, 0], motion: 4 + w*t}
    big_end: {at: [r, 0, 0]}
    small_end: {at: [r + l, 0, 0], axis: [0, 1, 0], second_axis: [0, 0, 1]}
    bore: {at: [r + l, 0, 0], axis: [1, 0, 0]}
topology:
  bodies: [crank, rod, piston]
  joints:
    main: {type: revolute, connects: [ground, crank], driven: true}
    big_end: {type: spherical, connects: [crank, rod]}
    small_end: {type: universal, connects: [rod, piston]}
    bore: {type: translational, connects: [ground, piston]}
)";
  Simulation s(compiled(kCrank), plan("rk4", 1e-3));
  const double r = 0.1, l = 0.3, w = 20, c = std::cos(4.0), n = std::sin(4.0);
  const double root = std::sqrt(l * l - r * r * n * n);
  EXPECT_NEAR(testkit::value_in(s, "bore.displacement"), r * c + root - r - l, 1e-14);
  EXPECT_NEAR(testkit::value_in(s, "bore.displacement_rate"), -r * n * w - r * r * n * c * w / root,
              1e-12);
}

}  // namespace
}  // namespace motion_test
