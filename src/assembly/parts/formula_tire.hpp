// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "language/formula_program.hpp"
#include "language/sections/fields.hpp"
#include "vehicle/tire/parking.hpp"
#include "vehicle/tire/relaxation.hpp"

// Tires of type formula: forces and moments as formulas of the file, as a law of a tire
// (vehicle/tire/law.hpp). A formula gives a force over slips; the law wants the secant from the
// force without that slip:
//
//   f_x = (F_x(s_x, s_y) - F_x(0, s_y)) / s_x      f_y = (F_y(s_x, s_y) - F_y(s_x, 0)) / s_y
//
// Within a slip of kNoSlip the force is straight, so nothing is divided by 0 and the secant there
// is the slope. Beyond the limit both forces are brought back to it, and below a load of kNoLoad
// they go straight to 0. At standstill there is no force without slip. Moments see the slip that
// the trail has seen and the forces that act; the aligning and the rolling moment change their sign
// with the direction of rolling. Docs: docs/theory/tire.md.

namespace chicane::formula_tire {

inline constexpr double kNoSlip = 1e-6;    // [-]
inline constexpr double kNoLoad = 1.0;     // [N]
inline constexpr std::size_t kMost = 256;  // numbers that the formulas of a tire may need at once

// What all formulas know, by its place. The tire's own parameters follow; moments also know the
// two forces.
struct Known {
  enum : int {
    load,
    slip_x,
    slip_y,
    slip_angle,
    inclination,
    speed,
    spin,
    deflection,
    pressure,
    friction,
    count
  };
};

// What a file says, for all wheels that have it.
struct FormulaSet {
  FormulaProgram program;
  int parameters = 0;  // the tire's own, pressure aside
  // Items of the program; -1: the file does not have it, and the tire does as others do.
  int F_x = -1, F_y = -1, limit_x = -1, limit_y = -1;
  int acting_x = -1, acting_y = -1;  // the forces, as moments know them
  int M_x = -1, M_y = -1, M_z = -1, R_e = -1;
  int sigma_x = -1, sigma_y = -1;
  bool angle = false;  // the slip angle is asked for
  // Pieces: what no slip changes, one force, both with their limits, ...
  int before = -1, only_x = -1, only_y = -1, both = -1, moments = -1, radius = -1, lengths = -1;
};

template <class T>
struct FormulaLaw {
  static constexpr auto kReference = tire::Reference::travel;

  const FormulaSet* set;
  T pressure;              // [Pa]
  std::span<const T> own;  // parameters
};

// The numbers of one evaluation.
template <class T>
class Registers {
 public:
  Registers(const FormulaLaw<T>& law) : set_(*law.set) {
    set_.program.begin(all());
    for (int i = 0; i < set_.parameters; ++i)
      (*this)[Known::count + i] = law.own[static_cast<std::size_t>(i)];
  }
  // Everything but the slips.
  Registers(const FormulaLaw<T>& law, const tire::Footprint<T>& at) : Registers(law) {
    (*this)[Known::load] = max(at.load.F_z, kNoLoad);
    (*this)[Known::inclination] = asin(sat(at.sin_gamma, -1.0, 1.0));
    (*this)[Known::speed] = at.v_T;
    (*this)[Known::spin] = at.omega;
    (*this)[Known::deflection] = at.deflection;
    (*this)[Known::pressure] = at.pressure;
    (*this)[Known::friction] = at.load.mu;
  }
  void slip(const T& x, const T& y) {
    (*this)[Known::slip_x] = x;
    (*this)[Known::slip_y] = y;
    if (set_.angle) (*this)[Known::slip_angle] = -atan(y);
  }
  void run(int piece) { set_.program.run(piece, all()); }
  T& operator[](int item) { return v_[set_.program.place(item)]; }
  // A limit of the file, otherwise the friction of the ground.
  T limit(int item) {
    return item >= 0 ? (*this)[item] : T((*this)[Known::friction] * (*this)[Known::load]);
  }

 private:
  std::span<T> all() { return {v_.data(), set_.program.size()}; }

  const FormulaSet& set_;
  std::array<T, kMost> v_;
};

// Forces by the formulas as they stand, at a slip.
template <class T>
struct Formed {
  tire::Planar<T> F;
  T limit_x, limit_y;
};
template <class T>
Formed<T> formed(const FormulaSet& set, Registers<T>& v, const T& x, const T& y) {
  v.slip(x, y);
  v.run(set.both);
  return {{v[set.F_x], v[set.F_y]}, max(v.limit(set.limit_x), 0.0), max(v.limit(set.limit_y), 0.0)};
}

// Slopes at no slip over relaxation lengths; bounded as far from loads of the measurement.
template <class T>
void relax(const tire::Params<T>& p, const FormulaSet& set, Registers<T>& v, tire::Response<T>& r) {
  constexpr double kSoftest = 0.1;
  v.slip(T(kNoSlip), T(kNoSlip));
  v.run(set.lengths);
  const auto stiffness = [&](int piece, int F, const T& x, const T& y, const T& sigma, const T& c) {
    v.slip(x, y);
    v.run(piece);
    const T ahead = v[F];
    v.slip(-x, -y);
    v.run(piece);
    const T K = max(ahead - v[F], 0.0) / (2.0 * kNoSlip);
    return max((K + 1.0) / (max(sigma, 0.0) + 1.0 / c), kSoftest * c);
  };
  const T h(kNoSlip), none(0.0);
  if (set.sigma_x >= 0) r.c_x = stiffness(set.only_x, set.F_x, h, none, T(v[set.sigma_x]), p.c_x);
  if (set.sigma_y >= 0) r.c_y = stiffness(set.only_y, set.F_y, none, h, T(v[set.sigma_y]), p.c_y);
}

template <class T>
tire::Response<T> response(const tire::Params<T>& p, const FormulaLaw<T>& law,
                           const tire::Footprint<T>& at) {
  const FormulaSet& set = *law.set;
  Registers<T> v(law, at);
  const auto away = [](const T& s) {
    return select(abs(s) < kNoSlip, select(s < 0.0, T(-kNoSlip), T(kNoSlip)), s);
  };
  const T x = away(at.slip.x), y = away(at.slip.y);
  v.run(set.before);
  tire::Response<T> r;
  r.c_x = p.c_x, r.c_y = p.c_y;
  if (set.sigma_x >= 0 || set.sigma_y >= 0) relax(p, set, v, r);
  v.slip(x, T(0.0));
  v.run(set.only_y);
  const T F_y0 = v[set.F_y];
  v.slip(T(0.0), y);
  v.run(set.only_x);
  const T F_x0 = v[set.F_x];
  const Formed<T> full = formed(set, v, x, y);
  const T f_x = max((full.F.x - F_x0) / x, 0.0), f_y = max((full.F.y - F_y0) / y, 0.0);

  const T rolls = tanh(at.v_x / (p.R_0 * p.omega_0)), fade = rolls * rolls;
  const tire::Planar<T> at_no_slip{fade * (full.F.x - f_x * x), fade * (full.F.y - f_y * y)};
  const tire::Planar<T> steady{at_no_slip.x + f_x * x, at_no_slip.y + f_y * y};
  const T loaded = min(at.load.F_z / kNoLoad, 1.0);
  const T k = loaded * allowed(tire::Grip<T>{f_x, f_y, full.limit_x, full.limit_y}, steady);
  r.grip = {k * f_x, k * f_y, loaded * full.limit_x, loaded * full.limit_y};
  r.at_no_slip = {k * at_no_slip.x, k * at_no_slip.y};
  r.sigma = r.sigma_turn = p.sigma;
  r.turn_limit = tire::parking::turn_limit(p.sigma);
  return r;
}

template <class T>
tire::Moments<T> moments(const tire::Params<T>& p, const FormulaLaw<T>& law,
                         const tire::Footprint<T>& at, const tire::Response<T>& r,
                         const tire::Planar<T>& F) {
  const FormulaSet& set = *law.set;
  Registers<T> v(law, at);
  v.slip(at.slip.x, at.trail_slip);
  v[set.acting_x] = F.x;
  v[set.acting_y] = F.y;
  v.run(set.moments);
  const T way = tanh(at.omega / p.omega_0), loaded = min(at.load.F_z / kNoLoad, 1.0);
  return {.x = set.M_x >= 0 ? T(loaded * v[set.M_x]) : tire::overturning_of(p, at),
          .y = set.M_y >= 0 ? T(way * loaded * v[set.M_y]) : T(-p.f_rr * at.load.F_z * p.R_0 * way),
          .z = way * loaded * v[set.M_z] + tire::parking::moment(p, at, r)};
}

template <class T>
tire::Support<T> support(const tire::Params<T>& p, const FormulaLaw<T>& law,
                         const tire::Contact<T>& c) {
  tire::Support<T> on = tire::support(p, tire::NoLaw{}, c);
  const FormulaSet& set = *law.set;
  if (set.R_e < 0) return on;
  Registers<T> v(law);
  v[Known::load] = max(on.F_z, kNoLoad);
  v[Known::inclination] = asin(sat(c.at.sin_gamma, -1.0, 1.0));
  v[Known::speed] = sqrt(c.v_x * c.v_x + p.v_0 * p.v_0);
  v[Known::spin] = c.omega;
  v[Known::deflection] = c.at.delta;
  v[Known::pressure] = law.pressure;
  v[Known::friction] = c.at.hit.friction;
  v.run(set.radius);
  on.R_e = v[set.R_e];
  return on;
}

}  // namespace chicane::formula_tire

namespace chicane {

// Where such a tire gets its numbers: the formulas from its section, pressure and own parameters
// from the parameters of the block.
struct FromFormulas {
  template <class T>
  using Model = formula_tire::FormulaLaw<T>;
  template <class T>
  [[nodiscard]] formula_tire::FormulaLaw<T> model(std::span<const T> p) const {
    return {set.get(), p[0], p.subspan(1)};
  }
  std::shared_ptr<const formula_tire::FormulaSet> set;
};

// `list`: the common parameters, to which those of this tire are added.
std::optional<FromFormulas> read_formula_tire(Keys& keys, const std::string& owner,
                                              std::vector<NativeParameter>& list);
std::vector<Key> formula_tire_rows();

// Where a law stands in its file, for what is said of it.
struct FormulaPlaces {
  Location whole, F_x, F_y, M_y, M_z, R_e;
};
// Looks for states in which these formulas break what holds for tires: forces and moments that
// jump, that are there without load, that pass their limit or make power. Warns of each, with a
// state.
void warn_of_broken_laws(const tire::Params<double>& p, const formula_tire::FormulaLaw<double>& law,
                         const FormulaPlaces& places, Diagnostics& diag);

}  // namespace chicane
