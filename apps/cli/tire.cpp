// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <numbers>
#include <optional>
#include <utility>

#include "cli/commands.hpp"
#include "cli/json.hpp"
#include "cli/report_files.hpp"
#include "cli/say.hpp"
#include "io/files.hpp"
#include "io/reader/csv.hpp"
#include "vehicle/tire/magic_formula/evaluate.hpp"
#include "vehicle/tire/magic_formula/tir.hpp"

namespace chicane::cli {
namespace {

using tire::MagicPoint;
using tire::MagicResult;
using tire::TirFile;

struct Tire {
  TirFile file;
  tire::MagicMode mode;
  tire::MagicSigns signs;

  [[nodiscard]] MagicResult<double> at(const MagicPoint<double>& p) const {
    return tire::evaluate(file.k, p, mode, signs);
  }
  // Straight ahead at the speed of the measurement.
  [[nodiscard]] MagicPoint<double> rolling(double F_z) const {
    return {F_z, 0.0, 0.0, 0.0, 0.0, file.k.LONGVL, file.k.INFLPRES};
  }
};

std::optional<Tire> load(const TireOptions& o, Diagnostics& diag) {
  std::string why;
  const auto text = read_limited(o.file, tire::kMostTirBytes, why);
  if (!text) {
    diag.error({o.file, 0, ""}, "there is no tire file that can be read: {}", why);
    return std::nullopt;
  }
  auto file = tire::read_tir(*text, o.file, diag);
  if (!file) return std::nullopt;
  const auto* word = std::find(tire::kTirSigns.begin(), tire::kTirSigns.end(), o.signs);
  const auto signs = static_cast<tire::TirSigns>(word - tire::kTirSigns.begin());
  const bool measured_right = file->side == tire::TirSide::right;
  if (!o.side.empty() && !file->says_side)
    diag.error({o.file, 0, "[MODEL] TYRESIDE"},
               "it is missing: on which side the tire was measured must be known for --side");
  Tire t{.file = std::move(*file),
         .mode = {.alpha_star = o.alpha_star, .turn_slip = o.turn_slip},
         .signs =
             tire::MagicSigns::of(signs, !o.side.empty() && (o.side == "right") != measured_right)};
  if (t.signs.stiffness() * t.file.k.PKY1 < 0.0)
    diag.error({o.file, 0, "PKY1"},
               "it is {:g}: with {} signs the lateral force would not oppose the slip; --signs {} "
               "would fit",
               t.file.k.PKY1, o.signs, o.signs == "adapted-sae" ? "iso" : "adapted-sae");
  return diag.ok() ? std::optional(std::move(t)) : std::nullopt;
}

// --- points --------------------------------------------------------------------------------------

constexpr std::array<const char*, 7> kInputs{"Fz", "kappa", "alpha", "gamma", "phit", "Vx", "P"};

struct Column {
  const char* name;
  double MagicResult<double>::*member;
};
using R = MagicResult<double>;
constexpr Column kOutputs[] = {
    {"Fx", &R::F_x},         {"Fy", &R::F_y},        {"Mx", &R::M_x},      {"My", &R::M_y},
    {"Mz", &R::M_z},         {"Re", &R::R_e},        {"rho", &R::rho},     {"Rl", &R::R_l},
    {"two_a", &R::length},   {"two_b", &R::width},   {"t", &R::t},         {"Mzr", &R::M_zr},
    {"mux", &R::mu_x},       {"muy", &R::mu_y},      {"omega", &R::omega}, {"Cx", &R::C_x},
    {"Cy", &R::C_y},         {"Cz", &R::C_z},        {"Kxk", &R::K_xk},    {"Kya", &R::K_ya},
    {"sigmax", &R::sigma_x}, {"sigmay", &R::sigma_y}};

struct Points {
  std::vector<MagicPoint<double>> list;
  std::vector<int> lines;
};

std::optional<Points> read_points(const std::string& path, const TirFile& tir, Diagnostics& diag) {
  const auto csv = open_csv({path, {"--points", 0, ""}}, false, diag, load_file);
  if (!csv) return std::nullopt;
  const auto has = [&](const std::string& name) {
    return std::ranges::any_of(csv->columns(),
                               [&](const CsvText::Column& c) { return c.name == name; });
  };
  const bool has_pressure = has("P") || has("P_in");
  std::vector<std::size_t> chosen;
  for (const std::string name : kInputs)
    if (name != "P" || has_pressure) {
      const std::string marked = name + "_in";  // of a table that has results too
      if (const auto c = csv->choose({has(marked) ? marked : name, {path, 1, ""}}, diag))
        chosen.push_back(*c);
    }
  const auto read = diag.ok() ? csv->read(chosen, diag) : std::nullopt;
  if (!read) return std::nullopt;
  Points points{.list = {}, .lines = (*read)[0].lines};
  for (std::size_t i = 0; i < points.lines.size(); ++i) {
    const auto v = [&](std::size_t c) { return (*read)[c].numbers[i]; };
    const double p = has_pressure && v(6) != 0.0 ? v(6) : tir.k.INFLPRES;
    if (!(p > 0.0)) diag.error(csv->place(chosen[6], points.lines[i]), "a pressure is above zero");
    points.list.push_back({v(0), v(1), v(2), v(3), v(4), v(5), p});
  }
  return diag.ok() ? std::optional(std::move(points)) : std::nullopt;
}

// What the formulas were not fitted to is evaluated as it stands, and said.
void warn_of_ranges(const Points& points, const Tire& t, const std::string& path,
                    Diagnostics& diag) {
  const auto& k = t.file.k;
  struct Range {
    const char* what;
    double MagicPoint<double>::*member;
    double low, high;
  };
  using P = MagicPoint<double>;
  for (const Range& r :
       {Range{"Fz", &P::F_z, k.FZMIN, k.FZMAX}, Range{"kappa", &P::kappa, k.KPUMIN, k.KPUMAX},
        Range{"alpha", &P::alpha, k.ALPMIN, k.ALPMAX},
        Range{"gamma", &P::gamma, k.CAMMIN, k.CAMMAX}, Range{"P", &P::p, k.PRESMIN, k.PRESMAX}}) {
    const auto outside = [&](const P& p) { return p.*r.member < r.low || p.*r.member > r.high; };
    const auto count = std::ranges::count_if(points.list, outside);
    if (count == 0) continue;
    const auto first = std::ranges::find_if(points.list, outside) - points.list.begin();
    diag.warning({path, points.lines[static_cast<std::size_t>(first)], r.what},
                 "{} of {} points are outside the range of the tire file, {:g} to {:g}; nothing is "
                 "held back there",
                 count, points.list.size(), r.low, r.high);
  }
  if (!t.mode.turn_slip &&
      std::ranges::any_of(points.list, [](const P& p) { return p.phi_t != 0.0; }))
    diag.warning({path, 0, "phit"}, "it counts only with --turn-slip");
}

// Also says how many points have no deflection.
std::string table_of(const Points& points, const Tire& t, const std::string& path,
                     Diagnostics& diag) {
  std::size_t none = 0, lost = 0;
  std::string text = fmt::format("{}", fmt::join(kInputs, ","));
  for (const Column& c : kOutputs) text += fmt::format(",{}", c.name);
  text += "\n";
  for (const MagicPoint<double>& p : points.list) {
    text +=
        fmt::format("{},{},{},{},{},{},{}", p.F_z, p.kappa, p.alpha, p.gamma, p.phi_t, p.v_x, p.p);
    const MagicResult<double> r = t.at(p);
    none += std::isnan(r.rho) ? 1U : 0U;
    lost += std::isfinite(r.F_x + r.F_y + r.M_x + r.M_y + r.M_z) ? 0U : 1U;
    for (const Column& c : kOutputs) text += fmt::format(",{}", r.*c.member);
    text += "\n";
  }
  if (lost > 0)
    diag.error({path, 0, "Fx to Mz"},
               "at {} of {} points they are not finite: the coefficients or the points are no "
               "tire's",
               lost, points.list.size());
  if (none > 0)
    diag.warning({path, 0, "rho"},
                 "at {} of {} points no deflection carries the load: rho, Rl and Cz are nan there",
                 none, points.list.size());
  return text;
}

int evaluate_points(const TireOptions& o, const Tire& t) {
  Diagnostics diag;
  const auto points = read_points(o.points, t.file, diag);
  if (!points) return refuse(diag, o.json);
  warn_of_ranges(*points, t, o.points, diag);
  const std::string table = table_of(*points, t, o.points, diag);
  if (!diag.ok()) return refuse(diag, o.json);
  for (const Diagnostic& w : diag.all()) say("{}\n", to_string(w));
  if (o.out.empty() && !o.json) {
    fmt::print("{}", table);
    return kOk;
  }
  if (!o.out.empty()) write_whole(o.out, table);
  Json j = {{"status", "ok"},
            {"points", points->list.size()},
            {"out", if_any(o.out)},
            {"warnings", to_json(diag.all())}};
  show(j, o.json, [&] { fmt::print("{} points in {}\n", points->list.size(), o.out); });
  return kOk;
}

// --- what the file is ----------------------------------------------------------------------------

// The largest force over the load on a line of slips.
struct Peak {
  double mu = 0.0, slip = 0.0;
};
Peak peak(const Tire& t, double F_z, double MagicPoint<double>::*slip,
          double MagicResult<double>::*force, double low, double high) {
  constexpr int kSteps = 2000;
  Peak most;
  for (int i = 0; i <= kSteps; ++i) {
    MagicPoint<double> p = t.rolling(F_z);
    p.*slip = low + (high - low) * i / kSteps;
    const double mu = std::fabs(t.at(p).*force) / F_z;
    if (mu > most.mu) most = {mu, p.*slip};
  }
  return most;
}

class TireReport {
 public:
  TireReport(const TireOptions& o, Tire t) : o_(o), t_(std::move(t)), k_(t_.file.k) {
    load_ = tire::magic::F_z0(k_);
    nominal_ = t_.at(t_.rolling(load_));
    drive_ = peak(t_, load_, &MagicPoint<double>::kappa, &MagicResult<double>::F_x, 0.0, k_.KPUMAX);
    brake_ = peak(t_, load_, &MagicPoint<double>::kappa, &MagicResult<double>::F_x, k_.KPUMIN, 0.0);
    corner_ = peak(t_, load_, &MagicPoint<double>::alpha, &MagicResult<double>::F_y, k_.ALPMIN,
                   k_.ALPMAX);
  }

  int go() {
    const bool draws = !o_.json || o_.plot || !o_.out.empty();
    std::vector<std::string> files;
    for (const char* name : {"longitudinal", "lateral", "combined"})
      for (const char* kind : {"png", "svg"}) files.push_back(fmt::format("{}.{}", name, kind));
    if (!files_.open(draws, o_.out, "tire", files, o_.json)) return kBadInput;
    if (draws) {
      files_.draw("longitudinal", over_slip());
      files_.draw("lateral", over_angle());
      files_.draw("combined", combined());
    }
    files_.finish();
    show(json(), o_.json, [this] { print(); });
    return kOk;
  }

 private:
  [[nodiscard]] std::vector<double> loads() const {
    return {0.25 * load_, 0.5 * load_, load_, 1.5 * load_};
  }

  // Each force over a slip, one line a load.
  void add_lines(PlotRequest& plot, double MagicPoint<double>::*slip, double low, double high,
                 double scale, const char* panel, const char* unit,
                 double MagicResult<double>::*what) const {
    constexpr int kSteps = 200;
    for (const double F_z : loads()) {
      PlotSeries s{.name = fmt::format("{} at {:.3g} kN", panel, F_z / 1e3),
                   .unit = unit,
                   .x = {},
                   .y = {},
                   .panel = panel};
      for (int i = 0; i <= kSteps; ++i) {
        MagicPoint<double> p = t_.rolling(F_z);
        p.*slip = low + (high - low) * i / kSteps;
        s.x.push_back(scale * (p.*slip));
        s.y.push_back(t_.at(p).*what);
      }
      plot.series.push_back(std::move(s));
    }
  }
  [[nodiscard]] PlotRequest over_slip() const {
    PlotRequest plot{.title = title("forces over longitudinal slip"),
                     .x_label = "slip",
                     .x_unit = "-",
                     .series = {}};
    const double low = std::fmax(k_.KPUMIN, -1.0), high = std::fmin(k_.KPUMAX, 1.0);
    add_lines(plot, &MagicPoint<double>::kappa, low, high, 1.0, "longitudinal force", "N", &R::F_x);
    add_lines(plot, &MagicPoint<double>::kappa, low, high, 1.0, "rolling moment", "N m", &R::M_y);
    return plot;
  }
  [[nodiscard]] PlotRequest over_angle() const {
    constexpr double kDegrees = 180.0 / std::numbers::pi, kMost = 0.5;
    PlotRequest plot{.title = title("forces over slip angle"),
                     .x_label = "slip angle",
                     .x_unit = "deg",
                     .series = {}};
    const double low = std::fmax(k_.ALPMIN, -kMost), high = std::fmin(k_.ALPMAX, kMost);
    const auto add = [&](const char* panel, const char* unit, double R::*what) {
      add_lines(plot, &MagicPoint<double>::alpha, low, high, kDegrees, panel, unit, what);
    };
    add("lateral force", "N", &R::F_y);
    add("aligning moment", "N m", &R::M_z);
    add("overturning moment", "N m", &R::M_x);
    return plot;
  }
  // Longitudinal and lateral force at the nominal load, one line a slip angle.
  [[nodiscard]] PlotRequest combined() const {
    constexpr int kSteps = 200;
    PlotRequest plot{.title = title("combined slip at the nominal load"),
                     .x_label = "slip",
                     .x_unit = "-",
                     .series = {}};
    const double low = std::fmax(k_.KPUMIN, -1.0), high = std::fmin(k_.KPUMAX, 1.0);
    for (const auto& [panel, what] :
         {std::pair{"longitudinal force", &R::F_x}, std::pair{"lateral force", &R::F_y}})
      for (const double degrees : {0.0, 2.0, 4.0, 8.0}) {
        PlotSeries s{.name = fmt::format("{} at {:g} deg", panel, degrees),
                     .unit = "N",
                     .x = {},
                     .y = {},
                     .panel = panel};
        for (int i = 0; i <= kSteps; ++i) {
          MagicPoint<double> p = t_.rolling(load_);
          p.alpha = degrees * std::numbers::pi / 180.0;
          p.kappa = low + (high - low) * i / kSteps;
          s.x.push_back(p.kappa);
          s.y.push_back(t_.at(p).*what);
        }
        plot.series.push_back(std::move(s));
      }
    return plot;
  }
  [[nodiscard]] std::string title(const char* what) const {
    return fmt::format("{}: {}", std::filesystem::path(o_.file).filename().string(), what);
  }

  static Json names(const std::vector<TirFile::Other>& list) {
    Json j = Json::array();
    for (const TirFile::Other& o : list) j.push_back({{"key", o.key}, {"line", o.line}});
    return j;
  }
  [[nodiscard]] double default_of(const std::string& key) const {
    return k_.*tire::find_magic_coefficient(key)->member;
  }

  [[nodiscard]] Json json() const {
    const TirFile& f = t_.file;
    Json defaulted = Json::array();
    for (const std::string& key : f.missing)
      defaulted.push_back({{"key", key}, {"value", default_of(key)}});
    const auto& n = nominal_;
    Json j = {{"status", "ok"},
              {"file", o_.file},
              {"version", to_string(k_.version)},
              {"format", if_any(f.format)},
              {"side", f.says_side ? Json(f.side == tire::TirSide::right ? "right" : "left")
                                   : Json(nullptr)},
              {"use_mode",
               {{"number", f.use.number},
                {"contact", f.use.contact},
                {"dynamics", f.use.dynamics},
                {"forces", f.use.forces},
                {"text", describe(f.use)}}},
              {"units", f.units},
              {"keys", f.given.size()},
              {"unknown", names(f.unknown)},
              {"unused", names(f.unused)},
              {"defaulted", defaulted},
              {"nominal",
               {{"load", load_},
                {"slip_stiffness", n.K_xk},
                {"cornering_stiffness", n.K_ya},
                {"vertical_stiffness", n.C_z},
                {"longitudinal_stiffness", n.C_x},
                {"lateral_stiffness", n.C_y},
                {"relaxation_x", n.sigma_x},
                {"relaxation_y", n.sigma_y},
                {"rolling_radius", n.R_e},
                {"loaded_radius", n.R_l},
                {"rolling_moment", n.M_y},
                {"drive", {{"friction", drive_.mu}, {"slip", drive_.slip}}},
                {"brake", {{"friction", brake_.mu}, {"slip", brake_.slip}}},
                {"corner", {{"friction", corner_.mu}, {"slip_angle", corner_.slip}}}}},
              {"warnings", Json::array()}};
    files_.describe(j);
    return j;
  }

  void print() const {
    const TirFile& f = t_.file;
    const auto& n = nominal_;
    fmt::print("{}: Magic Formula {}, {} coefficients\n", o_.file, to_string(k_.version),
               f.given.size());
    fmt::print("  units             {}\n", fmt::join(f.units, ", "));
    fmt::print("  measured          {}, at {:g} m/s and {:g} kPa\n",
               !f.says_side                     ? "on no side in particular"
               : f.side == tire::TirSide::right ? "on the right"
                                                : "on the left",
               k_.LONGVL, k_.INFLPRES / 1e3);
    fmt::print("  USE_MODE          {}: {}\n", f.use.number, describe(f.use));
    fmt::print("\nat the nominal load, {:g} N\n", load_);
    fmt::print("  slip stiffness       {:.6g} N\n", n.K_xk);
    fmt::print("  cornering stiffness  {:.6g} N/rad\n", n.K_ya);
    fmt::print("  vertical stiffness   {:.6g} N/m\n", n.C_z);
    fmt::print("  relaxation lengths   {:.4g} m longitudinal, {:.4g} m lateral\n", n.sigma_x,
               n.sigma_y);
    fmt::print("  radii                {:.6g} m rolling, {:.6g} m loaded\n", n.R_e, n.R_l);
    fmt::print("  rolling moment       {:.4g} N m\n", n.M_y);
    fmt::print(
        "  peak friction        {:.4g} driven (slip {:.3g}), {:.4g} braked (slip {:.3g}), "
        "{:.4g} sideways ({:.3g} deg)\n",
        drive_.mu, drive_.slip, brake_.mu, brake_.slip, corner_.mu,
        corner_.slip * 180.0 / std::numbers::pi);
    print_keys("unknown keys, of no effect", f.unknown);
    print_keys("keys of models that are not here, of no effect", f.unused);
    if (!f.missing.empty()) {
      fmt::print("\nkeys that are missing, and what is taken for them\n ");
      for (const std::string& key : f.missing) fmt::print(" {}={:g}", key, default_of(key));
      fmt::print("\n");
    }
    if (!files_.place().empty())
      fmt::print("\nlongitudinal, lateral and combined as .png and .svg in {}\n", files_.place());
  }
  static void print_keys(const char* what, const std::vector<TirFile::Other>& list) {
    if (list.empty()) return;
    fmt::print("\n{}\n ", what);
    for (const TirFile::Other& o : list) fmt::print(" {} (line {})", o.key, o.line);
    fmt::print("\n");
  }

  const TireOptions& o_;
  Tire t_;
  const tire::MagicCoefficients& k_;
  double load_ = 0.0;
  MagicResult<double> nominal_{};
  Peak drive_, brake_, corner_;
  ReportFiles files_;
};

}  // namespace

int tire_file(const TireOptions& options) {
  Diagnostics diag;
  auto t = load(options, diag);
  if (!t) return refuse(diag, options.json);
  for (const Diagnostic& w : diag.all()) say("{}\n", to_string(w));
  if (!options.points.empty()) return evaluate_points(options, *t);
  return TireReport(options, std::move(*t)).go();
}

}  // namespace chicane::cli
