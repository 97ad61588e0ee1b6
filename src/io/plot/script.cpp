// SPDX-License-Identifier: Apache-2.0
#include "io/plot/script.hpp"

#include <fmt/format.h>

#include <utility>

#include "io/plot/gnuplot.hpp"

namespace chicane {

const std::string_view kPictureStyle = R"(set encoding utf8
set multiplot
set border 3 linecolor rgb '#707070' linewidth 1
set grid xtics ytics linetype 1 linecolor rgb '#E3E6EA' linewidth 1
set xzeroaxis linetype 1 linecolor rgb '#B4B9C0' linewidth 1
set tics out nomirror scale 0.5 textcolor rgb '#404040'
)";

std::string literal(std::string_view text) {
  std::string s = "'";
  for (const char c : text) {
    if (c == '\n') {
      s += "'.\"\\n\".'";
    } else if (static_cast<unsigned char>(c) < ' ') {
      s += ' ';
    } else {
      if (c == '\'') s += '\'';
      s += c;
    }
  }
  return s + "'";
}

std::string tick_list(const Axis& axis, bool labelled) {
  std::string s;
  for (const Tick& tick : axis.ticks) {
    s += fmt::format("{}{} {:.17g}", s.empty() ? "" : ", ", literal(labelled ? tick.label : ""),
                     tick.at);
  }
  return "(" + s + ")";
}

void draw_picture(const std::string& script, int width, int height,
                  const std::filesystem::path& stem) {
  // A point of a font is a pixel for gnuplot's SVG, but 96/72 pixels for its PNG.
  for (const auto& [terminal, ending] :
       {std::pair{"pngcairo", ".png"}, {"svg fontscale 1.333", ".svg"}}) {
    std::filesystem::path path = stem;
    path += ending;
    run_gnuplot(fmt::format("set terminal {} noenhanced size {},{} font 'DejaVu Sans,11' "
                            "background rgb 'white'\n{}",
                            terminal, width, height, script),
                path);
  }
}

}  // namespace chicane
