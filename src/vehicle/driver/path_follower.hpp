// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "math/mul_add.hpp"
#include "vehicle/driver/path.hpp"

// Drivers that look ahead along a path and turn the steering wheel.
//
// `preview_point` aims at one point: the arc that leads there (pure pursuit; Coulter,
// CMU-RI-TR-92-01, 1992), with the understeer of the car added. `optimal_preview` looks at many
// points and takes the steer angle that, held, brings a linear single-track model nearest to them
// in the mean square (MacAdam, IEEE Trans. Systems, Man and Cybernetics 11 (1981) 393). Both take
// the same time at every call. Docs: docs/theory/driver.md.

namespace chicane::driver {

template <class T>
struct CarMotion {
  T x, y, psi;  // [m], [m], [rad] rear axle for preview_point, centre of mass for optimal_preview
  T v, v_y, r;  // [m/s], [m/s], [rad/s] forward and lateral speed, yaw rate
};

// Lateral coordinate of a path point in the axes of the car, and its distance.
template <class T>
struct Seen {
  T left, distance;  // [m]
};
template <class T>
Seen<T> seen(const PathPoint<T>& point, const CarMotion<T>& car) {
  const T dx = point.x - car.x, dy = point.y - car.y;
  return {cos(car.psi) * dy - sin(car.psi) * dx, hypot(dx, dy)};
}

// Distance of the car to the left of the path at arc length s of its foot.
template <class T>
T offset(const Path& path, const T& s, const CarMotion<T>& car) {
  return path.offset(s, car.x, car.y);
}

template <class T>
struct PointParams {
  T t_p;    // [s] preview
  T l_min;  // [m] shortest preview
  T L;      // [m] wheel base
  T K;      // [rad s^2/m] steer angle per lateral acceleration: understeer
};

// Steer angle of the road wheels [rad]; s: foot of the car on the path.
template <class T>
T preview_point(const Path& path, const PointParams<T>& p, const T& s, const CarMotion<T>& car) {
  const auto aim = seen(path.at(T(s + max(car.v * p.t_p, p.l_min))), car);
  const T kappa = 2.0 * aim.left / (aim.distance * aim.distance);
  return atan(p.L * kappa) + p.K * car.v * car.v * kappa;
}

template <class T>
struct SingleTrack {
  T m, I;      // [kg], [kg m^2] about the vertical
  T a, b;      // [m] centre of mass to front and rear axle
  T C_f, C_r;  // [N/rad] cornering stiffness of the axles
};

// Sideways motion in the axes the car has now: y, psi small, speed v constant.
template <class T>
struct Sideways {
  T y, v_y, psi, r;

  friend Sideways operator+(const Sideways& a, const Sideways& b) {
    return {a.y + b.y, a.v_y + b.v_y, a.psi + b.psi, a.r + b.r};
  }
  friend Sideways operator*(const T& h, const Sideways& a) {
    return {h * a.y, h * a.v_y, h * a.psi, h * a.r};
  }
  friend T dot(const Sideways& a, const Sideways& b) {
    return mul_add(a.r, b.r, mul_add(a.psi, b.psi, mul_add(a.v_y, b.v_y, a.y * b.y)));
  }
};

// How the tires answer at the speed v:
//   v_y' = per_v_y.v_y v_y + per_r.v_y r + per_delta.v_y delta,    r' likewise
template <class T>
struct SidewaysModel {
  struct Answer {
    T v_y, r;
  };
  T v;
  Answer per_v_y, per_r, per_delta;

  SidewaysModel(const SingleTrack<T>& p, const T& speed) : v(speed) {
    const T per_m = 1.0 / p.m, per_I = 1.0 / p.I, per_v = 1.0 / v;
    const auto answer = [&](const T& F_f, const T& F_r) -> Answer {
      return {per_m * (F_f + F_r), per_I * (p.a * F_f - p.b * F_r)};
    };
    per_v_y = answer(-per_v * p.C_f, -per_v * p.C_r);
    per_r = answer(-per_v * p.a * p.C_f, per_v * p.b * p.C_r);
    per_r.v_y -= v;  // the axes turn
    per_delta = answer(p.C_f, T(0.0));
  }
  [[nodiscard]] Sideways<T> rates(const Sideways<T>& x, const T& delta) const {
    return {x.v_y + v * x.psi, per_v_y.v_y * x.v_y + per_r.v_y * x.r + per_delta.v_y * delta, x.r,
            per_v_y.r * x.v_y + per_r.r * x.r + per_delta.r * delta};
  }
};

// One step of the classical Runge-Kutta method: the model is the driver's own, not a state.
template <class T>
Sideways<T> imagined(const SidewaysModel<T>& model, const Sideways<T>& x, const T& delta,
                     const T& h) {
  const auto f = [&](const Sideways<T>& at) { return model.rates(at, delta); };
  const auto k_1 = f(x), k_2 = f(x + T(0.5 * h) * k_1), k_3 = f(x + T(0.5 * h) * k_2),
             k_4 = f(x + h * k_3);
  return x + T(h / 6.0) * (k_1 + T(2.0) * (k_2 + k_3) + k_4);
}

template <class T>
struct OptimalParams {
  T t_p;    // [s] preview
  T v_min;  // [m/s] the model is not asked below: it stiffens as the car stops
  SingleTrack<T> model;
};

constexpr int kPreviewPoints = 20;

// What one imagined step makes of the sideways motion: linear in it and in the steer angle.
template <class T>
struct Transition {
  Sideways<T> v_y, psi, r;  // of what is 1 before; y adds to y alone, psi moves it straight on
  Sideways<T> delta;

  Transition(const SidewaysModel<T>& model, const T& h) {
    const T zero(0.0), one(1.0);
    v_y = imagined(model, {zero, one, zero, zero}, zero, h);
    psi = {model.v * h, zero, one, zero};
    r = imagined(model, {zero, zero, zero, one}, zero, h);
    delta = imagined(model, {zero, zero, zero, zero}, one, h);
  }
  // What counts of the motion a step earlier, if `later` counts of that after it.
  [[nodiscard]] Sideways<T> earlier(const Sideways<T>& later) const {
    return {later.y, dot(later, v_y), dot(later, psi), dot(later, r)};
  }
};

// Steer angle of the road wheels [rad]; s: foot of the car on the path.
//   delta = sum e_k g_k / sum g_k^2      e_k: path less free motion, g_k: motion per steer angle
// With A the transition and w_k the row of y in A^k, the free motion is w_k x and
//   g_k = g_{k-1} + w_{k-1} b            b: what the steer angle adds in a step
template <class T>
T optimal_preview(const Path& path, const OptimalParams<T>& p, const T& s,
                  const CarMotion<T>& car) {
  const T v = max(car.v, p.v_min), h = p.t_p / static_cast<double>(kPreviewPoints);
  const Transition<T> step(SidewaysModel<T>(p.model, v), h);
  const T c = cos(car.psi), sine = sin(car.psi), way = v * h;
  Sideways<T> w{T(1.0), T(0.0), T(0.0), T(0.0)};
  T g(0.0), sum_eg(0.0), sum_gg(0.0);
  Path::Walk walk(path, value_of(s));
  for (int k = 1; k <= kPreviewPoints; ++k) {
    g += dot(w, step.delta);
    w = step.earlier(w);
    const auto [x, y] = walk.place(T(s + static_cast<double>(k) * way));
    const T free = w.v_y * car.v_y + w.r * car.r;
    const T e = c * (y - car.y) - sine * (x - car.x) - free;
    sum_eg += e * g;
    sum_gg += g * g;
  }
  return sum_eg / sum_gg;
}

template <class T>
struct HandParams {
  T ratio;      // [-] steering wheel over road wheel angle
  T angle_max;  // [rad] of the steering wheel
  T t_d;        // [s] lag of the driver
};

// Rate of the steering-wheel angle.
template <class T>
T hand_rate(const HandParams<T>& p, const T& angle, const T& delta) {
  return (sat(T(p.ratio * delta), -p.angle_max, p.angle_max) - angle) / p.t_d;
}

}  // namespace chicane::driver
