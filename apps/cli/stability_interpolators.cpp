// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>
#include <filesystem>

#include "analysis/dynamic_error.hpp"
#include "analysis/interpolator_error.hpp"
#include "cli/json.hpp"
#include "cli/report_files.hpp"
#include "cli/shared.hpp"
#include "cli/stability.hpp"
#include "io/plot/plot.hpp"

namespace chicane::cli {
namespace {

// "5/12 - 1/2 / N + 1/12 / N^2"
std::string formula(const InterpolatorTerm& term) {
  std::string text;
  for (std::size_t j = 0; j < term.terms.size(); ++j) {
    const Rational c = term.terms[j];
    if (c == Rational(0)) continue;
    const bool negative = c.num() < 0;
    const std::string size = to_string(negative ? -c : c);
    text += text.empty() ? (negative ? "-" : "") : negative ? " - " : " + ";
    text += j == 0 ? size : fmt::format("{} / N{}", size, j == 1 ? "" : fmt::format("^{}", j));
  }
  return text;
}

// An error as it is shown: what rounding leaves of zero is zero.
double shown(double error) { return std::fabs(error) < 1e-15 ? 0.0 : error; }

class InterpolatorReport {
 public:
  explicit InterpolatorReport(const StabilityOptions& o) : o_(o) {}

  int go() {
    if (!files_.open(o_.plot, o_.out, "stability",
                     {"interpolators.json", "interpolators.png", "interpolators.svg"}, o_.json))
      return kBadInput;
    if (o_.plot) plot();
    const Json j = json();
    files_.write("interpolators.json", j.dump(2) + "\n");
    files_.finish();
    show(j, o_.json, [this] { print(); });
    return kOk;
  }

 private:
  [[nodiscard]] std::vector<int> ratios() const {
    return o_.ratios.empty() ? std::vector{2, 3, 4, 5} : o_.ratios;
  }
  [[nodiscard]] std::vector<double> sizes() const {
    return o_.sizes.empty() ? std::vector{0.1, 0.2, 0.5, 1.0} : o_.sizes;
  }

  [[nodiscard]] Json exact_json(const InterpolatorInfo& i, const InterpolatorTerm& term,
                                int ratio) const {
    Json rows = Json::array();
    for (const double theta : sizes()) {
      const GainPhase e = gain_phase(interpolator_error(i.kind, ratio, theta));
      rows.push_back(
          {{"omega_t", theta},
           {"gain", e.gain},
           {"phase", e.phase},
           {"asymptotic", term.coefficient(ratio).value() * std::pow(theta, term.power)}});
    }
    return rows;
  }

  [[nodiscard]] Json json() const {
    Json list = Json::array();
    for (const InterpolatorInfo& i : kInterpolators) {
      const InterpolatorTerm term = interpolator_term(i.kind);
      Json powers = Json::array(), at = Json::array();
      for (const Rational& c : term.terms) powers.push_back(to_string(c));
      for (const int ratio : ratios())
        at.push_back({{"ratio", ratio},
                      {"coefficient", term.coefficient(ratio).value()},
                      {"exact", to_string(term.coefficient(ratio))},
                      {"errors", exact_json(i, term, ratio)}});
      list.push_back({{"name", i.name},
                      {"samples", i.samples},
                      {"error", term.gain ? "gain" : "phase"},
                      {"power", term.power},
                      {"formula", formula(term)},
                      {"powers_of_inverse_ratio", powers},
                      {"limit", term.limit().value()},
                      {"ratios", at}});
    }
    Json j = {{"status", "ok"}, {"interpolators", list}};
    files_.describe(j);
    return j;
  }

  void print() const {
    fmt::print("leading error of a sine through an interpolator: coefficient x (omega T)^power\n");
    fmt::print("{:<9} {:<26} {:<5} {:>5}", "name", "samples", "error", "power");
    for (const int ratio : ratios()) fmt::print(" {:>8}", fmt::format("N = {}", ratio));
    fmt::print(" {:>8}  {}\n", "N = inf", "coefficient");
    for (const InterpolatorInfo& i : kInterpolators) {
      const InterpolatorTerm term = interpolator_term(i.kind);
      fmt::print("{:<9} {:<26} {:<5} {:>5}", i.name, i.samples, term.gain ? "gain" : "phase",
                 term.power);
      for (const int ratio : ratios()) fmt::print(" {:>8.4f}", term.coefficient(ratio).value());
      fmt::print(" {:>8.4f}  {}\n", term.limit().value(), formula(term));
    }
    for (const int ratio : ratios()) print_exact(ratio);
    if (!files_.place().empty())
      fmt::print("\n{}interpolators.json in {}\n",
                 o_.plot ? "interpolators.png, interpolators.svg, " : "", files_.place());
  }

  void print_exact(int ratio) const {
    fmt::print("\nexact errors in gain and in phase [rad], N = {}\n{:<9}", ratio, "omega T");
    for (const double theta : sizes()) fmt::print(" {:>22.4g}", theta);
    fmt::print("\n");
    for (const InterpolatorInfo& i : kInterpolators) {
      fmt::print("{:<9}", i.name);
      for (const double theta : sizes()) {
        const GainPhase e = gain_phase(interpolator_error(i.kind, ratio, theta));
        fmt::print(" {:>11.3g}{:>11.3g}", shown(e.gain), shown(e.phase));
      }
      fmt::print("\n");
    }
  }

  // |error| over omega T for the largest ratio.
  void plot() {
    const int ratio = ratios().back();
    PlotRequest request{.title = fmt::format("Errors of interpolators, N = {}", ratio),
                        .x_label = "ω T",
                        .x_unit = "",
                        .y_label = "|H* - H| / |H|",
                        .log_x = true,
                        .log_y = true};
    for (const InterpolatorInfo& i : kInterpolators) {
      PlotSeries s{.name = std::string(i.name), .unit = ""};
      for (double theta = 0.02; theta < 2.0; theta *= 1.05) {
        s.x.push_back(theta);
        s.y.push_back(std::abs(interpolator_error(i.kind, ratio, theta)));
      }
      request.series.push_back(std::move(s));
    }
    files_.draw("interpolators", request);
  }

  const StabilityOptions& o_;
  ReportFiles files_;
};

}  // namespace

int interpolator_errors(const StabilityOptions& options) {
  return InterpolatorReport(options).go();
}

}  // namespace chicane::cli
