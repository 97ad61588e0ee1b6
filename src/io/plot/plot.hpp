// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace chicane {

// A line of a plot. It has a gap where x or y is not finite.
struct PlotSeries {
  std::string name;
  std::string unit;
  std::vector<double> x;
  std::vector<double> y;
  std::string panel = {};  // what the panel shows; nothing: signals of this unit
};

// A line in a plane of its own, with an x axis of its own: a path, an orbit.
struct PlotPlane {
  std::string x_label, x_unit;
  PlotSeries line;
  bool one_scale = false;  // for both axes, unless one extent is many times the other
};

struct PlotRequest {
  std::string title;
  std::string x_label;
  std::string x_unit;
  std::vector<PlotSeries> series;
  std::string y_label = {};            // of panels with several signals
  bool log_x = false, log_y = false;   // then what is not above zero is a gap
  bool markers = false;                // a dot at every point
  bool points = false;                 // points alone, every one of them, in a shape per series
  std::vector<PlotPlane> planes = {};  // above the panels
  int columns = 1;                     // of panels side by side
};

// Writes <stem>.png and <stem>.svg, drawn by gnuplot: planes, then panels above each other, and in
// columns, with one x axis; one panel for each unit or name of a panel. One with many signals gets
// several; signals beyond the twelfth panel are left out, and the title says how many. Throws
// std::runtime_error when gnuplot is missing or fails.
void write_plot(const PlotRequest& request, const std::filesystem::path& stem);

// The series with about `points` points: of each stretch its lowest and highest, so that peaks
// survive, and a NaN for its gaps.
PlotSeries thinned(const PlotSeries& series, std::size_t points);

}  // namespace chicane
