// SPDX-License-Identifier: Apache-2.0
#include "cli/run/report.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <fstream>

#include "cli/advice.hpp"
#include "cli/wrap.hpp"
#include "core/build_info.hpp"
#include "io/plot/sparkline.hpp"
#include "simulation/highlights.hpp"

namespace chicane::cli {
namespace {

std::string cpu_name() {
  std::ifstream in("/proc/cpuinfo");
  for (std::string line; std::getline(in, line);)
    if (line.rfind("model name", 0) == 0) return line.substr(line.find(':') + 2);
  return "unknown";
}

double simulated(const RunReport& r) { return r.simulation.time() - r.start; }

double frame_us(const RunReport& r) {
  const auto frames = r.simulation.state().frames - r.first_frame;
  return frames > 0 ? 1e6 * r.cpu / static_cast<double>(frames) : 0.0;
}

double over(double simulated, double taken) { return taken > 0 ? simulated / taken : 0.0; }

struct Evaluations {
  std::int64_t startup = 0, extra = 0;
};
Evaluations beside_steps(const Simulation& simulation) {
  Evaluations n;
  for (const GroupState<double>& g : simulation.state().groups) {
    n.startup += g.counts.startup;
    n.extra += g.counts.extra;
  }
  return n;
}

Json method_name(const Simulation& simulation) {  // prk, pece and the reference have none of ours
  const Plan& plan = simulation.plan();
  if (plan.scheme == SchemeKind::single_rate) return plan.method.name;
  if (plan.scheme != SchemeKind::multiframe) return nullptr;
  Json methods = Json::object();
  for (const GroupIndex g : plan.groups.indices())
    methods[simulation.structure().groups[g].name] = plan.groups[g].method.name;
  return methods;
}

void add_accounts(const std::vector<RunAccount>& accounts, Json& j) {
  for (const RunAccount& a : accounts)
    for (const auto& [name, value] : a.figures) j[a.name][name] = value;
}

Json json_of_metrics(const std::vector<MetricValue>& metrics) {
  Json j = Json::object();
  for (const MetricValue& r : metrics) j[r.name] = r.value ? Json(*r.value) : Json();
  return j;
}

constexpr std::size_t kMostShown = 40;                   // signals
constexpr std::size_t kNumbers = 3 * 12;                 // letters of three numbers
constexpr std::size_t kLeastCurve = 6, kMostCurve = 40;  // letters

void print_signals(const RunReport& r) {
  const std::size_t width = r.rows.size();
  if (r.rows.rows() == 0) return;
  const auto& signals = r.simulation.structure().signals;
  // Of a vehicle, which has hundreds, those that one wants to see first.
  const auto highlights = static_cast<std::size_t>(
      std::count_if(r.plan.signals.begin(), r.plan.signals.end(), [&](SignalIndex i) {
        return highlight_rank(signals[i].name) < vehicle_highlights().size();
      }));
  const bool vehicle = width > kMostShown && highlight_rank(signals[r.plan.signals[0]].name) == 0;
  const std::size_t shown = std::min(width, 1 + (vehicle ? highlights : kMostShown));
  std::size_t names = 6, units = 4;
  for (std::size_t c = 1; c < shown; ++c) {
    names = std::max(names, width_of(signals[r.plan.signals[c - 1]].name));
    units = std::max(units, width_of(signals[r.plan.signals[c - 1]].unit));
  }
  const std::size_t used = 2 + names + 1 + units + kNumbers + 2;
  const std::size_t curve =
      used + kLeastCurve <= kLineWidth ? std::min(kMostCurve, kLineWidth - used) : 0;
  fmt::print("\n  {:<{}} {:<{}}{:>12}{:>12}{:>12}\n", "signal", names, "unit", units, "final",
             "least", "most");
  for (std::size_t c = 1; c < shown; ++c) {
    const SignalInfo& s = signals[r.plan.signals[c - 1]];
    const auto k = static_cast<std::size_t>(r.plan.signals[c - 1].value);
    const std::vector<double>& y = r.rows[c];
    fmt::print("  {:<{}} {:<{}}{:>12.5g}{:>12.5g}{:>12.5g}{}{}\n", s.name, names, s.unit, units,
               r.reason.empty() ? r.recorder.latest()[k] : y.back(), r.recorder.least()[k],
               r.recorder.most()[k], curve > 0 ? "  " : "",
               curve > 0 ? sparkline(y, static_cast<int>(curve)) : "");
  }
  if (shown < width)
    fmt::print("  ... and {} more in the results; --output PATTERN selects\n", width - shown);
}

// A line of the summary.
void print_fact(const std::string& text) { fmt::print("  {}\n", wrapped(text, 2, 4)); }

}  // namespace

Json to_json(const RunReport& r) {
  const Simulation& simulation = r.simulation;
  const ModelStructure& structure = simulation.structure();
  const State<double>& state = simulation.state();
  Json j = {{"status", r.reason.empty() ? "ok" : r.reason},
            {"model", structure.name},
            {"scheme", r.scheme},
            {"method", method_name(simulation)},
            {"step", seconds(simulation.plan().step)},
            {"end_time", simulation.time()},
            {"frames", state.frames}};
  Json::object_t last;  // names differ: they are added without a search
  for (int i = 0; i < structure.signals.size() && r.reason.empty(); ++i)
    last.emplace_back(structure.signals[SignalIndex{i}].name,
                      r.recorder.latest()[static_cast<std::size_t>(i)]);
  j["final"] = std::move(last);
  j["evaluations"] = Json::object();
  for (const BlockPlace& b : structure.blocks)
    j["evaluations"][b.label] = state.groups[b.group].counts.steps;
  if (is_multirate(simulation.plan().scheme)) {
    for (const GroupIndex g : state.groups.indices())
      j["ratios"][structure.groups[g].name] = simulation.plan().groups[g].ratio;
  }
  j["order"] = order_of(simulation.plan(), structure).order;
  for (const auto& [name, number] : simulation.counts()) j["counts"][std::string(name)] = number;
  const Evaluations beside = beside_steps(simulation);
  j["startup_evaluations"] = beside.startup;
  j["extra_evaluations"] = beside.extra;
  j["cost"] = {{"frame_us", frame_us(r)},
               {"speedup", over(simulated(r), r.cpu)},
               {"wall_speedup", over(simulated(r), r.wall)}};
  j["metrics"] = json_of_metrics(r.metrics);
  add_accounts(r.accounts, j);
  j["warnings"] = to_json(r.warnings);
  if (r.culprit) j["culprit"] = to_json(*r.culprit);
  if (simulation.stopped()) j["stopped"] = *simulation.stopped();
  if (r.agreement)
    j["check_step"] = {{"digits", r.agreement->digits}, {"signal", r.agreement->signal}};
  if (r.late) j["late_frames"] = *r.late;
  j["out"] = r.directory.string();
  return j;
}

Json start_facts(const std::vector<std::string>& arguments) {
  const BuildInfo& build = build_info();
  const auto now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  return {{"version", build.version},
          {"commit", build.commit},
          {"compiler", build.compiler},
          {"build_type", build.build_type},
          {"flags", build.flags},
          {"cpu", cpu_name()},
          {"date", fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(now))},
          {"arguments", arguments},
          {"seed", nullptr}};
}

Json end_facts(const RunReport& r, const std::vector<std::string>& arguments) {
  Json j = start_facts(arguments);
  j.update({{"end_time", r.simulation.time()},
            {"frames", r.simulation.state().frames},
            {"cpu_s", r.cpu},
            {"wall_s", r.wall},
            {"frame_us", frame_us(r)},
            {"metrics", json_of_metrics(r.metrics)},
            {"warnings", to_json(r.warnings)}});
  add_accounts(r.accounts, j);
  return j;
}

void print_summary(const RunReport& r) {
  const Simulation& simulation = r.simulation;
  const ModelStructure& structure = simulation.structure();
  const State<double>& state = simulation.state();
  fmt::print("{}\n", wrapped(structure.name + (structure.description.empty() ? "" : ": ") +
                                 structure.description,
                             0, 2));
  print_fact(fmt::format("{}, {} frames of {:.6g} s to t = {:.9g} s", r.how, state.frames,
                         seconds(simulation.plan().step), simulation.time()));
  if (simulation.stopped()) print_fact("stopped by an event: " + *simulation.stopped());
  print_fact(fmt::format("frame time {:.3g} us, speed-up {:.3g} over real time (wall {:.3g})",
                         frame_us(r), over(simulated(r), r.cpu), over(simulated(r), r.wall)));
  std::string groups;
  for (const BlockPlace& b : structure.blocks)
    if (groups.find(b.label + " ") == std::string::npos)
      groups += fmt::format("{} {}, ", b.label, state.groups[b.group].counts.steps);
  const Evaluations beside = beside_steps(simulation);
  print_fact(
      fmt::format("evaluations: {}start-up {}, extra {}", groups, beside.startup, beside.extra));
  std::string counted;
  for (const auto& [name, number] : simulation.counts())
    counted += fmt::format("{}{} {}", counted.empty() ? "" : ", ", name, number);
  if (!counted.empty()) print_fact(counted);
  for (const RunAccount& a : r.accounts) print_fact(a.words);
  if (r.late) fmt::print("  frames late in real time: {}\n", *r.late);
  if (r.agreement)
    print_fact(fmt::format("half the step agrees to {:.1f} digits (least: {})", r.agreement->digits,
                           r.agreement->signal));
  print_signals(r);
  if (!r.metrics.empty()) fmt::print("\n");
  for (const MetricValue& m : r.metrics)
    fmt::print("  {} = {} {}\n", m.name, m.value ? fmt::format("{:.6g}", *m.value) : "-", m.unit);
  fmt::print("\n  results in {}{}\n", r.directory.string(),
             r.plotted ? " (plot.png, plot.svg)" : "");
}

}  // namespace chicane::cli
