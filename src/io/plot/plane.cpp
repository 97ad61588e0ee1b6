// SPDX-License-Identifier: Apache-2.0
#include "io/plot/plane.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "core/diagnostics.hpp"
#include "io/plot/script.hpp"
#include "io/plot/text.hpp"

namespace chicane {
namespace {

constexpr double kMostWidth = 620, kMostHeight = 560;  // [px] of a panel's axes
constexpr int kLeftMargin = 84, kTopMargin = 70, kBottomMargin = 62, kRightMargin = 24;
constexpr int kSampleLength = 60;  // in the legend

struct Place {
  int left = 0, width = 0, height = 0;
};

int legend_width(const PlanePanel& panel) {
  std::size_t longest = 0;
  for (const PlaneShape& s : panel.shapes) longest = std::max(longest, s.name.size());
  return longest == 0 ? 0
                      : kSampleLength + static_cast<int>(kLetter * static_cast<double>(longest));
}

std::string how(const PlaneShape& s, bool fill) {
  if (fill)
    return fmt::format(
        "with filledcurves closed fillstyle transparent solid {} noborder "
        "fillcolor rgb '{}'",
        s.opacity, s.fill);
  return fmt::format("with lines linewidth {} linecolor rgb '{}'{}", s.width, s.line,
                     s.dashed ? " dashtype 2" : "");
}

class PlaneScript {
 public:
  explicit PlaneScript(const PlanePicture& picture) : picture_(picture) {
    int right = 0;
    for (const PlanePanel& p : picture.panels) {
      const double dx = p.x.high - p.x.low, dy = p.y.high - p.y.low;
      const double scale = std::min(kMostWidth / dx, kMostHeight / dy);
      places_.push_back(
          {right + kLeftMargin, static_cast<int>(scale * dx), static_cast<int>(scale * dy)});
      right = places_.back().left + places_.back().width + kRightMargin;
      height_ = std::max(height_, places_.back().height + kTopMargin + kBottomMargin);
    }
    width_ = right + legend_width(picture.panels.back());
  }

  std::string write() {
    text_ = kPictureStyle;
    line("set yzeroaxis linetype 1 linecolor rgb '#B4B9C0' linewidth 1");
    for (std::size_t i = 0; i < places_.size(); ++i) add_panel(picture_.panels[i], places_[i], i);
    line("unset multiplot");
    return text_;
  }
  [[nodiscard]] int width() const { return width_; }
  [[nodiscard]] int height() const { return height_; }

 private:
  template <class... Args>
  void line(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Args>(args)...);
    text_ += '\n';
  }
  [[nodiscard]] double across(int x) const { return static_cast<double>(x) / width_; }
  [[nodiscard]] double up(int y) const { return 1.0 - static_cast<double>(y) / height_; }
  void label(const std::string& text, int x, int y, const char* style) {
    line("set label {} at screen {:.6f}, screen {:.6f} {} noenhanced", literal(text), across(x),
         up(y), style);
  }

  void add_panel(const PlanePanel& panel, const Place& place, std::size_t index) {
    const int middle = place.left + place.width / 2;
    line("unset label\nunset key");
    if (index == 0)
      label(picture_.title, place.left, 22, "left font ',14' textcolor rgb '#202020'");
    label(panel.title, middle, kTopMargin - 18, "center textcolor rgb '#202020'");
    label(panel.x_label, middle, kTopMargin + place.height + 44, "center textcolor rgb '#202020'");
    label(panel.y_label, place.left - 58, kTopMargin + place.height / 2,
          "center rotate by 90 textcolor rgb '#202020'");
    line("set lmargin at screen {:.6f}", across(place.left));
    line("set rmargin at screen {:.6f}", across(place.left + place.width));
    line("set tmargin at screen {:.6f}", up(kTopMargin));
    line("set bmargin at screen {:.6f}", up(kTopMargin + place.height));
    line("set xrange [{:.17g}:{:.17g}]", panel.x.low, panel.x.high);
    line("set yrange [{:.17g}:{:.17g}]", panel.y.low, panel.y.high);
    line("set xtics {}", tick_list(make_axis(panel.x, place.width / 55), true));
    line("set ytics {}", tick_list(make_axis(panel.y, place.height / 50), true));
    if (index + 1 == places_.size())
      line(
          "set key at screen {:.6f}, screen {:.6f} left top Left reverse samplen 1.6 spacing 1.2 "
          "noenhanced textcolor rgb '#202020'",
          across(place.left + place.width + 12), up(kTopMargin - 4));
    add_shapes(panel, index);
  }

  void add_shapes(const PlanePanel& panel, std::size_t index) {
    std::string plots;
    for (std::size_t i = 0; i < panel.shapes.size(); ++i) {
      const PlaneShape& s = panel.shapes[i];
      const std::string block = fmt::format("$shape{}x{}", index, i);
      if (!add_data(block, s)) continue;
      for (const bool fill : {true, false}) {
        if ((fill ? s.fill : s.line).empty()) continue;
        const bool named = !s.name.empty() && (!fill || s.line.empty());
        plots += fmt::format("{} using 1:2 {} {}, ", block, how(s, fill),
                             named ? "title " + literal(s.name) : "notitle");
      }
    }
    line("plot {} NaN notitle", plots);
  }

  // False where there is nothing to draw; gnuplot has no empty blocks.
  bool add_data(const std::string& block, const PlaneShape& shape) {
    std::string points;
    for (const auto& curve : shape.curves) {
      for (const auto& z : curve) points += fmt::format("{:.6g} {:.6g}\n", z.real(), z.imag());
      points += "\n";  // a blank line ends a curve
    }
    if (!shape.curves.empty()) line("{} << END\n{}END", block, points);
    return !shape.curves.empty();
  }

  const PlanePicture& picture_;
  std::vector<Place> places_;
  int width_ = 0, height_ = 0;
  std::string text_;
};

}  // namespace

void write_plane(const PlanePicture& picture, const std::filesystem::path& stem) {
  require(!picture.panels.empty(), "a picture needs at least one panel");
  PlaneScript script(picture);
  draw_picture(script.write(), script.width(), script.height(), stem);
}

}  // namespace chicane
