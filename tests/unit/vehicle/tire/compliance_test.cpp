// SPDX-License-Identifier: Apache-2.0
#include "vehicle/tire/compliance.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <utility>
#include <variant>
#include <vector>

#include "testkit/tires.hpp"

namespace compliance_test {
namespace {

using namespace chicane;
using namespace chicane::tire;

Table1D table(std::vector<double> x, const std::vector<double>& y) {
  return std::get<Table1D>(
      Table1D::make(std::move(x), y, Interpolation::monotone, Extrapolation::linear));
}

// Some 0.2 degrees per kN and 1 degree per 100 N m, with a suspension that is not the same both
// ways.
Compliance soft() {
  return {.steer_by_force = table({-8000, 0, 8000}, {-0.025, 0, 0.03}),
          .steer_by_torque = table({-300, 0, 300}, {-0.05, 0, 0.04}),
          .inclination_by_force = table({-8000, 0, 8000}, {0.02, 0, -0.03}),
          .inclination_by_torque = table({-300, 300}, {0.001, -0.001})};
}

constexpr double kSpeed = 15, kDelta = 0.0208;

terrain::Flat<double> road() { return {.height = 0, .cover = {0.8, 0}}; }
Wheel<double> wheel(double v_y) {
  return testkit::rolling_wheel(kDelta, kSpeed, v_y, kSpeed / 0.4629);
}

const auto kAhead = Mat3<double>::identity();

struct Side {
  double side;
  Params<double> p = testkit::tire_params<double>();
  Tmeasy<double> model = testkit::tmeasy<double>();
  Compliance compliance = soft();

  WheelAngles<double> angles(const Wheel<double>& w, const States<double>& x) const {
    return yielding(compliance, held(p, model, testkit::on(road(), w), x), side);
  }
  Contact<double> contact_of(const Wheel<double>& w, const States<double>& x) const {
    return testkit::on(road(), yielded(w, kAhead, angles(w, x)));
  }
};

// No loop: the angles belong to states and load; the lateral velocity does not change them.
TEST(Compliance, IsNotChangedByWhatItChanges) {
  const Side left{1};
  const States<double> x{0.001, 0.02, 0.06};
  const auto a = left.angles(wheel(0.0), x), b = left.angles(wheel(-3.0), x);
  EXPECT_EQ(a.steer, b.steer);
  EXPECT_EQ(a.inclination, b.inclination);
  EXPECT_NE(a.steer, 0);
  // 4 kN to the left and a trail of a few cm
  EXPECT_NEAR(left.p.c_y * x.u_y, 4000, 1e-9);
  EXPECT_NEAR(a.steer, 0.015 - 0.02, 0.006);
}

TEST(Compliance, OfARightWheelIsTheMirrorImage) {
  const Side left{1}, right{-1};
  const States<double> x{0.001, 0.02, 0.06}, mirrored{0.001, -0.02, -0.06};
  const auto a = left.angles(wheel(-0.9), x), b = right.angles(wheel(0.9), mirrored);
  EXPECT_EQ(a.steer, -b.steer);
  EXPECT_EQ(a.inclination, -b.inclination);
  const auto F = forces(left.p, left.model, left.contact_of(wheel(-0.9), x), x);
  const auto G = forces(right.p, right.model, right.contact_of(wheel(0.9), mirrored), mirrored);
  EXPECT_EQ(F.F_x, G.F_x);
  EXPECT_EQ(F.F_y, -G.F_y);
  EXPECT_EQ(F.M_z, -G.M_z);
}

States<double> after(const Side& s, double v_y, double time, int steps) {
  States<double> x{0, 0, 0};
  const double h = time / steps;
  const auto f = [&](const States<double>& y) {
    const auto c = s.contact_of(wheel(v_y), y);
    return evaluate(s.p, s.model, c, y).rates;
  };
  const auto plus = [](const States<double>& a, double k, const States<double>& b) {
    return States<double>{a.u_x + k * b.u_x, a.u_y + k * b.u_y, a.s_y + k * b.s_y};
  };
  for (int i = 0; i < steps; ++i) {
    const auto a = f(x), b = f(plus(x, h / 2, a)), c = f(plus(x, h / 2, b)), d = f(plus(x, h, c));
    x = plus(plus(plus(plus(x, h / 6, a), h / 3, b), h / 3, c), h / 6, d);
  }
  return x;
}

// Once settled, steer and force agree as if the loop had been solved: the same point as that of a
// fixed-point iteration on steady forces.
TEST(Compliance, SettlesWhereTheLoopIsClosed) {
  const Side left{1};
  for (const double v_y : {-1.0, 0.5, 1.5}) {
    const auto x = after(left, v_y, 3.0, 3000);

    States<double> y{0, 0, 0};
    for (int k = 0; k < 200; ++k) {
      const auto to = settled(left.p, left.model, left.contact_of(wheel(v_y), y));
      y = {(y.u_x + to.u_x) / 2, (y.u_y + to.u_y) / 2, (y.s_y + to.s_y) / 2};
    }
    EXPECT_NEAR(x.u_y, y.u_y, 1e-9) << v_y;
    EXPECT_NEAR(x.s_y, y.s_y, 1e-9) << v_y;

    // the angles matter: a stiff suspension has another force
    const auto stiff = settled(left.p, left.model, testkit::on(road(), wheel(v_y)));
    EXPECT_GT(std::fabs(x.u_y - stiff.u_y) * left.p.c_y, 20) << v_y;
  }
}

// A force taken from the step before would cost order: it is a delay of a step.
TEST(Compliance, CostsNoOrder) {
  const Side left{1};
  const double a = after(left, -0.8, 0.1, 40).u_y, b = after(left, -0.8, 0.1, 80).u_y,
               c = after(left, -0.8, 0.1, 160).u_y;
  EXPECT_GT(std::log2(std::fabs(a - b) / std::fabs(b - c)), 3.7);
}

TEST(Compliance, KeepsTheSpin) {
  const auto w = wheel(0.3);
  const auto turned_wheel = yielded(w, kAhead, {0.05, -0.03});
  EXPECT_NEAR(dot(turned_wheel.e_spin, turned_wheel.V.angular), kSpeed / 0.4629, 1e-12);
  EXPECT_NEAR(norm(turned_wheel.e_spin), 1, 1e-15);
}

}  // namespace
}  // namespace compliance_test
