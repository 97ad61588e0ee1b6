// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "math/mul_add.hpp"
#include "math/table.hpp"

// A path in the plane: a smooth curve through given points, by its arc length s.
// Docs: docs/theory/driver.md.

namespace chicane::driver {

template <class T>
struct PathPoint {
  T x, y;   // [m]
  T psi;    // [rad] heading
  T kappa;  // [1/m] curvature, positive to the left
};

class Path {
 public:
  // Natural splines x(s), y(s), C2; s is the arc length at the points, and between them as nearly
  // as they are dense. The path goes straight on at both ends; it may cross itself.
  static std::variant<Path, std::string> make(const std::vector<double>& x,
                                              const std::vector<double>& y);

  [[nodiscard]] double length() const { return s_.back(); }

  template <class T>
  PathPoint<T> at(const T& s) const {
    const Local<T> p = local(s);
    const T speed = p.dx * p.dx + p.dy * p.dy;
    return {p.x, p.y, atan2(p.dy, p.dx), (p.dx * p.ddy - p.dy * p.ddx) / (speed * sqrt(speed))};
  }

  // Distance of (x, y) to the left of the line that touches the path at s.
  template <class T>
  T offset(const T& s, const T& x, const T& y) const {
    const Local<T> p = local(s);
    return (p.dx * (y - p.y) - p.dy * (x - p.x)) / sqrt(p.dx * p.dx + p.dy * p.dy);
  }

  template <class T>
  struct Place {
    T x, y;  // [m]
  };
  // Places one after another, each further than the last: the search goes on from there.
  class Walk {
   public:
    Walk(const Path& path, double s) : path_(path), reached_(path.s_.count_up_to(s)) {}

    template <class T>
    Place<T> place(const T& s) {
      while (reached_ < path_.s_.size() && path_.s_[reached_] <= value_of(s)) ++reached_;
      const Piece& p = path_.pieces_[reached_];
      const T d = s - p.s;
      return {p.x.value(d), p.y.value(d)};
    }

   private:
    const Path& path_;
    std::size_t reached_;  // points of the path
  };

  // Arc length of the point nearest to (x, y), looked for from `from` on, in a bounded number of
  // Newton steps: start from where the foot was a moment ago.
  template <class T>
  T foot(const T& x, const T& y, double from) const {
    constexpr double kNear = 1e-4;  // [m] the last step squares what is left
    double s = from, step = 1.0;
    for (int k = 0; k < 8 && std::fabs(step) > kNear; ++k)
      s += step = sat(newton(value_of(x), value_of(y), s), -5.0, 5.0);
    return s + newton(x, y, T(s));  // has the derivatives
  }

 private:
  template <class T>
  struct Local {
    T x, y, dx, dy, ddx, ddy;
  };
  // c_0 + d (c_1 + d (c_2 + d c_3)), d from the beginning of the piece
  struct Cubic {
    double c_0, c_1, c_2, c_3;

    template <class T>
    [[nodiscard]] T value(const T& d) const {
      return mul_add(d, mul_add(d, mul_add(d, c_3, c_2), c_1), c_0);
    }
    template <class T>
    [[nodiscard]] T slope(const T& d) const {
      return mul_add(d, mul_add(d, 3.0 * c_3, 2.0 * c_2), c_1);
    }
    template <class T>
    [[nodiscard]] T bend(const T& d) const {
      return mul_add(d, 6.0 * c_3, 2.0 * c_2);
    }
  };
  struct Piece {
    double s;
    Cubic x, y;
  };

  Path(TableAxis s, std::vector<Piece> pieces) : s_(std::move(s)), pieces_(std::move(pieces)) {}

  static Path through(const std::vector<double>& s, const std::vector<double>& x,
                      const std::vector<double>& y);
  [[nodiscard]] std::vector<double> lengths() const;

  template <class T>
  Local<T> local(const T& s) const {
    const Piece& p = pieces_[s_.count_up_to(value_of(s))];
    const T d = s - p.s;
    return {p.x.value(d), p.y.value(d), p.x.slope(d), p.y.slope(d), p.x.bend(d), p.y.bend(d)};
  }

  // Step towards (r - p) . r' = 0; where the path bends away, the bend is left out.
  template <class T>
  T newton(const T& x, const T& y, const T& s) const {
    const Local<T> p = local(s);
    const T ex = p.x - x, ey = p.y - y;
    const T straight = p.dx * p.dx + p.dy * p.dy;
    const T full = straight + ex * p.ddx + ey * p.ddy;
    return -(ex * p.dx + ey * p.dy) / select(full > 0.2 * straight, full, straight);
  }

  TableAxis s_;
  std::vector<Piece> pieces_;  // straight before the first point, between points, straight again
};

}  // namespace chicane::driver
