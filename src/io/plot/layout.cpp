// SPDX-License-Identifier: Apache-2.0
#include "io/plot/layout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "io/plot/script.hpp"
#include "io/plot/text.hpp"

namespace chicane {
namespace {

constexpr int kPanelHeight = 240;   // with the gap below it
constexpr int kSingleHeight = 400;  // of a panel that is alone, and of a plane of one scale
constexpr int kPanelGap = 26;
constexpr int kTopMargin = 24;
constexpr int kTitleHeight = 30;
constexpr int kBottomMargin = 58;
constexpr int kRightMargin = 28;
constexpr int kSampleLength = 52;      // of the line in the legend, with the space around it
constexpr double kTitleLetter = 11.0;  // [px]

constexpr std::size_t kMostPanels = 12;
constexpr double kPadding = 0.06;        // [-] of the range, above and below a signal
constexpr double kLargestDrawn = 1e300;  // beyond is a gap, as infinity is
constexpr double kStraight = 1e-3;       // a path that strays by less of its length
constexpr double kLongest = 12.0;        // a path so many times as long as wide has two scales

bool drawable(double v) { return std::fabs(v) <= kLargestDrawn; }  // false for NaN

Axis axis_for(const Range& range, bool log, double padding, int most_ticks) {
  return log ? make_log_axis(with_room_log(range, padding), most_ticks)
             : make_axis(with_room(range, padding), most_ticks);
}

const std::string& name_of_panel(const PlotSeries& s) { return s.panel.empty() ? s.unit : s.panel; }

// Panels by unit or by name, in order of appearance. A full panel is followed by one more.
std::vector<Panel> make_panels(const std::vector<PlotSeries>& series) {
  std::vector<Panel> panels;
  for (const PlotSeries& s : series) {
    const auto last = std::find_if(panels.rbegin(), panels.rend(), [&](const Panel& p) {
      return p.unit == s.unit && name_of_panel(*p.series.front()) == name_of_panel(s);
    });
    if (last == panels.rend()) {
      panels.push_back({.unit = s.unit, .series = {&s}});
    } else if (last->series.size() == kColours.size()) {
      panels.insert(last.base(), {.unit = s.unit, .series = {&s}});
    } else {
      last->series.push_back(&s);
    }
  }
  return panels;
}

struct Extent {
  Range x, y;
};

Extent extent_of(const Panel& panel, const Layout& layout) {
  Extent e;
  for (const PlotSeries* s : panel.series)
    for (std::size_t i = 0; i < s->x.size(); ++i) {
      if (!layout.draws(*s, i)) continue;
      e.x.add(s->x[i]);
      e.y.add(s->y[i]);
    }
  return e;
}

double size_of(const Range& r) { return r.high - r.low; }

void widen(Range& r, double size) {
  const double middle = 0.5 * (r.low + r.high);
  r = {middle - 0.5 * size, middle + 0.5 * size};
}

// Whether a line with one scale for both axes would be a thread.
bool is_thread(const Extent& e) {
  const double x = size_of(e.x), y = size_of(e.y);
  return !(std::max(x, y) < kLongest * std::min(x, y));
}

// The same number of pixels for a unit of either axis.
void use_one_scale(Range& x, Range& y, double width, double height) {
  const double unit = std::max(size_of(x) / width, size_of(y) / height);
  widen(x, unit * width);
  widen(y, unit * height);
}

class LayoutMaker {
 public:
  explicit LayoutMaker(const PlotRequest& request) : request_(request) {
    layout_ = {.log_x = request.log_x,
               .log_y = request.log_y,
               .markers = request.markers,
               .points = request.points};
  }

  Layout make() {
    for (const PlotPlane& p : request_.planes)
      layout_.panels.push_back({.unit = p.line.unit,
                                .series = {&p.line},
                                .x_label = with_unit(one_line(p.x_label), p.x_unit),
                                .plane = true,
                                .comparable = p.one_scale,
                                .shows_x = true});
    planes_ = layout_.panels.size();
    for (Panel& p : make_panels(request_.series)) layout_.panels.push_back(std::move(p));
    const std::size_t left_out = leave_out();
    single_ = layout_.panels.size() == 1;
    columns_ = std::max(1, std::min(request_.columns, count(layout_.panels.size() - planes_)));
    layout_.legends_above = columns_ > 1;
    place_down(left_out > 0);
    label();
    place_across();
    scale();
    layout_.title_left = layout_.panels.front().left;
    const std::string more = left_out > 0 ? fmt::format(" (and {} more)", left_out) : "";
    layout_.title =
        shortened(one_line(request_.title),
                  kPictureWidth - layout_.title_left - text_width(more) - 60, kTitleLetter) +
        more;
    return std::move(layout_);
  }

 private:
  static int count(std::size_t n) { return static_cast<int>(n); }

  std::size_t leave_out() {
    std::size_t left_out = 0;
    for (std::size_t i = kMostPanels; i < layout_.panels.size(); ++i)
      left_out += layout_.panels[i].series.size();
    if (left_out > 0)
      layout_.panels.erase(layout_.panels.begin() + kMostPanels, layout_.panels.end());
    return left_out;
  }

  // Row by row: panels side by side read from left to right.
  [[nodiscard]] int column_of(std::size_t panel) const {
    return static_cast<int>(panel - planes_) % columns_;
  }

  void place_down(bool left_out) {
    int y = kTopMargin + (request_.title.empty() && !left_out ? 0 : kTitleHeight);
    for (std::size_t i = 0; i < layout_.panels.size(); ++i) {
      Panel& panel = layout_.panels[i];
      panel.one_scale = panel.comparable && !is_thread(extent_of(panel, layout_));
      const int height = single_ || panel.one_scale ? kSingleHeight : kPanelHeight;
      panel.top = y;
      panel.bottom = y + height - kPanelGap;
      layout_.height = panel.bottom + kBottomMargin;
      if (panel.plane)
        y = panel.bottom + kBottomMargin + kPanelGap / 2;
      else if (column_of(i) + 1 == columns_)
        y += height;
      if (!panel.plane && i + static_cast<std::size_t>(columns_) >= layout_.panels.size()) {
        panel.shows_x = true;
        panel.x_label = one_line(with_unit(request_.x_label, request_.x_unit));
      }
    }
    for (const Panel& panel : layout_.panels)  // a last row that is not full
      layout_.height = std::max(layout_.height, panel.bottom + kBottomMargin);
  }

  void label() {
    for (Panel& panel : layout_.panels) {
      const PlotSeries& first = *panel.series.front();
      const int height = panel.bottom - panel.top;
      if (!first.panel.empty())
        panel.label = wrapped(one_line(first.panel), panel.unit, height);
      else if (panel.series.size() > 1)
        panel.label = with_unit(one_line(request_.y_label), panel.unit);
      else
        panel.label = wrapped(one_line(first.name), panel.unit, height);
      if (panel.series.size() == 1 || layout_.legends_above) continue;
      for (const PlotSeries* s : panel.series)
        panel.legend = std::max(panel.legend, std::min(kLegendMost, text_width(s->name)));
    }
  }

  // What the panels of a column have in common; planes are as wide as all columns.
  void place_across() {
    struct Room {
      int labels = 0, ticks = 0, legend = 0;
    };
    std::vector<Room> rooms(static_cast<std::size_t>(columns_));
    for (std::size_t i = 0; i < layout_.panels.size(); ++i) {
      Panel& panel = layout_.panels[i];
      scale_y(panel);
      Room& room = rooms[panel.plane ? 0 : static_cast<std::size_t>(column_of(i))];
      room.labels = std::max(room.labels, count_lines(panel.label));
      for (const Tick& tick : panel.y.ticks)
        room.ticks = std::max(room.ticks, text_width(tick.label));
      room.legend = std::max(room.legend, panel.legend);
    }
    const int width = kPictureWidth / columns_;
    const auto left = [&](int column) {
      const Room& room = rooms[static_cast<std::size_t>(column)];
      return column * width + kTickLength + room.ticks + (room.labels + 1) * kLineHeight;
    };
    const auto right = [&](int column) {
      const int legend = rooms[static_cast<std::size_t>(column)].legend;
      return (column + 1) * width - kRightMargin - (legend > 0 ? legend + kSampleLength : 0);
    };
    for (std::size_t i = 0; i < layout_.panels.size(); ++i) {
      Panel& panel = layout_.panels[i];
      const int column = panel.plane ? 0 : column_of(i);
      panel.left = left(column);
      panel.right = right(panel.plane ? columns_ - 1 : column);
      panel.ticks = rooms[static_cast<std::size_t>(column)].ticks;
    }
  }

  void scale_y(Panel& panel) const {
    const Range y = extent_of(panel, layout_).y;
    panel.empty = !(y.low <= y.high);
    panel.y = axis_for(y, request_.log_y, kPadding, single_ ? 10 : 6);
  }

  void scale() {
    Range shared;
    for (Panel& panel : layout_.panels) {
      if (panel.plane) continue;
      const Range x = extent_of(panel, layout_).x;
      if (x.low <= x.high) shared.add(x.low), shared.add(x.high);
    }
    const double padding = request_.points ? kPadding : 0.0;
    for (Panel& panel : layout_.panels) {
      const int most = panel.right - panel.left > kPictureWidth / 2 ? 11 : 7;
      if (panel.plane)
        scale_plane(panel);
      else
        panel.x = axis_for(shared, request_.log_x, padding, most);
    }
  }

  void scale_plane(Panel& panel) const {
    const Extent e = extent_of(panel, layout_);
    Range x = with_room(e.x, 0.02), y = with_room(e.y, kPadding);
    // A straight line is not drawn as what its rounding errors are.
    if (panel.comparable && size_of(e.y) < kStraight * size_of(e.x))
      widen(y, kStraight * size_of(x));
    if (panel.one_scale) use_one_scale(x, y, panel.right - panel.left, panel.bottom - panel.top);
    panel.x = make_axis(x, 11);
    panel.y = make_axis(y, 6);
  }

  const PlotRequest& request_;
  Layout layout_;
  std::size_t planes_ = 0;
  int columns_ = 1;
  bool single_ = false;
};

}  // namespace

bool Layout::draws(const PlotSeries& s, std::size_t i) const {
  return drawable(s.x[i]) && drawable(s.y[i]) && (!log_x || s.x[i] > 0) && (!log_y || s.y[i] > 0);
}

Layout make_layout(const PlotRequest& request) { return LayoutMaker(request).make(); }

}  // namespace chicane
