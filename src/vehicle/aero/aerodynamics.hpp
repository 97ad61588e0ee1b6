// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "math/curve.hpp"
#include "math/scalar.hpp"
#include "math/table.hpp"
#include "math/vec3.hpp"
#include "spatial/spatial.hpp"

// Aerodynamic forces on a car: six coefficients over the sideslip of the air.
//
// Source: the aerodynamics model of the RTRD paper (velocity relative to the wind, sideslip,
// density, frontal area, force and torque coefficients, at the aerodynamic centre).
//
//   u = v - wind at the centre, in body axes      beta = atan2(u_y, u_x)      q = rho |u|^2 / 2
//   F = q A (-C_x, C_y, C_z)      M = q A L (C_l, C_m, C_n)
//
// in the axes of ISO 8855, x forward, y left, z up: C_x > 0 is drag, C_z > 0 lift. At beta > 0 the
// car slides to the left, and a stable side force has C_y < 0. Docs: docs/theory/aerodynamics.md.

namespace chicane::aero {

struct CoefficientData {
  std::vector<double> beta;           // [rad]
  std::vector<double> C_x, C_y, C_z;  // forces
  std::vector<double> C_l, C_m, C_n;  // moments about x, y, z
};

struct Coefficients {
  // beta from the right side to the left.
  static std::variant<Coefficients, std::string> make(const CoefficientData& data);
  // beta from 0 to the left only, of a car whose sides are alike: C_y, C_l, C_n change their sign
  // with beta, and are therefore 0 at 0.
  static std::variant<Coefficients, std::string> make_symmetric(const CoefficientData& left);

  Table1D C_x, C_y, C_z, C_l, C_m, C_n;
};

template <class T>
struct Params {
  T rho;            // [kg/m^3]
  T A;              // [m^2] frontal area
  T L;              // [m] reference length of the moments
  T x_c, y_c, z_c;  // [m] aerodynamic centre, from the origin of the body
};

template <class T>
struct In {
  Mat3<T> R_WB;    // axes of the body
  Motion<T> V_WB;  // of the body's origin, in world axes
  Vec3<T> wind;    // [m/s] velocity of the air, in world axes
};

template <class T>
struct Out {
  T q;          // [Pa] dynamic pressure
  T beta;       // [rad]
  Wrench<T> B;  // about the origin of the body, in its axes
};

// A car of which no curves are known: their first harmonics, exact straight ahead and astern.
template <class T>
struct FirstHarmonics {
  struct Even {
    T ahead;  // at beta = 0
    T operator()(const T& beta) const { return ahead * cos(beta); }
  };
  struct Odd {
    T slope;  // at beta = 0
    T operator()(const T& beta) const { return slope * sin(beta); }
  };
  struct Constant {
    T value;
    T operator()(const T& /*beta*/) const { return value; }
  };
  Even C_x;
  Odd C_y;
  Constant C_z;
  Odd C_l;
  Even C_m;
  Odd C_n;
};

// C: Coefficients or FirstHarmonics.
template <class T, class CoefficientsOf>
Out<T> evaluate(const CoefficientsOf& C, const Params<T>& p, const In<T>& in) {
  const Vec3<T> r{p.x_c, p.y_c, p.z_c};
  const Vec3<T> at_origin = transposed_times(in.R_WB, in.V_WB.linear - in.wind);
  const Vec3<T> u = at_origin + cross(transposed_times(in.R_WB, in.V_WB.angular), r);

  // without wind from any side there is no angle, and no force either
  const auto moves = abs(u.x) + abs(u.y) > 0.0;
  const T beta = atan2(u.y, select(moves, u.x, T(1.0)));
  const T q = 0.5 * p.rho * dot(u, u);
  const T qA = q * p.A, qAL = qA * p.L;
  const Vec3<T> F{-qA * C.C_x(beta), qA * C.C_y(beta), qA * C.C_z(beta)};
  const Vec3<T> M{qAL * C.C_l(beta), qAL * C.C_m(beta), qAL * C.C_n(beta)};
  return {q, beta, about(Wrench<T>{M, F}, r)};
}

}  // namespace chicane::aero
