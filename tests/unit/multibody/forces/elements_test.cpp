// SPDX-License-Identifier: Apache-2.0

// Laws of the force elements, on bodies anywhere in space.

#include "multibody/forces/elements.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>
#include <random>

#include "math/dual.hpp"
#include "multibody/forces/shown.hpp"
#include "multibody/mechanism.hpp"
#include "testkit/mechanisms.hpp"

namespace chicane::multibody::elements_test {
namespace {

constexpr double kPi = std::numbers::pi;

class Random {
 public:
  double number(double size = 1.0) { return size * distribution_(engine_); }
  Vec3<double> vector(double size = 1.0) { return {number(size), number(size), number(size)}; }
  // A body near the origin, turned by up to about a radian, in motion.
  BodyMotion<double> body() {
    return {rotation(from_rotation_vector(vector(0.6))), vector(0.5), {vector(), vector()}};
  }

 private:
  std::mt19937 engine_{1234};
  std::uniform_real_distribution<double> distribution_{-1.0, 1.0};
};

// An element with its bodies: wrenches, and the energy of its springs.
template <class T>
using Bodies = std::vector<BodyMotion<T>>;
struct Sample {
  std::string name;
  std::size_t bodies;
  std::function<std::vector<Wrench<double>>(const Bodies<double>&)> wrenches;
  std::function<Dual(const Bodies<Dual>&)> energy;
};

template <class Element>
Sample pair(const std::string& name, const Element& e) {
  return {name, 2,
          [e](const Bodies<double>& b) {
            const auto w = evaluate(e, b[0], b[1]);
            return std::vector<Wrench<double>>(w.begin(), w.end());
          },
          [e](const Bodies<Dual>& b) { return energy(e, b[0], b[1]); }};
}

Curve table() {
  return Curve(std::get<Table1D>(Table1D::make({-0.4, -0.1, 0.0, 0.2, 0.5},
                                               {-900.0, -100.0, 0.0, 300.0, 1500.0},
                                               Interpolation::monotone, Extrapolation::linear)));
}

Frames frames() {
  Random r;
  Frames f;
  for (std::size_t i = 0; i < 2; ++i) {
    f.R[i] = rotation(from_rotation_vector(r.vector(0.3)));
    f.p[i] = r.vector(0.3);
  }
  return f;
}

// A full matrix B'B of a random B: symmetric and positive definite.
BushingElement::Matrix random_matrix(double size) {
  Random r;
  BushingElement::Matrix B, K{};
  for (auto& row : B)
    for (double& b : row) b = r.number();
  for (std::size_t i = 0; i < 6; ++i)
    for (std::size_t j = 0; j < 6; ++j)
      for (std::size_t k = 0; k < 6; ++k) K[i][j] += size * B[k][i] * B[k][j];
  return K;
}

// With springs alone (c = 0) or dampers alone (k = 0).
std::vector<Sample> samples(double k, double c) {
  const auto damper = [&] { return c > 0.0 ? table() : Curve{}; };
  const auto spring = [&] { return k > 0.0 ? table() : Curve{}; };
  const Points p{Vec3<double>{0.1, 0.2, -0.1}, Vec3<double>{0.3, -0.2, 0.4}};
  std::vector<Sample> list;
  list.push_back(pair("tsda", TsdaElement{p, {k, c, 0.0, spring(), damper()}, 0.4}));
  list.push_back(pair("tsda polynomial",
                      TsdaElement{p, {k, c, 0.0, Curve({0.5 * k, 0.2 * k, 3.0 * k}), {}}, 0.4}));
  const Axis axis = Vec3<double>{0.48, 0.6, 0.64};
  list.push_back(
      pair("tsda along an axis", TsdaElement{p, {k, c, 0.0, spring(), damper()}, 0.4, 0.0, axis}));
  const DamperEnds ends{0.5, 1.0, 0.3, 2.0 * c, damper()};  // some of the bodies are in between
  list.push_back(
      pair("tsda with ends", TsdaElement{p, {k, c, 0.0, spring(), damper()}, 0.4, 0.0, {}, ends}));
  BushingElement bushing{frames(), random_matrix(k), random_matrix(c)};
  list.push_back(pair("bushing", bushing));
  if (k > 0.0) {
    list.push_back(
        pair("bump stop along an axis", BumpStopElement{p, {k, 0.0, {}}, 3.0, false, 0.0, axis}));
    list.push_back(pair("bump stop", BumpStopElement{p, {k, 0.0, {}}, 3.0, false}));
    list.push_back(pair("rebound stop", BumpStopElement{p, {k, 0.0, {}}, 0.01, true}));
  }
  const LeafSpringElement leaf{bushing, {k, c, 0.0, spring(), damper()}, {}};
  list.push_back({"leaf spring", 2,
                  [leaf](const Bodies<double>& b) {
                    const auto w = evaluate(leaf, b[0], b[1], 0.0).wrench;
                    return std::vector<Wrench<double>>(w.begin(), w.end());
                  },
                  [leaf](const Bodies<Dual>& b) { return energy(leaf, b[0], b[1]); }});
  const AntiRollBarElement bar{{0.0, 0.6, 0.8}, {0.1, 0.5, 0.0}, {0.2, -0.5, 0.1}, k, c, 0.05};
  list.push_back({"anti-roll bar", 3,
                  [bar](const Bodies<double>& b) {
                    const auto w = evaluate(bar, b[0], b[1], b[2]);
                    return std::vector<Wrench<double>>(w.begin(), w.end());
                  },
                  [bar](const Bodies<Dual>& b) { return energy(bar, b[0], b[1], b[2]); }});
  return list;
}

Bodies<double> random_bodies(Random& r, std::size_t n) {
  Bodies<double> bodies;
  for (std::size_t i = 0; i < n; ++i) bodies.push_back(r.body());
  return bodies;
}

double power(const Bodies<double>& bodies, const std::vector<Wrench<double>>& w) {
  double sum = 0.0;
  for (std::size_t i = 0; i < bodies.size(); ++i) sum += dot(bodies[i].V, w[i]);
  return sum;
}

double largest(const Vec3<double>& a) {
  return std::max({std::fabs(a.x), std::fabs(a.y), std::fabs(a.z)});
}

TEST(ForceElements, ActionIsReaction) {
  Random r;
  for (const Sample& s : samples(800.0, 30.0))
    for (int n = 0; n < 20; ++n) {
      const auto bodies = random_bodies(r, s.bodies);
      const auto w = s.wrenches(bodies);
      Wrench<double> sum{};
      double size = 0.0;
      for (std::size_t i = 0; i < w.size(); ++i) {
        sum += about(w[i], bodies[i].p);
        size = std::max({size, largest(w[i].force), largest(w[i].moment)});
      }
      // Rounding of a dozen operations.
      EXPECT_LE(largest(sum.force), 1e-14 * size) << s.name;
      EXPECT_LE(largest(sum.moment), 1e-14 * size) << s.name;
    }
}

TEST(ForceElements, SpringsPullDownTheirEnergy) {
  Random r;
  for (const Sample& s : samples(800.0, 0.0))
    for (int n = 0; n < 20; ++n) {
      Bodies<double> bodies = random_bodies(r, s.bodies);
      const double given = power(bodies, s.wrenches(bodies));
      Bodies<Dual> moved;
      for (const auto& b : bodies) {  // along its velocity
        const Mat3<double> dR = cross_matrix(b.V.angular) * b.R;
        const auto number = [](double value, double rate) {
          Dual x(value);
          x.b[0] = rate;
          return x;
        };
        const auto vector = [&](const Vec3<double>& v, const Vec3<double>& dv) {
          return Vec3<Dual>{number(v.x, dv.x), number(v.y, dv.y), number(v.z, dv.z)};
        };
        BodyMotion<Dual> m;
        m.R = {vector(b.R.x, dR.x), vector(b.R.y, dR.y), vector(b.R.z, dR.z)};
        m.p = vector(b.p, b.V.linear);
        moved.push_back(m);
      }
      const Dual held = s.energy(moved);
      // Both are exact derivatives: rounding alone, of energies and forces of this size.
      EXPECT_NEAR(held.b[0], -given, 1e-11 * (std::fabs(held.a) + std::fabs(given) + 1.0))
          << s.name;
    }
}

TEST(ForceElements, DampersNeverDrive) {
  Random r;
  for (const Sample& s : samples(0.0, 30.0)) {
    double most = 0.0;
    for (int n = 0; n < 200; ++n) {
      const auto bodies = random_bodies(r, s.bodies);
      const double p = power(bodies, s.wrenches(bodies));
      EXPECT_LE(p, 1e-12) << s.name;  // of powers of the order of 10 W
      most = std::min(most, p);
    }
    EXPECT_LT(most, -1.0) << s.name << " does not damp at all";
  }
}

// Seen from elsewhere everything is the same, turned.
TEST(ForceElements, DoNotDependOnTheFrameOfTheWorld) {
  Random r;
  const Mat3<double> Q = rotation(from_rotation_vector({1.1, -0.7, 2.0}));
  const Vec3<double> shift{3.0, -2.0, 5.0};
  for (const Sample& s : samples(800.0, 30.0)) {
    const auto bodies = random_bodies(r, s.bodies);
    auto turned = bodies;
    for (auto& b : turned) b = {Q * b.R, shift + Q * b.p, {Q * b.V.angular, Q * b.V.linear}};
    const auto w = s.wrenches(bodies), v = s.wrenches(turned);
    for (std::size_t i = 0; i < w.size(); ++i) {
      // Positions of 6 m are rounded by 1e-15 m: at 0.1 m that turns a force of 2 kN by 2e-11 N.
      EXPECT_LE(largest(v[i].force - Q * w[i].force), 1e-10) << s.name;
      EXPECT_LE(largest(v[i].moment - Q * w[i].moment), 1e-10) << s.name;
    }
  }
}

TEST(ForceElements, DampersDoNotFeelACommonMotion) {
  Random r;
  for (const Sample& s : samples(0.0, 30.0)) {
    auto bodies = random_bodies(r, s.bodies);
    const Motion<double> V{{0.3, -2.0, 1.0}, {4.0, 5.0, -6.0}};  // about the origin
    for (auto& b : bodies) b.V = at_point(V, b.p);
    for (const auto& w : s.wrenches(bodies)) {
      EXPECT_LE(largest(w.force), 1e-11) << s.name;
      EXPECT_LE(largest(w.moment), 1e-11) << s.name;
    }
  }
}

// Along the line between the points or along an axis: an actuator gives its force times the rate of
// the length, which is the derivative of the length.
TEST(Tsda, GivesItsForceTimesTheRateOfItsLength) {
  Random r;
  const Points p{Vec3<double>{0.1, 0.2, -0.1}, Vec3<double>{0.3, -0.2, 0.4}};
  for (const Axis& axis : {Axis{}, Axis{{0.48, 0.6, 0.64}}})
    for (int n = 0; n < 20; ++n) {
      const auto bodies = random_bodies(r, 2);
      const auto s = length_and_rate(p, axis, bodies[0], bodies[1]);
      const auto w = evaluate(TsdaElement{.p = p, .axis = axis}, bodies[0], bodies[1], 70.0);
      EXPECT_NEAR(power(bodies, {w[0], w[1]}), 70.0 * s.rate, 1e-12);
      constexpr double h = 1e-5;
      const auto length = [&](double t) {
        auto moved = bodies;
        for (auto& b : moved) {
          b.R = rotation(from_rotation_vector(t * b.V.angular)) * b.R;
          b.p = b.p + t * b.V.linear;
        }
        return length_and_rate(p, axis, moved[0], moved[1]).length;
      };
      EXPECT_NEAR(s.rate, (length(h) - length(-h)) / (2.0 * h), 1e-8);  // h^2 times 10 1/s^2
    }
}

// Across its axis it neither feels nor pushes; turned with its first body it is the same.
TEST(Tsda, AlongAnAxisOfTheFirstBodyFeelsNothingElse) {
  TsdaElement e{.p = {Vec3<double>{0.0, 0.0, 0.5}, Vec3<double>{}}, .axis = Vec3<double>{0, 0, 1}};
  e.law.k = 1000.0;
  e.l_0 = -0.4;
  BodyMotion<double> A, B;
  for (const double across : {0.0, 0.3}) {
    B.p = {across, -2.0 * across, 0.02};
    const auto w = evaluate(e, A, B);
    EXPECT_NEAR(w[1].force.z, -1000.0 * (0.02 - 0.5 + 0.4), 1e-12);
    EXPECT_EQ(w[1].force.x, 0.0);
    EXPECT_EQ(w[1].force.y, 0.0);
  }
  A.R = rotation(from_rotation_vector({0.5 * kPi, 0.0, 0.0}));  // its z axis is now -y
  B.p = {0.3, 0.48, 7.0};
  EXPECT_NEAR(evaluate(e, A, B)[1].force.y, 1000.0 * (-0.48 - 0.5 + 0.4), 1e-10);
}

TEST(DamperEnds, TakeOverBeyondTheRangeAndAreNotThereWithinIt) {
  TsdaElement within{.law = {.c = 100.0, .damper = table()}};
  TsdaElement e = within;
  e.ends = DamperEnds{0.3, 0.4, 0.01, 700.0, Curve({50.0})};
  const auto at = [&](const TsdaElement& element, double l, double dl) {
    return element.push<double>({l, dl}, 0.0);
  };
  for (const double v : {-2.0, -0.1, 0.0, 0.3}) {
    for (const double l : {0.3, 0.35, 0.4}) EXPECT_EQ(at(e, l, v), at(within, l, v));
    for (const double l : {0.1, 0.29, 0.41, 0.6})
      EXPECT_NEAR(at(e, l, v), -750.0 * v, 1e-9);  // 1e-13 of rounding in the share
    for (const double l : {0.295, 0.405})          // half way
      EXPECT_NEAR(at(e, l, v), 0.5 * (at(within, l, v) - 750.0 * v), 1e-9);
  }
  // One end alone.
  e.ends = DamperEnds{.longest = 0.4, .over = 0.01, .c = 700.0};
  EXPECT_EQ(at(e, 0.0, 1.0), at(within, 0.0, 1.0));
  EXPECT_NEAR(at(e, 0.5, 1.0), -700.0, 1e-9);
}

// A length counts from the first point to the second, whichever way and however long the axis was
// written.
TEST(Forces, AlongAnAxisCountFromTheFirstPointToTheSecond) {
  const auto pushes = [](const Vec3<double>& axis) {
    Description d;
    BodyDescription body;
    body.name = "b";
    body.mass = 2.0;
    d.bodies.push_back(body);
    d.joints = {{.name = "slide", .kind = JointKind::translational, .connects = {"ground", "b"}}};
    const Points points{Vec3<double>{0.2, 0.0, 0.5}, Vec3<double>{-0.3, 0.4, 0.1}};
    TsdaDescription spring{
        .connects = {"ground", "b"}, .points = points, .stiffness = 300.0, .free_length = 0.5};
    BumpStopDescription stop{{"ground", "b"}, points, 0.45, false, {100.0, 0.0, {}}};
    spring.axis = stop.axis = axis;
    d.forces = {{"spring", spring}, {"stop", stop}};
    Diagnostics diag;
    const auto m = compile(d, diag);
    EXPECT_TRUE(m) << diag.text();
    Workspace<double> ws(*m);
    std::vector<double> q{0.0}, v{0.0};
    EXPECT_EQ(kinematics<double>(*m, m->choice, q, v, {}, ws), Status::ok);
    apply_forces(*m, ws);
    Vec3<double> sum{};
    for (std::size_t i = 1; i < ws.force.size(); ++i) sum += ws.force[i].force;
    return sum;
  };
  for (const Vec3<double>& axis : {Vec3<double>{0, 0, 1}, Vec3<double>{0, 0, -3}}) {
    const Vec3<double> f = pushes(axis);  // 0.4 m long: down, by spring and stop
    EXPECT_NEAR(f.z, -300.0 * 0.1 - 100.0 * 0.05, 1e-12);
    EXPECT_EQ(f.x, 0.0);
    EXPECT_EQ(f.y, 0.0);
  }
}

TEST(Bushing, GivesItsMatrixForSmallDeflectionsAndTwistsLinearlyAboutOneAxis) {
  BushingElement e;
  e.K = random_matrix(100.0);
  const BodyMotion<double> A;
  constexpr double h = 1e-7;
  for (std::size_t i = 0; i < 6; ++i) {
    std::array<double, 6> x{};
    x[i] = h;
    BodyMotion<double> B;
    B.p = {x[0], x[1], x[2]};
    B.R = rotation(from_rotation_vector({x[3], x[4], x[5]}));
    const auto w = evaluate(e, A, B)[1];
    const std::array<double, 6> f{w.force.x,  w.force.y,  w.force.z,
                                  w.moment.x, w.moment.y, w.moment.z};
    for (std::size_t k = 0; k < 6; ++k)  // the next term is of the order of h
      EXPECT_NEAR(-f[k] / h, e.K[k][i], 1e-4);
  }
  BushingElement twist;
  twist.K[5][5] = 7.0;
  BodyMotion<double> B;
  B.R = rotation(from_rotation_vector({0.0, 0.0, 2.5}));
  EXPECT_NEAR(evaluate(twist, A, B)[1].moment.z, -7.0 * 2.5, 1e-13);
}

TEST(Stop, IsNothingBeforeContactContinuousAtItAndNeverPulls) {
  const Stop stop{1e4, 0.5, Curve({0.0, 2e6})};
  EXPECT_EQ(stop(-1e-9, 3.0), 0.0);
  EXPECT_EQ(stop(-0.2, -3.0), 0.0);
  for (const double rate : {-100.0, -1.0, 0.0, 1.0, 100.0}) {
    EXPECT_LE(stop(1e-9, rate), 1e-3);  // k times the depth, and the damping on it
    EXPECT_GE(stop(0.01, rate), 0.0);
  }
  EXPECT_GT(stop(0.01, 1.0), stop(0.01, 0.0));
  EXPECT_LT(stop(0.01, -1.0), stop(0.01, 0.0));
  const JointLimit limit{-0.1, 0.3, stop};
  EXPECT_EQ(limit(0.0, 5.0), 0.0);
  EXPECT_GT(limit(-0.15, 0.0), 0.0);
  EXPECT_LT(limit(0.35, 0.0), 0.0);
}

TEST(Rsda, CountsRevolutions) {
  RsdaElement e;
  e.law.k = 3.0;
  e.angle_0 = 0.2;
  const BodyMotion<double> A;
  BodyMotion<double> B;
  B.V.angular = {0.0, 0.0, 1.0};
  double turns = 0.0;
  constexpr double step = 0.05;
  for (double angle = 0.0; std::fabs(angle) < 6.0 * kPi; angle += step, turns += step * 1.02) {
    B.R = rotation(from_rotation_vector({0.0, 0.0, angle}));
    // The state may be wrong by less than half a revolution: here it runs 2 % fast.
    const auto out = evaluate(e, A, B, turns);
    EXPECT_NEAR(out.angle, angle, 1e-12);
    EXPECT_NEAR(out.wrench[1].moment.z, -3.0 * (angle - 0.2), 1e-11);
    EXPECT_EQ(out.rate, 1.0);
  }
}

// Sliding by x from z_0:  z = 1 - (1 - z_0) exp(-x/s), at any speed.
TEST(DryFriction, DependsOnTheWayAndNotOnTheSpeedAndHoldsWhatRests) {
  const DryFriction f{40.0, 0.01};
  EXPECT_EQ(f.rate(0.7, 0.0), 0.0);
  for (const double v : {0.1, 10.0}) {
    double z = -0.8;
    constexpr int n = 20000;
    const double x = 0.03, h = x / v / n;
    for (int i = 0; i < n; ++i) z += h * f.rate(z + 0.5 * h * f.rate(z, v), v);
    EXPECT_NEAR(z, 1.0 - 1.8 * std::exp(-3.0), 1e-7);  // midpoint rule, (x/s/n)^2
  }
}

// Slowly up and down: between the branches lies twice the friction.
TEST(LeafSpring, HasABranchForLoadingAndOneForUnloading) {
  LeafSpringElement e;
  e.vertical.k = 2e4;
  e.vertical.F = -5000.0;
  e.friction = {300.0, 0.002};
  double z = 0.0;
  const auto push = [&](double height, double v, double seconds, double& force) {
    const BodyMotion<double> frame;
    BodyMotion<double> axle;
    axle.p.z = height;
    axle.V.linear.z = v;
    const auto out = evaluate(e, frame, axle, z);
    z += seconds * out.dz;
    force = out.wrench[1].force.z;
  };
  double up = 0.0, down = 0.0;
  constexpr double h = 1e-3, v = 0.02;
  for (double x = -0.1; x < 0.0; x += h * v) push(x, v, h, up);
  for (double x = 0.0; x < 0.1; x += h * v) push(x, v, h, down);
  for (double x = 0.1; x > 0.0; x -= h * v) push(x, -v, h, down);
  EXPECT_NEAR(0.5 * (up + down), 5000.0, 1.0);  // one step of 20 um at 20 kN/m
  EXPECT_NEAR(down - up, 600.0, 2.0);
}

TEST(AntiRollBar, LeavesEqualStrokesAlone) {
  const AntiRollBarElement e{{0, 0, 1}, {0, 0.7, 0}, {0, -0.7, 0}, 2e4, 0.0, 0.0};
  BodyMotion<double> chassis, left, right;
  left.p.z = right.p.z = 0.05;
  for (const auto& w : evaluate(e, chassis, left, right)) EXPECT_EQ(largest(w.force), 0.0);
  left.p.z = 0.06;
  const auto w = evaluate(e, chassis, left, right);
  EXPECT_NEAR(w[1].force.z, -200.0, 1e-9);
  EXPECT_NEAR(w[2].force.z, 200.0, 1e-9);
  EXPECT_NEAR(w[0].moment.x, 2.0 * 0.7 * 200.0, 1e-9);  // lifts the chassis on the high side
}

TEST(Curve, IsTheSlopeOfItsIntegral) {
  for (const Curve& c : {table(), Curve({100.0, -20.0, 3e3}), Curve{}})
    for (double x = -0.6; x < 0.7; x += 0.037) {
      EXPECT_NEAR(c.integral(Dual::variable(x, 0)).b[0], c(x), 1e-12 * (1.0 + std::fabs(c(x))));
      // And the value, by Simpson's rule with more points than kinks matter to.
      double sum = 0.0;
      constexpr int n = 2000;
      for (int i = 0; i < n; ++i) {
        const double a = x * i / n, b = x * (i + 1) / n;
        sum += (b - a) / 6.0 * (c(a) + 4.0 * c(0.5 * (a + b)) + c(b));
      }
      EXPECT_NEAR(c.integral(x), sum, 1e-6 * (1.0 + std::fabs(sum)));
    }
}

// All of them in a mechanism: the power that the springs give is what their energy loses.
TEST(Forces, OfAMechanismGiveWhatTheirEnergyLoses) {
  Description d;
  d.gravity = {};
  for (const std::string name : {"a", "b", "c"}) {
    BodyDescription body;
    body.name = name;
    body.mass = 2.0;
    body.com = {0.1, name == "b" ? 0.7 : name == "c" ? -0.7 : 0.0, 0.3};
    body.inertia = {0.1, 0.1, 0.1, 0.0, 0.0, 0.0};
    d.bodies.push_back(body);
  }
  d.joints = {{.name = "hinge",
               .kind = JointKind::revolute,
               .connects = {"ground", "a"},
               .at = {0.1, 0.0, 0.0},
               .axis = {0.2, 1.0, 0.3}},
              {.name = "slide",
               .kind = JointKind::translational,
               .connects = {"a", "b"},
               .at = {0.0, 0.5, 0.0},
               .axis = {0.0, 0.3, 1.0}},
              {.name = "arm",
               .kind = JointKind::revolute,
               .connects = {"a", "c"},
               .at = {0.0, -0.5, 0.0},
               .axis = {1.0, 0.0, 0.0}}};
  const Points points{Vec3<double>{0.0, 0.0, 0.5}, Vec3<double>{0.0, 0.8, 0.1}};
  BushingDescription bushing{
      .connects = {"ground", "c"}, .at = {0.0, -0.8, 0.0}, .axis = {0.0, 1.0, 0.0}};
  bushing.stiffness = random_matrix(50.0);
  d.forces = {
      {"tsda", TsdaDescription{.connects = {"ground", "b"},
                               .points = points,
                               .stiffness = 300.0,
                               .free_length = 0.7,
                               .force = 5.0,
                               .spring = table()}},
      {"rsda", JointSpringDescription{"hinge", 20.0, 0.0, 0.1, 2.0, Curve({0.0, 0.0, 9.0})}},
      {"stop", BumpStopDescription{{"a", "b"}, points, 3.0, false, {100.0, 0.0, {}}}},
      {"limit", JointLimitDescription{"arm", -0.1, 0.1, {50.0, 0.0, {}}}},
      {"bushing", bushing},
      {"leaf", LeafSpringDescription{bushing, {400.0, 0.0, -30.0}, {0.0, 1.0}}},
      {"bar", AntiRollBarDescription{{"a", "b", "c"}, points, {0, 0, 1}, 250.0, 0.0}},
      {"push", WrenchDescription{"b", {0.2, 0.3, 0.4}, {1.0, 2.0, 3.0}}}};
  Diagnostics diag;
  const auto m = compile(d, diag);
  ASSERT_TRUE(m) << diag.text();
  Workspace<double> ws(*m);
  const std::vector<double> q{0.3, -0.05, 0.25}, v{1.0, -0.4, 0.7};
  const auto held = [&](double t) {
    std::vector<double> x(q), u(v);
    for (std::size_t i = 0; i < q.size(); ++i) x[i] += t * v[i];
    EXPECT_EQ(kinematics<double>(*m, m->choice, x, u, {}, ws), Status::ok);
    return force_energy(*m, ws);
  };
  constexpr double h = 1e-5;
  const double loss = (held(-h) - held(h)) / (2.0 * h);
  held(0.0);
  apply_forces(*m, ws);
  double given = 0.0;
  for (std::size_t i = 0; i < ws.force.size(); ++i) given += dot(ws.motion[i].V, ws.force[i]);
  for (std::size_t i = 0; i < v.size(); ++i) given += ws.tau[i] * v[i];
  EXPECT_NEAR(given, loss, 1e-6 * std::fabs(loss));  // differences: h^2 and rounding over h
}

// A spring and an actuator on a joint act the same whether the joint is cut or not, and show the
// same: angle, rate and torque.
TEST(Forces, OnACutJointAreThoseOnAJointOfTheTree) {
  Description d;
  for (const std::string name : {"crank", "coupler", "rocker"}) {
    BodyDescription body;
    body.name = name;
    body.mass = 1.0;
    body.inertia = {0.02, 0.02, 0.02, 0.0, 0.0, 0.0};
    d.bodies.push_back(body);
  }
  d.bodies[0].com = {0.0, 0.15, 0.0};
  d.bodies[1].com = {0.25, 0.35, 0.0};
  d.bodies[2].com = {0.5, 0.2, 0.0};
  const auto hinge = [](std::string name, std::string a, std::string b, Vec3<double> p) {
    return JointDescription{.name = std::move(name),
                            .kind = JointKind::revolute,
                            .connects = {std::move(a), std::move(b)},
                            .at = p};
  };
  d.joints = {hinge("A", "ground", "crank", {}), hinge("B", "crank", "coupler", {0.0, 0.3, 0.0}),
              hinge("C", "coupler", "rocker", {0.5, 0.4, 0.0}),
              hinge("D", "rocker", "ground", {0.5, 0.0, 0.0})};
  d.forces = {{"spring", JointSpringDescription{"C", 15.0, 0.8, 0.3, 1.0}, "command"}};
  d.joints[0].initial_rate = {2.0};
  const std::vector<double> command{4.0}, turns{0.0};
  std::vector<double> first;
  for (const std::string cut : {"A", "C", "D"}) {
    d.cut = {cut};
    Diagnostics diag;
    const auto m = compile(d, diag);
    ASSERT_TRUE(m) << diag.text();
    EXPECT_EQ(m->force_states.size(), cut == "C" ? 1U : 0U);
    Workspace<double> ws(*m);
    std::vector<double> q = m->q, v = m->v, a(v.size());
    ASSERT_EQ(kinematics<double>(*m, m->choice, q, v, {}, ws), Status::ok);
    apply_forces<double>(*m, ws, {command, turns});
    ASSERT_EQ(accelerations<double>(*m, m->choice, ws, a), Status::ok);
    const Motion<double> crank = acceleration(*m, BodyIndex{0}, ws);
    std::vector<double> values{crank.angular.z, 0.0, 0.0, 0.0};
    measure<double>(m->forces[0], ws, turns, std::span(values).subspan(1, 2));
    show_forces<double>(m->forces[0], ws, {command, turns}, std::span(values).subspan(3));
    if (first.empty()) first = values;
    for (std::size_t i = 0; i < values.size(); ++i)  // loops close to 1e-10
      EXPECT_NEAR(values[i], first[i], 1e-9 * (1.0 + std::fabs(first[i]))) << cut << " " << i;
  }
  EXPECT_NE(first[2], 0.0);
}

// The power of what an element shows is that of its wrenches: force times rate, for every kind.
TEST(Forces, ShowWhatTheyDo) {
  testkit::Random random(11);
  Description d = testkit::random_tree(random, 4, true);
  const std::array<Vec3<double>, 2> points{Vec3<double>{0.1, 0.2, 0.3}, {1.0, -0.4, 0.2}};
  const std::string a = d.bodies[0].name, b = d.bodies[1].name, c = d.bodies[2].name;
  BushingDescription bushing{.connects = {a, b}, .at = {0.1, 0.2, 0.3}};
  for (std::size_t i = 0; i < 6; ++i) bushing.stiffness[i][i] = 50.0, bushing.damping[i][i] = 3.0;
  d.forces = {{"tsda", TsdaDescription{{a, b}, points, 300.0, 5.0, 0.7, 6.0, table()}, "c"},
              {"stop", BumpStopDescription{{a, b}, points, 30.0, false, {100.0, 0.1, {}}}},
              {"rebound", BumpStopDescription{{b, c}, points, 0.1, true, {100.0, 0.1, {}}}},
              {"bushing", bushing},
              {"leaf", LeafSpringDescription{bushing, {400.0, 2.0, -30.0}, {5.0, 0.1}}},
              {"bar", AntiRollBarDescription{{a, b, c}, points, {0, 0, 1}, 250.0, 4.0}}};
  Diagnostics diag;
  const auto m = compile(d, diag);
  ASSERT_TRUE(m) << diag.text();
  ASSERT_EQ(m->force_names.size(), m->forces.size());
  Workspace<double> ws(*m);
  std::vector<double> q = m->q, v = m->v;
  for (double& x : q) x += random.number(-0.2, 0.2);
  for (double& x : v) x = random.number(-1.0, 1.0);
  normalize<double>(*m, q);
  ASSERT_EQ(kinematics<double>(*m, m->choice, q, v, {}, ws), Status::ok);
  const std::vector<double> command{7.0}, z{0.4};
  for (std::size_t i = 0; i < m->forces.size(); ++i) {
    Mechanism alone = *m;
    alone.forces = {m->forces[i]};
    apply_forces<double>(alone, ws, {command, z});
    double power = 0.0;
    for (std::size_t k = 0; k < ws.force.size(); ++k) power += dot(ws.motion[k].V, ws.force[k]);
    const Shown values = shown(*m, m->forces[i]);
    std::vector<double> lies(values.measures.size()), does(values.forces.size());
    measure<double>(m->forces[i], ws, z, lies);
    show_forces<double>(m->forces[i], ws, {command, z}, does);
    double shown_power = 0.0;  // rates come last
    for (std::size_t k = 0; k < does.size(); ++k)
      shown_power += does[k] * lies[lies.size() - does.size() + k];
    EXPECT_NEAR(shown_power, power, 1e-12 * (1.0 + std::fabs(power))) << m->force_names[i];
    EXPECT_GT(std::fabs(power), 1e-3) << m->force_names[i];
  }
}

}  // namespace
}  // namespace chicane::multibody::elements_test
