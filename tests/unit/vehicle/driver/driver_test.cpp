// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

#include "unit/vehicle/integrate.hpp"
#include "vehicle/driver/lane_change.hpp"
#include "vehicle/driver/path.hpp"
#include "vehicle/driver/path_follower.hpp"
#include "vehicle/driver/schedule.hpp"
#include "vehicle/driver/speed_control.hpp"

namespace driver_test {
namespace {

using namespace chicane;
using namespace chicane::driver;
using namespace chicane::testing_vehicle;

// --- open loop ------------------------------------------------------------------------------

TEST(Schedule, IsLinearOrHolds) {
  const auto linear = made(Schedule::make({1, 2, 4}, {0, 10, 20}));
  EXPECT_EQ(linear(0.0), 0);
  EXPECT_EQ(linear(1.5), 5);
  EXPECT_EQ(linear(9.0), 20);
  EXPECT_EQ(linear(Dual::variable(3.0, 0)).b[0], 5);
  const auto hold = made(Schedule::make({1, 2, 4}, {0, 10, 20}, Between::hold));
  EXPECT_EQ(hold(0.0), 0);
  EXPECT_EQ(hold(1.999), 0);
  EXPECT_EQ(hold(2.0), 10);
  EXPECT_EQ(hold(9.0), 20);
}

TEST(Schedule, RefusesBadTables) {
  expect_refused(Schedule::make({0, 0}, {1, 2}), "schedule: x[1]");
  expect_refused(Schedule::make({}, {}), "schedule: ");
}

// --- path -----------------------------------------------------------------------------------

Path circle(double R, double turns, int points_per_turn) {
  std::vector<double> x, y;
  for (int i = 0; i <= turns * points_per_turn; ++i) {
    const double angle = 2 * M_PI * i / points_per_turn;
    x.push_back(R * std::sin(angle)), y.push_back(R * (1 - std::cos(angle)));
  }
  return made(Path::make(x, y));
}

// Away from its ends a circle through points has its radius, its length and its heading. Splines
// have order 4: 90 points leave 1e-6 of the radius.
TEST(Path, ThroughPointsOfACircleIsOne) {
  const auto path = circle(50, 2, 90);
  EXPECT_NEAR(path.length(), 2 * 2 * M_PI * 50, 0.02);  // ends are straighter than the circle
  for (double s = 100; s < 500; s += 7.3) {
    const auto p = path.at(s);
    EXPECT_NEAR(std::hypot(p.x, p.y - 50), 50, 1e-4);
    EXPECT_NEAR(p.kappa, 1.0 / 50, 1e-4);
    const auto q = path.at(s + 1e-4);
    EXPECT_NEAR(std::hypot(q.x - p.x, q.y - p.y), 1e-4, 1e-8);  // s is the arc length
    EXPECT_NEAR(p.psi, std::atan2(q.y - p.y, q.x - p.x), 1e-5);
  }
}

TEST(Path, GoesStraightOnAtItsEnds) {
  const auto path = circle(50, 1, 90);
  const auto end = path.at(path.length()), beyond = path.at(path.length() + 3);
  // in its last piece a natural spline has the arc length to 4e-4
  EXPECT_NEAR(beyond.x, end.x + 3 * std::cos(end.psi), 2e-3);
  EXPECT_NEAR(beyond.y, end.y + 3 * std::sin(end.psi), 2e-3);
  EXPECT_NEAR(beyond.psi, end.psi, 1e-12);
  EXPECT_NEAR(beyond.kappa, 0, 1e-12);
  EXPECT_NEAR(path.at(-5.0).x, -5, 1e-2);
}

TEST(Path, FindsTheFootOfAPoint) {
  const auto path = circle(50, 2, 90);
  for (double s = 100; s < 500; s += 13)
    for (const double left : {-10.0, 0.0, 2.0, 20.0}) {
      const auto p = path.at(s);
      const double x = p.x - left * std::sin(p.psi), y = p.y + left * std::cos(p.psi);
      EXPECT_NEAR(path.foot(x, y, s - 3), s, 1e-9);
      EXPECT_NEAR(offset(path, s, {x, y, 0, 0, 0, 0}), left, 1e-9);
    }
}

TEST(Path, DualSlopesAreDifferences) {
  const auto path = circle(50, 1, 90);
  expect_dual_slopes(std::array{30.0, 15.0}, 1e-5, 1e-6, [&](const auto& a) {
    const auto s = path.foot(a[0], a[1], 30.0);
    const auto p = path.at(s);
    return std::array{s, p.x, p.y, p.psi, p.kappa};
  });
}

TEST(Path, RefusesBadPoints) {
  expect_refused(Path::make({0}, {0}), "two points");
  expect_refused(Path::make({0, 1}, {0}), "2 values of x, 1 of y");
  expect_refused(Path::make({0, 1, 1}, {0, 2, 2}), "point [2] is where [1] is");
  expect_refused(Path::make({0, NAN}, {0, 2}), "point [1] is not finite");
}

// --- lane change ----------------------------------------------------------------------------

// The track of ISO 3888-1 is 125 m long; for a car of 1.8 m its lanes are 2.23, 2.41, 2.59 m wide.
TEST(LaneChange, HasTheGatesOfTheStandard) {
  const auto track = made(double_lane_change(1.8));
  const auto& [entry, side, exit] = track.gates;
  EXPECT_NEAR(entry.left - entry.right, 2.23, 1e-12);
  EXPECT_NEAR(side.left - side.right, 2.41, 1e-12);
  EXPECT_NEAR(exit.left - exit.right, 2.59, 1e-12);
  EXPECT_NEAR(side.right - entry.right, 3.5, 1e-12);
  EXPECT_EQ(entry.x_0, 0);
  EXPECT_EQ(exit.x_1, 125);
}

// A car that keeps to the line touches no cone, however gently the line changes over.
TEST(LaneChange, LineStaysBetweenTheCones) {
  for (const double width : {0.5, 1.8, 2.2})
    for (const double overlap : {0.0, 5.0, 7.5}) {
      const auto track = made(double_lane_change(width, overlap));
      const auto path = made(Path::make(track.x, track.y));
      for (double s = 0; s < path.length(); s += 0.1) {
        const auto p = path.at(s);
        for (const auto& gate : track.gates) {
          if (p.x < gate.x_0 || p.x > gate.x_1) continue;
          EXPECT_GT(p.y - width / 2, gate.right);
          EXPECT_LT(p.y + width / 2, gate.left);
        }
      }
    }
}

TEST(LaneChange, RefusesWhatIsNoCar) {
  expect_refused(double_lane_change(0.3), "width");
  expect_refused(double_lane_change(1.8, 9), "overlap");
}

// --- path followers -------------------------------------------------------------------------

// Largest distance from the path, of a car that is steered through a column 16:1 by a driver with a
// lag. S begins with CarMotion-like x, y, psi and ends with the steering-wheel angle.
constexpr HandParams<double> kHand{.ratio = 16, .angle_max = 9, .t_d = 0.05};

struct KinematicCar {
  double x, y, psi, angle;  // rear axle
};

double largest_offset_kinematic(const Path& path, const PointParams<double>& driver, double v,
                                double from, double until) {
  KinematicCar car{path.at(0.0).x, path.at(0.0).y, path.at(0.0).psi, 0};
  double s = 0, largest = 0;
  const double h = 0.002;
  for (double t = 0; t < until; t += h) {
    car = rk4_step(car, t, h, [&](double, const KinematicCar& c) {
      const CarMotion<double> motion{c.x, c.y, c.psi, v, 0, 0};
      const double delta = preview_point(path, driver, path.foot(c.x, c.y, s), motion);
      return KinematicCar{v * std::cos(c.psi), v * std::sin(c.psi),
                          v * std::tan(c.angle / kHand.ratio) / driver.L,
                          hand_rate(kHand, c.angle, delta)};
    });
    s = path.foot(car.x, car.y, s);
    if (t > from)
      largest = std::max(largest, std::fabs(offset(path, s, {car.x, car.y, car.psi, v, 0, 0})));
  }
  return largest;
}

constexpr PointParams<double> kPoint{.t_p = 0.45, .l_min = 3, .L = 2.7, .K = 0};

// Pure pursuit has no error left on a circle: the arc through its aim is the circle.
TEST(PreviewPoint, KeepsAKinematicCarOnACircle) {
  EXPECT_LT(largest_offset_kinematic(circle(50, 4, 90), kPoint, 12, 20, 90), 1e-3);
}

TEST(PreviewPoint, TakesAKinematicCarThroughTheDoubleLaneChange) {
  const auto track = made(double_lane_change(1.8));
  const auto path = made(Path::make(track.x, track.y));
  EXPECT_LT(largest_offset_kinematic(path, kPoint, 18, 0, 12), 0.2);
}

struct SingleTrackCar {
  double x, y, psi, v_y, r, angle;  // centre of mass
};

constexpr SingleTrack<double> kCar{
    .m = 1500, .I = 2500, .a = 1.2, .b = 1.5, .C_f = 90e3, .C_r = 110e3};
constexpr OptimalParams<double> kOptimal{.t_p = 0.7, .v_min = 3, .model = kCar};

// Sideways acceleration in the axes of the car and yaw acceleration, from the forces of the axles.
std::array<double, 2> pushed(double v, double v_y, double r, double delta) {
  const double F_f = kCar.C_f * (delta - (v_y + kCar.a * r) / v);
  const double F_r = -kCar.C_r * (v_y - kCar.b * r) / v;
  return {(F_f + F_r) / kCar.m - v * r, (kCar.a * F_f - kCar.b * F_r) / kCar.I};
}

double largest_offset_dynamic(const Path& path, double v, double from, double until) {
  SingleTrackCar car{path.at(0.0).x, path.at(0.0).y, path.at(0.0).psi, 0, 0, 0};
  double s = 0, largest = 0;
  const double h = 0.002;
  for (double t = 0; t < until; t += h) {
    car = rk4_step(car, t, h, [&](double, const SingleTrackCar& c) {
      const CarMotion<double> motion{c.x, c.y, c.psi, v, c.v_y, c.r};
      const double delta = optimal_preview(path, kOptimal, path.foot(c.x, c.y, s), motion);
      const auto [dv_y, dr] = pushed(v, c.v_y, c.r, c.angle / kHand.ratio);
      return SingleTrackCar{v * std::cos(c.psi) - c.v_y * std::sin(c.psi),
                            v * std::sin(c.psi) + c.v_y * std::cos(c.psi),
                            c.r,
                            dv_y,
                            dr,
                            hand_rate(kHand, c.angle, delta)};
    });
    s = path.foot(car.x, car.y, s);
    if (t > from)
      largest = std::max(largest, std::fabs(offset(path, s, {car.x, car.y, car.psi, v, 0, 0})));
  }
  return largest;
}

struct Imagined {
  double y, v_y, psi, r;
};

// Sum of squares of the distances that the car, steered by a constant angle, has to the path at
// the points the driver looks at.
double missed(const Path& path, const CarMotion<double>& car, double s, double delta) {
  constexpr int kSteps = 10;  // between two of them
  const double h = kOptimal.t_p / kPreviewPoints / kSteps;
  Imagined x{0, car.v_y, 0, car.r};
  double sum = 0;
  for (int k = 1; k <= kPreviewPoints * kSteps; ++k) {
    x = rk4_step(x, 0, h, [&](double, const Imagined& at) {
      const auto [dv_y, dr] = pushed(car.v, at.v_y, at.r, delta);
      return Imagined{at.v_y + car.v * at.psi, dv_y, at.r, dr};
    });
    if (k % kSteps != 0) continue;
    const double missing = seen(path.at(s + car.v * k * h), car).left - x.y;
    sum += missing * missing;
  }
  return sum;
}

TEST(OptimalPreview, IsTheAngleThatMissesThePathLeast) {
  const auto track = made(double_lane_change(1.8));
  const auto path = made(Path::make(track.x, track.y));
  for (const double s : {0.0, 70.0, 110.0, 250.0}) {  // the last one beyond the end
    const CarMotion<double> car{path.at(s).x, path.at(s).y + 0.4, 0.05, 18, 0.2, 0.1};
    const double delta = optimal_preview(path, kOptimal, s, car), d = 0.1;
    // what is missed is a parabola over the angle: three points give its lowest one
    const double low = missed(path, car, s, delta - d), mid = missed(path, car, s, delta),
                 high = missed(path, car, s, delta + d);
    EXPECT_GT(low + high, 2 * mid);
    // one Runge-Kutta step of 35 ms from point to point is good for four digits of the motion
    EXPECT_NEAR(0.5 * d * (low - high) / (low - 2 * mid + high), 0, 1e-4);
  }
}

TEST(OptimalPreview, KeepsADynamicCarOnACircle) {
  // arcs are parabolas to the driver's linear model
  EXPECT_LT(largest_offset_dynamic(circle(100, 3, 90), 18, 20, 90), 0.2);
}

TEST(OptimalPreview, TakesADynamicCarThroughTheDoubleLaneChange) {
  const auto track = made(double_lane_change(1.8));
  const auto path = made(Path::make(track.x, track.y));
  EXPECT_LT(largest_offset_dynamic(path, 18, 0, 12), 0.2);
}

// On a mirrored path the wheel is turned the other way by as much.
TEST(Followers, DoNotKnowLeftFromRight) {
  const auto track = made(double_lane_change(1.8));
  auto mirrored = track.y;
  for (double& y : mirrored) y = -y;
  const auto left = made(Path::make(track.x, track.y)), right = made(Path::make(track.x, mirrored));
  for (const double s : {50.0, 70.0, 90.0}) {
    const CarMotion<double> car{s - 50, 0.4, 0.05, 18, 0.2, 0.1},
        image{s - 50, -0.4, -0.05, 18, -0.2, -0.1};
    EXPECT_NEAR(preview_point(left, kPoint, s, car), -preview_point(right, kPoint, s, image),
                1e-12);
    EXPECT_NEAR(optimal_preview(left, kOptimal, s, car),
                -optimal_preview(right, kOptimal, s, image), 1e-12);
  }
}

TEST(Followers, DualSlopesAreDifferences) {
  const auto track = made(double_lane_change(1.8));
  const auto path = made(Path::make(track.x, track.y));
  const std::array<double, 6> at{20, 0.8, 0.1, 18, 0.3, 0.2};
  expect_dual_slopes(at, 1e-5, 1e-5, [&](const auto& a) {
    using T = std::decay_t<decltype(a[0])>;
    const CarMotion<T> car{a[0], a[1], a[2], a[3], a[4], a[5]};
    const T s = path.foot(car.x, car.y, 70.0);
    const PointParams<T> point{.t_p = 0.45, .l_min = 3.0, .L = 2.7, .K = 0.002};
    const OptimalParams<T> optimal{
        .t_p = 0.7,
        .v_min = 3.0,
        .model = {.m = 1500.0, .I = 2500.0, .a = 1.2, .b = 1.5, .C_f = 90e3, .C_r = 110e3}};
    return std::array{preview_point(path, point, s, car), optimal_preview(path, optimal, s, car),
                      offset(path, s, car)};
  });
}

// --- speed control --------------------------------------------------------------------------

struct Cruise {
  double v, integral;
};

// A car of 1500 kg with drag, wheels of 0.3 m, driven by wheel torque towards 30 m/s.
auto cruising(const SpeedParams<double>& p, double slope) {
  return [p, slope](double, const Cruise& x) {
    const auto [u, rate] = speed_control(p, x.integral, 30.0, x.v);
    const auto w = wheel_torques(u, 0.6);
    const double force = (w.fl + w.fr + w.rl + w.rr) / 0.3;
    return Cruise{(force - 0.4 * x.v * x.v - 1500 * 9.81 * slope) / 1500, rate};
  };
}

struct Range {
  double lowest, highest;
};
Range of_a_minute(Cruise& x, const SpeedParams<double>& p, double slope) {
  Range range{x.v, x.v};
  for (int n = 0; n < 60000; ++n) {
    x = rk4_step(x, 0, 1e-3, cruising(p, slope));
    range = {std::min(range.lowest, x.v), std::max(range.highest, x.v)};
  }
  return range;
}

constexpr SpeedParams<double> kCruise{
    .k_p = 900, .k_i = 150, .b = 1, .low = -6000, .high = 900, .t_t = 1};

// From 10 to 30 m/s, far into the limit of the torque, and then up a slope.
TEST(SpeedControl, SettlesWithoutOvershootAndHoldsOnASlope) {
  Cruise x{10, 0};
  EXPECT_LT(of_a_minute(x, kCruise, 0).highest, 30 + 0.05 * 20);
  EXPECT_NEAR(x.v, 30, 1e-3);  // a minute is ten times k_p/k_i
  EXPECT_LT(of_a_minute(x, kCruise, 0.02).lowest, 29.95);
  EXPECT_NEAR(x.v, 30, 1e-3);

  auto winds_up = kCruise;
  winds_up.t_t = 1e9;
  Cruise y{10, 0};
  EXPECT_GT(of_a_minute(y, winds_up, 0).highest, 30 + 0.05 * 20);
}

// While the output is at its limit, the integral does not run away from it.
TEST(SpeedControl, DoesNotWindUp) {
  const SpeedParams<double> p{.k_p = 0.2, .k_i = 0.05, .b = 1, .low = -1, .high = 1, .t_t = 1};
  const auto stuck = [&p](double, double integral) {
    return speed_control(p, integral, 30.0, 0.0).integral_rate;
  };
  const double integral = run(0.0, 1000, 0.01, stuck);
  EXPECT_NEAR(integral, 1 + 1.5 - 6,
              1e-6);  // u = 1 with k_i t_t e = 1.5 above the limit, k_p e = 6
}

TEST(SpeedControl, UsesOnePedalAtATime) {
  for (const double u : {-1.0, -0.2, 0.0, 0.7}) {
    const auto [accelerator, brake] = pedals(u);
    EXPECT_EQ(accelerator - brake, u);
    EXPECT_EQ(accelerator * brake, 0);
  }
  const auto w = wheel_torques(1000.0, 0.6);
  EXPECT_EQ(w, (PerWheel<double>{300, 300, 200, 200}));
}

TEST(SpeedControl, DualSlopesAreDifferences) {
  for (const double v : {10.0, 29.0})
    expect_dual_slopes(std::array{5.0, 30.0, v}, 1e-5, 1e-8, [](const auto& a) {
      using T = std::decay_t<decltype(a[0])>;
      const SpeedParams<T> p{
          .k_p = 9.0, .k_i = 2.0, .b = 0.8, .low = -50.0, .high = 60.0, .t_t = 1.0};
      const auto [u, rate] = speed_control(p, a[0], a[1], a[2]);
      return std::array{u, rate};
    });
}

}  // namespace
}  // namespace driver_test
