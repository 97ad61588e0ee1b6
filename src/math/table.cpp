// SPDX-License-Identifier: Apache-2.0
#include "math/table.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <utility>

namespace chicane {
namespace {

// --- validation -----------------------------------------------------------------------------

std::string text(double x) {
  std::array<char, 32> buffer;
  const auto [end, fault] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), x);
  return {buffer.data(), end};
}

std::string element(std::string_view name, std::size_t i, double x) {
  return std::string(name) + "[" + std::to_string(i) + "] = " + text(x);
}

std::optional<std::string> fault_in_values(std::string_view name, const std::vector<double>& v) {
  for (std::size_t i = 0; i < v.size(); ++i) {
    if (!std::isfinite(v[i])) return element(name, i, v[i]) + " is not finite";
  }
  return std::nullopt;
}

std::optional<std::string> fault_in_axis(std::string_view name, const std::vector<double>& v) {
  if (v.empty()) return std::string(name) + " has no points";
  if (auto fault = fault_in_values(name, v)) return fault;
  for (std::size_t i = 1; i < v.size(); ++i) {
    const bool greater = v[i] > v[i - 1];
    if (greater && std::isfinite(1.0 / (v[i] - v[i - 1]))) continue;
    return element(name, i, v[i]) + (greater ? " is too close to " : " is not greater than ") +
           element(name, i - 1, v[i - 1]);
  }
  if (!std::isfinite(v.back() - v.front())) return std::string(name) + " spans too wide a range";
  return std::nullopt;
}

std::string wrong_count(std::string_view name, std::size_t got, std::size_t want) {
  return std::string(name) + " has " + std::to_string(got) + " values where " +
         std::to_string(want) + " are needed";
}

// --- slopes at the breakpoints --------------------------------------------------------------

// Spacings and secant slopes of data with at least two points.
struct Secants {
  std::vector<double> h, delta;

  Secants(const TableAxis& x, const std::vector<double>& y) {
    for (std::size_t i = 0; i + 1 < x.size(); ++i) {
      h.push_back(x[i + 1] - x[i]);
      delta.push_back((y[i + 1] - y[i]) / h[i]);
    }
  }
};

// m, brought into the range between 0 and three times either secant.  With both ends of an
// interval so limited, the cubic on it is monotone: Fritsch and Carlson, SIAM J. Numer. Anal. 17
// (1980) 238, the square of side 3 inside their region.
double limited(double m, double delta_left, double delta_right) {
  if (sign(delta_left) != sign(delta_right) || sign(m) != sign(delta_left)) return 0.0;
  const double bound = 3.0 * std::min(std::fabs(delta_left), std::fabs(delta_right));
  return std::copysign(std::min(std::fabs(m), bound), m);
}

// Slopes of the parabolas through three neighbours, then limited as in Hyman, SIAM J. Sci. Stat.
// Comput. 4 (1983) 645.
std::vector<double> monotone_slopes(const Secants& data) {
  const auto& [h, delta] = data;
  const std::size_t last = h.size();
  if (last == 1) return {delta[0], delta[0]};
  std::vector<double> m(last + 1);
  for (std::size_t i = 1; i < last; ++i) {
    const double w = h[i] / (h[i - 1] + h[i]);
    m[i] = limited(w * delta[i - 1] + (1.0 - w) * delta[i], delta[i - 1], delta[i]);
  }
  const auto at_end = [](double h0, double h1, double delta0, double delta1) {
    const double parabola = delta0 + (delta0 - delta1) * (h0 / (h0 + h1));
    return limited(parabola, delta0, delta0);
  };
  m[0] = at_end(h[0], h[1], delta[0], delta[1]);
  m[last] = at_end(h[last - 1], h[last - 2], delta[last - 1], delta[last - 2]);
  return m;
}

// The natural spline in terms of its slopes: de Boor, A Practical Guide to Splines, ch. IV.
//   inside     h_i m_{i-1} + 2 (h_{i-1} + h_i) m_i + h_{i-1} m_{i+1}
//                = 3 (h_i delta_{i-1} + h_{i-1} delta_i)
//   at an end  2 m_0 + m_1 = 3 delta_0                      (second derivative 0)
// Tridiagonal and diagonally dominant: elimination needs no pivots.
std::vector<double> spline_slopes(const Secants& data) {
  const auto& [h, delta] = data;
  const std::size_t last = h.size();
  std::vector<double> m(last + 1), upper(last + 1);
  upper[0] = 0.5;
  m[0] = 1.5 * delta[0];
  for (std::size_t i = 1; i < last; ++i) {
    const double w = h[i] / (h[i - 1] + h[i]);  // row divided by h_{i-1} + h_i
    const double pivot = 2.0 - w * upper[i - 1];
    upper[i] = (1.0 - w) / pivot;
    m[i] = (3.0 * (w * delta[i - 1] + (1.0 - w) * delta[i]) - w * m[i - 1]) / pivot;
  }
  m[last] = (3.0 * delta[last - 1] - m[last - 1]) / (2.0 - upper[last - 1]);
  for (std::size_t i = last; i-- > 0;) m[i] -= upper[i] * m[i + 1];
  return m;
}

std::vector<double> cubic_slopes(const TableAxis& x, const std::vector<double>& y,
                                 Interpolation kind) {
  if (x.size() < 2) return std::vector<double>(x.size());
  const Secants data(x, y);
  return kind == Interpolation::spline ? spline_slopes(data) : monotone_slopes(data);
}

// --- weights of one axis in a tensor product ------------------------------------------------

// f(x) = sum over the cell's two ends k of  value[k] f_k + slope[k] f'_k ,  and d_ for df/dx.
struct Weights {
  std::size_t cell = 0, other = 0;  // indices of the two ends
  std::array<double, 2> value{1.0, 0.0}, slope{};
  std::array<double, 2> d_value{}, d_slope{};
};

void set_linear(Weights& w, double t, double h) {
  w.value = {1.0 - t, t};
  w.d_value = {-1.0 / h, 1.0 / h};
}

// The cubic Hermite basis: 1 - t^2 (3 - 2t), t^2 (3 - 2t), h t (1-t)^2, h t^2 (t-1).
void set_cubic(Weights& w, double t, double h) {
  const double s = 1.0 - t;
  const double rise = t * t * (3.0 - 2.0 * t);
  const double d_rise = 6.0 * t * s / h;
  w.value = {1.0 - rise, rise};
  w.slope = {h * t * s * s, -h * t * t * s};
  w.d_value = {-d_rise, d_rise};
  w.d_slope = {s * (1.0 - 3.0 * t), t * (3.0 * t - 2.0)};
}

void extrapolate(Weights& w, double beyond) {
  for (std::size_t k = 0; k < 2; ++k) {
    w.value[k] += w.d_value[k] * beyond;
    w.slope[k] += w.d_slope[k] * beyond;
  }
}

Weights weights(const TableAxis& axis, double x, bool cubic, Extrapolation extrapolation) {
  Weights w;
  if (axis.size() == 1) {
    w.value[0] += 0.0 * sat(x, axis[0], axis[0]);  // NaN must show, infinity not
    return w;
  }
  const double inside = sat(x, axis.front(), axis.back());
  w.other = std::clamp<std::size_t>(axis.count_up_to(x), 1, axis.size() - 1);
  w.cell = w.other - 1;
  const double h = axis[w.other] - axis[w.cell];
  const double t = (inside - axis[w.cell]) / h;
  cubic ? set_cubic(w, t, h) : set_linear(w, t, h);
  if (x >= axis.front() && x < axis.back()) return w;
  if (extrapolation == Extrapolation::linear) {
    extrapolate(w, x - inside);
  } else {
    w.d_value = w.d_slope = {};
  }
  return w;
}

}  // namespace

// --- axis -----------------------------------------------------------------------------------

TableAxis::TableAxis(std::vector<double> points) : points_(std::move(points)) {
  if (size() < 2) return;
  const double step = (back() - front()) / static_cast<double>(size() - 1);
  const double tolerance = 1e-6 * step;  // the guess may be off by one, which is put right
  for (std::size_t i = 0; i < size(); ++i) {
    const double even = front() + step * static_cast<double>(i);
    if (!(std::fabs(points_[i] - even) <= tolerance)) return;
  }
  if (std::isfinite(1.0 / step)) per_step_ = 1.0 / step;
}

std::size_t TableAxis::count_up_to(double x) const noexcept {
  if (per_step_ == 0.0) {
    // Halving without a branch on x: where it falls cannot be foretold.
    const double* from = points_.data();
    for (std::size_t left = size(); left > 0;) {
      const std::size_t half = (left + 1) / 2;
      from += x >= from[half - 1] ? half : 0;
      left -= half;
    }
    return static_cast<std::size_t>(from - points_.data());
  }
  if (x < front()) return 0;
  if (!(x < back())) return size();
  const auto steps = static_cast<std::size_t>((x - front()) * per_step_);
  const std::size_t guess = std::min(steps + 1, size() - 1);
  if (x < points_[guess - 1]) return guess - 1;
  return x < points_[guess] ? guess : guess + 1;
}

// --- one variable ---------------------------------------------------------------------------

std::variant<Table1D, std::string> Table1D::make(std::vector<double> x,
                                                 const std::vector<double>& y,
                                                 Interpolation interpolation,
                                                 Extrapolation extrapolation) {
  if (auto fault = fault_in_axis("x", x)) return *std::move(fault);
  if (y.size() != x.size()) return wrong_count("y", y.size(), x.size());
  if (auto fault = fault_in_values("y", y)) return *std::move(fault);

  Table1D table(TableAxis(std::move(x)), y, interpolation, extrapolation);
  for (std::size_t i = 0; i < table.segments_.size(); ++i) {
    const Segment& s = table.segments_[i];
    if (std::isfinite(s.c1) && std::isfinite(s.c2) && std::isfinite(s.c3)) continue;
    return "the curve is too steep at " + element("x", i == 0 ? 0 : i - 1, s.x);
  }
  return table;
}

Table1D::Table1D(TableAxis axis, const std::vector<double>& y, Interpolation interpolation,
                 Extrapolation extrapolation)
    : axis_(std::move(axis)), extrapolation_(extrapolation) {
  const std::size_t last = axis_.size() - 1;
  const bool steps = interpolation == Interpolation::hold;
  const bool linear = steps || interpolation == Interpolation::linear;
  const auto m = linear ? std::vector<double>() : cubic_slopes(axis_, y, interpolation);

  segments_.push_back({axis_.front(), y.front(), 0.0});
  for (std::size_t i = 0; i < last; ++i) {
    const double h = axis_[i + 1] - axis_[i];
    const double delta = (y[i + 1] - y[i]) / h;
    if (linear) {
      segments_.push_back({axis_[i], y[i], steps ? 0.0 : delta});
    } else {
      segments_.push_back({axis_[i], y[i], m[i], (3.0 * delta - 2.0 * m[i] - m[i + 1]) / h,
                           (m[i] + m[i + 1] - 2.0 * delta) / h / h});
    }
  }
  segments_.push_back({axis_.back(), y.back(), 0.0});

  if (extrapolation == Extrapolation::linear && last > 0) {
    segments_.front().c1 = segments_[1].c1;
    segments_.back().c1 = linear ? segments_[last].c1 : m[last];
  }
}

Value1D Table1D::lookup(double x) const noexcept {
  // An infinite distance times a slope of 0 would be NaN, hence the limits when holding.
  const Segment& s = segments_[axis_.count_up_to(x)];
  const bool hold = extrapolation_ == Extrapolation::hold || axis_.size() == 1;
  const double d = (hold ? sat(x, axis_.front(), axis_.back()) : x) - s.x;
  return {.value = s.y + d * (s.c1 + d * (s.c2 + d * s.c3)),
          .slope = s.c1 + d * (2.0 * s.c2 + d * (3.0 * s.c3))};
}

double Table1D::integral(double x) const noexcept {
  const auto area = [](const Segment& s, double to) {
    const double d = to - s.x;
    return d * (s.y + d * (s.c1 / 2.0 + d * (s.c2 / 3.0 + d * s.c3 / 4.0)));
  };
  const std::size_t n = axis_.count_up_to(x);
  if (n == 0) return area(segments_[0], x);
  double sum = 0.0;
  for (std::size_t i = 1; i < n; ++i) sum += area(segments_[i], axis_[i]);
  return sum + area(segments_[n], x);
}

// --- two variables --------------------------------------------------------------------------

std::variant<Table2D, std::string> Table2D::make(std::vector<double> x, std::vector<double> y,
                                                 const std::vector<double>& z,
                                                 Interpolation interpolation,
                                                 Extrapolation extrapolation) {
  if (auto fault = fault_in_axis("x", x)) return *std::move(fault);
  if (auto fault = fault_in_axis("y", y)) return *std::move(fault);
  if (z.size() != x.size() * y.size()) return wrong_count("z", z.size(), x.size() * y.size());
  if (interpolation == Interpolation::hold) return "a map of two variables cannot be held";
  if (auto fault = fault_in_values("z", z)) return *std::move(fault);

  Table2D table(TableAxis(std::move(x)), TableAxis(std::move(y)), z, interpolation, extrapolation);
  for (std::size_t i = 0; i < z.size(); ++i) {
    const Node& n = table.nodes_[i];
    if (std::isfinite(n.z_x) && std::isfinite(n.z_y) && std::isfinite(n.z_xy)) continue;
    return "the surface is too steep at " + element("z", i, n.z);
  }
  return table;
}

Table2D::Table2D(TableAxis x, TableAxis y, const std::vector<double>& z,
                 Interpolation interpolation, Extrapolation extrapolation)
    : x_(std::move(x)), y_(std::move(y)), extrapolation_(extrapolation) {
  for (const double value : z) nodes_.push_back({value});
  if (interpolation == Interpolation::linear) return;
  cubic_ = true;

  // Differentiates one field of the nodes along every line in x, or in y, and hands out the slopes.
  const std::size_t nx = x_.size(), ny = y_.size();
  const auto along_x = [&](double Node::*from, auto&& put) {
    std::vector<double> line(nx);
    for (std::size_t j = 0; j < ny; ++j) {
      for (std::size_t i = 0; i < nx; ++i) line[i] = nodes_[i * ny + j].*from;
      const auto m = cubic_slopes(x_, line, interpolation);
      for (std::size_t i = 0; i < nx; ++i) put(nodes_[i * ny + j], m[i]);
    }
  };
  const auto along_y = [&](double Node::*from, auto&& put) {
    std::vector<double> line(ny);
    for (std::size_t i = 0; i < nx; ++i) {
      for (std::size_t j = 0; j < ny; ++j) line[j] = nodes_[i * ny + j].*from;
      const auto m = cubic_slopes(y_, line, interpolation);
      for (std::size_t j = 0; j < ny; ++j) put(nodes_[i * ny + j], m[j]);
    }
  };
  along_x(&Node::z, [](Node& n, double m) { n.z_x = m; });
  along_y(&Node::z, [](Node& n, double m) { n.z_y = m; });

  // For a spline both orders agree; a limiter is not linear, and the mean favours neither axis.
  along_x(&Node::z_y, [](Node& n, double m) { n.z_xy = 0.5 * m; });
  along_y(&Node::z_x, [](Node& n, double m) { n.z_xy += 0.5 * m; });
}

Value2D Table2D::lookup(double x, double y) const noexcept {
  const Weights wx = weights(x_, x, cubic_, extrapolation_);
  const Weights wy = weights(y_, y, cubic_, extrapolation_);
  Value2D f{0.0, 0.0, 0.0};
  for (std::size_t a = 0; a < 2; ++a) {
    for (std::size_t b = 0; b < 2; ++b) {
      const std::size_t i = a == 0 ? wx.cell : wx.other, j = b == 0 ? wy.cell : wy.other;
      const Node& n = nodes_[i * y_.size() + j];
      const double along_y = wy.value[b] * n.z + wy.slope[b] * n.z_y;
      const double along_y_x = wy.value[b] * n.z_x + wy.slope[b] * n.z_xy;
      f.value += wx.value[a] * along_y + wx.slope[a] * along_y_x;
      f.slope_x += wx.d_value[a] * along_y + wx.d_slope[a] * along_y_x;
      f.slope_y += wx.value[a] * (wy.d_value[b] * n.z + wy.d_slope[b] * n.z_y) +
                   wx.slope[a] * (wy.d_value[b] * n.z_x + wy.d_slope[b] * n.z_xy);
    }
  }
  return f;
}

}  // namespace chicane
