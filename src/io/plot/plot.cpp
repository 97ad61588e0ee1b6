// SPDX-License-Identifier: Apache-2.0
#include "io/plot/plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>
#include <string_view>
#include <utility>

#include "core/diagnostics.hpp"
#include "io/plot/layout.hpp"
#include "io/plot/script.hpp"
#include "io/plot/text.hpp"

namespace chicane {

namespace {

constexpr std::size_t kThinTo = 4000;  // points of a series; the picture has fewer columns

// Of points in gnuplot: open circle, square, triangles, diamond, pentagon, and a cross.
constexpr std::array<int, kColours.size()> kShapes{6, 4, 8, 10, 12, 14, 2};

// A series as gnuplot reads it. A point that gaps leave alone is no line and becomes a dot; with
// markers, every point does.
struct Curve {
  std::string lines;
  std::string dots;
};

Curve split(const PlotSeries& s, const Layout& layout) {
  Curve curve;
  for (std::size_t i = 0; i < s.x.size(); ++i) {
    if (!layout.draws(s, i)) continue;
    const bool starts = i == 0 || !layout.draws(s, i - 1);
    const bool ends = i + 1 == s.x.size() || !layout.draws(s, i + 1);
    const bool alone = layout.points || (starts && ends);
    const std::string point = fmt::format("{:.12g} {:.12g}\n", s.x[i], s.y[i]);
    if (alone || layout.markers) curve.dots += point;
    if (!alone) curve.lines += point + (ends ? "\n" : "");  // a blank line breaks the line
  }
  return curve;
}

class Script {
 public:
  explicit Script(const Layout& layout) : layout_(layout) {}

  std::string write() {
    text_ = kPictureStyle;
    if (layout_.log_x) line("set logscale x");
    if (layout_.log_y) line("set logscale y\nunset xzeroaxis");
    for (const Panel& panel : layout_.panels) add_panel(panel);
    line("unset multiplot");
    return text_;
  }

 private:
  template <class... Args>
  void line(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Args>(args)...);
    text_ += '\n';
  }
  [[nodiscard]] double across(int x) const { return static_cast<double>(x) / kPictureWidth; }
  [[nodiscard]] double up(int y) const { return 1.0 - static_cast<double>(y) / layout_.height; }

  void label(std::string_view text, int x, int y, std::string_view how) {
    if (text.empty()) return;
    line("set label {} at screen {:.6f}, screen {:.6f} {} noenhanced", literal(text), across(x),
         up(y), how);
  }

  // The names beside a panel, and what is to be said of it.
  void add_labels(const Panel& panel) {
    const int middle = (panel.top + panel.bottom) / 2, centre = (panel.left + panel.right) / 2;
    line("unset label");
    if (&panel == &layout_.panels.front())
      label(layout_.title, layout_.title_left, kTitleTop,
            "left font ',14' textcolor rgb '#202020'");
    label(panel.label,
          panel.left - kTickLength - panel.ticks - count_lines(panel.label) * kLineHeight, middle,
          "center rotate by 90 textcolor rgb '#202020'");
    label(multiplier(panel.y.exponent), panel.left, panel.top - 10,
          "left font ',9' textcolor rgb '#404040'");
    if (panel.empty) label("no finite values", centre, middle, "center textcolor rgb '#808080'");
    if (!panel.shows_x) return;
    const int below = panel.bottom + 2 * kLineHeight + 3;
    label(panel.x_label, centre, below, "center textcolor rgb '#202020'");
    label(multiplier(panel.x.exponent), panel.right, below,
          "right font ',9' textcolor rgb '#404040'");
  }

  void add_panel(const Panel& panel) {
    add_labels(panel);
    line("set lmargin at screen {:.6f}", across(panel.left));
    line("set rmargin at screen {:.6f}", across(panel.right));
    line("set tmargin at screen {:.6f}", up(panel.top));
    line("set bmargin at screen {:.6f}", up(panel.bottom));
    line("set xrange [{:.17g}:{:.17g}]", panel.x.range.low, panel.x.range.high);
    line("set yrange [{:.17g}:{:.17g}]", panel.y.range.low, panel.y.range.high);
    line("set xtics {}", tick_list(panel.x, panel.shows_x));
    line("set ytics {}", tick_list(panel.y, true));
    if (panel.series.size() > 1 && layout_.legends_above) {
      line(
          "set key at screen {:.6f}, screen {:.6f} right bottom horizontal Left reverse samplen "
          "1.6 "
          "maxrows 1 noenhanced textcolor rgb '#202020'",
          across(panel.right), up(panel.top - 2));
    } else if (panel.series.size() > 1) {
      line(
          "set key at screen {:.6f}, screen {:.6f} left top Left reverse samplen 1.6 spacing 1.15 "
          "noenhanced textcolor rgb '#202020'",
          across(panel.right + 8), up(panel.top - 6));
    } else {
      line("unset key");
    }
    add_curves(panel);
  }

  void add_curves(const Panel& panel) {
    const std::string unnamed = "notitle";
    std::string curves;
    for (std::size_t i = 0; i < panel.series.size(); ++i) {
      const PlotSeries& series = *panel.series[i];
      const Curve curve = split(layout_.points ? series : thinned(series, kThinTo), layout_);
      const std::string name =
          "title " + literal(shortened(one_line(panel.series[i]->name), kLegendMost));
      const std::string lines_how =
          fmt::format("with lines linewidth 1.8 linecolor rgb '{}'", kColours[i]);
      const std::string dots_how =
          fmt::format("with points pointtype {} pointsize {} linecolor rgb '{}'",
                      layout_.points ? kShapes[i] : 7, layout_.points ? 1.1 : 0.7, kColours[i]);
      const bool dots_only = curve.lines.empty() && !curve.dots.empty();  // then they get the name
      curves += fmt::format("{} {} {}, ", add_data("line", i, curve.lines), lines_how,
                            dots_only ? unnamed : name);
      curves += fmt::format("{} {} {}, ", add_data("dots", i, curve.dots), dots_how,
                            dots_only ? name : unnamed);
    }
    line("plot {} NaN notitle", curves);
  }

  // A named block of data and how to plot it; gnuplot has no empty blocks.
  std::string add_data(std::string_view kind, std::size_t i, const std::string& data) {
    if (data.empty()) return "NaN";
    line("${}{} << END\n{}END", kind, i, data);
    return fmt::format("${}{} using 1:2", kind, i);
  }

  const Layout& layout_;
  std::string text_;
};

void require_drawable(const PlotRequest& request) {
  require(!request.series.empty() || !request.planes.empty(), "a plot needs at least one signal");
  const auto check = [](const PlotSeries& s) {
    require(s.x.size() == s.y.size(), "the plot of '{}' has {} x values but {} y values", s.name,
            s.x.size(), s.y.size());
  };
  for (const PlotSeries& s : request.series) check(s);
  for (const PlotPlane& p : request.planes) check(p.line);
}

}  // namespace

PlotSeries thinned(const PlotSeries& s, std::size_t points) {
  const Layout plain;  // what any picture can show
  constexpr double kGap = std::numeric_limits<double>::quiet_NaN();
  const std::size_t buckets = std::max<std::size_t>(1, points / 2);
  if (s.x.size() <= 2 * buckets) return s;

  PlotSeries thin{.name = s.name, .unit = s.unit, .x = {}, .y = {}};
  const auto keep = [&](std::size_t i) {
    thin.x.push_back(s.x[i]);
    thin.y.push_back(s.y[i]);
  };
  const auto keep_gap = [&](std::size_t begin, std::size_t end) {
    while (begin < end && plain.draws(s, begin)) ++begin;
    if (begin >= end || (!thin.y.empty() && std::isnan(thin.y.back()))) return;
    thin.x.push_back(s.x[begin]);
    thin.y.push_back(kGap);
  };

  for (std::size_t bucket = 0; bucket < buckets; ++bucket) {
    const std::size_t begin = bucket * s.x.size() / buckets;
    const std::size_t end = (bucket + 1) * s.x.size() / buckets;
    std::size_t low = end;
    std::size_t high = end;
    for (std::size_t i = begin; i < end; ++i) {
      if (!plain.draws(s, i)) continue;
      if (low == end || s.y[i] < s.y[low]) low = i;
      if (high == end || s.y[i] > s.y[high]) high = i;
    }
    const auto [first, second] = std::minmax(low, high);
    keep_gap(begin, first);
    if (first == end) continue;
    keep(first);
    keep_gap(first + 1, second);
    if (second > first) keep(second);
    keep_gap(second + 1, end);
  }
  return thin;
}

void write_plot(const PlotRequest& request, const std::filesystem::path& stem) {
  require_drawable(request);
  const Layout layout = make_layout(request);
  draw_picture(Script(layout).write(), kPictureWidth, layout.height, stem);
}

}  // namespace chicane
