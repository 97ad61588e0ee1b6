// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <variant>
#include <vector>

#include "math/scalar.hpp"

// Interpolation tables in one and two variables.  A table never changes once made; a lookup does
// not allocate, keeps no memory of earlier ones and is safe from any thread.
//
// Slopes are exact derivatives of the interpolant.  Where it has a kink, at a breakpoint of a
// linear table or at the edge of a held one, the slope is the one from the right.

namespace chicane {

enum class Interpolation {
  linear,    // C0
  monotone,  // C1 cubic that keeps between its data: rises where they rise, never overshoots
  spline,    // C2 natural cubic spline
  hold,      // steps: the value at the last breakpoint; of one variable only
};

enum class Extrapolation {
  hold,    // the value at the edge
  linear,  // straight on with the slope at the edge
};

// Strictly increasing breakpoints and how to find one's place among them.
class TableAxis {
 public:
  TableAxis() = default;
  explicit TableAxis(std::vector<double> points);

  std::size_t size() const { return points_.size(); }
  double operator[](std::size_t i) const { return points_[i]; }
  double front() const { return points_.front(); }
  double back() const { return points_.back(); }

  // How many breakpoints are <= x; any answer in range for NaN.  Constant time if evenly spaced.
  std::size_t count_up_to(double x) const noexcept;

 private:
  std::vector<double> points_;
  double per_step_ = 0.0;  // 1/spacing if even, otherwise 0
};

struct Value1D {
  double value, slope;
};

class Table1D {
 public:
  // The error names the index at fault.  One point makes a constant.
  static std::variant<Table1D, std::string> make(
      std::vector<double> x, const std::vector<double>& y,
      Interpolation interpolation = Interpolation::linear,
      Extrapolation extrapolation = Extrapolation::hold);

  Value1D lookup(double x) const noexcept;
  // From the first breakpoint to x; takes a time that grows with the number of breakpoints.
  double integral(double x) const noexcept;

  double operator()(double x) const noexcept { return lookup(x).value; }
  template <Scalar T>
  T operator()(const T& x) const {
    const auto [value, slope] = lookup(value_of(x));
    return chain(x, value, slope);
  }

 private:
  // y + d (c1 + d (c2 + d c3)),  d the distance from x
  struct Segment {
    double x, y, c1, c2 = 0.0, c3 = 0.0;
  };

  Table1D(TableAxis axis, const std::vector<double>& y, Interpolation interpolation,
          Extrapolation extrapolation);

  TableAxis axis_;
  std::vector<Segment> segments_;  // below the first point, between points, above the last
  Extrapolation extrapolation_ = Extrapolation::hold;
};

struct Value2D {
  double value, slope_x, slope_y;
};

// The tensor product of the one-dimensional rule: along every grid line it is the Table1D of that
// line's data, and the cubic kinds are bicubic Hermite patches between.  `spline` is C2 throughout.
// `monotone` is C1; its promise holds on grid lines, inside a cell it is only nearly kept.
class Table2D {
 public:
  // z[i * y.size() + j] belongs to (x[i], y[j]).  Either axis may have a single point.
  static std::variant<Table2D, std::string> make(
      std::vector<double> x, std::vector<double> y, const std::vector<double>& z,
      Interpolation interpolation = Interpolation::linear,
      Extrapolation extrapolation = Extrapolation::hold);

  Value2D lookup(double x, double y) const noexcept;

  double operator()(double x, double y) const noexcept { return lookup(x, y).value; }
  template <Scalar T>
  T operator()(const T& x, const T& y) const {
    const auto [value, slope_x, slope_y] = lookup(value_of(x), value_of(y));
    return chain(x, y, value, slope_x, slope_y);
  }

 private:
  struct Node {
    double z, z_x = 0.0, z_y = 0.0, z_xy = 0.0;
  };

  Table2D(TableAxis x, TableAxis y, const std::vector<double>& z, Interpolation interpolation,
          Extrapolation extrapolation);

  TableAxis x_, y_;
  std::vector<Node> nodes_;
  bool cubic_ = false;
  Extrapolation extrapolation_ = Extrapolation::hold;
};

}  // namespace chicane
