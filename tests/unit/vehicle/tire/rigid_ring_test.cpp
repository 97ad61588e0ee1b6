// SPDX-License-Identifier: Apache-2.0
#include "vehicle/tire/rigid_ring.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include "../integrate.hpp"
#include "testkit/random.hpp"
#include "testkit/tires.hpp"

namespace rigid_ring_test {
namespace {

using namespace chicane;
using namespace chicane::tire;
using testing_vehicle::Flat;

template <class T>
RingParams<T> ring() {
  return {.m = 25,
          .I_p = 4.2,
          .I_d = 2.3,
          .k_r = 2e6,
          .d_r = 300,
          .k_y = 9e5,
          .d_y = 250,
          .k_t = 1.1e5,
          .d_t = 20,
          .k_w = 2.4e5,
          .d_w = 30};
}
template <class T>
RingParams<T> undamped() {
  RingParams<T> p = ring<T>();
  p.d_r = p.d_y = p.d_t = p.d_w = T(0.0);
  return p;
}
constexpr Stop<double> kFar{1.0, 0.0};
const Wrench<double> kNothing{};

RingStates<double> any(testkit::Random& random) {
  RingStates<double> x{.u = random.vec(0.05),
                       .camber = random(-0.2, 0.2),
                       .yaw = random(-0.2, 0.2),
                       .w = random(-0.2, 0.2),
                       .v = random.vec(30),
                       .omega = random.vec(3)};
  x.omega.y = random(-80, 80);
  return x;
}
Rim<double> any_rim(testkit::Random& random) {
  return {.v = random.vec(30), .omega = random.vec(2), .spin = random(-80, 80)};
}

// The rate of a function of the states along their rates.
template <class F>
double rate_of(const RingStates<double>& x, const RingStates<double>& rates, F&& f) {
  const auto a = testing_vehicle::flat(x), b = testing_vehicle::flat(rates);
  std::array<Dual, std::tuple_size_v<Flat<RingStates<double>>>> d;
  for (std::size_t i = 0; i < a.size(); ++i) d[i] = Dual(a[i]), d[i].b[0] = b[i];
  const RingStates<Dual> moving{.u = {d[0], d[1], d[2]},
                                .camber = d[3],
                                .yaw = d[4],
                                .w = d[5],
                                .v = {d[6], d[7], d[8]},
                                .omega = {d[9], d[10], d[11]}};
  return f(moving).b[0];
}

// What the ring gains is what rim, ground and gravity give, less what the dampers take: for any
// states, however far the ring is out of place.
TEST(RigidRing, PowerIsBalanced) {
  testkit::Random random{5};
  const auto p = ring<double>();
  for (int i = 0; i < 200; ++i) {
    const Stop<double> stop{i % 2 ? 0.02 : 1.0, 2e6};
    const auto x = any(random);
    const auto rim = any_rim(random);
    const Wrench<double> ground{{random(-300, 300), random(-300, 300), random(-300, 300)},
                                {random(-4e3, 4e3), random(-4e3, 4e3), random(-4e3, 4e3)}};
    const Vec3<double> g{random(-1, 1), random(-1, 1), -9.81};
    const auto walls = sidewalls(p, stop, x, rim);
    const auto rates = ring_rates(p, x, rim, walls, ground, g);
    const double gained = rate_of(x, rates, [&](const RingStates<Dual>& s) {
      return kinetic_energy(ring<Dual>(), s) +
             elastic_energy(ring<Dual>(), Stop<Dual>{Dual(stop.way), Dual(stop.k)}, s);
    });
    const Wrench<double> hub = on_rim(walls, x);
    const Vec3<double> w_rim{rim.omega.x, rim.spin, rim.omega.z};
    const double given = dot(ground.force, x.v) + dot(ground.moment, x.omega) + p.m * dot(g, x.v) -
                         dot(hub.force, rim.v) - dot(hub.moment, w_rim);
    EXPECT_GE(walls.taken, 0.0);
    EXPECT_NEAR(gained, given - walls.taken, 1e-9 * (std::fabs(given) + walls.taken + 1e6));
  }
}

// Undamped, in the air, on a rim that stands: the six frequencies are those of a mass on springs.
TEST(RigidRing, HasTheFrequenciesOfItsSprings) {
  const auto p = undamped<double>();
  const Rim<double> rim{};
  constexpr double kSmall = 1e-7;
  const auto pull = [&](const RingStates<double>& x) {
    return ring_rates(p, x, rim, sidewalls(p, kFar, x, rim), kNothing, {});
  };
  RingStates<double> x{};
  x.u = {kSmall, 2 * kSmall, 3 * kSmall};
  x.camber = kSmall, x.yaw = 2 * kSmall, x.w = 3 * kSmall;
  const auto r = pull(x);
  EXPECT_NEAR(r.v.x, -p.k_r / p.m * x.u.x, 1e-12);
  EXPECT_NEAR(r.v.y, -p.k_y / p.m * x.u.y, 1e-12);
  EXPECT_NEAR(r.v.z, -p.k_r / p.m * x.u.z, 1e-12);
  EXPECT_NEAR(r.omega.x, -p.k_t / p.I_d * x.camber, 1e-8);
  EXPECT_NEAR(r.omega.z, -p.k_t / p.I_d * x.yaw, 1e-8);
  EXPECT_NEAR(r.omega.y, -p.k_w / p.I_p * x.w, 1e-8);
}

// A ring that spins with its rim tilts in two whirls, forward and backward:
//   I_d w^2 + I_p Omega w - k_t = 0      counted from camber to yaw, against the spin
TEST(RigidRing, WhirlsAsAGyroscopeOnSprings) {
  const auto p = undamped<double>();
  constexpr double kSpin = 60, kSmall = 1e-6;
  const Rim<double> rim{.v = {}, .omega = {}, .spin = kSpin};
  for (const double sign : {1.0, -1.0}) {
    const double half = p.I_p * kSpin / (2 * p.I_d);
    const double w = -half + sign * std::sqrt(half * half + p.k_t / p.I_d);
    // camber = a cos wt, yaw = a sin wt; the spin lies along an axis that tilts
    RingStates<double> x{};
    x.camber = kSmall;
    x.omega = {0.0, kSpin, kSmall * w + kSpin * kSmall};
    const auto r = ring_rates(p, x, rim, sidewalls(p, kFar, x, rim), kNothing, {});
    EXPECT_NEAR(r.camber, 0.0, 1e-12);
    EXPECT_NEAR(r.yaw, kSmall * w, 1e-10);
    EXPECT_NEAR(r.omega.x, -kSmall * w * w - kSpin * kSmall * w, 1e-8);
    EXPECT_NEAR(r.omega.z, 0.0, 1e-8);
    EXPECT_NEAR(r.w, 0.0, 10 * kSmall * kSmall * std::fabs(w));  // no wind-up in a tilt
  }
}

// Without a sidewall's grip, no moment: the angular momentum in space stays, whatever axes it is
// written in.
TEST(RigidRing, KeepsItsAngularMomentum) {
  testkit::Random random{8};
  RingParams<double> p = ring<double>();
  p.k_t = p.k_w = p.d_t = p.d_w = 0;
  p.k_r = p.d_r = p.k_y = p.d_y = 0;
  const auto momentum = [&](const auto& s) {
    const auto e = ring_axis(s);
    return p.I_d * s.omega + (p.I_p - p.I_d) * dot(s.omega, e) * e;
  };
  for (int i = 0; i < 50; ++i) {
    const auto x = any(random);
    const auto rim = any_rim(random);
    const auto r = ring_rates(p, x, rim, sidewalls(p, kFar, x, rim), kNothing, {});
    const Vec3<double> expected = -cross(rim.omega, momentum(x));
    for (const int k : {0, 1, 2}) {
      const double rate = rate_of(x, r, [&](const RingStates<Dual>& s) {
        const auto e = ring_axis(s);
        const Vec3<Dual> L = Dual(p.I_d) * s.omega + Dual(p.I_p - p.I_d) * dot(s.omega, e) * e;
        return k == 0 ? L.x : k == 1 ? L.y : L.z;
      });
      EXPECT_NEAR(rate, k == 0 ? expected.x : k == 1 ? expected.y : expected.z, 1e-9);
    }
  }
}

TEST(RigidRing, IsItsMirrorImage) {
  testkit::Random random{11};
  const auto p = ring<double>();
  const auto polar = [](const Vec3<double>& v) { return Vec3<double>{v.x, -v.y, v.z}; };
  const auto axial = [](const Vec3<double>& v) { return Vec3<double>{-v.x, v.y, -v.z}; };
  const auto mirrored = [&](const RingStates<double>& s) {
    return RingStates<double>{polar(s.u), -s.camber, -s.yaw, s.w, polar(s.v), axial(s.omega)};
  };
  for (int i = 0; i < 50; ++i) {
    const auto x = any(random);
    const auto rim = any_rim(random);
    const Rim<double> other{polar(rim.v), axial(rim.omega), rim.spin};
    const auto a =
        mirrored(ring_rates(p, x, rim, sidewalls(p, kFar, x, rim), kNothing, {0.1, 0.2, -9.8}));
    const auto b = ring_rates(p, mirrored(x), other, sidewalls(p, kFar, mirrored(x), other),
                              kNothing, {0.1, -0.2, -9.8});
    const auto fa = testing_vehicle::flat(a), fb = testing_vehicle::flat(b);
    for (std::size_t k = 0; k < fa.size(); ++k) EXPECT_NEAR(fa[k], fb[k], 1e-9);
  }
}

// Pressed on the ground by a rim that stands at some height: the ring rests where the load is that
// of the tire without one, whether its spring stiffens or not.
TEST(RigidRing, CarriesAtRestWhatTheTireWithoutRingCarries) {
  const auto r = ring<double>();
  for (const double growth : {0.0, 2e6}) {
    auto p = ::testkit::tire_params<double>();
    p.vertical.c_2 = growth;
    const auto law = ::testkit::tmeasy<double>();
    const terrain::Flat<double> road{};
    for (const double delta : {0.003, 0.02, 0.06}) {
      const auto point = ::testkit::on(road, ::testkit::rolling_wheel(delta, 0.0, 0.0, 0.0));
      const double F_z = evaluate(p, law, point, {}).F.F_z;
      RingStates<double> x{};
      x.u.z = F_z / r.k_r;
      const auto wheel = ring_wheel(x, Mat3<double>::identity(), {0, 0, 0.4699 - delta});
      const auto c = ::testkit::on(road, wheel);
      const auto on = ring_contact(p, law, r, c, {});
      EXPECT_NEAR(on.F.F_z, F_z, 1e-9 * F_z);
      const auto walls = sidewalls(r, rim_stop(p, r), x, {});
      const auto rates =
          ring_rates(r, x, {}, walls, about(wrench(c, on.F), c.at.p - wheel.centre), {});
      EXPECT_NEAR(rates.v.z, 0.0, 1e-6);
    }
  }
}

// Pulled along the ground and across it at standstill, rim held: all springs in series are as stiff
// as the tire is said to be.
TEST(RigidRing, IsAsStiffAlongTheGroundAsTheTireIsSaidToBe) {
  const auto r = ring<double>();
  const auto p = ::testkit::tire_params<double>();
  const auto law = ::testkit::linear<double>();
  const terrain::Flat<double> road{};
  constexpr double kForce = 10.0, kDelta = 0.02;
  const double F_z = p.vertical.c_1 * kDelta;
  const double R_e = p.R_0 - (1 - p.lambda) * kDelta, arm = p.R_0 - kDelta + F_z / r.k_r;
  States<double> patch{.u_x = kForce * (1 / p.c_x - 1 / r.k_r - R_e * R_e / r.k_w),
                       .u_y = kForce * (1 / p.c_y - 1 / r.k_y - arm * arm / r.k_t),
                       .s_y = 0};
  RingStates<double> x{};
  x.u = {kForce / r.k_r, kForce / r.k_y, F_z / r.k_r};
  x.w = -kForce * R_e / r.k_w;
  x.camber = kForce * arm / r.k_t;
  const auto wheel = ring_wheel(x, Mat3<double>::identity(), {0, 0, 0.4699 - kDelta});
  const auto c = ::testkit::on(road, wheel);
  const auto on = ring_contact(p, law, r, c, patch);
  EXPECT_NEAR(on.F.F_x, kForce, 1e-4 * kForce);
  EXPECT_NEAR(on.F.F_y, kForce, 1e-4 * kForce);
  const auto walls = sidewalls(r, kFar, x, {});
  const auto rates = ring_rates(r, x, {}, walls, about(wrench(c, on.F), c.at.p - wheel.centre), {});
  EXPECT_NEAR(rates.v.x, 0.0, 1e-3);
  EXPECT_NEAR(rates.v.y, 0.0, 1e-3);
  EXPECT_NEAR(rates.omega.y * r.I_p, 0.0, 1e-3);
  // the load, off the middle by the lateral way of the ring, leans on it as well
  EXPECT_NEAR(rates.omega.x * r.I_d, 0.0, 1e-2 * kForce * arm);
}

// Let fall, rolling and turning, on a rim that is held: no more energy than there was, and the
// account of ring, residual springs and ground closes over the run.
TEST(RigidRing, BouncesWithoutGainingEnergy) {
  const auto r = undamped<double>();
  auto p = ::testkit::tire_params<double>();
  p.vertical.d = 0;
  p.overturning = 0;  // springs that keep no account of what they hold ...
  p.w = 0;            // ... nor does the patch that is turned on the spot
  auto law = ::testkit::linear<double>();
  law.n = 0;
  const terrain::Flat<double> road{};
  struct All {
    RingStates<double> x;
    States<double> patch;
  };
  const Rim<double> rim{};
  const auto at = [&](const All& s) {
    return ::testkit::on(road, ring_wheel(s.x, Mat3<double>::identity(), {0, 0, 0.45}));
  };
  const auto rates = [&](double, const All& s) {
    const auto c = at(s);
    const auto on = ring_contact(p, law, r, c, s.patch);
    const Vec3<double> arm = c.at.p - Vec3<double>{s.x.u.x, s.x.u.y, 0.45 + s.x.u.z};
    const auto walls = sidewalls(r, kFar, s.x, rim);
    return All{ring_rates(r, s.x, rim, walls, about(wrench(c, on.F), arm), {}), on.rates};
  };
  const auto energy = [&](const All& s) {
    return kinetic_energy(r, s.x) + elastic_energy(r, kFar, s.x) +
           residual_energy(p, law, r, at(s), s.patch);
  };
  All upright{};
  upright.x.u.z = -0.01;  // alone up and down: nothing is lost
  const double before = energy(upright);
  const All later = testing_vehicle::run(upright, 0.2, 1e-5, rates);
  EXPECT_NEAR(energy(later), before, 1e-6 * before);
  EXPECT_GT(before, 50.0);

  All s{};
  s.x.u = {0.002, 0.003, -0.004};
  s.x.camber = 0.01, s.x.yaw = -0.01, s.x.w = 0.01;
  double last = energy(s);
  for (int i = 0; i < 200; ++i) {
    s = testing_vehicle::run(s, 1e-3, 1e-5, rates);
    const double now = energy(s);
    EXPECT_LE(now, last * (1 + 1e-5));
    last = now;
  }
}

TEST(RigidRing, HasTheSameSlopesForDuals) {
  testkit::Random random{3};
  const auto x0 = testing_vehicle::flat(any(random));
  const auto rim = any_rim(random);
  const auto f = [&]<class T>(const std::array<T, 12>& d) {
    const RingStates<T> x{.u = {d[0], d[1], d[2]},
                          .camber = d[3],
                          .yaw = d[4],
                          .w = d[5],
                          .v = {d[6], d[7], d[8]},
                          .omega = {d[9], d[10], d[11]}};
    const auto as = [](const Vec3<double>& v) { return Vec3<T>{T(v.x), T(v.y), T(v.z)}; };
    const Rim<T> at{as(rim.v), as(rim.omega), T(rim.spin)};
    const auto p = ring<T>();
    const auto r = ring_rates(p, x, at, sidewalls(p, Stop<T>{T(0.02), T(1e6)}, x, at), {}, {});
    return std::array<T, 6>{r.v.x, r.v.y, r.v.z, r.omega.x, r.omega.y, r.omega.z};
  };
  testing_vehicle::expect_dual_slopes(x0, 1e-6, 1e-5, f);
}

}  // namespace
}  // namespace rigid_ring_test
