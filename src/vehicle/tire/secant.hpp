// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vehicle/tire/parking.hpp"

// Laws of secants and a trail (grip.hpp) as laws of a tire: no force without slip, no sides. What
// they do not say is the same for all of them and in the parameters.

namespace chicane::tire {

template <class M, class T>
concept SecantLaw = requires(const M law, const Load<T> load, const Slip<T> s, const T s_y) {
  { grip(law, load, s) } -> std::same_as<Grip<T>>;
  { trail(law, load, s_y) } -> std::same_as<T>;
};

template <class T, class M>
requires SecantLaw<M, T> Response<T> response(const Params<T>& p, const M& law,
                                              const Footprint<T>& at) {
  return {.grip = combined(law, at.load, at.slip),
          .at_no_slip = {T(0.0), T(0.0)},
          .c_x = p.c_x,
          .c_y = p.c_y,
          .sigma = p.sigma,
          .sigma_turn = p.sigma,
          .turn_limit = parking::turn_limit(p.sigma)};
}

// The trail lies behind the contact point, as seen in the direction of rolling.
template <class T, class M>
requires SecantLaw<M, T> Moments<T> moments(const Params<T>& p, const M& law,
                                            const Footprint<T>& at, const Response<T>& r,
                                            const Planar<T>& F) {
  const T way = tanh(at.omega / p.omega_0);
  return {.x = overturning_of(p, at),
          .y = -(p.f_rr * at.load.F_z * p.R_0 * way),
          .z = -trail(law, at.load, at.trail_slip) * way * F.y + parking::moment(p, at, r)};
}

}  // namespace chicane::tire
