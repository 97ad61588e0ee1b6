// SPDX-License-Identifier: Apache-2.0
#include "analysis/compare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "analysis/limit.hpp"
#include "assembly/assemble.hpp"
#include "cli/commands.hpp"
#include "cli/json.hpp"
#include "cli/report_files.hpp"
#include "cli/shared.hpp"
#include "io/plot/plot.hpp"
#include "io/reader/reader.hpp"
#include "simulation/plan.hpp"

namespace chicane::cli {
namespace {

using Words = std::vector<std::string>;

// What a row of the grid says to the run section; empty where its scheme has no use for it.
struct Choice {
  std::string scheme, method, ratio, interp, step;
  [[nodiscard]] std::string same_but_step() const {
    return fmt::format("{}|{}|{}|{}", scheme, method, ratio, interp);
  }
};

struct Row {
  Choice choice;
  std::string method;  // as shown
  Plan plan;
  PlanQuality quality;
  std::optional<double> stable_step;
};

bool is_pece(const std::string& scheme) { return scheme.starts_with("pece"); }
bool has_methods(const std::string& scheme) {
  return scheme == "single-rate" || scheme == "multiframe";
}
bool has_ratio(const std::string& scheme) { return scheme == "multiframe" || is_pece(scheme); }

void add_once(Words& to, const std::string& word) {
  if (std::find(to.begin(), to.end(), word) == to.end()) to.push_back(word);
}

class Grid {
 public:
  Grid(const CompareOptions& options, const Spec& spec, const RunPlan& base)
      : o_(options), spec_(spec), base_(base) {
    for (const BlockSpec& b : spec.blocks) add_once(groups_, b.group);
  }

  [[nodiscard]] std::vector<Choice> choices() const {
    std::vector<Choice> all;
    const Words none{""};
    for (const std::string& scheme : schemes())
      for (const std::string& method : has_methods(scheme) ? methods(scheme) : none)
        for (const std::string& ratio : has_ratio(scheme) ? ratios(scheme) : none)
          for (const std::string& interp : has_ratio(scheme) ? interps(scheme) : none)
            for (const std::string& step : steps())
              all.push_back({scheme, method, ratio, interp, step});
    return all;
  }

  // The Spec of one row.
  [[nodiscard]] Spec applied(const Choice& c) const {
    Spec spec = spec_;
    RunSpec& run = spec.run;
    const auto set = [](Text& to, const std::string& text, const char* option) {
      if (!text.empty()) to = {text, {option, 0, ""}};
    };
    set(run.scheme, c.scheme, "--schemes");
    set(run.method, c.method, "--methods");
    set(run.ratio, c.ratio, "--ratios");
    set(run.interp, c.interp, "--interps");
    set(run.step, c.step, "--steps");
    for (RunGroupSpec& g : run.groups) {  // what a file says of one group gives way to the row
      if (!c.method.empty()) g.method = {};
      if (!c.ratio.empty() && !g.ratio.empty() && g.ratio.text != "1") g.ratio = run.ratio;
    }
    return spec;
  }

 private:
  [[nodiscard]] Words schemes() const {
    if (!o_.schemes.empty()) return o_.schemes;
    if (groups_.size() < 2) return {"single-rate"};
    if (groups_.size() > 2) return {"single-rate", "multiframe", "prk"};
    return {"single-rate", "multiframe", "prk", "pece-multirate"};
  }
  [[nodiscard]] Words methods(const std::string& scheme) const {
    if (!o_.methods.empty()) return o_.methods;
    Words words;
    if (scheme == "single-rate") {
      add_once(words, base_.plan.method.name);
      add_once(words, "rk4");
    }
    add_once(words, "ab2");
    return words;
  }
  [[nodiscard]] Words ratios(const std::string& scheme) const {
    if (!o_.ratios.empty()) return o_.ratios;
    int most = 1;
    for (const Text* t : model_ratios()) most = std::max(most, std::atoi(t->text.c_str()));
    Words words;
    if (!is_pece(scheme))
      for (const int r : {1, std::max(1, most / 2)}) add_once(words, std::to_string(r));
    add_once(words, std::to_string(most));
    return words;
  }
  [[nodiscard]] std::vector<const Text*> model_ratios() const {
    std::vector<const Text*> all{&spec_.run.ratio};
    for (const RunGroupSpec& g : spec_.run.groups) all.push_back(&g.ratio);
    return all;
  }
  [[nodiscard]] Words interps(const std::string& scheme) const {
    if (!o_.interps.empty()) return o_.interps;
    const InterpolatorInfo* own = find_interpolator(spec_.run.interp.text);
    if (own == nullptr || (is_pece(scheme) && (!own->ahead || own->rate))) return {"interp1"};
    return {std::string(own->name)};
  }
  [[nodiscard]] Words steps() const {
    if (!o_.steps.empty()) return o_.steps;
    Words words;
    for (const double factor : {0.5, 1.0, 2.0})
      words.push_back(fmt::format("{:.12g} s", factor * seconds(base_.plan.step)));
    return words;
  }

  const CompareOptions& o_;
  const Spec& spec_;
  const RunPlan& base_;
  Words groups_;
};

class CompareReport {
 public:
  CompareReport(const CompareOptions& options, Spec spec, RunPlan base,
                std::shared_ptr<const ModelStructure> structure)
      : o_(options),
        spec_(std::move(spec)),
        base_(std::move(base)),
        structure_(std::move(structure)) {
    for (const SignalIndex i : base_.signals) names_.push_back(structure_->signals[i].name);
  }

  int go() {
    Diagnostics faults;
    if (!plan_rows(faults)) return refuse(faults, o_.base.json);
    if (!files_.open(o_.base.plot, o_.base.out, structure_->name,
                     {"compare.json", "compare.png", "compare.svg"}, o_.base.json))
      return kBadInput;
    Comparison comparison(spec_, names_, base_.until, cpu_seconds);
    for (Row& row : rows_) row.quality = comparison.measure(row.plan);
    time_again(comparison);
    if (o_.limits) find_limits(comparison);
    std::stable_sort(rows_.begin(), rows_.end(), [](const Row& a, const Row& b) {
      if (a.quality.stable != b.quality.stable) return a.quality.stable;
      return a.quality.cost_us < b.quality.cost_us;
    });
    if (o_.base.plot) plot();
    const Json found = json();
    files_.write("compare.json", found.dump(2) + "\n");
    files_.finish();
    show(found, o_.base.json, [this] { print(); });
    return kOk;
  }

 private:
  // Rows that make no sense for the model are left out; a value that was asked for and is good for
  // no row is a fault.
  bool plan_rows(Diagnostics& faults) {
    const Grid grid(o_, spec_, base_);
    std::map<std::string, bool> good;  // by "option value"
    std::map<std::string, std::vector<Diagnostic>> why;
    for (const Choice& c : grid.choices()) {
      Diagnostics diag;
      Spec spec = grid.applied(c);
      resolve_run_files(spec, diag);
      const auto structure = diag.ok() ? compile_for_run(spec, diag) : nullptr;
      const auto plan = structure ? plan_run(spec, *structure, diag) : std::nullopt;
      const bool usable = plan && plan->plan.scheme != SchemeKind::reference;
      if (plan && !usable)
        diag.error({"--schemes", 0, ""}, "the others are compared with the reference already");
      for (const std::string& value :
           {"s " + c.scheme, "m " + c.method, "r " + c.ratio, "i " + c.interp, "h " + c.step}) {
        good[value] = good[value] || usable;
        if (!usable && !why.contains(value)) why[value] = diag.all();
      }
      if (usable) rows_.push_back({c, method_of(plan->plan), plan->plan, {}, {}});
    }
    const std::pair<const char*, const Words&> asked[] = {{"s ", o_.schemes},
                                                          {"m ", o_.methods},
                                                          {"r ", o_.ratios},
                                                          {"i ", o_.interps},
                                                          {"h ", o_.steps}};
    for (const auto& [key, words] : asked)
      for (const std::string& word : words)
        if (const auto found = good.find(key + word); found != good.end() && !found->second)
          for (const Diagnostic& d : why[key + word]) faults.add(d);
    if (faults.ok() && rows_.empty())
      for (const auto& [value, diagnostics] : why)
        for (const Diagnostic& d : diagnostics) faults.add(d);
    return faults.ok();
  }

  static std::string method_of(const Plan& plan) {
    if (plan.scheme == SchemeKind::prk) return plan.pair.name;
    return has_methods(std::string(scheme_name(plan.scheme))) ? plan.method.name : "ab4-am4";
  }

  // Rounds over all rows, so that what else the machine does hits none of them alone.
  void time_again(const Comparison& comparison) {
    constexpr int kRounds = 2;
    constexpr double kShort = 0.3e6;  // [us] runs that are longer are measured well enough
    for (int round = 0; round < kRounds; ++round)
      for (Row& row : rows_)
        if (row.quality.stable && row.quality.cost_us * seconds(base_.until) < kShort)
          row.quality.cost_us = std::min(row.quality.cost_us, comparison.cost(row.plan));
  }

  void find_limits(const Comparison& comparison) {
    std::map<std::string, std::optional<double>> known;
    for (Row& row : rows_) {
      const auto [at, fresh] = known.try_emplace(row.choice.same_but_step());
      if (fresh) {
        const Limit limit = find_limit(comparison.structure(row.plan.scheme), row.plan,
                                       {.settle = seconds(base_.settle)});
        if (limit.outcome == Limit::Outcome::found) at->second = limit.stable;
      }
      row.stable_step = at->second;
      if (at->second && seconds(row.plan.step) > *at->second) row.quality.stable = false;
    }
  }

  // --- what is shown ---

  // No other row is both cheaper and more accurate.
  [[nodiscard]] bool worth_it(const Row& row) const {
    return row.quality.stable && std::none_of(rows_.begin(), rows_.end(), [&](const Row& other) {
             return other.quality.stable && other.quality.cost_us < row.quality.cost_us &&
                    other.quality.error <= row.quality.error;
           });
  }

  [[nodiscard]] Json json_of(const Row& row) const {
    const PlanQuality& q = row.quality;
    const auto if_stable = [&](double v) { return q.stable ? Json(v) : Json(nullptr); };
    Json means = Json::object();
    for (std::size_t i = 0; i < names_.size(); ++i)
      means[names_[i]] = if_stable(q.mean_abs_error[i]);
    return {{"scheme", row.choice.scheme},
            {"method", row.method},
            {"step", seconds(row.plan.step)},
            {"ratio", row.choice.ratio.empty() ? 1 : std::atoi(row.choice.ratio.c_str())},
            {"interp", row.choice.interp.empty() ? Json(nullptr) : Json(row.choice.interp)},
            {"error", if_stable(q.error)},
            {"worst_signal", q.stable && !q.worst.empty() ? Json(q.worst) : Json(nullptr)},
            {"mean_error", if_stable(q.mean_abs_error.front())},
            {"mean_abs_error", means},
            {"cost_us", if_stable(q.cost_us)},
            {"speedup", if_stable(1e6 / q.cost_us)},
            {"stable", q.stable},
            {"stable_step", row.stable_step ? Json(*row.stable_step) : Json(nullptr)},
            {"best", worth_it(row)}};
  }

  [[nodiscard]] Json json() const {
    Json rows = Json::array(), signals = Json::array();
    for (const Row& row : rows_) rows.push_back(json_of(row));
    for (const SignalIndex i : base_.signals)
      signals.push_back(
          {{"name", structure_->signals[i].name}, {"unit", structure_->signals[i].unit}});
    Json j = {{"status", "ok"},
              {"model", structure_->name},
              {"until", seconds(base_.until)},
              {"signals", signals},
              {"rows", rows}};
    files_.describe(j);
    return j;
  }

  void print() const {
    fmt::print("{}: {:.6g} s beside the reference, {} signal{}\n\n", structure_->name,
               seconds(base_.until), names_.size(), names_.size() == 1 ? "" : "s");
    fmt::print("    {:<24} {:<8} {:>5} {:<8} {:>9} {:>10} {:>10} {:>9}{}\n", "scheme", "method",
               "ratio", "interp", "step [s]", "error", "us per s", "speed-up",
               o_.limits ? "  stable step [s]" : "");
    for (const Row& row : rows_) {
      const PlanQuality& q = row.quality;
      fmt::print("  {} {:<24} {:<8} {:>5} {:<8} {:>9.4g}", worth_it(row) ? "*" : " ",
                 row.choice.scheme, row.method, row.choice.ratio, row.choice.interp,
                 seconds(row.plan.step));
      if (q.stable)
        fmt::print(" {:>10.3g} {:>10.4g} {:>9.3g}", q.error, q.cost_us, 1e6 / q.cost_us);
      else
        fmt::print(" {:>10} {:>10} {:>9}", "unstable", "", "");
      if (o_.limits)
        fmt::print("  {:>15}", row.stable_step ? fmt::format("{:.4g}", *row.stable_step) : "-");
      fmt::print("\n");
    }
    fmt::print(
        "\n  * no other is both cheaper and more accurate\n"
        "  error: the largest at a frame, over the peak of the reference\n");
    if (!files_.place().empty())
      fmt::print("  compare.json{} in {}\n", o_.base.plot ? ", compare.png, compare.svg" : "",
                 files_.place());
  }

  // One series per scheme and method; lines join the steps of one ratio and interpolator.
  void plot() {
    PlotRequest request{.title = fmt::format("{}: error over cost, {:.6g} s", structure_->name,
                                             seconds(base_.until)),
                        .x_label = "CPU time per simulated second",
                        .x_unit = "us",
                        .y_label = "error over peak",
                        .log_x = true,
                        .log_y = true,
                        .markers = true};
    std::map<std::string, std::map<std::string, std::vector<const Row*>>> by_name;
    for (const Row& row : rows_)
      if (row.quality.stable)
        by_name[row.choice.scheme + " " + row.method][row.choice.same_but_step()].push_back(&row);
    for (const auto& [name, lines] : by_name) {
      PlotSeries series{.name = name};
      for (const auto& [key, points] : lines) {
        if (!series.x.empty()) {
          series.x.push_back(std::numeric_limits<double>::quiet_NaN());
          series.y.push_back(std::numeric_limits<double>::quiet_NaN());
        }
        for (const Row* row : points) {
          series.x.push_back(row->quality.cost_us);
          series.y.push_back(row->quality.error);
        }
      }
      request.series.push_back(std::move(series));
    }
    if (!request.series.empty()) files_.draw("compare", request);
  }

  const CompareOptions& o_;
  Spec spec_;
  RunPlan base_;
  std::shared_ptr<const ModelStructure> structure_;
  Words names_;
  std::vector<Row> rows_;
  ReportFiles files_;
};

// The signals in the order they were asked for: the first is the one of `mean_error`.
void sort_by_pattern(std::vector<SignalIndex>& signals, const ModelStructure& structure,
                     const Words& patterns) {
  const auto place = [&](SignalIndex i) {
    return std::find_if(patterns.begin(), patterns.end(), [&](const std::string& pattern) {
      return matches(pattern, structure.signals[i].name);
    });
  };
  std::stable_sort(signals.begin(), signals.end(),
                   [&](SignalIndex a, SignalIndex b) { return place(a) < place(b); });
}

}  // namespace

int compare(const CompareOptions& options) {
  Diagnostics diag;
  auto trial = load_trial(options.base, options.signals, diag);
  if (!trial) return refuse(diag, options.base.json);
  if (!options.signals.empty())
    sort_by_pattern(trial->run.signals, *trial->structure, options.signals);
  return CompareReport(options, std::move(trial->spec), std::move(trial->run), trial->structure)
      .go();
}

}  // namespace chicane::cli
