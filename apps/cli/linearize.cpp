// SPDX-License-Identifier: Apache-2.0
#include "analysis/linearize.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analysis/along.hpp"
#include "analysis/trim.hpp"
#include "cli/advice.hpp"
#include "cli/commands.hpp"
#include "cli/json.hpp"
#include "cli/report_files.hpp"
#include "cli/say.hpp"
#include "cli/shared.hpp"
#include "core/time_base.hpp"
#include "io/plot/plot.hpp"
#include "session/load.hpp"
#include "session/prepare.hpp"
#include "simulation/plan.hpp"

namespace chicane::cli {
namespace {

using Complex = std::complex<double>;

constexpr GroupIndex kAll{0};
constexpr double kStandstill = 1e-12;  // [SI] a drift that is only rounding

// --hold and --free, looked up.
class TrimOptions {
 public:
  TrimOptions(const LinearizeOptions& options, const ModelStructure& structure, Diagnostics& diag)
      : s_(structure), diag_(diag) {
    for (const std::string& text : options.hold) hold(text);
    for (const std::string& name : options.free) free(name);
    if (!options.trim && !(options.hold.empty() && options.free.empty()))
      diag.error({options.hold.empty() ? "--free" : "--hold", 0, ""}, "it belongs to --trim");
  }
  [[nodiscard]] const TrimRequest& request() const { return request_; }

 private:
  void hold(const std::string& text) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos) {
      diag_.error({"--hold", 0, text}, "write --hold STATE=VALUE, e.g. --hold \"v=20 m/s\"");
      return;
    }
    const std::string name = text.substr(0, equals), value = text.substr(equals + 1);
    const auto& states = s_.groups[kAll].states;
    std::vector<std::string_view> known;
    for (std::size_t i = 0; i < states.size(); ++i) {
      const StateInfo& x = s_.states[states[i]];
      known.push_back(x.name);
      if (x.name != name) continue;
      if (const auto v = value_of(value, name, s_.signals[x.signal].conversion.dimension))
        request_.hold.emplace_back(static_cast<int>(i), *v);
      return;
    }
    diag_.error({"--hold", 0, name}, "there is no state '{}'{}", name, did_you_mean(name, known));
  }

  // A bare number is in the SI unit.
  std::optional<double> value_of(const std::string& text, const std::string& name,
                                 const Dimension& dimension) {
    const auto parsed = parse_quantity(text);
    const auto* q = std::get_if<Quantity>(&parsed);
    if (q != nullptr && (q->unit.empty() || q->dimension == dimension)) return q->value;
    if (q == nullptr)
      diag_.error({"--hold", 0, name}, "{}", std::get<UnitError>(parsed).message);
    else
      diag_.error({"--hold", 0, name}, "'{}' is {}, but {} is {}", text,
                  quantity_name(q->dimension), name, quantity_name(dimension));
    return std::nullopt;
  }

  void free(const std::string& name) {
    std::vector<std::string_view> known;
    const auto look = [&](const auto& list, Variable::Kind kind) {
      for (const auto i : list.indices()) {
        known.push_back(list[i].name);
        if (list[i].name == name) request_.free.push_back({kind, i.value});
      }
    };
    const std::size_t before = request_.free.size();
    look(s_.inputs, Variable::Kind::input);
    look(s_.parameters, Variable::Kind::parameter);
    if (request_.free.size() == before)
      diag_.error({"--free", 0, name}, "there is no input or parameter '{}'{}", name,
                  did_you_mean(name, known));
  }

  const ModelStructure& s_;
  Diagnostics& diag_;
  TrimRequest request_;
};

// What C and D are about: the outputs of the model and the signals its run section names; where it
// has neither, all that is computed. --output names others.
std::vector<SignalIndex> outputs_of(const ModelStructure& s, const Spec& spec, const RunPlan& plan,
                                    bool asked) {
  std::vector<SignalIndex> list;
  if (!asked)
    for (const SignalIndex i : s.signals.indices())
      if (s.signals[i].kind == SignalInfo::Kind::output) list.push_back(i);
  const bool named = !spec.run.signals.empty();
  if (!named && !list.empty()) return list;
  for (const SignalIndex i : plan.signals)
    if ((named || s.signals[i].kind != SignalInfo::Kind::input) &&
        std::find(list.begin(), list.end(), i) == list.end())
      list.push_back(i);
  return list;
}

Json json_of_eigenvalues(const std::vector<Complex>& values) {
  Json list = Json::array();
  for (const Complex v : values) list.push_back({v.real(), v.imag()});
  return list;
}

std::string in_words(Complex v) {
  return v.imag() == 0.0 ? fmt::format("{:.4g}", v.real())
                         : fmt::format("{:.4g} +- {:.4g}i", v.real(), v.imag());
}

// Of conjugates only one.
std::string in_words(const std::vector<Complex>& values) {
  std::string text;
  for (const Complex v : values)
    if (v.imag() >= 0) text += (text.empty() ? "" : ",  ") + in_words(v);
  return text;
}

const std::vector<std::string> kFiles = {"linearize.json", "eigenvalues.png", "eigenvalues.svg",
                                         "magnitude.png",  "magnitude.svg",   "real-part.png",
                                         "real-part.svg"};

class LinearizeReport {
 public:
  LinearizeReport(const LinearizeOptions& options, const Spec& spec, RunPlan plan,
                  std::shared_ptr<const ModelStructure> structure)
      : o_(options),
        plan_(std::move(plan)),
        structure_(std::move(structure)),
        outputs_(outputs_of(*structure_, spec, plan_, !options.base.output.empty())),
        simulation_(structure_, plan_.plan) {}

  int go(std::int64_t at, std::int64_t every, const TrimRequest& request) try {
    if (!files_.open(o_.base.plot, o_.base.out, structure_->name, kFiles, o_.base.json))
      return kBadInput;
    if (!run_to(simulation_, at))
      return fail(
          fmt::format("an event ends the run at t = {:.6g} s, before --at", simulation_.time()));
    point_ = point_of(simulation_);
    if (o_.trim && !find_trim(request)) return kRunFailed;
    l_ = chicane::linearize(structure_, point_, {outputs_, true});
    if (const std::string fault = not_finite(); !fault.empty()) return fail(fault);
    if (o_.along) run_along(every);
    if (o_.base.plot) plot();
    const Json found = json();
    files_.write("linearize.json", found.dump(2) + "\n");
    files_.finish();
    show(found, o_.base.json, [this] { print(); });
    return kOk;
  } catch (const RunFailed& e) {
    return fail(e.what());
  }

 private:
  [[nodiscard]] int fail(const std::string& reason) const {
    say("{}: {}\n", structure_->name, reason);
    if (o_.base.json) {
      Json j = {{"status", reason}, {"model", structure_->name}, {"time", simulation_.time()}};
      if (trim_) j["trim"] = json_of_trim();
      print_json(j);
    }
    return kRunFailed;
  }

  [[nodiscard]] const StateInfo& state(std::size_t i) const {
    return structure_->states[structure_->groups[kAll].states[i]];
  }
  [[nodiscard]] std::string name_of(const Variable& v) const {
    return v.kind == Variable::Kind::input ? structure_->inputs[InputIndex{v.index}].name
                                           : structure_->parameters[ParameterIndex{v.index}].name;
  }
  [[nodiscard]] std::string unit_of(const Variable& v) const {
    if (v.kind == Variable::Kind::parameter)
      return to_string(structure_->parameters[ParameterIndex{v.index}].dimension);
    const SignalInfo& s = structure_->signals[structure_->inputs[InputIndex{v.index}].signal];
    return to_string(s.conversion.dimension);
  }
  [[nodiscard]] double value_of(const Variable& v) const {
    const OperatingPoint& at = trim_->at;
    return v.kind == Variable::Kind::input
               ? at.inputs.u[static_cast<std::size_t>(v.index)]
               : at.state.constants[structure_->parameters[ParameterIndex{v.index}].slot];
  }

  bool find_trim(const TrimRequest& request) {
    freed_ = request.free;
    trim_ = trim(structure_, point_, request);
    if (trim_->found) {
      point_ = trim_->at;
      simulation_.restore(point_.state, simulation_.plan());
      simulation_.inputs() = point_.inputs;
      return true;
    }
    const std::string worst =
        trim_->worst < 0 ? "" : state(static_cast<std::size_t>(trim_->worst)).name;
    std::string reason =
        std::isfinite(trim_->residual)
            ? fmt::format(
                  "no steady motion found: after {} the rate of '{}' is still "
                  "{:.3g} of its scale",
                  counted(static_cast<std::size_t>(trim_->iterations), "iteration", "iterations"),
                  worst, trim_->residual)
            : fmt::format("the rate of '{}' or its derivative is not finite here", worst);
    std::vector<std::string> names;
    for (const Variable& v : trim_->remedies) names.push_back(name_of(v));
    reason += names.empty() ? "; free a parameter (--free), or start nearer (--at, --set)"
                            : fmt::format(
                                  "; free an input that would help (--free {}), or start "
                                  "nearer (--at, --set)",
                                  fmt::join(names, ", --free "));
    static_cast<void>(fail(reason));
    return false;
  }

  [[nodiscard]] std::string not_finite() const {
    for (std::size_t i = 0; i < l_.A.size(); ++i)
      for (std::size_t j = 0; j < l_.A.size(); ++j)
        if (!std::isfinite(l_.A[i][j]))
          return fmt::format(
              "the rate of '{}' has no finite derivative by '{}' here; linearise elsewhere (--at, "
              "--set)",
              l_.states[i], l_.states[j]);
    return "";
  }

  void run_along(std::int64_t every) {
    const std::int64_t left = plan_.until - simulation_.state().clock.now();
    if (every == 0) every = std::max<std::int64_t>(left / 100, 1);
    along_ = spectra_along(simulation_, structure_, plan_.until, every);
  }

  // --- what is shown ---

  [[nodiscard]] std::string scheme() const {
    return how(plan_.plan, *structure_) +
           fmt::format(", frames of {:.4g} s", seconds(plan_.plan.step));
  }

  [[nodiscard]] Json json_of_mode(std::size_t k) const {
    Json j = to_json(named(l_, k));
    const Mode& m = l_.modes[k];
    Json part = {
        {"states", Json::object()}, {"blocks", Json::object()}, {"groups", Json::object()}};
    for (std::size_t i = 0; i < l_.states.size(); ++i)
      part["states"][l_.states[i]] = m.participation[i];
    for (const std::string& b : l_.blocks) part["blocks"][b] = l_.participation_of_block(m, b);
    for (const std::string& g : l_.groups) part["groups"][g] = l_.participation_of_group(m, g);
    j["participation"] = part;
    return j;
  }

  [[nodiscard]] Json json_of_trim() const {
    Json states = Json::object(), freed = Json::object(), drift = Json::object();
    for (std::size_t i = 0; i < trim_->rates.size(); ++i) {
      states[state(i).name] = trim_->at.state.groups[kAll].x[i];
      if (trim_->drifts[i]) drift[state(i).name] = trim_->rates[i];
    }
    for (const Variable& v : freed_) freed[name_of(v)] = value_of(v);
    return {{"found", trim_->found},
            {"iterations", trim_->iterations},
            {"residual", trim_->residual},
            {"states", states},
            {"freed", freed},
            {"drift", drift}};
  }

  static Json names(const std::vector<Linearization::Port>& ports) {
    Json list = Json::array();
    for (const auto& p : ports) list.push_back(p.name);
    return list;
  }
  static Json units(const std::vector<Linearization::Port>& ports) {
    Json list = Json::array();
    for (const auto& p : ports) list.push_back(p.unit);
    return list;
  }

  [[nodiscard]] Json json() const {
    Json j = {{"status", "ok"},
              {"model", structure_->name},
              {"time", point_.state.clock.time()},
              {"scheme", scheme()},
              {"states", l_.states},
              {"units", l_.units},
              {"inputs", names(l_.inputs)},
              {"input_units", units(l_.inputs)},
              {"outputs", names(l_.outputs)},
              {"output_units", units(l_.outputs)},
              {"A", l_.A},
              {"B", l_.B},
              {"C", l_.C},
              {"D", l_.D},
              {"eigenvalues", json_of_eigenvalues(l_.eigenvalues)}};
    j["groups"] = j["blocks"] = Json::object();
    j["modes"] = Json::array();
    for (const std::string& g : l_.groups) {
      Json members = Json::array();
      for (const std::size_t i : l_.states_in(g)) members.push_back(l_.states[i]);
      j["groups"][g] = {{"states", members},
                        {"eigenvalues", json_of_eigenvalues(l_.eigenvalues_of(g))}};
      for (const std::string& from : l_.groups) j["blocks"][g][from] = l_.coupling(g, from);
    }
    for (std::size_t k = 0; k < l_.modes.size(); ++k) j["modes"].push_back(json_of_mode(k));
    if (trim_) j["trim"] = json_of_trim();
    if (o_.along) j["along"] = json_of_along();
    files_.describe(j);
    return j;
  }

  [[nodiscard]] Json json_of_along() const {
    Json rows = Json::array();
    for (const SpectrumAt& row : along_) {
      Json groups = Json::object();
      for (std::size_t g = 0; g < l_.groups.size(); ++g)
        groups[l_.groups[g]] = {{"eigenvalues", json_of_eigenvalues(row.groups[g])}};
      rows.push_back({{"time", row.time},
                      {"eigenvalues", json_of_eigenvalues(row.coupled)},
                      {"groups", groups}});
    }
    return rows;
  }

  // "fast 93 %": who takes part most.
  template <class Part>
  static std::string most(const std::vector<std::string>& list, Part part) {
    const auto it = std::max_element(
        list.begin(), list.end(), [&](const auto& a, const auto& b) { return part(a) < part(b); });
    return it == list.end() ? "" : fmt::format("{} {:.0f} %", *it, 100 * part(*it));
  }

  void print() const {
    fmt::print("{} at t = {:.6g} s: {}, {}, {}\n", structure_->name, point_.state.clock.time(),
               counted(l_.states.size(), "state", "states"),
               counted(l_.inputs.size(), "input", "inputs"),
               counted(l_.outputs.size(), "output", "outputs"));
    if (point_.state.clock.now() > 0) fmt::print("  run to there: {}\n", scheme());
    if (trim_) print_trim();
    if (!l_.modes.empty()) print_modes();
    print_groups();
    if (o_.along)
      fmt::print("\n  along the run: {} times from {:.6g} s to {:.6g} s ({})\n", along_.size(),
                 along_.front().time, along_.back().time, scheme());
    if (!files_.place().empty())
      fmt::print("\n  linearize.json{} in {}\n", o_.base.plot ? " and pictures" : "",
                 files_.place());
  }

  void print_modes() const {
    struct Row {
      std::string cells[7];
    };
    std::vector<Row> rows{
        {{"eigenvalue [1/s]", "Hz", "damping", "group", "block", "state", "behind it"}}};
    for (std::size_t k = 0; k < l_.modes.size(); ++k) {
      const Mode& m = l_.modes[k];
      const bool still = m.eigenvalue == 0.0;
      const auto lead = static_cast<std::size_t>(m.leading);
      rows.push_back(
          {{in_words(m.eigenvalue), still ? "" : fmt::format("{:.4g}", m.frequency()),
            still ? "" : fmt::format("{:.3g}", m.damping()),
            most(l_.groups, [&](const auto& g) { return l_.participation_of_group(m, g); }),
            most(l_.blocks, [&](const auto& b) { return l_.participation_of_block(m, b); }),
            fmt::format("{} {:.0f} %", l_.states[lead], 100 * m.participation[lead]),
            cli::in_words(l_.parameters[k])}});
    }
    std::size_t width[7] = {};
    for (const Row& row : rows)
      for (std::size_t c = 0; c < 7; ++c) width[c] = std::max(width[c], row.cells[c].size());
    fmt::print("\n");
    for (const Row& row : rows) {
      std::string line;
      for (std::size_t c = 0; c < 7; ++c) line += fmt::format("  {:<{}}", row.cells[c], width[c]);
      fmt::print("{}\n", line.substr(0, line.find_last_not_of(' ') + 1));
    }
    fmt::print(
        "\n  shares: participation; behind it: relative change of the frequency over that of the "
        "parameter\n");
  }

  void print_groups() const {
    if (l_.groups.size() < 2) return;
    fmt::print("\n  each group alone, the others held [1/s]\n");
    for (const std::string& g : l_.groups)
      fmt::print("    {}: {}\n", g, in_words(l_.eigenvalues_of(g)));
  }

  void print_trim() const {
    fmt::print("  trimmed: {}, residual {:.1g} of the scale; memory and time held\n",
               counted(static_cast<std::size_t>(trim_->iterations), "iteration", "iterations"),
               trim_->residual);
    for (const Variable& v : freed_)
      fmt::print("    freed   {} = {:.9g} {}\n", name_of(v), value_of(v), unit_of(v));
    for (std::size_t i = 0; i < trim_->rates.size(); ++i)
      if (trim_->drifts[i] && std::fabs(trim_->rates[i]) > kStandstill)
        fmt::print("    drifts  {} by {:.9g} {}\n", state(i).name, trim_->rates[i],
                   to_string(structure_->signals[state(i).signal].conversion.dimension /
                             dimensions::kTime));
  }

  // --- pictures ---

  // The spectra that are drawn: along the run, or the one there is.
  [[nodiscard]] std::vector<SpectrumAt> drawn() const {
    if (!along_.empty()) return along_;
    SpectrumAt one{point_.state.clock.time(), l_.eigenvalues, {}};
    for (const std::string& g : l_.groups) one.groups.push_back(l_.eigenvalues_of(g));
    return {one};
  }

  // Each group alone and all together, by what `point` makes of an eigenvalue at a time.
  template <class Point>
  [[nodiscard]] std::vector<PlotSeries> series(Point point) const {
    std::vector<PlotSeries> list;
    for (const std::string& g : l_.groups)
      list.push_back({.name = "group " + g + " alone", .unit = "1/s"});
    list.push_back({.name = "coupled", .unit = "1/s"});
    for (const SpectrumAt& row : drawn()) {
      for (std::size_t g = 0; g <= row.groups.size(); ++g)
        for (const Complex v : g < row.groups.size() ? row.groups[g] : row.coupled) {
          const auto [x, y] = point(row.time, v);
          list[g].x.push_back(x);
          list[g].y.push_back(y);
        }
    }
    std::erase_if(list, [](const PlotSeries& s) { return s.x.empty(); });
    return list;
  }

  void draw(PlotRequest request, const char* name) {
    request.points = true;
    if (!request.series.empty()) files_.draw(name, request);
  }

  void plot() {
    const std::string title = along_.empty()
                                  ? fmt::format("{}: eigenvalues at t = {:.6g} s", structure_->name,
                                                point_.state.clock.time())
                                  : fmt::format("{}: eigenvalues along the run", structure_->name);
    draw({.title = title,
          .x_label = "real part",
          .x_unit = "1/s",
          .series = series([](double, Complex v) {
            return std::pair{v.real(), v.imag()};
          }),
          .y_label = "imaginary part"},
         "eigenvalues");
    if (along_.empty()) return;
    draw({.title = title,
          .x_label = "time",
          .x_unit = "s",
          .series = series([](double t, Complex v) {
            return std::pair{t, std::abs(v)};
          }),
          .y_label = "magnitude",
          .log_y = true},
         "magnitude");
    draw({.title = title,
          .x_label = "time",
          .x_unit = "s",
          .series = series([](double t, Complex v) {
            return std::pair{t, v.real()};
          }),
          .y_label = "real part"},
         "real-part");
  }

  const LinearizeOptions& o_;
  RunPlan plan_;
  std::shared_ptr<const ModelStructure> structure_;
  std::vector<SignalIndex> outputs_;
  Simulation simulation_;
  OperatingPoint point_;
  std::optional<Trim> trim_;
  std::vector<Variable> freed_;
  Linearization l_;
  std::vector<SpectrumAt> along_;
  ReportFiles files_;
};

bool given(const RunOptions& options, const char* key) {
  return std::any_of(options.run.begin(), options.run.end(),
                     [&](const auto& option) { return option.first == key; });
}

}  // namespace

int linearize(const LinearizeOptions& options) {
  Diagnostics diag;
  auto run = prepare(options.base, diag, [&](Spec& spec) {
    spec.run.scheme = {given(options.base, "method") ? "single-rate" : "reference",
                       {"--method", 0, ""}};
  });
  if (!run) return refuse(diag, options.base.json);
  const auto& structure = run->structure;
  const std::int64_t at = options.at.empty() ? 0 : time_of(options.at, "--at", 0, diag);
  const std::int64_t every = options.every.empty() ? 0 : time_of(options.every, "--every", 1, diag);
  if (!options.every.empty() && !options.along)
    diag.error({"--every", 0, ""}, "it belongs to --along");
  if (options.along && at > run->plan.until)
    diag.error({"--at", 0, ""}, "'{}' is after the end of the run at {}", options.at,
               run->spec.run.until.text);
  const TrimOptions trim(options, *structure, diag);
  if (!diag.ok()) return refuse(diag, options.base.json);
  say("{}", diag.text());
  return LinearizeReport(options, run->spec, run->plan, structure).go(at, every, trim.request());
}

}  // namespace chicane::cli
