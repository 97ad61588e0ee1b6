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
#include "io/plot/axis.hpp"
#include "io/plot/script.hpp"

namespace chicane {

namespace {

constexpr int kWidth = 1200;
constexpr int kPanelHeight = 240;   // with the gap below it
constexpr int kSingleHeight = 400;  // of a panel that is alone
constexpr int kPanelGap = 26;
constexpr int kTopMargin = 24;
constexpr int kTitleHeight = 30;
constexpr int kBottomMargin = 58;
constexpr int kRightMargin = 28;
constexpr int kTickLength = 12;        // and the space to its label
constexpr int kSampleLength = 52;      // of the line in the legend, with the space around it
constexpr int kLegendMost = 320;       // wider names are shortened
constexpr int kLineHeight = 19;        // of text
constexpr double kLetter = 7.6;        // [px] wide, on average and a little more
constexpr double kTitleLetter = 11.0;  // [px]

constexpr std::size_t kMostPanels = 12;
constexpr std::size_t kThinTo = 4000;    // points of a series; the picture has fewer columns
constexpr double kPadding = 0.06;        // [-] of the range, above and below a signal
constexpr double kLargestDrawn = 1e300;  // beyond is a gap, as infinity is

// Of points in gnuplot: open circle, square, triangles, diamond, pentagon, and a cross.
constexpr std::array<int, kColours.size()> kShapes{6, 4, 8, 10, 12, 14, 2};

bool drawable(double v) { return std::fabs(v) <= kLargestDrawn; }  // false for NaN

bool drawable(const PlotSeries& s, std::size_t i) { return drawable(s.x[i]) && drawable(s.y[i]); }

// ---- text ----

bool starts_letter(char c) { return (static_cast<unsigned char>(c) >> 6) != 2; }  // in UTF-8

std::size_t letters(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), starts_letter));
}

int text_width(std::string_view text, double letter = kLetter) {
  return static_cast<int>(std::ceil(static_cast<double>(letters(text)) * letter));
}

// The text with its middle cut out, if need be, to fit the width: names differ at their ends.
std::string shortened(const std::string& text, int width, double letter = kLetter) {
  const std::size_t all = letters(text);
  const auto fit = static_cast<std::size_t>(std::max(3.0, width / letter));
  if (all <= fit) return text;
  const std::size_t head = (fit - 1) / 2;
  const std::size_t tail = all - (fit - 1 - head);  // the first letter of the end
  std::string s;
  std::size_t seen = 0;  // letters begun
  for (const char c : text) {
    if (starts_letter(c)) {
      if (seen == head) s += "…";
      ++seen;
    }
    if (seen <= head || seen > tail) s += c;
  }
  return s;
}

std::string one_line(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

// "[m/s²]" for "m/s^2", or nothing for no unit.
std::string bracketed(std::string_view unit) {
  if (unit.empty()) return {};
  std::string s = "[";
  for (std::size_t i = 0; i < unit.size(); ++i) {
    const std::size_t end = std::min(unit.find_first_not_of("-0123456789", i + 1), unit.size());
    if (unit[i] == '^' && end > i + 1) {
      s += raised(unit.substr(i + 1, end - i - 1));
      i = end - 1;
    } else {
      s += unit[i];
    }
  }
  return s + "]";
}

std::string with_unit(const std::string& name, const std::string& unit) {
  if (name.empty() || unit.empty()) return name + bracketed(unit);
  return name + " " + bracketed(unit);
}

// "name [unit]", on several lines when one is too long for the panel: the unit on its own, and the
// name broken behind a dot or underscore.
std::string wrapped(const std::string& name, const std::string& unit, int width) {
  if (text_width(with_unit(name, unit)) <= width) return with_unit(name, unit);
  std::string text;
  std::string line;
  std::string rest = name;
  while (!rest.empty()) {
    const std::size_t end = rest.find_first_of("._ ");
    const std::string word = rest.substr(0, end == std::string::npos ? end : end + 1);
    if (!line.empty() && text_width(line + word) > width) text += std::exchange(line, {}) + "\n";
    line += word;
    rest.erase(0, word.size());
  }
  text += shortened(line, width);
  return unit.empty() ? text : text + "\n" + bracketed(unit);
}

int lines(std::string_view text) {
  return 1 + static_cast<int>(std::count(text.begin(), text.end(), '\n'));
}

// ---- panels ----

struct Panel {
  std::string unit;
  std::vector<const PlotSeries*> series;
  std::string label;
  Axis y;
  bool empty = false;       // nothing to draw
  int top = 0, bottom = 0;  // [px] from the upper edge of the picture
};

struct Layout {
  std::string title;
  std::vector<Panel> panels;
  Axis x;
  std::string x_label;
  int left = 0, right = 0, height = 0;  // [px]
  int ticks = 0;                        // [px] width of the labels of y
  int legend = 0;                       // [px] width of the names, 0: no legend
  bool log_x = false, log_y = false, markers = false, points = false;

  [[nodiscard]] bool draws(const PlotSeries& s, std::size_t i) const {
    return drawable(s, i) && (!log_x || s.x[i] > 0) && (!log_y || s.y[i] > 0);
  }
};

Axis axis_for(const Range& range, bool log, double padding, int most_ticks) {
  return log ? make_log_axis(with_room_log(range, padding), most_ticks)
             : make_axis(with_room(range, padding), most_ticks);
}

// Panels by unit, in order of appearance. A full panel is followed by one more of its unit.
std::vector<Panel> make_panels(const std::vector<PlotSeries>& series) {
  std::vector<Panel> panels;
  for (const PlotSeries& s : series) {
    const auto last = std::find_if(panels.rbegin(), panels.rend(),
                                   [&](const Panel& p) { return p.unit == s.unit; });
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

Layout make_layout(const PlotRequest& request) {
  Layout layout{.panels = make_panels(request.series),
                .log_x = request.log_x,
                .log_y = request.log_y,
                .markers = request.markers,
                .points = request.points};
  std::vector<Panel>& panels = layout.panels;

  std::size_t left_out = 0;
  for (std::size_t i = kMostPanels; i < panels.size(); ++i) left_out += panels[i].series.size();
  if (left_out > 0) panels.resize(kMostPanels);

  // down the picture
  const int height = panels.size() == 1 ? kSingleHeight : kPanelHeight;
  int y = kTopMargin + (request.title.empty() && left_out == 0 ? 0 : kTitleHeight);
  for (Panel& panel : panels) {
    panel.top = y;
    panel.bottom = y + height - kPanelGap;
    y += height;
  }
  layout.height = panels.back().bottom + kBottomMargin;

  // across the picture
  Range x;
  int labels = 0;
  for (Panel& panel : panels) {
    Range range;
    for (const PlotSeries* s : panel.series) {
      for (std::size_t i = 0; i < s->x.size(); ++i) {
        if (!layout.draws(*s, i)) continue;
        x.add(s->x[i]);
        range.add(s->y[i]);
      }
    }
    panel.empty = !(range.low <= range.high);
    panel.y = axis_for(range, request.log_y, kPadding, height == kSingleHeight ? 10 : 6);
    for (const Tick& tick : panel.y.ticks)
      layout.ticks = std::max(layout.ticks, text_width(tick.label));

    if (panel.series.size() > 1) {
      panel.label = with_unit(one_line(request.y_label), panel.unit);
      for (const PlotSeries* s : panel.series) {
        layout.legend = std::max(layout.legend, std::min(kLegendMost, text_width(s->name)));
      }
    } else {
      panel.label = wrapped(one_line(panel.series.front()->name), panel.unit, height - kPanelGap);
    }
    labels = std::max(labels, lines(panel.label));
  }
  layout.left = kTickLength + layout.ticks + (labels + 1) * kLineHeight;
  layout.right = kWidth - kRightMargin - (layout.legend > 0 ? layout.legend + kSampleLength : 0);
  layout.x = axis_for(x, request.log_x, request.points ? kPadding : 0.0, 11);
  layout.x_label = one_line(with_unit(request.x_label, request.x_unit));

  const std::string more = left_out > 0 ? fmt::format(" (and {} more)", left_out) : "";
  layout.title = shortened(one_line(request.title), kWidth - layout.left - text_width(more) - 60,
                           kTitleLetter) +
                 more;
  return layout;
}

// ---- the script ----

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
    line("set lmargin at screen {:.6f}", across(layout_.left));
    line("set rmargin at screen {:.6f}", across(layout_.right));
    if (layout_.log_x) line("set logscale x");
    if (layout_.log_y) line("set logscale y\nunset xzeroaxis");
    line("set xrange [{:.17g}:{:.17g}]", layout_.x.range.low, layout_.x.range.high);
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
  [[nodiscard]] double across(int x) const { return static_cast<double>(x) / kWidth; }
  [[nodiscard]] double up(int y) const { return 1.0 - static_cast<double>(y) / layout_.height; }

  void label(std::string_view text, int x, int y, std::string_view how) {
    if (text.empty()) return;
    line("set label {} at screen {:.6f}, screen {:.6f} {} noenhanced", literal(text), across(x),
         up(y), how);
  }

  void add_panel(const Panel& panel) {
    const bool first = &panel == &layout_.panels.front();
    const bool last = &panel == &layout_.panels.back();
    line("unset label");
    if (first) {
      label(layout_.title, layout_.left, kTopMargin + 2, "left font ',14' textcolor rgb '#202020'");
    }
    const int y_label =
        layout_.left - kTickLength - layout_.ticks - lines(panel.label) * kLineHeight;
    label(panel.label, y_label, (panel.top + panel.bottom) / 2,
          "center rotate by 90 textcolor rgb '#202020'");
    label(multiplier(panel.y.exponent), layout_.left, panel.top - 10,
          "left font ',9' textcolor rgb '#404040'");
    if (panel.empty) {
      label("no finite values", (layout_.left + layout_.right) / 2, (panel.top + panel.bottom) / 2,
            "center textcolor rgb '#808080'");
    }
    if (last) {
      const int below = layout_.height - kLineHeight + 2;
      label(layout_.x_label, (layout_.left + layout_.right) / 2, below,
            "center textcolor rgb '#202020'");
      label(multiplier(layout_.x.exponent), layout_.right, below,
            "right font ',9' textcolor rgb '#404040'");
    }

    line("set tmargin at screen {:.6f}", up(panel.top));
    line("set bmargin at screen {:.6f}", up(panel.bottom));
    line("set yrange [{:.17g}:{:.17g}]", panel.y.range.low, panel.y.range.high);
    line("set xtics {}", tick_list(layout_.x, last));
    line("set ytics {}", tick_list(panel.y, true));
    if (panel.series.size() > 1) {
      line(
          "set key at screen {:.6f}, screen {:.6f} left top Left reverse samplen 1.6 spacing 1.15 "
          "noenhanced textcolor rgb '#202020'",
          across(layout_.right + 8), up(panel.top - 6));
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
  require(!request.series.empty(), "a plot needs at least one signal");
  for (const PlotSeries& s : request.series) {
    require(s.x.size() == s.y.size(), "the plot of '{}' has {} x values but {} y values", s.name,
            s.x.size(), s.y.size());
  }
}

}  // namespace

PlotSeries thinned(const PlotSeries& s, std::size_t points) {
  constexpr double kGap = std::numeric_limits<double>::quiet_NaN();
  const std::size_t buckets = std::max<std::size_t>(1, points / 2);
  if (s.x.size() <= 2 * buckets) return s;

  PlotSeries thin{.name = s.name, .unit = s.unit};
  const auto keep = [&](std::size_t i) {
    thin.x.push_back(s.x[i]);
    thin.y.push_back(s.y[i]);
  };
  const auto keep_gap = [&](std::size_t begin, std::size_t end) {
    while (begin < end && drawable(s, begin)) ++begin;
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
      if (!drawable(s, i)) continue;
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
  draw_picture(Script(layout).write(), kWidth, layout.height, stem);
}

}  // namespace chicane
