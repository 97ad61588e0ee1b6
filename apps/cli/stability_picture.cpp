// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>

#include "analysis/dynamic_error.hpp"
#include "analysis/region.hpp"
#include "analysis/stability.hpp"
#include "cli/stability.hpp"
#include "io/plot/plane.hpp"
#include "io/plot/plot.hpp"
#include "io/plot/script.hpp"

namespace chicane::cli {
namespace {

constexpr int kCells = 240;  // of the grid behind the contours, across

PlanePanel panel_for(const Window& w, std::string title, const std::string& of) {
  return {.title = std::move(title),
          .x_label = "Re λh" + of,
          .y_label = "Im λh" + of,
          .x = {w.left, w.right},
          .y = {-w.top, w.top}};
}

// Levels of growth in one colour, and the locus of the boundary where it says more.
PlanePanel levels_of(const Method& m) {
  const std::vector<double> levels{1.0, 0.9, 0.8, 0.6, 0.4, 0.2};
  const char* const colours[] = {"#E3EEF8", "#C9DEF0", "#9FC8E3", "#6BAED6", "#3787C0", "#105BA4"};
  const Window w = window_around(m);
  PlanePanel panel = panel_for(w, "", "");
  const auto contours = growth_contours(m, levels, w, kCells);
  for (std::size_t i = 0; i < levels.size(); ++i)
    panel.shapes.push_back({.name = fmt::format("growth below {}", levels[i]),
                            .curves = contours[i],
                            .fill = colours[i]});
  if (m.k.old > 0)
    panel.shapes.push_back({.name = "|a root| = 1",
                            .curves = boundary_locus(m, 720),
                            .line = "#D55E00",
                            .width = 1.2,
                            .dashed = true});
  panel.shapes.push_back(
      {.name = "boundary", .curves = contours.front(), .line = "#202020", .width = 2});
  return panel;
}

// The regions of several methods, each scaled by what its step costs if so asked.
PlanePanel outlines_of(const std::vector<Method>& methods, bool per_evaluation) {
  const auto scale = [&](const Method& m) { return per_evaluation ? 1.0 / evaluations(m) : 1.0; };
  Window all;
  PlanePanel panel;
  for (std::size_t i = 0; i < methods.size(); ++i) {
    const Window w = window_around(methods[i]);
    const double s = scale(methods[i]);
    all = joined(all, {s * w.left, s * w.right, s * w.top});
    auto curves = growth_contours(methods[i], {1.0}, w, kCells).front();
    for (Curve& curve : curves)
      for (auto& z : curve) z *= s;
    const std::string colour(kColours[i % kColours.size()]);
    panel.shapes.push_back({.name = methods[i].name,
                            .curves = std::move(curves),
                            .fill = colour,
                            .opacity = 0.08,
                            .line = colour,
                            .width = 2,
                            .dashed = i >= kColours.size()});
  }
  PlanePanel placed = panel_for(all, per_evaluation ? "per evaluation" : "per step",
                                per_evaluation ? " / evaluations" : "");
  placed.shapes = std::move(panel.shapes);
  return placed;
}

}  // namespace

PlanePicture regions_of(const std::vector<Method>& methods) {
  PlanePicture picture;
  if (methods.size() == 1) {
    picture.title = methods.front().name + ": region of stability";
    picture.panels = {levels_of(methods.front())};
  } else {
    picture.title = "Regions of stability";
    picture.panels = {outlines_of(methods, false), outlines_of(methods, true)};
  }
  return picture;
}

// |error of the root| over |lambda| h, exact and asymptotic.
PlotRequest errors_of(const std::vector<Method>& methods, double zeta) {
  PlotRequest request{.title = fmt::format("Error of the root, damping ratio {:g}", zeta),
                      .x_label = "|λ| h",
                      .x_unit = "",
                      .y_label = "|λ* - λ| / |λ|",
                      .log_x = true,
                      .log_y = true};
  for (const Method& m : methods) {
    const DynamicError e(m);
    PlotSeries exact{.name = m.name, .unit = ""}, formula{.name = m.name + ", formula", .unit = ""};
    for (double size = 0.01; size < 1.0; size *= 1.05) {
      const auto z = size * mode_direction(zeta);
      exact.x.push_back(size);
      exact.y.push_back(std::abs(e.root(z)));
      formula.x.push_back(size);
      formula.y.push_back(std::abs(e.asymptotic_root(z)));
    }
    request.series.push_back(std::move(exact));
    request.series.push_back(std::move(formula));
  }
  return request;
}

}  // namespace chicane::cli
