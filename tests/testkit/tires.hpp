// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <variant>

#include "vehicle/tire/carpet.hpp"
#include "vehicle/tire/fiala.hpp"
#include "vehicle/tire/linear.hpp"
#include "vehicle/tire/relaxation.hpp"
#include "vehicle/tire/tmeasy.hpp"

// Tires for tests. Radius, spring, damper, width, friction and points are those of the HMMWV tire
// in Project Chrono (37x12.5R16.5); what that has not (deflection of the patch, trail) is chosen.

namespace testkit {

namespace tire = chicane::tire;

template <class T>
tire::Params<T> tire_params() {
  return {.R_0 = 0.4699,
          .w = 0.3175,
          .lambda = 2.0 / 3.0,
          .vertical = {.c_1 = 411120.9242103178,
                       .c_2 = 0.0,
                       .d = 3931.6849759750526,
                       .delta_d = 0.005,
                       .delta_b = 0.4699 - 0.21955,
                       .c_b = 2055604.621051589},
          .c_x = 4e5,
          .d_x = 4e3,
          .c_y = 2e5,
          .d_y = 4e3,
          .sigma = 0.2,
          .camber_slip = 0.0,
          .f_rr = 0.015,
          .omega_0 = 1.0,
          .v_0 = 1e-4};
}

inline constexpr double kNominalLoad = 8562.826609452499;  // [N]

template <class T>
tire::Tmeasy<T> tmeasy() {
  const tire::TmeasyPoints<T> at_N{
      .x = {.dF_0 = 17.7764, .F_M = 0.89965, .F_S = 0.46183, .s_M = 0.10811, .s_S = 0.66667},
      .y = {.dF_0 = 7.4013, .F_M = 0.75876, .F_S = 0.68276, .s_M = 0.33167, .s_S = 1.0296},
      .trail = {.n_0 = 0.178, .s_0 = 0.36484, .s_E = 1.0296}};
  const tire::TmeasyPoints<T> at_2N{
      .x = {.dF_0 = 14.5301, .F_M = 0.77751, .F_S = 0.42349, .s_M = 0.12389, .s_S = 0.66667},
      .y = {.dF_0 = 6.8505, .F_M = 0.72628, .F_S = 0.65319, .s_M = 0.33216, .s_S = 1.0296},
      .trail = {.n_0 = 0.19, .s_0 = 0.36538, .s_E = 1.0296}};
  return {.F_N = kNominalLoad,
          .F_max = 29969.893133083744,
          .mu_0 = 0.8,
          .at_N = times_load(at_N, T(kNominalLoad)),
          .at_2N = times_load(at_2N, T(2 * kNominalLoad))};
}

template <class T>
tire::Fiala<T> fiala() {
  return {.C_kappa = 193929.0,
          .C_alpha = 50000.0,
          .mu_max = 0.9835,
          .mu_min = 0.5568,
          .mu_0 = 0.8,
          .w = 0.318};
}

template <class T>
tire::Linear<T> linear() {
  return {.C_x = 150000.0, .C_y = 60000.0, .n = 0.04};
}

inline tire::CarpetData carpet_data() {
  return {
      .load = {4000, 8000, 16000},
      .kappa = {0, 0.03, 0.1, 0.3, 1},
      .tan_alpha = {0, 0.05, 0.12, 0.25, 0.6},
      .F_x = {0, 0, 0, 2000, 3900, 7200, 3500, 6800, 12500, 3100, 6100, 11500, 2600, 5200, 9800},
      .F_y = {0, 0, 0, 1400, 2500, 4200, 2700, 5000, 9000, 3200, 6000, 11200, 3100, 5800, 10800},
      .M_z = {0, 0, 0, 60, 130, 260, 70, 170, 380, 30, 80, 190, 5, 15, 40},
      .mu_0 = 0.8};
}
inline tire::Carpet carpet() { return std::get<tire::Carpet>(tire::Carpet::make(carpet_data())); }

// Calls what(name, model of T).
template <class T, class F>
void for_every_model(F&& what) {
  what("linear", linear<T>());
  what("fiala", fiala<T>());
  what("tmeasy", tmeasy<T>());
  what("carpet", carpet());
}

// A wheel above ground z = 0, upright, heading along x.
template <class T>
tire::Wheel<T> rolling_wheel(const T& delta, const T& v_x, const T& v_y, const T& omega) {
  return {.centre = {T(0.0), T(0.0), 0.4699 - delta},
          .e_spin = {T(0.0), T(1.0), T(0.0)},
          .V = {.angular = {T(0.0), omega, T(0.0)}, .linear = {v_x, v_y, T(0.0)}}};
}

template <class T, class G>
tire::Contact<T> on(const G& ground, const tire::Wheel<T>& wheel) {
  return contact(wheel, chicane::terrain::touch(ground, wheel.centre, wheel.e_spin, T(0.4699),
                                                chicane::terrain::Hit<T>{}));
}

}  // namespace testkit
