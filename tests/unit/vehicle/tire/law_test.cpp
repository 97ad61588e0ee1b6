// SPDX-License-Identifier: Apache-2.0
#include "vehicle/tire/law.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <utility>

#include "math/dual.hpp"
#include "testkit/random.hpp"
#include "testkit/tires.hpp"
#include "testkit/wide_tire.hpp"
#include "vehicle/tire/compliance.hpp"

// What the interface of tire laws carries beyond secants, with a law that uses all of it.

namespace law_test {
namespace {

using namespace chicane;
using namespace chicane::tire;
using testkit::WideTire;

constexpr double kDelta = 0.0208;  // [m] about the nominal load

terrain::Flat<double> road() { return {.height = 0, .cover = {0.8, 0}}; }

// A wheel that leans by gamma, its top to the right, and turns about the vertical.
template <class T>
Wheel<T> leaning(const T& delta, const T& v_x, const T& v_y, const T& omega, const T& gamma,
                 const T& turning) {
  Wheel<T> w = testkit::rolling_wheel(delta, v_x, v_y, omega);
  w.e_spin = {T(0.0), cos(gamma), sin(gamma)};
  w.V.angular = omega * w.e_spin + Vec3<T>{T(0.0), T(0.0), turning};
  return w;
}
Contact<double> moving(double v_x, double v_y, double omega, double gamma = 0, double turning = 0,
                       double delta = kDelta) {
  return testkit::on(road(), leaning(delta, v_x, v_y, omega, gamma, turning));
}
const Params<double> kParams = testkit::tire_params<double>();

Forces<double> steady_forces(const WideTire<double>& law, const Contact<double>& c,
                             double mounted = 1) {
  return forces(kParams, law, c, settled(kParams, law, c, mounted), mounted);
}
double rolling_spin(const WideTire<double>& law, double v, double delta = kDelta) {
  return v / support(kParams, law, moving(v, 0, 0, 0, 0, delta)).R_e;
}

// --- force without slip -------------------------------------------------------------------------

TEST(WideTire, HasForcesWithoutSlip) {
  const WideTire<double> law;
  const double omega = rolling_spin(law, 15);
  const auto ahead = steady_forces(law, moving(15, 0, omega));
  const auto back = steady_forces(law, moving(-15, 0, -omega));
  const double by_slip = law.K_y * 0.97 * law.ply_steer * ahead.F_z;  // 10 % more air
  const double by_cone = law.conicity * ahead.F_z;
  EXPECT_NEAR(ahead.F_x, 0, 1e-6);
  EXPECT_NEAR(ahead.F_y, by_slip + by_cone, 0.01 * by_slip);  // the curve bends by B s = 6 %
  EXPECT_NEAR(back.F_y, -by_slip + by_cone, 0.01 * by_slip);
  // towards the lean: the top is to the right
  const auto leans = steady_forces(law, moving(15, 0, omega, 0.05));
  EXPECT_NEAR(leans.F_y / leans.F_z - ahead.F_y / ahead.F_z, -0.9 * std::sin(0.05), 1e-6);
  EXPECT_LT(leans.M_x, ahead.M_x);
}

TEST(WideTire, HasItsOwnRadiusAndItsPressure) {
  WideTire<double> law;
  const double omega = rolling_spin(law, 15);
  const auto c = moving(15, 0, omega);
  EXPECT_NEAR(sliding(kParams, law, c).v_sx, 0, 1e-12);
  EXPECT_GT(std::fabs(sliding(kParams, testkit::tmeasy<double>(), c).v_sx), 0.01);
  EXPECT_NEAR(steady_forces(law, c).F_z, 1.1 * load(kParams.vertical, c), 1e-9);
  const auto F = steady_forces(law, moving(15, -0.3, omega));
  law.pressure = 200e3;
  const auto G = steady_forces(law, moving(15, -0.3, omega));
  EXPECT_NEAR(G.F_z, F.F_z / 1.1, 1e-9);
  EXPECT_GT(G.F_y / G.F_z, 1.01 * F.F_y / F.F_z) << "less air, more tread";
}

// --- mirror -------------------------------------------------------------------------------------

// A tire on the other side is the mirror image, to the bit: all of motion, states, forces, rates.
TEST(WideTire, IsMirroredOnTheOtherSide) {
  testkit::Random random{23};
  const WideTire<double> law;
  for (int i = 0; i < 300; ++i) {
    const double v_x = random(-20, 20), v_y = random(-5, 5), omega = random(-50, 50),
                 gamma = random(-0.2, 0.2), turning = random(-2, 2), delta = random(-0.01, 0.05);
    const States<double> x{random(-.02, .02), random(-.02, .02), random(-.3, .3), random(-3, 3)},
        mirrored{x.u_x, -x.u_y, -x.s_y, -x.turn};
    const auto a = evaluate(kParams, law, moving(v_x, v_y, omega, gamma, turning, delta), x, 1);
    const auto b =
        evaluate(kParams, law, moving(v_x, -v_y, omega, -gamma, -turning, delta), mirrored, -1);
    EXPECT_EQ(a.F.F_x, b.F.F_x);
    EXPECT_EQ(a.F.F_y, -b.F.F_y);
    EXPECT_EQ(a.F.F_z, b.F.F_z);
    EXPECT_EQ(a.F.M_x, -b.F.M_x);
    EXPECT_EQ(a.F.M_y, b.F.M_y);
    EXPECT_EQ(a.F.M_z, -b.F.M_z);
    EXPECT_EQ(a.rates.u_x, b.rates.u_x);
    EXPECT_EQ(a.rates.u_y, -b.rates.u_y);
    EXPECT_EQ(a.rates.s_y, -b.rates.s_y);
    EXPECT_EQ(a.rates.turn, -b.rates.turn);
    const auto h = held(kParams, law, moving(v_x, v_y, omega, gamma, turning, delta), x, 1);
    const auto k =
        held(kParams, law, moving(v_x, -v_y, omega, -gamma, -turning, delta), mirrored, -1);
    EXPECT_EQ(h.F_y, -k.F_y);
    EXPECT_EQ(h.M_z, -k.M_z);
  }
  // and it does have sides
  const double omega = rolling_spin(law, 15);
  EXPECT_EQ(steady_forces(law, moving(15, 0, omega), -1).F_y,
            -steady_forces(law, moving(15, 0, omega), 1).F_y);
  EXPECT_GT(steady_forces(law, moving(15, 0, omega)).F_y, 100);
}

// --- relaxation ---------------------------------------------------------------------------------

TEST(WideTire, SettlesAtItsSteadyForces) {
  testkit::Random random{23};
  const WideTire<double> law;
  for (int i = 0; i < 20; ++i) {
    const double v_x = random(5, 30) * (i % 2 ? 1 : -1);
    const auto c = moving(v_x, random(-2, 2), v_x / 0.46 * random(0.85, 1.15), random(-0.1, 0.1),
                          random(-0.5, 0.5));
    States<double> x{random(-0.02, 0.02), random(-0.02, 0.02), 0, 0};
    for (int k = 0; k < 40000; ++k) {  // slowest: sigma / v_T = 0.1 s; 4 s of Euler
      const auto dx = evaluate(kParams, law, c, x).rates;
      x = {x.u_x + 1e-4 * dx.u_x, x.u_y + 1e-4 * dx.u_y, x.s_y + 1e-4 * dx.s_y,
           x.turn + 1e-4 * dx.turn};
    }
    const auto end = settled(kParams, law, c);
    const auto F = forces(kParams, law, c, x), G = forces(kParams, law, c, end);
    EXPECT_NEAR(F.F_x, G.F_x, 1e-6);
    EXPECT_NEAR(F.F_y, G.F_y, 1e-6);
    EXPECT_NEAR(x.u_y, end.u_y, 1e-10);
    EXPECT_NEAR(x.s_y, end.s_y, 1e-10);
    // what holds a turning wheel bends the turn slip of a rolling one: by (turn / limit)^4 of it
    EXPECT_NEAR(x.turn, end.turn,
                std::pow(end.turn / law.turn_limit, 4) * std::fabs(end.turn) + 1e-12);
    // the steady force is the law's
    const auto v = sliding(kParams, law, c);
    const auto at = footprint(kParams, law, c, F.F_z, v, slip_of(v), end, 1);
    const auto law_F = steady(response(kParams, law, at), slip_of(v));
    EXPECT_NEAR(F.F_x, law_F.x, 1e-6);
    EXPECT_NEAR(F.F_y, law_F.y, 1e-6);
  }
}

// After the relaxation length a small step of slip has reached 1 - 1/e, whatever speed and load;
// the length grows with the load.
TEST(WideTire, LagsByALengthThatGrowsWithLoad) {
  auto p = kParams;
  p.d_y = 1;  // [N s/m] hardly any: it would delay further
  WideTire<double> law;
  law.ply_steer = law.conicity = 0;
  double before = 0;
  for (const double delta : {0.01, 0.02, 0.04}) {
    for (const double v : {2.0, 20.0}) {
      const auto c = moving(v, -1e-3 * v, rolling_spin(law, v, delta), 0, 0, delta);
      const auto s = sliding(p, law, c);
      const double F_z = support(p, law, c).F_z;
      const auto r = response(p, law, footprint(p, law, c, F_z, s, slip_of(s), {0, 0, 0}, 1));
      const double sigma = law.sigma_y * (0.5 + 0.5 * F_z / law.F_N);
      EXPECT_NEAR(relaxation_lengths(r).y, sigma, 2e-4 * sigma) << "the curve bends by B s = 1 %";
      States<double> x{0, 0, 0, 0};
      const int n = 100000;
      for (int k = 0; k < n; ++k) x.u_y += sigma / v / n * evaluate(p, law, c, x).rates.u_y;
      const double part = forces(p, law, c, x).F_y / steady(r, slip_of(s)).y;
      EXPECT_NEAR(part, 1 - std::exp(-1), 1e-3) << delta << " " << v;
      if (v == 2.0) {
        EXPECT_GT(sigma, 1.2 * before);
        before = sigma;
      }
    }
  }
}

// --- standstill ---------------------------------------------------------------------------------

// Whatever states and motion are: no more than the friction and what there is without slip.
TEST(WideTire, ForcesAtStandstillAreBounded) {
  testkit::Random random{23};
  const WideTire<double> law;
  for (int i = 0; i < 3000; ++i) {
    const double speed = i % 3 == 0 ? 0 : std::pow(10, random(-8, 1));
    const double gamma = random(-0.1, 0.1);
    const auto c = moving(speed * random(-1, 1), speed * random(-1, 1), speed * random(-2, 2),
                          gamma, speed * random(-1, 1), random(-0.01, 0.05));
    const States<double> x{random(-.1, .1), random(-.1, .1), random(-5, 5), random(-5, 5)};
    const auto [F, dx] = evaluate(kParams, law, c, x);
    const double shifted = (law.conicity + 0.9 * std::fabs(std::sin(gamma))) * F.F_z;
    // in combined slip both curves may be near their peak
    EXPECT_LE(std::hypot(F.F_x, F.F_y), std::sqrt(2.0) * (0.8 * F.F_z + shifted));
    EXPECT_LE(std::fabs(F.M_z), (0.03 + 0.05 * 1.3 + 1e-4) * F.F_z);
    for (const double r : {dx.u_x, dx.u_y, dx.s_y, dx.turn}) EXPECT_TRUE(std::isfinite(r));
  }
  // at rest a spring holds; neither ply steer nor conicity nor the lean pushes
  const auto [F, dx] = evaluate(kParams, law, moving(0, 0, 0, 0.05), {0, 0, 0, 0});
  EXPECT_EQ(F.F_y, 0);
  EXPECT_EQ(dx.u_y, 0);
}

// Turned on the spot, a wheel is held by a moment that rises, stays, and turns around with it; a
// turn to and fro takes energy.
TEST(WideTire, HoldsAgainstTurningOnTheSpot) {
  const WideTire<double> law;
  const double rate = 0.5, h = 1e-4;  // [rad/s], [s]
  States<double> x{0, 0, 0, 0};
  double angle = 0, taken = 0;
  const auto turn = [&](double turning, int steps) {
    const auto c = moving(0, 0, 0, 0, turning);
    Evaluation<double> e{};
    for (int k = 0; k < steps; ++k) {
      e = evaluate(kParams, law, c, x);
      taken -= h * e.F.M_z * turning;
      x.turn += h * e.rates.turn;
      angle += h * turning;
    }
    return e.F.M_z;
  };
  const double early = turn(rate, 4000);    // 0.2 rad: half of what it takes
  const double at_end = turn(rate, 96000);  // 5 rad
  const double most = law.turn_moment * steady_forces(law, moving(0, 0, 0)).F_z * std::tanh(2);
  EXPECT_LT(early, -0.5 * most);
  EXPECT_GT(early, -0.99 * most);
  EXPECT_NEAR(at_end, -most, 1e-3 * most);
  EXPECT_NEAR(x.turn, -law.turn_limit, 1e-3 * law.turn_limit);
  const double back = turn(-rate, 100000);
  EXPECT_NEAR(angle, 0, 1e-9);
  EXPECT_NEAR(back, most, 1e-3 * most) << "it has turned around";
  EXPECT_GT(taken, 0.85 * most * 10) << "10 rad of friction";
}

// --- derivatives --------------------------------------------------------------------------------

// By every input against differences: deflection, both speeds, spin, lean, turning, states.
TEST(WideTire, HasTheSlopesOfItsForces) {
  constexpr std::size_t n = 8;
  const std::array<double, n> points[] = {
      {0.02, 12, -0.5, 25, 0.03, 0.4, 0.006, 0.5},     // rolling, slipping, leaning, turning
      {0.03, -6, 0.2, -13.5, -0.05, -0.2, -0.01, 0.1}  // backwards
  };
  const auto all = [](const auto& law, const auto& p, const auto& ground, const auto& q) {
    using T = std::decay_t<decltype(q[0])>;
    const auto c = testkit::on(ground, leaning<T>(q[0], q[1], q[2], q[3], q[4], q[5]));
    const auto e = evaluate(p, law, c, States<T>{0.5 * q[6], q[6], 5.0 * q[6], q[7]});
    return std::array<T, 9>{e.F.F_x, e.F.F_y,     e.F.F_z,     e.F.M_x,     e.F.M_y,
                            e.F.M_z, e.rates.u_y, e.rates.s_y, e.rates.turn};
  };
  for (const auto& at : points) {
    std::array<Dual, n> q;
    for (std::size_t i = 0; i < n; ++i) q[i] = Dual::variable(at[i], i);
    const auto exact = all(WideTire<Dual>{}, testkit::tire_params<Dual>(),
                           terrain::Flat<Dual>{.height = 0.0, .cover = {Dual(0.8), 0}}, q);
    for (std::size_t i = 0; i < n; ++i) {
      const double h = 1e-6 * std::max(1.0, std::fabs(at[i]));
      auto up = at, down = at;
      up[i] += h, down[i] -= h;
      const auto a = all(WideTire<double>{}, kParams, road(), up),
                 b = all(WideTire<double>{}, kParams, road(), down);
      for (std::size_t k = 0; k < exact.size(); ++k)  // second order, and rounding of 1e4 N over h
        EXPECT_NEAR(exact[k].b[i], (a[k] - b[k]) / (2 * h),
                    1e-5 * (1 + std::fabs(exact[k].b[i])) + 1e-16 * 1e4 / h * 100)
            << k << " by " << i;
    }
  }
}

TEST(Chord, GivesBackTheForce) {
  for (const double s : {-0.3, -1e-5, 0.0, 1e-8, 1e-3, 0.5}) {
    const auto F = [](double at) { return 100 + 3000 * std::tanh(20 * (at + 0.01)); };
    const double K = 60000 / std::pow(std::cosh(0.2), 2);
    const auto c = chord(F(s), F(0), s, K);
    EXPECT_NEAR(c.F_0 + c.f * s, F(s), 1e-12 * 3000);
    EXPECT_GT(c.f, 0);
    if (std::fabs(s) < 1e-4) {
      EXPECT_NEAR(c.f, K, 1e-3 * K);
    }
  }
  EXPECT_EQ(chord(-5.0, 0.0, 1.0, 10.0).f, 0) << "a force against its slip has no secant";
}

}  // namespace
}  // namespace law_test
