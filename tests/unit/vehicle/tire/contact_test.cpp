// SPDX-License-Identifier: Apache-2.0
#include "vehicle/tire/contact.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <utility>

#include "testkit/random.hpp"
#include "testkit/tires.hpp"

namespace contact_test {
namespace {

using namespace chicane;
using namespace chicane::tire;

Vec3<double> unit(const Vec3<double>& a) { return (1 / norm(a)) * a; }

terrain::SumOfSines<double> waves() {
  return {.waves = {{0.05, 0.9, 0.2, 0.3}, {0.02, -0.4, 1.1, 1.0}}, .cover = {0.8, 0}};
}

Wheel<double> any_wheel(testkit::Random& random) {
  return {.centre = {random(-5, 5), random(-5, 5), random(0.35, 0.55)},
          .e_spin = unit({random(-0.5, 0.5), 1, random(-0.2, 0.2)}),
          .V = {random.vec(2) + Vec3<double>{0, random(-50, 50), 0}, random.vec(20)}};
}

// A little later: moved, and turned by the angular velocity without spin.
Wheel<double> after(const Wheel<double>& w, double t) {
  const double omega = dot(w.e_spin, w.V.angular);
  const Vec3<double> turning = w.V.angular - omega * w.e_spin;
  const auto q = from_rotation_vector(t * turning);
  return {w.centre + t * w.V.linear, rotation(q) * w.e_spin, w.V};
}

// The rate of deflection comes from velocities alone; here it is compared with deflections. What
// remains is the way the contact point is still off the ground: curvature 0.06/m times R_0, to the
// fourth power, is 1e-6 of the speeds of 30 m/s.
TEST(Contact, RateOfDeflectionIsItsDerivativeOnAnyGround) {
  testkit::Random random{13};
  const double h = 1e-6;
  for (int i = 0; i < 200; ++i) {
    const Wheel<double> w = any_wheel(random);
    const double there = testkit::on(waves(), after(w, h)).at.delta;
    const double back = testkit::on(waves(), after(w, -h)).at.delta;
    EXPECT_NEAR(testkit::on(waves(), w).delta_rate, (there - back) / (2 * h), 2e-4);
  }
}

// The wrench does the power of its parts, at the velocities that the tire is told: nothing is lost
// between contact frame and wheel body.
TEST(Contact, WrenchDoesThePowerOfTheSlips) {
  testkit::Random random{13};
  auto p = testkit::tire_params<double>();
  p.camber_slip = 0;
  const auto model = testkit::tmeasy<double>();
  for (int i = 0; i < 200; ++i) {
    const Wheel<double> w = any_wheel(random);
    const auto c = testkit::on(waves(), w);
    const auto F =
        forces(p, model, c, {random(-0.01, 0.01), random(-0.01, 0.01), random(-0.2, 0.2)});
    const auto v = sliding(p, testkit::tmeasy<double>(), c);
    const double done = dot(at_point(w.V, c.at.p - w.centre), wrench(c, F));
    const double rolling = -0.015 * 0.4699 * F.F_z * std::tanh(c.omega);  // resistance alone
    const double parts = F.F_x * v.v_sx + F.F_y * v.v_sy - F.F_z * c.at.cos_gamma * c.delta_rate +
                         rolling * c.omega + F.M_x * dot(c.at.R.x, w.V.angular) +
                         F.M_z * dot(c.at.R.z, w.V.angular);
    EXPECT_NEAR(done, parts, 1e-12 * 1e7);  // rounding of terms up to 1e7 W
    EXPECT_NEAR(spin_moment(c, F), dot(w.e_spin, about(wrench(c, F), c.at.p - w.centre).moment),
                1e-8);
  }
}

// A belt that runs backwards under a wheel, and a ground that the wheel runs over: the same
// contact.
TEST(Contact, IsThatOfTheMotionOverTheGround) {
  struct Belt : terrain::Flat<double> {
    Vec3<double> velocity;
    terrain::Hit<double> query(double x, double y, const terrain::Hit<double>& before) const {
      auto hit = Flat::query(x, y, before);
      hit.velocity = velocity;
      return hit;
    }
  };
  testkit::Random random{13};
  for (int i = 0; i < 100; ++i) {
    const Wheel<double> w = any_wheel(random);
    Wheel<double> over_belt = w;
    const Vec3<double> v{random(-20, 20), random(-5, 5), random(-1, 1)};
    over_belt.V.linear = w.V.linear + v;
    const auto a = testkit::on(terrain::Flat<double>{}, w), b = testkit::on(Belt{{}, v}, over_belt);
    EXPECT_NEAR(a.v_x, b.v_x, 1e-13 * 40);
    EXPECT_NEAR(a.v_y, b.v_y, 1e-13 * 40);
    EXPECT_NEAR(a.delta_rate, b.delta_rate, 1e-13 * 40);
    EXPECT_EQ(a.omega, b.omega);
  }
}

TEST(Contact, OfARollingWheelHasNoSlip) {
  const auto p = testkit::tire_params<double>();
  const double delta = 0.02, R_e = 0.4699 - delta / 3;  // a third of the way to the loaded radius
  const auto c =
      testkit::on(terrain::Flat<double>{}, testkit::rolling_wheel(delta, 15.0, 0.0, 15.0 / R_e));
  const auto v = sliding(p, testkit::tmeasy<double>(), c);
  EXPECT_NEAR(v.R_e, R_e, 1e-15);
  EXPECT_NEAR(v.v_sx, 0, 1e-13);
  EXPECT_EQ(v.v_sy, 0);
  EXPECT_NEAR(v.v_T, 15, 1e-8);
  EXPECT_EQ(c.delta_rate, 0);
}

TEST(WheelAngles, HaveTheSignsOfTheirNames) {
  const auto upright = Mat3<double>::identity();
  const auto left = wheel_angles(upright, unit({-0.1, 1, 0.0}));  // heads to the left
  EXPECT_NEAR(left.steer, std::atan(0.1), 1e-15);
  EXPECT_LT(toe_in(left, 1), 0);  // a left wheel toes out, a right one in
  EXPECT_GT(toe_in(left, -1), 0);
  const auto leaning = wheel_angles(upright, {0.0, std::cos(0.05), std::sin(0.05)});
  EXPECT_NEAR(leaning.inclination, 0.05, 1e-15);  // its top is to the right
  EXPECT_LT(camber(leaning, 1), 0);
  EXPECT_GT(camber(leaning, -1), 0);
}

TEST(WheelAngles, AreWhatAWheelWasTurnedBy) {
  testkit::Random random{13};
  for (int i = 0; i < 50; ++i) {
    const auto R = rotation(from_rotation_vector(random.vec(2)));
    const WheelAngles<double> by{random(-0.6, 0.6), random(-0.2, 0.2)};
    const auto back = wheel_angles(R, turned(R, R.y, by));
    EXPECT_NEAR(back.steer, by.steer, 1e-14);
    EXPECT_NEAR(back.inclination, by.inclination, 1e-14);
  }
}

// --- load ---------------------------------------------------------------------------------------

double load_at(double delta, double rate, double gamma = 0) {
  const auto p = testkit::tire_params<double>().vertical;
  Contact<double> c{};
  c.at.delta = delta;
  c.at.cos_gamma = std::cos(gamma);
  c.delta_rate = rate;
  return load(p, c);
}

TEST(Load, PushesAndNeverPulls) {
  EXPECT_NEAR(load_at(0.02, 0), 0.02 * 411120.9242103178, 1e-9);
  EXPECT_NEAR(load_at(0.02, 0.1) - load_at(0.02, 0), 393.168, 1e-3);
  EXPECT_EQ(load_at(-0.001, 5), 0);                          // in the air
  EXPECT_EQ(load_at(0.001, -10), 0);                         // leaves faster than it springs back
  EXPECT_GT(load_at(0.26, 0), 0.26 * 411121 + 0.009 * 2e6);  // on the rim
}

// A landing at 5 m/s: as the deflection grows from 0 so does the force.
TEST(Load, BeginsAtNothing) {
  double last = 0;
  for (double delta = -1e-5; delta < 0.01; delta += 1e-5) {
    EXPECT_LT(load_at(delta, 5) - last, 90) << delta;  // (c + 1.5 d v / delta_d) 1e-5
    last = load_at(delta, 5);
  }
  EXPECT_GT(last, 20000);
}

// Energy kept: an inclined wheel is pressed down and let go along another way (inclination changes
// in between). The work of the load round the loop is that of a conservative force: none.
TEST(Load, ConservesEnergyWhileTheWheelInclines) {
  const double R = 0.4699;
  const auto path = [](double t) {  // height and inclination, closed over t = 0..1
    const double a = 2 * std::numbers::pi * t;
    return std::pair{0.42 - 0.01 * std::sin(a), 0.2 + 0.1 * std::cos(a)};
  };
  double work = 0, turnover = 0;
  const int n = 2000;
  for (int i = 0; i < n; ++i) {
    const double t = (i + 0.5) / n, d = 1e-6;
    const auto [z, g] = path(t);
    const double z_rate = (path(t + d).first - path(t - d).first) / (2 * d);
    const double g_rate = (path(t + d).second - path(t - d).second) / (2 * d);
    const Wheel<double> w{
        {0, 0, z}, {0, std::cos(g), std::sin(g)}, {{g_rate, 0, 0}, {0, 0, z_rate}}};
    const auto c = contact(w, terrain::touch(terrain::Flat<double>{}, w.centre, w.e_spin, R, {}));
    auto p = testkit::tire_params<double>().vertical;
    p.d = 0;
    const double v_z = dot(c.at.R.z, at_point(w.V, c.at.p - w.centre).linear);
    work += load(p, c) * v_z / n;
    turnover += std::fabs(load(p, c) * v_z) / n;
  }
  EXPECT_GT(turnover, 100);
  EXPECT_NEAR(work, 0, 1e-6);  // the midpoint rule is exact to rounding on a smooth loop
}

TEST(Spring, HasTheGivenSlopesAtBothLoads) {
  const double c_N = 3e5, c_2N = 3.6e5, F_N = 5000;
  const auto s = spring_from_slopes(c_N, c_2N, F_N);
  const auto slope_at = [&](double F) {
    double delta = 0;
    for (int i = 0; i < 50; ++i)  // Newton for the deflection under F
      delta -= (s.c_1 * delta + s.c_2 * delta * delta - F) / (s.c_1 + 2 * s.c_2 * delta);
    return s.c_1 + 2 * s.c_2 * delta;
  };
  EXPECT_NEAR(slope_at(F_N), c_N, 1e-6);
  EXPECT_NEAR(slope_at(2 * F_N), c_2N, 1e-6);
}

}  // namespace
}  // namespace contact_test
