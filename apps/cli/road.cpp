// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <optional>
#include <utility>

#include "cli/commands.hpp"
#include "cli/json.hpp"
#include "cli/report_files.hpp"
#include "cli/say.hpp"
#include "io/files.hpp"
#include "io/reader/csv.hpp"
#include "vehicle/terrain/crg.hpp"

namespace chicane::cli {
namespace {

using terrain::CrgRoad;
using terrain::Uv;
using terrain::Xy;

std::optional<CrgRoad> load_road(const RoadOptions& o, Diagnostics& diag) {
  const auto read = [](const std::string& path) {
    std::string why;
    return read_limited(path, terrain::kMostCrgBytes, why);
  };
  std::string why;
  const auto bytes = read_limited(o.file, terrain::kMostCrgBytes, why);
  if (!bytes) {
    diag.error({o.file, 0, ""}, "there is no road file that can be read: {}", why);
    return std::nullopt;
  }
  auto file = terrain::read_crg(*bytes, o.file, diag, read);
  if (!file) return std::nullopt;
  using By = terrain::CrgPlace::By;
  return CrgRoad::make(std::move(*file), {.by = o.place == "line" ? By::line : By::file}, diag);
}

// --- points --------------------------------------------------------------------------------------

struct RoadPoint {
  Uv<double> uv;
  Xy<double> xy;
  double z;
  CrgRoad::Heading heading;
};

RoadPoint at_uv(const CrgRoad& road, const Uv<double>& uv) {
  return {uv, road.xy(uv), road.height(uv).z, road.heading(uv)};
}
RoadPoint at_xy(const CrgRoad& road, const Xy<double>& xy) {
  const Uv<double> uv = road.uv(xy);
  return {uv, xy, road.height(uv).z, road.heading(uv)};
}

std::optional<std::vector<RoadPoint>> evaluate(const CrgRoad& road, const std::string& path,
                                               Diagnostics& diag) {
  const auto csv = open_csv({path, {"--points", 0, ""}}, false, diag, load_file);
  if (!csv) return std::nullopt;
  const bool by_uv =
      std::ranges::any_of(csv->columns(), [](const CsvText::Column& c) { return c.name == "u"; });
  std::vector<std::size_t> chosen;
  for (const char* name : {by_uv ? "u" : "x", by_uv ? "v" : "y"})
    if (const auto c = csv->choose({name, {path, 1, ""}}, diag)) chosen.push_back(*c);
  const auto read = diag.ok() ? csv->read(chosen, diag) : std::nullopt;
  if (!read) return std::nullopt;
  std::vector<RoadPoint> points;
  for (std::size_t i = 0; i < (*read)[0].numbers.size(); ++i) {
    const double a = (*read)[0].numbers[i], b = (*read)[1].numbers[i];
    points.push_back(by_uv ? at_uv(road, {a, b}) : at_xy(road, {a, b}));
  }
  return points;
}

int evaluate_points(const RoadOptions& o, const CrgRoad& road, Diagnostics& diag) {
  const auto points = evaluate(road, o.points, diag);
  if (!points) return refuse(diag, o.json);
  std::string table = "u,v,x,y,z,phi,curv\n";
  std::size_t nowhere = 0;
  for (const RoadPoint& p : *points) {
    nowhere += std::isnan(p.z) ? 1U : 0U;
    table += fmt::format("{},{},{},{},{},{},{}\n", p.uv.u, p.uv.v, p.xy.x, p.xy.y, p.z,
                         p.heading.phi, p.heading.curvature);
  }
  if (nowhere > 0)
    diag.warning({o.points, 0, "z"},
                 "{} of {} points are where the road has no height: z is nan there", nowhere,
                 points->size());
  for (const Diagnostic& w : diag.all()) say("{}\n", to_string(w));
  if (o.out.empty() && !o.json) {
    fmt::print("{}", table);
    return kOk;
  }
  if (!o.out.empty()) write_whole(o.out, table);
  const Json j = {{"status", "ok"},
                  {"points", points->size()},
                  {"out", if_any(o.out)},
                  {"warnings", to_json(diag.all())}};
  show(j, o.json, [&] { fmt::print("{} points in {}\n", points->size(), o.out); });
  return kOk;
}

// --- what the file is ----------------------------------------------------------------------------

struct Extent {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  void add(double value) {
    low = std::fmin(low, value);
    high = std::fmax(high, value);
  }
};

class RoadReport {
 public:
  RoadReport(const RoadOptions& o, const CrgRoad& road, const Diagnostics& diag)
      : o_(o), road_(road), diag_(diag) {
    constexpr double kMostSections = 2000;
    const double length = road.u_last() - road.u_first();
    const int steps = static_cast<int>(std::fmin(length / road.u_step() + 0.5, kMostSections));
    for (int i = 0; i <= steps; ++i) stations_.push_back(road.u_first() + length * i / steps);
    survey();
  }

  int go() {
    const bool draws = !o_.json || o_.plot || !o_.out.empty();
    if (!files_.open(draws, o_.out, "road", {"map.png", "map.svg", "profiles.png", "profiles.svg"},
                     o_.json))
      return kBadInput;
    if (draws) {
      files_.draw("map", map());
      files_.draw("profiles", profiles());
    }
    files_.finish();
    show(json(), o_.json, [this] { print(); });
    return kOk;
  }

 private:
  void survey() {
    constexpr int kAcross = 20;
    const double right = road_.v().front(), left = road_.v().back();
    for (const double u : stations_) {
      for (int k = 0; k <= kAcross; ++k) {
        const RoadPoint p = at_uv(road_, {u, right + (left - right) * k / kAcross});
        x_.add(p.xy.x), y_.add(p.xy.y);
        if (std::isnan(p.z))
          ++gaps_;
        else
          z_.add(p.z);
      }
      curvature_.add(road_.heading({u, 0.0}).curvature);
    }
  }

  template <class Y>
  PlotSeries along(std::string name, std::string unit, std::string panel, Y y) const {
    PlotSeries s{.name = std::move(name),
                 .unit = std::move(unit),
                 .x = {},
                 .y = {},
                 .panel = std::move(panel)};
    for (const double u : stations_) {
      s.x.push_back(u);
      s.y.push_back(y(u));
    }
    return s;
  }
  [[nodiscard]] PlanePicture map() const {
    constexpr std::complex<double> kLeft{0, 1};
    const double right = road_.v().front(), left = road_.v().back();
    const auto side = [&](double v) {
      std::vector<std::complex<double>> curve;
      for (const double u : stations_) {
        const Xy<double> p = road_.xy(Uv<double>{u, v});
        curve.push_back(p.x + kLeft * p.y);
      }
      return curve;
    };
    auto surface = side(left);
    auto back = side(right);
    surface.insert(surface.end(), back.rbegin(), back.rend());
    surface.push_back(surface.front());
    PlanePanel panel{.title = "from above",
                     .x_label = "x [m]",
                     .y_label = "y [m]",
                     .x = with_room({x_.low, x_.high}, 0.05),
                     .y = with_room({y_.low, y_.high}, 0.05),
                     .shapes = {}};
    panel.shapes.push_back({.name = "surface",
                            .curves = {surface},
                            .fill = "#8C8C8C",
                            .opacity = 0.35,
                            .line = "#6B6B6B",
                            .width = 1.0});
    panel.shapes.push_back({.name = "reference line", .curves = {side(0.0)}, .line = "#C0392B"});
    panel.shapes.push_back({.name = "begin",
                            .curves = {{surface.front(), back.front()}},
                            .line = "#1F5FA8",
                            .width = 3.0});
    return {.title = title("map"), .panels = {panel}};
  }
  [[nodiscard]] PlotRequest profiles() const {
    PlotRequest plot{.title = title("profiles"), .x_label = "u", .x_unit = "m", .series = {}};
    const double right = road_.v().front(), left = road_.v().back();
    for (const double share : {0.1, 0.5, 0.9}) {
      const double v = right + share * (left - right);
      plot.series.push_back(
          along(fmt::format("height at v = {:.3g} m", v), "m", "height", [&](double u) {
            return road_.height(Uv<double>{u, v}).z;
          }));
    }
    plot.series.push_back(along("heading", "rad", "heading", [&](double u) {
      return road_.heading({u, 0.0}).phi;
    }));
    plot.series.push_back(along("curvature", "1/m", "curvature", [&](double u) {
      return road_.heading({u, 0.0}).curvature;
    }));
    return plot;
  }
  [[nodiscard]] std::string title(const char* what) const {
    return fmt::format("{}: {}", std::filesystem::path(o_.file).filename().string(), what);
  }

  [[nodiscard]] static const char* word(terrain::CrgBorder mode) {
    static constexpr const char* kWords[] = {"none", "zero", "keep", "repeat", "reflect"};
    return kWords[static_cast<int>(mode)];
  }

  [[nodiscard]] Json json() const {
    const auto range = [](const Extent& e) { return Json{{"low", e.low}, {"high", e.high}}; };
    const auto begin = at_uv(road_, {road_.u_first(), 0.0}),
               end = at_uv(road_, {road_.u_last(), 0.0});
    const auto pose = [](const RoadPoint& p) {
      return Json{{"x", p.xy.x}, {"y", p.xy.y}, {"z", p.z}, {"phi", p.heading.phi}};
    };
    Json j = {
        {"status", "ok"},
        {"file", o_.file},
        {"kind", "crg"},
        {"format", road_.file().format},
        {"files", road_.file().files},
        {"u", {{"first", road_.u_first()}, {"last", road_.u_last()}, {"step", road_.u_step()}}},
        {"v",
         {{"first", road_.v().front()}, {"last", road_.v().back()}, {"count", road_.v().size()}}},
        {"cross_sections", road_.nodes()},
        {"x", range(x_)},
        {"y", range(y_)},
        {"z", range(z_)},
        {"curvature", range(curvature_)},
        {"begin", pose(begin)},
        {"end", pose(end)},
        {"border_u", word(road_.border_u())},
        {"border_v", word(road_.border_v())},
        {"can_be_closed", road_.closed()},
        {"points_without_height", gaps_},
        {"warnings", to_json(diag_.all())}};
    files_.describe(j);
    return j;
  }

  void print() const {
    for (const Diagnostic& w : diag_.all()) say("{}\n", to_string(w));
    fmt::print("{}: OpenCRG {}, {} cross sections of {} points\n", o_.file, road_.file().format,
               road_.nodes(), road_.v().size());
    fmt::print("  along        u from {:g} to {:g} m in steps of {:g} m\n", road_.u_first(),
               road_.u_last(), road_.u_step());
    fmt::print("  across       v from {:g} to {:g} m\n", road_.v().front(), road_.v().back());
    fmt::print("  lies in      x from {:.6g} to {:.6g} m, y from {:.6g} to {:.6g} m\n", x_.low,
               x_.high, y_.low, y_.high);
    fmt::print("  height       {:.6g} to {:.6g} m\n", z_.low, z_.high);
    if (gaps_ > 0) fmt::print("  gaps         {} of the points looked at have no height\n", gaps_);
    fmt::print("  curvature    {:.4g} to {:.4g} 1/m\n", curvature_.low, curvature_.high);
    fmt::print("  beyond ends  {}; beyond sides {}\n", word(road_.border_u()),
               word(road_.border_v()));
    fmt::print("  closed       {}\n", road_.closed() ? "its end points to its begin" : "no");
    if (!files_.place().empty())
      fmt::print("\nmap and profiles as .png and .svg in {}\n", files_.place());
  }

  const RoadOptions& o_;
  const CrgRoad& road_;
  const Diagnostics& diag_;
  std::vector<double> stations_;
  Extent x_, y_, z_, curvature_;
  std::size_t gaps_ = 0;
  ReportFiles files_;
};

}  // namespace

int road_file(const RoadOptions& options) {
  Diagnostics diag;
  const auto road = load_road(options, diag);
  if (!road) return refuse(diag, options.json);
  if (!options.points.empty()) return evaluate_points(options, *road, diag);
  return RoadReport(options, *road, diag).go();
}

}  // namespace chicane::cli
