// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "math/table.hpp"
#include "vehicle/tire/grip.hpp"

// Measured forces over slip and load: carpet plots.
//
// Tables are for slips from 0 on and counted as odd; between the nodes they are C1 and keep between
// them (Table2D, monotone). Slips and loads beyond the last node count as the last; below the
// first load everything falls to 0. The ground's friction over mu_0 scales force and slip, so that
// the slope at no slip stays (similarity; Pacejka, Tire and Vehicle Dynamics, 2012, section 4.2).
// Combined slip: each force as measured alone, both together within the limit of their direction,
// where the force has a kink.

namespace chicane::tire {

struct CarpetData {
  std::vector<double> load;              // [N]
  std::vector<double> kappa, tan_alpha;  // [-] from 0 on
  std::vector<double> F_x;               // [N] at (kappa[i], load[j]): F_x[i * loads + j]
  std::vector<double> F_y, M_z;          // [N], [N m] at (tan_alpha[i], load[j]); M_z > 0 aligns
  double mu_0;                           // [-] friction of the ground they were measured on
};

class Carpet {
 public:
  static constexpr Reference kReference = Reference::travel;

  // The error says which entry is wrong.
  static std::variant<Carpet, std::string> make(CarpetData data);

  template <class T>
  friend Grip<T> grip(const Carpet& c, const Load<T>& load, const Slip<T>& s) {
    const T scale = load.mu / c.mu_0_;
    return {c.over_slip(c.F_x_, abs(s.x) / scale, load.F_z),
            c.over_slip(c.F_y_, abs(s.y) / scale, load.F_z), scale * c.peak_x_(load.F_z),
            scale * c.peak_y_(load.F_z)};
  }

  template <class T>
  friend T trail(const Carpet& c, const Load<T>& load, const T& s_y) {
    const T s = abs(s_y) * c.mu_0_ / load.mu;
    const T F_y = c.over_slip(c.F_y_, s, load.F_z), M_z = c.over_slip(c.M_z_, s, load.F_z);
    const auto loaded = F_y > 0.0;
    return select(loaded, M_z / select(loaded, F_y, T(1.0)), T(0.0));
  }

 private:
  Carpet(Table2D F_x, Table2D F_y, Table2D M_z, Table1D peak_x, Table1D peak_y, double mu_0)
      : F_x_(std::move(F_x)),
        F_y_(std::move(F_y)),
        M_z_(std::move(M_z)),
        peak_x_(std::move(peak_x)),
        peak_y_(std::move(peak_y)),
        mu_0_(mu_0) {}

  // At no slip the quotient is taken a little beside it.
  template <class T>
  static T over_slip(const Table2D& table, const T& s, const T& F_z) {
    const T at = max(s, 1e-9);
    return table(at, F_z) / at;
  }

  Table2D F_x_, F_y_, M_z_;
  Table1D peak_x_, peak_y_;  // largest force over load
  double mu_0_;
};

}  // namespace chicane::tire
