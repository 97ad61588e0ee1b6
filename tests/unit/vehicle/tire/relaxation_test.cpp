// SPDX-License-Identifier: Apache-2.0
#include "vehicle/tire/relaxation.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <type_traits>
#include <utility>

#include "math/dual.hpp"
#include "testkit/random.hpp"
#include "testkit/tires.hpp"

namespace relaxation_test {
namespace {

using namespace chicane;
using namespace chicane::tire;
using testkit::for_every_model;
using testkit::kNominalLoad;

constexpr double kDelta = 0.0208;  // [m] deflection under about the nominal load

terrain::Flat<double> road() { return {.height = 0, .cover = {0.8, 0}}; }

Contact<double> rolling(double v_x, double v_y, double omega, double delta = kDelta) {
  return testkit::on(road(), testkit::rolling_wheel(delta, v_x, v_y, omega));
}

Load<double> load_of(const Params<double>& p, const Contact<double>& c) {
  return {
      .F_z = load(p.vertical, c), .mu = c.at.hit.friction, .L = 2 * std::sqrt(p.R_0 * c.at.delta)};
}

// --- steady state -------------------------------------------------------------------------------

// From anything, the states go to where the force is the model's at the slip of the motion.
TEST(Relaxation, SettlesAtTheSteadyModel) {
  testkit::Random random{17};
  const auto p = testkit::tire_params<double>();
  for_every_model<double>([&](const char* name, const auto& model) {
    for (int i = 0; i < 20; ++i) {
      const double v_x = random(3, 30) * (i % 2 ? 1 : -1);
      const auto c = rolling(v_x, random(-3, 3), v_x / 0.46 * random(0.8, 1.2));
      States<double> x{random(-0.02, 0.02), random(-0.02, 0.02), 0};
      for (int k = 0; k < 20000; ++k) {  // slowest: sigma / v_T = 0.3 s; 2 s of Euler
        const auto dx = evaluate(p, model, c, x).rates;
        x = {x.u_x + 1e-4 * dx.u_x, x.u_y + 1e-4 * dx.u_y, x.s_y + 1e-4 * dx.s_y};
      }
      const auto F = forces(p, model, c, x);
      const auto v = sliding(p, model, c);
      const Slip<double> s{-v.v_sx / v.v_T, -v.v_sy / v.v_T};
      const auto steady_F = steady(model, load_of(p, c), s);
      EXPECT_NEAR(F.F_x, steady_F.x, 1e-3) << name;  // what e^-10 to e^-20 leaves of 1e4 N
      EXPECT_NEAR(F.F_y, steady_F.y, 1e-3) << name;
      const auto end = settled(p, model, c);
      EXPECT_NEAR(x.u_x, end.u_x, 1e-8) << name;
      EXPECT_NEAR(x.s_y, s.y, 1e-3) << name;
    }
  });
}

// For small slips the force lags by the relaxation length dF_0 / c: after that way a step of slip
// angle has reached 1 - 1/e, whatever the speed. The damper delays by d_y/c_y = 20 ms more, which
// is taken out here.
TEST(Relaxation, LagsByALength) {
  auto p = testkit::tire_params<double>();
  p.d_y = 1;  // [N s/m] hardly any
  const auto model = testkit::linear<double>();
  const double sigma = model.C_y / p.c_y;
  for (const double v : {1.0, 5.0, 25.0}) {
    const auto c = rolling(v, -0.01 * v, v / 0.4629);
    States<double> x{0, 0, 0};
    const int n = 400000;
    for (int k = 0; k < n; ++k) {
      const double h = sigma / v / n;
      x.u_y += h * evaluate(p, model, c, x).rates.u_y;
    }
    const double F = forces(p, model, c, x).F_y;
    // the damper's own step, d_y v / C_y <= 4e-4, is left; so is Euler's 1/(2n)
    EXPECT_NEAR(F / (0.01 * model.C_y), 1 - std::exp(-1), 5e-4) << v;
  }
}

// --- standstill and reverse ---------------------------------------------------------------------

// Pulled a little from rest the patch is a spring with a damper.
TEST(Relaxation, IsASpringAtStandstill) {
  const auto p = testkit::tire_params<double>();
  for_every_model<double>([&](const char* name, const auto& model) {
    const States<double> x{0.002, -0.003, 0};
    const auto c = rolling(0, 0, 0);
    const auto F = forces(p, model, c, x);
    // creep v_0 F / dF_0 through the damper: 1e-4 m/s * 0.02 * 4000 N s/m
    EXPECT_NEAR(F.F_x, p.c_x * 0.002, 0.02) << name;
    EXPECT_NEAR(F.F_y, p.c_y * -0.003, 0.05) << name;
    const auto dx = evaluate(p, model, c, x).rates;
    EXPECT_NEAR(dx.u_x, 0, 1e-5) << name;
    EXPECT_NEAR(dx.u_y, 0, 1e-5) << name;
    EXPECT_EQ(F.M_y + (sliding(p, model, c).R_e - c.at.r_S) * F.F_x, 0) << name;  // does not roll
  });
}

// Forward and backward, left and right: the mirror of a motion has the mirror of its forces, to
// the bit, over all of contact, load, slip and states.
TEST(Relaxation, HasNoSides) {
  testkit::Random random{17};
  auto p = testkit::tire_params<double>();
  p.camber_slip = 0.2;
  for_every_model<double>([&](const char* name, const auto& model) {
    for (int i = 0; i < 200; ++i) {
      const double g = random(-0.1, 0.1), a = random(-0.3, 0.3);
      const Vec3<double> e{std::sin(a), std::cos(a) * std::cos(g), std::cos(a) * std::sin(g)};
      const Vec3<double> v{random(-20, 20), random(-5, 5), random(-1, 1)};
      const Vec3<double> w{random(-1, 1), random(-50, 50), random(-1, 1)};
      const States<double> x{random(-.02, .02), random(-.02, .02), random(-.3, .3)};
      // x -> side_x x, y -> side_y y; turning vectors change as y z, x z, x y do
      const auto at = [&](double side_x, double side_y) {
        const double turn = side_x * side_y;
        const Wheel<double> wheel{
            {0, 0, 0.45},
            {turn * e.x, e.y, side_y * e.z},
            {{side_y * w.x, side_x * w.y, turn * w.z}, {side_x * v.x, side_y * v.y, v.z}}};
        const auto c = testkit::on(road(), wheel);
        const States<double> y{side_x * x.u_x, side_y * x.u_y, side_y * x.s_y};
        const auto F = forces(p, model, c, y);
        return std::pair{F, evaluate(p, model, c, y).rates};
      };
      const auto [F, dx] = at(1, 1);
      for (const auto& [sx, sy] : {std::pair{1.0, -1.0}, {-1.0, 1.0}, {-1.0, -1.0}}) {
        const auto [G, dy] = at(sx, sy);
        EXPECT_EQ(G.F_x, sx * F.F_x) << name;
        EXPECT_EQ(G.F_y, sy * F.F_y) << name;
        EXPECT_EQ(G.F_z, F.F_z) << name;
        EXPECT_EQ(G.M_x, sy * F.M_x) << name;
        EXPECT_EQ(G.M_y, sx * F.M_y) << name;
        EXPECT_EQ(G.M_z, sx * sy * F.M_z) << name;
        EXPECT_EQ(dy.u_x, sx * dx.u_x) << name;
        EXPECT_EQ(dy.u_y, sy * dx.u_y) << name;
        EXPECT_EQ(dy.s_y, sy * dx.s_y) << name;
      }
    }
  });
}

// The torque aligns: it turns the wheel towards the direction in which it travels, backwards too.
TEST(Relaxation, AlignsInBothDirections) {
  const auto p = testkit::tire_params<double>();
  const auto model = testkit::tmeasy<double>();
  for (const double v : {10.0, -10.0}) {
    const auto c = rolling(v, 0.5, v / 0.4629);  // slides to the left
    const auto F = forces(p, model, c, settled(p, model, c));
    EXPECT_LT(F.F_y, 0);
    EXPECT_GT(F.M_z * v, 0);  // forward: turns left; backward: turns right
  }
}

// Camber thrust is towards the lean, whichever way the wheel rolls, and none at rest.
TEST(Relaxation, ThrustsTowardsTheLean) {
  auto p = testkit::tire_params<double>();
  p.camber_slip = 0.1;
  const auto model = testkit::tmeasy<double>();
  for (const double v : {10.0, -10.0, 0.0}) {
    auto wheel = testkit::rolling_wheel(kDelta, v, 0.0, v / 0.4629);
    wheel.e_spin = {0, std::cos(0.05), std::sin(0.05)};  // the top leans to the right
    wheel.V.angular = (v / 0.4629) * wheel.e_spin;
    const auto c = testkit::on(road(), wheel);
    const auto F = forces(p, model, c, settled(p, model, c));
    if (v != 0) {
      EXPECT_LT(F.F_y, -100);
    }
    EXPECT_LT(F.M_x, 0);  // the load moves to the right, which rights the wheel
  }
}

// --- power and limits ---------------------------------------------------------------------------

// What the wheel loses to the slips is stored in the springs or gone; never more comes back.
TEST(Relaxation, MakesNoEnergy) {
  testkit::Random random{17};
  const auto p = testkit::tire_params<double>();
  for_every_model<double>([&](const char* name, const auto& model) {
    for (int i = 0; i < 2000; ++i) {
      const double speed = std::pow(10, random(-6, 1.5)), spin = std::pow(10, random(-6, 2));
      const auto c = rolling(speed * random(-1, 1), speed * random(-1, 1), spin * random(-1, 1),
                             random(-0.01, 0.05));
      const States<double> x{random(-.05, .05), random(-.05, .05), 0};
      const auto F = forces(p, model, c, x);
      const auto v = sliding(p, model, c);
      const auto dx = evaluate(p, model, c, x).rates;
      const double lost = -F.F_x * v.v_sx - F.F_y * v.v_sy;
      const double stored = p.c_x * x.u_x * dx.u_x + p.c_y * x.u_y * dx.u_y;
      // terms of size c u^2 c/d and F v
      EXPECT_GE(lost - stored, -1e-11 * (1e5 + std::fabs(lost) + std::fabs(stored))) << name;
    }
  });
}

// Whatever the states are, the ground gives no more than its friction; nothing in the air.
TEST(Relaxation, NeverExceedsTheFriction) {
  testkit::Random random{17};
  const auto p = testkit::tire_params<double>();
  for_every_model<double>([&](const char* name, const auto& model) {
    for (int i = 0; i < 2000; ++i) {
      const double delta = random(-0.01, 0.04);
      const auto c = rolling(random(-5, 5), random(-5, 5), random(-10, 10), delta);
      const auto F = forces(p, model, c, {random(-.1, .1), random(-.1, .1), random(-1, 1)});
      // the largest quotient of any of the models, see models_test.cpp
      EXPECT_LE(std::hypot(F.F_x, F.F_y), 1.03 * F.F_z) << name;
      if (delta <= 0) {
        EXPECT_EQ(std::hypot(F.F_x, F.F_y) + std::fabs(F.F_z) + std::fabs(F.M_x) +
                      std::fabs(F.M_y) + std::fabs(F.M_z),
                  0)
            << name;
      }
    }
  });
}

// Lifted, a tensed patch swings back with its own time constant d/c; derivatives stay finite.
TEST(Relaxation, ForgetsInTheAir) {
  const auto p = testkit::tire_params<Dual>();
  const terrain::Flat<Dual> ground{.height = 0.0, .cover = {Dual(0.8), 0}};
  for_every_model<Dual>([&](const char* name, const auto& model) {
    for (const double speed : {0.0, 3.0}) {
      const auto wheel = testkit::rolling_wheel(Dual::variable(-0.1, 0), Dual::variable(speed, 1),
                                                Dual(0.0), Dual::variable(speed, 2));
      const auto c = testkit::on(ground, wheel);
      const States<Dual> x{Dual::variable(0.01, 3), Dual::variable(0.02, 4), Dual(0.0)};
      const auto F = forces(p, model, c, x);
      const auto dx = evaluate(p, model, c, x).rates;
      EXPECT_NEAR(dx.u_x.a, -100 * 0.01, 1e-12) << name;
      EXPECT_NEAR(dx.u_y.a, -50 * 0.02, 1e-12) << name;
      for (const Dual& v : {F.F_x, F.F_y, F.F_z, F.M_x, F.M_y, F.M_z, dx.u_x, dx.u_y, dx.s_y})
        EXPECT_TRUE(is_finite(v)) << name;
    }
  });
}

// Exact derivatives by every input against differences, rolling and at rest. Tolerance: the forces'
// second derivative by slip velocity is up to 1e9 at the smoothing v_0, times 1e-9.
TEST(Relaxation, HasTheSlopesOfItsForces) {
  const auto p = testkit::tire_params<double>();
  const auto dual_p = testkit::tire_params<Dual>();
  const terrain::Flat<Dual> ground{.height = 0.0, .cover = {Dual(0.8), 0}};
  for (const double speed : {12.0, 0.5}) {
    const std::array<double, 5> at{speed, -0.03 * speed, speed / 0.455, 0.004, -0.006};
    const auto value = [&](const std::array<double, 5>& q) {
      return forces(p, testkit::tmeasy<double>(), rolling(q[0], q[1], q[2]), {q[3], q[4], 0.05});
    };
    std::array<Dual, 5> q;
    for (std::size_t i = 0; i < 5; ++i) q[i] = Dual::variable(at[i], i);
    const auto wheel = testkit::rolling_wheel(Dual(kDelta), q[0], q[1], q[2]);
    const auto F = forces(dual_p, testkit::tmeasy<Dual>(), testkit::on(ground, wheel),
                          {q[3], q[4], Dual(0.05)});
    for (std::size_t i = 0; i < 5; ++i) {
      auto up = at, down = at;
      const double h = 1e-7;
      up[i] += h;
      down[i] -= h;
      const auto a = value(up), b = value(down);
      EXPECT_NEAR(F.F_x.b[i], (a.F_x - b.F_x) / (2 * h), 1e-6 * 4e5) << i;
      EXPECT_NEAR(F.F_y.b[i], (a.F_y - b.F_y) / (2 * h), 1e-6 * 4e5) << i;
      EXPECT_NEAR(F.M_z.b[i], (a.M_z - b.M_z) / (2 * h), 1e-6 * 4e5) << i;
    }
  }
}

// --- runs ---------------------------------------------------------------------------------------

template <std::size_t n, class F>
std::array<double, n> rk4(const std::array<double, n>& x, double t, double h, F&& f) {
  const auto plus = [&](const std::array<double, n>& k, double s) {
    auto y = x;
    for (std::size_t i = 0; i < n; ++i) y[i] += s * k[i];
    return y;
  };
  const auto a = f(t, x), b = f(t + h / 2, plus(a, h / 2)), c = f(t + h / 2, plus(b, h / 2)),
             d = f(t + h, plus(c, h));
  auto y = x;
  for (std::size_t i = 0; i < n; ++i) y[i] += h / 6 * (a[i] + 2 * b[i] + 2 * c[i] + d[i]);
  return y;
}

// A mass on a braked wheel, put on a slope of 10 %: it settles and then hardly creeps.
TEST(Parked, OnASlopeDriftsLessThanAMillimetreInAMinute) {
  const auto p = testkit::tire_params<double>();
  const double theta = std::atan(0.1), g = 9.81;
  const double m = kDelta * p.vertical.c_1 / (g * std::cos(theta));
  for_every_model<double>([&](const char* name, const auto& model) {
    for (const bool across : {false, true}) {
      // states: way, speed, u_x, u_y, s_y; the wheel does not turn
      const auto f = [&](double, const std::array<double, 5>& q) {
        const auto c = rolling(across ? 0 : q[1], across ? q[1] : 0, 0);
        const States<double> x{q[2], q[3], q[4]};
        const auto F = forces(p, model, c, x);
        const auto dx = evaluate(p, model, c, x).rates;
        return std::array{q[1], g * std::sin(theta) + (across ? F.F_y : F.F_x) / m, dx.u_x, dx.u_y,
                          dx.s_y};
      };
      std::array<double, 5> q{};
      double settled_at = 0;
      const double h = 2e-3;
      for (int k = 0; k < 32500; ++k) {
        if (k == 2500) settled_at = q[0];  // 5 s
        q = rk4(q, 0, h, f);
      }
      EXPECT_GT(q[0], 0) << name;  // it has moved: the spring is tensed
      EXPECT_LT(std::fabs(q[0] - settled_at), 1e-3) << name;
      EXPECT_LT(std::fabs(q[1]), 1e-5) << name;
      RecordProperty(std::string(name) + (across ? "_across" : "_along"),
                     std::to_string(1e3 * (q[0] - settled_at)));
    }
  });
}

// A slope steeper than the friction cannot hold it, and then the ground gives its sliding force.
TEST(Parked, OnTooSteepASlopeSlides) {
  const auto p = testkit::tire_params<double>();
  const auto model = testkit::tmeasy<double>();
  std::array<double, 4> q{};  // speed, u_x, u_y, s_y
  const auto f = [&](double, const std::array<double, 4>& s) {
    const States<double> x{s[1], s[2], s[3]};
    const auto c = rolling(s[0], 0, 0);
    const auto F = forces(p, model, c, x);
    const auto dx = evaluate(p, model, c, x).rates;
    return std::array{9.81 + F.F_x / 900, dx.u_x, dx.u_y, dx.s_y};  // upright: free fall
  };
  for (int k = 0; k < 1000; ++k) q = rk4(q, 0, 1e-3, f);
  const auto c = rolling(q[0], 0, 0);
  // sliding force over load 0.46183, bent by the load: a parabola through the two of the data
  const double q_N = load_of(p, c).F_z / kNominalLoad;
  const double sliding_force =
      kNominalLoad * q_N * (2 * 0.46183 - 0.42349 - (0.46183 - 0.42349) * q_N);
  EXPECT_GT(q[0], 1);
  EXPECT_NEAR(forces(p, model, c, {q[1], q[2], q[3]}).F_x, -sliding_force, 1);
}

// Braked from 5 m/s while it drifts sideways, the wheel locks, slides and comes to rest. Energy of
// mass, wheel and springs only ever falls, through standstill too.
TEST(Braked, ComesToRestAndOnlyLosesEnergy) {
  const auto p = testkit::tire_params<double>();
  const double m = 870, I = 8;
  for_every_model<double>([&](const char* name, const auto& model) {
    using X = std::array<double, 6>;  // v_x, v_y, omega, u_x, u_y, s_y
    const auto f = [&](double, const X& q) {
      const auto c = rolling(q[0], q[1], q[2]);
      const States<double> x{q[3], q[4], q[5]};
      const auto F = forces(p, model, c, x);
      const auto dx = evaluate(p, model, c, x).rates;
      const double brake = -4000 * std::tanh(q[2] / 0.1);
      return X{F.F_x / m, F.F_y / m, (spin_moment(c, F) + brake) / I, dx.u_x, dx.u_y, dx.s_y};
    };
    const auto energy = [&](const X& q) {
      return 0.5 * m * (q[0] * q[0] + q[1] * q[1]) + 0.5 * I * q[2] * q[2] +
             elastic_energy(p, rolling(0, 0, 0), {q[3], q[4], q[5]});
    };
    X q{5, 0.5, 5 / 0.4629, 0, 0, 0};
    double last = energy(q);
    const double start = last;
    for (int k = 0; k < 60000; ++k) {
      q = rk4(q, 0, 1e-4, f);
      // kinks of the models cost the method a little where the slip reverses
      EXPECT_LE(energy(q), last + 1e-9 * start) << name << " at step " << k;
      last = energy(q);
    }
    EXPECT_LT(std::hypot(q[0], q[1]), 1e-4) << name;
    EXPECT_LT(std::fabs(q[2]), 1e-3) << name;
  });
}

// The stored energy of the load's spring has its force as derivative, beyond the rim's stop too.
TEST(Springs, StoreWhatTheLoadGivesBack) {
  auto p = testkit::tire_params<Dual>();
  p.vertical.c_2 = 1e6;
  for (const double delta : {-0.01, 0.01, 0.1, 0.26}) {
    Contact<Dual> c{};
    c.at.delta = Dual::variable(delta, 0);
    c.at.cos_gamma = 1.0;
    const Dual E = elastic_energy(p, c, {Dual(0.0), Dual(0.0), Dual(0.0)});
    EXPECT_NEAR(E.b[0], load(p.vertical, c).a, 1e-9) << delta;
  }
}

// A mass on a wheel, driven and pushed sideways over waves: three directions, spin and states.
// x, z, v_x, v_y, v_z, omega, u_x, u_y, s_y, and what the wrench of the tire has done.
struct Ride {
  using X = std::array<double, 10>;
  static constexpr double m = 870, I = 8;

  terrain::SumOfSines<double> ground{.waves = {{0.01, 1.5, 0.0, 0.0}}, .cover = {0.8, 0}};
  Params<double> p = testkit::tire_params<double>();

  Wheel<double> wheel(const X& q) const {
    return {{q[0], 0, q[1]}, {0, 1, 0}, {{0, q[5], 0}, {q[2], q[3], q[4]}}};
  }
  static double torque(double t) { return 500 + 300 * std::sin(3 * t); }
  static double push(double t) { return 800 + 300 * std::sin(2 * t); }

  template <class M>
  X rates_of(const M& model, double t, const X& q) const {
    const auto w = wheel(q);
    const auto c = testkit::on(ground, w);
    const States<double> x{q[6], q[7], q[8]};
    const auto F = forces(p, model, c, x);
    const auto dx = evaluate(p, model, c, x).rates;
    const auto on_wheel = about(wrench(c, F), c.at.p - w.centre);
    return {q[2],
            q[4],
            on_wheel.force.x / m,
            (on_wheel.force.y + push(t)) / m,
            on_wheel.force.z / m - 9.81,
            (on_wheel.moment.y + torque(t)) / I,
            dx.u_x,
            dx.u_y,
            dx.s_y,
            dot(w.V, on_wheel)};
  }
  static X start() { return {0, 0.4491, 10, 0.05, 0, 10 / 0.4629 * 1.01, 1e-3, -1e-3, 0, 0}; }

  template <class M>
  X run(const M& model, int steps, double end) const {
    X q = start();
    const double h = end / steps;
    for (int k = 0; k < steps; ++k)
      q = rk4(q, k * h, h, [&](double t, const X& y) { return rates_of(model, t, y); });
    return q;
  }
};

// Inside the range in which the models are smooth a method of order 4 has order 4.
TEST(Ride, ConvergesAtTheOrderOfTheMethod) {
  const Ride ride;
  for_every_model<double>([&](const char* name, const auto& model) {
    const auto a = ride.run(model, 400, 1.0), b = ride.run(model, 800, 1.0),
               c = ride.run(model, 1600, 1.0);
    double coarse = 0, fine = 0;
    for (const std::size_t i : {2U, 3U, 4U, 5U}) {
      coarse = std::max(coarse, std::fabs(a[i] - b[i]));
      fine = std::max(fine, std::fabs(b[i] - c[i]));
    }
    EXPECT_GT(std::log2(coarse / fine), 3.7) << name << " " << coarse << " " << fine;
  });
}

// Energy of mass and wheel changes by what torque, push, weight and tire have done.
TEST(Ride, BalancesItsPower) {
  const Ride ride;
  for_every_model<double>([&](const char* name, const auto& model) {
    auto q = Ride::start();
    double given = 0, turnover = 0;
    const auto energy = [](const Ride::X& y) {
      return 0.5 * Ride::m * (y[2] * y[2] + y[3] * y[3] + y[4] * y[4]) +
             0.5 * Ride::I * y[5] * y[5] + Ride::m * 9.81 * y[1];
    };
    const double before = energy(q);
    const int n = 4000;
    const double h = 2.0 / n;
    for (int k = 0; k < n; ++k) {
      const auto power = [&](double t, const Ride::X& y) {
        return Ride::torque(t) * y[5] + Ride::push(t) * y[3];
      };
      const auto next =
          rk4(q, k * h, h, [&](double t, const Ride::X& y) { return ride.rates_of(model, t, y); });
      // Simpson, with the middle by the cubic through both ends
      const auto d0 = ride.rates_of(model, k * h, q), d1 = ride.rates_of(model, (k + 1) * h, next);
      auto middle = q;
      for (std::size_t i = 0; i < q.size(); ++i)
        middle[i] = (q[i] + next[i]) / 2 + h / 8 * (d0[i] - d1[i]);
      given +=
          h / 6 * (power(k * h, q) + 4 * power((k + 0.5) * h, middle) + power((k + 1) * h, next));
      turnover = std::max(turnover, std::fabs(given));
      q = next;
    }
    EXPECT_NEAR(energy(q) - before, given + q[9], 1e-6 * turnover) << name;
  });
}

}  // namespace
}  // namespace relaxation_test
