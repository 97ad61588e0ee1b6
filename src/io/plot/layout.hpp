// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "io/plot/axis.hpp"
#include "io/plot/plot.hpp"

namespace chicane {

// Where what stands in a picture of panels. Lengths are pixels from its upper left corner.

inline constexpr int kPictureWidth = 1200;
inline constexpr int kTickLength = 12;   // and the space to its label
inline constexpr int kLineHeight = 19;   // of text
inline constexpr int kLegendMost = 320;  // wider names are shortened

struct Panel {
  std::string unit;
  std::vector<const PlotSeries*> series;
  Axis x = {}, y = {};
  std::string label = {}, x_label = {};  // of y and x
  bool plane = false;                    // its x axis is its own
  bool comparable = false;               // x and y are lengths, say
  bool one_scale = false;                // for both
  bool shows_x = false;                  // the labels of its x axis
  bool empty = false;                    // nothing to draw
  int left = 0, right = 0, top = 0, bottom = 0;
  int ticks = 0;   // width of the labels of y
  int legend = 0;  // width of the names beside the panel, 0: no legend there
};

struct Layout {
  std::string title;
  int title_left = 0;
  std::vector<Panel> panels;  // planes first
  int height = 0;
  bool log_x = false, log_y = false, markers = false, points = false;
  bool legends_above = false;  // and not beside the panels

  // Whether a point can be seen: it is finite, and above zero where the axis asks for it.
  [[nodiscard]] bool draws(const PlotSeries& series, std::size_t i) const;
};

Layout make_layout(const PlotRequest& request);

inline constexpr int kTitleTop = 26;

}  // namespace chicane
