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
};

struct PlotRequest {
  std::string title;
  std::string x_label;
  std::string x_unit;
  std::vector<PlotSeries> series;
  std::string y_label = {};           // of panels with several signals
  bool log_x = false, log_y = false;  // then what is not above zero is a gap
  bool markers = false;               // a dot at every point
  bool points = false;                // points alone, every one of them, in a shape per series
};

// Writes <stem>.png and <stem>.svg, drawn by gnuplot: panels above each other with one x axis, one
// panel for each unit. A unit with many signals gets several panels; signals beyond the twelfth
// panel are left out, and the title says how many. Throws std::runtime_error when gnuplot is
// missing or fails.
void write_plot(const PlotRequest& request, const std::filesystem::path& stem);

// The series with about `points` points: of each stretch its lowest and highest, so that peaks
// survive, and a NaN for its gaps.
PlotSeries thinned(const PlotSeries& series, std::size_t points);

}  // namespace chicane
