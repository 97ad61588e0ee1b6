#include <fmt/chrono.h>
#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "analysis/guards.hpp"
#include "cli/advice.hpp"
#include "cli/check_step.hpp"
#include "cli/commands.hpp"
#include "cli/json.hpp"
#include "cli/recorder.hpp"
#include "cli/shared.hpp"
#include "core/build_info.hpp"
#include "io/checkpoint.hpp"
#include "io/plot/plot.hpp"
#include "io/plot/sparkline.hpp"
#include "io/reader/reader.hpp"
#include "io/sinks/csv.hpp"
#include "io/sinks/hdf5.hpp"
#include "io/sinks/writer.hpp"
#include "io/writer/echo.hpp"
#include "realtime/pacer.hpp"
#include "system/metrics.hpp"
#include "system/plan.hpp"

namespace chicane::cli {
namespace {

namespace fs = std::filesystem;
using Wall = std::chrono::steady_clock;

std::string cpu_name() {
  std::ifstream in("/proc/cpuinfo");
  for (std::string line; std::getline(in, line);)
    if (line.rfind("model name", 0) == 0) return line.substr(line.find(':') + 2);
  return "unknown";
}

// One line on a terminal, nothing on a pipe.
class Progress {
 public:
  explicit Progress(bool wanted) : on_(wanted && isatty(STDERR_FILENO) != 0) {}
  void show(double t, double from, double until, double wall) {
    const auto now = Wall::now();
    if (!on_ || now - last_ < std::chrono::milliseconds(100)) return;
    last_ = now;
    constexpr int kWidth = 30;
    const double part = until > from ? std::clamp((t - from) / (until - from), 0.0, 1.0) : 1.0;
    const int full = static_cast<int>(part * kWidth);
    fmt::print(stderr, "\r[{:#<{}}{:.<{}}] {:3.0f} %  t = {:.3g} s  {:.3g} x real time ", "", full,
               "", kWidth - full, 100 * part, t, wall > 0 ? (t - from) / wall : 0.0);
    std::fflush(stderr);
    shown_ = true;
  }
  ~Progress() {
    if (shown_) fmt::print(stderr, "\r{:78}\r", "");
  }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

 private:
  bool on_, shown_ = false;
  Wall::time_point last_ = Wall::now();
};

// A run from its Spec to its directory.
class Job {
 public:
  Job(const RunOptions& options, Spec spec, std::shared_ptr<const Structure> structure,
      RunPlan plan)
      : options_(options),
        spec_(std::move(spec)),
        structure_(std::move(structure)),
        plan_(std::move(plan)),
        simulation_(structure_, plan_.plan),
        recorder_(simulation_, plan_, rows_per_chunk(plan_)),
        guards_(make_guards(simulation_)) {}

  int go(Diagnostics& diag) {
    if (!resume(diag)) return refuse(diag, options_.json);
    start_ = simulation_.time();
    first_frame_ = simulation_.state().frames;
    how_ = how(plan_.plan, *structure_);
    directory_ = make_directory(options_.out, structure_->name);
    log("{} {}", "chicane", build_info().version);
    log("model {}: {}", structure_->name, structure_->description);
    log("{}, step {} s, until {} s", how_, seconds(simulation_.plan().step), seconds(plan_.until));
    warn(diag);
    write_echo();
    open_sinks();
    Metrics metrics(simulation_);
    const Status status = advance(metrics);
    if (status == Status::ok) {
      recorder_.see_end(simulation_);
      results_ = metrics.finish(simulation_);
    }
    push_rows();
    writer_->finish();
    explain(status);
    if (options_.plot) plot();
    if (options_.check_step && status == Status::ok) {
      agreement_ = check_step(structure_, plan_, simulation_.inputs());
      log("half the step agrees to {:.1f} digits (least: {})", agreement_->digits,
          agreement_->signal);
    }
    write_manifest();
    write_file(directory_ / "log.txt", log_);
    if (options_.json)
      fmt::print("{}\n", json().dump(2));
    else if (!options_.quiet)
      summarize();
    if (reason_.empty()) return kOk;
    fmt::print(stderr, "{}\n", reason_);
    return kRunFailed;
  }

 private:
  static constexpr std::size_t kChunk = 256;            // frames between looks at the clock
  static constexpr std::size_t kMostKept = 16'000'000;  // numbers

  // Every frame, and with every = 0 what lies inside it.
  static std::size_t rows_per_chunk(const RunPlan& plan) {
    int inside = kMaxStages;
    for (const Plan::Group& g : plan.plan.groups) inside = std::max(inside, g.ratio + 1);
    return kChunk * static_cast<std::size_t>(plan.every == 0 ? inside : 1) + 1;
  }

  template <class... Args>
  void log(fmt::format_string<Args...> text, Args&&... args) {
    log_ += fmt::format(text, std::forward<Args>(args)...) + "\n";
  }

  bool resume(Diagnostics& diag) {
    const Text& from = spec_.run.resume;
    if (from.empty()) return true;
    const auto text = load_file(from.text);
    if (!text) {
      diag.error({from.text, 0, "resume"}, "there is no such checkpoint");
      return false;
    }
    const auto checkpoint = read_checkpoint(*text, from.text, simulation_, diag);
    if (!checkpoint) return false;
    const Plan& saved = checkpoint->plan;
    const bool other_step = plan_.plan.step != saved.step && spec_.run.step.where.line == 0;
    const bool other_method =
        plan_.plan.method.name != saved.method.name && spec_.run.method.where.line == 0;
    if (other_step || other_method)
      warnings_.push_back(
          {fmt::format("the checkpoint goes on as it was saved, with {} and a step of {} s",
                       saved.method.name, seconds(saved.step))});
    simulation_.restore(checkpoint->state, saved);
    checkpoint_text_ = *text;
    return true;
  }

  // An unstable step is worth a word before the run, not only after it has gone wrong.
  void warn(const Diagnostics& diag) {
    for (const RunWarning& w : warnings_) say(w);
    for (const Diagnostic& d : diag.all()) warn(RunWarning{.text = d.message, .where = d.where});
    if (const auto advice = advise_step(structure_, simulation_.state(), simulation_.plan()))
      warn(RunWarning{.text = sentence(*advice, simulation_.plan()), .part = advice->mode.block});
  }

  void warn(RunWarning warning) {
    say(warning);
    warnings_.push_back(std::move(warning));
  }

  void say(const RunWarning& warning) {
    const std::string words = in_words(warning);
    log("{}", words);
    if (!options_.quiet) fmt::print(stderr, "{}\n", words);
  }

  // The echo alone repeats the run; what it resumes from stands beside it.
  void write_echo() {
    Spec echo = spec_;
    if (!checkpoint_text_.empty()) {
      write_file(directory_ / "resume.json", checkpoint_text_);
      echo.run.resume.text = "resume.json";
    }
    std::string text = "# Everything as used: chicane run echo.yaml repeats the run.\n";
    text += write_model(echo);
    write_file(directory_ / "echo.yaml", text);
  }

  void open_sinks() {
    std::vector<Column> columns{{"time", "s", "simulated time"}};
    for (const SignalIndex i : plan_.signals) {
      const SignalInfo& s = structure_->signals[i];
      columns.push_back({s.name, s.unit, s.description});
    }
    std::vector<std::unique_ptr<Sink>> sinks;
    sinks.push_back(std::make_unique<CsvSink>(directory_ / "results.csv", columns));
    sinks.push_back(
        std::make_unique<Hdf5Sink>(directory_ / "results.h5", columns,
                                   Hdf5Sink::Attributes{{"model", structure_->name},
                                                        {"scheme", spec_.run.scheme.text},
                                                        {"method", plan_.plan.method.name}}));
    writer_ = std::make_unique<RowWriter>(columns.size(), std::move(sinks));
  }

  [[nodiscard]] bool at_end() const {
    const Clock& c = simulation_.state().clock;
    return simulation_.plan().step > plan_.until - c.now();
  }

  Status advance(Metrics& metrics) {
    Observers observer{&recorder_, &metrics};
    for (const auto& guard : guards_) observer.add(*guard);
    Progress progress(!options_.json && !options_.quiet);
    Pacer pacer(Overrun::catch_up);
    const auto begin = Wall::now();
    Status status = Status::ok;
    save_checkpoint();
    while (status == Status::ok && !at_end() && !doubted_) {
      metrics.make_room(kChunk);
      const double before = cpu_seconds();
      const std::size_t frames = options_.realtime || plan_.checkpoint ? 1 : kChunk;
      for (std::size_t k = 0; k < frames && status == Status::ok && !at_end(); ++k)
        status = simulation_.step(&observer);
      const double used = cpu_seconds() - before;
      cpu_ += used - std::min(used, recorder_.take_spent());
      note_events();
      push_rows();
      if (status == Status::ok) save_checkpoint();
      for (const auto& guard : guards_) guard->between_frames(simulation_);
      ask_guards();
      if (options_.realtime && status == Status::ok)
        pacer.wait(std::chrono::duration_cast<Pacer::Clock::duration>(
            std::chrono::duration<double>(seconds(simulation_.plan().step))));
      wall_ = std::chrono::duration<double>(Wall::now() - begin).count();
      progress.show(simulation_.time(), start_, seconds(plan_.until), wall_);
    }
    late_ = pacer.late();
    for (const auto& guard : guards_) guard->at_end(simulation_);
    ask_guards();
    if (status != Status::interrupted) return status;
    log("stopped by an event at t = {} s: {}", simulation_.time(), *simulation_.stopped());
    return Status::ok;
  }

  // What they find ends a strict run.
  void ask_guards() {
    for (const auto& guard : guards_)
      for (RunWarning& found : guard->take_findings()) {
        warn(std::move(found));
        doubted_ = options_.strict;
      }
  }

  void save_checkpoint() {
    if (!plan_.checkpoint || simulation_.state().clock.now() < *plan_.checkpoint) return;
    write_file(directory_ / "checkpoint.json", write_checkpoint(simulation_));
    log("checkpoint at t = {} s", simulation_.time());
    plan_.checkpoint.reset();
  }

  void note_events() {
    const auto& events = simulation_.state().events;
    fired_.resize(static_cast<std::size_t>(events.size()));
    for (int i = 0; i < events.size(); ++i) {
      const std::int64_t now = events[EventIndex{i}].fired;
      auto& before = fired_[static_cast<std::size_t>(i)];
      if (now != before)
        log("event {} at t = {} s{}", structure_->events[EventIndex{i}].name,
            seconds(events[EventIndex{i}].last),
            now - before == 1 ? std::string()
                              : fmt::format(", the last of {} times", now - before));
      before = now;
    }
  }

  void push_rows() {
    recorder_.drain([this](std::span<const double> row) {
      writer_->push(row);
      keep(row);
    });
  }

  // Rows for pictures: all of them, or of a very long run every second, fourth, ...
  void keep(std::span<const double> row) {
    if (seen_rows_++ % stride_ != 0) return;
    kept_.insert(kept_.end(), row.begin(), row.end());
    if (kept_.size() < kMostKept) return;
    const std::size_t width = row.size(), rows = kept_.size() / width;
    for (std::size_t r = 0; 2 * r < rows; ++r)
      std::copy_n(kept_.begin() + static_cast<std::ptrdiff_t>(2 * r * width), width,
                  kept_.begin() + static_cast<std::ptrdiff_t>(r * width));
    kept_.resize((rows + 1) / 2 * width);
    stride_ *= 2;
  }

  void explain(Status status) {
    if (status == Status::ok && !doubted_) return;
    const Failure f = simulation_.failure(status);
    if (doubted_)
      reason_ = fmt::format("{}: stopped at t = {:.9g} s, because of --strict: {}",
                            structure_->name, f.time, warnings_.back().text);
    else if (f.complaint.empty())
      explain_state(f);
    else
      reason_ = fmt::format("{}: in the step from t = {:.9g} s {}", structure_->name, f.time,
                            f.complaint);
    reason_ += fmt::format(".\nOutputs up to the last good frame are in {}", directory_.string());
    log("{}", reason_);
  }

  // A state that ran away.
  void explain_state(const Failure& f) {
    reason_ =
        fmt::format("{}: state '{}' of block '{}' (group {}) {} in the step from t = {:.9g} s",
                    structure_->name, f.state, f.block, f.group,
                    f.status == Status::diverged     ? "went beyond its limit"
                    : f.status == Status::not_finite ? "became infinite or undefined"
                                                     : "could not be integrated to the tolerance",
                    f.time);
    const double h = seconds(simulation_.plan().step);
    const State<double> start = simulation_.model().initial_state();
    auto advice = advise_step(structure_, start, simulation_.plan());
    if (!advice) advice = advise_step(structure_, simulation_.state(), simulation_.plan());
    culprit_ = advice ? advice->mode : mode_of_state(spec_, f.state);
    if (advice)
      reason_ += fmt::format(
          ".\nThe step, {:.4g} s, is outside the stability region of {}: {} grows{}. Try --step "
          "{:.3g}s, or less",
          h, simulation_.plan().method.name, in_words(*culprit_), behind(*culprit_),
          0.9 * advice->stable_step);
    else if (culprit_)
      reason_ += fmt::format(
          ".\nAt the start it belongs to {}{}. Try a smaller step (--step {:.3g}s), look at the "
          "last steps with --every 0, and at these parameters",
          in_words(*culprit_), behind(*culprit_), h / 4);
    else
      reason_ += fmt::format(
          ".\nTry a smaller step (--step {:.3g}s), look at the last steps with --every 0, and at "
          "the model's parameters: "
          "masses too small or springs too stiff",
          h / 4);
  }

  void plot() {
    PlotRequest request{
        fmt::format("{} ({}, step {})", structure_->name, how_, spec_.run.step.text),
        "time",
        "s",
        {}};
    const std::size_t width = recorder_.width(), rows = kept_.size() / width;
    for (std::size_t c = 1; c < width; ++c) {
      const SignalInfo& s = structure_->signals[plan_.signals[c - 1]];
      PlotSeries series{s.name, s.unit, {}, {}};
      for (std::size_t r = 0; r < rows; ++r) {
        series.x.push_back(kept_[r * width]);
        series.y.push_back(kept_[r * width + c]);
      }
      request.series.push_back(std::move(series));
    }
    write_plot(request, directory_ / "plot");
  }

  [[nodiscard]] double simulated() const { return simulation_.time() - start_; }
  [[nodiscard]] double frame_us() const {
    const auto frames = simulation_.state().frames - first_frame_;
    return frames > 0 ? 1e6 * cpu_ / static_cast<double>(frames) : 0.0;
  }

  [[nodiscard]] std::int64_t startup() const {
    std::int64_t n = 0;
    for (const GroupState<double>& g : simulation_.state().groups) n += g.counts.startup;
    return n;
  }
  [[nodiscard]] std::int64_t extra() const {
    std::int64_t n = 0;
    for (const GroupState<double>& g : simulation_.state().groups) n += g.counts.extra;
    return n;
  }

  [[nodiscard]] Json method_name() const {  // prk, pece and the reference have none of ours
    const Plan& plan = simulation_.plan();
    if (plan.scheme == SchemeKind::single_rate) return plan.method.name;
    if (plan.scheme != SchemeKind::multiframe) return nullptr;
    Json methods = Json::object();
    for (const GroupIndex g : plan.groups.indices())
      methods[structure_->groups[g].name] = plan.groups[g].method.name;
    return methods;
  }

  [[nodiscard]] Json metrics() const {
    Json j = Json::object();
    for (const Metrics::Result& r : results_) j[r.name] = r.value ? Json(*r.value) : Json();
    return j;
  }

  Json json() const {
    const State<double>& state = simulation_.state();
    Json j = {{"status", reason_.empty() ? "ok" : reason_},
              {"model", structure_->name},
              {"scheme", spec_.run.scheme.text},
              {"method", method_name()},
              {"step", seconds(simulation_.plan().step)},
              {"end_time", simulation_.time()},
              {"frames", state.frames}};
    for (const char* key : {"final", "evaluations"}) j[key] = Json::object();
    for (int i = 0; i < structure_->signals.size() && reason_.empty(); ++i)
      j["final"][structure_->signals[SignalIndex{i}].name] =
          recorder_.latest()[static_cast<std::size_t>(i)];
    for (const BlockPlace& b : structure_->blocks)
      j["evaluations"][b.label] = state.groups[b.group].counts.steps;
    if (is_multirate(simulation_.plan().scheme)) {
      for (const GroupIndex g : state.groups.indices())
        j["ratios"][structure_->groups[g].name] = simulation_.plan().groups[g].ratio;
      j["order"] = order_of(simulation_.plan(), *structure_).order;
    }
    for (const auto& [name, number] : simulation_.counts()) j["counts"][std::string(name)] = number;
    j["startup_evaluations"] = startup();
    j["extra_evaluations"] = extra();
    j["cost"] = {{"frame_us", frame_us()},
                 {"speedup", cpu_ > 0 ? simulated() / cpu_ : 0.0},
                 {"wall_speedup", wall_ > 0 ? simulated() / wall_ : 0.0}};
    j["metrics"] = metrics();
    j["warnings"] = to_json(warnings_);
    if (culprit_) j["culprit"] = to_json(*culprit_);
    if (simulation_.stopped()) j["stopped"] = *simulation_.stopped();
    if (agreement_)
      j["check_step"] = {{"digits", agreement_->digits}, {"signal", agreement_->signal}};
    if (options_.realtime) j["late_frames"] = late_;
    j["out"] = directory_.string();
    return j;
  }

  void write_manifest() const {
    const BuildInfo& build = build_info();
    const auto now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
    const Json j = {{"program", "chicane"},
                    {"version", build.version},
                    {"compiler", build.compiler},
                    {"build_type", build.build_type},
                    {"flags", build.flags},
                    {"cpu", cpu_name()},
                    {"date", fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(now))},
                    {"arguments", options_.arguments},
                    {"seed", nullptr},
                    {"frames", simulation_.state().frames},
                    {"cpu_s", cpu_},
                    {"wall_s", wall_},
                    {"frame_us", frame_us()},
                    {"metrics", metrics()},
                    {"warnings", to_json(warnings_)},
                    {"status", reason_.empty() ? "ok" : reason_}};
    write_file(directory_ / "manifest.json", j.dump(2) + "\n");
  }

  void summarize() const {
    const State<double>& state = simulation_.state();
    fmt::print("{}{}{}\n", structure_->name, structure_->description.empty() ? "" : ": ",
               structure_->description);
    fmt::print("  {}, {} frames of {:.6g} s to t = {:.9g} s{}\n", how_, state.frames,
               seconds(simulation_.plan().step), simulation_.time(),
               simulation_.stopped() ? ", stopped by an event: " + *simulation_.stopped() : "");
    fmt::print(
        "  frame time {:.3g} us, step time {:.6g} s, speed-up {:.3g} over real time (wall "
        "{:.3g})\n",
        frame_us(), seconds(simulation_.plan().step), cpu_ > 0 ? simulated() / cpu_ : 0.0,
        wall_ > 0 ? simulated() / wall_ : 0.0);
    std::string groups;
    for (const BlockPlace& b : structure_->blocks)
      if (groups.find(b.label + " ") == std::string::npos)
        groups += fmt::format("{} {}, ", b.label, state.groups[b.group].counts.steps);
    fmt::print("  evaluations: {}start-up {}, extra {}\n", groups, startup(), extra());
    std::string counted;
    for (const auto& [name, number] : simulation_.counts())
      counted += fmt::format("{}{} {}", counted.empty() ? "" : ", ", name, number);
    if (!counted.empty()) fmt::print("  {}\n", counted);
    if (options_.realtime) fmt::print("  frames late in real time: {}\n", late_);
    if (agreement_)
      fmt::print("  half the step agrees to {:.1f} digits (least: {})\n", agreement_->digits,
                 agreement_->signal);
    print_signals();
    if (!results_.empty()) fmt::print("\n");
    for (const Metrics::Result& r : results_)
      fmt::print("  {} = {} {}\n", r.name, r.value ? fmt::format("{:.6g}", *r.value) : "-", r.unit);
    fmt::print("\n  results in {}{}\n", directory_.string(),
               options_.plot ? " (plot.png, plot.svg)" : "");
  }

  void print_signals() const {
    const std::size_t width = recorder_.width(), rows = kept_.size() / width;
    if (rows == 0) return;
    constexpr std::size_t kMostShown = 40;
    const std::size_t shown = std::min(width, 1 + kMostShown);
    std::size_t widest = 16;
    for (std::size_t c = 1; c < shown; ++c)
      widest = std::max(widest, structure_->signals[plan_.signals[c - 1]].name.size());
    fmt::print("\n  {:<{}} {:<8} {:>12} {:>12} {:>12}\n", "signal", widest, "unit", "final",
               "least", "most");
    for (std::size_t c = 1; c < shown; ++c) {
      const SignalInfo& s = structure_->signals[plan_.signals[c - 1]];
      const auto k = static_cast<std::size_t>(plan_.signals[c - 1].value);
      std::vector<double> y;
      for (std::size_t r = 0; r < rows; ++r) y.push_back(kept_[r * width + c]);
      fmt::print("  {:<{}} {:<8} {:>12.5g} {:>12.5g} {:>12.5g}  {}\n", s.name, widest, s.unit,
                 reason_.empty() ? recorder_.latest()[k] : y.back(), recorder_.least()[k],
                 recorder_.most()[k], sparkline(y, 40));
    }
    if (shown < width)
      fmt::print("  ... and {} more in the results; --output PATTERN selects\n", width - shown);
  }

  const RunOptions& options_;
  Spec spec_;
  std::shared_ptr<const Structure> structure_;
  RunPlan plan_;
  Simulation simulation_;
  Recorder recorder_;
  std::vector<std::unique_ptr<Guard>> guards_;
  std::unique_ptr<RowWriter> writer_;
  fs::path directory_;
  std::string checkpoint_text_, log_, reason_, how_;
  std::optional<NamedMode> culprit_;
  std::vector<RunWarning> warnings_;
  std::vector<std::int64_t> fired_;
  std::vector<double> kept_;  // rows, for plots and the summary
  std::size_t seen_rows_ = 0, stride_ = 1;
  std::vector<Metrics::Result> results_;
  std::optional<StepAgreement> agreement_;
  double start_ = 0, cpu_ = 0, wall_ = 0;
  bool doubted_ = false;
  std::int64_t late_ = 0, first_frame_ = 0;
};

}  // namespace

int run(const RunOptions& options) {
  Diagnostics diag;
  auto spec = load(options, diag);
  const auto structure = spec ? compile_for_run(*spec, diag) : nullptr;
  auto plan = structure ? plan_run(*spec, *structure, diag) : std::nullopt;
  if (!plan) return refuse(diag, options.json);
  return Job(options, std::move(*spec), structure, std::move(*plan)).go(diag);
}

}  // namespace chicane::cli
