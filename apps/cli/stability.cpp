// SPDX-License-Identifier: Apache-2.0
#include "cli/stability.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <filesystem>
#include <variant>

#include "analysis/dynamic_error.hpp"
#include "analysis/region.hpp"
#include "analysis/stability.hpp"
#include "cli/json.hpp"
#include "cli/report_files.hpp"
#include "cli/shared.hpp"
#include "integrators/order.hpp"
#include "io/reader/reader.hpp"

namespace chicane::cli {
namespace {

using Complex = std::complex<double>;

constexpr double kLooseGrowth = 1e-6;  // a step

std::string fraction_or_number(double v) {
  const auto f = as_fraction(v);
  return f ? to_string(*f) : fmt::format("{:.6g}", v);
}

Json exact_or_null(double v) {
  const auto f = as_fraction(v);
  return f ? Json(to_string(*f)) : Json(nullptr);
}

// --- what is looked at ---

// A name or file of the command line: a method, or the slow and the fast tableau of a pair.
struct StabilityItem {
  std::string name;
  int order = 1;
  std::vector<Method> methods;  // one, or slow and fast

  [[nodiscard]] bool pair() const { return methods.size() == 2; }
};

Method tableau(const TableauPair& pair, const char* part, const Coefficients<double>& k) {
  constexpr double kDigits = 1e-7;  // as for the pair: eight digits will do
  return {.name = pair.name + " " + part,
          .source = pair.source,
          .use = pair.use,
          .order = order_of(k, kMostVerifiedOrder, kDigits),
          .k = k};
}

// The order is the one the coefficients have, not less because a file claims less.
StabilityItem item_of(MethodOrPair what) {
  if (auto* m = std::get_if<Method>(&what)) {
    m->order = std::max(m->order, verified_order(m->k));
    return {m->name, m->order, {*m}};
  }
  const auto& pair = std::get<TableauPair>(what);
  return {pair.name,
          std::max(pair.order, verified_order(pair)),
          {tableau(pair, "slow", pair.slow), tableau(pair, "fast", pair.fast)}};
}

void check_values(const StabilityOptions& o, bool interpolators, Diagnostics& diag) {
  for (const double zeta : o.zeta)
    if (!(zeta >= 0.0 && zeta <= 1.0))
      diag.error({"--zeta", 0, ""}, "a damping ratio is from 0 to 1, not {}", zeta);
  for (const double size : o.sizes)
    if (!(size > 0.0 && size <= 100.0))
      diag.error({"--sizes", 0, ""}, "a size is above 0 and at most 100, not {}", size);
  for (const int ratio : o.ratios)
    if (ratio < 1 || ratio > 1000)
      diag.error({"--ratio", 0, ""}, "a ratio is from 1 to 1000, not {}", ratio);
  if (!interpolators && !o.ratios.empty())
    diag.error({"--ratio", 0, ""}, "methods have none; it goes with 'stability interpolators'");
  if (interpolators && (o.error || !o.zeta.empty()))
    diag.error({o.error ? "--error" : "--zeta", 0, ""}, "it goes with methods, not interpolators");
  if (!(o.omega > 0.0 && o.omega <= 100.0))
    diag.error({"--omega", 0, ""}, "a frequency is above 0 and at most 100, not {}", o.omega);
}

// --- errors ---

// Dynamic errors at one size of the step, exact and asymptotic.
struct Both {
  double exact = 0, asymptotic = 0;
};
struct ErrorRow {
  double size = 0;
  std::complex<double> root, asymptotic_root;
  Both frequency, damping;  // of the mode
  Both integrator_gain, integrator_phase;
  Both first_gain, first_phase;    // first-order system
  Both second_gain, second_phase;  // second-order system
};
// The mode has no frequency at zeta = 1, and no response at its resonance without damping.
bool swings(double zeta) { return zeta < 1.0; }
bool responds(double zeta, double omega) { return zeta < 1.0 && (zeta > 0.0 || omega != 1.0); }

ErrorRow error_row(const DynamicError& e, double zeta, double size, double omega) {
  const double theta = omega * size;
  const auto set = [](Both& gain, Both& phase, Complex exact, Complex asymptotic) {
    const GainPhase x = gain_phase(exact), a = asymptotic_gain_phase(asymptotic);
    gain = {x.gain, a.gain};
    phase = {x.phase, a.phase};
  };
  ErrorRow r{.size = size};
  const Complex z = size * mode_direction(zeta);
  r.root = e.root(z);
  r.asymptotic_root = e.asymptotic_root(z);
  if (swings(zeta)) {
    const ModeError x = mode_error(zeta, r.root),
                    a = asymptotic_mode_error(zeta, r.asymptotic_root);
    r.frequency = {x.frequency, a.frequency};
    r.damping = {x.damping, a.damping};
  }
  set(r.integrator_gain, r.integrator_phase, e.response(0.0, theta),
      e.asymptotic_response(0.0, theta));
  set(r.first_gain, r.first_phase, e.response(-size, theta), e.asymptotic_response(-size, theta));
  if (responds(zeta, omega))
    set(r.second_gain, r.second_phase, e.mode_response(zeta, size, theta),
        e.asymptotic_mode_response(zeta, size, theta));
  return r;
}

// --- JSON ---

Json term_json(const ErrorSeries::Term& term) {
  const double c = term.coefficient.real();
  return {{"coefficient", c}, {"exact", exact_or_null(c)}, {"power", term.power}};
}

Json both_json(const Both& b) { return {{"exact", b.exact}, {"asymptotic", b.asymptotic}}; }

Json response_json(const Both& gain, const Both& phase) {
  return {{"gain", both_json(gain)}, {"phase", both_json(phase)}};
}

Json row_json(const ErrorRow& r, double zeta, double omega) {
  const auto complex = [](Complex z) { return Json{z.real(), z.imag()}; };
  Json j = {{"lambda_h", r.size},
            {"root", {{"exact", complex(r.root)}, {"asymptotic", complex(r.asymptotic_root)}}},
            {"frequency", nullptr},
            {"damping", nullptr},
            {"integrator", response_json(r.integrator_gain, r.integrator_phase)},
            {"first_order", response_json(r.first_gain, r.first_phase)},
            {"second_order", nullptr}};
  if (swings(zeta)) {
    j["frequency"] = both_json(r.frequency);
    j["damping"] = both_json(r.damping);
  }
  if (responds(zeta, omega)) j["second_order"] = response_json(r.second_gain, r.second_phase);
  return j;
}

class StabilityReport {
 public:
  StabilityReport(const StabilityOptions& o, std::vector<StabilityItem> items)
      : o_(o), items_(std::move(items)) {
    for (const StabilityItem& item : items_)
      methods_.insert(methods_.end(), item.methods.begin(), item.methods.end());
  }

  int go() {
    if (!files_.open(
            o_.plot, o_.out, "stability",
            {"stability.json", "stability.png", "stability.svg", "errors.png", "errors.svg"},
            o_.json))
      return kBadInput;
    if (o_.plot) files_.draw("stability", regions_of(methods_));
    if (o_.plot && o_.error) files_.draw("errors", errors_of(methods_, error_zeta().front()));
    const Json j = json();
    if (!files_.place().empty()) files_.write("stability.json", with_locus(j).dump(2) + "\n");
    files_.finish();
    show(j, o_.json, [this] { print(); });
    return kOk;
  }

 private:
  [[nodiscard]] std::vector<double> table_zeta() const {
    return o_.zeta.empty() ? std::vector{0.0, 0.01, 0.05, 0.1, 0.2, 0.5, 1.0} : o_.zeta;
  }
  [[nodiscard]] std::vector<double> error_zeta() const {
    return o_.zeta.empty() ? std::vector{0.3} : o_.zeta;
  }
  [[nodiscard]] std::vector<double> sizes() const {
    return o_.sizes.empty() ? std::vector{0.01, 0.02, 0.05, 0.1, 0.2, 0.5} : o_.sizes;
  }

  [[nodiscard]] Json method_json(const Method& m) const {
    Json j = {{"name", m.name},
              {"order", m.order},
              {"evaluations", evaluations(m)},
              {"old_derivatives", m.k.old},
              {"real_limit", real_limit(m)},
              {"imaginary_limit", imaginary_limit(m)},
              {"loose_imaginary_limit", growth_limit(m, mode_direction(0.0), kLooseGrowth)},
              {"polynomial", nullptr},
              {"polynomial_exact", nullptr}};
    if (m.k.old == 0) {
      j["polynomial"] = j["polynomial_exact"] = Json::array();
      for (const double c : stability_polynomial(m)) {
        const auto f = as_fraction(c);
        j["polynomial"].push_back(f ? f->value() : c);
        j["polynomial_exact"].push_back(exact_or_null(c));
      }
    }
    j["damping_limits"] = Json::array();
    for (const double zeta : table_zeta())
      j["damping_limits"].push_back({{"zeta", zeta}, {"limit", damping_limit(m, zeta)}});
    const DynamicError error(m);
    j["root_error"] = term_json(error.root_term());
    j["integrator_error"] = term_json(error.integrator_term());
    if (o_.error) {
      j["errors"] = Json::array();
      for (const double zeta : error_zeta()) {
        Json rows = Json::array();
        for (const double size : sizes())
          rows.push_back(row_json(error_row(error, zeta, size, o_.omega), zeta, o_.omega));
        j["errors"].push_back({{"zeta", zeta}, {"omega", o_.omega}, {"rows", rows}});
      }
    }
    return j;
  }

  // The fast tableau sets the step of a pair: its figures are those of the pair.
  [[nodiscard]] Json item_json(const StabilityItem& item) const {
    if (!item.pair()) return method_json(item.methods.front());
    Json j = method_json(item.methods.back());
    const Json fast = j;
    j["name"] = item.name;
    j["order"] = item.order;
    j["slow"] = method_json(item.methods.front());
    j["fast"] = fast;
    return j;
  }

  [[nodiscard]] Json json() const {
    Json j = {{"status", "ok"}};
    if (items_.size() == 1) {
      j.update(item_json(items_.front()));
    } else {
      j["methods"] = Json::array();
      for (const StabilityItem& item : items_) j["methods"].push_back(item_json(item));
    }
    files_.describe(j);
    return j;
  }

  [[nodiscard]] Json with_locus(Json j) const {
    j["locus"] = Json::object();
    for (const Method& m : methods_)
      for (const Curve& branch : boundary_locus(m, 360)) {
        Json points = Json::array();
        for (const Complex& z : branch) points.push_back({z.real(), z.imag()});
        j["locus"][m.name].push_back(points);
      }
    return j;
  }

  // --- tables ---

  void print() const {
    if (methods_.size() == 1)
      print_one(methods_.front());
    else
      print_several();
    print_damping();
    if (o_.error)
      for (const Method& m : methods_) print_errors(m);
    if (!files_.place().empty())
      fmt::print("\n{}stability.json in {}\n",
                 !o_.plot   ? ""
                 : o_.error ? "stability.png, stability.svg, errors.png, errors.svg, "
                            : "stability.png, stability.svg, ",
                 files_.place());
  }

  static std::string term_text(const ErrorSeries::Term& term, const char* what) {
    return fmt::format("{} ({})^{}", fraction_or_number(term.coefficient.real()), what, term.power);
  }

  static void print_one(const Method& m) {
    const DynamicError error(m);
    const double imaginary = imaginary_limit(m);
    fmt::print("{}: order {}, {} evaluation{} a step, {}\n", m.name, m.order, evaluations(m),
               evaluations(m) == 1 ? "" : "s",
               m.k.old == 0 ? "one-step"
                            : fmt::format("{} old derivative{}", m.k.old, m.k.old == 1 ? "" : "s"));
    fmt::print("  real limit        {:.5g}\n", real_limit(m));
    fmt::print("  imaginary limit   {:.5g}", imaginary);
    if (imaginary == 0.0)
      fmt::print(" (growth is below 1e-6 a step up to {:.3g})",
                 growth_limit(m, mode_direction(0.0), kLooseGrowth));
    fmt::print("\n");
    if (m.k.old == 0) {
      std::string terms;
      const auto p = stability_polynomial(m);
      for (std::size_t k = 0; k < p.size(); ++k)
        terms +=
            fmt::format("{}{}{}", k == 0 ? "" : ", ", fraction_or_number(p[k]),
                        k == 0 ? "" : fmt::format(" z{}", k == 1 ? "" : fmt::format("^{}", k)));
      fmt::print("  polynomial        {}\n", terms);
    }
    fmt::print("  root error        {}\n", term_text(error.root_term(), "lambda h"));
    fmt::print("  integrator error  {}\n", term_text(error.integrator_term(), "i omega h"));
  }

  void print_several() const {
    fmt::print("{:<14} {:>5} {:>5} {:>8} {:>8} {:>10} {:>10}  {}\n", "method", "order", "evals",
               "real", "imag", "real/eval", "imag/eval", "root error");
    for (const Method& m : methods_) {
      const double real = real_limit(m), imaginary = imaginary_limit(m);
      const int n = evaluations(m);
      fmt::print("{:<14} {:>5} {:>5} {:>8.4g} {:>8.4g} {:>10.4g} {:>10.4g}  {}\n", m.name, m.order,
                 n, real, imaginary, real / n, imaginary / n,
                 term_text(DynamicError(m).root_term(), "lambda h"));
    }
  }

  void print_damping() const {
    fmt::print("\nlargest stable |lambda| h of a mode, by its damping ratio\n{:<14}", "");
    for (const double zeta : table_zeta()) fmt::print(" {:>7.4g}", zeta);
    fmt::print("\n");
    for (const Method& m : methods_) {
      fmt::print("{:<14}", m.name);
      for (const double zeta : table_zeta()) fmt::print(" {:>7.4g}", damping_limit(m, zeta));
      fmt::print("\n");
    }
  }

  void print_errors(const Method& m) const {
    const DynamicError error(m);
    for (const double zeta : error_zeta()) {
      std::vector<ErrorRow> rows;
      for (const double size : sizes()) rows.push_back(error_row(error, zeta, size, o_.omega));
      fmt::print("\n{}: errors, exact and by the leading term\n", m.name);
      if (swings(zeta))
        print_table(fmt::format("root of a mode, damping ratio {:g}", zeta), "frequency", "damping",
                    rows, &ErrorRow::frequency, &ErrorRow::damping);
      const std::string sine = fmt::format("sine at omega = {:g} |lambda|", o_.omega);
      print_table("integrator, " + sine, "gain", "phase", rows, &ErrorRow::integrator_gain,
                  &ErrorRow::integrator_phase);
      print_table("first-order system, " + sine, "gain", "phase", rows, &ErrorRow::first_gain,
                  &ErrorRow::first_phase);
      if (responds(zeta, o_.omega))
        print_table(fmt::format("second-order system, damping ratio {:g}, {}", zeta, sine), "gain",
                    "phase", rows, &ErrorRow::second_gain, &ErrorRow::second_phase);
    }
  }

  static void print_table(const std::string& title, const char* left, const char* right,
                          const std::vector<ErrorRow>& rows, Both ErrorRow::*a, Both ErrorRow::*b) {
    fmt::print("  {}\n  {:>9} {:>12} {:>12} {:>12} {:>12}\n", title, "|lambda|h", left, "formula",
               right, "formula");
    for (const ErrorRow& r : rows)
      fmt::print("  {:>9.4g} {:>12.4g} {:>12.4g} {:>12.4g} {:>12.4g}\n", r.size, (r.*a).exact,
                 (r.*a).asymptotic, (r.*b).exact, (r.*b).asymptotic);
  }

  const StabilityOptions& o_;
  std::vector<StabilityItem> items_;
  std::vector<Method> methods_;
  ReportFiles files_;
};

}  // namespace

int stability(const StabilityOptions& options) {
  Diagnostics diag;
  const bool interpolators = options.names == std::vector<std::string>{"interpolators"};
  check_values(options, interpolators, diag);
  if (interpolators) return diag.ok() ? interpolator_errors(options) : refuse(diag, options.json);
  std::vector<StabilityItem> items;
  for (const std::string& name : options.names)
    if (auto found = read_method_or_pair(name, diag)) items.push_back(item_of(std::move(*found)));
  if (!diag.ok()) return refuse(diag, options.json);
  return StabilityReport(options, std::move(items)).go();
}

}  // namespace chicane::cli
