// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cmath>
#include <numbers>
#include <string>

#include "multibody/mechanism.hpp"

// A vehicle of 14 bodies: chassis, driven rack, and four double wishbones with springs; simple
// tires as wrenches. Dimensions are plausible for a heavy off-road vehicle, published figures of a
// HMMWV where there are any; x forward, y left, z up, the origin between the axles at the height
// of the lower arms' hinges. Wheels do not spin: they are part of the carriers.

namespace testkit::vehicle {

using chicane::Sym3;
using chicane::Vec3;
namespace multibody = chicane::multibody;

inline constexpr std::array<const char*, 4> kCorner{"fl", "fr", "rl", "rr"};
inline constexpr double kInch = 0.0254;
inline constexpr double kAxle = 1.69;                                // [m] from the origin
inline constexpr double kRadius = 0.47;                              // [m] of a tire
inline constexpr double kRoad = -0.47 + 0.0215 - 1.035 * kInch;      // [m] height, near equilibrium
inline constexpr double kTireStiffness = 300e3, kTireDamping = 500;  // [N/m], [N s/m]
inline constexpr double kCornering = 80e3, kFriction = 0.8;          // [N/rad], [-]
inline constexpr double kSpring = 167062, kDamper = 11000, kPreload = 0.067;
inline constexpr double kGravity = 9.81;

// Points of a corner, given in inches for the front left one; the rear is the front turned round.
struct Corner {
  double sx, sy, x0;
  [[nodiscard]] Vec3<double> at(double x, double y, double z) const {
    return {x0 + sx * kInch * x, sy * kInch * y, kInch * z};
  }
  [[nodiscard]] Vec3<double> lower_hinge() const { return at(0, 12.09, 0); }
  [[nodiscard]] Vec3<double> lower_axis() const { return at(8.79, 12.09, 0) - at(-8.79, 12.09, 0); }
  [[nodiscard]] Vec3<double> lower_com() const { return at(0, 21.528, -2.325); }
  [[nodiscard]] Vec3<double> lower_ball() const { return at(-1.40, 30.96, -4.65); }
  [[nodiscard]] Vec3<double> upper_hinge() const {
    return 0.5 * (at(-1.89, 17.55, 9.63) + at(-10.56, 18.81, 7.69));
  }
  [[nodiscard]] Vec3<double> upper_axis() const {
    return at(-1.89, 17.55, 9.63) - at(-10.56, 18.81, 7.69);
  }
  [[nodiscard]] Vec3<double> upper_com() const { return at(-4.155, 23.176, 8.575); }
  [[nodiscard]] Vec3<double> upper_ball() const { return at(-2.09, 28.16, 8.48); }
  [[nodiscard]] Vec3<double> wheel() const { return at(-1.59, 35.815, -1.035); }
  [[nodiscard]] Vec3<double> knuckle_com() const { return at(-1.59, 31.81, -1.035); }
  [[nodiscard]] Vec3<double> spring_top() const { return at(-4.1, 15.77, 12.72); }
  [[nodiscard]] Vec3<double> spring_foot() const { return at(-3.827, 21.385, -1.835); }
  [[nodiscard]] Vec3<double> tie_inner() const { return at(-9.855, 17.655, 2.135); }
  [[nodiscard]] Vec3<double> tie_outer() const { return at(-6.922, 32.31, -0.643); }
};

inline Corner corner(int c) {
  const double front = c < 2 ? 1.0 : -1.0, left = c % 2 == 0 ? 1.0 : -1.0;
  return {front, left, front * kAxle};
}

inline constexpr double kKnuckleMass = 36.3, kWheelMass = 60.0;
inline constexpr Sym3<double> kKnuckleInertia{0.145, 0.25, 0.145, 0, 0, 0};
inline constexpr Sym3<double> kWheelInertia{1.6, 3.0, 1.6, 0, 0, 0};
inline constexpr Vec3<double> kRackAt{kAxle - 9.855 * kInch, 0, 2.135 * kInch};

// Knuckle and wheel as one body.
inline multibody::BodyDescription carrier(int c) {
  using namespace chicane;
  const Corner k = corner(c);
  RigidInertia<double> I =
      about(RigidInertia<double>{kKnuckleMass, {}, kKnuckleInertia}, k.knuckle_com());
  I += about(RigidInertia<double>{kWheelMass, {}, kWheelInertia}, k.wheel());
  const Vec3<double> com = (1 / I.m) * I.h;
  // Back to the centre of mass: J - m (c.c 1 - c c')
  const Sym3<double> s = steiner(com, 0.5 * I.h);
  return {std::string("carrier_") + kCorner[static_cast<std::size_t>(c)], I.m, com, I.J - s};
}

inline multibody::Description description() {
  using multibody::JointKind;
  multibody::Description d;
  d.gravity = {0, 0, -kGravity};
  d.bodies.push_back({"chassis",
                      2086,
                      {0.056, 0, 0.523},
                      {1078.5, 2955.7, 3570.2, 0, 0, 0},
                      Vec3<double>{0, 0, 0}});
  d.bodies.push_back({"rack", 8, kRackAt, {0.6, 0.02, 0.6, 0, 0, 0}});
  d.joints.push_back({.name = "rack",
                      .kind = JointKind::translational,
                      .connects = {"chassis", "rack"},
                      .at = kRackAt,
                      .axis = {0, 1, 0},
                      .driven = true});
  for (int c = 0; c < 4; ++c) {
    const Corner k = corner(c);
    const std::string s = std::string("_") + kCorner[static_cast<std::size_t>(c)];
    d.bodies.push_back({"lca" + s, 16.4, k.lower_com(), {0.137, 0.141, 0.21, 0, 0, 0}});
    d.bodies.push_back({"uca" + s, 5.8, k.upper_com(), {0.032, 0.021, 0.049, 0, 0, 0}});
    d.bodies.push_back(carrier(c));
    const auto joint = [&](const char* name, JointKind kind, const std::string& a,
                           const std::string& b, Vec3<double> at, Vec3<double> axis) {
      d.joints.push_back(
          {.name = name + s, .kind = kind, .connects = {a, b}, .at = at, .axis = axis});
    };
    joint("lca", JointKind::revolute, "chassis", "lca" + s, k.lower_hinge(), k.lower_axis());
    joint("uca", JointKind::revolute, "chassis", "uca" + s, k.upper_hinge(), k.upper_axis());
    joint("lower", JointKind::spherical, "lca" + s, "carrier" + s, k.lower_ball(), {0, 0, 1});
    joint("upper", JointKind::spherical, "uca" + s, "carrier" + s, k.upper_ball(), {0, 0, 1});
    joint("tie", JointKind::spherical_spherical, c < 2 ? "rack" : "chassis", "carrier" + s,
          k.tie_inner(), {0, 0, 1});
    d.joints.back().second_at = k.tie_outer();
    d.forces.push_back(
        {"spring" + s, multibody::TsdaDescription{
                           .connects = {"chassis", "lca" + s},
                           .points = {k.spring_top(), k.spring_foot()},
                           .stiffness = kSpring,
                           .damping = kDamper,
                           .free_length = norm(k.spring_top() - k.spring_foot()) + kPreload}});
  }
  return d;
}

inline double road(double x, double y) { return kRoad + 0.015 * std::sin(0.9 * x + 0.3 * y); }

inline constexpr double kRackAmplitude = 0.02, kRackFrequency = std::numbers::pi;  // [m], [rad/s]

// Rack by time.
template <class T>
multibody::Drive<T> rack(double t) {
  const double A = kRackAmplitude, w = kRackFrequency;
  return {T(A * std::sin(w * t)), T(A * w * std::cos(w * t)), T(-A * w * w * std::sin(w * t))};
}

struct TireForce {
  Vec3<double> force, contact;
};

// Vertical spring and damper, and a lateral force that saturates, at the ground below the wheel's
// centre p; v is its velocity, a the axis of the wheel.
inline TireForce tire(const Vec3<double>& p, const Vec3<double>& v, const Vec3<double>& a) {
  const double h = road(p.x, p.y), depth = h + kRadius - p.z;
  TireForce t{{}, {p.x, p.y, h}};
  if (depth <= 0) return t;
  const double load = std::fmax(0.0, kTireStiffness * depth - kTireDamping * v.z);
  const double n = std::sqrt(a.x * a.x + a.y * a.y), x = a.x / n, y = a.y / n;
  const double lateral = v.x * x + v.y * y, forward = v.x * y - v.y * x;
  const double limit = kFriction * load;
  const double side =
      limit * std::tanh(-kCornering * lateral / (std::fabs(forward) + 1.0) / (limit + 1.0));
  t.force = {side * x, side * y, load};
  return t;
}

// Where the wheels are on the links, and their forces.
struct Tires {
  struct Wheel {
    std::size_t link;
    Vec3<double> centre, axis;  // in the link
  };
  std::array<Wheel, 4> wheels{};

  explicit Tires(const multibody::Mechanism& m) {
    for (const auto& b : m.bodies)
      for (std::size_t c = 0; c < 4; ++c)
        if (b.name == std::string("carrier_") + kCorner[c]) {
          const auto carried = carrier(static_cast<int>(c));
          wheels[c] = {static_cast<std::size_t>(b.link),
                       b.p_LB + b.R_LB * (corner(static_cast<int>(c)).wheel() - carried.com),
                       b.R_LB * Vec3<double>{0, 1, 0}};
        }
  }

  void apply(multibody::Workspace<double>& ws) const {
    for (const Wheel& w : wheels) {
      const auto& L = ws.motion[w.link];
      const Vec3<double> r = L.R * w.centre, p = L.p + r;
      const TireForce t = tire(p, L.V.linear + cross(L.V.angular, r), L.R * w.axis);
      ws.force[w.link] += {cross(t.contact - L.p, t.force), t.force};
    }
  }
};

}  // namespace testkit::vehicle
