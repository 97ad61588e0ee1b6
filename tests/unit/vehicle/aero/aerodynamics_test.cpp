// SPDX-License-Identifier: Apache-2.0
#include "vehicle/aero/aerodynamics.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "unit/vehicle/integrate.hpp"

namespace aerodynamics_test {
namespace {

using namespace chicane;
using namespace chicane::aero;
using namespace chicane::testing_vehicle;

CoefficientData half() {
  return {.beta = {0, 0.2, 0.6, 1.6, 3.2},
          .C_x = {0.32, 0.36, 0.5, 0.0, -0.4},
          .C_y = {0, -0.4, -1.2, -2.0, 0},
          .C_z = {0.15, 0.2, 0.5, 0.3, 0.1},
          .C_l = {0, 0.05, 0.15, 0.2, 0},
          .C_m = {0.02, 0.01, -0.03, 0, 0},
          .C_n = {0, -0.04, -0.1, 0.02, 0}};
}

Coefficients coefficients() { return made(Coefficients::make_symmetric(half())); }

template <class T = double>
Params<T> params() {
  return {.rho = 1.2, .A = 2.2, .L = 2.7, .x_c = 0.3, .y_c = 0.0, .z_c = 0.4};
}

In<double> moving(const Vec3<double>& v, const Vec3<double>& wind = {}) {
  return {Mat3<double>::identity(), {{}, v}, wind};
}

// 30 m/s through calm air: drag of 0.32 x 2.2 m^2 at 540 Pa.
TEST(Aerodynamics, DragsStraightBack) {
  const auto out = evaluate(coefficients(), params(), moving({30, 0, 0}));
  EXPECT_DOUBLE_EQ(out.q, 540);
  EXPECT_NEAR(out.B.force.x, -380.16, 1e-9);
  EXPECT_EQ(out.B.force.y, 0);
  EXPECT_NEAR(out.B.force.z, 540 * 2.2 * 0.15, 1e-9);
  // drag 0.4 m above the origin lifts the front, lift 0.3 m before it too: both turn about -y
  EXPECT_NEAR(out.B.moment.y, 540 * 2.2 * (2.7 * 0.02) - 380.16 * 0.4 - 540 * 2.2 * 0.15 * 0.3,
              1e-9);
}

// Only the difference of car and wind counts; a car in the wind's own motion feels nothing.
TEST(Aerodynamics, FeelsOnlyTheRelativeWind) {
  const auto C = coefficients();
  const auto a = evaluate(C, params(), moving({30, 0, 0}, {0, 8, 0}));
  const auto b = evaluate(C, params(), moving({30, -8, 0}));
  EXPECT_EQ(a.B, b.B);
  EXPECT_GT(a.B.force.y, 0);  // wind to the left pushes to the left
  EXPECT_EQ(evaluate(C, params(), moving({5, 6, 0}, {5, 6, 0})).B, Wrench<double>{});
}

// Air that overtakes the car pushes it forward as hard as it would drag it from ahead.
TEST(Aerodynamics, DragIsAgainstTheAirWhereNoTablesAreKnown) {
  const FirstHarmonics<double> C{
      .C_x = {0.4}, .C_y = {-2}, .C_z = {0.1}, .C_l = {}, .C_m = {}, .C_n = {}};
  const auto ahead = evaluate(C, params(), moving({20, 0, 0}));
  const auto astern = evaluate(C, params(), moving({20, 0, 0}, {40, 0, 0}));
  EXPECT_NEAR(ahead.B.force.x, -0.5 * 1.2 * 400 * 2.2 * 0.4, 1e-10);
  EXPECT_NEAR(astern.B.force.x, -ahead.B.force.x, 1e-10);
  const auto aside = evaluate(C, params(), moving({20, 0, 0}, {0, 2, 0}));
  EXPECT_GT(aside.B.force.y, 0);
  EXPECT_NEAR(evaluate(C, params(), moving({20, 0, 0}, {0, -2, 0})).B.force.y, -aside.B.force.y,
              1e-10);
}

// Mirrored motion and wind give the mirrored wrench: moments are mirrored the other way.
TEST(Aerodynamics, DoesNotKnowLeftFromRight) {
  const auto C = coefficients();
  std::mt19937 random(1);
  std::uniform_real_distribution<double> number(-1, 1);
  const auto n = [&] { return number(random); };
  for (int trial = 0; trial < 300; ++trial) {
    const Vec3<double> v{30 * n(), 20 * n(), n()}, w{n(), n(), n()}, wind{9 * n(), 9 * n(), n()};
    const auto a = evaluate(C, params(), {Mat3<double>::identity(), {w, v}, wind});
    const auto b = evaluate(C, params(),
                            {Mat3<double>::identity(),
                             {{-w.x, w.y, -w.z}, {v.x, -v.y, v.z}},
                             {wind.x, -wind.y, wind.z}});
    const double size = 1e-12 * a.q * 10;
    EXPECT_NEAR(a.B.force.x, b.B.force.x, size);
    EXPECT_NEAR(a.B.force.y, -b.B.force.y, size);
    EXPECT_NEAR(a.B.force.z, b.B.force.z, size);
    EXPECT_NEAR(a.B.moment.x, -b.B.moment.x, size);
    EXPECT_NEAR(a.B.moment.y, b.B.moment.y, size);
    EXPECT_NEAR(a.B.moment.z, -b.B.moment.z, size);
  }
}

// The wrench is in the axes of the body: turning car, motion and wind together changes nothing.
TEST(Aerodynamics, DoesNotKnowNorthFromSouth) {
  const auto C = coefficients();
  const auto R = rotation(from_rotation_vector({0.1, -0.2, 2.0}));
  const Vec3<double> v{25, 3, 0.5}, w{0.1, 0.2, 0.6}, wind{4, -7, 1};
  const auto here = evaluate(C, params(), {Mat3<double>::identity(), {w, v}, wind});
  const auto there = evaluate(C, params(), {R, {R * w, R * v}, R * wind});
  EXPECT_NEAR(here.beta, there.beta, 1e-14);
  EXPECT_NEAR(norm(here.B.force - there.B.force), 0, 1e-10);
  EXPECT_NEAR(norm(here.B.moment - there.B.moment), 0, 1e-10);
}

// A turning car: its aerodynamic centre moves sideways even if its origin does not.
TEST(Aerodynamics, SeesTheMotionOfItsCentre) {
  const auto out =
      evaluate(coefficients(), params(), {Mat3<double>::identity(), {{0, 0, 2}, {30, 0, 0}}, {}});
  EXPECT_NEAR(out.beta, std::atan2(2 * 0.3, 30.0), 1e-15);
}

TEST(Aerodynamics, RefusesBadTables) {
  auto lopsided = half();
  lopsided.C_n[0] = 0.01;
  expect_refused(Coefficients::make_symmetric(lopsided), "C_n must be 0");
  auto late = half();
  late.beta[0] = 0.1;
  expect_refused(Coefficients::make_symmetric(late), "beta must begin at 0");
  auto shorter = half();
  shorter.C_m.pop_back();
  expect_refused(Coefficients::make_symmetric(shorter), "C_m");
}

TEST(Aerodynamics, DualSlopesAreDifferencesAndFiniteAtRest) {
  const auto C = coefficients();
  const auto wrench = [&](const auto& a) {
    using T = std::decay_t<decltype(a[0])>;
    const auto out = evaluate<T>(
        C, params<T>(), {Mat3<T>::identity(), {{T(0.0), T(0.0), a[2]}, {a[0], a[1], T(0.0)}}, {}});
    return std::array{out.B.force.x, out.B.force.y, out.B.moment.y, out.B.moment.z};
  };
  expect_dual_slopes(std::array{30.0, -4.0, 0.3}, 1e-5, 1e-6, wrench);
  for (const Dual& f : wrench(std::array<Dual, 3>{Dual::variable(0, 0), Dual(0.0), Dual(0.0)}))
    EXPECT_TRUE(is_finite(f));
}

}  // namespace
}  // namespace aerodynamics_test
