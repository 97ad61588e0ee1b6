// SPDX-License-Identifier: Apache-2.0
#include "analysis/rig/rig.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "cli/commands.hpp"
#include "cli/json.hpp"
#include "cli/report_files.hpp"
#include "cli/say.hpp"
#include "math/units.hpp"
#include "session/load.hpp"

namespace chicane::cli {
namespace rig_report {
namespace {

using namespace rig;

std::optional<double> length_of(const std::string& text, const char* option, Diagnostics& diag) {
  const auto parsed = parse_quantity(text);
  const auto* q = std::get_if<Quantity>(&parsed);
  if (q == nullptr)
    diag.error({option, 0, ""}, "{}", std::get<UnitError>(parsed).message);
  else if (q->dimension != dimensions::kLength)
    diag.error({option, 0, ""}, "a length is needed, e.g. \"80mm\"; '{}' is {}", text,
               quantity_name(q->dimension));
  else if (!(q->value > 0.0) || q->value > 1.0)
    diag.error({option, 0, ""}, "'{}' is no range of a suspension: more than 0, at most 1 m", text);
  else
    return q->value;
  return std::nullopt;
}

std::optional<RigRange> range_of(const RigOptions& o, Diagnostics& diag) {
  RigRange range;
  if (!o.travel.empty()) range.travel = length_of(o.travel, "--travel", diag).value_or(0.0);
  if (!o.rack.empty()) range.rack = length_of(o.rack, "--rack", diag);
  range.zero = o.zero == "file" ? Zero::file : Zero::laden;
  range.points = o.points;
  if (o.points < 3 || o.points > 2001 || o.points % 2 == 0)
    diag.error({"--points", 0, ""}, "{} is not an odd number from 3 to 2001", o.points);
  return diag.ok() ? std::optional(range) : std::nullopt;
}

// For people.
std::string shown(double value, double scale) {
  if (!std::isfinite(value)) return std::isnan(value) ? "-" : "inf";
  constexpr double kRounding = 1e-9;
  const double v = scale * value;
  return fmt::format("{:.4g}", std::fabs(v) < kRounding ? 0.0 : v);
}

class RigOutput {
 public:
  RigOutput(const RigOptions& o, RigReport report, std::string model, const Diagnostics& diag)
      : o_(o), r_(std::move(report)), model_(std::move(model)), diag_(diag) {}

  int go() {
    const bool writes = o_.plot || !o_.out.empty();
    std::vector<std::string> files;
    for (const Sweep& s : r_.sweeps)
      for (const char* kind : {"png", "svg", "csv"}) files.push_back(s.name + "." + kind);
    if (!files_.open(writes, o_.out, "rig", files, o_.json)) return kBadInput;
    if (writes)
      for (const Sweep& s : r_.sweeps) {
        files_.write(s.name + ".csv", csv(s));
        files_.draw(s.name, picture(s));
      }
    files_.finish();
    for (const Diagnostic& w : diag_.all()) say("{}\n", to_string(w));
    show(json(), o_.json, [this] { print(); });
    return kOk;
  }

 private:
  // --- files
  [[nodiscard]] std::string csv(const Sweep& s) const {
    std::string names, units, rows;
    for (const std::string& axle : r_.axles) {
      const auto head = [&](const std::string& name, std::string_view unit) {
        names += fmt::format("{}{}", names.empty() ? "" : ",", name);
        units += fmt::format("{}{}", units.empty() ? "" : ",", unit);
      };
      for (const auto& c : axle_columns()) head(fmt::format("{}.{}", axle, c.name), c.unit);
      for (const char* side : {"left", "right"})
        for (const auto& c : wheel_columns())
          head(fmt::format("{}.{}.{}", axle, side, c.name), c.unit);
    }
    for (const auto& point : s.points) {
      std::string row;
      for (const AxleReading& a : point) {
        const auto add = [&](double v) {
          row += fmt::format("{}{:.17g}", row.empty() ? "" : ",", v);
        };
        for (const auto& c : axle_columns()) add(a.*c.member);
        for (const WheelReading& w : a.wheel)
          for (const auto& c : wheel_columns()) add(w.*c.member);
      }
      rows += row + "\n";
    }
    return names + "\n" + units + "\n" + rows;
  }

  [[nodiscard]] static const Column<AxleReading>& axle_column(std::string_view name) {
    return *std::ranges::find(axle_columns(), name, &Column<AxleReading>::name);
  }
  [[nodiscard]] static const Column<WheelReading>& wheel_column(std::string_view name) {
    return *std::ranges::find(wheel_columns(), name, &Column<WheelReading>::name);
  }

  // What people look at over each range; left wheels, and in roll and steer both.
  [[nodiscard]] PlotRequest picture(const Sweep& s) const {
    const bool bounce = s.name == "bounce", steer = s.name == "steer";
    PlotRequest plot{.title = fmt::format("{}: {}", model_, s.name),
                     .x_label = bounce  ? "travel"
                                : steer ? "rack"
                                        : "roll",
                     .x_unit = bounce || steer ? "mm" : "deg",
                     .series = {},
                     .columns = 2};
    const auto x = [&](const AxleReading& a) {
      return bounce  ? 1e3 * a.wheel[0].travel
             : steer ? 1e3 * a.rack
                     : axle_column("roll").scale * a.roll;
    };
    const auto add = [&](const std::string& panel, const std::string& name, std::string_view unit,
                         std::size_t axle, const auto& value) {
      PlotSeries line{.name = name, .unit = std::string(unit), .x = {}, .y = {}, .panel = panel};
      for (const auto& point : s.points) {
        line.x.push_back(x(point[axle]));
        line.y.push_back(value(point[axle]));
      }
      plot.series.push_back(std::move(line));
    };
    using Names = std::vector<std::string_view>;
    const Names wheel =
        bounce  ? Names{"toe", "camber", "outward", "forward", "load", "rate", "spring_ratio"}
        : steer ? Names{"steer", "camber", "caster", "scrub"}
                : Names{"toe", "camber", "load"};
    const Names of_axle = bounce  ? Names{"roll_centre_height"}
                          : steer ? Names{"steering_ratio", "ackermann"}
                                  : Names{"roll_centre_height", "roll_stiffness"};
    for (std::size_t a = 0; a < r_.axles.size(); ++a) {
      if (steer && !steers(a)) continue;
      for (const std::string_view name : wheel) {
        const auto& c = wheel_column(name);
        for (std::size_t side = 0; side < (bounce ? 1U : 2U); ++side)
          add(std::string(name),
              fmt::format("{}{}", r_.axles[a],
                          bounce      ? ""
                          : side == 0 ? " left"
                                      : " right"),
              c.shown, a, [&](const AxleReading& r) { return c.scale * r.wheel[side].*c.member; });
      }
      for (const std::string_view name : of_axle) {
        const auto& c = axle_column(name);
        add(std::string(name), r_.axles[a], c.shown, a,
            [&](const AxleReading& r) { return c.scale * r.*c.member; });
      }
    }
    return plot;
  }
  [[nodiscard]] bool steers(std::size_t axle) const {
    return !std::isnan(r_.zero[axle].steering_ratio) ||
           std::ranges::any_of(r_.sweeps.back().points, [&](const auto& p) {
             return std::fabs(p[axle].mean_steer - r_.zero[axle].mean_steer) > 1e-6;
           });
  }

  // --- JSON
  template <class Reading>
  static Json object(const Reading& r, std::span<const Column<Reading>> columns) {
    Json j = Json::object();
    for (const auto& c : columns)
      j[std::string(c.name)] = std::isfinite(r.*c.member) ? Json(r.*c.member) : Json(nullptr);
    return j;
  }
  [[nodiscard]] Json object(const std::vector<AxleReading>& axles) const {
    Json j = Json::object();
    for (std::size_t a = 0; a < axles.size(); ++a) {
      Json own = object(axles[a], axle_columns());
      own["left"] = object(axles[a].wheel[0], wheel_columns());
      own["right"] = object(axles[a].wheel[1], wheel_columns());
      j[r_.axles[a]] = std::move(own);
    }
    return j;
  }
  static Json number(double v) { return std::isfinite(v) ? Json(v) : Json(nullptr); }

  [[nodiscard]] Json json() const {
    Json sweeps = Json::object(), units = Json::object();
    for (const Sweep& s : r_.sweeps) {
      Json points = Json::array();
      for (const auto& p : s.points) points.push_back(object(p));
      sweeps[s.name] = std::move(points);
    }
    for (const auto& c : axle_columns()) units[std::string(c.name)] = c.unit;
    for (const auto& c : wheel_columns()) units[std::string(c.name)] = c.unit;
    Json j = {{"status", "ok"},
              {"model", model_},
              {"zero", o_.zero},
              {"mass", r_.mass},
              {"wheel_base", number(r_.wheel_base)},
              {"centre_of_mass_height", number(r_.height)},
              {"pitch_centre",
               {{"behind_front_axle", number(r_.pitch_centre_behind)},
                {"height", number(r_.pitch_centre_height)}}},
              {"static_travel", r_.static_travel},
              {"loaded_radius", r_.radius},
              {"units", units},
              {"axles", object(r_.zero)},
              {"sweeps", sweeps},
              {"warnings", to_json(diag_.all())}};
    files_.describe(j);
    return j;
  }

  // --- the terminal
  void print_row(std::string_view name, std::string_view unit,
                 const std::vector<std::string>& values) const {
    if (std::ranges::all_of(values, [](const std::string& v) { return v == "-"; })) return;
    fmt::print("  {:<20}", name);
    for (const std::string& v : values) fmt::print(" {:>18}", v);
    fmt::print("  {}\n", unit == "-" ? "" : unit);
  }
  // At travel 0; left and right where they differ.
  void print_zero() const {
    fmt::print("  {:<20}", "");
    for (const std::string& axle : r_.axles) fmt::print(" {:>18}", axle);
    fmt::print("\n");
    for (const auto& c : wheel_columns()) {
      std::vector<std::string> values;
      for (const AxleReading& a : r_.zero) {
        const std::string left = shown(a.wheel[0].*c.member, c.scale),
                          right = shown(a.wheel[1].*c.member, c.scale);
        values.push_back(left == right ? left : left + " / " + right);
      }
      if (c.name != "travel") print_row(c.name, c.shown, values);
    }
    for (const auto& c : axle_columns()) {
      std::vector<std::string> values;
      for (const AxleReading& a : r_.zero) values.push_back(shown(a.*c.member, c.scale));
      print_row(c.name, c.shown, values);
    }
  }
  // About nine points of it.
  void print_sweep(const Sweep& s, std::size_t axle) const {
    constexpr std::size_t kRows = 9;
    fmt::print("\n{}, {}\n  {:>9} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9}\n", s.name,
               r_.axles[axle], s.name == "steer" ? "rack" : "travel", "steer l", "steer r",
               "camber l", "camber r", "load l", "load r", "track", "roll c.");
    fmt::print("  {:>9} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9}\n", "mm", "deg", "deg",
               "deg", "deg", "kN", "kN", "mm", "mm");
    const std::size_t step = std::max<std::size_t>(1, (s.points.size() - 1) / (kRows - 1));
    for (std::size_t i = 0; i < s.points.size(); i += step) {
      const AxleReading& a = s.points[i][axle];
      const auto &l = a.wheel[0], &r = a.wheel[1];
      const double deg = axle_column("roll").scale;
      fmt::print(
          "  {:>9.2f} {:>9.3f} {:>9.3f} {:>9.3f} {:>9.3f} {:>9.3f} {:>9.3f} {:>9.2f} {:>9}\n",
          1e3 * (s.name == "steer" ? a.rack : l.travel) + 0.0, deg * l.steer + 0.0,
          deg * r.steer + 0.0, deg * l.camber + 0.0, deg * r.camber + 0.0, 1e-3 * l.load,
          1e-3 * r.load, 1e3 * a.track, shown(a.roll_centre_height, 1e3));
    }
  }
  void print() const {
    fmt::print("{}: suspensions with the chassis held, travel from {}\n", model_,
               o_.zero == "file" ? "the position of the file" : "where the wheels carry it");
    fmt::print("  mass {:.5g} kg", r_.mass);
    if (!std::isnan(r_.wheel_base))
      fmt::print(", wheel base {:.4g} m, centre of mass {:.4g} m over the ground", r_.wheel_base,
                 r_.height);
    fmt::print("\n\n");
    print_zero();
    for (const Sweep& s : r_.sweeps)
      for (std::size_t a = 0; a < r_.axles.size(); ++a)
        if (s.name != "steer" || steers(a)) print_sweep(s, a);
    if (!files_.place().empty())
      fmt::print("\nall columns in .csv, pictures as .png and .svg in {}\n", files_.place());
    else
      fmt::print("\n--plot draws them and writes all columns\n");
  }

  const RigOptions& o_;
  RigReport r_;
  std::string model_;
  const Diagnostics& diag_;
  ReportFiles files_;
};

}  // namespace
}  // namespace rig_report

int rig_command(const RigOptions& o) {
  Diagnostics diag;
  const auto range = rig_report::range_of(o, diag);
  const auto spec = load({.model = o.model, .manoeuvre = o.manoeuvre, .set = o.set}, diag);
  if (!range || !spec || !diag.ok()) return refuse(diag, o.json);
  auto report = rig::run_rig(*spec, *range, diag);
  if (!report) return refuse(diag, o.json);
  return rig_report::RigOutput(o, std::move(*report), spec->name, diag).go();
}

}  // namespace chicane::cli
