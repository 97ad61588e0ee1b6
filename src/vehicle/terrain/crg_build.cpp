// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "vehicle/terrain/crg.hpp"

// A road surface from its file: modifiers, reference line, place, and what a search begins with.

namespace chicane::terrain {
namespace {

constexpr double kMostExtent = 1e7;  // [m] of anything

// The nearest node of each cell, by two sweeps that hand it on from neighbour to neighbour.
NearestNodes nearest_nodes(const std::vector<Xy<double>>& line, double margin) {
  Xy<double> low = line[0], high = line[0];
  for (const Xy<double>& p : line) {
    low = {std::min(low.x, p.x), std::min(low.y, p.y)};
    high = {std::max(high.x, p.x), std::max(high.y, p.y)};
  }
  NearestNodes n;
  n.x_0 = low.x - margin, n.y_0 = low.y - margin;
  const double width = high.x - low.x + 2.0 * margin, depth = high.y - low.y + 2.0 * margin;
  const double most = std::clamp(4.0 * static_cast<double>(line.size()), 4096.0, 1e6);
  n.cell = std::max({std::sqrt(width * depth / most), width / most, depth / most});
  n.columns = static_cast<int>(width / n.cell) + 1;
  n.rows = static_cast<int>(depth / n.cell) + 1;
  n.node.assign(static_cast<std::size_t>(n.columns) * static_cast<std::size_t>(n.rows), -1);

  const auto slot = [&](int c, int r) -> std::int32_t& {
    return n.node[static_cast<std::size_t>(r) * static_cast<std::size_t>(n.columns) +
                  static_cast<std::size_t>(c)];
  };
  const auto offer = [&](int c, int r, std::int32_t node) {
    if (node < 0 || c < 0 || r < 0 || c >= n.columns || r >= n.rows) return;
    std::int32_t& has = slot(c, r);
    const double x = n.x_0 + (c + 0.5) * n.cell, y = n.y_0 + (r + 0.5) * n.cell;
    const auto far = [&](std::int32_t k) {
      const Xy<double>& p = line[static_cast<std::size_t>(k)];
      return (p.x - x) * (p.x - x) + (p.y - y) * (p.y - y);
    };
    if (has < 0 || far(node) < far(has)) has = node;
  };
  for (std::size_t k = 0; k < line.size(); ++k)
    offer(static_cast<int>((line[k].x - n.x_0) / n.cell),
          static_cast<int>((line[k].y - n.y_0) / n.cell), static_cast<std::int32_t>(k));
  constexpr std::array<std::array<int, 2>, 4> kBefore{{{-1, 0}, {-1, -1}, {0, -1}, {1, -1}}};
  const auto take = [&](int c, int r, int sign) {
    for (const auto& [dc, dr] : kBefore) {
      const int from_c = c + sign * dc, from_r = r + sign * dr;
      if (from_c >= 0 && from_r >= 0 && from_c < n.columns && from_r < n.rows)
        offer(c, r, slot(from_c, from_r));
    }
  };
  for (int sweep = 0; sweep < 2; ++sweep) {
    for (int r = 0; r < n.rows; ++r) {
      for (int c = 0; c < n.columns; ++c) take(c, r, 1);
      for (int c = n.columns - 2; c >= 0; --c) offer(c, r, slot(c + 1, r));
    }
    for (int r = n.rows - 1; r >= 0; --r) {
      for (int c = n.columns - 1; c >= 0; --c) take(c, r, -1);
      for (int c = 1; c < n.columns; ++c) offer(c, r, slot(c - 1, r));
    }
  }
  return n;
}

}  // namespace

class CrgBuilder {
 public:
  CrgBuilder(CrgFile file, const CrgPlace& place, Diagnostics& diag)
      : f_(std::move(file)), h_(f_.header), place_(place), diag_(diag) {}

  std::optional<CrgRoad> build() {
    m_ = modifiers();
    options(f_.options.value_or(CrgOptions{}));
    grid();
    if (diag_.ok()) lengths();
    if (diag_.ok()) headings();
    if (diag_.ok()) reference_line();
    if (diag_.ok()) line_height();
    if (diag_.ok()) loop();
    if (diag_.ok()) put();
    if (!diag_.ok() || !within_extent()) return std::nullopt;
    directions();
    road_.make_segments();
    const double width = std::max(std::fabs(road_.v_.front()), std::fabs(road_.v_.back()));
    road_.nearest_ = nearest_nodes(road_.line_, 1.5 * width + 10.0);
    f_.z = f_.phi = f_.slope = f_.banking = f_.x = f_.y = f_.u = {};
    road_.file_ = std::move(f_);
    return std::move(road_);
  }

 private:
  template <class... Args>
  void fault(const char* key, fmt::format_string<Args...> text, Args&&... args) {
    diag_.error({f_.files.empty() ? "" : f_.files.back(), 0, key}, text,
                std::forward<Args>(args)...);
  }
  template <class... Args>
  void doubt(const char* key, fmt::format_string<Args...> text, Args&&... args) {
    diag_.warning({f_.files.empty() ? "" : f_.files.back(), 0, key}, text,
                  std::forward<Args>(args)...);
  }

  // A file without the block has these; one with it has what stands there alone.
  [[nodiscard]] CrgModifiers modifiers() {
    CrgModifiers m;
    m.nan_mode = 2.0;
    m.point_x = m.point_y = m.point_z = m.point_phi = 0.0;
    if (f_.modifiers) m = *f_.modifiers;
    for (const auto& [key, value] :
         {std::pair{"scale_length", m.scale_length}, std::pair{"scale_width", m.scale_width}})
      if (value && !(*value > 0.0)) fault(key, "it is {}: it must be above 0", *value);
    return m;
  }

  void options(const CrgOptions& o) {
    const auto mode = [&](const char* key, const CrgValue& value) {
      const double m = value.value_or(2.0);
      if (m != std::floor(m) || m < 0.0 || m > 4.0) {
        fault(key, "{} is no border mode: 0 none, 1 zero, 2 keep, 3 repeat, 4 reflect", m);
        return CrgBorder::keep;
      }
      return static_cast<CrgBorder>(static_cast<int>(m));
    };
    road_.border_u_ = mode("border_mode_u", o.border_mode_u);
    road_.border_v_ = mode("border_mode_v", o.border_mode_v);
    road_.offset_u_ = o.border_offset_u.value_or(0.0);
    road_.offset_v_ = o.border_offset_v.value_or(0.0);
    const auto zone = [&](const char* key, const CrgValue& value) {
      if (value && !(*value >= 0.0)) fault(key, "it is {}: it must not be below 0", *value);
      return value.value_or(0.0);
    };
    road_.smooth_begin_ = zone("border_smooth_ubeg", o.smooth_begin);
    road_.smooth_end_ = zone("border_smooth_uend", o.smooth_end);
    const double goes_on = o.continuation.value_or(0.0);
    if (goes_on != 0.0 && goes_on != 1.0)
      fault("refline_continuation", "{} is neither 0, straight on, nor 1, a closed track", goes_on);
    road_.loop_ = goes_on == 1.0;
  }

  // --- grid
  // ----------------------------------------------------------------------------------------

  void grid() {
    const double z_scale = m_.scale_z.value_or(1.0), v_scale = m_.scale_width.value_or(1.0);
    for (double& z : f_.z) z *= z_scale;
    for (double& v : f_.v) v *= v_scale;
    road_.even_v_ = !f_.v_by_position;
    road_.v_step_ = (f_.v.back() - f_.v.front()) / static_cast<double>(f_.v.size() - 1);
    fill_gaps();
    road_.v_ = f_.v;
    road_.z_ = std::move(f_.z);
  }

  // What has no height gets that of its neighbour to the right, or else to the left.
  void fill_gaps() {
    const double mode = m_.nan_mode.value_or(0.0);
    if (mode != 0.0 && mode != 1.0 && mode != 2.0)
      fault("grid_nan_mode", "{} is neither 0, keep, 1, zero, nor 2, the last value", mode);
    if (mode == 0.0) return;
    const double offset = m_.nan_offset.value_or(0.0);
    const std::size_t n = f_.v.size();
    for (std::size_t row = 0; row < f_.rows; ++row) {
      double* z = &f_.z[row * n];
      bool fills = false;
      const auto fill = [&](std::size_t k, std::size_t from) {
        const bool gap = std::isnan(z[k]);
        if (gap) z[k] = mode == 1.0 ? offset : z[from] + (fills ? 0.0 : offset);
        fills = gap && !std::isnan(z[k]);
      };
      for (std::size_t k = 1; k < n; ++k) fill(k, k - 1);
      fills = false;
      for (std::size_t k = n - 1; k-- > 0;) fill(k, k + 1);
    }
  }

  // --- reference line
  // --------------------------------------------------------------------------------

  void lengths() {
    const double rows = static_cast<double>(f_.rows - 1);
    road_.u_first_ = f_.u.empty() ? h_.start_u.value_or(0.0) : f_.u.front();
    if (!f_.u.empty()) {
      road_.step_ = (f_.u.back() - f_.u.front()) / rows;
      for (std::size_t k = 1; k < f_.u.size(); ++k)
        if (!(std::fabs(f_.u[k] - f_.u[k - 1] - road_.step_) < 0.03 * road_.step_))
          return fault("reference line u", "its steps are not even at cross section {}", k + 1);
    } else if (!f_.x.empty()) {
      double length = 0.0;
      for (std::size_t k = 1; k < f_.x.size(); ++k)
        length += std::hypot(f_.x[k] - f_.x[k - 1], f_.y[k] - f_.y[k - 1]);
      road_.step_ = length / rows;
    } else if (h_.increment) {
      road_.step_ = *h_.increment;
    } else if (h_.end_u) {
      road_.step_ = (*h_.end_u - road_.u_first_) / rows;
    } else {
      road_.step_ = 0.01;
      doubt("reference_line_increment", "it is missing: 0.01 m is taken");
    }
    if (!(road_.step_ > 1e-6))
      return fault("reference_line_increment", "{} m is no distance: it must be above 1e-6 m",
                   road_.step_);
    road_.step_ *= m_.scale_length.value_or(1.0);
    road_.u_last_ = road_.u_first_ + road_.step_ * rows;
  }

  void headings() {
    const double first = h_.start_phi.value_or(0.0);
    if (!f_.x.empty()) {
      f_.phi.assign(f_.rows, 0.0);
      for (std::size_t k = 1; k < f_.rows; ++k) {
        f_.phi[k] = std::atan2(f_.y[k] - f_.y[k - 1], f_.x[k] - f_.x[k - 1]);
        const double step = std::hypot(f_.x[k] - f_.x[k - 1], f_.y[k] - f_.y[k - 1]);
        if (!(std::fabs(step - road_.step_ / m_.scale_length.value_or(1.0)) < 0.03 * road_.step_))
          return fault("reference line x", "its steps are not even at cross section {}", k + 1);
      }
      f_.phi[0] = f_.phi[1];
      h_.start_x = f_.x[0], h_.start_y = f_.y[0];
    } else if (f_.phi.empty()) {
      f_.phi = {first};
    } else {
      f_.phi[0] = first;
      const double last = f_.phi.back();
      if (h_.end_phi && std::fabs(*h_.end_phi - last) > 1e-3)
        doubt("reference_line_end_phi", "it is {}, but the table ends with {}, which is taken",
              *h_.end_phi, last);
    }
    if (m_.scale_curvature)
      for (double& phi : f_.phi) phi = f_.phi[0] + *m_.scale_curvature * (phi - f_.phi[0]);
    road_.phi_ = f_.phi;
  }

  // The end of the line counts, and both ways of integration, unless it is bent or stretched.
  void reference_line() {
    const Xy<double> begin{h_.start_x.value_or(0.0), h_.start_y.value_or(0.0)};
    auto& line = road_.line_;
    line.assign(f_.rows, begin);
    const auto phi = [&](std::size_t k) { return f_.phi.size() == 1 ? f_.phi[0] : f_.phi[k]; };
    const auto on = [&](const Xy<double>& p, std::size_t k, double way) {
      return Xy<double>{p.x + way * std::cos(phi(k)), p.y + way * std::sin(phi(k))};
    };
    for (std::size_t k = 1; k < line.size(); ++k)
      line[k] = f_.phi.size() == 1 ? on(begin, 0, static_cast<double>(k) * road_.step_)
                                   : on(line[k - 1], k, road_.step_);
    if (m_.scale_length || m_.scale_curvature) return;
    for (std::size_t k = 0; k < f_.x.size(); ++k) line[k] = {f_.x[k], f_.y[k]};
    if (!f_.x.empty() || !h_.end_x || !h_.end_y) return;
    const Xy<double> end{*h_.end_x, *h_.end_y};
    const double off = std::hypot(line.back().x - end.x, line.back().y - end.y);
    const double allowed = std::max(5e-4, 1e-6 * (road_.u_last_ - road_.u_first_));
    if (off > allowed)
      doubt("reference_line_end_x", "the line ends {:.3g} m beside the end that the header says",
            off);
    if (f_.phi.size() == 1) return;
    std::vector<Xy<double>> back(line.size(), end);
    for (std::size_t k = line.size() - 1; k > 0; --k) back[k - 1] = on(back[k], k, -road_.step_);
    const double n = static_cast<double>(line.size() - 1);
    for (std::size_t k = 1; k < line.size(); ++k) {
      const double w = static_cast<double>(k) / n;
      const Xy<double> ahead = on(line[k - 1], k, road_.step_);
      line[k] = {(1.0 - w) * ahead.x + w * back[k].x, (1.0 - w) * ahead.y + w * back[k].y};
    }
  }

  void line_height() {
    const double slope_scale = m_.scale_slope.value_or(1.0);
    road_.line_z_0_ = h_.start_z.value_or(0.0);
    road_.bank_0_ = h_.start_b.value_or(0.0) * m_.scale_banking.value_or(1.0);
    road_.bank_ = f_.banking;
    for (double& b : road_.bank_) b *= m_.scale_banking.value_or(1.0);
    road_.banked_ = !road_.bank_.empty() || road_.bank_0_ != 0.0;
    const double even = h_.start_s.value_or(0.0) * slope_scale;
    if (f_.slope.empty() && h_.start_s.value_or(0.0) == 0.0) return;
    const auto slope = [&](std::size_t k) {
      return f_.slope.empty() ? even : f_.slope[k] * slope_scale;
    };
    auto& z = road_.line_z_;
    z.assign(f_.rows, road_.line_z_0_);
    for (std::size_t k = 1; k < z.size(); ++k) z[k] = z[k - 1] + slope(k) * road_.step_;
    if (!h_.end_z || m_.scale_slope || m_.scale_length) return;
    if (std::fabs(z.back() - *h_.end_z) > 1e-6 * (road_.u_last_ - road_.u_first_))
      doubt("reference_line_end_z", "the line ends {:.3g} m above the end that the header says",
            z.back() - *h_.end_z);
    std::vector<double> back(z.size(), *h_.end_z);
    for (std::size_t k = z.size() - 1; k > 0; --k) back[k - 1] = back[k] - slope(k) * road_.step_;
    const double n = static_cast<double>(z.size() - 1);
    for (std::size_t k = 0; k + 2 < z.size(); ++k) {
      const double w = static_cast<double>(k) / n;
      z[k + 1] = (1.0 - w) * (z[k] + slope(k + 1) * road_.step_) + w * back[k + 1];
    }
    z.back() = *h_.end_z;
  }

  // --- closed tracks
  // -----------------------------------------------------------------------------------

  void directions() {
    road_.cos_first_ = std::cos(road_.phi_.front()),
    road_.sin_first_ = std::sin(road_.phi_.front());
    road_.cos_last_ = std::cos(road_.phi_.back()), road_.sin_last_ = std::sin(road_.phi_.back());
  }

  // A line can be closed if it goes straight on from its end to its begin, within 60 degrees; the
  // seam is where both straights meet, or else halfway.
  void loop() {
    directions();
    const Xy<double> a = road_.line_.front(), b = road_.line_.back();
    const Xy<double> m{road_.cos_first_, road_.sin_first_}, n{road_.cos_last_, road_.sin_last_};
    const double along = m.x * n.x + m.y * n.y;
    if (along > 0.5) {
      double l = ((a.y - b.y) * m.y + (a.x - b.x) * m.x) / along;
      double k = ((b.y - a.y) * n.y + (b.x - a.x) * n.x) / along;
      if (l > 0.0 && k < 0.0) {
        road_.closed_ = true;
        road_.loop_begin_ = road_.u_first_ + 0.5 * k * along;
        road_.loop_end_ = road_.u_last_ + 0.5 * l * along;
        const double turn = m.x * n.y - m.y * n.x;
        if (std::fabs(turn) > 1e-3) {
          l = (m.x * (a.y - b.y) + m.y * (b.x - a.x)) / turn;
          k = (n.x * (a.y - b.y) + n.y * (b.x - a.x)) / turn;
          if (l >= 0.0 && k <= 0.0) {
            road_.loop_begin_ = road_.u_first_ + k;
            road_.loop_end_ = road_.u_last_ + l;
          }
        }
      }
    }
    if (road_.loop_ && !road_.closed_)
      doubt("refline_continuation",
            "it is 1, but the line's end does not point to its begin: it goes straight on");
  }

  // --- place
  // -------------------------------------------------------------------------------------------

  void put() {
    if (place_.by == CrgPlace::By::start) {
      const double u = road_.u_first_ + place_.begin;
      if (!(u >= road_.u_first_ && u <= road_.u_last_))
        return fault("begin", "{} m is not on the road, which is {} m long", place_.begin,
                     road_.u_last_ - road_.u_first_);
      const auto ahead = static_cast<std::size_t>((u - road_.u_first_) / road_.step_) + 1;
      return move_point({u, place_.offset}, {0.0, 0.0}, 0.0,
                        road_.phi_[std::min(ahead, road_.phi_.size() - 1)]);
    }
    const bool by_point = m_.point_u_fraction || m_.point_u || m_.point_v_fraction || m_.point_v ||
                          m_.point_x || m_.point_y || m_.point_z || m_.point_phi;
    const bool by_offset = m_.offset_phi || m_.offset_x || m_.offset_y || m_.offset_z;
    if (by_point && by_offset)
      doubt("refline_offset_x",
            "the road is placed by its reference point; the offsets do not count");
    if (by_point) {
      const double length = road_.u_last_ - road_.u_first_;
      const double width = road_.v_.back() - road_.v_.front();
      if ((m_.point_u && m_.point_u_fraction) || (m_.point_v && m_.point_v_fraction))
        return fault("refpoint_u",
                     "a reference point is given absolute or as a fraction, not both");
      const double u = m_.point_u ? *m_.point_u
                                  : road_.u_first_ + m_.point_u_fraction.value_or(0.0) * length +
                                        m_.point_u_offset.value_or(0.0);
      const bool edge = place_.by == CrgPlace::By::file || m_.point_v_fraction;
      const double v = m_.point_v ? *m_.point_v
                       : edge     ? road_.v_.front() + m_.point_v_fraction.value_or(0.0) * width +
                                    m_.point_v_offset.value_or(0.0)
                              : m_.point_v_offset.value_or(0.0);
      return move_point({u, v}, {m_.point_x.value_or(0.0), m_.point_y.value_or(0.0)},
                        m_.point_z.value_or(0.0),
                        road_.heading({u, v}).phi - m_.point_phi.value_or(0.0));
    }
    if (!by_offset) return;
    const Xy<double> centre{m_.rotation_x.value_or(road_.line_.front().x),
                            m_.rotation_y.value_or(road_.line_.front().y)};
    move(centre, m_.offset_phi.value_or(0.0),
         {m_.offset_x.value_or(0.0), m_.offset_y.value_or(0.0)}, m_.offset_z.value_or(0.0));
  }

  // A point of the road to a place, and the whole turned back by an angle.
  void move_point(const Uv<double>& at, const Xy<double>& to, double z, double back) {
    directions();
    road_.make_segments();
    const Xy<double> from = road_.xy(at);
    const double height = road_.height(at).z;
    if (!std::isfinite(height))
      return fault("refpoint_z", "the road has no height at u = {}, v = {}, which is to be placed",
                   at.u, at.v);
    move(from, -back, {to.x - from.x, to.y - from.y}, z - height);
  }

  void move(const Xy<double>& centre, double turn, const Xy<double>& by, double up) {
    const double c = std::cos(turn), s = std::sin(turn);
    for (Xy<double>& p : road_.line_) {
      const double x = p.x - centre.x, y = p.y - centre.y;
      p = {centre.x + c * x - s * y + by.x, centre.y + s * x + c * y + by.y};
    }
    for (double& phi : road_.phi_) phi += turn;
    if (!road_.line_z_.empty())
      for (double& z : road_.line_z_) z += up;
    else if (h_.start_z)
      road_.line_z_0_ += up;
    else
      road_.grid_z_ += up;
  }

  bool within_extent() {
    const auto fits = [](double value) { return std::fabs(value) <= kMostExtent; };
    bool all = fits(road_.u_first_) && fits(road_.u_last_) && fits(road_.v_.front()) &&
               fits(road_.v_.back()) && fits(road_.grid_z_) && fits(road_.line_z_0_);
    for (const Xy<double>& p : road_.line_) all = all && fits(p.x) && fits(p.y);
    for (const double z : road_.line_z_) all = all && fits(z);
    for (const double b : road_.bank_) all = all && fits(b);
    if (!all) fault("", "the road reaches further than {} m, which is no road", kMostExtent);
    return all;
  }

  CrgFile f_;
  CrgHeader h_;
  CrgModifiers m_;
  CrgPlace place_;
  Diagnostics& diag_;
  CrgRoad road_;
};

std::optional<CrgRoad> CrgRoad::make(CrgFile file, const CrgPlace& place, Diagnostics& diag) {
  return CrgBuilder(std::move(file), place, diag).build();
}

}  // namespace chicane::terrain
