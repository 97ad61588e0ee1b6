// SPDX-License-Identifier: Apache-2.0
#include "vehicle/terrain/crg.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "math/dual.hpp"

namespace chicane::terrain {
namespace {

constexpr double kNowhere = std::numeric_limits<double>::quiet_NaN();
constexpr int kMostWalk = 20000;    // nodes a search may pass
constexpr double kOnBorder = 1e-8;  // [m] that count as on the border of placed sections

// A coordinate in steps of a grid, split into the cell and the fraction in it; rate: of the
// fraction. Beyond the ends it is held.
template <class T>
struct Split {
  int cell;
  T fraction;
  double rate;
};
template <class T>
Split<T> split(const T& steps, int cells, double rate) {
  const double s = value_of(steps);
  if (!(s >= 0.0)) return {0, T(0.0), 0.0};
  if (s >= cells) return {cells - 1, T(1.0), s > cells ? 0.0 : rate};
  const int cell = static_cast<int>(s);
  return {cell, steps - static_cast<double>(cell), rate};
}

// Folded back into 0 to `size`; sign: of the derivative.
template <class T>
T repeated(const T& s, double size) {
  return s - size * std::floor(value_of(s) / size);
}
template <class T>
T reflected(const T& s, double size, double& sign) {
  const T within = repeated(s, 2.0 * size);
  if (value_of(within) <= size) return within;
  sign = -sign;
  return 2.0 * size - within;
}

}  // namespace

int NearestNodes::find(double x, double y) const {
  const auto index = [&](double way, int count) {
    return static_cast<std::size_t>(std::clamp(way / cell, 0.0, count - 1.0));
  };
  return node[index(y - y_0, rows) * static_cast<std::size_t>(columns) + index(x - x_0, columns)];
}

void CrgRoad::make_segments() {
  const auto at = [&](std::size_t i) { return line_[std::min(i, line_.size() - 1)]; };
  segments_.clear();
  for (std::size_t i = 0; i + 1 < line_.size(); ++i) {
    const Xy<double> p_0 = at(i > 0 ? i - 1 : 0), p_1 = at(i), p_2 = at(i + 1), p_3 = at(i + 2);
    const double dx = p_2.x - p_1.x, dy = p_2.y - p_1.y;
    const double length = std::sqrt(dx * dx + dy * dy);
    const Xy<double> e{dx / length, dy / length};
    const auto tilt = [&](const Xy<double>& a, const Xy<double>& b) {
      const double x = b.x - a.x, y = b.y - a.y, along = e.x * x + e.y * y;
      return std::fabs(along) > 1e-10 ? -(e.x * y - e.y * x) / along : 0.0;
    };
    segments_.push_back({p_1, e, length, tilt(p_0, p_2), tilt(p_1, p_3)});
  }
}

// The node that ends the segment below a point: from the nearest node upwards until the bisector
// there is ahead, then down until the one behind is behind.
int CrgRoad::segment_at(double x, double y) const {
  const int last = static_cast<int>(line_.size()) - 1;
  const auto at = [&](int i) { return line_[static_cast<std::size_t>(i)]; };
  const auto ahead = [&](int i) {  // of the point, the bisector at node i is not
    const Xy<double> a = at(std::max(i - 1, 0)), b = at(std::min(i + 1, last)), p = at(i);
    return (x - p.x) * (b.x - a.x) + (y - p.y) * (b.y - a.y);
  };
  int i = std::clamp(nearest_.find(x, y), 1, last);
  {  // along the piece there, as if the line went straight on
    const Segment& k = segments_[static_cast<std::size_t>(i - 1)];
    const double way = (x - k.p_1.x) * k.e.x + (y - k.p_1.y) * k.e.y, most = 2.0 * nearest_.cell;
    if (std::fabs(way) < most) i = std::clamp(i + static_cast<int>(way / step_), 1, last);
  }
  int left = kMostWalk;
  const bool wraps = closed_ && loop_;
  while (ahead(i) > 0.0 && --left > 0) {
    if (i < last)
      ++i;
    else if (wraps && ahead(0) > 0.0)
      i = 1;
    else
      break;
  }
  while (i > 1 && ahead(i - 1) < 0.0 && --left > 0) --i;
  return i;
}

template <class T>
T CrgRoad::within_loop(const T& u) const {
  const double value = value_of(u), size = loop_end_ - loop_begin_;
  if (!(loop_ && closed_) || (value >= loop_begin_ && value <= loop_end_)) return u;
  return loop_begin_ + repeated(T(u - loop_begin_), size);
}

template <class T>
Xy<T> CrgRoad::xy(const Uv<T>& at) const {
  const T u = within_loop(at.u);
  const T& v = at.v;
  if (value_of(u) < u_first_) {
    const Xy<double> p = line_.front();
    const T d = u - u_first_;
    return {p.x + d * cos_first_ - v * sin_first_, p.y + d * sin_first_ + v * cos_first_};
  }
  const int cells = static_cast<int>(line_.size()) - 1;
  const T steps = (u - u_first_) / step_;
  if (value_of(steps) > cells) {
    const Xy<double> p = line_.back();
    const T d = (steps - static_cast<double>(cells)) * step_;
    return {p.x + d * cos_last_ - v * sin_last_, p.y + d * sin_last_ + v * cos_last_};
  }
  const Split<T> s = split(steps, cells, 1.0);
  const Segment& k = segments_[static_cast<std::size_t>(s.cell)];
  const T along = s.fraction * (k.length + v * (k.m_2 - k.m_1)) + v * k.m_1;
  return {k.p_1.x + along * k.e.x - v * k.e.y, k.p_1.y + along * k.e.y + v * k.e.x};
}

template <class T>
struct CrgRoad::Found {
  Uv<T> uv;
  Xy<double> e;      // direction of the line there
  T stretch, shear;  // of the line through the point, and of the sides of the cell
};

template <class T>
CrgRoad::Found<T> CrgRoad::find(const Xy<T>& at) const {
  const int i = segment_at(value_of(at.x), value_of(at.y)) - 1;
  const Segment& k = segments_[static_cast<std::size_t>(i)];
  const T x = at.x - k.p_1.x, y = at.y - k.p_1.y;
  const T v = k.e.x * y - k.e.y * x;
  const T along = k.e.x * x + k.e.y * y;
  const T width = k.length + v * (k.m_2 - k.m_1);
  const T f = (along - v * k.m_1) / width;
  const T u = u_first_ + step_ * (static_cast<double>(i) + f);
  const auto beyond = [&](const Xy<double>& p, double u_0, double c, double s) {
    const T dx = at.x - p.x, dy = at.y - p.y;
    return Found<T>{{u_0 + dx * c + dy * s, dy * c - dx * s}, {c, s}, T(1.0), T(0.0)};
  };
  const bool wraps = loop_ && closed_;
  const double low = wraps ? loop_begin_ : u_first_, high = wraps ? loop_end_ : u_last_;
  // On a loop, what is beyond its seam counts from the other end.
  if (value_of(u) < low)
    return wraps ? beyond(line_.back(), u_last_, cos_last_, sin_last_)
                 : beyond(line_.front(), u_first_, cos_first_, sin_first_);
  if (value_of(u) > high)
    return wraps ? beyond(line_.front(), u_first_, cos_first_, sin_first_)
                 : beyond(line_.back(), u_last_, cos_last_, sin_last_);
  return {{u, v}, k.e, width / step_, k.m_1 + f * (k.m_2 - k.m_1)};
}

template <class T>
Uv<T> CrgRoad::uv(const Xy<T>& at) const {
  return find(at).uv;
}

CrgRoad::Heading CrgRoad::heading(const Uv<double>& at) const {
  const int cells = static_cast<int>(line_.size()) - 1;
  const double u = within_loop(at.u);
  const int i = split((u - u_first_) / step_, cells, 1.0).cell;
  if (phi_.size() == 1) return {phi_[0], 0.0};
  // Over sections of half a metre, if they are that short.
  const int n = std::max(static_cast<int>(std::min(0.5 / step_, 1e9)), 1);
  if (n > i) return {phi_.front(), 0.0};
  if (i + n > cells) return {phi_.back(), 0.0};
  const auto p = [&](int k) { return line_[static_cast<std::size_t>(k)]; };
  const double length = step_ * n;
  const double dx_0 = p(i).x - p(i - n).x, dy_0 = p(i).y - p(i - n).y;
  const double dx_1 = p(i + n).x - p(i).x, dy_1 = p(i + n).y - p(i).y;
  double curvature = (dx_0 * dy_1 - dy_0 * dx_1) / (length * length * length);
  if (std::fabs(curvature) > 1e-10) {  // of the line through the point, parallel to the other one
    const double radius = 1.0 / curvature - at.v;
    curvature = std::fabs(radius) < 1e-6 ? 1e6 : 1.0 / radius;
  }
  return {phi_[static_cast<std::size_t>(i)], curvature};
}

// --- height --------------------------------------------------------------------------------------

template <class T>
struct CrgRoad::Cell {
  int row = 0, column = 0;
  T f{}, g{};                    // fractions along u and v
  double f_u = 0, g_v = 0;       // their derivatives
  T u{}, bank_v{};               // folded u; v that the banking counts with
  double u_u = 1, bank_v_v = 1;  // their derivatives
  bool nowhere = false, grid = true, banking = true;
  bool in_u = true, in_v = true;  // within the borders, or folded back
  CrgBorder beyond_u = CrgBorder::keep, beyond_v = CrgBorder::keep;
  double offset = 0;
};

// The place across the road.
template <class T>
void CrgRoad::across(T v, Cell<T>& c) const {
  const double first = v_.front(), last = v_.back(), width = last - first;
  const int cells = static_cast<int>(v_.size()) - 1;
  double at = value_of(v), sign = 1.0;
  c.bank_v = v;
  if (at < first || at > last) {
    c.in_v = false;
    const bool on_border =
        !even_v_ && (std::fabs(at - first) < kOnBorder || std::fabs(at - last) < kOnBorder);
    c.beyond_v = on_border ? CrgBorder::keep : border_v_;
    c.offset += offset_v_;
    c.nowhere = c.nowhere || c.beyond_v == CrgBorder::none;
    c.grid = c.grid && c.beyond_v != CrgBorder::zero;
    if (c.beyond_v == CrgBorder::repeat || c.beyond_v == CrgBorder::reflect) {
      c.in_v = true;
      v = first + (c.beyond_v == CrgBorder::repeat ? repeated(T(v - first), width)
                                                   : reflected(T(v - first), width, sign));
      at = value_of(v);
      if (even_v_) c.bank_v = v, c.bank_v_v = sign;  // where sections are placed, not so
    }
    const double bank_at = value_of(c.bank_v);
    if (bank_at < first || bank_at > last) {
      c.bank_v = T(bank_at < first ? first : last);
      c.bank_v_v = 0.0;
    }
  }
  if (even_v_) {
    const Split<T> s = split(T((v - first) / v_step_), cells, sign / v_step_);
    c.column = s.cell, c.g = s.fraction, c.g_v = s.rate;
    return;
  }
  const auto next = std::upper_bound(v_.begin() + 1, v_.end() - 1, at);
  c.column = static_cast<int>(next - v_.begin()) - 1;
  const double left = *next, right = *(next - 1);
  const Split<T> s = split(T((v - right) / (left - right)), 1, sign / (left - right));
  c.g = s.fraction, c.g_v = s.rate;
}

template <class T>
CrgRoad::Cell<T> CrgRoad::cell(const T& u_asked, const T& v) const {
  Cell<T> c;
  c.u = within_loop(u_asked);
  const int cells = static_cast<int>(line_.size()) - 1;
  const double at = value_of(c.u), size = u_last_ - u_first_;
  double sign = 1.0;
  if (!(at >= u_first_ && at <= u_last_)) {
    c.in_u = false;
    c.beyond_u = border_u_;
    c.offset += offset_u_;
    c.nowhere = border_u_ == CrgBorder::none;
    c.grid = c.banking = border_u_ != CrgBorder::zero;
    if (border_u_ == CrgBorder::repeat || border_u_ == CrgBorder::reflect) {
      c.in_u = true;
      c.u = u_first_ + (border_u_ == CrgBorder::repeat ? repeated(T(c.u - u_first_), size)
                                                       : reflected(T(c.u - u_first_), size, sign));
    }
  }
  const Split<T> s = split(T((c.u - u_first_) / step_), cells, sign / step_);
  c.row = s.cell, c.f = s.fraction, c.f_u = s.rate, c.u_u = sign;
  across(v, c);
  return c;
}

template <class T>
RoadHeight<T> CrgRoad::height(const Uv<T>& at) const {
  if (!std::isfinite(value_of(at.u)) || !std::isfinite(value_of(at.v)))
    return {T(kNowhere), T(kNowhere), T(kNowhere)};
  const Cell<T> c = cell(at.u, at.v);
  if (c.nowhere) return {T(kNowhere), T(kNowhere), T(kNowhere)};
  const auto row = static_cast<std::size_t>(c.row), column = static_cast<std::size_t>(c.column);
  RoadHeight<T> z{T(0.0), T(0.0), T(0.0)};
  if (c.grid) {
    const double z_00 = z_of(row, column), z_01 = z_of(row, column + 1) - z_00;
    const double z_10 = z_of(row + 1, column) - z_00;
    const double z_11 = z_of(row + 1, column + 1) - z_of(row, column + 1) - z_10;
    z.z = (z_11 * c.g + z_10) * c.f + z_01 * c.g + z_00 + grid_z_;
    z.along_u = (z_11 * c.g + z_10) * c.f_u;
    z.along_v = (z_11 * c.f + z_01) * c.g_v;
  }
  if (line_z_.empty()) {
    z.z += line_z_0_;
  } else {
    const double rise = line_z_[row + 1] - line_z_[row];
    z.z += line_z_[row] + c.f * rise;
    z.along_u += T(rise * c.f_u);
  }
  if (banked_ && c.banking) {
    const double twist = bank_.empty() ? 0.0 : bank_[row + 1] - bank_[row];
    const T bank = (bank_.empty() ? bank_0_ : bank_[row]) + c.f * twist;
    z.z += bank * c.bank_v;
    z.along_u += twist * c.f_u * c.bank_v;
    z.along_v += bank * c.bank_v_v;
  }
  const bool replaced = (!c.in_u && c.beyond_u == CrgBorder::zero) ||
                        (c.in_u && !c.in_v && c.beyond_v == CrgBorder::zero);
  if (replaced)
    z = {T(c.offset), T(0.0), T(0.0)};
  else if (!c.in_u || !c.in_v)
    z.z += c.offset;
  smooth(c, z);
  return z;
}

// Towards both ends the road goes over into the height of its line there.
template <class T>
void CrgRoad::smooth(const Cell<T>& c, RoadHeight<T>& z) const {
  T scale(1.0);
  double rate = 0.0, base = 0.0;
  const auto towards = [&](const T& way, double zone, double sign, double line_z) {
    if (!(zone > 0.0) || value_of(way) > zone) return;
    const bool outside = value_of(way) < 0.0;
    scale = outside ? T(0.0) : T(way / zone);
    rate = outside ? 0.0 : sign * c.u_u / zone;
    base = line_z;
  };
  const bool level = line_z_.empty();
  towards(T(c.u - u_first_), smooth_begin_, 1.0, level ? line_z_0_ : line_z_.front());
  towards(T(u_last_ - c.u), smooth_end_, -1.0, level ? line_z_0_ : line_z_.back());
  const T over = z.z - base;
  z = {base + over * scale, z.along_u * scale + over * rate, z.along_v * scale};
}

template <class T>
Hit<T> CrgRoad::query(const T& x, const T& y, const Hit<T>& /*previous*/) const {
  const Found<T> found = find<T>({x, y});
  const RoadHeight<T> z = height(found.uv);
  constexpr double kFolded = 1e-3;  // beyond the centre of curvature the grid lies on itself
  const T stretch = max(found.stretch, kFolded);
  const T along = z.along_u / stretch;
  const T across = z.along_v - found.shear * along;
  const auto [c, s] = found.e;
  return hit<T>({z.z, along * c - across * s, along * s + across * c},
                {T(cover.friction), cover.surface});
}

template RoadHeight<double> CrgRoad::height(const Uv<double>&) const;
template RoadHeight<Dual> CrgRoad::height(const Uv<Dual>&) const;
template Xy<double> CrgRoad::xy(const Uv<double>&) const;
template Xy<Dual> CrgRoad::xy(const Uv<Dual>&) const;
template Uv<double> CrgRoad::uv(const Xy<double>&) const;
template Uv<Dual> CrgRoad::uv(const Xy<Dual>&) const;
template Hit<double> CrgRoad::query(const double&, const double&, const Hit<double>&) const;
template Hit<Dual> CrgRoad::query(const Dual&, const Dual&, const Hit<Dual>&) const;

}  // namespace chicane::terrain
