// SPDX-License-Identifier: Apache-2.0
#include "vehicle/spacecraft/planar_spacecraft.hpp"

#include <gtest/gtest.h>

#include <array>
#include <random>

#include "math/dual.hpp"

namespace planar_spacecraft_test {
namespace {

using namespace chicane;
using namespace chicane::planar_spacecraft;

template <class T>
struct Motion {
  T x, y, theta, theta_R, theta_L;  // x and y of the body's centre
  T vx, vy, omega, omega_R, omega_L;
};

template <class T>
struct Conserved {
  T energy, px, py, spin;
};

constexpr double m_B = 36, I_B = 6.9, m = 25.5, I = 17.14, d = 0.28, l = 1.42, k = 5.8e4;

// From the velocities of the three bodies in the world: nothing of the equations of motion is used.
template <class T>
Conserved<T> conserved(const Motion<T>& q) {
  Conserved<T> c{};
  const auto add = [&](double mass, double inertia, T x, T y, T vx, T vy, T spin) {
    c.energy += 0.5 * mass * (vx * vx + vy * vy) + 0.5 * inertia * spin * spin;
    c.px += mass * vx;
    c.py += mass * vy;
    c.spin += inertia * spin + mass * (x * vy - y * vx);
  };
  add(m_B, I_B, q.x, q.y, q.vx, q.vy, q.omega);
  const auto panel = [&](double side, const T& angle, const T& rate) {
    const T phi = q.theta + angle, spin = q.omega + rate;
    add(m, I, q.x + side * (d * cos(q.theta) + l * cos(phi)),
        q.y + side * (d * sin(q.theta) + l * sin(phi)),
        q.vx - side * (d * q.omega * sin(q.theta) + l * spin * sin(phi)),
        q.vy + side * (d * q.omega * cos(q.theta) + l * spin * cos(phi)), spin);
    c.energy += 0.5 * k * angle * angle;
  };
  panel(1, q.theta_R, q.omega_R);
  panel(-1, q.theta_L, q.omega_L);
  return c;
}

// d/dt of what must not change, exactly, by a dual number along the motion.
TEST(PlanarSpacecraft, ConservesEnergyMomentumAndSpinAtEveryState) {
  std::mt19937 random(2);
  std::uniform_real_distribution<double> number(-1, 1);
  for (int trial = 0; trial < 200; ++trial) {
    Motion<double> q{};
    for (double* v : {&q.x, &q.y, &q.theta, &q.theta_R, &q.theta_L, &q.vx, &q.vy, &q.omega,
                      &q.omega_R, &q.omega_L})
      *v = number(random);
    const auto a = acceleration<double>({m_B, I_B, m, I, d, l, k}, q.omega,
                                        {q.theta_R, q.theta_L, q.omega_R, q.omega_L});
    const double c = std::cos(q.theta), s = std::sin(q.theta);
    const auto moving = [](double value, double rate) {
      Dual x(value);
      x.b[0] = rate;
      return x;
    };
    const Motion<Dual> along{moving(q.x, q.vx),
                             moving(q.y, q.vy),
                             moving(q.theta, q.omega),
                             moving(q.theta_R, q.omega_R),
                             moving(q.theta_L, q.omega_L),
                             moving(q.vx, c * a.x - s * a.y),
                             moving(q.vy, s * a.x + c * a.y),
                             moving(q.omega, a.theta),
                             moving(q.omega_R, a.theta_R),
                             moving(q.omega_L, a.theta_L)};
    const auto rate = conserved(along);
    // terms are up to k theta omega = 6e4 W, m a = 1e5 N
    for (const Dual& r : {rate.energy, rate.px, rate.py, rate.spin}) EXPECT_NEAR(r.b[0], 0, 1e-9);
  }
}

}  // namespace
}  // namespace planar_spacecraft_test
