// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <complex>
#include <filesystem>
#include <string>
#include <vector>

#include "io/plot/axis.hpp"

namespace chicane {

// Curves in the complex plane, drawn together.
struct PlaneShape {
  std::string name;  // in the legend; empty: not there
  std::vector<std::vector<std::complex<double>>> curves;
  std::string fill = {};  // colour "#RRGGBB" of what the curves enclose; empty: none
  double opacity = 1;     // of the fill
  std::string line = {};  // colour of the curves; empty: none
  double width = 1.8;     // [px] of the line
  bool dashed = false;
};

struct PlanePanel {
  std::string title, x_label, y_label;
  Range x, y;
  std::vector<PlaneShape> shapes;  // later ones cover earlier ones
};

// Panels beside each other, each with one scale for both axes; the last one's names are the legend.
struct PlanePicture {
  std::string title;
  std::vector<PlanePanel> panels;
};

// Writes <stem>.png and <stem>.svg, drawn by gnuplot. Throws std::runtime_error when gnuplot is
// missing or fails.
void write_plane(const PlanePicture& picture, const std::filesystem::path& stem);

}  // namespace chicane
