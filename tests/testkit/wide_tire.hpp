// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vehicle/tire/law.hpp"

// A law of tire forces that uses all that the interface has room for. Numbers are those of no tire.
//
// Curves are the sine of an arc tangent with shifts, as in the Magic Formula (Pacejka, Tire and
// Vehicle Dynamics, 2012, section 4.3), weakened in combined slip:
//   F_y = D sin(C atan(B (s_y + S_H))) G(s_x) + S_V,  S_H: ply steer,  S_V: conicity, camber thrust
// Ply steer changes its sign with the direction of rolling, S_V does not; at rest there is neither.

namespace chicane::tire::wide {

template <class T>
struct WideTire {
  static constexpr auto kReference = Reference::travel;

  T K_x = 20.0, K_y = 12.0;         // [-] slopes at no slip over load
  T C = 1.3;                        // [-] shape of both curves
  T weaken = 6.0;                   // [-] how fast one slip takes from the other force
  T ply_steer = 0.004;              // [-] a shift of slip
  T conicity = 0.01;                // [-] force over load
  T thrust = -0.9;                  // [-] force over load and inclination: towards the lean
  T F_N = 8500.0;                   // [N]
  T sigma_x = 0.15, sigma_y = 0.4;  // [m] relaxation lengths at F_N; grow with the load
  T trail = 0.05;                   // [m]
  T turn_moment = 0.03;             // [m] largest, over load
  T turn_limit = 4.0;               // [1/m]
  T pressure = 220e3, p_0 = 200e3;  // [Pa] inflation, that of the numbers
};

template <class T>
struct Shifts {
  T H, V;
};
template <class T>
Shifts<T> shifts(const Params<T>& p, const WideTire<T>& law, const Footprint<T>& at) {
  const T way = tanh(at.omega / p.omega_0);
  return {law.ply_steer * way,
          at.load.F_z * way * way * (law.conicity + law.thrust * at.sin_gamma)};
}

template <class T>
T magic(const T& D, const T& C, const T& K, const T& s) {
  const auto loaded = D > 0.0;
  const T B = K / (C * select(loaded, D, T(1.0)));
  return D * sin(C * atan(B * s));
}
template <class T>
T weakened(const WideTire<T>& law, const T& s) {
  return 1.0 / sqrt(1.0 + law.weaken * law.weaken * s * s);
}

// The spring is as stiff as the air; a radius that a loaded tire soon keeps.
template <class T>
Support<T> support(const Params<T>& p, const WideTire<T>& law, const Contact<T>& c) {
  const T delta = max(c.at.delta, 0.0);
  return {.F_z = law.pressure / law.p_0 * load(p.vertical, c),
          .R_e = p.R_0 - 0.004 * atan(delta / 0.01) - 0.1 * delta};
}

template <class T>
Response<T> response(const Params<T>& p, const WideTire<T>& law, const Footprint<T>& at) {
  const T F_z = at.load.F_z, D = at.load.mu * F_z;
  const T soft = 1.0 - 0.3 * (at.pressure - law.p_0) / law.p_0;  // less air, more tread
  const T K_x = law.K_x * F_z * soft, K_y = law.K_y * F_z * soft;
  const auto [H, V] = shifts(p, law, at);
  const T G_x = weakened(law, at.slip.y), G_y = weakened(law, at.slip.x);
  const auto lateral = [&](const T& s) { return G_y * magic(D, law.C, K_y, s + H) + V; };

  const Chord<T> x = chord(G_x * magic(D, law.C, K_x, at.slip.x), T(0.0), at.slip.x, K_x * G_x);
  const Chord<T> y = chord(lateral(at.slip.y), lateral(T(0.0)), at.slip.y, K_y * G_y);
  const T growth = 0.5 + 0.5 * F_z / law.F_N;
  const auto per = [&](const T& K, const T& sigma) { return max(K / (sigma * growth), 1e4); };
  return {.grip = {x.f, y.f, D, D + abs(V)},
          .at_no_slip = {x.F_0, y.F_0},
          .c_x = per(K_x, law.sigma_x),
          .c_y = per(K_y, law.sigma_y),
          .sigma = law.sigma_y * growth,
          .sigma_turn = 0.1,
          .turn_limit = law.turn_limit};
}

template <class T>
Moments<T> moments(const Params<T>& p, const WideTire<T>& law, const Footprint<T>& at,
                   const Planar<T>& F) {
  const T F_z = at.load.F_z, way = tanh(at.omega / p.omega_0);
  const T trail = law.trail / (1.0 + 25.0 * at.trail_slip * at.trail_slip);
  return {.x = -0.02 * F_z * at.sin_gamma - 0.003 * F.y,
          .y = -0.01 * F_z * p.R_0 * way,
          .z = -trail * way * F.y +
               law.turn_moment * F_z * tanh(at.turn_slip / (0.5 * law.turn_limit)) +
               0.002 * F_z * law.conicity * way};
}

}  // namespace chicane::tire::wide

namespace testkit {
using chicane::tire::wide::WideTire;
}
