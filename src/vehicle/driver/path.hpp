#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "math/scalar.hpp"
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

  template <class T>
  struct Place {
    T x, y;  // [m]
  };
  template <class T>
  Place<T> place(const T& s) const {
    const Local<T> p = local(s);
    return {p.x, p.y};
  }

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
  };

  Path(TableAxis s, std::vector<Cubic> x, std::vector<Cubic> y)
      : s_(std::move(s)), x_(std::move(x)), y_(std::move(y)) {}

  static Path through(const std::vector<double>& s, const std::vector<double>& x,
                      const std::vector<double>& y);
  [[nodiscard]] std::vector<double> lengths() const;

  template <class T>
  Local<T> local(const T& s) const {
    const std::size_t reached = s_.count_up_to(value_of(s));
    const std::size_t i = reached == 0 ? 0 : std::min(reached, x_.size()) - 1;
    const T on = sat(s, 0.0, length()), d = on - s_[i], beyond = s - on;
    const auto value = [&](const Cubic& c) {
      return c.c_0 + d * (c.c_1 + d * (c.c_2 + d * c.c_3));
    };
    const auto slope = [&](const Cubic& c) { return c.c_1 + d * (2.0 * c.c_2 + 3.0 * d * c.c_3); };
    const auto bend = [&](const Cubic& c) { return 2.0 * c.c_2 + 6.0 * d * c.c_3; };
    const T dx = slope(x_[i]), dy = slope(y_[i]);
    return {
        value(x_[i]) + beyond * dx, value(y_[i]) + beyond * dy, dx, dy, bend(x_[i]), bend(y_[i])};
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
  std::vector<Cubic> x_, y_;
};

}  // namespace chicane::driver
